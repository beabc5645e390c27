"""What an answer carries: its bytes with the encoding undone, what kind of page they are, and in which charset."""

from __future__ import annotations

import codecs
import re
import zlib
from typing import TYPE_CHECKING

from ..core.web import FetchFailure

if TYPE_CHECKING:
    from ..core.web import Exchange

MOST_LAYERS = 2
"""Encodings on top of one another that are undone; honest servers use one."""
MOST_RATIO = 250
"""How many times larger an answer may become; ordinary pages stay below fifty."""
_FREE = 1024 * 1024
"""Up to this size the ratio does not matter: a short repetitive page compresses very well."""
_MEMBERS = 1000
"""Parts of one gzip stream: empty ones cost time and give nothing."""
_PIECE = 64 * 1024
_SNIFFED = 4096

_GZIP = ("gzip", "x-gzip")
_HTML = ("text/html", "application/xhtml+xml")
_PDF = ("application/pdf", "application/x-pdf")
_VAGUE = ("", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download")
_TEXT = re.compile(r"text/|application/(?:[\w.-]+\+)?(?:json|xml|(?:x-)?(?:javascript|yaml)|toml)\b")
_ELEMENT = re.compile(
    rb"<(?:!doctype\s+html|(?:html|head|body|title|script|style|meta|link|div|p|h1|table|iframe|a|br|b|font)(?=[\s>/]))",
    re.IGNORECASE,
)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SIGNED = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b", b"RIFF", b"\x7fELF", b"BZh", b"7z\xbc\xaf")

_PARAMETER = re.compile(r";\s*charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})", re.IGNORECASE)
_META = re.compile(rb"<meta\s[^>]{0,500}?charset\s*=\s*[\"']?\s*([\w.:+-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*[\"']([\w.:+-]{1,40})", re.IGNORECASE)
# What the web calls Latin-1 or ASCII has always been read as windows-1252.
_WIDENED = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "iso8859-9": "cp1254"}
_WIDENED |= {"tis-620": "cp874", "iso8859-11": "cp874", "euc_kr": "cp949", "shift_jis": "cp932"}
_CHARSETS = re.compile(
    r"utf-8|utf-16(?:-[lb]e)?|iso8859-\d+|cp(?:125\d|866|874|932|949)|koi8-[ru]|mac-(?:roman|cyrillic)"
    r"|gb18030|big5(?:hkscs)?|euc_jp|iso2022_jp"
)


def decode_body(exchange: Exchange, most: int) -> bytes:
    """The body with its content encoding undone, at most `most` bytes; Trouble `encoding` or `too-large` else."""
    url, data = exchange.url, exchange.body
    listed = ",".join(value for name, value in exchange.headers if name.lower() == "content-encoding")
    layers = [layer for word in listed.lower().split(",") if (layer := word.strip()) not in ("", "identity")]
    # An answer without a body has nothing to undo, whatever its headers say.
    if len(layers) > MOST_LAYERS and data:
        message = f"{url}: its body is encoded {len(layers)} times; {MOST_LAYERS} are undone at most"
        raise FetchFailure("encoding", message)
    unfolded = max(_FREE, MOST_RATIO * len(data))
    for layer in reversed(layers):
        data = _undo_encoding(data, layer, url, min(unfolded, most + _FREE))
        if len(data) > unfolded:
            message = f"{url}: {len(exchange.body):,} bytes unfold to more than {MOST_RATIO} times as many; refused"
            raise FetchFailure("too-large", message)
        if len(data) > most + _FREE:
            break
    if len(data) > most:
        raise FetchFailure("too-large", f"{url}: the page has more than {most:,} bytes; raise research.megabytes")
    return data


def media_type(exchange: Exchange, data: bytes) -> str:
    """`html`, `text`, `pdf` or `other`: what header and bytes agree on; Trouble `type` where they do not."""
    given = exchange.header("content-type").partition(";")[0].strip().lower()
    start = data[:_SNIFFED]
    seen = _sniff_media_type(start)
    if given in _VAGUE:
        return seen
    said = "html" if given in _HTML else "pdf" if given in _PDF else "text" if _TEXT.match(given) else "other"
    # Markup that is sent as plain text is meant to be read as text; text is a poor kind of HTML, but HTML.
    if not start or said == seen or {said, seen} == {"html", "text"}:
        return said
    if said == "other" and seen == "text":
        return "other"
    looks = {"html": "HTML", "text": "text", "pdf": "a PDF"}.get(seen, "neither HTML nor text nor PDF")
    message = f"{exchange.url}: the server calls it {given[:80]}, its bytes are {looks}; open it in a browser and look"
    raise FetchFailure("type", message)


def charset_of(exchange: Exchange, data: bytes) -> str:
    """The charset by its mark, the header, or the page's own word, as Python's codec names it; empty for none."""
    start = data[:_SNIFFED]
    for mark, name in MARKS:
        if start.startswith(mark):
            return name
    match = _PARAMETER.search(exchange.header("content-type"))
    if match is not None and (name := codec_name(match[1])):
        return name
    declared = _XML.match(start) or _META.search(start)
    name = codec_name(declared[1].decode("ascii", "replace")) if declared is not None else ""
    # A page in which that word is readable is not UTF-16.
    return "utf-8" if name.startswith("utf-16") else name


def codec_name(label: str) -> str:
    """How Python's codec for a charset is called; empty for one that pages are not written in."""
    try:
        name = codecs.lookup(label).name
    except (LookupError, ValueError):
        return ""
    name = _WIDENED.get(name, name)
    return name if _CHARSETS.fullmatch(name) else ""


def _sniff_media_type(start: bytes) -> str:
    if not start:
        return "other"
    if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1024].startswith(b"%PDF-"):
        return "pdf"
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        wide = start[: len(start) & ~1].decode("utf-16", "replace").encode()
        return "html" if _is_markup(wide) else "text"
    if start.startswith(_SIGNED) or b"\0" in start:
        return "other"
    if _is_markup(start.removeprefix(b"\xef\xbb\xbf")):
        # A stray control character makes no page a picture.
        return "html"
    return "other" if _BINARY.search(start) else "text"


def _is_markup(start: bytes) -> bool:
    """Whether it begins as HTML does, after comments and the line that XML begins with."""
    at = 0
    while True:
        at += len(start) - at - len(start[at:].lstrip())
        for opening, closing in ((b"<!--", b"-->"), (b"<?xml", b"?>")):
            if start.startswith(opening, at):
                end = start.find(closing, at + len(opening))
                if end < 0:
                    return opening == b"<!--"
                at = end + len(closing)
                break
        else:
            return _ELEMENT.match(start, at) is not None


def _undo_encoding(data: bytes, layer: str, url: str, most: int) -> bytes:
    """The bytes under one layer of encoding, cut behind `most` of them."""
    if layer not in (*_GZIP, "deflate"):
        message = f"{url}: the server sent an encoding that was not requested ({layer[:40]}); it cannot be undone"
        raise FetchFailure("encoding", message)
    try:
        return _decompress(data, layer in _GZIP, most)
    except (zlib.error, EOFError) as error:
        raise FetchFailure("encoding", f"{url}: its {layer} encoding is damaged ({error}); fetch it again") from None


def _decompress(data: bytes, gzip: bool, most: int) -> bytes:
    """All members of a gzip stream, or a zlib stream; what follows them and is none is ignored, as everyone does."""
    # Some servers send a bare stream under the name of the other.
    wrapped = len(data) > 1 and data[0] & 15 == 8 and (data[0] * 256 + data[1]) % 31 == 0
    form = 31 if gzip else 15 if wrapped else -15
    view, out = memoryview(data), bytearray()
    at = members = 0
    while at < len(data):
        engine = zlib.decompressobj(form)
        while not engine.eof:
            if at == len(data):
                raise EOFError("it ends too early")
            # Piece by piece: the engine copies what stands behind the end of a member.
            piece = view[at : at + _PIECE]
            at += len(piece)
            out += engine.decompress(piece, most + 1 - len(out))
            if len(out) > most:
                return bytes(out)
        at -= len(engine.unused_data)
        members += 1
        if members > _MEMBERS:
            raise zlib.error(f"more than {_MEMBERS} parts")
        if not gzip or data[at : at + 1] != b"\x1f":
            break
    return bytes(out)

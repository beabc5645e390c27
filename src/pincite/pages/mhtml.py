"""Pages saved as MHTML: the page itself out of a message of many parts, with where and when it was saved.

Only the part that is the page is decoded; pictures and styles are passed over. Nothing here recurses deeper than
MOST_DEPTH, and every byte is looked at a fixed number of times.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_qp

from msgspec import Struct

from ..core.errors import Unreadable

MOST_PARTS = 20_000
"""Parts of one message."""
MOST_DEPTH = 4
"""Messages inside of messages."""
LONGEST_HEAD = 64 * 1024
_LONGEST_BOUNDARY = 200
_PAGES = ("text/html", "application/xhtml+xml", "application/pdf", "text/plain")
_LEAD = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]{0,8}")
_MESSAGE = re.compile(_LEAD.pattern + rb"[A-Za-z][A-Za-z0-9-]{0,60}:")
_FOLDED = re.compile(rb"\r?\n[ \t]+")
_PARAMETER = re.compile(r""";\s*([A-Za-z0-9_-]{1,40})\s*=\s*(?:"([^"]{0,500})"|([^\s;"]{1,500}))""")


class MhtmlPage(Struct, frozen=True):
    """The page of a message."""

    url: str
    """Where it was, as the message says; empty where it does not."""
    date: str
    """The `Date` of the message, as it is written."""
    content_type: str
    body: bytes


class _Part(Struct, frozen=True):
    """A stretch of the file: its headers, and where its body lies."""

    headers: dict[str, str]
    start: int
    end: int

    @property
    def media(self) -> str:
        """The type of its content, without parameters."""
        return self.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()

    def parameter(self, name: str) -> str:
        """A parameter of its type; empty where there is none."""
        found = _PARAMETER.finditer(self.headers.get("content-type", ""))
        return next((one[2] or one[3] or "" for one in found if one[1].lower() == name), "")


def is_mhtml(data: bytes) -> bool:
    """Whether bytes are a message with parts, as browsers save pages."""
    headers = _read_message(data).headers if _MESSAGE.match(data) else {}
    media = headers.get("content-type", "").lower()
    return "mime-version" in headers and (media.startswith("multipart/") or "content-transfer-encoding" in headers)


def read_mhtml(data: bytes) -> MhtmlPage:
    """The page of a message; raises Unreadable where it has none, or is broken."""
    message = _read_message(data)
    location = _address(message.headers.get("snapshot-content-location", ""))
    root = _find_page(data, message, location, MOST_DEPTH)
    if root is None:
        raise Unreadable("no page stands in it: no part of it is HTML, text or PDF")
    url = location or _address(root.headers.get("content-location", ""))
    kind = root.headers.get("content-type", "") or "text/plain"
    return MhtmlPage(url, message.headers.get("date", ""), " ".join(kind.split()), _decode(data, root))


def _find_page(data: bytes, message: _Part, location: str, depth: int) -> _Part | None:
    """The part that is the page: the one that is named as such, else the first of a kind that can be read."""
    if not message.media.startswith("multipart/"):
        return message if message.media in _PAGES else None
    if not depth:
        raise Unreadable(f"its parts are nested deeper than {MOST_DEPTH} levels")
    named = message.parameter("start")
    first: _Part | None = None
    for part in _split(data, message):
        inner = part
        if part.media.startswith("multipart/"):
            found = _find_page(data, part, location, depth - 1)
            if found is None:
                continue
            inner = found
        if inner.media not in _PAGES:
            continue
        if named and part.headers.get("content-id", "").strip() == named:
            return inner
        if location and _address(inner.headers.get("content-location", "")) == location:
            return inner
        first = first or inner
    return first


def _split(data: bytes, message: _Part) -> list[_Part]:
    """The parts of a message; raises Unreadable where nothing says where they end, or there are too many."""
    boundary = message.parameter("boundary").encode("utf-8", "replace")
    if not boundary or len(boundary) > _LONGEST_BOUNDARY:
        raise Unreadable("nothing in it says where its parts end")
    mark = b"--" + boundary
    starts: list[tuple[int, int]] = []
    at = message.start if data.startswith(mark, message.start) else _next_mark(data, mark, message.start, message.end)
    while at >= 0:
        after = at + len(mark)
        starts.append((at, after))
        if len(starts) > MOST_PARTS:
            raise Unreadable(f"it has more than {MOST_PARTS:,} parts: the limit")
        if data.startswith(b"--", after):
            break
        at = _next_mark(data, mark, after, message.end)
    parts = []
    for number, (_, after) in enumerate(starts):
        if data.startswith(b"--", after):
            break
        end = starts[number + 1][0] if number + 1 < len(starts) else message.end
        line = data.find(b"\n", after, end)
        if line >= 0:
            parts.append(_read_part(data, line + 1, end))
    return parts


def _next_mark(data: bytes, mark: bytes, at: int, end: int) -> int:
    """Where a boundary begins at the beginning of a line; -1 where none does."""
    found = data.find(b"\n" + mark, at, end)
    return found + 1 if found >= 0 else -1


def _read_message(data: bytes) -> _Part:
    """The whole file as one part; blank lines before it do not count."""
    lead = _LEAD.match(data)
    return _read_part(data, lead.end() if lead is not None else 0, len(data))


def _read_part(data: bytes, start: int, end: int) -> _Part:
    """The headers and the body between two places; what has no blank line is all headers."""
    for blank in (b"\r\n", b"\n"):
        if data.startswith(blank, start):
            # A part may have no headers at all.
            return _Part({}, min(start + len(blank), end), end)
    limit = min(end, start + LONGEST_HEAD)
    crlf, lf = data.find(b"\n\r\n", start, limit), data.find(b"\n\n", start, limit)
    stop, body = (crlf, crlf + 3) if crlf >= 0 and (lf < 0 or crlf < lf) else (lf, lf + 2)
    if stop < 0:
        stop = body = limit
    headers: dict[str, str] = {}
    for line in _FOLDED.sub(b" ", data[start:stop]).split(b"\n"):
        name, colon, value = line.decode("utf-8", "replace").partition(":")
        if colon:
            headers.setdefault(name.strip().lower(), value.strip())
    return _Part(headers, min(body, end), end)


def _decode(data: bytes, part: _Part) -> bytes:
    """The bytes of a part with its transfer encoding undone."""
    body = data[part.start : part.end]
    # The line end before a boundary belongs to the boundary.
    body = body.removesuffix(b"\n").removesuffix(b"\r") if part.end < len(data) else body
    how = part.headers.get("content-transfer-encoding", "").strip().lower()
    if how == "quoted-printable":
        return a2b_qp(body)
    if how == "base64":
        try:
            return a2b_base64(body)
        except Error as error:
            raise Unreadable(f"its base64 is broken ({error})") from None
    if how in ("", "7bit", "8bit", "binary"):
        return body
    raise Unreadable(f"its encoding {how[:40]!r} is unknown")


def _address(text: str) -> str:
    """An address out of a header, without its fragment; empty where it is none of the web."""
    url = text.strip().removeprefix("<").removesuffix(">").partition("#")[0]
    plain = url[:8].lower().startswith(("https://", "http://")) and len(url.split()) == 1
    return url if plain else ""

"""Captured output that travels inside a document: collapsed blocks that carry a text and its digest.

A block is read by people (a fenced text below a summary) and by pincite (a comment with the digest). Where the fence
cannot hold the exact bytes, the comment holds them as well, and the fence must then show what the screen showed: a
reader sees the text that is checked. What is attached counts only if its bytes have the claimed digest.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ..core.limits import LIMITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN = "<!-- pincite-output "
_TITLE = 300
"""Longest summary, before it is escaped."""
# Everything is anchored and possessive, and every search begins behind the last find: work grows with the text alone.
_MARK = re.compile(
    r"""
    <!--\ pincite-output\ sha256=([0-9a-f]{64})(?:\ given=([0-9a-f]{6,64}))?+(?:\ masked=([0-9]{1,9}))?+
    (?:\ -->|\ zlib\r?\n((?:[A-Za-z0-9+/=]++\r?\n)*+)-->)[ \t]*+\r?\n
    """,
    re.VERBOSE,
)
_FENCE = re.compile(r"(?:[ \t]*+\r?\n)*+(`{3,}+)[a-z]*+[ \t]*+\r?\n")
_CLOSE = re.compile(r"^[ \t]*+(`{3,}+)[ \t]*+(?=\r?\n|\Z)", re.MULTILINE)
_AFTER = re.compile(r"(?:\r?\n)*+</details>[ \t]*+(?:\r?\n|\Z)")
_SUMMARY = re.compile(r"<details>\r?\n<summary>[^\r\n]*+\r?\n\r?\n")
_TICKS = re.compile(r"`+")
# A title is no place for markup, nor for anything that could pass for a citation.
_TELLING = re.compile(r"[^\w ./=+,%;()'\"-]")


class AttachedText(Struct, frozen=True):
    """A text that a document claims to carry."""

    digest: str
    given: str
    """The id another tool gave it; empty for our own."""
    masked: int
    data: bytes | None
    """The exact bytes; None where what is attached does not have the digest it claims."""


class AttachedBlock(Struct, frozen=True):
    """An attached text and the code points of the document it takes up."""

    start: int
    end: int
    piece: AttachedText
    whole: bool
    """Whether everything is there that a block is made of, from `<details>` to `</details>`."""


def read_attached(text: str) -> list[AttachedText]:
    """The texts attached to a document, each once; an intact copy wins over a changed one. Never raises."""
    found: dict[tuple[str, str], AttachedText] = {}
    for block in blocks(text):
        piece = block.piece
        known = found.setdefault((piece.digest, piece.given), piece)
        if known.data is None:
            found[piece.digest, piece.given] = piece
    return list(found.values())


def blocks(text: str) -> Iterator[AttachedBlock]:
    """The attached texts in order, with their places; what is inside one is its text, whatever it looks like."""
    at = 0
    left = LIMITS.source_bytes
    while (at := text.find(_OPEN, at)) >= 0:
        mark = _MARK.match(text, at) if at == 0 or text[at - 1] == "\n" else None
        if mark is None:
            at += len(_OPEN)
            continue
        start, end = _summary(text, at), mark.end()
        fence = _FENCE.match(text, end)
        data = after = None
        if fence is not None:
            close = _closing(text, fence)
            inside = text[fence.end() : close.start() if close else len(text)]
            end = close.end() if close else len(text)
            # One allowance for the whole document: a small one must not unpack to a huge amount.
            data = _data(mark, inside.replace("\r\n", "\n"), left) if close else None
            left -= len(data) if data is not None and mark[4] is not None else 0
            after = _AFTER.match(text, end)
            end = after.end() if after else end
        piece = AttachedText(mark[1], mark[2] or "", int(mark[3] or 0), data)
        yield AttachedBlock(start, end, piece, after is not None and start < mark.start())
        at = end


def attach(digest: str, given: str, masked: int, data: bytes, title: str) -> str:
    """The markdown that carries a text: a collapsed block, with LF line ends and nothing a document could trip over."""
    from .terminal.screen import screen_lines

    lines = screen_lines(data)
    shown = "".join(f"{line}\n" for line in lines)
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(shown)), default=0))
    facts = f"sha256={digest}{f' given={given}' if given else ''}{f' masked={masked}' if masked else ''}"
    return (
        f"<details>\n<summary>Captured output <code>{given or digest[:12]}</code>{_escape_title(title)}</summary>\n\n"
        f"{_OPEN}{facts} {'' if _is_exact(shown, lines, data) else _compress_data(data)}-->\n\n"
        f"{fence}text\n{shown}{fence}\n\n</details>\n"
    )


def _is_exact(shown: str, lines: list[str], data: bytes) -> bool:
    """Whether the shown lines are the text, and stay so where an editor drops white space at the end of lines."""
    if any(line[-1:] in (" ", "\t") for line in lines if line):
        return False
    exact = shown.encode()
    return data in (exact, exact[:-1])


def _compress_data(data: bytes) -> str:
    from base64 import encodebytes
    from zlib import compress

    return "zlib\n" + encodebytes(compress(data, 9)).decode()


def _escape_title(title: str) -> str:
    """A title as HTML on one line; what could be markup or a citation is written as numbers."""
    line = " ".join(title.split())[:_TITLE]
    line = _TELLING.sub(lambda match: f"&#{ord(match[0])};" if match[0].isprintable() else "\ufffd", line)
    return f": {line}" if line else ""


def _summary(text: str, mark: int) -> int:
    """Where the block of a mark begins: at its summary, or at the mark where there is none."""
    blank = text.rfind("\n", 0, mark - 1)
    line = text.rfind("\n", max(0, blank - _TITLE * 12), max(blank, 0))
    start = text.rfind("<details>", max(0, line - 11), max(line, 0))
    if start >= 0 and (start == 0 or text[start - 1] == "\n"):
        summary = _SUMMARY.match(text, start, mark)
        if summary is not None and summary.end() == mark:
            return start
    return mark


def _closing(text: str, fence: re.Match[str]) -> re.Match[str] | None:
    """The line that ends a fence: as many backticks as opened it, or more, and nothing else."""
    for match in _CLOSE.finditer(text, fence.end()):
        if len(match[1]) >= len(fence[1]):
            return match
    return None


def _data(mark: re.Match[str], inside: str, limit: int) -> bytes | None:
    """The bytes a block carries, if they have its digest and its fence shows them."""
    from hashlib import sha256

    from .terminal.screen import screen_lines

    try:
        exact = inside.encode()
    except UnicodeEncodeError:
        return None
    choices = (exact, exact[:-1]) if mark[4] is None else (_decompress_data(mark[4], limit),)
    for data in choices:
        if data is not None and sha256(data).hexdigest() == mark[1]:
            break
    else:
        return None
    shown = [line.rstrip(" \t") for line in inside.split("\n")]
    shown.pop()
    return data if [line.rstrip(" \t") for line in screen_lines(data)] == shown else None


def _decompress_data(written: str, limit: int) -> bytes | None:
    from binascii import Error, a2b_base64
    from zlib import decompressobj
    from zlib import error as ZlibError

    unpacking = decompressobj()
    try:
        data = unpacking.decompress(a2b_base64("".join(written.split()), strict_mode=True), limit + 1)
    except (Error, ValueError, ZlibError):
        return None
    return data if unpacking.eof and not unpacking.unused_data and len(data) <= limit else None

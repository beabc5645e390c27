"""Citations built and read without a repository: text in, text out.

What is built here is what `pincite` itself would write, and never a citation that could not be read back or hold.
"""

from __future__ import annotations

import re
from hashlib import sha256
from os import PathLike, fspath

from ..core.limits import LIMITS
from ..core.model import Citation, Malformed
from ..dialects import dialects, extract
from ..text.document import Document
from ..text.lines import shorten
from ..text.terminal.screen import screen_lines

_SHORTEST, _LONGEST = 6, 64
_LAST_LINE = 999_999_999
_SHOWN = 80
# What would end the bracket, its line or the text around it.
_BREAKING = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029†【】]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DRIVE = re.compile("[A-Za-z]:")


def chunk_hash(chunk_text: str, *, digits: int = _SHORTEST) -> str:
    """The id of a chunk of output: the first hex digits of the SHA-256 of its UTF-8 text.

    Raises ValueError for a text that UTF-8 cannot hold and for fewer than 6 or more than 64 digits.
    """
    return _hash(_encode_text(chunk_text), digits)


def file_citation(path: str | PathLike[str], start_line: int, end_line: int | None = None) -> str:
    """The citation of lines of a file, as in `【F:src/app.py†L10-L25】`; `path` is relative to the root.

    Raises ValueError for a path that leads or could lead elsewhere, and for lines that cannot exist.
    """
    return f"【F:{_path(path)}†{_lines(start_line, end_line)}】"


def command_citation(chunk_text: str, start_line: int, end_line: int | None = None, *, digits: int = _SHORTEST) -> str:
    """The citation of lines of a chunk of output, as in `【e7caf5†L1-L2】`.

    Lines are those the screen showed. Raises ValueError for lines that the text does not have.
    """
    data = _encode_text(chunk_text)
    written = _lines(start_line, end_line)
    there = len(screen_lines(data))
    for name, line in (("start_line", start_line), ("end_line", end_line)):
        if line is not None and line > there:
            has = "has no lines" if not there else f"ends at line {there}"
            raise ValueError(f"{name}: {line} is past the end of chunk_text; expected a line of the text, which {has}")
    return f"【{_hash(data, digits)}†{written}】"


def parse(text: str) -> tuple[Citation | Malformed, ...]:
    """Every citation in a text, in order, and what was meant as one; the text is read as markdown at the root.

    Never raises for a string. Code is left out, as in documents. Whether the cited paths exist is not looked at.
    """
    if not isinstance(text, str):
        raise TypeError(f"text: expected a str, not {type(text).__name__}")
    return tuple(extract(Document("-", text), dialects()))


def _encode_text(chunk_text: str) -> bytes:
    if not isinstance(chunk_text, str):
        raise TypeError(f"chunk_text: expected a str, not {type(chunk_text).__name__}")
    try:
        return chunk_text.encode()
    except UnicodeEncodeError as error:
        found = repr(chunk_text[error.start])
        raise ValueError(
            f"chunk_text: {found} at offset {error.start} cannot be encoded; expected text without lone surrogates"
        ) from None


def _hash(data: bytes, digits: int) -> str:
    _check_number("digits", digits, "length of an id", _SHORTEST, _LONGEST)
    return sha256(data).hexdigest()[:digits]


def _path(given: str | PathLike[str]) -> str:
    path = fspath(given) if isinstance(given, PathLike) else given
    if not isinstance(path, str):
        raise TypeError(f"path: expected a str or a PathLike of str, not {type(path).__name__}")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    plain = "/".join(parts)
    if fault := _fault(path, parts, plain):
        raise ValueError(
            f"path: {_format_value(path)} {fault}; expected a path relative to the root, with forward slashes"
        )
    return plain


def _fault(path: str, parts: list[str], plain: str) -> str:
    """What keeps a path from being cited; empty where nothing does."""
    if path.startswith("/") or plain.startswith("~") or _DRIVE.match(plain):
        return "is absolute"
    if "\\" in path:
        return "has a backslash"
    if ".." in parts:
        return "has a '..' part"
    if not plain or plain.isspace():
        return "names no file"
    if breaking := _BREAKING.search(path):
        return f"has {breaking[0]!r}, which would break the citation"
    if _SURROGATE.search(path):
        return "has a lone surrogate and cannot be encoded"
    if len(plain) > LIMITS.path_chars:
        return f"is longer than {LIMITS.path_chars} characters"
    return ""


def _lines(start: int, end: int | None) -> str:
    _check_number("start_line", start, "line", 1, _LAST_LINE)
    if end is None:
        return f"L{start}"
    _check_number("end_line", end, "line", 1, _LAST_LINE)
    if end < start:
        raise ValueError(f"end_line: {end} is before start_line {start}; expected {start} or more")
    return f"L{start}-L{end}"


def _check_number(name: str, value: int, what: str, least: int, most: int) -> None:
    # True is an int to Python and no number of lines.
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: expected an int, not {type(value).__name__}")
    if not least <= value <= most:
        raise ValueError(f"{name}: {_format_value(value)} is no {what}; expected {least} to {most}")


def _format_value(value: str | int) -> str:
    if isinstance(value, int) and abs(value) > 10**_SHOWN:
        # Python refuses to write out very long numbers.
        return "a very large number" if value > 0 else "a very small number"
    return shorten(repr(value), _SHOWN)

"""Pages that a person saved as a file: HTML of a browser or SingleFile, MHTML, PDF, text; from where, and on which day.

Only what the program that saved the page wrote at its beginning counts. What the page itself says there of addresses
and days is not what is asked here.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from msgspec import Struct

from ..core.errors import Unreadable
from ..core.web import Exchange
from .body import MARKS, media_type
from .mhtml import is_mhtml, read_mhtml

HTML, SINGLE_FILE, MHTML, PDF, TEXT = "HTML saved by a browser", "SingleFile page", "MHTML page", "PDF", "text"
_TYPES = {"html": "text/html", "pdf": "application/pdf", "text": "text/plain"}
_FIRST = 64 * 1024
"""Bytes of a file in which the comment of the program that saved it stands."""
_LONGEST_URL = 8192
# Before that comment stand a doctype and the first tag at most.
_COMMENT = re.compile(
    # Examples: `<!DOCTYPE html>\n<!-- saved from url=(0020)https://example.org/ -->`, `<html><!--\n Page saved`.
    r"""
    \s{0,100}+(?:<!doctype[^<>]{0,1000}+>)?+\s{0,100}+(?:<html(?:\s[^<>]{0,20000}+)?+>)?+\s{0,100}+(?:<head>)?+
    \s{0,100}+<!--(.{0,20000}?)-->
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_SAVED_FROM = re.compile(r"\s*saved from url=\(\d{1,6}\)\s*(\S{1,8192})\s*\Z")
_SINGLE_FILE = re.compile(r"\s*(?:Page saved with SingleFile|Archive processed by SingleFile)\b")
_FIELD = re.compile(r"^[ \t]*(url|saved date):[ \t]*(\S[^\r\n]{0,8192}?)[ \t]*$", re.MULTILINE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# `Sat Mar 05 2022 12:00:00 GMT+0100 (CET)` of a browser's clock, `Sat, 5 Mar 2022 12:00:00 +0100` of a message.
_CLOCK = r"(\d{1,2}):(\d\d)(?::(\d\d))?"
_BROWSER_DATE = re.compile(
    rf"(?:[A-Za-z]{{3}},? +)?([A-Za-z]{{3}}) +(\d{{1,2}}) +(\d{{4}}) +{_CLOCK} *(?:GMT|UTC)([+-]\d{{4}})?"
)
_MESSAGE_DATE = re.compile(
    rf"(?:[A-Za-z]{{3}}, *)?(\d{{1,2}}) +([A-Za-z]{{3}}) +(\d{{4}}) +{_CLOCK} *([+-]\d{{4}}|GMT|UTC?|Z)?"
)
_BROWSER_PDF = re.compile(rb"/Producer ?\(Skia/PDF m\d{1,4}\)|/Creator ?\((?:Mozilla|Chromium)")


class SavedPage(Struct, frozen=True):
    """A page out of a file, and what the file says of where it comes from."""

    form: str
    """Who made the file: HTML, SINGLE_FILE, MHTML, PDF or TEXT."""
    content_type: str
    body: bytes
    url: str = ""
    """As the file names it; empty where it does not."""
    saved: str = ""
    """When it was saved, in UTC (`2026-01-31T23:59:59Z`); empty where the file does not say."""
    printed: bool = False
    """Whether a browser made the PDF of the page, so that its day of creation is the day it was saved."""


def read_saved_page(data: bytes) -> SavedPage:
    """The page in a file's bytes; raises Unreadable where there is none that quotes can be looked for in."""
    if is_mhtml(data):
        page = read_mhtml(data)
        return SavedPage(MHTML, page.content_type, page.body, page.url, read_time(page.date))
    kind = media_type(Exchange("", 200, body=data), data)
    if kind == "pdf":
        return SavedPage(PDF, _TYPES[kind], data, printed=_BROWSER_PDF.search(data) is not None)
    if kind == "html":
        return _read_html(data)
    if kind == "text":
        return SavedPage(TEXT, _TYPES[kind], data)
    raise Unreadable(f"it is {_name_kind(data)}, and no page: HTML, MHTML, PDF, WARC or text")


def read_time(written: str) -> str:
    """A time as a browser or a message writes it, in UTC; empty where it is none."""
    if found := _BROWSER_DATE.match(written.strip()):
        month, day, year, hour, minute, second, zone = found.groups()
    elif found := _MESSAGE_DATE.match(written.strip()):
        day, month, year, hour, minute, second, zone = found.groups()
    else:
        return ""
    offset = timedelta()
    if zone and zone[0] in "+-":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5])) * (-1 if zone[0] == "-" else 1)
    try:
        number = _MONTHS.index(month.lower()) + 1
        when = datetime(int(year), number, int(day), int(hour), int(minute), int(second or 0), tzinfo=timezone(offset))
        return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, OverflowError):
        return ""


def _read_html(data: bytes) -> SavedPage:
    """An HTML page, with what the comment at its beginning says."""
    mark = next((name for mark, name in MARKS if data.startswith(mark)), "utf-8")
    start = data[: _FIRST & ~1].decode(mark, "replace")
    comment = _COMMENT.match(start)
    said = comment[1] if comment is not None else ""
    plain = SavedPage(HTML, _TYPES["html"], data)
    if found := _SAVED_FROM.match(said):
        return SavedPage(HTML, plain.content_type, data, _address(found[1]))
    if not _SINGLE_FILE.match(said):
        return plain
    fields = {name.lower(): value for name, value in reversed(_FIELD.findall(said))}
    url, saved = _address(fields.get("url", "")), read_time(fields.get("saved date", ""))
    return SavedPage(SINGLE_FILE, plain.content_type, data, url, saved)


def _address(text: str) -> str:
    """An address as a comment has it, where two hyphens cannot stand; empty where it is none of the web."""
    url = text.strip() if len(text) <= _LONGEST_URL else ""
    url = url.replace("%2D%2D", "--").partition("#")[0]
    plain = url[:8].lower().startswith(("https://", "http://")) and len(url.split()) == 1
    return url if plain else ""


def _name_kind(data: bytes) -> str:
    """What a file that is no page looks like."""
    known = {
        b"PK\x03\x04": "a ZIP archive (WACZ, MAFF, a document)",
        b"bplist": "a web archive of Safari",
        b"\x1f\x8b": "packed with gzip",
    }
    if not data:
        return "empty"
    return next((name for mark, name in known.items() if data.startswith(mark)), "of another kind")

"""Text without markup: what it says of itself, and the sources that it lists."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from .dates import read_date
from .model import Said
from .names import split_people
from .short_text import tidy

if TYPE_CHECKING:
    from collections.abc import Iterable

HEADING = re.compile(
    r"\W{0,4}(?:(?:[0-9A-Z]{1,3}\.){0,3}[0-9A-Z]{0,3}\s+)?"
    r"(?:(?:normative|informative|general|further|selected|cited|key|external)\s+)?"
    r"(?:references?(?: (?:cited|and notes))?|bibliography|works cited|literature(?: cited)?|citations?"
    r"|sources?|footnotes?|end ?notes?|notes(?: and references)?|literatur(?:verzeichnis)?|bibliographie|referencias"
    r"|références|einzelnachweise)\W{0,6}",
    re.IGNORECASE,
)
"""The whole of a heading above a list of sources."""
DOI = re.compile(r"10\.\d{4,9}/[^\s\"'<>{}|\\^`\[\]]{1,200}")
LOOKS_CITED = re.compile(r"\b(?:1[6-9]|20)\d\d\b|https?://|\bdoi\b|\bISBN\b|\bibid\b", re.IGNORECASE)
"""What an entry of a list of sources has: a year, an address, a number."""
_URL = re.compile(r"https?://[^\s<>\"'()\[\]{}]{4,500}", re.IGNORECASE)
_ENTRY = re.compile(r"[^\S\n]*(?:\[[^\]\n]{1,30}\]|\(?\d{1,3}[.)]|[-*•])[^\S\n]+\S")
_TITLED = re.compile(r"\s*(?:#\s+(\S[^\n]{0,200})|(\S[^\n]{0,200})\n(?:={3,}|-{3,})\s*\n)")
_FIELD = re.compile(r"[^\S\n]*(authors?|date|published)[^\S\n]*:[^\S\n]*(\S[^\n]{0,200})", re.IGNORECASE)
_MOST_LINES = 20_000
_MOST_FOUND = 20_000
# Only what can be decoded in one pass, whatever it is.
_DECODED = re.compile(
    r"utf-8(?:-sig)?|utf-(?:16|32)(?:-[bl]e)?|ascii|iso8859-\d+|latin-1|cp\d+|koi8-[rut]|shift_jis\w*|euc_\w+|gb\w+|big5\w*"
    r"|mac-\w+|johab|tis-620"
)


def decode_text(data: bytes, charset: str) -> str:
    """Bytes as text: by their mark, by the given name, as UTF-8, else one character for each byte; never raises."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    try:
        name = codecs.lookup(charset).name if charset else "utf-8"
    except (LookupError, ValueError):
        name = "utf-8"
    name = name if _DECODED.fullmatch(name) else "utf-8"
    # What is called so on the web is the larger set.
    name = "cp1252" if name in ("ascii", "iso8859-1", "latin-1") else name
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        return data.decode(name if charset else "cp1252", "replace")


def find_dois(text: str) -> set[str]:
    """The DOIs in a text, in lower case."""
    found: set[str] = set()
    for match in DOI.finditer(text):
        # Looking for the digits first is many times faster than for the edge of a word.
        if text[match.start() - 1 : match.start()].isalnum():
            continue
        found.add(match[0].rstrip(".,;:)").lower())
        if len(found) == _MOST_FOUND:
            break
    return found


def count_listed_sources(text: str) -> int:
    """How many entries stand under the last heading of a list of sources; 0 where there is no such list."""
    lines = text.split("\n")
    start = next(
        (
            at
            for at in range(len(lines) - 1, -1, -1)
            if 4 < len(lines[at]) < 80 and HEADING.fullmatch(lines[at].strip())
        ),
        None,
    )
    if start is None:
        return 0
    rest = lines[start + 1 : start + 1 + _MOST_LINES]
    marked = sum(1 for line in rest if _ENTRY.match(line))
    if marked:
        return marked if any(LOOKS_CITED.search(line[:2000]) for line in rest) else 0
    return sum(1 for line in rest if LOOKS_CITED.search(line[:2000]))


def count_references(texts: Iterable[str]) -> tuple[int | None, str]:
    """How many sources a text refers to and where they were counted; None where nothing tells."""
    whole = "\n".join(texts)
    found = find_dois(whole)
    head = find_dois(whole[:4000])
    if len(head) == 1:
        # The one on the first page is its own.
        found -= head
    links: set[str] = set()
    for match in _URL.finditer(whole):
        links.add(match[0].rstrip(".,;:"))
        if len(links) == _MOST_FOUND:
            break
    count, where = max((count_listed_sources(whole), "references section"), (len(found), "DOIs"), (len(links), "links"))
    return (count, where) if count else (None, "")


def read_stated_metadata(text: str) -> tuple[str, Said | None, Said | None]:
    """Title, author and date that the first lines of a text state in so many words."""
    titled = _TITLED.match(text)
    title = tidy(titled[1] or titled[2]) if titled is not None else ""
    author = published = None
    for line in text[:8000].split("\n")[:40]:
        field = _FIELD.match(line)
        if field is None:
            continue
        if field[1].lower().startswith("author"):
            names = split_people(field[2])
            author = author or (Said("; ".join(names[:10]), "line of the text") if names else None)
        else:
            day = read_date(field[2])
            published = published or (Said(day, "line of the text") if day else None)
    return title, author, published

"""Words that follow one another in the file and not on the page: a line of the text and what was drawn behind it.

A pair of lines is taken from the extraction in its own order: one is a line of the text that stops inside a sentence,
the other begins a caption, a notice, the row of a table, a running head, or stands elsewhere in type of another size.
Where lines stand and how large their type is decides; how pincite parts a page into blocks is not asked.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

_CAPTION = re.compile(r"\s*(?:Fig(?:ure|\.)|FIG(?:URE|\.)|Table|TABLE|Algorithm|Listing)\s?[0-9A-Z.]{1,5}[.:]?\s")
_NOTICE = re.compile(r"\s*(?:Permission to|Copyright|\(c\)|©|ACM |To copy otherwise|Manuscript received)|\$\d+\.\d\d")
_SHUT = re.compile(r"[.!?:;,][)\]”\"’'*∗†‡\d]*\s*\Z|[-\u00ad]\s*\Z")
_PROSE = re.compile(r"[(\[“\"‘']?[A-Za-z][A-Za-z’'-]+[.,;:)\]”\"’'?!]{0,3}")
_LOWER = re.compile(r"\s*[a-z]{2,}\b")
_WORDS = 7
_FEWEST = 4
_OTHER_SIZE = 0.08
_FAR = 2.2
"""Sizes of type between two lines from which on they are not neighbours."""


class Line(NamedTuple):
    """A line of the extraction: text, left edge, foot and size in tenths of a point."""

    text: str
    left: int
    foot: int
    size: int


class Glued(NamedTuple):
    """Words of two lines that do not belong together, and what the second or the first one is."""

    kind: str
    page: int
    quote: str


def make_glued(pages: Sequence[str], boxes: Sequence[bytes], count: int, random: Random) -> Iterator[Glued]:
    """Cases of one paper, so many of each kind at most."""
    lines = [_read(text, box) for text, box in zip(pages, boxes, strict=False)]
    body = _body_size(lines)
    heads = _recurring(lines)
    found: dict[str, list[Glued]] = {}
    for at, page in enumerate(lines):
        following = [*page[1:], *(lines[at + 1][:1] if at + 1 < len(lines) else [])]
        for one, other in zip(page, following, strict=False):
            kind = _kind(one, other, body, heads)
            quote = _join(one.text, other.text) if kind else None
            if quote:
                found.setdefault(kind, []).append(Glued(kind, at, quote))
    for cases in found.values():
        random.shuffle(cases)
        yield from cases[:count]


def _read(text: str, box: bytes) -> list[Line]:
    rows = text.split("\n")
    if len(box) != 8 * len(rows):
        return []
    numbers = array("h", box)
    lines = [Line(row, numbers[4 * at], numbers[4 * at + 2], numbers[4 * at + 3]) for at, row in enumerate(rows)]
    return [line for line in lines if line.text.strip() and line.size > 0]


def _body_size(pages: Sequence[list[Line]]) -> int:
    sizes: Counter[int] = Counter()
    for page in pages:
        for line in page:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0


def _recurring(pages: Sequence[list[Line]]) -> set[str]:
    """The first and last lines of pages that stand on three of them at least, but for their numbers."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_pattern(line.text) for line in (*page[:2], *page[-2:])})
    return {pattern for pattern, count in seen.items() if count > 2 and re.search(r"[a-z]{4}", pattern)}


def _pattern(text: str) -> str:
    return re.sub(r"\d+", "#", " ".join(text.split()).lower())


def _kind(one: Line, other: Line, body: int, heads: set[str]) -> str:
    """What is glued to the line of the text; empty where the two may belong together."""
    if _is_open(one, body, heads):
        apart = other.foot > one.foot or one.foot - other.foot > _FAR * body
        resized = abs(other.size - body) > _OTHER_SIZE * body
        if _pattern(other.text) in heads:
            return "running head"
        if _NOTICE.match(other.text) and (apart or resized):
            return "notice"
        if _CAPTION.match(other.text) and (apart or resized):
            return "caption"
        if _is_row(other.text) and (apart or resized):
            return "table row"
        if resized and apart and _is_prose(other.text) and not _LOWER.match(other.text):
            return "other size"
    if _is_body(other, body, heads) and _LOWER.match(other.text):
        apart = other.foot > one.foot or one.foot - other.foot > _FAR * body
        if _pattern(one.text) in heads and len(one.text.split()) >= _FEWEST:
            return "text behind running head"
        if _NOTICE.search(one.text) and abs(one.size - body) > _OTHER_SIZE * body:
            return "text behind notice"
        if _CAPTION.match(one.text) and apart and abs(one.size - body) > _OTHER_SIZE * body:
            return "text behind caption"
        if abs(one.size - body) > _OTHER_SIZE * body and apart and _is_prose(one.text):
            return "text behind other size"
    return ""


def _is_body(line: Line, body: int, heads: set[str]) -> bool:
    return abs(line.size - body) * 25 <= body and _is_prose(line.text) and _pattern(line.text) not in heads


def _is_open(line: Line, body: int, heads: set[str]) -> bool:
    return _is_body(line, body, heads) and not _SHUT.search(line.text) and not _CAPTION.match(line.text)


def _is_prose(text: str) -> bool:
    words = text.split()
    return len(words) >= _FEWEST and sum(1 for word in words if _PROSE.fullmatch(word)) * 10 >= 7 * len(words)


def _is_row(text: str) -> bool:
    words = text.split()
    return len(words) >= _FEWEST and sum(1 for word in words if re.search(r"\d", word)) * 10 >= 6 * len(words)


def _join(one: str, other: str) -> str | None:
    head, tail = one.split()[-_WORDS:], other.split()[:_WORDS]
    if len(head) < _FEWEST or len(tail) < 3:
        return None
    return " ".join([*head, *tail])

"""Sections to passages: what fits stays whole, what is longer is cut where it hurts least.

Texts have LF for every line end (`markdown.unify_line_ends`), each code point where it was.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from .model import Heading, Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Section = tuple[int, int, tuple[str, ...]]
    """Where it starts, where its heading ends (the start where it has none), and the headings it stands under."""
    Block = tuple[int, int]
    """A stretch that is not to be cut where it fits in a passage, such as fenced code."""

LONGEST = 1600
SHORTEST = 800
DEEPEST = 12
"""More levels of headings than this are read as so many."""
_TITLE = 500
_TAIL = 400
"""What is left over at the end of a section is to be no less than this, if possible."""
_LEAD = 200
"""So little before a block stays with it."""
_BLANK = re.compile(r"\n[ \t]*+\n")
_TOP = re.compile(r"\n[ \t]*+\n(?=[^ \t\n)\]}])")
_ITEM = re.compile(r"\n(?=[ \t]*+(?:[-*+•|]|\d{1,9}[.)])[ \t])|[.!?:;][\"')\]*_`’”]*+[ \t]*+\n")
_LINE = re.compile(r"\n")
_SENTENCE = re.compile(r"[.!?][\"')\]*_`’”]*+[ \t]|[。！？…][」』”’）]?")
_SPACE = re.compile(r"\s")
_LESSER = (_ITEM, _LINE, _SENTENCE, _SPACE)
_PROSE = (_BLANK, *_LESSER)
_CODE = (_TOP, _BLANK, *_LESSER)


def shown_title(title: str) -> str:
    """A heading's words on one line, as written, and no longer than a citation needs."""
    if "\n" in title or "\t" in title or "  " in title:
        title = " ".join(title.split())
    return title.strip()[:_TITLE].rstrip()


def sections(headings: Sequence[tuple[Heading, int]], start: int) -> list[Section]:
    """What each heading reaches over, from `start` on; given are headings with the offsets of what follows them."""
    found: list[Section] = [(start, start, ())]
    above: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for heading, body in headings:
        level = heading.level
        while above[-1][0] >= level:
            above.pop()
        path = (*above[-1][1], heading.title)
        above.append((level, path))
        found.append((heading.start, body, path))
    return found


def cut(
    text: str, sections: Sequence[Section], end: int, blocks: Sequence[Block] = (), *, code: bool = False, page: int = 0
) -> list[Passage]:
    """The passages of sections, which ascend and the last of which ends at `end`."""
    found: list[Passage] = []
    held = -1
    at, line = 0, 1
    last = len(sections) - 1
    for index, (start, body, path) in enumerate(sections):
        stop = end
        if index < last:
            stop, _, below = sections[index + 1]
            if body > start and len(below) > len(path) and (body >= stop or text[body:stop].isspace()):
                # Nothing stands between a heading and a deeper one: it goes with what that one is over.
                held = start if held < 0 else held
                continue
        if held >= 0:
            start, held = held, -1
        spans = ((start, stop),) if stop - start <= LONGEST else _split(text, start, stop, blocks, code)
        for first, until in spans:
            kept = text[first:until].rstrip()
            if not kept:
                continue
            until = first + len(kept)
            if kept[0].isspace():
                first = _begin(text, first, until - len(kept.lstrip()))
            line += text.count("\n", at, first)
            at, ahead = until, line + text.count("\n", first, until)
            found.append(Passage(first, until, line, ahead, path, page))
            line = ahead
    return found


def _begin(text: str, start: int, visible: int) -> int:
    """Where a passage begins: at the start of its first line that is not blank, or at its first word where cut off."""
    line = text.rfind("\n", start, visible) + 1
    if line:
        return line
    return start if not start or text[start - 1] == "\n" else visible


def _split(text: str, start: int, stop: int, blocks: Sequence[Block], code: bool) -> Iterator[tuple[int, int]]:
    """A section that is too long, in stretches that are not."""
    while stop - start > LONGEST:
        until = min(start + LONGEST, max(start + LONGEST - _TAIL, stop - _TAIL))
        at = min(_boundary(text, start, until, blocks, code), stop)
        yield start, at
        start = at
    yield start, stop


def _boundary(text: str, start: int, until: int, blocks: Sequence[Block], code: bool) -> int:
    """The best place to cut in the later half: before a top-level line, at a blank line, an item, a line, …"""
    low = start + SHORTEST
    if not code:
        at = text.rfind("\n\n", low, until) + 1
        if at and (not blocks or _holding(blocks, at) is None):
            return at
    edge = -1
    """The start of the last block that is not to be cut."""
    for pattern in _CODE if code else _PROSE:
        if edge > low and pattern is _ITEM:
            return edge
        high = until
        while high > low:
            at = _last(pattern, text, low, high)
            block = _holding(blocks, at) if at >= 0 and blocks else None
            if block is None:
                if at >= 0:
                    return at
                break
            high = block[0]
            edge = max(edge, high)
    block = _holding(blocks, until) if blocks else None
    if block is None:
        return _whole_character(text, low, until)
    return block[0] if block[0] - start > _LEAD else block[1]


def _last(pattern: re.Pattern[str], text: str, low: int, high: int) -> int:
    """Where the last match ends that begins between two offsets; -1 where there is none."""
    at = -1
    for match in pattern.finditer(text, low, high):
        at = match.end()
    return at


def _holding(blocks: Sequence[Block], at: int) -> Block | None:
    """The block that an offset is inside of, where that block fits in a passage."""
    index = bisect_left(blocks, (at,)) - 1
    if index < 0:
        return None
    block = blocks[index]
    return block if block[0] < at < block[1] and block[1] - block[0] <= LONGEST else None


def _whole_character(text: str, low: int, at: int) -> int:
    """An offset at which no accent or joined emoji is split off, where that is near."""
    from unicodedata import category

    for place in range(at, max(low, at - 32), -1):
        joined = category(text[place]) in ("Mn", "Me", "Mc", "Cf", "Sk") or text[place - 1] == "\u200d"
        if not joined:
            return place
    return at

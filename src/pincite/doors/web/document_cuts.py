"""Where a long document is cut into parts that a page shows one at a time: between blocks, where there are any."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENOUGH_CHARS, _MOST_CHARS = 48 * 1024, 64 * 1024
_ENOUGH_CITATIONS, _MOST_CITATIONS = 300, 450
"""From how much on a part ends at the next good place, and from how much on at any place."""
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_LIST_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
"""The line below the head of a table: `| --- | :-: |`."""
_HEADING = re.compile(r"#{1,6}(?:[ \t]|\Z)")


class DocumentPart(Struct, frozen=True, gc=False):
    """A part of a document's text, with the lines around it that make it whole: the head of its table, its fence."""

    start: int
    end: int
    first_line: int
    """The number of its first line, from 1."""
    before: str = ""
    after: str = ""


class _Surroundings:
    """What the lines that were read leave open."""

    def __init__(self) -> None:
        self.fence = ""
        """The line that opened a fence."""
        self._marks = ""
        self.head = ""
        """The first two lines of a table."""
        self._previous = ""

    def read(self, line: str) -> None:
        """Take in one more line."""
        previous, self._previous = self._previous, line
        if self.fence:
            bare = line.strip()
            if bare.startswith(self._marks) and not bare.strip(self._marks[0]):
                self.fence = ""
            return
        if opened := _FENCE.match(line):
            self.fence, self._marks, self.head = line, opened[1], ""
        elif not line.strip():
            self.head = ""
        elif not self.head and "|" in previous and _DELIMITERS.match(line):
            self.head = f"{previous}\n{line}\n"

    def is_good(self, line: str) -> bool:
        """Whether a part may end before a line: a heading, or what follows a blank line and goes on with nothing."""
        if self.fence:
            return False
        if _HEADING.match(line):
            return True
        is_alone = not self._previous.strip() and line[:1] not in (" ", "\t", "")
        return is_alone and _LIST_ITEM.match(line) is None

    def is_fair(self, line: str) -> bool:
        """Whether a part that is long may end before a line: at an item of a list, or where its surroundings can be
        repeated."""
        return bool(self.fence or self.head) or not self._previous.strip() or _LIST_ITEM.match(line) is not None

    def repeat(self) -> tuple[str, str]:
        """The lines that end a part here, and those that begin the next one."""
        if self.fence:
            indent = len(self.fence) - len(self.fence.lstrip(" "))
            return f"{' ' * indent}{self._marks}\n", f"{self.fence}\n"
        return "", self.head


def cut_markdown(text: str, starts: Sequence[int], begin: int = 0) -> list[DocumentPart]:
    """The parts of Markdown from an offset on; `starts` are where its citations begin."""
    parts: list[DocumentPart] = []
    around = _Surroundings()
    first, before = begin, ""
    first_line = text.count("\n", 0, begin) + 1
    cited = bisect_left(starts, begin)
    for at, number, line, is_rest in _read_lines(text, begin):
        counted = bisect_left(starts, at, cited)
        if is_rest or _is_end(at - first, counted - cited, around, line):
            ending, opening = around.repeat()
            parts.append(DocumentPart(first, at, first_line, before, "" if is_rest else ending))
            first, first_line, before, cited = at, number, "" if is_rest else opening, counted
        around.read(line)
    parts.append(DocumentPart(first, len(text), first_line, before))
    return parts


def cut_lines(text: str, starts: Sequence[int]) -> list[DocumentPart]:
    """The parts of a text that has nothing but lines."""
    parts: list[DocumentPart] = []
    first = cited = 0
    first_line = 1
    for at, number, _, is_rest in _read_lines(text, 0):
        counted = bisect_left(starts, at, cited)
        if is_rest or at - first >= _ENOUGH_CHARS or counted - cited >= _ENOUGH_CITATIONS:
            parts.append(DocumentPart(first, at, first_line))
            first, first_line, cited = at, number, counted
    parts.append(DocumentPart(first, len(text), first_line))
    return parts


def _read_lines(text: str, begin: int) -> Iterator[tuple[int, int, str, bool]]:
    """Each line with its offset and its number; one that is too long for a page comes in pieces, of which all but the
    first are marked as the rest of it."""
    number, at = text.count("\n", 0, begin) + 1, begin
    for line in text[begin:].split("\n"):
        for offset in range(0, max(len(line), 1), 2 * _MOST_CHARS):
            yield at + offset, number, line[offset : offset + 2 * _MOST_CHARS], offset > 0
        at += len(line) + 1
        number += 1


def _is_end(size: int, citations: int, around: _Surroundings, line: str) -> bool:
    if size < _ENOUGH_CHARS and citations < _ENOUGH_CITATIONS:
        return False
    if around.is_good(line):
        return True
    if size < _MOST_CHARS and citations < _MOST_CITATIONS:
        return False
    # A paragraph without an end is cut at a line of it.
    return around.is_fair(line) or size >= 2 * _MOST_CHARS or citations >= 2 * _MOST_CITATIONS

"""The lines of a file that claims are held against: where terms stand in them, what defines them, what is comment."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Lines
from ...text.lines import find_starts
from .claim import PROSE
from .definitions import defines
from .terms import places

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_WORDS = 400
"""Places of a plain word beyond which it says nothing."""
_MOST_DEFINITIONS = 6
_MOST_LOOKED = 30
"""Places of a name that are asked whether they define it."""
_LONGEST_BODY = 4000
_LONGEST_LINE = 1000

_COMMENT = ("#", "//", "*", "--", ";", "/*", "/-", "<!--", "%", '"""', "'''")
_COMMENT_SIGNS = frozenset(mark[0] for mark in _COMMENT)
_NO_COMMENT = ("#[", "#!", "#include", "#define", "#if")


class TermLines(Struct):
    """Where a term stands in a file."""

    lines: list[int]
    bodies: dict[int, tuple[int, int]]
    """Lines that define it, each with how surely and with the last line of what it defines."""
    mask: int = 0
    """The same lines as bits: whether a window holds one of them is then a single operation."""

    def __post_init__(self) -> None:
        for line in self.lines:
            self.mask |= 1 << line


class FileLines:
    """The lines of a file, with what was found in them so far."""

    def __init__(self, path: str, lines: Sequence[str]) -> None:
        self.lines = lines
        self.is_prose = path.lower().endswith(PROSE)
        self.text = "\n".join(lines)
        self._starts = find_starts(lines[:-1])
        self._found: dict[tuple[str, str], TermLines] = {}

    @cached_property
    def _lower(self) -> str:
        """The text as plain words are looked for in it; none where it has other places than the text."""
        lower = self.text.lower()
        return lower if len(lower) == len(self.text) else ""

    def cut(self, first: int, last: int) -> str:
        """Some lines as plain words are looked for in them."""
        return self._lower[self._starts[first - 1] : self._starts[last] if last < len(self._starts) else None]

    def find_rarity(self, word: str) -> float:
        """How much it says that a line has a plain word: the less, the more lines have it."""
        lines = self.find("word", word).lines
        return len(lines) ** -0.5 if lines else 0.0

    def find(self, kind: str, term: str) -> TermLines:
        """Where a term stands by itself; a plain word also inside others."""
        known = self._found.get((kind, term))
        if known is None:
            known = self._found[kind, term] = self._find_word(term) if kind == "word" else self._find_name(kind, term)
        return known

    def _find_word(self, stem: str) -> TermLines:
        found: list[int] = []
        at = -1
        lower = self._lower
        while len(found) < _MOST_WORDS and (at := lower.find(stem, at + 1)) >= 0:
            found.append(bisect_right(self._starts, at))
        return TermLines(sorted(set(found)) if len(found) < _MOST_WORDS else [], {})

    def _find_name(self, kind: str, term: str) -> TermLines:
        lines: dict[int, None] = {}
        bodies: dict[int, tuple[int, int]] = {}
        for looked, at in enumerate(places(self.text, term)):
            number = bisect_right(self._starts, at)
            lines[number] = None
            left = at - self._starts[number - 1]
            if kind == "name" and looked < _MOST_LOOKED and len(bodies) < _MOST_DEFINITIONS and left < _LONGEST_LINE:
                sure = defines(self.lines[number - 1][:_LONGEST_LINE], left, left + len(term))
                if sure and number not in bodies:
                    bodies[number] = sure, self._find_end(number)
        return TermLines(list(lines), bodies)

    def _find_end(self, number: int) -> int:
        """The last line of what a line begins: those below that are indented more."""
        first = self.lines[number - 1]
        depth = len(first) - len(first.lstrip())
        end = number
        for at in range(number, min(len(self.lines), number + _LONGEST_BODY)):
            bare = self.lines[at].strip()
            if bare:
                if len(self.lines[at]) - len(self.lines[at].lstrip()) <= depth and bare[0] not in ")}]{":
                    break
                end = at + 1
        return end

    def share_of_comments(self, first: int, last: int) -> float:
        """How much of some lines only speaks: comments and docstrings, which repeat what code says."""
        return (self.comments[last] - self.comments[first - 1]) / (last - first + 1)

    def leads_to(self, first: int, line: int) -> bool:
        """Whether all lines before another one are comments or decorators, and so belong to it."""
        rest = (number for number in range(first, line) if not self.lines[number - 1].lstrip().startswith(("@", "#[")))
        return all(self.share_of_comments(number, number) for number in rest)

    def are_in_one_block(self, place: Lines, line: int) -> bool:
        """Whether no block ends between a place and a line: nothing is indented less than the upper one of both."""
        upper, lower = (place.last, line) if line > place.last else (line, place.first)
        depths = [self._depth(number) for number in range(upper, lower + 1) if self.lines[number - 1].strip()]
        return not depths or min(depths) >= depths[0]

    def _depth(self, number: int) -> int:
        line = self.lines[number - 1]
        return len(line) - len(line.lstrip())

    @cached_property
    def comments(self) -> list[int]:
        """How many of the lines up to each one are comments."""
        if self.is_prose:
            return [0] * (len(self.lines) + 1)
        found = [0]
        number = 0
        inside = ""
        marks = [mark for mark in ('"""', "'''") if mark in self.text]
        for line in self.lines:
            bare = line.lstrip()
            if inside or (
                bare[:1] in _COMMENT_SIGNS and bare.startswith(_COMMENT) and not bare.startswith(_NO_COMMENT)
            ):
                number += 1
            found.append(number)
            if inside:
                inside = "" if inside in line else inside
                continue
            for mark in marks:
                if mark in line and line.count(mark) % 2:
                    inside = mark
                    break
            else:
                if bare.startswith(("/*", "/-")) and bare[1] + "/" not in bare[2:]:
                    inside = bare[1] + "/"
        return found

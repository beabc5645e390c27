"""Which lines of a file would falsify a sentence if they changed: the few that hold most of what it names."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import Refused
from ...core.model import Lines
from ...search.claims.definitions import definition
from ...search.claims.terms import MOST, is_in_comment, number_places, places
from ...text.lines import decode, line_starts, split_lines
from ...text.prose import find_literal_lines
from .index import target_line
from .tree import LARGEST, is_prose

if TYPE_CHECKING:
    from ...safe.files import Root
    from ...search.claims.terms import Terms

WIDEST = 12
"""Lines of a suggestion, at most."""
_KEPT = 32
"""Files that are kept; with its lines one takes about five times its size."""
_WORD_WORTH, _COMMON = 0.3, 0.4
_RARE = _WORD_WORTH / 5**_COMMON
"""What a plain word is worth at least that stands on no more than five lines of its file."""
_FEWEST = 2
"""Rare words that single lines out where there is nothing else."""


class ReadFile:
    """A file that was read, with what finding things in it needs."""

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        self.prose = is_prose(path)
        self.text = decode(data)
        self.lower = self.text.lower()
        self.same = len(self.lower) == len(self.text)
        self.lines = split_lines(self.text)
        self.starts = line_starts(self.text)

    @cached_property
    def literal(self) -> frozenset[int]:
        """Lines of prose that only show something: an example proves nothing."""
        return find_literal_lines(self.text, self.path) if self.prose else frozenset()

    def line_at(self, offset: int) -> int:
        """The number of the line that holds an offset."""
        return bisect_right(self.starts, offset)

    def tells(self, offset: int) -> bool:
        """Whether what stands at an offset is said in a comment of code."""
        start = self.starts[self.line_at(offset) - 1]
        return not self.prose and is_in_comment(self.text[max(start, offset - 500) : offset])


class ReadFiles:
    """Files read so far, the last few kept."""

    def __init__(self, root: Root) -> None:
        self._root = root
        self.get = lru_cache(_KEPT)(self._read)
        """The file at a path; None where it cannot be read as text."""

    def _read(self, path: str) -> ReadFile | None:
        try:
            return ReadFile(path, self._root.read(path, LARGEST))
        except Refused:
            return None


class TermHit(Struct, frozen=True, gc=False):
    """A term at a line, and what it is worth there."""

    line: int
    term: str
    worth: float
    kind: str


class SelectedLines(Struct, frozen=True):
    """The lines of a file that say most of what a sentence names."""

    lines: Lines
    evidence: tuple[str, ...]
    """The lines themselves."""
    worth: float
    hits: tuple[TermHit, ...]
    """The best of each term in these lines."""
    valued: bool = False
    """Whether it is the line that gives a name the value that the sentence names."""
    rival: float = 0.0
    """What the best of the other lines are worth."""

    @property
    def is_singled_out(self) -> bool:
        """Whether what the sentence says tells these lines from all others of the file."""
        kinds = {hit.kind for hit in self.hits}
        if self.valued or kinds & {"definition", "target"}:
            return True
        if not kinds & {"use", "literal", "number"} and sum(hit.worth >= _RARE for hit in self.hits) < _FEWEST:
            # Plain words alone, and the file is full of them.
            return False
        return self.worth > self.rival


def narrow(source: ReadFile, terms: Terms, named: bool = False) -> SelectedLines | None:
    """The best few lines; None where the file holds nothing of what the sentence names.

    `named` leaves out numbers and plain words: then the lines hold something that the sentence names.
    """
    hits = _hits(source, terms) + ([] if named else _beside(source, terms))
    hits = [hit for hit in hits if hit.line not in source.literal] if source.literal else hits
    if not hits:
        return None
    hits.sort(key=lambda hit: hit.line)
    worth, begin, end = _best_window(hits)
    if end <= begin:
        return None
    lines, chosen = Lines(hits[begin].line, hits[end - 1].line), hits[begin:end]
    defined = {hit.line for hit in chosen if hit.kind == "definition"}
    valued = next((hit.line for hit in chosen if hit.kind == "number" and hit.line in defined), 0)
    if valued:
        # The line that gives the name its value says all that the sentence does.
        lines, chosen = Lines(valued, valued), [hit for hit in chosen if hit.line == valued]
    top: dict[str, TermHit] = {}
    for hit in chosen:
        if hit.term not in top or hit.worth > top[hit.term].worth:
            top[hit.term] = hit
    apart = [hit for hit in hits if hit.line < lines.first], [hit for hit in hits if hit.line > lines.last]
    rival = max(_best_window(side)[0] for side in apart)
    evidence = tuple(source.lines[lines.first - 1 : lines.last])
    return SelectedLines(lines, evidence, worth, tuple(top.values()), valued > 0, rival)


def _best_window(hits: list[TermHit]) -> tuple[float, int, int]:
    """What the best few lines are worth, and their first hit and the one after their last; hits are in order."""
    best: tuple[float, int, int] = (0.0, 0, 0)
    for begin in range(len(hits)):
        if begin and hits[begin].line == hits[begin - 1].line:
            continue
        worth = 0.0
        seen: dict[str, float] = {}
        at = begin
        while at < len(hits) and hits[at].line < hits[begin].line + WIDEST:
            line = hits[at].line
            while at < len(hits) and hits[at].line == line:
                hit = hits[at]
                more = hit.worth - seen.get(hit.term, 0.0)
                if more > 0:
                    worth += more
                    seen[hit.term] = hit.worth
                at += 1
            here = worth - 0.015 * (line - hits[begin].line)
            if here > best[0] + 1e-9:
                best = here, begin, at
    return best


def _hits(source: ReadFile, terms: Terms) -> list[TermHit]:
    """What the sentence names, at the lines where it stands by itself."""
    hits: list[TermHit] = []
    for name, weight in terms.names.items():
        found = list(places(source.text, name))
        if not found:
            continue
        sure, where = definition(source.text, name)
        rare = 1 / max(1, len(found)) ** 0.3
        hits.extend(TermHit(line, name, weight * 0.6 * rare, "use") for line in _lines(source, found))
        if sure:
            hits.append(TermHit(source.line_at(where), name, weight * (1.0 if sure > 1 else 0.8), "definition"))
    for literal, weight in terms.literals.items():
        found = list(places(source.text, literal))
        rare = 1 / max(1, len(found)) ** 0.3
        hits.extend(TermHit(line, literal, weight * rare, "literal") for line in _lines(source, found))
    for target in terms.targets:
        at = target_line(source.text, source.path, target)
        if at is not None:
            hits.append(TermHit(source.line_at(at), target, 1.2, "target"))
    return hits


def _beside(source: ReadFile, terms: Terms) -> list[TermHit]:
    """Numbers and plain words of the sentence, which mean something only beside what it names."""
    hits: list[TermHit] = []
    for number in terms.numbers:
        found = [at for at in number_places(source.text, number) if not source.tells(at)]
        telling = 0.5 if len(number) > 1 else 0.25
        rare = 1 / max(1, len(found)) ** 0.5
        hits.extend(TermHit(line, number, telling * rare, "number") for line in _lines(source, found))
    if source.same:
        for word in terms.words:
            found = _parts(source.lower, word)
            if found and len(found) < MOST:
                worth = _WORD_WORTH / len(found) ** _COMMON
                hits.extend(TermHit(line, word, worth, "word") for line in _lines(source, found))
    return hits


def _parts(text: str, stem: str) -> list[int]:
    """Where a stem stands, in a word or by itself."""
    found: list[int] = []
    at = -1
    while len(found) < MOST and (at := text.find(stem, at + 1)) >= 0:
        found.append(at)
    return found


def _lines(source: ReadFile, found: list[int]) -> list[int]:
    return list(dict.fromkeys(source.line_at(place) for place in found))

"""Where did the evidence go? Finds it where it moved or was edited, or says that it cannot tell. Never writes."""

from itertools import takewhile

from msgspec import Struct

from ..core.model import Lines, Place
from ..text.snippets import has_snippet
from .bare_lines import strip_lines
from .edited_in_place import stays_alike
from .likeness import says
from .line_matching import find_occurrences
from .model import CitedPassage, FollowedText, TraceResult
from .step import UNDECIDED, FileStep, FileVersion, TextRegion
from .tree_files import TreeFiles
from .without_history import find

_CONTEXT = 3
_MANY = 9
_LEAST = 8
"""Letters and digits by which a block is recognised."""


class FoundLines(Struct, frozen=True, gc=False):
    """Where a block stands now: one place is certain, several are candidates, none is none."""

    places: tuple[Lines, ...] = ()

    @property
    def certain(self) -> Lines | None:
        """The one place, if there is exactly one."""
        return self.places[0] if len(self.places) == 1 else None


def find_block(then: list[str], lines: Lines, now: list[str]) -> FoundLines:
    """The cited lines of an old text in the new one, unchanged.

    Where they occur several times, or say too little to stand for themselves, up to three neighbouring lines on
    each side must agree as well, and then in one place only.
    """
    block = then[lines.first - 1 : lines.last]
    size = len(block)
    if not block:
        return FoundLines()
    starts = find_occurrences(block, now)
    if not starts:
        return FoundLines()
    step, region = (
        FileStep(FileVersion.of(then), FileVersion.of(now)),
        TextRegion(lines.first - 1, lines.first - 2 + size),
    )
    carried = step.carry(region)
    if step.is_rivalled(region) or (carried not in (None, UNDECIDED) and carried.first not in starts):
        # It may have been edited where it stood, and what reads the same be new text.
        return FoundLines()
    if len(starts) == 1 and _telling(block) and len(find_occurrences(block, then)) == 1:
        return FoundLines((Lines(starts[0] + 1, starts[0] + size),))
    narrowed = _by_neighbours(then, lines, now, starts)
    if narrowed is not None:
        return FoundLines((Lines(narrowed + 1, narrowed + size),))
    # One that is left of several may be another one.
    if len(starts) == 1 or not _telling(block):
        return FoundLines()
    return FoundLines(tuple(Lines(start + 1, start + size) for start in starts[:_MANY]))


def find_plainly(then: list[str], lines: Lines, now: list[str]) -> Lines | None:
    """The cited lines together with the nearest ones above and below, where these stand once in both texts."""
    first, last = max(0, lines.first - 1 - _CONTEXT), lines.last + _CONTEXT
    window = then[first:last]
    if len(window) <= lines.last - lines.first + 1 or not _telling(window):
        return None
    starts = find_occurrences(window, now)
    if len(starts) != 1 or len(find_occurrences(window, then)) != 1:
        return None
    if lines.first > 1 and lines.last < len(then):
        # Of the old text only the cited lines and those next to them are compared.
        near = ["".join(line.split()) for line in then[lines.first - 2 : lines.last + 1]]
        if stays_alike(near, 1, len(near) - 2, strip_lines(now)) is not None:
            return None
    start = starts[0] + lines.first - 1 - first
    return Lines(start + 1, start + 1 + lines.last - lines.first)


def find_quote(quote: str, now: list[str]) -> FoundLines:
    """The lines that hold a quoted text; too short a text is found nowhere."""
    if not _telling([quote]):
        return FoundLines()
    numbers = [number for number, line in enumerate(now, 1) if has_snippet(quote, line)]
    return FoundLines(tuple(Lines(number, number) for number in numbers[:_MANY]))


def was_deleted(then: list[str], lines: Lines, now: list[str]) -> bool:
    """Whether the lines before and after the block now follow each other directly, at one place."""
    before = then[max(0, lines.first - 1 - _CONTEXT) : lines.first - 1]
    after = then[lines.last : lines.last + _CONTEXT]
    return bool(before and after) and _telling(before + after) and len(find_occurrences(before + after, now)) == 1


def _by_neighbours(then: list[str], lines: Lines, now: list[str], starts: list[int]) -> int | None:
    """The one occurrence with the most agreeing neighbours, if it has enough of them and no rival."""
    size = lines.last - lines.first + 1
    scores = []
    for start in starts:
        above = _agreeing(_before(then, lines.first - 1), _before(now, start))
        below = _agreeing(then[lines.last : lines.last + _CONTEXT], now[start + size : start + size + _CONTEXT])
        scores.append((above + below, above, below, start))
    scores.sort(reverse=True)
    best = scores[0]
    if best[0] < _CONTEXT or (len(scores) > 1 and scores[1][0] == best[0]):
        return None
    context = then[lines.first - 1 - best[1] : lines.first - 1] + then[lines.first - 1 : lines.last + best[2]]
    return best[3] if _telling(context) and len(find_occurrences(context, now)) == 1 else None


def _before(lines: list[str], index: int) -> list[str]:
    """The few lines before an index, nearest first."""
    return lines[max(0, index - _CONTEXT) : index][::-1]


def _agreeing(then: list[str], now: list[str]) -> int:
    """How many lines are the same in both, from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(then, now, strict=False)))


def _telling(block: list[str]) -> bool:
    """Whether a block says enough to be recognised: brackets, blank lines and lone keywords do not."""
    return says(block, _LEAST)


def follow_between(then: list[str], lines: Lines, now: list[str]) -> FollowedText:
    """What one change of a file did to some of its lines."""
    block = then[lines.first - 1 : lines.last]
    if not 1 <= lines.first <= lines.last <= len(then):
        return FollowedText(TraceResult.AMBIGUOUS, why="these lines were not there")
    found = find_block(then, lines, now).certain
    if found is None:
        region = FileStep(FileVersion.of(then), FileVersion.of(now)).carry(TextRegion(lines.first - 1, lines.last - 1))
        if region is UNDECIDED:
            places = tuple(Place("", place) for place in find_block(then, lines, now).places)
            return FollowedText(TraceResult.AMBIGUOUS, candidates=places, why="the old text stands at several places")
        if region is None:
            return FollowedText(TraceResult.GONE, why="nothing like it stands in its place")
        found = Lines(region.first + 1, region.last + 1)
    same = now[found.first - 1 : found.last] == block
    became = TraceResult.CHANGED if not same else TraceResult.SAME if found == lines else TraceResult.MOVED
    return FollowedText(became, Place("", found))


def find_passage(passage: CitedPassage, now: list[str]) -> FollowedText:
    """Where lines that were seen stand in a text, found by their words and those around them alone."""
    return find(passage, TreeFiles([passage.path], lambda paths: ["\n".join((*now, ""))]))

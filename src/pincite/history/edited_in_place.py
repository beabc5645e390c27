"""Lines that were edited where they stood, while a copy of what they were was put in elsewhere.

The shortest difference takes the copy for the old lines, and what was edited for new text. What stood around them
distinguishes the two.
"""

from collections.abc import Sequence

from .likeness import likeness
from .line_matching import count_same_neighbours

ALIKE = 0.62
"""The least likeness at which an edited line is still the same line."""
_FAR = 100
_LONGEST_EDIT = 8
"""Lines that are edited together; more of them are not distinguished from new text by their place."""


def stays_alike(then: Sequence[str], first: int, last: int, now: Sequence[str]) -> int | None:
    """The first place where lines that are like these, and not these, stand between the lines next to them.

    Lines are compared without white space.
    """
    if first < 1 or last + 1 >= len(then):
        return None
    above, below, block = then[first - 1], then[last + 1], then[first : last + 1]
    size = len(block)
    at = -1
    while True:
        try:
            at = now.index(above, at + 1)
        except ValueError:
            return None
        if at + size + 1 >= len(now):
            return None
        there = now[at + 1 : at + 1 + size]
        if now[at + size + 1] == below and there != block:
            pairs = zip(block, there, strict=True)
            if all(one == other or likeness(one, other) >= ALIKE for one, other in pairs):
                return at + 1


def agreeing(then: Sequence[str], first: int, last: int, now: Sequence[str], start: int) -> int:
    """How many lines on end above and below are the same, as far as is worth a look."""
    count = 0
    for sign, old, new in ((-1, first - 1, start - 1), (1, last + 1, start + last - first + 1)):
        for _ in range(_FAR):
            if not (0 <= old < len(then) and 0 <= new < len(now) and then[old] == now[new]):
                break
            count, old, new = count + 1, old + sign, new + sign
    return count


def settle_edits(found: list[int], then: Sequence[str], now: Sequence[str], written: Sequence[str]) -> set[int]:
    """Undo matches with a copy where the line was edited in its place; the old lines of which that is unknown.

    `found` has for each old line the new one that it is, or -1; `written` are the new lines with their indentation.
    """
    doubted: set[int] = set()
    before, low = -1, 0
    for at, place in enumerate(found):
        if place < 0:
            continue
        if place > before + 1 and at - low < _LONGEST_EDIT:
            _settle(found, then, now, written, (low, at, before + 1, place), doubted)
        before, low = found[at] if found[at] >= 0 else before, at + 1 if found[at] >= 0 else low
    return doubted


def _settle(
    found: list[int],
    then: Sequence[str],
    now: Sequence[str],
    written: Sequence[str],
    gap: tuple[int, int, int, int],
    doubted: set[int],
) -> None:
    """Look whether the new lines of a gap begin with the old ones, edited, and go on as those did."""
    low, at, start, place = gap
    size = 0
    while (
        size <= _LONGEST_EDIT
        and low + size < len(then)
        and start + size < place
        and then[low + size] != now[start + size]
        and likeness(then[low + size], now[start + size]) >= ALIKE
    ):
        size += 1
    if not at - low < size <= _LONGEST_EDIT or start + size >= place:
        return
    end = low + size
    # Where nothing followed the old lines, a gap must follow the new ones: else they are one list that grew.
    if then[end] != now[start + size] if end < len(then) else now[start + size]:
        return
    here = count_same_neighbours(then, low, end - 1, now, start, start + size - 1, True)
    there = count_same_neighbours(then, at, end - 1, now, place, telling=True)
    if here < there or not here:
        return
    if here == there:
        if not _begins_before(now, written, start, place):
            doubted.update(range(low, end))
        return
    found[at:end] = [-1] * (end - at)
    while end < len(then) and start + size < place and then[end] == now[start + size]:
        found[end] = start + size
        end += 1
        size += 1


def _begins_before(now: Sequence[str], written: Sequence[str], start: int, end: int) -> bool:
    """Whether what was put in may as well begin some lines above, where something of less indentation begins."""
    least = _indent(written[start])
    while start > 0 and now[start - 1] == now[end - 1]:
        start, end = start - 1, end - 1
        if now[start] and _indent(written[start]) < least:
            return True
    return False


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

"""Which line of a text is which line of another: unique lines first, then the longest common run between them."""

from bisect import bisect_left
from collections.abc import Sequence

Window = tuple[int, int, int, int]
"""First and end of a stretch of the old lines, first and end of a stretch of the new ones."""

_MOST_CELLS = 64_000_000
"""The largest table of old by new lines that is compared in full."""
_DEEPEST = 40
"""Stretches within stretches, beyond which unique lines are not looked for: each costs a pass over what is left."""
_LOOKED_AT = 64
NEIGHBOURS = 3
"""How many lines above and below are neighbours."""
_OPEN, _CLOSE = "([{", ")]}"
_PLENTY = 100_000
"""So many lines to compare that a search which cannot be led astray is worth its start."""


def match_lines(
    then: Sequence[str], now: Sequence[str], written: Sequence[str] = (), changed: Sequence[Window] | None = None
) -> list[int]:
    """For each old line the number of the new line that it is, from 0; -1 where it is none. Numbers only rise.

    All lines outside of what was `changed` are the same, one after the other; without it anything may be.

    Where lines that were put in could stand a little higher or lower, they are taken to begin where the `written`
    lines, indentation included, begin something.
    """
    if changed is None:
        changed = ((0, len(then), 0, len(now)),)
    found = [-1] * len(then)
    at = to = 0
    for low, high, start, end in changed:
        found[at:low] = range(to, start)
        at, to = high, end
    found[at:] = range(to, len(now))
    open_: list[tuple[int, Window]] = [(0, window) for window in changed]
    while open_:
        depth, window = open_.pop()
        low, high, start, end = _trim_common_ends(then, now, window, found)
        if low == high or start == end:
            continue
        anchors = _find_unique_anchors(then, now, low, high, start, end) if depth < _DEEPEST else []
        if anchors:
            at, to = low, start
            for old, new in anchors:
                if at < old and to < new:
                    open_.append((depth + 1, (at, old, to, new)))
                found[old] = new
                at, to = old + 1, new + 1
            if at < high and to < end:
                open_.append((depth + 1, (at, high, to, end)))
        elif (high - low) * (end - start) <= _MOST_CELLS:
            _match_common_run(then, now, low, high, start, end, found)
    if written:
        slide_inserted_runs(found, now, written)
    return found


def slide_inserted_runs(found: list[int], now: Sequence[str], written: Sequence[str]) -> None:
    """Move stretches that were put in to where they most likely began."""
    before = -1
    for at, place in enumerate(found):
        if place < 0:
            before = -2
            continue
        # Nothing was taken out here, so what stands between is new and nothing else.
        if before >= -1 and place > before + 1 and (at == 0 or found[at - 1] == before):
            _settle(found, now, written, at, before + 1, place)
        before = found[at]


def _settle(found: list[int], now: Sequence[str], written: Sequence[str], at: int, start: int, end: int) -> None:
    """Choose among the places where one stretch of new lines may begin: that with the least indentation around it."""
    down = 0
    while (
        at + down < len(found)
        and found[at + down] == end + down
        and end + down < len(now)
        and now[start + down] == now[end + down]
    ):
        down += 1
    if not down:
        return
    best = max(range(down + 1), key=lambda shift: (_rate_block_start(written, start + shift, end + shift), shift))
    for shift in range(best):
        found[at + shift] = start + shift


def _rate_block_start(written: Sequence[str], start: int, end: int) -> tuple[int, bool]:
    """How well a stretch of lines stands for itself: little indentation where it begins and after it, a gap before."""
    after = written[end] if end < len(written) else ""
    indent = -_indent(written[start]) - _indent(after)
    return indent, not written[end - 1].strip() or (start > 0 and not written[start - 1].strip())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0


def _trim_common_ends(then: Sequence[str], now: Sequence[str], window: Window, found: list[int]) -> Window:
    """The window without the lines that are the same at its two ends; those are matched."""
    low, high, start, end = window
    while low < high and start < end and then[low] == now[start]:
        found[low] = start
        low += 1
        start += 1
    while low < high and start < end and then[high - 1] == now[end - 1]:
        high -= 1
        end -= 1
        found[high] = end
    return low, high, start, end


def _find_unique_anchors(
    then: Sequence[str], now: Sequence[str], low: int, high: int, start: int, end: int
) -> list[tuple[int, int]]:
    """Lines that occur once in both, as many as can be had without crossing, in order."""
    olds: dict[str, int] = {}
    for at in range(low, high):
        olds[then[at]] = -1 if then[at] in olds else at
    news: dict[str, int] = {}
    for at in range(start, end):
        line = now[at]
        if line in olds:
            news[line] = -1 if line in news else at
    pairs = [(old, news[line]) for line, old in olds.items() if line and old >= 0 and news.get(line, -1) >= 0]
    pairs.sort()
    return _find_longest_rising_run(pairs)


def _find_longest_rising_run(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest run of pairs in which both numbers rise."""
    tops: list[int] = []
    """The smallest number a run of each length may end with."""
    ends: list[int] = []
    before: list[int] = []
    for at, (_, new) in enumerate(pairs):
        length = bisect_left(tops, new)
        if length == len(tops):
            tops.append(new)
            ends.append(at)
        else:
            tops[length] = new
            ends[length] = at
        before.append(ends[length - 1] if length else -1)
    run: list[tuple[int, int]] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        run.append(pairs[at])
        at = before[at]
    return run[::-1]


def _match_common_run(
    then: Sequence[str], now: Sequence[str], low: int, high: int, start: int, end: int, found: list[int]
) -> None:
    """Match the longest common run of a stretch that has no line of its own."""
    both = set(then[low:high]).intersection(now[start:end])
    if not both:
        return
    from rapidfuzz.distance import LCSseq

    numbers = {line: number for number, line in enumerate(both)}
    olds = [at for at in range(low, high) if then[at] in numbers]
    news = [at for at in range(start, end) if now[at] in numbers]
    steps = LCSseq.opcodes([numbers[then[at]] for at in olds], [numbers[now[at]] for at in news])
    for step in steps:
        if step.tag == "equal":
            for offset in range(step.src_end - step.src_start):
                found[olds[step.src_start + offset]] = news[step.dest_start + offset]


def find_occurrences(block: Sequence[str], now: Sequence[str]) -> list[int]:
    """Every index at which the block stands, found by its rarest-looking line."""
    pivot = max(range(min(len(block), _LOOKED_AT)), key=lambda index: len(block[index]))
    needle = block[pivot]
    if len(now) * len(block) > _PLENTY and now.count(needle) * len(block) > _PLENTY:
        return _repeated_occurrences(block, now)
    found = []
    at = -1
    try:
        while True:
            at = now.index(needle, at + 1)
            start = at - pivot
            if start >= 0 and now[start : start + len(block)] == block:
                found.append(start)
    except ValueError:
        return found


def _repeated_occurrences(block: Sequence[str], now: Sequence[str]) -> list[int]:
    """The same in time that grows with the two lengths alone, however much the block repeats itself."""
    # Knuth, Morris and Pratt: for each part of the block from its start, the longest end of it that also begins it.
    borders = [0] * len(block)
    agreed = 0
    for at in range(1, len(block)):
        while agreed and block[at] != block[agreed]:
            agreed = borders[agreed - 1]
        agreed += block[at] == block[agreed]
        borders[at] = agreed
    found = []
    agreed = 0
    for at, line in enumerate(now):
        while agreed and (agreed == len(block) or line != block[agreed]):
            agreed = borders[agreed - 1]
        agreed += line == block[agreed]
        if agreed == len(block):
            found.append(at - agreed + 1)
    return found


def count_open(lines: Sequence[str]) -> int:
    """How many brackets are opened and not closed."""
    text = "\n".join(lines)
    return sum(map(text.count, _OPEN)) - sum(map(text.count, _CLOSE))


def count_same_neighbours(
    then: Sequence[str], first: int, last: int, now: Sequence[str], start: int, end: int = -1, telling: bool = False
) -> int:
    """How many of the nearest lines above and below are the same; only those that are not blank, if `telling`.

    The old lines go from `first` to `last`; the new ones from `start` to `end`, or are as many.
    """
    end = start + last - first if end < 0 else end
    count = 0
    for away in range(1, NEIGHBOURS + 1):
        if first >= away and start >= away and then[first - away] == now[start - away]:
            count += bool(now[start - away]) or not telling
        if last + away < len(then) and end + away < len(now) and then[last + away] == now[end + away]:
            count += bool(now[end + away]) or not telling
    return count

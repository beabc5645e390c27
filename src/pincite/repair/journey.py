"""Following a region of a file through history: far where nothing near it changed, commit by commit where it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .likeness import weight
from .lines import occurrences
from .step import TORN, Region, Step, Text, neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from .trail import Change, Trail

    Journey = Generator[list[str], None, "Stop"]
    """Yields the blobs it needs to go on; returns where it ended."""

_RADII = ((3, 12), (1, 24), (0, 30))
"""How many lines around a region must stand unchanged to leap, and how much all of them must say."""
_LEAST_ELSEWHERE = 6
"""Letters and digits below which lines are never looked for in another file."""
_LEAST_NEIGHBOURS = 2
"""How many of the nearest lines must have come along."""
_MOST_FILES = 200
_LIKE_A_FILE = 0.4
"""How much of a deleted file must be in a new one for the one to have become the other."""
_KINDS = {
    ending: family[0]
    for family in (
        ("ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte", "coffee"),
        ("c", "h", "cc", "cpp", "cxx", "hpp", "hh", "inl", "m", "mm"),
        ("md", "markdown", "rst", "txt", "adoc", "mdx"),
        ("py", "pyi", "pyx", "pxd"),
        ("java", "kt", "kts", "scala", "groovy"),
        ("css", "scss", "sass", "less"),
        ("yml", "yaml"),
    )
    for ending in family
}
"""Endings between which files are renamed."""
_TOGETHER = 200
"""Journeys that are under way at one time: what they read is kept until all have ended."""


class Stop(Struct, frozen=True, gc=False):
    """Where a journey ended: the place, or None where the text is gone; `torn` where two places are as likely."""

    path: str
    region: Region | None
    torn: bool = False
    edited: bool = False
    """Whether any step on the way changed the words."""
    turn: int = 0
    """The step at which it ended."""
    blob: str = ""
    """The version of the file it ended in."""


class Start(Struct, frozen=True, gc=False):
    """Where a journey begins: a region of a version of a file, and which steps lie ahead."""

    path: str
    blob: str
    region: Region
    turn: int
    end: int


class Traveller:
    """Follows many regions along one trail at once, so that versions of files are read in few round trips."""

    def __init__(self, trail: Trail, read: Callable[[list[str]], list[str | None]]) -> None:
        """`read` gives the texts of blobs, or None where one is no text."""
        self.trail = trail
        self._read = read
        self._texts: dict[str, Text | None] = {}
        self._steps: dict[tuple[str, str], Step] = {}

    def follow(self, starts: Sequence[Start]) -> list[Stop]:
        """Where each region stands at the end of its way."""
        stops: list[Stop | None] = [None] * len(starts)
        for block in range(0, len(starts), _TOGETHER):
            self._texts.clear()
            self._steps.clear()
            waiting = [(at, self._journey(starts[at])) for at in range(block, min(block + _TOGETHER, len(starts)))]
            while waiting:
                waiting = self._advance(waiting, stops)
        return [stop for stop in stops if stop is not None]

    def _advance(self, waiting: list[tuple[int, Journey]], stops: list[Stop | None]) -> list[tuple[int, Journey]]:
        """Let every journey go on until it needs a text that is not at hand; then fetch all these."""
        wanted: dict[str, None] = {}
        going: list[tuple[int, Journey]] = []
        for at, journey in waiting:
            try:
                wanted.update(dict.fromkeys(next(journey)))
                going.append((at, journey))
            except StopIteration as end:
                stops[at] = end.value
        missing = list(wanted)
        for blob, text in zip(missing, self._read(missing), strict=True):
            self._texts[blob] = None if text is None else Text(text)
        return going

    def _need(self, *blobs: str) -> Iterator[list[str]]:
        missing = [blob for blob in blobs if blob not in self._texts]
        if missing:
            yield missing

    def _step(self, old: str, new: str) -> Step | None:
        """What lies between two versions that are at hand."""
        known = self._steps.get((old, new))
        if known is None:
            then, now = self._texts[old], self._texts[new]
            if then is None or now is None:
                return None
            known = self._steps[old, new] = Step(then, now)
        return known

    def _journey(self, start: Start) -> Journey:
        path, blob, region, turn = start.path, start.blob, start.region, start.turn
        edited = False
        while versions := self._versions(path, turn, start.end):
            yield from self._need(blob)
            leapt = yield from self._leap(blob, region, versions)
            if leapt is not None:
                change, region = leapt
                path, blob, turn = change.target, change.new, change.step + 1
                continue
            change = versions[0]
            carried = yield from self._carried(change, blob, region)
            if carried is None or carried.region is None:
                return Stop(path, None, carried is not None, edited, change.step)
            edited = edited or carried.edited
            path, blob, region, turn = carried.path, carried.blob, carried.region, change.step + 1
        return Stop(path, region, False, edited, turn, blob)

    def _versions(self, path: str, turn: int, end: int) -> list[Change]:
        """The changes of a file from a turn on, through renames, up to its end or its deletion."""
        found: list[Change] = []
        while (change := self.trail.next_change(path, turn, end)) is not None:
            found.append(change)
            if change.kind == "D":
                break
            path, turn = change.target, change.step + 1
        return found

    def _leap(
        self, blob: str, region: Region, versions: list[Change]
    ) -> Generator[list[str], None, tuple[Change, Region] | None]:
        """The farthest version, found by halving, in which the region stands with its neighbours as it is."""
        then = self._texts[blob]
        if then is None:
            return None
        for radius, least in _RADII:
            window = then.window(region, radius)
            if weight(window) < least or then.whole.find(window, then.whole.find(window) + 1) >= 0:
                continue
            low, high = -1, len(versions) - 1 - (versions[-1].kind == "D")
            found, probe = 0, high
            while low < high:
                new = versions[probe].new
                yield from self._need(new)
                line = _stands(window, self._texts[new])
                if line is not None:
                    low, found = probe, line
                else:
                    high = probe - 1
                probe = (low + high + 1) // 2
            if low >= 0:
                shift = found + min(radius, region.first) - region.first
                return versions[low], Region(region.first + shift, region.last + shift, region.left, region.right)
        return None

    def _carried(self, change: Change, blob: str, region: Region) -> Generator[list[str], None, Stop | None]:
        """One step; None where the region is gone, and no region where two places are as likely."""
        target: Change | None = change
        if change.kind == "D":
            target = yield from self._successor(change, blob)
        if target is not None:
            yield from self._need(target.new)
            step = self._step(blob, target.new)
            moved = step.carry(region) if step is not None else None
            if moved is TORN:
                return Stop(target.target, None, True)
            if step is not None and moved is not None:
                return Stop(target.target, moved, False, step.touched(region, moved), 0, target.new)
        return (yield from self._elsewhere(change, blob, region))

    def _successor(self, change: Change, blob: str) -> Generator[list[str], None, Change | None]:
        """The file that took the place of a deleted one: the one most like it, or else the only one of its name."""
        born = [other for other in self._others(change) if other.kind == "A"]
        if not born:
            return None
        yield from self._need(*(other.new for other in born))
        then = self._texts[blob]
        if then is None:
            return None
        best, found = _LIKE_A_FILE, None
        lines = then.telling
        for other in born:
            now = self._texts[other.new]
            # One of quite another size cannot share enough.
            near = (
                now is not None
                and best * len(then.whole) < len(now.whole) * 1.5
                and len(now.whole) * best < len(then.whole) * 1.5
            )
            share = _shared(lines, now.telling) if now is not None and near else 0.0
            if share > best:
                best, found = share, other
        if found is not None:
            return found
        stem, folder = _stem(change.source), change.source.rpartition("/")[0]
        named = [other for other in born if _stem(other.target) == stem]
        beside = [other for other in named if other.target.rpartition("/")[0] == folder]
        return beside[0] if len(beside) == 1 else named[0] if len(named) == 1 else None

    def _elsewhere(self, change: Change, blob: str, region: Region) -> Generator[list[str], None, Stop | None]:
        """Another file into which the same commit put the very lines."""
        then = self._texts[blob]
        if then is None:
            return None
        block = then.keys[region.first : region.last + 1]
        says = sum(map(weight, block))
        if says < _LEAST_ELSEWHERE:
            return None
        others = self._others(change)
        yield from self._need(*(other.new for other in others))
        words = then.lines[region.first].strip()
        found: list[tuple[int, str, str, int]] = []
        for other in others:
            now = self._texts[other.new]
            if now is None or words not in now.whole or block[0] not in now.keys:
                continue
            taken: set[int] = set()
            if other.kind != "A":
                yield from self._need(other.old)
                step = self._step(other.old, other.new)
                taken = set(step.matches) if step is not None else taken
            found += [
                (neighbours(then.keys, region, now.keys, at), other.target, other.new, at)
                for at in occurrences(block, now.keys)
                if at not in taken
            ]
        found.sort(reverse=True)
        if not found or found[0][0] < _LEAST_NEIGHBOURS:
            return None
        if len(found) > 1 and found[1][0] == found[0][0]:
            return Stop(change.source, None, True)
        _, path, new, at = found[0]
        moved = Region(at, at + region.last - region.first, region.left, region.right)
        now = self._texts[new]
        same = now is not None and then.lines[region.first : region.last + 1] == now.lines[moved.first : moved.last + 1]
        return Stop(path, moved, False, not same, 0, new)

    def _others(self, change: Change) -> list[Change]:
        """The files of one kind a commit wrote, those of the same name first; not all, where they are very many."""
        stem, kind = _stem(change.source), _kind(change.source)
        others = [
            other
            for other in self.trail.step(change.step)
            if other.kind != "D" and other.new != change.new and _kind(other.target) == kind
        ]
        if len(others) > _MOST_FILES:
            others.sort(key=lambda other: (_stem(other.target) != stem, other.kind != "A"))
        return others[:_MOST_FILES]


def _stands(window: str, text: Text | None) -> int | None:
    """The line from 0 at which a window begins in a text, if it does so once."""
    if text is None:
        return None
    at = text.whole.find(window)
    if at < 0 or text.whole.find(window, at + 1) >= 0:
        return None
    return text.whole.count("\n", 0, at + 1) - 1


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the larger of two files is in the other, counted in lines that differ."""
    return len(one & other) / max(len(one), len(other), 1)


def _kind(path: str) -> str:
    """What a file holds, by its ending: code that is moved stays code of its kind."""
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    return _KINDS.get(ending, ending)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]

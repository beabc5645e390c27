"""Following a region of a file through history, change by change.

Where nothing near it changed it is carried by counting lines; where something did, by what it says.
"""

from collections.abc import Callable, Generator, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from .alike_files import compute_shared_ratio, get_kind, get_stem
from .commit_log import CommitLog, FileChange
from .hunks import HunkReader, Hunks
from .likeness import says
from .line_matching import NEIGHBOURS, count_same_neighbours, find_occurrences
from .partial_step import PartialStep
from .range_ends import count_most_lines
from .step import UNDECIDED, FileStep, FileVersion, TextRegion

Wanted = list[str] | list[FileChange]
"""Blobs, or changes of which the hunks are to be known."""
Following = Generator[Wanted, None, "FollowEnd"]
"""Yields what it needs to go on; returns where it ended."""

_REACH = 8
"""How many lines around a region must stand unchanged to carry it without looking at any."""
_LEAST_ELSEWHERE = 6
"""Letters and digits below which lines are never looked for in another file."""
_LEAST_NEIGHBOURS = 2
"""How many of the nearest lines must have come along."""
_MOST_FILES = 200
_SOME = 25
_LIKE_A_FILE = 0.4
"""How much of a deleted file must be in a new one for the one to have become the other."""
_TOGETHER = 200
"""Regions that are followed at one time."""
_FEWEST = 8
_MOST_CHARACTERS = 24_000_000
"""What is kept of texts; cut into lines they take several times as much."""
_MOST_STEPS = 64


class FollowEnd(Struct, frozen=True, gc=False):
    """Where following ended: the place, or None where the text is gone; `undecided` where two places are as likely."""

    path: str
    region: TextRegion | None
    undecided: bool = False
    edited: bool = False
    """Whether any step on the way changed the words."""
    turn: int = 0
    """The step at which it ended."""
    blob: str = ""
    """The version of the file it ended in."""
    loose: bool = False
    """Whether a single line went to another file without the lines on one side of it."""
    unread: bool = False
    """Whether it is undecided because a version could not be read."""
    since: str = ""
    """The commit that last changed any of this, where that is known."""


class FollowStart(Struct, frozen=True, gc=False):
    """Where following begins: a region of a version of a file, and which steps lie ahead."""

    path: str
    blob: str
    region: TextRegion
    turn: int
    end: int


class RegionFollower:
    """Follows many regions along one trail at once, so that versions of files are read in few round trips."""

    def __init__(
        self, trail: CommitLog, read: Callable[[list[str]], list[str | None]], hunks: HunkReader | None = None
    ) -> None:
        """`read` gives the texts of blobs, or None where one is no text. Without hunks whole files are compared."""
        self.trail = trail
        self._read = read
        self._hunks = hunks
        self._asked: set[tuple[int, str]] = set()
        """The changes of which the hunks were asked for."""
        self._texts: dict[str, FileVersion | None] = {}
        self._steps: dict[tuple[str, str], PartialStep] = {}
        self._size = 0
        self._at_once = _TOGETHER
        """How many texts are fetched in one go: fewer where they are long."""

    def follow(self, starts: Sequence[FollowStart]) -> list[FollowEnd]:
        """Where each region stands at the end of its way."""
        stops: list[FollowEnd | None] = [None] * len(starts)
        self._learn_hunks([change for ahead in self._group_by_path(starts) for change in self._versions(*ahead)])
        # Neighbours in this order read the same versions.
        order = sorted(range(len(starts)), key=lambda at: (starts[at].path, starts[at].turn))
        for block in range(0, len(order), _TOGETHER):
            waiting = [(at, self._follow_region(starts[at])) for at in order[block : block + _TOGETHER]]
            while waiting:
                waiting = self._advance(waiting, stops)
        return [stop for stop in stops if stop is not None]

    @staticmethod
    def _group_by_path(starts: Sequence[FollowStart]) -> list[tuple[str, int, int]]:
        """Each file with the first and the last turn at which it matters."""
        spans: dict[str, tuple[int, int]] = {}
        for start in starts:
            turn, end = spans.get(start.path, (start.turn, start.end))
            spans[start.path] = min(turn, start.turn), max(end, start.end)
        return [(path, *span) for path, span in spans.items()]

    def _learn_hunks(self, changes: Sequence[FileChange]) -> None:
        if self._hunks is not None:
            self._hunks.read(self.trail, changes)
            self._asked.update((change.step, change.source) for change in changes)

    def _advance(
        self, waiting: list[tuple[int, Following]], stops: list[FollowEnd | None]
    ) -> list[tuple[int, Following]]:
        """Follow regions until they need what is not at hand, as much as memory bears; then fetch that."""
        wanted: dict[str, None] = {}
        changes: list[FileChange] = []
        missing = 0
        going: list[tuple[int, Following]] = []
        for turn, (at, following) in enumerate(waiting):
            if missing >= self._at_once:
                going += waiting[turn:]
                break
            try:
                asked = next(following)
                going.append((at, following))
            except StopIteration as end:
                stops[at] = end.value
                continue
            for one in asked:
                if isinstance(one, FileChange):
                    changes.append(one)
                else:
                    missing += one not in self._texts and one not in wanted
                    wanted[one] = None
        self._learn_hunks(changes)
        self._fetch(wanted)
        return going

    def _fetch(self, wanted: dict[str, None]) -> None:
        """Have these texts at hand; others are dropped once they are too many."""
        if self._size > _MOST_CHARACTERS:
            self._texts = {blob: self._texts[blob] for blob in wanted if blob in self._texts}
            self._steps.clear()
            self._size = sum(len(text.whole) for text in self._texts.values() if text is not None)
        missing = [blob for blob in wanted if blob not in self._texts]
        read = 0
        for blob, text in zip(missing, self._read(missing) if missing else (), strict=True):
            self._texts[blob] = None if text is None else FileVersion(text)
            read += len(text or "")
        self._size += read
        if missing:
            self._at_once = max(_FEWEST, min(_TOGETHER * 4, _MOST_CHARACTERS * len(missing) // max(1, 2 * read)))

    def _need(self, *blobs: str) -> Iterator[Wanted]:
        """Yields until all these are at hand: what was may have been dropped meanwhile."""
        while any(blob not in self._texts for blob in blobs):
            yield list(blobs)

    def _need_hunks(self, changes: list[FileChange]) -> Iterator[Wanted]:
        # They are asked for file by file, without gaps.
        ends = changes[:1] + changes[-1:]
        if self._hunks is not None and any((change.step, change.source) not in self._asked for change in ends):
            yield changes

    def _step(self, old: str, new: str, hunks: Hunks | None, region: TextRegion) -> PartialStep | None:
        """What lies between two versions that are at hand."""
        known = self._steps.get((old, new))
        if known is None or not known.covers(region):
            then, now = self._texts[old], self._texts[new]
            if then is None or now is None:
                return None
            if len(self._steps) >= _MOST_STEPS:
                self._steps.clear()
            known = self._steps[old, new] = PartialStep(then, now, hunks, region)
        return known

    def _follow_region(self, start: FollowStart) -> Following:
        path, blob, region, turn = start.path, start.blob, start.region, start.turn
        edited = loose = False
        versions = self._versions(path, turn, start.end)
        if versions:
            yield from self._need(blob)
        text = self._texts.get(blob)
        counts = text is not None and text.is_plain
        """Whether its lines can be counted by hunks."""
        at = 0
        while at < len(versions):
            if at == 0:
                yield from self._need_hunks(versions)
            change = versions[at]
            at += 1
            hunks = self._hunks.get(blob, change.new) if self._hunks is not None and change.kind == "M" else None
            counts = counts and not (hunks is not None and hunks.odd)
            hunks = hunks if counts else None
            shift = 0 if change.kind == "R" else None
            if hunks is not None:
                shift = hunks.shift(region.first, region.last, _REACH)
            if shift is not None:
                path, blob, turn = change.target, change.new, change.step + 1
                region = region if not shift else _shift(region, shift)
                continue
            inside = _stretch(region, hunks) if hunks is not None else None
            if inside is not None:
                path, blob, region, turn, edited = change.target, change.new, inside, change.step + 1, True
                continue
            carried = yield from self._carry_region(change, blob, region, hunks)
            if carried is None or carried.region is None:
                unread = carried is not None and carried.unread
                return FollowEnd(path, None, carried is not None, edited, change.step, unread=unread)
            edited, loose = edited or carried.edited, loose or carried.loose
            path, blob, region, turn = carried.path, carried.blob, carried.region, change.step + 1
            if change.kind == "D" or path != change.target:
                now = self._texts.get(blob)
                counts = now is not None and now.is_plain
                versions, at = self._versions(path, turn, start.end), 0
        return FollowEnd(path, region, False, edited, turn, blob, loose)

    def _versions(self, path: str, turn: int, end: int) -> list[FileChange]:
        """The changes of a file from a turn on, through renames, up to its end or its deletion."""
        found = self.trail.list_changes(path, turn, end)
        while found and found[-1].kind == "R":
            more = self.trail.list_changes(found[-1].target, found[-1].step + 1, end)
            if not more:
                break
            found += more
        return found

    def _carry_region(
        self, change: FileChange, blob: str, region: TextRegion, hunks: Hunks | None
    ) -> Generator[Wanted, None, FollowEnd | None]:
        """One step; None where the region is gone, and no region where two places are as likely."""
        target: FileChange | None = change
        if change.kind == "D":
            target = yield from self._successor(change, blob)
        if target is not None:
            yield from self._need(blob, target.new)
            step = self._step(blob, target.new, hunks, region)
            if step is None:
                # A version that is no text, or cannot be read: it may be there or not.
                return FollowEnd(target.target, None, True, unread=True)
            moved = step.carry(region)
            if moved is UNDECIDED:
                return FollowEnd(target.target, None, True)
            if moved is not None:
                return FollowEnd(target.target, moved, False, step.is_touched(region, moved), 0, target.new)
        return (yield from self._elsewhere(change, blob, region, hunks))

    def _successor(self, change: FileChange, blob: str) -> Generator[Wanted, None, FileChange | None]:
        """The file that took the place of a deleted one: the one most like it, or else the only one of its name."""
        born = [other for other in self._others(change) if other.kind == "A"]
        best, found = _LIKE_A_FILE, None
        for some in range(0, len(born), _SOME):
            yield from self._need(blob, *(other.new for other in born[some : some + _SOME]))
            then = self._texts[blob]
            if then is None:
                return None
            for other in born[some : some + _SOME]:
                share = compute_shared_ratio(then, self._texts[other.new], best)
                if share > best:
                    best, found = share, other
        if found is not None:
            return found
        stem, folder = get_stem(change.source), change.source.rpartition("/")[0]
        named = [other for other in born if get_stem(other.target) == stem]
        beside = [other for other in named if other.target.rpartition("/")[0] == folder]
        return beside[0] if len(beside) == 1 else named[0] if len(named) == 1 else None

    def _elsewhere(
        self, change: FileChange, blob: str, region: TextRegion, hunks: Hunks | None
    ) -> Generator[Wanted, None, FollowEnd | None]:
        """Another file into which the same commit put the very lines."""
        yield from self._need(blob)
        then = self._texts[blob]
        if then is None:
            # What it said cannot be read, so it may be anywhere.
            return FollowEnd(change.source, None, True, unread=True)
        block = then.keys[region.first : region.last + 1]
        if not says(block, _LEAST_ELSEWHERE):
            return None
        words = then.lines[region.first].strip()
        found: list[tuple[int, str, str, int]] = []
        others = self._others(change)
        for some in range(0, len(others), _SOME):
            yield from self._need(*(other.new for other in others[some : some + _SOME]))
            for other in others[some : some + _SOME]:
                # What was fetched before may be gone after another fetch.
                yield from self._need(other.new)
                now = self._texts[other.new]
                if now is None or words not in now.whole or block[0] not in now.keys:
                    continue
                taken: set[int] = set()
                if other.kind != "A":
                    yield from self._need(other.old, other.new)
                    taken = self._find_kept_lines(other.old, other.new)
                found += [
                    (
                        count_same_neighbours(then.keys, region.first, region.last, now.keys, at),
                        other.target,
                        other.new,
                        at,
                    )
                    for at in find_occurrences(block, now.keys)
                    if at not in taken
                ]
        found.sort(reverse=True)
        if not found or found[0][0] < _LEAST_NEIGHBOURS:
            return None
        if len(found) > 1 and found[1][0] == found[0][0]:
            return FollowEnd(change.source, None, True)
        _, path, new, at = found[0]
        yield from self._need(new)
        stop = self._arrival(then, region, path, new, at)
        if change.kind != "D":
            yield from self._need(blob, change.new)
            step = self._step(blob, change.new, hunks, region)
            if step is not None and step.is_replaced(region):
                # Something took its place: it may have been copied, and edited where it stood.
                return replace(stop, loose=True)
        return stop

    def _find_kept_lines(self, old: str, new: str) -> set[int]:
        """The lines of a version that were there before."""
        then, now = self._texts[old], self._texts[new]
        return set() if then is None or now is None else set(FileStep(then, now).matches)

    def _arrival(self, then: FileVersion, region: TextRegion, path: str, blob: str, at: int) -> FollowEnd:
        """A region in the other file into which it was put."""
        moved = TextRegion(at, at + region.last - region.first, region.left, region.right)
        now = self._texts[blob]
        same = now is not None and then.lines[region.first : region.last + 1] == now.lines[moved.first : moved.last + 1]
        # One line that came without the lines on one side of it may have been left behind by what it stood for.
        loose = (
            region.first == region.last
            and now is not None
            and not _has_same_neighbours(then.keys, region, now.keys, at)
        )
        return FollowEnd(path, moved, False, not same, 0, blob, loose)

    def _others(self, change: FileChange) -> list[FileChange]:
        """The files of one kind a commit wrote, those of the same name first; not all, where they are very many."""
        stem, kind = get_stem(change.source), get_kind(change.source)
        others = [
            other
            for other in self.trail.step(change.step)
            if other.kind != "D" and other.new != change.new and get_kind(other.target) == kind
        ]
        if len(others) > _MOST_FILES:
            others.sort(key=lambda other: (get_stem(other.target) != stem, other.kind != "A"))
        return others[:_MOST_FILES]


def _shift(region: TextRegion, by: int) -> TextRegion:
    return TextRegion(region.first + by, region.last + by, region.left, region.right)


def _stretch(region: TextRegion, hunks: Hunks) -> TextRegion | None:
    """A range of lines of which only some inside were edited, where it stands after the change."""
    found = hunks.stretch(region.first, region.last, _REACH) if region.left < 0 else None
    if found is None or found[1] - found[0] + 1 > count_most_lines(region.last - region.first + 1):
        return None
    return TextRegion(*found)


def _has_same_neighbours(then: Sequence[str], region: TextRegion, now: Sequence[str], at: int) -> bool:
    """Whether one of the nearest lines above came along, and one of those below, as far as there are any."""
    above = [line for line in then[max(0, region.first - NEIGHBOURS) : region.first] if line]
    below = [line for line in then[region.last + 1 : region.last + 1 + NEIGHBOURS] if line]
    end = at + region.last - region.first + 1
    upper, lower = now[max(0, at - NEIGHBOURS) : at], now[end : end + NEIGHBOURS]
    return (not above or any(line in upper for line in above)) and (not below or any(line in lower for line in below))

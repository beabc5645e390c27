"""From the commit that knew cited lines to the one that is checked out: many citations, one pass over history."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property

from msgspec import Struct
from msgspec.structs import astuple, replace

from ..core.errors import Unreadable
from ..safe.child import ChildFailed
from ..safe.git import Git
from ..store.trails import KeptEnd
from ..text.lines import decode
from .commit_log import CommitLog, read_renames, read_trail
from .hunks import HunkReader
from .partial_step import PartialStep
from .region import FollowEnd, FollowStart, RegionFollower
from .step import UNDECIDED, FileVersion, TextRegion

_AT_LEAST = 16
"""How many commits are read at once, if there are so many."""
_MOST_KEPT = 50_000
"""Answers that are remembered: a fix asks about the lines of its document again."""


class TraceRequest(Struct, frozen=True, gc=False):
    """What an author saw: lines of a file as a commit has it."""

    commit: str
    path: str
    blob: str
    region: TextRegion


class Tracer:
    """Follows lines to HEAD. The history of the branch is read once, as far back as needed.

    What an earlier run found is gone on from, where the commit it was found at is part of the branch.
    """

    def __init__(self, git: Git, head: str, limit: int, load: Callable[[], list[KeptEnd]] | None = None) -> None:
        """Blobs larger than `limit` bytes are not read; `load` gives what an earlier run kept."""
        self._git = git
        self._head = head
        self._limit = limit
        self._hunks = HunkReader(git)
        self._trail: CommitLog | None = None
        self._reach = -1
        """How many commits back the trail begins."""
        self._farthest = -1
        """How many commits back all can be read, where not all can."""
        self._known: dict[TraceRequest, FollowEnd | None] = {}
        self._load = load
        self._kept: dict[TraceRequest, KeptEnd] = {}
        self._learnt = False

    def trace(self, asks: Sequence[TraceRequest]) -> list[FollowEnd | None]:
        """Where each stands in HEAD; None where history cannot tell."""
        new = [ask for ask in dict.fromkeys(asks) if ask not in self._known]
        if len(self._known) + len(new) > _MOST_KEPT:
            self._known.clear()
            new = list(dict.fromkeys(asks))
        try:
            self._known.update(zip(new, self._trace(new) if new else (), strict=True))
        except ChildFailed:
            return [None] * len(asks)
        return [self._known[ask] for ask in asks]

    def kept(self) -> list[KeptEnd] | None:
        """What is worth keeping for the next run, the latest last; None where nothing was learnt."""
        return list(self._kept.values()) if self._learnt else None

    def texts(self, blobs: Sequence[str]) -> list[str | None]:
        """The texts of blobs; None for what is none, too large, or cannot be read."""
        try:
            read = self._git.objects().read(blobs, self._limit)
        except ChildFailed:
            # Git ends at the first object that it cannot read; the others are asked for without it.
            self._git.objects().close()
            if len(blobs) < 2:
                return [None] * len(blobs)
            half = len(blobs) // 2
            return [*self.texts(blobs[:half]), *self.texts(blobs[half:])]
        found: list[str | None] = []
        for data in read:
            try:
                found.append(None if data is None else decode(data))
            except Unreadable:
                found.append(None)
        return found

    def _trace(self, asks: Sequence[TraceRequest]) -> list[FollowEnd | None]:
        if self._load is not None:
            self._kept = {_ask_again(kept): kept for kept in self._load()}
            self._load = None
        found: list[FollowEnd | None] = [None] * len(asks)
        going: list[tuple[int, int, FollowEnd]] = []
        """Number of an ask, how many commits back it begins, and what is known of it there."""
        for at, ask in enumerate(asks):
            known = self._known_before(ask)
            if known is None:
                entry = self._entry(ask)
                if entry is None:
                    continue
                begun = self._onto(ask, entry[1]) if entry[1] else FollowEnd(ask.path, ask.region, blob=ask.blob)
                known = entry[0], replace(begun, since=entry[1] or ask.commit)
            if known[1].region is None or not known[0]:
                found[at] = known[1]
            else:
                going.append((at, *known))
        if going:
            self._go_on(going, found)
        self._keep(asks, found)
        return found

    def _go_on(self, going: list[tuple[int, int, FollowEnd]], found: list[FollowEnd | None]) -> None:
        """Follow regions that are known some commits back."""
        trail = self._along(max(back for _, back, _ in going))
        length = len(trail)
        going = [one for one in going if one[1] <= length]
        starts = [
            FollowStart(begun.path, begun.blob, begun.region, length - back, length)
            for _, back, begun in going
            if begun.region is not None
        ]
        stops = RegionFollower(trail, self.texts, self._hunks).follow(starts)
        for (at, back, begun), stop in zip(going, stops, strict=True):
            stayed = stop.region is not None and stop.turn == length - back and begun.since
            since = begun.since if stayed else trail.commit_at(stop.turn + (stop.region is None))
            edited, loose = stop.edited or begun.edited, stop.loose or begun.loose
            found[at] = replace(stop, edited=edited, loose=loose, since=since)

    def _known_before(self, ask: TraceRequest) -> tuple[int, FollowEnd] | None:
        """What an earlier run found, and how many commits back that was true; None where it is no help."""
        kept = self._kept.get(ask)
        if kept is None:
            return None
        region = TextRegion(*kept.region_now) if kept.region_now is not None else None
        end = FollowEnd(
            kept.path_now,
            region,
            kept.undecided,
            kept.edited,
            blob=kept.blob_now,
            loose=kept.loose,
            since=kept.since,
        )
        if kept.until == self._head or (region is None and kept.since in self._branch):
            return 0, end
        back = self._branch.get(kept.until, self._branch.get(kept.since))
        return None if back is None or region is None else (back, end)

    def _keep(self, asks: Sequence[TraceRequest], found: Sequence[FollowEnd | None]) -> None:
        """Note answers for the next run."""
        for ask, end in zip(asks, found, strict=True):
            before = self._kept.pop(ask, None)
            if end is not None and not end.unread:
                region = astuple(end.region) if end.region is not None else None
                kept = KeptEnd(
                    *(ask.commit, ask.path, ask.blob, astuple(ask.region), end.since, self._head),
                    *(end.path, end.blob, region, end.undecided, end.edited, end.loose),
                )
                self._kept[ask] = kept
                self._learnt = self._learnt or kept != before

    def _entry(self, ask: TraceRequest) -> tuple[int, str] | None:
        """How far back a commit is on the branch; for one beside it, where it came in, and which commit that was."""
        back = self._branch.get(ask.commit)
        if back is not None:
            return back, ""
        merge = self._joined.get(ask.commit)
        return None if merge is None else (self._branch[merge], merge)

    @cached_property
    def _branch(self) -> dict[str, int]:
        """Commits of the branch to how many commits back they are."""
        listed = self._list_commits("--first-parent")
        return {commit: at for at, commit in enumerate(listed)}

    @cached_property
    def _joined(self) -> dict[str, str]:
        """Every commit beside the branch, with the first commit of the branch that has it."""
        parents: dict[str, list[str]] = {}
        for row in self._list_commits("--parents"):
            commit, _, rest = row.partition(" ")
            parents[commit] = rest.split()
        joined: dict[str, str] = {}
        for merge in sorted(self._branch, key=self._branch.__getitem__, reverse=True):
            open_ = parents.get(merge, [])[1:]
            while open_:
                commit = open_.pop()
                if commit not in self._branch and commit not in joined:
                    joined[commit] = merge
                    open_ += parents.get(commit, [])
        return joined

    def _list_commits(self, flag: str) -> list[str]:
        """The commits of HEAD, a line for each; up to one that cannot be read, where there is one."""
        chunks: list[bytes] = []
        with suppress(ChildFailed):
            chunks.extend(self._git.stream("rev-list", flag, self._head, "--"))
        # What follows the last line end is nothing, or a line that broke off.
        return b"".join(chunks).decode("ascii").split("\n")[:-1]

    def _along(self, back: int) -> CommitLog:
        """The trail of the branch from so many commits back; a shorter one where one of them cannot be read."""
        if self._trail is None or (self._reach < back and self._farthest < 0):
            branch = list(self._branch)
            # The next question may be about something older: reading further costs less than reading again.
            reach = min(max(2 * back, _AT_LEAST), len(branch) - 1)
            try:
                self._trail = read_trail(self._git, branch[reach], self._head)
            except ChildFailed:
                # Halving finds how far back all can be read.
                good, bad = 0, reach
                while bad - good > 1:
                    middle = (good + bad) // 2
                    good, bad = (middle, bad) if self._can_read(branch[middle]) else (good, middle)
                reach = good
                self._trail = read_trail(self._git, branch[reach], self._head)
                self._farthest = reach
            self._reach = reach
        return self._trail

    def _can_read(self, start: str) -> bool:
        try:
            read_trail(self._git, start, self._head)
        except ChildFailed:
            return False
        return True

    def _is_lost(self, commit: str, path: str) -> bool:
        """Whether a commit has a file whose content is not here, or does not tell."""
        from ..safe.git_damage import list_folder

        try:
            return path in list_folder(self._git, commit, path.rpartition("/")[0])
        except ChildFailed:
            return True

    def _onto(self, ask: TraceRequest, merge: str) -> FollowEnd:
        """One step from a commit beside the branch to the merge that brought it in."""
        path = ask.path
        blob = self._git.objects().blob_ids([(merge, path)])[0]
        if blob is None:
            path = read_renames(self._git, ask.commit, merge).get(path, "")
            blob = self._git.objects().blob_ids([(merge, path)])[0] if path else None
        if blob == ask.blob:
            return FollowEnd(path, ask.region, blob=blob or "")
        if blob is None:
            unread = self._is_lost(merge, ask.path)
            return FollowEnd(ask.path, None, unread, unread=unread)
        then, now = self.texts([ask.blob, blob])
        if then is None or now is None:
            return FollowEnd(path, None, True, unread=True)
        old = FileVersion(then)
        hunks = self._hunks.read_between((ask.commit, merge), path, ask.blob, blob) if old.is_plain else None
        step = PartialStep(old, FileVersion(now), None if hunks is None or hunks.odd else hunks, ask.region)
        region = step.carry(ask.region)
        if region is UNDECIDED:
            return FollowEnd(path, None, True)
        edited = region is not None and step.is_touched(ask.region, region)
        return FollowEnd(path, region, False, edited, blob=blob)


def _ask_again(kept: KeptEnd) -> TraceRequest:
    """What a kept answer was an answer to."""
    return TraceRequest(kept.commit, kept.path, kept.blob, TextRegion(*kept.region))

"""From the commit that knew cited lines to the one that is checked out: many citations, one pass over history."""

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from ..core.errors import Unreadable
from ..safe.child import ChildFailed
from ..safe.git import Git
from ..text.lines import decode
from .commit_log import CommitLog, read_renames, read_trail
from .hunks import HunkReader
from .region import FollowEnd, FollowStart, RegionFollower
from .step import UNDECIDED, FileStep, FileVersion, TextRegion

_AT_LEAST = 2000
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
    """Follows lines to HEAD. The history of the branch is read once, as far back as needed."""

    def __init__(self, git: Git, head: str, limit: int) -> None:
        """Blobs larger than `limit` bytes are not read."""
        self._git = git
        self._head = head
        self._limit = limit
        self._hunks = HunkReader(git)
        self._trail: CommitLog | None = None
        self._reach = -1
        """How many commits back the trail begins."""
        self._known: dict[TraceRequest, FollowEnd | None] = {}

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

    def texts(self, blobs: Sequence[str]) -> list[str | None]:
        """The texts of blobs; None for what is none, or too large."""
        found: list[str | None] = []
        for data in self._git.objects().read(blobs, self._limit):
            try:
                found.append(None if data is None else decode(data))
            except Unreadable:
                found.append(None)
        return found

    def _trace(self, asks: Sequence[TraceRequest]) -> list[FollowEnd | None]:
        entries = [self._entry(ask) for ask in asks]
        turns = [entry[0] for entry in entries if entry is not None]
        if not turns:
            return [None] * len(asks)
        trail = self._along(max(turns))
        starts: list[FollowStart] = []
        going: list[int] = []
        found: list[FollowEnd | None] = [None] * len(asks)
        for at, (ask, entry) in enumerate(zip(asks, entries, strict=True)):
            if entry is None:
                continue
            onto = self._onto(ask, entry[1]) if entry[1] else FollowEnd(ask.path, ask.region, blob=ask.blob)
            if onto.region is None:
                found[at] = onto
                continue
            starts.append(FollowStart(onto.path, onto.blob, onto.region, len(trail) - entry[0], len(trail)))
            going.append(at)
        for at, stop in zip(going, RegionFollower(trail, self.texts, self._hunks).follow(starts), strict=True):
            found[at] = stop
        return found

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
        listed = self._git.run("rev-list", "--first-parent", self._head, "--").decode("ascii").split()
        return {commit: at for at, commit in enumerate(listed)}

    @cached_property
    def _joined(self) -> dict[str, str]:
        """Every commit beside the branch, with the first commit of the branch that has it."""
        parents: dict[str, list[str]] = {}
        for row in self._git.run("rev-list", "--parents", self._head, "--").decode("ascii").split("\n"):
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

    def _along(self, back: int) -> CommitLog:
        """The trail of the branch from so many commits back."""
        if self._trail is None or self._reach < back:
            branch = list(self._branch)
            # The next question may be about something older: reading further costs less than reading again.
            self._reach = min(max(2 * back, _AT_LEAST), len(branch) - 1)
            back = self._reach
            self._trail = read_trail(self._git, branch[back], self._head)
        return self._trail

    def _onto(self, ask: TraceRequest, merge: str) -> FollowEnd:
        """One step from a commit beside the branch to the merge that brought it in."""
        path = ask.path
        blob = self._git.objects().blob_ids([(merge, path)])[0]
        if blob is None:
            path = read_renames(self._git, ask.commit, merge).get(path, "")
            blob = self._git.objects().blob_ids([(merge, path)])[0] if path else None
        if blob == ask.blob:
            return FollowEnd(path, ask.region, blob=blob or "")
        then, now = self.texts([ask.blob, blob or ""])
        if blob is None or then is None or now is None:
            return FollowEnd(ask.path, None)
        step = FileStep(FileVersion(then), FileVersion(now))
        region = step.carry(ask.region)
        if region is UNDECIDED:
            return FollowEnd(path, None, True)
        edited = region is not None and step.is_touched(ask.region, region)
        return FollowEnd(path, region, False, edited, blob=blob)

"""When a branch was where: the state of a repository at a moment, by the times of its commits."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import accumulate

from ..safe.git import Git, is_id

_MOST_COMMITS = 1_000_000
"""How far back a branch is read; what was cited before that is not known."""


class BranchTimes:
    """The commits of a branch itself, merge by merge, with their times. Git is asked once, when it is needed."""

    def __init__(self, git: Git, head: str) -> None:
        self._git = git
        self._head = head

    def find(self, moment: int) -> str:
        """The last commit of the branch that is not after a moment; empty where the branch begins later.

        Raises ChildFailed where git cannot read the branch.
        """
        commits, times = self._read
        # Times fall from the first row to the last, so their opposites rise.
        at = bisect_left(times, -moment)
        return commits[at] if at < len(commits) else ""

    @cached_property
    def _read(self) -> tuple[list[str], list[int]]:
        """The commits, newest first, and the opposite of the time by which each was there.

        A clock may have been wrong. A commit is there by the time of whichever newer one is the earliest: one that
        bears a time too late does not hide those after it.
        """
        flags = ("--first-parent", f"--max-count={_MOST_COMMITS}", "--format=%H %ct", "--no-notes", "--no-decorate")
        listed = self._git.run("log", *flags, "--no-show-signature", self._head, "--")
        rows = [row.partition(" ") for row in listed.decode("ascii", "replace").split("\n")]
        known = [(commit, int(time)) for commit, _, time in rows if is_id(commit) and time.lstrip("-").isdecimal()]
        earliest = accumulate((time for _, time in known), min)
        return [commit for commit, _ in known], [-time for time in earliest]

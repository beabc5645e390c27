"""One pass over the history of all documents, which goes on behind what cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..safe.child import ChildFailed
from ..store.history import pack_lines, unpack_lines
from .patches import Patches

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ..safe.git import Git
    from ..store.history import HistoryState

_LOG = (
    *("log", "-p", "-U0", "-M", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes"),
    *("--no-decorate", "--no-show-signature", "--diff-algorithm=default", "--src-prefix=a/", "--dst-prefix=b/"),
    "--format=%x00%H",
)
_MOST_GAPS = 100
"""Commits that are passed over; where more cannot be read, the pass ends."""


class DocumentPass:
    """Which commit wrote each line that could cite, by document."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self.commits: list[str] = []
        self.documents: dict[str, bytes] = {}
        """Document to a packed map of line digests to numbers in `commits`."""
        self.complaint = ""
        """What git said of the first object that it could not read; empty where all was read."""
        self._doubtful: dict[str, int] = {}
        """Documents that a commit touches which could not be read, with the number of the newest such commit."""

    def take(self, state: HistoryState) -> None:
        """Take over what an earlier pass found."""
        self.commits, self.documents = state.commits, state.documents

    def read(self, revisions: str, patterns: Sequence[str], alive: Container[str], older: HistoryState | None) -> None:
        """Read the log of some commits, and put what is known of `older` ones behind it; `alive` are HEAD's files."""
        patches = Patches(self._git.inside, alive)
        before = older.commits if older is not None else []
        limits = ("--topo-order", revisions, "--", *self._git.below(patterns))
        for _ in range(_MOST_GAPS):
            read = len(patches.commits)
            try:
                for chunk in self._git.stream(*_LOG, f"--skip={read}", *limits):
                    patches.feed(chunk)
                patches.finish()
                break
            except ChildFailed as error:
                self.complaint = self.complaint or str(error)
                patches.break_off()
                if self._pass_over(patches, read, limits, len(before)):
                    continue
                if patches.commits or limits[0] == revisions:
                    break
                # To sort commits, git has to know all of them; by their dates it tells what comes before a broken one.
                limits = limits[1:]
        self._merge(older, patches)

    def knows(self, document: str, number: int) -> bool:
        """Whether a commit that is said to have written a line of a document did: no unread one may have come later."""
        return 0 <= number < len(self.commits) and number < self._doubtful.get(document, len(self.commits))

    def _pass_over(self, patches: Patches, read: int, limits: Sequence[str], shift: int) -> bool:
        """Leave out the commit that could not be read; False where not even its name can be told."""
        try:
            if len(patches.commits) > read and self._can_read(patches.commits[-1], limits):
                # It was the last before one that cannot be read.
                return True
            if len(patches.commits) == read:
                listed = self._git.run("rev-list", f"--skip={read}", "--max-count=1", *limits)
                patches.commits.append(listed.decode("ascii").strip())
            lost = patches.commits[-1]
            flags = ("--name-only", "-z", "-m", "--root", "--no-renames", "--no-commit-id")
            names = self._git.run("diff-tree", "-r", *flags, lost) if lost else b""
        except ChildFailed:
            return False
        for name in names.split(b"\0"):
            path = self._git.inside(name)
            for document in patches.current(path) if path is not None else ():
                self._doubtful.setdefault(document, shift + len(patches.commits) - 1)
        return bool(lost)

    def _can_read(self, commit: str, limits: Sequence[str]) -> bool:
        """Whether all that a commit changed in documents is here."""
        try:
            for _ in self._git.stream(*_LOG, "--no-walk", commit, *limits[limits.index("--") :]):
                continue
        except ChildFailed:
            return False
        return True

    def _merge(self, older: HistoryState | None, patches: Patches) -> None:
        """Put what older commits hold behind what newer ones say, under the names files have now."""
        before = older.commits if older is not None else []
        self.commits = before + patches.commits
        shift = len(before)
        for document, found in patches.found.items():
            self.documents[document] = pack_lines({key: number + shift for key, number in found.items()})
        patches.found = {}
        for name, lines in older.documents.items() if older is not None else ():
            for document in patches.current(name):
                newer = self.documents.get(document)
                try:
                    both = lines if newer is None else pack_lines(unpack_lines(lines) | unpack_lines(newer))
                except ValueError:
                    continue
                self.documents[document] = both

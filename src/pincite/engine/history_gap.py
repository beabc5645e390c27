"""What a run could not compare with history: how much of it, why, and whether that fails the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..checks.lines.drift_unknown import CANNOT_BE_READ, IN_LINK, NOT_TOLD, OF_MIRROR, WAS_ABSENT
from ..text.lines import format_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report, Summary
    from ..safe.git import Git


class HistoryGap:
    """Counts the citations that history was asked about, document by document."""

    def __init__(self) -> None:
        self.compared = 0
        """Citations for which history said what their authors saw."""
        self._unknown = 0
        self._absent = 0
        """Of these, citations of files that git did not have when they were cited."""
        self._unread = 0
        """Of these, citations of files whose old content is missing or damaged."""
        self._linked = 0
        """Of these, citations in documents that are symbolic links."""
        self._untold = 0
        self._why = ""
        """Of these, citations in documents whose history cannot be read, and why the first one cannot."""
        self._lost = 0
        """Paths of which it is unknown whether they ever were files, because history is cut off."""
        self.without_git = False
        """Whether there is a repository and no git to ask."""

    def count(self, report: Report) -> None:
        """Take in what is reported of a document."""
        self.compared += report.compared
        for verdict in report.verdicts:
            if verdict.findings:
                unknown = [finding for finding in verdict.findings if finding.check == "drift-unknown"]
                # What a mirror does not tell is no gap in the history of this repository.
                unknown = [finding for finding in unknown if not finding.message.startswith(OF_MIRROR)]
                self._unknown += bool(unknown)
                self._absent += any(finding.message.startswith(WAS_ABSENT) for finding in unknown)
                self._unread += any(finding.message.startswith(CANNOT_BE_READ) for finding in unknown)
                self._linked += any(finding.message.startswith(IN_LINK) for finding in unknown)
                untold = [finding.message for finding in unknown if finding.message.startswith(NOT_TOLD)]
                self._untold += bool(untold)
                self._why = self._why or "".join(untold[:1]).removeprefix(f"{NOT_TOLD}: ")
                self._lost += verdict.findings[0].check == "existence-unknown"

    @property
    def may_be_filled(self) -> bool:
        """Whether answers would be others once git has objects again that it lacks now: no file tells of that."""
        return self._unread + self._untold > 0

    def explain_absence(self, git: Git | None, root: str, wanted: bool) -> str:
        """Why there is no history to compare with."""
        if not wanted:
            return "switched off"
        if git is not None:
            return "no commits yet"
        from ..safe.git import find_top

        self.without_git = find_top(root) is not None
        return "git is not installed" if self.without_git else "not a git repository"

    def conclude(self, summary: Summary, find_git: Callable[[], Git | None], strict: bool) -> None:
        """Say in the summary which cited lines could not be compared, and why; where none could, a strict run fails."""
        failed = bool(self._unknown and not self.compared) or (self.without_git and summary.citations > 0)
        if (failed or self._lost) and strict:
            summary.exit_code = max(summary.exit_code, 1)
        if self._unknown:
            self._explain(summary, find_git, failed)
        if self._lost:
            which = format_count(self._lost, "path")
            lost = f"{which} that may have been {'a file' if self._lost == 1 else 'files'} once"
            parts = (summary.drift, lost if self._unknown else f"{lost}, because {self._reason(find_git)}")
            summary.drift = "; ".join(filter(None, parts))

    def _explain(self, summary: Summary, find_git: Callable[[], Git | None], failed: bool) -> None:
        """Say how many citations could not be compared, and why."""
        some = format_count(self._unknown, "citation")
        if failed:
            some = f"all {some}" if self._unknown > 1 else "the only citation that could be"
        if summary.drift:
            summary.drift = f"{some}: {summary.drift}"
            return
        reasons = []
        elsewhere = self._absent + self._unread + self._linked + self._untold
        if elsewhere < self._unknown:
            reasons.append("in documents that are not in git")
        if self._absent:
            reasons.append("of files that git did not have when they were cited")
        if self._unread:
            reasons.append("of files whose old versions git cannot read")
        if self._linked:
            reasons.append("in documents that are symbolic links")
        if self._untold:
            reasons.append(f"in documents whose old versions are not here: {self._why}")
        reason = ", or ".join(reasons)
        if elsewhere < self._unknown and self._is_shallow(find_git):
            reason = f"because {self._reason(find_git)}"
        summary.drift = f"{some}, {reason}" if reason.startswith("because") else f"{some} {reason}"

    def _is_shallow(self, find_git: Callable[[], Git | None]) -> bool:
        git = find_git()
        return git is not None and bool(git.boundary())

    def _reason(self, find_git: Callable[[], Git | None]) -> str:
        if self._is_shallow(find_git):
            return "this clone is shallow (git fetch --unshallow; in CI fetch-depth: 0)"
        return "history cannot be read"

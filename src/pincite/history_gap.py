"""What a run could not compare with history: how much of it, why, and whether that fails the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from .model import Report, Summary
    from .safe.git import Git


class HistoryGap:
    """Counts the citations that history was asked about, document by document."""

    def __init__(self) -> None:
        self.compared = 0
        """Citations for which history said what their authors saw."""
        self._unknown = 0
        self.without_git = False
        """Whether there is a repository and no git to ask."""

    def count(self, report: Report) -> None:
        """Take in what is reported of a document."""
        self.compared += report.compared
        for verdict in report.verdicts:
            if verdict.findings:
                self._unknown += any(finding.check == "drift-unknown" for finding in verdict.findings)

    def explain_absence(self, git: Git | None, root: str, wanted: bool) -> str:
        """Why there is no history to compare with."""
        if not wanted:
            return "switched off"
        if git is not None:
            return "no commits yet"
        from .safe.git import find_top

        self.without_git = find_top(root) is not None
        return "git is not installed" if self.without_git else "not a git repository"

    def conclude(self, summary: Summary, find_git: Callable[[], Git | None], strict: bool) -> None:
        """Say in the summary which cited lines could not be compared, and why; where none could, a strict run fails."""
        failed = bool(self._unknown and not self.compared) or (self.without_git and summary.citations > 0)
        if failed and strict:
            summary.exit_code = max(summary.exit_code, 1)
        if not self._unknown:
            return
        some = counted(self._unknown, "citation")
        if failed:
            some = f"all {some}" if self._unknown > 1 else "the only citation that could be"
        if summary.drift:
            summary.drift = f"{some}: {summary.drift}"
            return
        git = find_git()
        if git is not None and git.boundary():
            summary.drift = f"{some}, because this clone is shallow (git fetch --unshallow; in CI fetch-depth: 0)"
        else:
            summary.drift = f"{some} in documents that are not in git"

"""A run compared with a commit: only what a change could have affected is left, and what it hides is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import UsageError
from .base_commit import Base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core.model import Report, Summary
    from ..safe.files import Root
    from ..safe.git import Git
    from .run import Request


class CommitComparison:
    """The commit that a request names, with all that is asked about the change since."""

    def __init__(self, root: Root, git: Git | None, request: Request) -> None:
        if git is None:
            option = "--since" if request.since else "--base"
            raise UsageError(f"{option} needs a git repository; run it inside one or leave the option out")
        self._request = request
        named = request.since or request.base
        self._base = Base(root, git, named, request.config, request.baseline, request.known)
        self._affected = None
        if request.since:
            from .since import Affected

            self._affected = Affected(root, git, request.config, self._base.tree, self._base.altered)

    def part(self, report: Report) -> Report:
        """What is left of a report."""
        self._base.count_ignored(report)
        return report if self._affected is None else self._affected.part(report, self._request.every)

    def conclude(self, summary: Summary, listed: Sequence[str]) -> None:
        """Say what the change keeps from being reported; where warnings fail the run, that does."""
        base, request = self._base, self._request
        if request.stdin is None:
            base.count_excluded(request.paths, listed)
        summary.hidden = base.hidden
        if base.hidden and (request.strict or base.strict):
            base.hidden.fails = True
            summary.exit_code = max(summary.exit_code, 1)

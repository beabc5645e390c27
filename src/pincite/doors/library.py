"""pincite as a library: one call, no global state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Defect, Report, Summary, Verdict
from ..engine.run import Request, Run
from ..project.documents import root_key
from ..project.project import open_project

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from ..project.config import Config


class Result(Struct, frozen=True):
    """What a check found."""

    reports: tuple[Report, ...]
    """One per document with citations, in path order."""
    summary: Summary

    @property
    def ok(self) -> bool:
        """Whether the command line would exit with 0."""
        return self.summary.exit_code == 0

    @property
    def exit_code(self) -> int:
        """0 everything holds, 1 something does not, 2 something could not be read."""
        return self.summary.exit_code

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Every citation with what was found about it."""
        return tuple(verdict for report in self.reports for verdict in report.verdicts)

    @property
    def malformed(self) -> tuple[Defect, ...]:
        """Every malformed citation."""
        return tuple(defect for report in self.reports for defect in report.malformed)


def check(
    paths: Iterable[str | PathLike[str]] = (),
    root: str | PathLike[str] | None = None,
    *,
    config: Config | None = None,
    since: str = "",
    strict: bool = False,
    jobs: int = 1,
    cache: bool = False,
) -> Result:
    """Verify every citation in the given documents or trees; all of the root where none is given.

    `root` is the folder that cited paths are relative to (default: the repository around the working folder),
    `config` the settings (default: the nearest settings file). Relative `paths` are relative to `root` where it is
    given, otherwise to the working folder. Nothing is written unless `cache` is true.
    Raises PinciteError for paths outside the root, unknown revisions and unreadable settings.
    """
    with open_project(root, config=config, option="") as project:
        opened, settings = project.root, project.config
        base = "" if root is None else opened.path
        keys = tuple(root_key(opened, os.fspath(path), base) for path in paths)
        request = Request(
            keys,
            settings,
            every=True,
            since=since,
            strict=strict or settings.strict,
            jobs=jobs,
            cache=cache,
            promises=True,
        )
        run = Run(opened, request)
        return Result(tuple(run.reports()), run.summary)

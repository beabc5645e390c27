"""What a check would have found at older commits: their documents against their own sources, without drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.errors import Refused, UsageError
from ..project.config import add_user_library
from ..project.documents import find_documents
from ..safe.exported_commit import export_commit
from ..store.check_trend import TrendPoint
from .base_commit import read_settings_at
from .drift.follow import Follower
from .pipeline import Engine
from .records import load_records
from .settings import merge_settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report
    from ..project.config import Config
    from ..project.project import Project
    from ..safe.git import Git

_MOST_COMMITS = 100_000
"""Commits from which samples are taken, from HEAD backwards."""
_MALFORMED = "malformed"


def sample_commits(git: Git, most: int) -> list[tuple[str, int]]:
    """Commits of HEAD's first-parent line, evenly spread from the oldest to HEAD, each with its time."""
    head = git.head()
    if head is None or most < 1:
        return []
    flags = ("--first-parent", "--timestamp", f"--max-count={_MOST_COMMITS}")
    listed = git.run("rev-list", *flags, head, "--", *git.below(("",))).decode("ascii").split()
    commits = list(zip(listed[1::2], map(int, listed[::2]), strict=True))[::-1]
    if len(commits) <= most:
        return commits
    if most == 1:
        return commits[-1:]
    return [commits[at * (len(commits) - 1) // (most - 1)] for at in range(most)]


def check_commit(project: Project, git: Git, commit: str, time: int, step: Callable[[], None]) -> TrendPoint:
    """All citations of a commit in numbers, with the settings that it has.

    `step` is called before each file and each document; what it raises ends the check. Neither the work tree nor
    history is looked at: an address of the repository's own forge counts as unchecked. Raises UsageError for a commit
    that is too large.
    """
    config = _choose_settings(project, git, commit)
    outcomes: dict[str, int] = {}
    documents = 0
    with export_commit(git, commit, step) as root:
        locks, accepted = load_records(root)
        engine = Engine(root, config, follower=Follower(None, locks, None, None, accepted), every=True)
        try:
            for path in find_documents(root, None, (), config.endings, config.exclude).documents:
                step()
                try:
                    data = engine.world.read_document(path)
                except Refused:
                    continue
                cites = [_count(report, outcomes) for report in engine.check_parts(path, data)]
                documents += any(cites)
        finally:
            engine.close()
    return TrendPoint(commit, time, documents, outcomes)


def _choose_settings(project: Project, git: Git, commit: str) -> Config:
    """The settings of a commit; today's where those cannot be read, or name what this pincite does not know."""
    then = read_settings_at(git, commit)
    if then is not None:
        try:
            return merge_settings(add_user_library(then))
        except UsageError:
            pass
    return merge_settings(project.config)


def _count(report: Report, outcomes: dict[str, int]) -> bool:
    """Add the citations of a report; whether there are any."""
    for verdict in report.verdicts:
        label = verdict.outcome.label
        outcomes[label] = outcomes.get(label, 0) + 1
    malformed = len(report.malformed) + len(report.silenced)
    if malformed:
        outcomes[_MALFORMED] = outcomes.get(_MALFORMED, 0) + malformed
    return bool(report.verdicts or malformed)

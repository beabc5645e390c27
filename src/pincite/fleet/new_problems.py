"""Problems that came since a time and still stand, and what to type to see them."""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import UsageError
from ..store.shared.overview import label_of
from ..store.shared.teams import DEFAULT_TEAM
from .report_times import format_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..store.shared import SharedStore
    from ..store.shared.records import RepositorySummary, StoredVerdict

MOST_NEW = 1_000
"""New problems that a report lists."""
_MOST_NAMED = 4
"""Documents that a command names; more are named by their repository."""
_OTHER = re.compile(r"[^\w]*(?:https?://|[\w.\-]+(?:/[\w.\-]+)+:[^:\s]*[^:\d\s][^:\s]*:)")
"""A citation of another repository: `owner/name:path:12`, or a link. It is one only where its mirrors are named."""
_LOCAL = re.compile(r"/|[A-Za-z]:[\\/]")


class NewProblem(Struct, frozen=True):
    """A citation that became a problem, and still is one."""

    document: str
    line: int
    outcome: str
    finding: str
    """The check that decided."""
    message: str
    written: str
    """The citation as it is written."""
    citation: str
    """Its number in the repository; text, since it is longer than the numbers of some programs."""
    since: str
    """When it was found, in UTC."""
    commit: str


class NewProblems(Struct, frozen=True):
    """What is new in one repository."""

    id: int
    repository: str
    team: str
    problems: tuple[NewProblem, ...]
    command: str
    """What to type to see them, or to fix those that moved."""


def group_appeared(
    store: SharedStore, summaries: Iterable[RepositorySummary], listed: Iterable[tuple[int, StoredVerdict]]
) -> tuple[NewProblems, ...]:
    """New problems by repository, in the order in which repositories come first."""
    known = {one.id: one for one in summaries}
    groups: dict[int, list[StoredVerdict]] = {}
    for number, verdict in listed:
        if number in known:
            groups.setdefault(number, []).append(verdict)
    found = []
    for number, verdicts in groups.items():
        one = known[number]
        place = store.verdicts.find_repository(number)
        command = name_command(place.location if place is not None else "", verdicts, one.team)
        found.append(NewProblems(number, one.name, one.team, tuple(map(make_problem, verdicts)), command))
    return tuple(found)


def make_problem(one: StoredVerdict) -> NewProblem:
    """A problem as reports and pages show it."""
    return NewProblem(
        *(one.document, one.line, label_of(one.outcome), one.finding, one.message, one.written, str(one.citation)),
        *(format_time(one.since), one.since_commit),
    )


def name_command(location: str, verdicts: Sequence[StoredVerdict], team: str = DEFAULT_TEAM) -> str:
    """What to type to see problems: in the folder of the repository, or in a clone of it."""
    if not location:
        return ""
    paths = list(dict.fromkeys(one.document for one in verdicts))
    named = f" -- {' '.join(map(shlex.quote, paths))}" if len(paths) <= _MOST_NAMED else ""
    # What moved is corrected by `fix`, which only shows what it would write.
    verb = "fix" if all(label_of(one.outcome) == "moved" for one in verdicts) else "check"
    typed = f"{_name_mirrors(verdicts, team)}pincite {verb}{named}"
    if _LOCAL.match(location):
        return f"cd {shlex.quote(location)} && {typed}"
    folder = re.sub(r"\.git$", "", location.rstrip("/")).rpartition("/")[2].rpartition(":")[2]
    return f"git clone {shlex.quote(location)} && cd {shlex.quote(folder)} && {typed}"


def _name_mirrors(verdicts: Sequence[StoredVerdict], team: str) -> str:
    """What has to stand before a command so that it looks into other repositories; empty where none is cited."""
    if not any(_OTHER.match(one.written) for one in verdicts):
        return ""
    from .cluster_worker import mirrors_folder

    place = ""
    with suppress(UsageError):
        place = os.path.join(mirrors_folder(), team)
    # Another machine may have checked; then only its user knows where mirrors are.
    return f"PINCITE_MIRRORS={shlex.quote(place) if os.path.isdir(place) else 'FOLDER'} "

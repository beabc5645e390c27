"""Where most of many problems are, and what to do first: the end of a long report, on one screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text.lines import format_count
from ._problems import inert

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._statistics import RankedRow, Statistics

MANY = 20
"""Problems that a reader looks through; more than these get an overview."""
_ROWS = 3
_WIDTH = 78
"""Columns of a line, so that a screen of 80 columns and 24 lines holds the summary."""
_MOST = 0.5
"""The share of all problems with which a folder is worth naming."""


def format_overview(statistics: Statistics, promised: str, has_baseline: bool) -> Iterator[str]:
    """The checks and documents with most problems, and the next steps; headings are not indented."""
    checks, documents = statistics.checks(), statistics.documents()
    yield "Most by check"
    yield from _table(checks, "check")
    if len(documents) > 1:
        yield "Most by document"
        yield from _table(documents, "document")
    yield "What to do first"
    steps = []
    if promised:
        steps.append(promised)
    if folder := _find_folder(statistics, sum(row.problems for _, row in documents)):
        name, problems = folder
        steps.append(f"{problems:,} are in {name}/: an archive? Then `exclude` it in pincite.toml")
    steps.append(f"Read the gravest: `--limit 20`, `pincite explain {inert(checks[0][0], 40)}`")
    if not has_baseline:
        steps.append("Put the rest aside: `pincite check --baseline FILE --update-baseline`")
    yield from (f"  {number}. {step}" for number, step in enumerate(steps, 1))
    yield "  All numbers: `--statistics`. A page to read: `--format html --output FILE`."


def _find_folder(statistics: Statistics, total: int) -> tuple[str, int] | None:
    """The deepest folder that has most problems and not all, which may be one that is not maintained."""
    folders = [(name, row.problems) for name, row in statistics.folders() if _MOST * total <= row.problems < total]
    if not folders:
        return None
    name, problems = max(folders, key=lambda one: one[0].count("/"))
    return (_cut(name, _WIDTH // 3), problems)


def _table(rows: list[RankedRow], noun: str) -> Iterator[str]:
    """The first rows with their number of problems, and the rest as one."""
    rows = [(name, row) for name, row in rows if row.problems]
    shown = rows if len(rows) <= _ROWS + 1 else rows[:_ROWS]
    rest = sum(row.problems for _, row in rows[len(shown) :])
    digits = len(f"{max(rest, shown[0][1].problems):,}")
    for name, row in shown:
        note = f", {row.repairable:,} repairable" if row.repairable else ""
        yield f"  {row.problems:>{digits},}  {_cut(name, _WIDTH - digits - 4 - len(note))}{note}"
    if rest:
        yield f"  {rest:>{digits},}  in {format_count(len(rows) - len(shown), f'other {noun}')}"


def _cut(name: str, width: int) -> str:
    """The name on one line; the end of a long path says more than its beginning."""
    name = inert(name)
    return name if len(name) <= width else f"…{name[1 - width :]}"

"""
The cited file was renamed, and the citation still has its old name.

Why: git knows the file under a new path, or the cited lines went into another file, and they stand there unchanged.

Example: `src/old.py` became `src/new.py` in commit 1f0c9ae.

Remedy: `pincite fix --write` writes the new path.
"""

from collections.abc import Sequence

from ...core.model import Finding, Outcome, Severity
from ..wording import NewPlace, format_place

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING


def make_finding(then: Sequence[str], to: NewPlace, was: Finding) -> Finding:
    """The new name of the file; `was` says that there is none at the cited path."""
    return _make(f"Renamed to {format_place(to.place)}", then, to, was)


def make_finding_of_lines(then: Sequence[str], to: NewPlace, was: Finding) -> Finding:
    """The file that the cited lines went into."""
    return _make(f"Moved to {format_place(to.place)}", then, to, was)


def _make(what: str, then: Sequence[str], to: NewPlace, was: Finding) -> Finding:
    return to.add_to(Finding("file-renamed", OUTCOME, SEVERITY, f"{what}, unchanged", was.detail), then)

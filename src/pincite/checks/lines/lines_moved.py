"""
The cited lines stand unchanged, or changed in white space only, at another place.

Why: text was inserted or removed above them, they were moved, or the file was renamed. The evidence is intact, the
citation points past it.

Example: after two lines were added at the top, `src/app.py:12` now reads `src/app.py:14`.

Remedy: `pincite fix --write` gives the citation its new place.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.model import Finding, Outcome, Severity
from ..wording import NewPlace, format_place_from, shorten_lines

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING


def make_finding(path: str, before: Sequence[str], after: Sequence[str], since: str, to: NewPlace) -> Finding:
    """Where the lines stand now that were cited from the file at `path`: as they were, or but for white space."""
    same = "unchanged" if before == after else "unchanged but for white space"
    finding = to.add_to(_make(f"{format_place_from(path, to.place)}, {same} {since}"), before)
    # White space may be all the difference between two words, or between two branches.
    return finding if before == after else replace(finding, now=shorten_lines(after))


def make_quoted_finding(text: Sequence[str], to: NewPlace) -> Finding:
    """Where the lines stand that the document quotes above the citation."""
    first = to.place.lines.first if to.place.lines is not None else 1
    return to.add_to(_make(f"L{first}, unchanged: the quoted lines stand there"), text)


def make_passage_finding(line: int) -> Finding:
    """Where the passage begins that the citation names by its id."""
    return _make(f"L{line}, unchanged: the passage of that id begins there")


def _make(where: str) -> Finding:
    return Finding("lines-moved", OUTCOME, SEVERITY, f"Moved to {where}")

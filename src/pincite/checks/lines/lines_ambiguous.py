"""
The cited lines changed place, and their text now stands at several places.

Why: a wrong repair is worse than none. Where the old text occurs more than once and its neighbours do not tell which
is meant, pincite lists the candidates and leaves the choice to a reader.

Example: the cited line was `return None`, which the file now holds four times.

Remedy: pick the right one and correct the citation; a longer range is easier to follow.
"""

from collections.abc import Sequence

from ...core.model import Finding, Outcome, Place, Severity
from ..wording import list_places

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.WARNING


def make_finding(places: Sequence[Place], since: str) -> Finding:
    """Every place where the old text stands."""
    message = f"Changed {since}; the old text stands at several places"
    return Finding("lines-ambiguous", OUTCOME, SEVERITY, message, list_places(places))

"""
The cited lines were deleted.

Why: history shows that they were taken out, that nothing like them came in their place, and that they were not put
elsewhere. What the claim rested on is gone.

Example: the function that `【F:src/app.py†L10-L25】` cited was removed.

Remedy: correct or remove the claim; the old text is in the commit that the finding names.
"""

from collections.abc import Sequence

from ...core.model import Finding, Outcome, Severity
from ..wording import format_first_rows, shorten_lines

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING


def make_finding(before: Sequence[str], since: str) -> Finding:
    """What was cited and stands nowhere any more."""
    gone = format_first_rows([f"-{line}" for line in before])
    return Finding("lines-deleted", OUTCOME, SEVERITY, f"Deleted {since}", gone, then=shorten_lines(before))

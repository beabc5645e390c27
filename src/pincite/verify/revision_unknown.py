"""
A permalink names a commit that this clone does not have.

Why: the link is checked in the commit it names. A shallow clone, or a commit on a branch that was never fetched,
leaves nothing to look at.

Example: `https://github.com/owner/name/blob/1f0c9ae/src/app.py#L12` where `1f0c9ae` is unknown.

Remedy: fetch the commit (`git fetch origin 1f0c9ae`), or correct the link.
"""

from ..model import Citation, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, detail: str) -> str:
    """Which revision is missing."""
    return f"Revision {detail} is not in this clone; the link was not checked"

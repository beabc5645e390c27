"""
A permalink names a commit that this clone does not have.

Why: the link is checked in the commit it names. A shallow clone, or a commit on a branch that was never fetched,
leaves nothing to look at.

Example: `https://github.com/owner/name/blob/1f0c9ae/src/app.py#L12` where `1f0c9ae` is unknown.

Remedy: fetch the commit (`git fetch origin 1f0c9ae`), or correct the link.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """Which revision is missing, or why it could not be looked at."""
    revision, _, trouble = found.detail.partition("\n")
    why = f"cannot be looked at ({trouble})" if trouble else "is not in this clone"
    return f"Revision {revision} {why}; the link was not checked"

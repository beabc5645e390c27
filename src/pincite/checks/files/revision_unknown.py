"""
A permalink names a commit that this clone does not have, or that the mirror of another repository does not have.

Why: the link is checked in the commit it names. A shallow clone, or a commit on a branch that was never fetched,
leaves nothing to look at. Where a mirror cannot be read at all, the message says why.

Example: `https://github.com/owner/name/blob/1f0c9ae/src/app.py#L12` where `1f0c9ae` is unknown.

Remedy: fetch the commit (`git fetch origin 1f0c9ae`), or correct the link.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """Which revision is missing, or why it could not be looked at."""
    revision, _, trouble = found.detail.partition("\n")
    name = citation.source.key.partition(":")[0].partition("@")[0]
    where = f"the mirror of {name}" if citation.source.scheme == "mirror" else "this clone"
    why = f"cannot be looked at ({trouble})" if trouble else f"is not in {where}"
    return f"Revision {revision} {why}; the link was not checked"

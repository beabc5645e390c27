"""
The cited source is not in the corpus.

Why: the corpus is the list of sources that may be cited. What is not in it was cited from memory and cannot be
checked.

Example: `[REF-099]` where no file `REF-099-….md` is in the corpus folder gives
`Citation not in corpus whitelist: REF-099`.

Remedy: remove the citation, or add the source first (`pincite corpus add`). The policy says how grave this is.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """What the policy of the project says of it, with the id."""
    return found.detail

"""
A citation of command output whose id means several captured texts.

Why: an id is the start of a SHA-256, and six digits are shared by two of a few thousand texts as likely as not. Ids
that other tools gave can coincide as well. Whichever text pincite took, it could be the wrong one.

Example: `【a1b2c3†L4】` where the digests of two captured texts begin with `a1b2c3`.

Remedy: look at the candidates with `pincite show`, and write as many digits as it takes to mean one of them.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """How many texts the id means, and the ids that tell them apart."""
    count, _, listed = found.detail.partition(" ")
    more = ", …" if listed.count(",") + 1 < int(count or 0) else ""
    return f"{citation.source.key} means {count} captured texts ({listed}{more}); write more digits of the one you mean"

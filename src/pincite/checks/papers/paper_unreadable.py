"""
The file that lists the cited source cannot be read.

Why: it is not UTF-8, too large, not a regular file, or no bibliography.

Example: a `.bib` file that ends in the middle of an entry.

Remedy: correct the file; the message names it and the place.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.BLOCKED
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """Which file it is, and what keeps it from being read."""
    return found.detail

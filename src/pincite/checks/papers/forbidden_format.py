"""
A source is cited in a form that names nothing in the corpus.

Why: `(Smith et al., 2023)`, `[1]` and `Smith (2023)` cannot be looked up, and are how citations from memory are
written. The policy lists the forms it forbids.

Example: `Voice consistency improves quality (Smith et al., 2023).`

Remedy: cite the paper by its id (`[REF-043, p.15]`), or add it to the corpus first.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """The words, and what to write instead."""
    return f"{citation.raw} names no source of the corpus: cite by id, as [REF-043, p.15]"

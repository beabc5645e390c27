"""
A reference that another tool left behind and that points at nothing that can be looked up.

Why: `【4:0†source】` and `【24†source】` are positions in a conversation that is not part of the document.

Example: text pasted from a chat with its reference marks.

Remedy: replace it by a citation of the source itself.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """Why nothing was checked."""
    return f"{citation.raw} is opaque: it names nothing that can be checked"

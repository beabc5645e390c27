"""
Captured output that is no longer what was captured.

Why: an id is the start of a SHA-256 over the text. Where the stored bytes do not have that digest any more, or are
gone, nothing they say is evidence.

Example: `【a1b2c3†L4】`, and the file `a1b2c3.txt` of the bundle was edited after it was exported.

Remedy: bring back the original (from version control, or by exporting again where it was captured), or run the command
again and cite the new output. `pincite doctor` names everything that is damaged in the store.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """Whose text is damaged, and how that shows."""
    return f"The text of {citation.source.key} is damaged ({found.detail})"

"""
A citation of command output, for which no captured output is at hand.

Why: `【abc123†L1-L7】` points at output by the start of its SHA-256. Without the recorded text nothing can be compared.

Example: `【d05d1b†L1-L6】` copied from an agent's session.

Remedy: keep the output beside the document, or cite a file.
"""

from ..model import Citation, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, detail: str) -> str:
    """Which output is missing."""
    return f"No captured output {citation.source.key} is at hand; the citation was not checked"

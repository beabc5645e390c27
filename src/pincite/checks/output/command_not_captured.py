"""
A citation of command output, for which no captured output is at hand.

Why: `【abc123†L1-L7】` points at output by the start of its SHA-256. Without the recorded text nothing can be compared.

Example: `【d05d1b†L1-L6】` copied from an agent's session, in a clone without that session's store or a bundle.

Remedy: capture the output with `pincite run -- COMMAND` and cite what it prints; take in another tool's log with
`pincite capture FILE --id ID`; or have its owner share it with `pincite export`. Bundles are found anywhere in
the tree.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """Which output is missing, and what kept it from being found where that is known."""
    why = f" ({found.detail})" if found.detail else ""
    return f"No captured output {citation.source.key} is at hand{why}; the citation was not checked"

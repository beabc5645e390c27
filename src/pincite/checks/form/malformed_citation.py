"""
Text that is meant as a citation and cannot be read as one.

Why: a citation that cannot be resolved looks like evidence and is none.

Example: `【F:src/app.py†L25-L10】` (the range ends before it starts), `【F:src/app.py】` (no lines), a memory whose
frontmatter is not valid.

Remedy: the message says what was expected.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity
from ...papers.ids import EXPECTED

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """What an id of a paper looks like. Of all other malformed text its dialect says what was expected."""
    return f"{found.detail} is no id of a paper (expected {EXPECTED})"

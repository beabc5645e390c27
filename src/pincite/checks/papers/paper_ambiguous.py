"""
Two corpus files have the same id.

Why: which paper a citation means is then a matter of luck.

Example: `REF-043-voice.md` and `REF-043-style.md` in one corpus.

Remedy: give one of them another id; `pincite corpus check` lists them all.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """Both files by name."""
    return f"{citation.source.key} has more than one corpus file: {found.detail}"

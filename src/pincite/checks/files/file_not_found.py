"""
There is no file at the cited path.

Why: the file was deleted, renamed, or never existed. A folder, device or pipe at the path counts as no file.

Example: `【F:src/old.py†L3】` after `git rm src/old.py` gives `File not found: src/old.py`.

Remedy: point the citation at the file's new place (`pincite fix` does it where the text is unchanged and git
knows where it went, `--interactive` also where it was edited), or remove it.
"""

from ...core.model import Citation, Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def message(citation: Citation, detail: str) -> str:
    """The reason in the words of the memory format."""
    return f"File not found: {detail or citation.source.key}"

"""
The cited path leads, or could lead, outside the repository.

Why: a citation is text from a document, and documents are not trusted. Absolute paths, `..` above the root, drive
letters and links that point out are refused before a byte is read.

Example: `【F:../../etc/passwd†L1】` gives `Path traversal blocked: ../../etc/passwd`.

Remedy: cite by a path relative to the root, without `../` escapes. If the file belongs to the project, move it inside
or pass a higher folder with `--root`.
"""

from ..model import Citation, Outcome, Severity

OUTCOME = Outcome.BLOCKED
SEVERITY = Severity.ERROR


def message(citation: Citation, detail: str) -> str:
    """The reason in the words of the memory format."""
    return f"Path traversal blocked: {detail or citation.source.key}"

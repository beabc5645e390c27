"""
The cited path leads, or could lead, outside the repository.

Why: a citation is text from a document, and documents are not trusted. Absolute paths, `..` above the root, drive
letters and links that point out are refused before a byte is read.

Example: `【F:../../etc/passwd†L1】` gives `Path traversal blocked: ../../etc/passwd`. The absolute path of a footnote
or of a `file://` link is read where it lies below the root, and blocked where it does not.

Remedy: cite by a path relative to the root, without `../` escapes. If the file belongs to the project, move it inside
or pass a higher folder with `--root`.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.BLOCKED
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """The reason in the words of the memory format; where an absolute path may be cited, how to write it instead."""
    path = found.detail or citation.source.key
    said = f"Path traversal blocked: {path}"
    if path.startswith("/") and citation.dialect in ("link", "footnote", "section"):
        return f"{said} lies outside the root; cite a file of the project by its path from the root, such as docs/a.md"
    return said

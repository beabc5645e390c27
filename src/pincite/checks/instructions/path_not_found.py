"""
An instruction file names a file or folder that the repository does not have.

Why: it was renamed, moved or deleted, or never existed. The path is looked for from the root, from the folder of the
document and those above it, and as the end of any path. It is judged only where its first folder is there, or where git
knows that it was; what git ignores, what tools make, and what the sentence says to create, calls removed or gives as
an example is not.

Example: `` `.github/workflows/AGENTS.md` `` after that file was deleted.

Remedy: name the path that is meant (`pincite fix` does it where git knows the file's new name), or remove it.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """What is not there."""
    kind = "folder" if citation.raw.endswith("/") else "file"
    return f"No such {kind}: {found.detail or citation.source.key}"

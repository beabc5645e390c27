"""
Several files go by the cited name.

Why: `[guide.md, §Installing]` gives a name and no path. The tree holds more than one file of that name, so it is
unclear which one is meant; none of them is read.

Example: `[guide.md, §Installing]` with `docs/guide.md` and `old/guide.md` in the tree.

Remedy: cite the file by its path: `[docs/guide.md, §Installing]`.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """How many files have the name, and which."""
    return f"{len(found.paths)} files are called {found.detail}: {', '.join(found.paths)}"

"""
Several files go by the cited name, or by the cited end of a path.

Why: `[guide.md, §Installing]` and `core.py:12` give a name and no path, `harness/core.py:12` the end of one. The tree
holds more than one such file, so it is unclear which one is meant. That one of them lies nearer says nothing; that
only one has the cited lines does. `owner/name:src/app.py:12` is as unclear where mirrors of two hosts have the owner
and the name.

Example: `[guide.md, §Installing]` with `docs/guide.md` and `old/guide.md` in the tree.

Remedy: cite the file by its path: `[docs/guide.md, §Installing]`, or by more of its end; a file of another repository
with the host, `github.com/owner/name:src/app.py:12`.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """How many files have the name, and which."""
    if citation.source.scheme == "repository":
        return f"{len(found.paths)} mirrors are called {found.detail}: {', '.join(found.paths)}"
    known_by = "end in" if "/" in found.detail else "are called"
    return f"{len(found.paths)} files {known_by} {found.detail}: {', '.join(found.paths)}"

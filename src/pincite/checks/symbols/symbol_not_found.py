"""
The cited file defines nothing of that name.

Why: the definition was renamed, removed or moved to another file. A name is looked for from the top of the file, with
dots between its parts (`Server.start`); the end of it is enough where only one definition ends so. A definition with
the same body under another name is not taken for it: the new name may mean another thing. Names that are
spelled much alike are listed.

Example: `src/app.py::Server.strat` of a file that defines `Server.start`.

Remedy: cite the definition by the name it has now.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.ERROR


def message(citation: Citation, found: Obstacle) -> str:
    """What is not there, and where."""
    path, _, name = citation.source.key.partition("::")
    return f"No definition of {name} in {path}"


def detail(found: Obstacle) -> str:
    """The names that are spelled much alike, one per line."""
    return "\n".join(f"close: {name}" for name in found.detail.split("\n")) if found.detail else ""

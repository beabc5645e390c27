"""
An instruction file names a command that the project does not define.

Why: the target, script or recipe was renamed or removed, or never existed. People lose time on it; an agent tries it,
fails, and makes something up. A command is judged only where the file that would define it can be read whole: what
includes files from elsewhere, makes rules from variables, or runs any installed program is not judged. Names that are
spelled much alike are listed.

Example: `` `make lint` `` in `AGENTS.md`, and a `Makefile` with the targets `docs` and `docs-lint` only.

Remedy: name a command that exists, or define this one.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """What is not defined, and where."""
    return found.detail


def detail(found: Obstacle) -> str:
    """The names that come nearest."""
    return f"defined there: {', '.join(found.paths)}" if found.paths else ""

"""
The cited file defines several things of that name.

Why: overloads, variants for several platforms, methods of two classes, a class that is opened twice: the name
does not say which definition is meant, so none is taken. What belongs together counts as one definition: a prototype
and its function, `@overload` stubs or overload signatures and the function behind them, a property and its setter.

Example: `src/net.py::start` of a file with `Server.start` and `Client.start`.

Remedy: write more of the name (`src/net.py::Server.start`); where that is the same too, cite the lines.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """What the name may mean."""
    path, _, name = citation.source.key.partition("::")
    return f"{name} has several definitions in {path}"


def detail(found: Obstacle) -> str:
    """The definitions, one per line."""
    return found.detail

"""
A citation of a symbol by name.

Why: `[cite:function](path::name)` cites a definition, wherever it stands in the file. Only that the file exists was
looked at.

Example: `[cite:function](src/app.py::main)`.

Remedy: cite the lines as well where the exact text matters: `[cite:file](src/app.py:42)`.
"""

from ..model import Citation, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, detail: str) -> str:
    """What was not looked at."""
    path, _, name = citation.source.key.partition("::")
    return f"The symbol {name} in {path} was not looked up"

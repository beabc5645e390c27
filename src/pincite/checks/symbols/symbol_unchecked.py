"""
A citation of a symbol by name that could not be looked up.

Why: `path::name` cites a definition, wherever it stands in the file. Definitions are found in Python, JavaScript,
TypeScript, Go, Rust, Java, C, C++, C#, Ruby, PHP and shell, by grammars that come with
`pip install 'pincite[symbols]'`. For other files, without the grammars, and where a file is too large or too tangled,
only that the file exists was looked at.

Example: `[cite:function](src/app.py::main)` where the grammars are not installed.

Remedy: install the grammars; for other languages cite the lines: `[cite:file](src/app.lua:42)`.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """What was not looked at, and why."""
    path, _, name = citation.source.key.partition("::")
    return f"The symbol {name} in {path} was not looked up" + (f": {found.detail}" if found.detail else "")

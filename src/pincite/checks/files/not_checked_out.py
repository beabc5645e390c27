"""
The cited file belongs to the repository and is not checked out here.

Why: a clone without `--recurse-submodules` has empty folders where submodules belong, and a sparse checkout leaves
files out. The citation may be right, but the text was not seen. That is *unchecked*, never nothing and never an error.

Example: `lib/util.py:12` where `lib` is a submodule that was not fetched. Under `--strict` it fails the run.

Remedy: `git submodule update --init`, or `git sparse-checkout add FOLDER`.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """Which file is meant, and why it is not here."""
    return f"Not checked out: {found.detail}"

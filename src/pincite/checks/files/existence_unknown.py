"""
A path with a line number that names no file now, where history that would say whether it ever did is not here.

Why: `lib/old.py:12` in prose is a citation if `lib/old.py` is a file or once was one. A shallow clone knows a few
commits only: a file that was removed earlier is as unknown to it as one that never was. That is *unchecked*, never
nothing.

Example: `lib/old.py:12` in a CI job that fetched one commit. Under `--strict` it fails the run.

Remedy: fetch the history (`git fetch --unshallow`, or `fetch-depth: 0` in the workflow).
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.NOTE


def message(citation: Citation, found: Obstacle) -> str:
    """Which path is meant, and why nothing can be said of it."""
    return f"No file {found.detail} is here; whether there was one cannot be told, because history is cut off"

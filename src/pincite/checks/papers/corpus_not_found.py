"""
A paper is cited by id, and the project has no corpus.

Why: without the corpus the id means nothing.

Example: `[REF-043, p.15]` in a repository without `.aiwg/research/corpus/`.

Remedy: create the corpus (`pincite corpus add`), or name its folder as `path` under `[corpus]` in the settings.
"""

from ...core.model import Citation, Obstacle, Outcome, Severity

OUTCOME = Outcome.UNCHECKED
SEVERITY = Severity.WARNING


def message(citation: Citation, found: Obstacle) -> str:
    """Where the corpus was looked for."""
    return f"{citation.source.key} is not checked: there is no corpus at {found.detail}"

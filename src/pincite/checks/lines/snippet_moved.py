"""
The quoted snippet stands on another line than the cited one.

Why: the text is intact and exactly one line holds it, so only the number (or the path, after a rename) is out of
date.

Example: `Snippet mismatch at line 42. Expected 'retry = 3', got ''. It stands on line 47`.

Remedy: `pincite fix --write` corrects `line` and `path`.
"""

from ...core.model import Citation, Finding, Outcome, Severity
from ..wording import NewPlace

OUTCOME = Outcome.MOVED
SEVERITY = Severity.ERROR


def make_finding(citation: Citation, words: str, to: NewPlace, was: Finding) -> Finding:
    """Where the words stand that are not on the cited line; `was` says what stands there instead."""
    line = to.place.lines.first if to.place.lines is not None else 1
    where = f" of {to.place.path}" if to.place.path != citation.source.key else ""
    message = f"{was.message}. It stands on line {line}{where}"
    return to.add_to(Finding("snippet-moved", OUTCOME, SEVERITY, message, was.detail), [words])

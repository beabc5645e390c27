"""
The quoted snippet stands on another line than the cited one.

Why: the text is intact and exactly one line holds it, so only the number (or the path, after a rename) is out of
date.

Example: `Snippet mismatch at line 42. Expected 'retry = 3', got ''. It stands on line 47`.

Remedy: `pincite fix --write` corrects `line` and `path`.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.MOVED
SEVERITY = Severity.ERROR

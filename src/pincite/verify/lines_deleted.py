"""
The cited lines were deleted, and nothing was put in their place.

Why: the lines before and after them now follow each other directly. What the claim rested on is gone.

Example: the function that `【F:src/app.py†L10-L25】` cited was removed.

Remedy: correct or remove the claim; the old text is in the commit that the finding names.
"""

from ..model import Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING

"""
The cited lines were deleted.

Why: history shows that they were taken out, that nothing like them came in their place, and that they were not put
elsewhere. What the claim rested on is gone.

Example: the function that `【F:src/app.py†L10-L25】` cited was removed.

Remedy: correct or remove the claim; the old text is in the commit that the finding names.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.MISSING
SEVERITY = Severity.WARNING

"""
The cited lines are not what they were when the citation was written.

Why: a citation without a snippet still has a witness, the commit that last touched the citing line. What the cited
lines said in that commit is what its author saw. Here they say something else now, and the old text is found nowhere.

Example: the citing line was written in commit 1f0c9ae; since then `retry = 3` on the cited line became `retry = 5`.

Remedy: read the lines again. If the claim still holds, touch the citing line (or cite the right lines); if not,
correct the claim.
"""

from ..model import Outcome, Severity

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING

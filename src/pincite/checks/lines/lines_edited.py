"""
The cited lines are not what they were when the citation was written.

Why: a citation without a snippet still has a witness, the commit that last touched the citing line. What the cited
lines said in that commit is what its author saw. They were edited since, at their place or on the way to another one,
which the finding names then.

Example: the citing line was written in commit 1f0c9ae; since then `retry = 3` on the cited line became `retry = 5`.

Remedy: read the lines again. If the claim does not hold any more, correct it. If it does, touch the citing line, or,
where the lines have another place, let `pincite fix --interactive` show both and correct the citation.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.WARNING

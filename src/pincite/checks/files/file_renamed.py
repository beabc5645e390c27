"""
The cited file was renamed, and the citation still has its old name.

Why: git knows the file under a new path, or the cited lines went into another file, and they stand there unchanged.

Example: `src/old.py` became `src/new.py` in commit 1f0c9ae.

Remedy: `pincite fix --write` writes the new path.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING

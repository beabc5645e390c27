"""
The cited lines stand unchanged, or changed in white space only, at another place.

Why: text was inserted or removed above them, they were moved, or the file was renamed. The evidence is intact, the
citation points past it.

Example: after two lines were added at the top, `src/app.py:12` now reads `src/app.py:14`.

Remedy: `pincite fix --write` gives the citation its new place.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.MOVED
SEVERITY = Severity.WARNING

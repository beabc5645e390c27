"""
The cited lines changed place, and their text now stands at several places.

Why: a wrong repair is worse than none. Where the old text occurs more than once and its neighbours do not tell which
is meant, pincite lists the candidates and leaves the choice to a reader.

Example: the cited line was `return None`, which the file now holds four times.

Remedy: pick the right one and correct the citation; a longer range is easier to follow.
"""

from ...core.model import Outcome, Severity

OUTCOME = Outcome.AMBIGUOUS
SEVERITY = Severity.WARNING

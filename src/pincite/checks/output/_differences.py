"""Figures that say by how much something differs, and lines of output that compare: `5 points lower`, `delta -17`."""

import re
from collections.abc import Sequence

_COMPARATIVES = frozenset(
    "lower higher faster slower better worse smaller larger bigger cheaper longer shorter quicker lighter "
    "heavier".split()
)
_BETWEEN = frozenset(
    "point points percentage percent pct % times x ns µs us ms s sec second seconds min minutes h hours b kb mb gb tb "
    "kib mib gib bytes".split()
)
"""What may stand between a figure and the word that compares."""
_COMPARING = re.compile(
    r"\b(?:than|lower|higher|more|less|fewer|faster|slower|better|worse|smaller|larger|bigger|down|up|decreas\w*"
    r"|increas\w*|drop\w*|rose|fell|gain\w*|loss|diff\w*|delta|chang\w*|improv\w*|regress\w*|reduc\w*|speed\w*"
    r"|overhead|relative|ratio|vs|saved?|savings?|shrank|grew|growth|compar\w*|baseline)\b"
    r"|[Δ±×]|(?<!\w)[+−-][0-9]|[0-9]x\b",
    re.IGNORECASE,
)


def is_difference(behind: Sequence[str]) -> bool:
    """Whether the words behind a figure, in lower case, say that it is a difference."""
    return next((word in _COMPARATIVES for word in behind if word not in _BETWEEN), False)


def compares(line: str) -> bool:
    """Whether a line of output compares: by a word, a sign or a ratio."""
    return _COMPARING.search(line) is not None

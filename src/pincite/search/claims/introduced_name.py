"""The name that a citation is put behind: `` `read_gauge` (src/gauge.py:12) ``."""

from __future__ import annotations

import re

_LONGEST = 200
_INTRODUCED = re.compile(
    # Example: `read_gauge` is defined in (`
    r"""
    `(?P<name>[A-Za-z_][\w.:]{3,120}?)(?:\(\))?`[*_]{0,2}
    (?:[ ](?:at|in|is[ ](?:at|in)|lives[ ]in|is[ ]defined[ ](?:at|in)|defined[ ](?:at|in)))?
    [ \t]?[—–:]?[ \t]?[(\[]?[`*_]{0,3}\Z
    """,
    re.VERBOSE,
)
_PARTS = re.compile(r"[.:]+")
# Two words in one, or a call: a plain word between backticks may be anything.
_TELLING = re.compile(r"_?[a-z0-9]+_\w|[A-Z]?[a-z0-9]+[A-Z]\w")


def find_introduced_name(before: str) -> str:
    """The last part of the name right before a citation; empty where no telling name stands there."""
    match = _INTRODUCED.search(before[-_LONGEST:])
    if match is None:
        return ""
    name = _PARTS.split(match["name"].rstrip(".:"))[-1]
    return name if _TELLING.match(name) else ""

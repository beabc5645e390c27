"""Ids of papers: `REF-` and three digits, and from the thousandth paper on as many as the number has."""

from __future__ import annotations

PATTERN = r"REF-(?:[0-9]{3}|[1-9][0-9]{3,5})"
"""An id. A longer number begins with no zero, so that `REF-0435` is none and no paper has two ids."""
EXPECTED = "REF- and three digits, or four and more from REF-1000 on"
HIGHEST = 999_999
_USUAL, _LONGEST = 3, 6
_LEAD = len("REF-")


def is_number(digits: str) -> bool:
    """Whether digits are those of an id."""
    return len(digits) == _USUAL or (_USUAL < len(digits) <= _LONGEST and digits[0] != "0")


def is_id(key: str) -> bool:
    """Whether `REF-` and digits are an id."""
    return is_number(key[_LEAD:])


def id_order(identity: str) -> tuple[int, str]:
    """A key that sorts ids by their numbers."""
    return len(identity), identity

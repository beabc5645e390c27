"""Whether a term stands in a text by itself: not as part of a longer word, option or number."""

from __future__ import annotations

import re

MOST = 400
"""Places of one term in one file that are looked at."""
# What follows is told to people, not to a machine. A mark without a blank behind it may be `#define` or `--option`.
_COMMENT = re.compile(r"[ \t]*+(?:/\*|//|\*[ \t]|#[ \t]|--[ \t]|<!--)|.{0,400}?[ \t](?://|/\*|#[ \t]|--[ \t])")


def places(text: str, term: str, most: int = MOST) -> list[int]:
    """Where a term begins that stands by itself, the first ones."""
    found: list[int] = []
    head, tail, option = is_wordy(term[:1]), is_wordy(term[-1:]), term[:1] == "-"
    at = -1
    while len(found) < most and (at := text.find(term, at + 1)) >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(term) : at + len(term) + 1]
        if (head or option) and (is_wordy(before) or (option and before == "-")):
            continue
        if not (tail and (is_wordy(after) or (option and after == "-"))):
            found.append(at)
    return found


def stands(text: str, term: str) -> bool:
    """Whether a term stands by itself anywhere in a text."""
    return bool(term) and bool(places(text, term, 1))


def values(text: str, number: str, most: int = MOST) -> list[int]:
    """Where a number begins that is the same number, with or without marks between its digits."""
    return [match.start() for match, _ in zip(re.finditer(_same(number), text), range(most), strict=False)]


def _same(number: str) -> str:
    """No part of a longer number, of a version, of a date, or of a name such as `L-1.1` and `sha-256`."""
    plain = number.replace(",", "").replace("_", "")
    return (
        r"(?<![\w.])(?<!\w-)(?<!\d,(?=\d{3}(?!\d)))"
        + r"[_,]?".join(re.escape(char) for char in plain)
        + r"(?![\w.]{0,40}\d)(?!-\d)(?!,\d{3}(?!\d))"
    )


def is_told(before: str) -> bool:
    """Whether what comes behind the beginning of a line of code is in a comment."""
    return _COMMENT.match(before) is not None


def is_wordy(char: str) -> bool:
    """Whether a character belongs to words."""
    return char.isalnum() or char == "_"

"""Whether a term stands in a text by itself: not as part of a longer word, option or number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 400
"""Places of one term in one file that are looked at."""
_MOST_TRIED = 10_000
"""The same with those inside longer words."""
_THREE = re.compile(r"\d{3}(?!\d)")
# What follows is for people, not for a machine. A mark without a blank behind it may be `#define` or `--option`.
_COMMENT = re.compile(r"[ \t]*+(?:/\*|//|\*[ \t]|#[ \t]|--[ \t]|<!--)|.{0,400}?[ \t](?://|/\*|#[ \t]|--[ \t])")


def places(text: str, term: str, most: int = MOST) -> Iterator[int]:
    """Where a term begins that stands by itself, the first ones."""
    head, tail, option = is_wordy(term[:1]), is_wordy(term[-1:]), term[:1] == "-"
    joined = option or "-" in term
    at, found = -1, 0
    for _ in range(_MOST_TRIED):
        at = text.find(term, at + 1)
        if at < 0 or found == most:
            return
        before, after = text[at - 1 : at] if at else "", text[at + len(term) : at + len(term) + 1]
        if (head or option) and (is_wordy(before) or (joined and before == "-")):
            continue
        if not (tail and (is_wordy(after) or (joined and after == "-"))):
            found += 1
            yield at


def stands(text: str, term: str) -> bool:
    """Whether a term stands by itself anywhere in a text."""
    return bool(term) and any(True for _ in places(text, term, 1))


def values(text: str, number: str, most: int = MOST) -> list[int]:
    """Where a number begins that is the same number, with or without marks between its digits.

    No part of a longer number, of a version, of a date, or of a name such as `L-1.1` and `sha-256`.
    """
    plain = number.replace(",", "").replace("_", "")
    size = len(plain.partition(".")[0])
    # A comma parts thousands; elsewhere it parts two numbers.
    digits = "".join(
        ("" if at in (0, size) else "[_,]?" if at < size and (size - at) % 3 == 0 else "_?") + re.escape(char)
        for at, char in enumerate(plain)
    )
    pattern = digits + r"(?![\w.]{0,40}\d)(?!-\d)(?!,\d{3}(?!\d))"
    found: list[int] = []
    # What comes before is looked at last: the search for a digit is quick only where the pattern begins with it.
    for match in re.finditer(pattern, text):
        if _is_begun(text, match.start()):
            continue
        found.append(match.start())
        if len(found) == most:
            break
    return found


def _is_begun(text: str, at: int) -> bool:
    """Whether a number goes on from what comes before it."""
    last, other = text[at - 1 : at] if at else "", text[at - 2 : at - 1] if at > 1 else ""
    if last == "-":
        return is_wordy(other)
    if last == "," and other.isdigit():
        return _THREE.match(text, at) is not None
    return is_wordy(last) or last == "."


def is_in_comment(before: str) -> bool:
    """Whether what comes behind the beginning of a line of code is in a comment."""
    return _COMMENT.match(before) is not None


def is_wordy(char: str) -> bool:
    """Whether a character belongs to words."""
    return char.isalnum() or char == "_"

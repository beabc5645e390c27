"""Where quoted words stand in a line.

Words match as a part of the line, so `our =` matches `four = 4`. A number is never cut: `retries = 3` does not match
`retries = 30`, `retries = 3.5`, `retries = 3_000` or `retries = 3k`, which say something else.
"""

from __future__ import annotations

_SEPARATORS = frozenset(".,_'\u2019\u2009\u202f")
"""What stands between the digits of one number: `3.5`, `3,000`, `3_000`, `3'000`, and narrow spaces."""
_SIGNS = frozenset("-+\u2212")
_OPERANDS = frozenset("_)]}")
"""What may end an operand, beside letters and digits: a minus behind it subtracts and is no sign."""
_WORD_BOUNDARIES = ' \t:;()[]{}="'
"""What is never a part of a number, on either side."""
_LONGEST_TOKEN = 64
_MOST_COMPARED = 1 << 26
"""Characters compared in one line before the search ends: only a line made for it has so many cut matches."""


def find_snippet(words: str, line: str) -> int:
    """The offset at which the words stand in a line without cutting a number; -1 where they do not."""
    at = line.find(words)
    size = len(words)
    left = _MOST_COMPARED
    while at >= 0 and (cuts_number(line, at) or cuts_number(line, at + size)):
        left -= size + 1
        at = line.find(words, at + 1) if left > 0 else -1
    return at


def has_snippet(words: str, line: str) -> bool:
    """Whether the words stand in a line without cutting a number."""
    at = line.find(words)
    if at < 0:
        return False
    end = at + len(words)
    if (not at or line[at - 1] in _WORD_BOUNDARIES) and (end == len(line) or line[end] in _WORD_BOUNDARIES):
        # The usual case, without a call: most snippets are whole lines but for the indent.
        return True
    return find_snippet(words, line) >= 0


def cuts_number(line: str, at: int) -> bool:
    """Whether an offset lies inside a number."""
    if not 0 < at < len(line):
        return False
    before, after = line[at - 1], line[at]
    if after.isdigit():
        return before.isdigit() or _continues_number(line, at, before)
    if before.isdigit() and after in _SEPARATORS and line[at + 1 : at + 2].isdigit():
        return True
    return _is_word(before) and _is_word(after) and _starts_with_digit(line, at)


def _continues_number(line: str, at: int, before: str) -> bool:
    """Whether the digit at an offset belongs to a number that began before it."""
    earlier = line[at - 2 : at - 1] if at > 1 else ""
    if before in _SEPARATORS and earlier.isdigit():
        return True
    if before == ".":
        # `.5`, but neither `pair.0` nor the end of `1..5`.
        return not (earlier.isalnum() or earlier in _OPERANDS or earlier == ".")
    if before in _SIGNS:
        if earlier in ("e", "E"):
            return _starts_with_digit(line, at - 1)
        return before != "+" and not (earlier.isalnum() or earlier in _OPERANDS)
    return _is_word(before) and _starts_with_digit(line, at)


def _is_word(sign: str) -> bool:
    return sign == "_" or (sign.isascii() and sign.isalnum())


def _starts_with_digit(line: str, at: int) -> bool:
    """Whether the word that goes on at an offset began with a digit, as `0x3F`, `3e5` and `30ms` do."""
    start = at
    while start > max(0, at - _LONGEST_TOKEN) and _is_word(line[start - 1]):
        start -= 1
    return line[start].isdigit()

"""What numbers are said to count (passed, failed, skipped) or to differ by, and numbers that are written in words."""

import re
from collections.abc import Iterator, Sequence

from ...text.cjk_numbers import separate_counts
from ...text.number_words import NUMBER_WORDS, read_number_words

_STEMS = {
    "pass": "pass passes passed passing succeeded succeeds",
    "fail": "fail fails failed failing failure failures",
    "skip": "skip skips skipped",
    "error": "error errors errored",
    "warning": "warning warnings",
}
KINDS = {word: kind for kind, words in _STEMS.items() for word in words.split()}
_KIND = "|".join(sorted(KINDS, key=len, reverse=True))
_NOUN = (
    r"(?:(?:unit|test|integration)[ \t]+)?(?:tests?|checks?|cases?|specs?|suites?|assertions?|examples?|files?|runs?)"
)
_GLUED = re.compile(rf"(?<![\w.,/-])([0-9]+)((?:{_NOUN}|{_KIND}|items?|records?|lines?))\b", re.IGNORECASE)
_VERB = r"(?:are|is|was|were|have|has|all)"
_BEHIND = re.compile(
    # Example: `3 of 12 tests have failed`.
    rf"""
    [ \t]*(?:(?:of|out\ of|/)[ \t]*(?:the[ \t]+)?[0-9][0-9,_]*[ \t]+)?
    (?:{_NOUN}[ \t]+)?(?:{_VERB}[ \t]+)?({_KIND})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE = re.compile(rf"\b({_KIND})[ \t]*(?:[:=]|is|are|was|were)[ \t]*\Z", re.IGNORECASE)
_LONGEST = 24
_SHOWN = re.compile(
    # Examples: `12 tests passed`, `failed: 3`.
    rf"""
    (?<![\w.,-])([0-9][0-9,_]*)[ \t]+(?:{_NOUN}[ \t]+)?({_KIND})(?![\w-]|[ \t]*[:=][ \t]*[0-9])
    |(?<![\w-])({_KIND})[ \t]*[:=][ \t]*([0-9][0-9,_]*)(?![\w.%]|,[0-9])
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A billion is a unit to those who read the figures of output, and is rounded there.
_ANY = "|".join(sorted([*NUMBER_WORDS, "hundred", "thousand", "million"], key=len, reverse=True))
_IN_WORDS = re.compile(
    rf"(?<![\w-])(?:a[ \t]+)?(?:{_ANY})(?:(?:[ \t]+and[ \t]+|[ \t]+|-)(?:{_ANY}))*(?![\w-])", re.IGNORECASE
)
_PART = re.compile(r"[a-z]+")
_SMALL = 12
_NONE = re.compile(
    # Examples: `no tests failed`, `no errors`.
    rf"""
    \b(?:no|none\ of\ the)[ \t]+(?={_NOUN}[ \t]+(?:{_VERB}[ \t]+)?(?:fail|error|skip)
    |(?:failures?|errors|warnings|failed[ \t]+tests?|skipped[ \t]+tests?)\b)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WIDE = {0xFF10 + digit: str(digit) for digit in range(10)} | {0xFF05: "%", 0xFF0E: ".", 0xFF0C: ","}
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
# Two digits at least: names begin with one, as `3scale` does.
_GLUED_WORD = re.compile(r"(?<![\w.,/-])([0-9]{2,30})([A-Za-z\u00c0-\u052f]{4,60})(?![\w-])")
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
    # Examples: `faster than`, `+12`, `2x`.
    r"""
    \b(?:than|lower|higher|more|less|fewer|faster|slower|better|worse|smaller|larger|bigger|down|up|decreas\w*
    |increas\w*|drop\w*|rose|fell|gain\w*|loss|diff\w*|delta|chang\w*|improv\w*|regress\w*|reduc\w*|speed\w*
    |overhead|relative|ratio|vs|saved?|savings?|shrank|grew|growth|compar\w*|baseline)\b
    |[Δ±×]|(?<!\w)[+−-][0-9]|[0-9]x\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def write_digits(text: str) -> str:
    """A claim with its numbers in digits: wide digits, numbers in words, and those glued to what they count.

    Small numbers in words are left where they do not count tests that passed or failed: they are too often mere words.
    """
    text = separate_counts(_TAG.sub(" ", text).translate(_WIDE))
    text = _GLUED_WORD.sub(r"\1 \2", _GLUED.sub(r"\1 \2", text))
    text = _NONE.sub("0 ", text)

    def digits(match: re.Match[str]) -> str:
        value = _value(match[0])
        if value is None:
            return match[0]
        if value <= _SMALL:
            behind = _BEHIND.match(text, match.end())
            shared = text[max(0, match.start() - 4) : match.start()].lower().endswith("of ")
            if behind is None or shared or re.search(r"\bof\b", behind[0]):
                return match[0]
        return str(value)

    return _IN_WORDS.sub(digits, text)


def _value(words: str) -> int | None:
    """What a number in words is worth; None for a list of numbers, and for `hundred` or `million` alone."""
    parts = _PART.findall(words.lower())
    if parts[0] == "a":
        # `a hundred` counts one of them; in `a twenty percent rise` the article says nothing.
        parts[0:1] = [] if parts[1] in NUMBER_WORDS else ["one"]
    found = read_number_words(parts)
    return found[0] if found is not None and found[1] == len(parts) else None


def find_kind(text: str, start: int, end: int) -> str:
    """Of what the number at a place says how many: `pass`, `fail`, …; empty where no such word is beside it."""
    match = _BEHIND.match(text, end) or _BEFORE.search(text, max(0, start - _LONGEST), start)
    return KINDS[match[1].lower()] if match is not None else ""


def read_counts(line: str) -> Iterator[tuple[str, float]]:
    """What a line of output says passed, failed and so on, and how many."""
    for match in _SHOWN.finditer(line):
        number, word = (match[1], match[2]) if match[1] else (match[4], match[3])
        bare = re.sub("[,_]", "", number)
        yield KINDS[word.lower()], float(bare[:300])


def is_difference(behind: Sequence[str]) -> bool:
    """Whether the words behind a figure, in lower case, say that it is a difference."""
    return next((word in _COMPARATIVES for word in behind if word not in _BETWEEN), False)


def compares(line: str) -> bool:
    """Whether a line of output compares: by a word, a sign or a ratio."""
    return _COMPARING.search(line) is not None

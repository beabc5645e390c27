"""English numbers in words, and the English names of months and days: the tables that all rooms share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
TENS = {word: 10 * at for at, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
NUMBER_WORDS = {word: at for at, word in enumerate(_UNITS)} | TENS
"""Words that are a number alone, from zero to ninety, and what they are worth."""
UP_TO_TWELVE = tuple(_UNITS[:13])
"""What prose writes in words by rule, each at the place of its value."""
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
"""Words that multiply the number before them."""
ORDINALS = {
    word: at
    for at, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
MONTH_NAMES = "january february march april may june july august september october november december".split()
MONTHS = {form: at for at, name in enumerate(MONTH_NAMES, 1) for form in (name, name[:3])} | {"sept": 9}
"""Numbers of months by their names, whole and cut short; `pages.dates` has those of other languages."""
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()


def read_number_words(words: Sequence[str]) -> tuple[int, int] | None:
    """The number that some words in lower case begin with, and how many of them it takes; None where there is none.

    `and` counts after a scale alone (`two hundred and five`), and a scale after a number (`two hundred`). A list of
    numbers is read up to its second one: `twenty fifteen` is no 35.
    """
    total = part = 0
    before = ""
    for at, word in enumerate(words):
        value, scale = NUMBER_WORDS.get(word), SCALES.get(word)
        if value is not None:
            if before and before not in SCALES and not (before in TENS and 0 < value < 10):
                return total + part, at
            part += value
        elif scale is not None and before:
            if scale == SCALES["hundred"]:
                part *= scale
            else:
                # `two thousand million` has nothing between its scales.
                total, part = total + part * scale if part else total * scale, 0
        elif word == "and" and before in SCALES and at + 1 < len(words) and words[at + 1] in NUMBER_WORDS:
            continue
        else:
            return (total + part, at) if before else None
        before = word
    return (total + part, len(words)) if before else None

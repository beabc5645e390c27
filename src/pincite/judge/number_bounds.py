"""`More than 300` from `312`, `about 1.2 million` from `1,234,567`: what follows from a number without being it."""

from __future__ import annotations

from math import floor, inf, isclose, log10
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from .comparison import Finding, doubt
from .containment import key
from .lexicon import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Comparison
    from .numbers import JudgeToken

_ABOUT = 0.1
"""How far `about` reaches, as a part of the number."""
_BOUNDS = {
    phrase: bound
    for bound, row in (
        ((0.0, inf, True, False), "more than|over|above|exceed|exceeds|exceeded|exceeding|greater than|in excess of|"
         "upwards of|surpassed|surpassing|higher than|larger than|beyond|topped|>"),
        ((0.0, inf, False, False), "at least|no fewer than|no less than|not less than|not fewer than|minimum of|"
         "a minimum of|≥"),
        ((-inf, 0.0, False, True), "less than|fewer than|under|below|lower than|smaller than|<|short of"),
        ((-inf, 0.0, False, False), "at most|no more than|not more than|up to|maximum of|not exceeding|≤"),
        ((-_ABOUT, _ABOUT, False, False), "about|around|some|close to|near|~|≈|estimated|an estimated"),
        ((-_ABOUT, 0.0, False, True), "nearly|almost|just under|just below"),
        ((0.0, _ABOUT, True, False), "just over|just above|slightly more than|slightly over|a little over"),
    )
    for phrase in row.split("|")
}  # fmt: skip
"""Phrase to how far below and above a number it reaches, and whether the number itself is left out of either."""
_LESS = frozenset("fewer lower smaller shorter younger slower earlier lighter cheaper thinner narrower cooler".split())
_OR_MORE = {"or more": "at least", "or less": "at most", "or fewer": "at most"}
_STEPS = frozenset("from to by".split())
_DIGITS = 2
"""The fewest digits that a rounded number must have kept."""
_LONGEST = 3
_BEFORE = 6
"""Words before a number within which its verb or subject is looked for."""
_MOST_NUMBERS = 40
"""Numbers of a claim whose bounds are weighed."""
_NOUN = 3
"""Words behind a number within which the thing it counts is named."""


class Interval(Struct, frozen=True):
    """The numbers that a phrase allows."""

    low: float
    high: float
    above: bool = False
    """Whether `low` itself is left out."""
    below: bool = False
    """Whether `high` itself is left out."""

    def holds(self, other: Interval) -> bool:
        """Whether every number that the other allows is allowed here."""
        low = self.low < other.low or (self.low == other.low and (not self.above or other.above))
        high = self.high > other.high or (self.high == other.high and (not self.below or other.below))
        return low and high

    def excludes(self, other: Interval) -> bool:
        """Whether no number that the other allows is allowed here."""
        above = other.low > self.high or (other.low == self.high and (self.below or other.above))
        below = other.high < self.low or (other.high == self.low and (self.above or other.below))
        return above or below


def _phrase(tokens: Sequence[JudgeToken], at: int) -> str:
    """The longest phrase before a number that bounds it."""
    for length in range(_LONGEST, 0, -1):
        words = " ".join(token.low for token in tokens[max(0, at - length) : at])
        if at >= length and words in _BOUNDS:
            return words
    if at > 1 and tokens[at - 1].low == "than" and tokens[at - 2].low.endswith("er"):
        # `older than 60`, `younger than 60`
        return "less than" if tokens[at - 2].low in _LESS else "more than"
    following = " ".join(token.low for token in tokens[at + 1 : at + 3])
    return _OR_MORE.get(following, "")


def _range(tokens: Sequence[JudgeToken], at: int) -> tuple[int, int] | None:
    """Where the two numbers of a range stand, if this is one of them: `between 60 and 80`, `60 to 80`."""
    for first in (at, at - 2):
        if first < 0 or first + 2 >= len(tokens) or tokens[first].kind != "n" or tokens[first + 2].kind != "n":
            continue
        low, joint, high = tokens[first : first + 3]
        spread = is_range(tokens[first - 1].low if first else "", joint)
        if spread and not low.is_year and low.unit == high.unit and low.value < high.value:
            return first, first + 2
    return None


def is_range(before: str, joint: JudgeToken) -> bool:
    """Whether the word between two numbers, and the one before them, make a range of them."""
    return (joint.low == "to" and before not in _STEPS) or (joint.low == "and" and before == "between")


def _extent(tokens: Sequence[JudgeToken], at: int) -> tuple[int, int]:
    """The words that a number takes with all that bounds it: `more than 200`, `200 or more`, `between 60 and 80`."""
    spread = _range(tokens, at)
    if spread is not None:
        first, last = spread
        return first - (first > 0 and tokens[first - 1].low == "between"), last + 1
    length = len(_phrase(tokens, at).split())
    if length and " ".join(token.low for token in tokens[max(0, at - length) : at]) == _phrase(tokens, at):
        return at - length, at + 1
    following = " ".join(token.low for token in tokens[at + 1 : at + 3])
    return at, at + 3 if following in _OR_MORE else at + 1


def interval(tokens: Sequence[JudgeToken], at: int) -> Interval:
    """What the number at a place may be, with the words around it."""
    spread = _range(tokens, at)
    if spread is not None:
        return Interval(tokens[spread[0]].value, tokens[spread[1]].value)
    value = tokens[at].value
    low, high, above, below = _BOUNDS.get(_phrase(tokens, at), (0.0, 0.0, False, False))
    reach = abs(value) or 1e-9
    return Interval(value + low * reach, value + high * reach, above, below)


def _get_counted_words(tokens: Sequence[JudgeToken], at: int) -> frozenset[str]:
    """The words that say what a number counts."""
    after = [token for token in tokens[at + 1 : at + 1 + _NOUN] if token.low not in FUNCTION]
    return frozenset(key(token) for token in after)


def _is_rounded(said: float, seen: float) -> bool:
    """Whether one number is the other, rounded to the digits it has."""
    if not said or not seen or said == seen:
        return False
    size = floor(log10(abs(said)))
    for digits in range(_DIGITS, 6):
        step = 10.0 ** (size - digits + 1)
        if isclose(said, round(said / step) * step, rel_tol=1e-9):
            # Fewer digits than it was rounded to would be a guess.
            return isclose(round(seen / step) * step, said, rel_tol=1e-9)
    return False


def _anchor(tokens: Sequence[JudgeToken], at: int) -> str:
    """The word with a content of its own before a number and what bounds it."""
    first = _extent(tokens, at)[0]
    before = reversed(tokens[max(0, first - _BEFORE) : first])
    return next((key(token) for token in before if token.low not in FUNCTION), "")


def _find_rival_numbers(
    claim: Sequence[JudgeToken], at: int, sentences: Sequence[Sequence[JudgeToken]]
) -> list[tuple[Sequence[JudgeToken], int, Interval]]:
    """The numbers of the quote that can be the claim's: those that count the same, or the only one there is."""
    token = claim[at]
    counted, anchor = _get_counted_words(claim, at), _anchor(claim, at)
    used = {other.low for place, other in enumerate(claim) if other.kind == "n" and place != at}
    far: list[tuple[Sequence[JudgeToken], int, Interval]] = []
    near: list[int] = []
    held: list[int] = []
    for tokens in sentences:
        for place, other in enumerate(tokens):
            if other.kind != "n" or other.unit != token.unit or (other.low in used and other.low != token.low):
                continue
            if counted & _get_counted_words(tokens, place):
                near.append(len(far))
            if anchor and anchor == _anchor(tokens, place):
                held.append(len(far))
            far.append((tokens, place, interval(tokens, place)))
    both = sorted(set(near) & set(held)) or near or held
    if both:
        return [far[number] for number in both]
    return far if len({(one[2].low, one[2].high) for one in far}) == 1 else []


def _find_source_number(
    claim: Sequence[JudgeToken], at: int, sentences: Sequence[Sequence[JudgeToken]]
) -> tuple[Sequence[JudgeToken], int] | None:
    """The number of the quote from which the claim's number, with its `more than` or `about`, follows."""
    wanted = interval(claim, at)
    for tokens, place, given in _find_rival_numbers(claim, at, sentences):
        if wanted.low == wanted.high:
            fits = given.low == given.high and _is_rounded(claim[at].value, tokens[place].value)
        else:
            fits = wanted.holds(given)
        if fits:
            return tokens, place
    return None


def is_bounded(claim: Sequence[JudgeToken], at: int) -> bool:
    """Whether words around a number of the claim bound it."""
    return claim[at].kind == "n" and bool(_phrase(claim, at))


def find_number_outside(
    claim: Sequence[JudgeToken], at: int, sentences: Sequence[Sequence[JudgeToken]]
) -> JudgeToken | None:
    """The number of the quote that lies where the claim's `more than` or `under` says that it does not."""
    if sum(token.kind == "n" for token in claim) > _MOST_NUMBERS:
        return None
    found = _find_rival_numbers(claim, at, sentences)
    wanted = interval(claim, at)
    if not found or not all(wanted.excludes(given) for _, _, given in found):
        return None
    return found[0][0][found[0][1]]


def replace_bounded_numbers(claim: Sequence[JudgeToken], sentences: Sequence[Sequence[JudgeToken]]) -> list[JudgeToken]:
    """The claim with each number that follows from one of the quote replaced by that one, with what bounds it there."""
    if not 0 < sum(token.kind == "n" for token in claim) <= _MOST_NUMBERS:
        return list(claim)
    given = {token.low for tokens in sentences for token in tokens if token.kind == "n"}
    out: list[JudgeToken] = []
    passed = 0
    for at, token in enumerate(claim):
        if at < passed:
            continue
        out.append(token)
        if token.kind != "n" or (token.low in given and not _phrase(claim, at)) or _range(claim, at) is not None:
            continue
        source = _find_source_number(claim, at, sentences)
        if source is None:
            continue
        tokens, place = source
        first, passed = _extent(claim, at)
        start, end = _extent(tokens, place)
        out[len(out) - 1 - (at - first) :] = [
            structs.replace(token, text=other.text, low=other.low, alt=other.alt, kind=other.kind, value=other.value)
            if other.kind == "n"
            else other
            for other in tokens[start:end]
        ]
    return out


def find_dropped_bound(pair: Comparison) -> Finding | None:
    """`300` where the quote says `more than 300`, `up to 300` or `about 300`."""
    lows = [token.low for token in pair.sentence]
    for at, token in enumerate(pair.claim):
        if token.kind != "n" or lows.count(token.low) != 1:
            continue
        place = lows.index(token.low)
        phrase, other = _phrase(pair.sentence, place), pair.sentence[place]
        if phrase and not interval(pair.claim, at).holds(interval(pair.sentence, place)):
            return doubt("bound-dropped", f"the quote says “{phrase} {other.text}”, the claim {token.text}", other)
    return None

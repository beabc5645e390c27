"""`More than 300` from `312`, `about 1.2 million` from `1,234,567`: what follows from a number without being it."""

from __future__ import annotations

from math import floor, inf, isclose, log10
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from .containment import key
from .model import NOT_SHOWN, Reason
from .words import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import Token

_ABOVE = ("more than", "over", "above", "exceed", "exceeds", "exceeded", "exceeding", "greater than", "in excess of",
          "upwards of", "surpassed", "surpassing", "higher than", "larger than", "beyond", "topped", ">")  # fmt: skip
_FROM = (
    "at least",
    "no fewer than",
    "no less than",
    "not less than",
    "not fewer than",
    "minimum of",
    "a minimum of",
    "≥",
)
_BELOW = ("less than", "fewer than", "under", "below", "lower than", "smaller than", "<", "short of")
_UP_TO = ("at most", "no more than", "not more than", "up to", "maximum of", "not exceeding", "≤")
_ABOUT = ("about", "around", "some", "close to", "near", "~", "≈", "estimated", "an estimated")
_NEARLY = ("nearly", "almost", "just under", "just below")
_JUST_OVER = ("just over", "just above", "slightly more than", "slightly over", "a little over")
_LESS = frozenset("fewer lower smaller shorter younger slower earlier lighter cheaper thinner narrower cooler".split())
_AROUND = 0.1
"""How far `about` reaches, as a part of the number."""
_DIGITS = 2
"""The fewest digits that a rounded number must have kept."""
_LONGEST = 3
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


def _phrase(tokens: Sequence[Token], at: int) -> str:
    """The longest phrase before a number that bounds it."""
    known = {*_ABOVE, *_FROM, *_BELOW, *_UP_TO, *_ABOUT, *_NEARLY, *_JUST_OVER}
    for length in range(_LONGEST, 0, -1):
        words = " ".join(token.low for token in tokens[max(0, at - length) : at])
        if at >= length and words in known:
            return words
    if at > 1 and tokens[at - 1].low == "than" and tokens[at - 2].low.endswith("er"):
        # `older than 60`, `younger than 60`
        return "less than" if tokens[at - 2].low in _LESS else "more than"
    following = " ".join(token.low for token in tokens[at + 1 : at + 3])
    return {"or more": "at least", "or less": "at most", "or fewer": "at most"}.get(following, "")


def interval(tokens: Sequence[Token], at: int) -> Interval:
    """What the number at a place may be, with the words around it."""
    value = tokens[at].value
    phrase = _phrase(tokens, at)
    if phrase in _ABOVE:
        return Interval(value, inf, above=True)
    if phrase in _FROM:
        return Interval(value, inf)
    if phrase in _BELOW:
        return Interval(-inf, value, below=True)
    if phrase in _UP_TO:
        return Interval(-inf, value)
    reach = abs(value) * _AROUND
    if phrase in _ABOUT:
        return Interval(value - reach, value + reach)
    if phrase in _NEARLY:
        return Interval(value - reach, value, below=True)
    if phrase in _JUST_OVER:
        return Interval(value, value + reach, above=True)
    return Interval(value, value)


def _counted(tokens: Sequence[Token], at: int) -> frozenset[str]:
    """The words that say what a number counts."""
    after = [token for token in tokens[at + 1 : at + 1 + _NOUN] if token.low not in FUNCTION]
    return frozenset(key(token) for token in after)


def _rounded(said: float, seen: float) -> bool:
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


def _source(claim: Sequence[Token], at: int, sentences: Sequence[Sequence[Token]]) -> Token | None:
    """The number of the quote from which the claim's number, with its `more than` or `about`, follows."""
    token = claim[at]
    wanted, counted = interval(claim, at), _counted(claim, at)
    bare = wanted.low == wanted.high
    near: list[tuple[bool, Token]] = []
    far: list[tuple[bool, Token]] = []
    for tokens in sentences:
        for place, other in enumerate(tokens):
            if other.kind != "n" or other.unit != token.unit:
                continue
            given = interval(tokens, place)
            if bare:
                fits = given.low == given.high and _rounded(token.value, other.value)
            else:
                fits = wanted.holds(given)
            (near if counted & _counted(tokens, place) else far).append((fits, other))
    # What counts the same thing decides; where nothing does, a number must be the only one.
    chosen = near or (far if len(far) == 1 else [])
    return next((other for fits, other in chosen if fits), None)


def settle(claim: Sequence[Token], sentences: Sequence[Sequence[Token]]) -> list[Token]:
    """The claim with each number that follows from one of the quote replaced by that one, without what bounded it."""
    if not any(token.kind == "n" for token in claim):
        return list(claim)
    given = {token.low for tokens in sentences for token in tokens if token.kind == "n"}
    out: list[Token] = []
    for at, token in enumerate(claim):
        out.append(token)
        if token.kind != "n" or (token.low in given and not _phrase(claim, at)):
            continue
        source = _source(claim, at, sentences)
        if source is None or source.low == token.low:
            continue
        length = len(_phrase(claim, at).split())
        bounding = [one.low for one in out[-1 - length : -1]] == _phrase(claim, at).split()
        out[-1 - (length if bounding else 0) :] = [structs.replace(token, low=source.low, alt=source.alt)]
    return out


def dropped_bound(claim: Sequence[Token], sentence: Sequence[Token]) -> tuple[str, Reason] | None:
    """`300` where the quote says `more than 300`, `up to 300` or `about 300`."""
    lows = [token.low for token in sentence]
    for at, token in enumerate(claim):
        if token.kind != "n" or lows.count(token.low) != 1:
            continue
        place = lows.index(token.low)
        phrase = _phrase(sentence, place)
        if phrase and not interval(claim, at).holds(interval(sentence, place)):
            other = sentence[place]
            text = f"the quote says “{phrase} {other.text}”, the claim {token.text}"
            return NOT_SHOWN, Reason("bound-dropped", text, ((other.start, other.end),))
    return None

"""Find the claim's words, in order, in one sentence of the quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .lexicon import FREE

if TYPE_CHECKING:
    from collections.abc import Callable

    from .numbers import JudgeToken

_BEAM = 8
_REACH = 80
"""Words that may stand between two aligned ones."""


class Alignment(Struct, frozen=True):
    """Which word of the sentence each word of the claim stands on; -1 for an added one."""

    places: tuple[int, ...]
    cost: float


def covers(claim: JudgeToken, quote: JudgeToken) -> bool:
    """Whether a date of the quote states a coarser one of the claim: 2017 in March 2017, never the reverse."""
    if claim.kind == "d":
        # A day without its year is not stated by another; a year or month may be left out from the fine end only.
        (year, month, day), (seen_year, seen_month, seen_day) = claim.date, quote.date
        if year and year != seen_year:
            return False
        if (month or day) and month != seen_month:
            return False
        return not day or day == seen_day
    return claim.kind == "n" and not claim.unit and bool(quote.date[0]) and claim.low == str(quote.date[0])


def align(
    claim: list[JudgeToken],
    quote: list[JudgeToken],
    may_start: Callable[[int], bool],
    may_skip: Callable[[int, int], bool],
    may_end: Callable[[int], bool],
    may_add: Callable[[int, int], bool],
) -> Alignment | None:
    """The cheapest alignment whose every gap, start, end and addition is allowed; None where there is none."""
    at: dict[str, list[int]] = {}
    dates = []
    for index, token in enumerate(quote):
        at.setdefault(token.low, []).append(index)
        if token.alt:
            at.setdefault(token.alt, []).append(index)
        if token.kind == "d":
            dates.append(index)
    # States: last aligned place -> (cost, places so far as a linked list).
    states: dict[int, tuple[float, tuple[object, int] | None]] = {-1: (0.0, None)}
    for number, token in enumerate(claim):
        places = list(at.get(token.low, ()))
        if token.alt:
            places += at.get(token.alt, ())
        if dates and token.kind in ("d", "n"):
            places += [index for index in dates if quote[index].low != token.low and covers(token, quote[index])]
        following: dict[int, tuple[float, tuple[object, int] | None]] = {}
        for last, (cost, trail) in states.items():
            for place in places:
                if place <= last or place - last > _REACH:
                    continue
                gap = place - last - 1
                price = cost + (0.0 if not gap else 1.0 + gap / 10)
                if place in following and following[place][0] <= price:
                    continue
                if gap and not (may_start(place) if last < 0 else may_skip(last + 1, place)):
                    continue
                following[place] = (price, (trail, place))
            if token.low in FREE and may_add(number, last):
                price = cost + 1.0
                if last not in following or following[last][0] > price:
                    following[last] = (price, (trail, -1))
        if not following:
            return None
        if len(following) > _BEAM:
            following = dict(sorted(following.items(), key=lambda item: (item[1][0], item[0]))[:_BEAM])
        states = following
    ends = [(cost, last, trail) for last, (cost, trail) in states.items() if last >= 0 and may_end(last)]
    if not ends:
        return None
    cost, _, trail = min(ends, key=lambda end: end[:2])
    places_found: list[int] = []
    node: object = trail
    while isinstance(node, tuple):
        node, place = node
        places_found.append(place)
    return Alignment(tuple(reversed(places_found)), cost)

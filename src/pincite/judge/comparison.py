"""Claim and sentence laid beside each other: which words they share, and what stands where they differ."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from ..text.stems import base
from .containment import key
from .lexicon import FREE, FUNCTION
from .model import CONTRADICTED, NOT_SHOWN, Reason
from .numbers import covers
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .numbers import JudgeToken
    from .tokens import WordSentence

_BEAM = 8
_REACH = 80
"""Words that may stand between two aligned ones."""
Finding = tuple[str, Reason]
"""What speaks against a claim: the verdict, and why."""


def contradict(rule: str, text: str, *tokens: JudgeToken) -> Finding:
    """The quote says otherwise, in these words of it."""
    return CONTRADICTED, Reason(rule, text, tuple((token.start, token.end) for token in tokens))


def doubt(rule: str, text: str, *tokens: JudgeToken) -> Finding:
    """The quote does not show it, because of these words of it."""
    return NOT_SHOWN, Reason(rule, text, tuple((token.start, token.end) for token in tokens))


class AlignmentSlot(Struct, frozen=True):
    """A place where claim and sentence differ, between two words they share."""

    said: tuple[JudgeToken, ...]
    """What the claim has there."""
    seen: tuple[JudgeToken, ...]
    """What the sentence has there."""
    last: bool
    """Whether nothing that both share stands after it."""
    whole: int = 0
    """How many words of `seen` stand before the first mark that parts phrases."""


class Comparison:
    """A claim beside the sentence of a quote that holds most of it: what every rule against a claim looks at."""

    def __init__(
        self,
        claim: Sequence[JudgeToken],
        sentence: Sequence[JudgeToken],
        quote: Sequence[WordSentence] = (),
        held: Sequence[float] = (),
    ) -> None:
        self.claim, self.sentence, self.quote, self.held = claim, sentence, quote, held
        self.said = frozenset(token.low for token in claim)
        self.claim_keys = [key(token) for token in claim]
        self.sentence_keys = [key(token) for token in sentence]
        self.keys = frozenset(self.claim_keys)
        self.content = frozenset(key(token) for token in claim if token.low not in FUNCTION)
        self.ours = [token for token in claim if token.low not in FREE]
        self.theirs = [token for token in sentence if token.low not in FREE]
        self.size = sum(token.low not in FUNCTION for token in self.ours)
        """Words with a content of their own in the claim."""

    @cached_property
    def bases(self) -> frozenset[str]:
        """The claim's words without their inflection."""
        return frozenset(base(word) for word in self.said)

    @cached_property
    def single(self) -> dict[str, int]:
        """Each word of the sentence with its place; -1 for one that it has more than once."""
        found: dict[str, int] = {}
        for at, word in enumerate(self.sentence_keys):
            found[word] = -1 if word in found else at
        return found

    @cached_property
    def places(self) -> list[int]:
        """Where the claim's content words stand in the sentence, in the claim's order; those that stand there once."""
        found = (self.single.get(key(token), -1) for token in self.claim if token.low not in FUNCTION)
        return [place for place in found if place >= 0]

    @cached_property
    def shared(self) -> tuple[int, ...]:
        """Places of the sentence with a content word of the claim."""
        return tuple(
            at
            for at, (token, word) in enumerate(zip(self.sentence, self.sentence_keys, strict=True))
            if token.low not in FUNCTION and word in self.keys
        )

    @cached_property
    def _equal(self) -> list[tuple[int, int, int, int]]:
        """The runs of words that both share in order, as many as possible: their ends in the claim and the sentence."""
        steps = LCSseq.opcodes([key(token) for token in self.ours], [key(token) for token in self.theirs])
        return [(step.src_start, step.src_end, step.dest_start, step.dest_end) for step in steps if step.tag == "equal"]

    @cached_property
    def aligned(self) -> int:
        """Words with a content of their own that stand in both, in the same order."""
        return sum(token.low not in FUNCTION for first, end, *_ in self._equal for token in self.ours[first:end])

    @cached_property
    def slots(self) -> list[AlignmentSlot]:
        """Where claim and sentence differ."""
        found: list[AlignmentSlot] = []
        at = place = 0
        for first, end, start, stop in self._equal:
            if first > at or start > place:
                seen = tuple(self.theirs[place:start])
                found.append(AlignmentSlot(tuple(self.ours[at:first]), seen, False, len(seen)))
            at, place = end, stop
        if at < len(self.ours) or place < len(self.theirs):
            found.append(
                AlignmentSlot(tuple(self.ours[at:]), tuple(self.theirs[place:]), True, self._first_cut(place) - place)
            )
        return found

    def _first_cut(self, place: int) -> int:
        """Where, behind a place of `theirs`, the next phrase begins."""
        number, mark = 0, False
        for token in self.sentence:
            # A mark before a word that is passed over stands before the next one.
            mark = mark or has_mark_before(token) or token.low == "and"
            if token.low not in FREE:
                if mark and number > place:
                    return number
                number, mark = number + 1, False
        return number


class Alignment(Struct, frozen=True):
    """Which word of the sentence each word of the claim stands on; -1 for an added one."""

    places: tuple[int, ...]
    cost: float


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

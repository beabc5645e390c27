"""Claim and sentence laid beside each other: which words they share in order, and what stands where they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from rapidfuzz.distance import LCSseq

from .containment import key
from .lexicon import FREE, FUNCTION
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken


class Slot(Struct, frozen=True):
    """A place where claim and sentence differ, between two words they share."""

    said: tuple[JudgeToken, ...]
    """What the claim has there."""
    seen: tuple[JudgeToken, ...]
    """What the sentence has there."""
    first: bool
    """Whether nothing that both share stands before it."""
    last: bool
    """Whether nothing that both share stands after it."""
    whole: int = 0
    """How many words of `seen` stand before the first mark that parts phrases."""


class SentenceAlignment(Struct, frozen=True):
    """A claim beside a sentence."""

    claim: tuple[JudgeToken, ...]
    slots: tuple[Slot, ...]
    shared: int
    """Words with a content of their own that stand in both, in the same order."""
    content: int
    """Words with a content of their own in the claim."""

    @property
    def share(self) -> float:
        """The part of the claim's content that the sentence has in the same order."""
        return self.shared / self.content if self.content else 0.0


def compare(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> SentenceAlignment:
    """Lay a claim beside a sentence so that they share as many words as possible, in order."""
    ours = [token for token in claim if token.low not in FREE]
    theirs: list[JudgeToken] = []
    parted: list[int] = []
    mark = False
    for token in sentence:
        # A mark before a word that is passed over stands before the next one.
        mark = mark or has_mark_before(token) or token.low == "and"
        if token.low not in FREE:
            if mark:
                parted.append(len(theirs))
            theirs.append(token)
            mark = False
    slots: list[Slot] = []
    shared = 0
    at = place = 0
    steps = LCSseq.opcodes([key(token) for token in ours], [key(token) for token in theirs])
    equal = [step for step in steps if step.tag == "equal"]
    for step in equal:
        shared += sum(token.low not in FUNCTION for token in ours[step.src_start : step.src_end])
        if step.src_start > at or step.dest_start > place:
            said, seen = ours[at : step.src_start], theirs[place : step.dest_start]
            slots.append(Slot(tuple(said), tuple(seen), not at and not place, False, len(seen)))
        at, place = step.src_end, step.dest_end
    if at < len(ours) or place < len(theirs):
        cut = next((index for index in parted if index > place), len(theirs))
        slots.append(Slot(tuple(ours[at:]), tuple(theirs[place:]), not equal, True, cut - place))
    return SentenceAlignment(tuple(ours), tuple(slots), shared, sum(token.low not in FUNCTION for token in ours))

"""The nouns of judging: the evidence, the judgement, and who gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = ("low", "medium", "high")
"""From the weakest to the strongest."""
STATED, IMPLIED, CONTRADICTED, NOT_SHOWN = "stated", "implied", "contradicted", "not shown"


class QuotedEvidence(Struct, frozen=True):
    """Words of a source, and what a reader of them knows besides."""

    text: str
    title: str = ""
    """The title of the page: who `it` may be at the beginning of the quote."""
    before: str = ""
    """What stands before the quote: the beginning of its sentence, and the sentence or heading before that."""
    after: str = ""
    """What stands after the quote: the rest of its sentence, and the sentence after that."""


class Reason(Struct, frozen=True):
    """One step of a judgement."""

    rule: str
    """The rule that spoke, such as `number-conflict`."""
    text: str
    """What it saw, in words a reader can check."""
    spans: tuple[tuple[int, int], ...] = ()
    """The words of the quote it speaks of, in code points."""


class Assessment(Struct, frozen=True):
    """Whether the evidence supports the claim, and why."""

    level: str
    """high (stated there), medium (strongly implied) or low (rejected)."""
    verdict: str
    """STATED, IMPLIED, CONTRADICTED or NOT_SHOWN."""
    score: float
    """From 0 to 1; only scores of one judge compare."""
    reasons: tuple[Reason, ...]
    judge: str
    """The judge's name, with its model where it has one."""


class Judge(Protocol):
    """The interface of a judge: it says whether evidence supports a claim."""

    name: str

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement; the same input gives the same answer."""
        ...

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many judgements, in order; a judge that asks far away does so for several at once."""
        ...

"""What a proposed citation is: the sentence, the lines that would falsify it, why, and how sure."""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from ...core.model import Lines, Span

MOST = 10
"""Suggestions for one document, unless more are asked for."""


class Confidence(IntEnum):
    """How sure a suggestion is; what is low is shown only when asked for."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2

    @property
    def label(self) -> str:
        """The confidence as reports spell it."""
        return self.name.lower()


def confidence_of(chance: float) -> Confidence | None:
    """The confidence that a chance deserves; None where it is a guess."""
    # Of what reached each bar on six repositories (192 suggestions) 91 and 90 % named the author's file.
    bars = ((0.82, Confidence.HIGH), (0.7, Confidence.MEDIUM), (0.45, Confidence.LOW))
    return next((confidence for bar, confidence in bars if chance >= bar), None)


class Unit(Struct, frozen=True, gc=False):
    """A sentence, or a row of a table, that could bear a citation."""

    span: Span
    text: str
    """What it says, line ends and markup in it as they are."""
    line: int
    at: int
    """The offset at which a citation would be put."""
    heading: str = ""
    """The heading it stands under."""
    before: str = ""
    """What comes before it in the same paragraph or item, or introduces its list: it may name what is meant."""


class Suggestion(Struct, frozen=True):
    """A citation that could be put behind a sentence, and that holds there."""

    document: str
    line: int
    sentence: str
    path: str
    lines: Lines
    evidence: tuple[str, ...]
    """The cited lines."""
    reason: str
    confidence: Confidence
    score: float
    """How likely the sentence is about that file, from 0 to 1."""
    span: Span
    """Where the sentence stands in the document."""
    at: int
    """The offset at which the citation would be put."""
    citation: str = ""
    """The citation as it would be written."""


class SuggestOptions(Struct, frozen=True):
    """How suggestions are wanted."""

    style: str = "bracket"
    most: int = MOST
    """For one document; 0: as many as there are."""
    least: Confidence = Confidence.MEDIUM


class Suggestions(Struct):
    """What could be cited in one document."""

    document: str
    data: bytes = b""
    """The document as it was read."""
    suggestions: list[Suggestion] = []
    """The best first."""
    more: int = 0
    """How many further ones there may be."""
    sentences: int = 0
    """Sentences that bear no citation and state a fact."""
    error: str = ""
    """Why the document could not be read."""

"""An audited report as pages show it: its text in blocks, each sentence marked, and what it rests on beside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...domains.research.audit_result import GROUNDED, READER, UNCITED, UNSUPPORTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...domains.research.report_audit import AuditedSentence, ReportAudit

STATES = (UNSUPPORTED, UNCITED, READER, GROUNDED)
"""What a sentence may be, the worst first."""


class SentencePiece(Struct, frozen=True):
    """A piece of a block."""

    text: str
    state: str
    """Empty for what is no sentence that claims something."""
    number: int
    """The sentence that it belongs to; 0 where it belongs to none."""


class AuditedSentenceView(Struct, frozen=True):
    """A sentence that claims something, and what it rests on."""

    number: int
    line: int
    text: str
    state: str
    """`grounded`, `needs a reader`, `unsupported` or `uncited`."""
    level: str
    citation: int
    url: str
    quote: str
    reasons: tuple[str, ...]
    attested: str
    remedy: str


class ReportPart(Struct, frozen=True):
    """A block of a report, with the sentences that begin in it."""

    line: int
    pieces: tuple[SentencePiece, ...]
    sentences: tuple[AuditedSentenceView, ...]


class AuditView(Struct, frozen=True):
    """A report, sentence by sentence."""

    parts: tuple[ReportPart, ...]
    counts: dict[str, int]
    total: int
    percentage: str
    is_grounded: bool
    """Whether every sentence is."""
    not_judged: int
    """Lines that claim nothing by their form: headings, sources, code."""


def describe_audit(text: str, found: ReportAudit) -> AuditView:
    """The text of a report in blocks, with what an audit found."""
    sentences = sorted(found.sentences, key=lambda one: (one.start, one.end))
    numbered = [(at, one) for at, one in enumerate(sentences, 1)]
    parts = []
    at = 0
    for start, end in _cut_blocks(text):
        own = []
        while at < len(numbered) and numbered[at][1].start < end:
            own.append(numbered[at])
            at += 1
        line = text.count("\n", 0, start) + 1
        views = tuple(_describe_sentence(number, one) for number, one in own)
        parts.append(ReportPart(line, tuple(_cut_pieces(text, start, end, own)), views))
    counts = {state: found.count(state) for state in STATES if found.count(state)}
    return AuditView(tuple(parts), counts, found.total, found.percentage, found.ok, len(found.skipped))


def _cut_blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where the blocks of a text begin and end: lines without an empty line between them."""
    at, start = 0, -1
    for line in text.split("\n"):
        if line.strip():
            start = at if start < 0 else start
        elif start >= 0:
            yield start, at
            start = -1
        at += len(line) + 1
    if start >= 0:
        yield start, len(text)


def _cut_pieces(text: str, start: int, end: int, own: Sequence[tuple[int, AuditedSentence]]) -> Iterator[SentencePiece]:
    """A block in pieces; a sentence inside another is marked as part of that."""
    at = start
    for number, one in own:
        first, last = max(one.start, at), min(one.end, end)
        if first >= last:
            continue
        if at < first:
            yield SentencePiece(text[at:first], "", 0)
        yield SentencePiece(text[first:last], one.state, number)
        at = last
    if at < end:
        yield SentencePiece(text[at:end].rstrip("\n"), "", 0)


def _describe_sentence(number: int, one: AuditedSentence) -> AuditedSentenceView:
    return AuditedSentenceView(
        number,
        one.line,
        one.text,
        one.state,
        one.level,
        one.citation_id,
        one.citation_url,
        one.quote,
        tuple(f"{reason.rule}: {reason.text}" for reason in one.reasons),
        one.attested,
        one.remedy,
    )

"""What a page shows of a checked answer: its sentences, each with the evidence beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...domains.retrieval.answers.side_by_side import EvidencePassage, PassageReader, pair_sentences
from ...report._problems import gravity
from ...text.lines import line_starts, shorten
from ...text.sentences import split_sentences
from .checked_documents import show_citation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Report, Verdict
    from ...domains.retrieval.answers.library import DocumentLibrary
    from ...domains.retrieval.answers.model import AnswerReport, CitationCheck

MOST_SENTENCES = 1000
"""Sentences of one answer that are shown."""
MOST_CITATIONS = 2000
"""Citations of one answer that are shown."""
PLAIN_TEXT = "plain text"
_LONGEST_TEXT = 4000


class SentenceEvidence(Struct, frozen=True):
    """What one citation of a sentence leads to."""

    at: str
    """Where the citation stands: its JSON path in the response, or its line in a plain text."""
    outcome: str
    message: str
    cited: str
    """The words that the response gives as the document's; empty where it gives none."""
    document: str
    """What the citation calls its document."""
    place: str
    """Where the words stand, or what comes nearest; empty where nothing is known."""
    path: str
    """The file of the root that is; empty where it is none."""
    line: int | None
    passage: EvidencePassage | None
    is_near: bool
    """Whether the passage is only what comes nearest."""
    differences: tuple[str, str] | None
    """The cited text and the passage, with the words that differ marked."""
    changes: str
    notes: tuple[str, ...]
    remedy: str


class SentenceView(Struct, frozen=True):
    """A sentence beside its evidence."""

    text: str
    is_uncited: bool
    """Whether it states something and nothing stands behind it."""
    evidence: tuple[SentenceEvidence, ...]


class DefectView(Struct, frozen=True):
    """Something that is wrong in the response itself."""

    path: str
    kind: str
    message: str


class AnswerView(Struct, frozen=True):
    """One answer beside its evidence."""

    source: str
    provider: str
    error: str
    """Why it could not be read."""
    sentences: tuple[SentenceView, ...]
    more: int
    """How many sentences there are beyond those."""
    apart: tuple[SentenceEvidence, ...]
    """Citations that belong to no sentence."""
    defects: tuple[DefectView, ...]


def view_report(report: AnswerReport, libraries: Sequence[DocumentLibrary], files: frozenset[str]) -> AnswerView:
    """A checked response; `files` are the documents that are files of the root. Call it while these can be read."""
    reader = PassageReader(report, libraries)
    left = MOST_CITATIONS

    def view_all(checks: Sequence[CitationCheck]) -> tuple[SentenceEvidence, ...]:
        nonlocal left
        shown = checks[:left]
        left -= len(shown)
        return tuple(_view_check(one, reader, files) for one in shown)

    sentences, apart = pair_sentences(report)
    return AnswerView(
        source=report.source,
        provider=report.provider,
        error=say_for_page(report.error),
        sentences=tuple(
            SentenceView(shorten(one.text, _LONGEST_TEXT), one.is_uncited, view_all(one.checks))
            for one in sentences[:MOST_SENTENCES]
        ),
        more=max(0, len(sentences) - MOST_SENTENCES),
        apart=view_all(apart),
        defects=tuple(DefectView(one.path, one.kind, one.message) for one in report.defects),
    )


def view_text(text: str, report: Report) -> AnswerView:
    """A plain text whose citations were checked as those of a document."""
    starts = line_starts(text)
    placed = sorted((starts[one.line - 1] + one.column - 1, one) for one in report.verdicts[:MOST_CITATIONS])
    spans = list(split_sentences(text))
    sentences = []
    for at, (start, end) in enumerate(spans[:MOST_SENTENCES]):
        until = spans[at + 1][0] if at + 1 < len(spans) else len(text) + 1
        evidence = tuple(_view_verdict(verdict) for offset, verdict in placed if start <= offset < until)
        sentences.append(SentenceView(shorten(text[start:end], _LONGEST_TEXT), False, evidence))
    defects = tuple(DefectView(f"line {one.line}", "malformed", one.malformed.reason) for one in report.malformed)
    return AnswerView(PLAIN_TEXT, PLAIN_TEXT, "", tuple(sentences), max(0, len(spans) - MOST_SENTENCES), (), defects)


def say_for_page(message: str) -> str:
    """A message without options of the command line."""
    return message.replace("with --docs", "in the form").replace("--docs", "the documents")


def _view_check(checked: CitationCheck, reader: PassageReader, files: frozenset[str]) -> SentenceEvidence:
    citation, place = checked.citation, checked.where or checked.nearest
    is_file = place is not None and place.path in files
    return SentenceEvidence(
        at=citation.path,
        outcome=checked.outcome.label,
        message=say_for_page(checked.message),
        cited=shorten(citation.quote, _LONGEST_TEXT),
        document=shorten(citation.document.text, _LONGEST_TEXT),
        place=place.label if place is not None else "",
        path=place.path if place is not None and is_file else "",
        line=place.line if place is not None else None,
        passage=reader.read(place) if place is not None else None,
        is_near=checked.where is None,
        differences=checked.diff,
        changes=checked.changes,
        notes=tuple(map(say_for_page, checked.notes)),
        remedy=say_for_page(checked.remedy),
    )


def _view_verdict(verdict: Verdict) -> SentenceEvidence:
    cited, findings = verdict.citation, sorted(verdict.findings, key=gravity)
    is_file = verdict.seen is not None and cited.source.scheme in ("file", "section", "symbol", "path")
    return SentenceEvidence(
        at=f"line {verdict.line}",
        outcome=verdict.outcome.label,
        message=findings[0].message if findings else "",
        cited=shorten(cited.quote.exact, _LONGEST_TEXT) if cited.quote is not None else "",
        document=cited.source.key,
        place=show_citation(verdict),
        path=verdict.seen.path if verdict.seen is not None and is_file else "",
        line=cited.lines.first if cited.lines is not None else None,
        passage=EvidencePassage("", "\n".join(verdict.excerpt), "") if verdict.excerpt else None,
        is_near=False,
        differences=None,
        changes="",
        notes=tuple(one.message for one in findings[1:]),
        remedy="",
    )

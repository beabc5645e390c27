"""An answer beside its evidence: which citations stand behind each sentence, and the passages that they lead to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from .documents import embedded_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .documents import AnswerDocument
    from .library import DocumentLibrary
    from .model import AnswerReport, CitationCheck, DocumentPlace

_AROUND = 240
"""Characters before and behind the cited words that a passage has."""
_LONGEST = 1500
"""Of the cited words themselves."""


class CitedSentence(Struct, frozen=True):
    """A sentence of an answer, and what stands behind it."""

    text: str
    """Its words, with what follows them up to the next sentence."""
    is_uncited: bool
    """Whether it states something and nothing stands behind it."""
    checks: tuple[CitationCheck, ...]


class EvidencePassage(Struct, frozen=True):
    """The words of a document that a citation leads to, with what stands around them."""

    before: str
    words: str
    after: str


def pair_sentences(report: AnswerReport) -> tuple[list[CitedSentence], list[CitationCheck]]:
    """The sentences of an answer with their citations, and the citations that belong to none of them.

    A citation that supports several sentences stands beside the first.
    """
    starts = [span.start for span in report.sentences]
    stops = [span.end for span in report.sentences]
    beside: dict[int, list[CitationCheck]] = {}
    apart: list[CitationCheck] = []
    for checked, claim in zip(report.citations, report.claims, strict=True):
        if claim is None or not starts:
            apart.append(checked)
        else:
            # Providers give the space before a sentence to its citation: the words begin behind it.
            at = min(bisect_right(stops, claim.start), len(stops) - 1)
            beside.setdefault(at, []).append(checked)
    uncited = {bisect_left(starts, one.start) for one in report.uncited}
    # What stands between two sentences, code among it, is shown with the first of them.
    bounds = pairwise((0, *starts[1:], len(report.text)))
    sentences = [
        CitedSentence(report.text[start:end].strip(), at in uncited, tuple(beside.get(at, ())))
        for at, (start, end) in enumerate(bounds)
    ]
    return [one for one in sentences if one.text or one.checks], apart


class PassageReader:
    """Finds the words that places of a report stand for; use it while the documents can be read."""

    def __init__(self, report: AnswerReport, libraries: Sequence[DocumentLibrary]) -> None:
        self._documents: dict[str, AnswerDocument] = {}
        for library in reversed(libraries):
            self._documents.update({one.path: one for one in library.documents})
        self._sent = {one.path: one for one in report.documents}

    def read(self, place: DocumentPlace) -> EvidencePassage:
        """The words at a place; without anything around them where it is not known exactly."""
        document = self._find(place.path)
        if document is not None and not document.trouble:
            if place.start is not None and place.end is not None:
                return _cut_passage(document.raw, place.start, place.end)
            pages, number = document.pages, (place.page or 1) - 1
            text = " ".join(pages[number].split()) if number < len(pages) else ""
            words = place.text.removesuffix("…").strip()
            at = text.find(words) if words else -1
            if at >= 0:
                return _cut_passage(text, at, at + len(words))
        return EvidencePassage("", place.text, "")

    def _find(self, path: str) -> AnswerDocument | None:
        if path not in self._documents and path in self._sent:
            document = embedded_document(self._sent[path])
            if document is not None:
                self._documents[path] = document
        return self._documents.get(path)


def _cut_passage(text: str, start: int, end: int) -> EvidencePassage:
    first, last = max(0, start - _AROUND), min(len(text), end + _AROUND)
    before, words, after = text[first:start], text[start:end], text[end:last]
    if first:
        before = "…" + before.partition(" ")[2]
    if last < len(text):
        after = after.rpartition(" ")[0] + "…"
    if len(words) > _LONGEST:
        words = words[:_LONGEST] + "…"
    return EvidencePassage(before, words, after)

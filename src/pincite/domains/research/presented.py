"""Words that a sentence of a report presents as quoted: do they stand in its sources?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...quotes.lookup import QuoteSource
from ...text.quotations.mark_pairs import MARKS, PAIR, clean, inner_span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .audit_evidence import EvidenceIndex

_MOST = 50
"""How many quotes of one sentence are looked up."""


class Presented:
    """Looks quoted words up in what was validated of pages, and in their snapshots."""

    def __init__(self, known: EvidenceIndex) -> None:
        self._known = known
        self._sources: dict[tuple[str, bool], QuoteSource | None] = {}

    def find_unseen(self, text: str, urls: Iterable[str]) -> str:
        """The first words in quotation marks that stand in none of the pages; empty where all do."""
        if not any(mark in text for mark in (*MARKS, "'", "`")):
            return ""
        pages = tuple(urls)
        pairs = list(PAIR.finditer(text))
        quotes = [clean(text[slice(*inner_span(pair))]) for pair in pairs[:_MOST]]
        for words in filter(None, quotes):
            if not any(self._stands(words, url) for url in pages):
                return words
        return clean(text[pairs[_MOST].start() :]) if len(pairs) > _MOST else ""

    def _stands(self, words: str, url: str) -> bool:
        for whole in (False, True):
            source = self._source(url, whole)
            if source is not None and source.verbatim(words) is not None:
                return True
        return False

    def _source(self, url: str, whole: bool) -> QuoteSource | None:
        """The validated quotes and the title of a page, or all of its snapshot."""
        key = url, whole
        if key not in self._sources:
            grounds = self._known.grounds
            texts: Iterable[str] = ()
            if not whole:
                known = [grounds.citations[number - 1] for number in self._known.citations_of(url)]
                texts = [text for one in known for text in (one.quote, one.page_title or "")]
            elif grounds.texts is not None:
                texts = grounds.texts(url) or ()
            pages = tuple(texts)
            self._sources[key] = QuoteSource(pages) if pages else None
        return self._sources[key]

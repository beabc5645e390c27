"""What a report may rest on, by what it is asked for: addresses, claims, and the sentences of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ...judge.model import QuotedEvidence
from ...text.sentences import split_sentences
from .audit_result import facts_of, record, tally
from .escape_markdown import fold_sentence, show_on_one_line, url_key
from .model import CONFIDENCES
from .page_context import surround

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...quotes.lookup import QuoteSource
    from .model import GroundedClaim, ValidatedCitation

_WORD = re.compile(r"[^\W_]{3,}")
_NEAREST = 3
_MOST_READ = 2_000_000
"""Of how many characters of a page sentences are compared."""
_MOST_HAVING = 2_000
_MOST_QUOTES = 12
"""Quotes of one page that a sentence is held against: each of them may be a question to a model."""
_LONGEST_CLAIM = 10_000
"""How far back the sentences of a report are read as one claim."""
_MOST_QUOTED = 50
"""How many quotes of one sentence are looked up."""


class AuditEvidence(Struct, frozen=True):
    """What a report may rest on."""

    claims: Sequence[GroundedClaim] = ()
    citations: Sequence[ValidatedCitation] = ()
    """In the order that gives them their ids."""
    texts: Callable[[str], Sequence[str] | None] | None = None
    """The text of a page as its snapshot has it, None where there is none."""
    rejected: int = 0
    """How many claims were rejected."""
    unseen: frozenset[int] = frozenset()
    """The ids of citations that rest on the word of a file alone: not ours, and without a snapshot beside it."""


class EvidenceIndex:
    """The grounds, by what they are asked for."""

    def __init__(self, grounds: AuditEvidence) -> None:
        self.grounds = grounds
        self._by_url: dict[str, list[int]] = {}
        self._rejected: dict[str, str] = {}
        for number, citation in enumerate(grounds.citations, 1):
            urls = {url_key(citation.source_url), url_key(citation.evidence.final_url or citation.source_url)}
            for key in urls:
                if citation.validated:
                    self._by_url.setdefault(key, []).append(number)
                else:
                    self._rejected.setdefault(key, citation.rejection_reason or "it was rejected")
        self._claims: dict[str, list[GroundedClaim]] = {}
        self.longest = 0
        for claim in grounds.claims:
            if claim.confidence in CONFIDENCES and self._stands(claim):
                said = fold_sentence(show_on_one_line(claim.claim))
                self._claims.setdefault(said, []).append(claim)
                self.longest = min(max(self.longest, len(said)), _LONGEST_CLAIM)
        self._tally = fold_sentence(show_on_one_line(tally(grounds.claims, grounds.rejected)))
        self._records: set[tuple[str, str]] = {
            (url_key(claim.citation_url), fold_sentence(record(claim)))
            for claim in grounds.claims
            if self._stands(claim)
        }
        self._facts: dict[str, set[str]] = {}
        self._pages: dict[str, NearSentences | None] = {}
        self._quotes: dict[str, WordIndex] = {}
        self._quotables: dict[tuple[str, bool], QuoteSource | None] = {}

    def _stands(self, claim: GroundedClaim) -> bool:
        """Whether a claim's own citation is validated, and the one it says."""
        return claim.citation_id in self.citations_of(claim.citation_url)

    def citations_of(self, url: str) -> list[int]:
        """The ids of the validated citations of a page."""
        return self._by_url.get(url_key(url), [])

    def nearest(self, url: str, text: str) -> list[int]:
        """Those of the validated citations of a page whose quotes share most words with a text, by their ids."""
        ids = self.citations_of(url)
        if len(ids) <= _MOST_QUOTES:
            return ids
        key = url_key(url)
        if key not in self._quotes:
            self._quotes[key] = WordIndex(self.grounds.citations[number - 1].quote for number in ids)
        return [ids[row] for row in self._quotes[key].nearest(text, _MOST_QUOTES)] or ids[:_MOST_QUOTES]

    def rejection(self, url: str) -> str:
        """Why the citations of a page were rejected; empty where there are none."""
        return self._rejected.get(url_key(url), "")

    def claims(self, text: str) -> list[GroundedClaim]:
        """The grounded claims that a text is."""
        return self._claims.get(fold_sentence(text), [])

    def is_tally(self, text: str) -> bool:
        """Whether a line says how many claims there are, and rightly."""
        return fold_sentence(text) == self._tally

    def is_record(self, text: str, urls: Iterable[str]) -> bool:
        """Whether a row of the table of grounded claims is as the claim was recorded."""
        return any((url_key(url), fold_sentence(text)) in self._records for url in urls)

    def is_fact(self, text: str, urls: Iterable[str]) -> bool:
        """Whether a line is the title of a page, or something else that its validation found."""
        said = fold_sentence(text)
        for url in urls:
            key = url_key(url)
            if key not in self._facts:
                known = [self.grounds.citations[number - 1] for number in self.citations_of(url)]
                lines = {line for one in known for line in (*facts_of(one), one.page_title)}
                self._facts[key] = {fold_sentence(show_on_one_line(line)) for line in lines}
            if said in self._facts[key]:
                return True
        return False

    def near(self, url: str) -> NearSentences | None:
        """The sentences of a page's snapshot, None where there is none."""
        key = url_key(url)
        if key not in self._pages:
            texts = self.grounds.texts(url) if self.grounds.texts is not None else None
            self._pages[key] = NearSentences(texts) if texts else None
        return self._pages[key]

    def find_unseen_quote(self, text: str, urls: Sequence[str]) -> str:
        """The first words in quotation marks that stand in none of the pages; empty where all do."""
        from ...text.quotations.mark_pairs import MARKS, PAIR, clean, inner_span

        if not any(mark in text for mark in (*MARKS, "'", "`")):
            return ""
        pairs = list(PAIR.finditer(text))
        quotes = [clean(text[slice(*inner_span(pair))]) for pair in pairs[:_MOST_QUOTED]]
        for words in filter(None, quotes):
            # What was validated of a page is looked at before its snapshot.
            sources = (self._quotable(url, whole) for url in urls for whole in (False, True))
            if not any(source is not None and source.verbatim(words) is not None for source in sources):
                return words
        return clean(text[pairs[_MOST_QUOTED].start() :]) if len(pairs) > _MOST_QUOTED else ""

    def _quotable(self, url: str, whole: bool) -> QuoteSource | None:
        """The validated quotes and the title of a page, or all of its snapshot."""
        from ...quotes.lookup import QuoteSource

        if (url, whole) not in self._quotables:
            texts: Sequence[str] = ()
            if not whole:
                known = [self.grounds.citations[number - 1] for number in self.citations_of(url)]
                texts = [text for one in known for text in (one.quote, one.page_title or "")]
            elif self.grounds.texts is not None:
                texts = self.grounds.texts(url) or ()
            self._quotables[url, whole] = QuoteSource(tuple(texts)) if texts else None
        return self._quotables[url, whole]


class NearSentences:
    """The sentences of a page, found by the words they share with another."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sentences: list[tuple[str, int, int]] = []
        left = _MOST_READ
        for text in texts:
            text = text[:left]
            left -= len(text)
            self._sentences += ((text, start, end) for start, end in split_sentences(text))
        self._words = WordIndex(_on_one_line(*place) for place in self._sentences)

    def best(self, text: str) -> list[QuotedEvidence]:
        """The few sentences that share most words, each with what stands around it."""
        found = []
        for row in self._words.nearest(text, _NEAREST):
            before, after = surround(*self._sentences[row])
            found.append(QuotedEvidence(_on_one_line(*self._sentences[row]), before=before, after=after))
        return found


def _on_one_line(text: str, start: int, end: int) -> str:
    return " ".join(text[start:end].split())


class WordIndex:
    """Which of some texts have a word."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._having: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            for word in _words(text):
                rows = self._having.setdefault(word, [])
                if len(rows) < _MOST_HAVING:
                    rows.append(row)

    def nearest(self, text: str, most: int) -> list[int]:
        """The places of the few texts that share most words with another one, the nearest first."""
        shared: dict[int, int] = {}
        for word in _words(text):
            for row in self._having.get(word, ()):
                shared[row] = shared.get(row, 0) + 1
        return sorted(shared, key=lambda row: (-shared[row], row))[:most]


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}

"""From a claim to a citation that can be shown: what was found, on which page, or why nothing may be cited."""

from __future__ import annotations

import re
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import UsageError
from ...core.limits import LIMITS
from ...papers.evidence import PaperEvidence
from ...papers.ids import id_order
from ...papers.printed_pages import page_known, printed_page
from ...quotes.lookup import QuoteSource, describe, mark_changes
from ...quotes.word_changes import show_marked_change
from ...text.quotations import is_quotation
from ...text.sentences import NEEDED, split_sentences
from .paper_pieces import ABOUT, NOTES, QUOTE, TEXT, PaperPiece, join_lines, windows
from .relevance import LEAST, ParsedClaim, read_claim, relevance, weigh_terms
from .search import PaperLibrary, PaperPassage
from .terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...papers.model import Paper
    from ...quotes.lookup import LookupResult

LONGEST_CLAIM = 4000
NO_SOURCE = "This claim would benefit from citation, but no suitable source exists in the corpus."
_CANDIDATES = 80
_PER_SENTENCE = 0.04
"""What a passage loses for every further sentence: of two that say it, the shorter one is cited."""
_FROM_NOTES = 0.05
"""What a passage loses for standing in notes and not in the paper."""
_PATIENCE = 60.0
_WORD = re.compile(r"\w+")


class CitableAnswer(Struct, frozen=True):
    """What may be cited for a claim."""

    claim: str
    found: tuple[PaperPassage, ...] = ()
    """The best first; empty where nothing may be cited."""
    quote: str = ""
    refusal: str = ""
    """`no-source`, `quote-altered`, `quote-stitched`, `quote-absent` or `quote-too-short` where nothing is found."""
    message: str = ""
    detail: tuple[str, ...] = ()
    """The difference, line by line, where a quote was altered; the pieces where it was stitched."""

    @property
    def text(self) -> str:
        """The claim with its citation, or with the mark that it needs one."""
        return with_citation(self.claim, self.found[0].citation if self.found else NEEDED)


def cite(library: PaperLibrary, claim: str, limit: int = 1) -> CitableAnswer:
    """The passages that support a claim, each with its citation; none where none does."""
    claim = _require_sentence(claim, "claim")
    wanted = read_claim(claim)
    words = {term: word for word in _WORD.findall(claim) for term in terms(word) if term in wanted.subject}
    weight = weigh_terms(*library.count_words(words))
    found: dict[tuple[str, str], PaperPassage] = {}
    for candidate in library.search(_words(claim), _CANDIDATES):
        best = _find_best_sentences(library, candidate, wanted, weight)
        if best is not None:
            same = (best.ref, join_lines(best.text))
            if same not in found or found[same].score < best.score:
                found[same] = best
    ranked = sorted(found.values(), key=lambda one: (-one.score, *id_order(one.ref), one.page))[:limit]
    return CitableAnswer(claim, tuple(ranked)) if ranked else CitableAnswer(claim, (), "", "no-source", NO_SOURCE)


def _find_best_sentences(
    library: PaperLibrary, candidate: PaperPassage, claim: ParsedClaim, weight: dict[str, float]
) -> PaperPassage | None:
    """The sentences of a passage that say what the claim says; None where none do."""
    if candidate.kind == ABOUT:
        return None
    evidence = library.corpus.find(candidate.ref)
    if not isinstance(evidence, PaperEvidence):
        return None
    paper = evidence.paper
    if candidate.kind == QUOTE:
        return _kept_quote(library, paper, candidate, claim, weight)
    about = _get_paper_terms(paper)
    text = candidate.text
    best: tuple[float, str] | None = None
    for run in windows(text):
        said = relevance(claim, [text[begin:end] for begin, end in run], about, weight)
        score = said - _PER_SENTENCE * (len(run) - 1) - (_FROM_NOTES if candidate.kind == NOTES else 0)
        if said >= LEAST and (best is None or score > best[0]):
            best = (score, text[run[0][0] : run[-1][1]])
    return library.narrow(paper, candidate, best[1], best[0]) if best is not None else None


def _kept_quote(
    library: PaperLibrary, paper: Paper, candidate: PaperPassage, claim: ParsedClaim, weight: dict[str, float]
) -> PaperPassage | None:
    """A key quote that says it; where there is a PDF, only if it stands there, and then with the page it stands on."""
    sentences = [candidate.text[begin:end] for begin, end in split_sentences(candidate.text)]
    score = relevance(claim, sentences, _get_paper_terms(paper), weight)
    if score < LEAST:
        return None
    source = library.corpus.words(paper)
    if source is None:
        return replace(candidate, score=score)
    look = source.look(candidate.text)
    if look.kind != "verbatim":
        return None
    return replace(_place_quote(library, paper, look, candidate.page), score=score)


def cite_quote(library: PaperLibrary, claim: str, quote: str, limit: int = 1) -> CitableAnswer:
    """The papers in which a quote stands word for word, with the page; else how it differs from what is there."""
    claim = _require_sentence(claim, "claim")
    quote = _require_sentence(quote, "quote")
    if not is_quotation(quote):
        message = "The quote is too short to identify a source: give three words or more."
        return CitableAnswer(claim, (), quote, "quote-too-short", message)
    found: list[PaperPassage] = []
    nearest: tuple[float, Paper, LookupResult] | None = None
    until = monotonic() + _PATIENCE
    for paper in _rank_papers(library, quote):
        if monotonic() > until:
            library.troubles.append(f"{paper.id}, and papers after it: looking for the quote took too long")
            break
        for look, one in _look_in_paper(library, paper, quote):
            if one is not None:
                found.append(one)
                break
            rank = look.similarity + (look.kind in ("altered", "parted"))
            if look.kind in ("altered", "stitched", "parted") and (nearest is None or rank > nearest[0]):
                nearest = (rank, paper, look)
        if len(found) >= limit:
            break
    if found:
        return CitableAnswer(claim, tuple(found), quote)
    if nearest is None:
        message = "No paper of the corpus says this word for word, or nearly so."
        return CitableAnswer(claim, (), quote, "quote-absent", message)
    return _refuse_quote(library, claim, quote, nearest[1], nearest[2])


def _refuse_quote(library: PaperLibrary, claim: str, quote: str, paper: Paper, look: LookupResult) -> CitableAnswer:
    pdf = library.corpus.pdf(paper)
    pages = [printed_page(paper, pdf, passage.page) for passage in look.passages]
    if look.kind == "altered":
        where = f"{paper.id}, p.{pages[0]}" if pages and pages[0] else paper.id
        message = f"The quote is not what {where} says: {describe(look.edits)}."
        rows: tuple[str, ...] = ()
        if look.passages:
            rows = show_marked_change(*mark_changes(quote, look.passages[0].text, look.edits), LIMITS.shown_chars)
        return CitableAnswer(claim, (), quote, "quote-altered", message, tuple(rows))
    if look.kind == "parted":
        where = f"{paper.id}, p.{pages[0]}" if pages and pages[0] else paper.id
        message = f"The quote goes over a break in {where}, and the PDF does not tell whether its text goes on there."
        return CitableAnswer(
            claim, (), quote, "quote-unchecked", message, tuple(passage.text for passage in look.passages)
        )
    message = f"The quote is stitched together from {len(look.passages)} places of {paper.id}; quote each separately."
    pieces = tuple(
        f"p.{page}: {passage.text}" if page else passage.text
        for page, passage in zip(pages, look.passages, strict=True)
    )
    return CitableAnswer(claim, (), quote, "quote-stitched", message, pieces)


def _look_in_paper(
    library: PaperLibrary, paper: Paper, quote: str
) -> Iterator[tuple[LookupResult, PaperPassage | None]]:
    """What looking for a quote in a paper shows: in its PDF, or else in the quotes that its file keeps."""
    source = library.corpus.words(paper)
    if source is not None:
        look = source.look(quote)
        yield look, _place_quote(library, paper, look) if look.kind == "verbatim" else None
        return
    for kept in paper.key_quotes:
        look = QuoteSource((kept.quote,)).look(quote)
        piece = PaperPiece(QUOTE, kept.quote, page=kept.page, section=kept.section)
        yield look, library.place(paper, piece, paper.path, 1.0) if look.kind == "verbatim" else None


def _place_quote(library: PaperLibrary, paper: Paper, look: LookupResult, declared: str = "") -> PaperPassage:
    """A quote that stands in the PDF: on the declared page if it is there too, else where it stands first."""
    pdf = library.corpus.pdf(paper)
    pages = [printed_page(paper, pdf, passage.page) for passage in look.passages]
    at = pages.index(declared) if declared in pages else 0
    passage = look.passages[at]
    found = library.place(paper, PaperPiece(TEXT, passage.text, passage.page), library.corpus.pdf_key(paper), 1.0)
    last = printed_page(paper, pdf, passage.end_page)
    if passage.end_page == passage.page or not found.page or not last:
        return found
    pages_ = f"{found.page}-{last}"
    if page_known(paper, pdf, pages_)[0] is False:
        return found
    return library.add_citation(replace(found, page=pages_))


def _rank_papers(library: PaperLibrary, quote: str) -> Iterator[Paper]:
    """Every paper, those first whose passages share most with the quote."""
    likely = dict.fromkeys(one.ref for one in library.search(_words(quote), 40))
    for identity in (*likely, *(one for one in library.corpus.ids if one not in likely)):
        found = library.corpus.find(identity)
        if isinstance(found, PaperEvidence):
            yield found.paper


def _words(text: str) -> str:
    """A text as a query in which nothing is a phrase that has to be there."""
    return " ".join(_WORD.findall(text))


def _get_paper_terms(paper: Paper) -> list[str]:
    return terms(f"{paper.title[:1000]}\n{' '.join(paper.authors[:100])[:2000]}")


def _require_sentence(text: str, what: str) -> str:
    """A claim or quote on one line; raises UsageError where there is none, or too much."""
    if len(text) > LONGEST_CLAIM:
        raise UsageError(f"the {what} has {len(text):,} characters; give one of at most {LONGEST_CLAIM:,}")
    text = " ".join(text.split())
    if not text:
        raise UsageError(f"the {what} is empty; give a sentence")
    return text


def with_citation(claim: str, citation: str) -> str:
    """A sentence with a citation before its final mark."""
    claim = claim.rstrip()
    end = claim[-1:] if claim[-1:] in (".", "!", "?") and not claim.endswith("...") else ""
    return f"{claim[: len(claim) - len(end)].rstrip()} {citation}{end}"

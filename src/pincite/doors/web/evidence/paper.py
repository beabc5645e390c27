"""A paper: what is known of it, and the cited page as a picture with the quoted words marked."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....core.errors import Refused
from ....core.model import Obstacle
from ....engine.shown_evidence import open_evidence_engine
from ....papers.cited_pages import cited_pages
from ....papers.evidence import PaperEvidence
from ....papers.printed_pages import printed_page
from ....safe.escape import escape_text
from ....safe.pdf import PdfTrouble
from ..routes import NotFound
from .excerpts import cut_quote, mark_quotes
from .lookup import EvidenceLookup, read_document
from .pictures import find_pictures
from .snapshot import find_page_of_paper
from .view import EvidenceFact, EvidenceView, PaperPage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....core.model import Citation
    from ....papers.model import PdfText
    from ....quotes.lookup import QuotePassage
    from ..records import CitationRow
    from ..site import Site

_MOST_QUOTES = 5
_AROUND = 150
"""Characters on either side of a quote that the words for a picture have."""


def show_paper(
    site: Site, lookup: EvidenceLookup, citation: Citation, evidence: PaperEvidence, page: int
) -> EvidenceView:
    """What is known of a paper, and a page of it: the one asked for, else where the words stand, else the cited one."""
    paper = evidence.paper
    title = f"{paper.id}: {escape_text(paper.title, 300) or 'untitled'}"
    view = EvidenceView("paper", lookup.row.id, title, path=paper.path, facts=tuple(_list_facts(citation, evidence)))
    pdf = evidence.reader.pdf(paper)
    if pdf is None or not pdf.pages:
        held = find_page_of_paper(lookup, citation, paper.url) if paper.url else None
        if held is not None:
            return replace(held, citation=lookup.row.id, path=paper.path, facts=(*view.facts, *held.facts))
        why = evidence.reader.trouble(paper) or "the PDF has no pages"
        return replace(view, statement=f"There is no page to show: {escape_text(why)}")
    passages = _find_passages(citation, evidence)
    cited = [number - 1 for _, number, _ in cited_pages(citation, evidence)]
    index = _choose_page(page - 1, passages, cited, len(pdf.pages))
    quotes = _select_quotes(passages, index)
    shown = _show_page(pdf, index, _cut_to_page(passages, index, pdf.pages[index]), index in cited)
    shown = replace(shown, printed=escape_text(printed_page(paper, pdf, index)))
    try:
        picture = find_pictures(site).draw(evidence.reader.pdf_data(paper), index, quotes)
        shown = replace(shown, width=picture.width, height=picture.height, marks=tuple(picture.marks))
    except (PdfTrouble, Refused) as error:
        shown = replace(shown, no_picture=escape_text(str(error)))
    return replace(view, page=shown)


def draw_cited_page(site: Site, row: CitationRow, page: int) -> bytes:
    """The picture of a page of the cited paper; raises NotFound where there is none, PdfTrouble where it fails."""
    verdict = site.documents.verdict(row)
    if verdict is None:
        raise NotFound("there is no picture: this text cannot be read as a citation")
    with site.open() as project, closing(open_evidence_engine(project)) as engine:
        settled = engine.settle(verdict.citation, read_document(project, engine, row.document))
        evidence = settled[1] if settled is not None else Obstacle("file-not-found")
        if settled is None or not isinstance(evidence, PaperEvidence):
            raise NotFound("there is no picture: the citation is of no paper")
        pdf = evidence.reader.pdf(evidence.paper)
        if pdf is None or not 0 < page <= len(pdf.pages):
            raise NotFound(f"there is no picture: {evidence.reader.trouble(evidence.paper) or 'no such page'}")
        quotes = _select_quotes(_find_passages(settled[0], evidence), page - 1)
        data = evidence.reader.pdf_data(evidence.paper)
    return find_pictures(site).draw(data, page - 1, quotes).png


def _list_facts(citation: Citation, evidence: PaperEvidence) -> Iterator[EvidenceFact]:
    paper = evidence.paper
    known = (
        ("authors", "; ".join(paper.authors)),
        ("year", paper.year),
        ("doi", paper.doi),
        ("url", paper.url),
        ("cited", f"page {citation.pages.text}" if citation.pages is not None else ""),
        ("section", citation.section),
        ("quoted", citation.quote.exact if citation.quote is not None else ""),
        ("sha256", evidence.digest[:12]),
    )
    yield from (EvidenceFact(name, escape_text(value, 400)) for name, value in known if value)


def _find_passages(citation: Citation, evidence: PaperEvidence) -> list[QuotePassage]:
    """Where the quoted words stand, or what comes nearest to them."""
    quote = citation.quote
    source = evidence.reader.words(evidence.paper) if quote is not None else None
    if source is None or quote is None:
        return []
    words = (quote.exact, *quote.others)[:_MOST_QUOTES]
    return [passage for one in words for passage in source.look(one).passages]


def _choose_page(asked: int, passages: Sequence[QuotePassage], cited: Sequence[int], count: int) -> int:
    if 0 <= asked < count:
        return asked
    starts = [passage.page for passage in passages]
    on_cited = [page for page in starts if page in cited]
    return next(iter((*on_cited, *starts[:1], *cited, 0)))


def _select_quotes(passages: Sequence[QuotePassage], index: int) -> list[str]:
    """The words of the paper that are marked on a page."""
    return list(dict.fromkeys(one.text for one in passages if one.page <= index <= one.end_page))


def _cut_to_page(passages: Sequence[QuotePassage], index: int, text: str) -> list[str]:
    """The same, without what stands on the page before or after."""
    found: dict[str, None] = {}
    for one in passages:
        if one.page == index:
            found[one.text if one.end_page == index else cut_quote(text, one.text, True)] = None
        elif one.end_page == index:
            found[cut_quote(text, one.text, False)] = None
    return list(filter(None, found))


def _show_page(pdf: PdfText, index: int, quotes: Sequence[str], is_cited: bool) -> PaperPage:
    pieces = mark_quotes(pdf.pages[index], quotes)
    at = next((at for at, piece in enumerate(pieces) if piece.is_quoted), None)
    before = "".join(piece.text for piece in pieces[: at or 0])
    after = "".join(piece.text for piece in pieces[at or 0 :])
    length = len(pieces[at].text) if at is not None else 0
    near = before[-_AROUND:] + after[: length + _AROUND] if at is not None else after[: 2 * _AROUND]
    alt = " ".join(near.split()) or "a page without text"
    return PaperPage(index + 1, len(pdf.pages), "", is_cited, f"Page {index + 1}: {alt}", pieces)

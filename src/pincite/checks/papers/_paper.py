"""What is true of a citation of a paper: page, section, quote. Computed once, reported by several checks."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from ...core.model import Obstacle
from ...papers.evidence import PaperEvidence
from ...papers.legibility import describe_unread, find_page_fault
from ...papers.printed_pages import edge_numbers, find_numbering, page_known, pdf_indexes, printed_page
from ...papers.ranges import parse_ranges
from ...papers.sections import find_section, same_section, sections_at
from ...quotes.lookup import LONGEST, MOST_PLACES, LookupResult, QuoteSource
from ...text.lines import shorten
from .. import NEVER, PlainPaper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ...core.model import Citation, Finding, Pages, Quote
    from ...papers.model import KeyQuote, Paper, PdfText
    from ...text.document import Document
    from ...text.evidence import Evidence
    from .. import Check, CheckedCitation

_BETWEEN = re.compile(r"[\W_]+")
_SOME_PAGES = 5
_MOST_ASKED = 8
_SHOWN = 80
"""Characters of a doubtful quote that are shown."""


class PaperFacts(Struct):
    """Each is true, false, or None where it was not or could not be checked."""

    page_valid: bool | None = None
    held_against: str = ""
    """What the page was compared with: `1-24 range`, `document has 32 pages`."""
    section_consistent: bool | None = None
    section_cited: str = ""
    """The cited section, else the one declared for the quote."""
    sections_there: tuple[str, ...] = ()
    """The sections that hold the cited page."""
    section_note: str = ""
    """Why the section could not be compared, where one is cited."""
    section_known: bool = True
    """False where the paper's sections are known and the cited one is not among them."""
    quote_verified: bool | None = None
    quote_kind: str = ""
    """verbatim, elsewhere, altered, stitched, misattributed, absent, unchecked; empty without a quote."""
    quote_note: str = ""
    quoted: str = ""
    """The words that the answer is about: of several quotes the one that fares worst."""
    look: LookupResult | None = None
    right_pages: tuple[str, ...] = ()
    """Where the quote does stand, as printed."""
    is_counted: bool = False
    """Whether the cited number is the place of that page in the PDF, while another number is printed on it."""
    other: str = ""
    """The paper it stands in, where that is not the cited one."""


def assess(citation: Citation, evidence: Evidence) -> PaperFacts | None:
    """The answer for a citation of a paper; None for any other citation."""
    if not isinstance(evidence, PaperEvidence) or not evidence.reader.pages:
        return None
    asked = citation.pages, citation.section, citation.quote
    known: PaperFacts | None = evidence.answers.get(asked)
    if known is None:
        known = evidence.answers[asked] = _assess(citation, evidence)
    return known


def check_facts(check: Callable[[Citation, PaperFacts], Finding | None]) -> Check:
    """A check of what is true of a citation of a paper, for any citation."""

    @wraps(check)
    def checked(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
        facts = assess(citation, evidence)
        return None if facts is None else check(citation, facts)

    return checked


_FORMS = frozenset(("bracket", "parenthesis", "page", "section"))


def plain_pages(evidence: PaperEvidence, keys: dict[str, None]) -> PlainPaper:
    """What holds of any citation that names no more than a page; nothing does where forms or receipts matter."""
    reader, paper = evidence.reader, evidence.paper
    if reader.receipts or not reader.allowed >= _FORMS:
        return NEVER
    if not reader.pages:
        return PlainPaper(True, 0, 10**9, frozenset(), keys)
    declared = frozenset(kept.page for kept in paper.key_quotes if kept.section)
    low, dash, high = paper.page_range.partition("-")
    if dash and low.isdecimal() and high.isdecimal() and len(low) <= len(high):
        return PlainPaper(True, int(low), int(high), declared, keys)
    total = paper.total_pages if not paper.page_range else None
    return PlainPaper(True, 1, total or 0, declared, keys)


def _assess(citation: Citation, evidence: PaperEvidence) -> PaperFacts:
    answer = PaperFacts()
    paper, reader = evidence.paper, evidence.reader
    pages = citation.pages
    # The PDF is read only where the corpus file alone cannot answer.
    needed = citation.quote is not None or (pages is not None and not (paper.page_range or paper.total_pages))
    needed = needed or (bool(citation.section) and not paper.sections)
    pdf = reader.pdf(paper) if needed else None
    if pages is not None:
        answer.page_valid, answer.held_against = page_known(paper, pdf, pages.first)
        if answer.page_valid and pages.last != pages.first:
            answer.page_valid, answer.held_against = page_known(paper, pdf, pages.last)
    _check_section(answer, citation, evidence, pdf)
    if citation.quote is not None:
        _check_quotes(answer, citation.quote, pages, evidence)
    return answer


def _check_section(answer: PaperFacts, citation: Citation, evidence: PaperEvidence, pdf: PdfText | None) -> None:
    paper = evidence.paper
    pages = citation.pages
    answer.section_cited = cited = citation.section or _find_declared_section(citation, evidence)
    has_sections = bool(paper.sections or (pdf is not None and pdf.outline))
    if citation.section:
        if not has_sections:
            answer.section_note = f"neither {paper.path} nor its PDF says which sections there are"
            return
        if find_section(paper, pdf, citation.section) is None:
            answer.section_known = False
            return
    if pages is None or answer.page_valid is False:
        # A section without a page: that it exists is all there is to say. With one that does not exist: nothing is.
        answer.section_consistent = True if citation.section and pages is None else None
        return
    answer.sections_there = there = sections_at(paper, pdf, pages.first)
    if not cited or not there:
        if citation.section:
            answer.section_note = f"no section of {paper.id} is known to hold page {pages.first}"
        return
    spanned = {*there, *(sections_at(paper, pdf, pages.last) if pages.last != pages.first else ())}
    # The cited section may be one that holds the page under another spelling (its number, say).
    section = find_section(paper, pdf, cited)
    spellings = {cited, section.name} if section is not None else {cited}
    answer.section_consistent = any(same_section(one, name) for one in spellings for name in spanned)


def _find_declared_section(citation: Citation, evidence: PaperEvidence) -> str:
    """The section that the corpus file declares for the quote, or for all quotes it keeps from the cited page."""
    kept: list[KeyQuote] = []
    if citation.quote is not None:
        kept = [one for one, _ in _find_key_quotes(citation.quote.exact, evidence)]
    elif citation.pages is not None:
        kept = [one for one in evidence.paper.key_quotes if one.page == citation.pages.first]
    sections = {one.section for one in kept if one.section}
    return sections.pop() if len(sections) == 1 else ""


def _find_key_quotes(quote: str, evidence: PaperEvidence) -> Iterator[tuple[KeyQuote, LookupResult]]:
    """The key quotes that hold these words."""
    plain: list[tuple[str, KeyQuote]] | None = evidence.answers.get("kept")
    if plain is None:
        plain = evidence.answers["kept"] = [
            (_keep_letters_and_digits(one.quote), one) for one in evidence.paper.key_quotes
        ]
    sought = _keep_letters_and_digits(quote)
    for letters, one in plain:
        # A file may keep thousands, each looked up in all the others: only what has the same letters is folded.
        look = QuoteSource((one.quote,)).verbatim(quote) if sought in letters else None
        if look is not None:
            yield one, look


def _keep_letters_and_digits(text: str) -> str:
    """The letters and digits of a text."""
    return _BETWEEN.sub("", normalize("NFKC", text[:LONGEST]))


def _check_quotes(answer: PaperFacts, quote: Quote, pages: Pages | None, evidence: PaperEvidence) -> None:
    """Look every quote up; of several, the answer tells the gravest."""
    answer.quoted = quote.exact
    _check_quote(answer, quote.exact, pages, evidence, quote.exact not in quote.doubtful)
    _doubt(answer, quote)
    for words in quote.others:
        other = PaperFacts(page_valid=answer.page_valid, quoted=words)
        _check_quote(other, words, pages, evidence, words not in quote.doubtful)
        _doubt(other, quote)
        if _GRAVITY.index(other.quote_kind) > _GRAVITY.index(answer.quote_kind):
            for field in _OF_QUOTE:
                setattr(answer, field, getattr(other, field))


def _doubt(answer: PaperFacts, quote: Quote) -> None:
    """What may not be quoted from the paper is not held against it: it stands there, or it is unchecked."""
    if answer.quoted not in quote.doubtful or answer.quote_kind in ("", "verbatim", "unchecked"):
        return
    shown = shorten(answer.quoted, _SHOWN)
    where = "is not on the cited page" if answer.quote_kind == "elsewhere" else "does not stand in the paper"
    answer.quote_note = f"“{shown}” {where}, and the text does not show that it is quoted from there"
    answer.quote_kind, answer.quote_verified = "unchecked", None
    answer.look, answer.right_pages, answer.other = None, (), ""


def _check_quote(answer: PaperFacts, quote: str, pages: Pages | None, evidence: PaperEvidence, sure: bool) -> None:
    """Look a quote up; of one that is not surely quoted from there, no more is asked than whether it stands there."""
    paper, reader = evidence.paper, evidence.reader
    pdf, source = reader.pdf(paper), reader.words(paper)
    if pdf is None or source is None:
        _check_kept(answer, quote, pages, evidence)
        return
    if len(quote) > LONGEST:
        answer.quote_kind = "unchecked"
        answer.quote_note = f"it has {len(quote):,} characters, and more than {LONGEST:,} are not looked up"
        return
    look = answer.look = source.look(quote) if sure else source.verbatim(quote) or LookupResult("absent")
    if look.kind == "too-short":
        answer.quote_kind, answer.quote_note = "unchecked", "it has neither a letter nor a digit"
        return
    expected = _find_page_indexes(paper, pdf, pages) if pages is not None else ()
    if look.kind == "verbatim":
        if expected and not _is_on_pages(look, expected):
            look = answer.look = source.look(quote, everywhere=True)
        if expected and not _is_on_pages(look, expected) and len(look.passages) >= MOST_PLACES:
            look = answer.look = _look_on_cited_pages(look, quote, expected, pdf)
        if not expected or _is_on_pages(look, expected) or not _find_unread_pages(pdf, expected):
            _judge_place(answer, look, pages, expected, paper, pdf)
            return
    unread = _find_unread_pages(pdf, expected or range(len(pdf.pages)))
    # Where no page is cited, a few without text are blank or pictures; a paper of which many are was scanned.
    if unread and (expected or len(unread) * _SOME_PAGES > len(pdf.pages)):
        # The words may stand elsewhere as well: that says nothing about an unreadable page.
        answer.quote_kind = "unchecked"
        answer.quote_note = describe_unread(pdf.pages[unread[0]], unread[0] + 1)
        return
    if look.kind == "parted":
        # Neither an accusation nor a confirmation: the layout does not tell what follows what.
        first, last = look.passages[0].page + 1, look.passages[0].end_page + 1
        where = f"page {first}" if first == last else f"pages {first} and {last}"
        answer.quote_kind = "unchecked"
        answer.quote_note = f"its words stand on both sides of a break on {where} of the PDF, and may not go on there"
        return
    if look.kind == "altered" and not _is_on_pages(look, expected):
        look = answer.look = _look_on_cited_pages(look, quote, expected, pdf)
    answer.quote_verified = False
    answer.quote_kind = look.kind
    found = reader.elsewhere(paper, quote) if sure else None
    if found is not None:
        answer.quote_kind, answer.other = "misattributed", found[0].id
        answer.right_pages = (found[2],) if found[2] else ()
    elif look.passages:
        answer.right_pages = tuple(printed_page(paper, pdf, passage.page) for passage in look.passages)


def _find_unread_pages(pdf: PdfText, indexes: Iterable[int]) -> list[int]:
    """Those of some pages that hold no text to look into, or none that can be read."""
    return [index for index in indexes if find_page_fault(pdf.pages[index])]


def _is_on_pages(look: LookupResult, expected: tuple[int, ...]) -> bool:
    """Whether a quote stands on one of these pages, as far as its places are known."""
    return any(passage.page <= index <= passage.end_page for passage in look.passages for index in expected)


def _look_on_cited_pages(look: LookupResult, quote: str, expected: tuple[int, ...], pdf: PdfText) -> LookupResult:
    """A quote that stands at more places than are reported, or is as near to another, looked up on the cited pages."""
    for index, around in ((index, around) for index in expected[:_MOST_ASKED] for around in (0, 1)):
        first = max(0, index - around)
        span = slice(first, index + around + 1)
        near = QuoteSource(pdf.pages[span], pdf.boxes[span]).look(quote)
        passages = [replace(one, page=one.page + first, end_page=one.end_page + first) for one in near.passages]
        here = [one for one in passages if one.page <= index <= one.end_page]
        if near.kind == look.kind and near.similarity >= look.similarity and here:
            verbatim = look.kind == "verbatim"
            return replace(near, passages=(here[0], *look.passages) if verbatim else tuple(passages))
    return look


def _find_page_indexes(paper: Paper, pdf: PdfText, pages: Pages) -> tuple[int, ...]:
    first = pdf_indexes(paper, pdf, pages.first)
    if pages.last == pages.first or not first:
        return first
    last = pdf_indexes(paper, pdf, pages.last)
    return tuple(range(first[0], last[-1] + 1)) if last and first[0] <= last[-1] else first


def _judge_place(
    answer: PaperFacts, look: LookupResult, pages: Pages | None, expected: tuple[int, ...], paper: Paper, pdf: PdfText
) -> None:
    """Verbatim: on the cited page, on another, or on one whose printed number is not known."""
    standing = tuple(dict.fromkeys(printed_page(paper, pdf, passage.page) for passage in look.passages))
    if pages is None or _is_on_pages(look, expected):
        answer.quote_verified, answer.quote_kind = True, "verbatim"
        answer.right_pages = standing if pages is None else ()
    elif not expected and answer.page_valid is not False:
        answer.quote_kind = "unchecked"
        number, name = look.passages[0].page + 1, standing[0]
        known = f"and its printed number is {name}: cite that" if name else "and its printed number is not known"
        answer.quote_note = f"it stands on page {number} of the PDF, {known}"
    elif restarts := _find_restart(look, pages, paper, pdf):
        answer.quote_kind = "unchecked"
        answer.quote_note = (
            f"it stands on page {restarts} of the PDF, on which {pages.first} is printed;"
            " the printed numbers begin anew in it, so that pages are counted from its first"
        )
    else:
        answer.quote_verified, answer.quote_kind = False, "elsewhere"
        answer.right_pages = tuple(page for page in standing if page)
        answer.is_counted = any(
            str(passage.page + 1) == pages.first != printed_page(paper, pdf, passage.page) for passage in look.passages
        )


def _find_restart(look: LookupResult, pages: Pages, paper: Paper, pdf: PdfText) -> int:
    """The page of the PDF, counted from 1, that has a quote and shows the cited number, which by count is another's."""
    if find_numbering(paper.page_range, pdf).how != "count" or not pages.first.isdecimal():
        return 0
    wanted = int(pages.first)
    return next((one.page + 1 for one in look.passages if wanted in edge_numbers(pdf.pages[one.page])), 0)


def _check_kept(answer: PaperFacts, quote: str, pages: Pages | None, evidence: PaperEvidence) -> None:
    """Without the paper's text: the quotes that its corpus file keeps, and whether a person validated them."""
    paper = evidence.paper
    answer.quote_kind = "unchecked"
    answer.quote_note = evidence.reader.trouble(paper)
    for kept, look in _find_key_quotes(quote, evidence):
        answer.look = look
        if not kept.validated:
            answer.quote_note = (
                f"{paper.path} keeps it as a key quote that was never validated, and {answer.quote_note}"
            )
        elif pages is not None and not kept.page:
            answer.quote_note = f"{paper.path} keeps it as a key quote without a page, and {answer.quote_note}"
        elif pages is None or _has_common_page(pages, kept.page):
            answer.quote_verified, answer.quote_kind, answer.quote_note = True, "verbatim", ""
        else:
            answer.quote_verified, answer.quote_kind, answer.quote_note = False, "elsewhere", ""
            answer.right_pages = (kept.page,)
        return


_OF_QUOTE = ("quote_verified", "quote_kind", "quote_note", "look", "right_pages", "is_counted", "other", "quoted")
_GRAVITY = ("", "verbatim", "unchecked", "elsewhere", "altered", "stitched", "misattributed", "absent")
"""How wrong a quote is, the least first."""
_BEST = ("verbatim", "elsewhere", "altered", "stitched", "misattributed", "unchecked", "absent", "")
"""How well a quote fits a paper, the best first."""


def share(rows: list[CheckedCitation]) -> None:
    """Where citations in a row share a quote, let the one stand for it that fits best; the others cite no words."""
    first = 0
    for at in range(1, len(rows) + 1):
        quote = rows[first].citation.quote
        if at < len(rows) and quote is not None and rows[at].citation.quote is quote:
            continue
        if at - first > 1:
            best = min(range(first, at), key=lambda number: _rank_fit(rows[number]))
            for number in range(first, at):
                if number != best:
                    row = rows[number]
                    row.citation = replace(row.citation, quote=None)
                    row.findings = tuple(one for one in row.findings if not one.check.startswith("quote-"))
        first = at


def _rank_fit(row: CheckedCitation) -> int:
    answer = None if isinstance(row.evidence, Obstacle) else assess(row.citation, row.evidence)
    return _BEST.index(answer.quote_kind) if answer is not None else len(_BEST)


def _has_common_page(pages: Pages, kept: str) -> bool:
    """Whether cited pages and the pages of a key quote have one in common."""
    if kept in (pages.first, pages.last):
        return True
    cited = parse_ranges(pages.text)
    return any(one.meets(other) for one in cited for other in parse_ranges(kept))

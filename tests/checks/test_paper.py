"""What is true of a citation of a paper: true and false only where somebody looked, None everywhere else."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import checks as verify
from pincite.checks.papers._paper import PaperFacts, assess
from pincite.core.libraries import describe_missing
from pincite.core.model import Citation, Finding, Outcome, Pages, Quote, Severity, SourceRef, Span
from pincite.papers.evidence import PaperEvidence
from pincite.papers.model import KeyQuote, OutlineEntry, Paper, PdfText, Section
from pincite.quotes.lookup import QuotePassage, QuoteSource
from pincite.text.document import Document

WORDS = "Readers rated the steady drafts 15 points higher"
PAGES = (
    "A study of steady voices\nWe ask whether a steady voice changes what readers remember.\n",
    "Methods\nWe asked 240 readers to rate eighteen drafts each.\n",
    f"Results\n{WORDS}.\nThe effect did not depend on the length of a draft.\n",
)
SECTIONS = (Section("Introduction", "1-5"), Section("Methods", "6-12"), Section("Results", "13-20"))


class Reader:
    """Reads papers that were made up."""

    def __init__(self, pdf: PdfText | None = None, trouble: str = "there is no PDF", pages: bool = True) -> None:
        self.pages = pages
        self.allowed = frozenset(("bracket", "parenthesis", "page", "section"))
        self.receipts = False
        self.partial = False
        self.asked = 0
        self.other: tuple[Paper, QuotePassage, str] | None = None
        self._pdf = pdf
        self._trouble = "" if pdf is not None else trouble

    def pdf(self, paper: Paper) -> PdfText | None:
        self.asked += 1
        return self._pdf

    def trouble(self, paper: Paper) -> str:
        return self._trouble

    def words(self, paper: Paper) -> QuoteSource | None:
        return QuoteSource(self._pdf.pages, self._pdf.boxes) if self._pdf is not None else None

    def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, QuotePassage, str] | None:
        return self.other

    def receipt(self, paper: Paper, citation: Citation) -> str:
        return "nothing was retrieved"


def cite(page: str = "", section: str = "", quote: str = "", raw: str = "[REF-043]") -> Citation:
    first, dash, last = page.partition("-")
    pages = Pages(first, last if dash else first) if page else None
    words = Quote(quote) if quote else None
    return Citation("ref", Span(0, len(raw)), raw, SourceRef("ref", "REF-043"), None, words, "", False, pages, section)


def held(reader: Reader | None = None, **said: Any) -> PaperEvidence:
    paper = Paper(id="REF-043", path="papers/REF-043-voice.md", **said)
    return PaperEvidence(SourceRef("ref", "REF-043"), b"", paper, reader or Reader())


def answer(citation: Citation, evidence: PaperEvidence) -> PaperFacts:
    found = assess(citation, evidence)
    assert found is not None
    return found


def findings(citation: Citation, evidence: PaperEvidence) -> list[Finding]:
    document = Document("x.md", citation.raw)
    found = [check(document, citation, evidence) for check in verify.row(verify.PAPER)]
    return [finding for finding in found if finding is not None]


def checks(citation: Citation, evidence: PaperEvidence) -> list[str]:
    return [finding.check for finding in findings(citation, evidence)]


# Pages


@pytest.mark.parametrize(
    ("page", "said", "valid", "against"),
    [
        ("15", {"total_pages": 24}, True, "document has 24 pages"),
        ("24", {"total_pages": 24}, True, "document has 24 pages"),
        ("25", {"total_pages": 24}, False, "document has 24 pages"),
        ("0", {"total_pages": 24}, False, "document has 24 pages"),
        ("23-25", {"total_pages": 24}, False, "document has 24 pages"),
        ("85", {"total_pages": 17, "page_range": "81-97"}, True, "81-97 range"),
        ("15", {"total_pages": 17, "page_range": "81-97"}, False, "81-97 range"),
        ("iv", {"page_range": "i-x, 1-20"}, True, "i-x, 1-20 range"),
        ("15", {}, None, ""),
        ("iv", {"total_pages": 24}, None, ""),
    ],
)
def test_pages(page: str, said: dict[str, Any], valid: bool | None, against: str) -> None:
    found = answer(cite(page), held(**said))
    assert (found.page_valid, found.held_against) == (valid, against)
    expected = {True: [], False: ["page-out-of-range"], None: ["page-unchecked"]}[valid]
    assert checks(cite(page), held(**said)) == expected


def test_the_pdf_is_counted_only_where_nothing_is_declared() -> None:
    reader = Reader(PdfText(PAGES))
    assert answer(cite("3"), held(reader)).page_valid is True
    assert answer(cite("4"), held(reader)).page_valid is False
    reader = Reader(PdfText(PAGES))
    assert answer(cite("4"), held(reader, total_pages=5)).page_valid is True
    assert reader.asked == 0


def test_without_a_page_there_is_nothing_to_say() -> None:
    found = answer(cite(), held(total_pages=24))
    assert (found.page_valid, found.section_consistent, found.quote_verified) == (None, None, None)
    assert checks(cite(), held()) == []


def test_with_page_validation_off_nothing_is_compared() -> None:
    evidence = held(Reader(pages=False), total_pages=3)
    assert assess(cite("99", "Nowhere", "some made up words"), evidence) is None
    assert checks(cite("99", "Nowhere", "some made up words"), evidence) == []


# Sections


@pytest.mark.parametrize(
    ("page", "section", "consistent", "expected"),
    [
        ("8", "Methods", True, []),
        ("8", "methods", True, []),
        ("8", "Introduction", False, ["section-mismatch"]),
        ("5-6", "Methods", True, []),
        ("", "Methods", True, []),
        ("", "Discussion", None, ["section-unknown"]),
        ("8", "Discussion", None, ["section-unknown"]),
        ("22", "Results", None, ["section-unchecked"]),
        ("99", "Results", True, ["page-out-of-range"]),
        ("8", "", None, []),
    ],
)
def test_sections(page: str, section: str, consistent: bool | None, expected: list[str]) -> None:
    evidence = held(total_pages=24, sections=SECTIONS)
    assert checks(cite(page, section), evidence) == expected
    if page != "99":
        assert answer(cite(page, section), evidence).section_consistent is consistent


def test_a_section_that_nobody_declared_is_not_checked() -> None:
    assert checks(cite("8", "Methods"), held(total_pages=24)) == ["section-unchecked"]
    assert answer(cite("8", "Methods"), held(total_pages=24)).section_consistent is None


def test_the_outline_of_the_pdf_has_sections() -> None:
    outline = (OutlineEntry(0, "1 Introduction", 0), OutlineEntry(0, "2 Methods", 1), OutlineEntry(0, "3 Results", 2))
    evidence = held(Reader(PdfText((*PAGES, "more"), (), outline)))
    assert checks(cite("4", "Results"), evidence) == []
    (found,) = findings(cite("4", "Introduction"), evidence)
    assert found.message == "Cited as Introduction, actually 3 Results"
    assert checks(cite("", "Section 9"), evidence) == ["section-unknown"]


def test_the_section_declared_for_a_quote_is_compared() -> None:
    kept = KeyQuote("Eighteen drafts were rated", "8", "Introduction")
    evidence = held(total_pages=24, sections=SECTIONS, key_quotes=(kept,))
    (found,) = findings(cite("8"), evidence)
    assert (found.check, found.message) == ("section-mismatch", "Cited as Introduction, actually Methods")
    assert checks(cite("9"), evidence) == []
    unsure = (kept, KeyQuote("Another of that page", "8", "Methods"))
    assert checks(cite("8"), held(total_pages=24, sections=SECTIONS, key_quotes=unsure)) == []


# Quotes


@pytest.mark.parametrize(
    ("page", "quote", "kind", "verified", "right"),
    [
        ("3", WORDS, "verbatim", True, ()),
        ("2-3", WORDS, "verbatim", True, ()),
        ("", WORDS, "verbatim", True, ("3",)),
        ("2", WORDS, "elsewhere", False, ("3",)),
        ("9", WORDS, "elsewhere", False, ("3",)),
        ("3", WORDS.replace("15", "25"), "altered", False, ("3",)),
        ("3", "The effect did depend on the length of a draft", "altered", False, ("3",)),
        ("3", "Whales sing to their young across whole oceans", "absent", False, ()),
        ("2", "We asked 240 readers to rate eighteen depend on the length of a draft", "stitched", False, ("2", "3")),
    ],
)
def test_quotes(page: str, quote: str, kind: str, verified: bool | None, right: tuple[str, ...]) -> None:
    found = answer(cite(page, quote=quote), held(Reader(PdfText(PAGES))))
    assert (found.quote_kind, found.quote_verified, found.right_pages) == (kind, verified, right)


def laid_out(*lines: tuple[int, int, str]) -> PdfText:
    """A page of full lines, each with its left edge and its foot."""
    numbers = [number for left, foot, _ in lines for number in (left, left + 2400, foot, 100)]
    return PdfText(("\n".join(text for *_, text in lines),), boxes=(array("h", numbers).tobytes(),))


def column(left: int, top: int, *lines: str) -> list[tuple[int, int, str]]:
    return [(left, top - 120 * at, line) for at, line in enumerate(lines)]


def test_a_quote_over_a_break_that_nothing_explains_is_unchecked_even_if_another_paper_has_it() -> None:
    """What stands below the first column may be text or not: nobody is accused."""
    rows = [
        *column(540, 7200, *[f"The drafts of group {at} were read by all of the readers" for at in "abcdefgh"]),
        *column(540, 6240, "Those of the last one were rated by the readers who had"),
        *column(
            540,
            5900,
            "Nothing else was asked of those who came to the library on",
            "that day, and nobody was paid for it.",
        ),
        *column(3160, 7200, "seen the others before, and by no one else. What they said"),
        *column(3160, 7080, *[f"about group {at} was written down by one of the authors" for at in "abcdefghij"]),
    ]
    reader = Reader(laid_out(*rows))
    quote = "rated by the readers who had seen the others before, and by no one else"
    reader.other = Paper(id="REF-044"), QuotePassage(0, 0, quote), "12"
    (found,) = findings(cite(quote=quote), held(reader))
    assert (found.check, found.outcome) == ("quote-unchecked", Outcome.UNCHECKED)
    assert "both sides of a break on page 1" in found.message


def test_words_of_another_paper() -> None:
    reader = Reader(PdfText(PAGES))
    reader.other = Paper(id="REF-044"), QuotePassage(0, 0, "x"), "12"
    (found,) = findings(cite("3", quote="Whales sing to their young across whole oceans"), held(reader))
    assert found.check == "quote-misattributed"
    assert found.message == "Misattributed: the quote is not in REF-043, it stands in REF-044, page 12"
    assert checks(cite("3", quote=WORDS), held(reader)) == []


def test_without_a_pdf_a_quote_is_not_checked() -> None:
    found = answer(cite("3", quote=WORDS), held(total_pages=3))
    assert (found.quote_verified, found.quote_kind, found.quote_note) == (None, "unchecked", "there is no PDF")


@pytest.mark.parametrize(
    ("pages", "page", "kind"),
    [
        ((PAGES[0], "", PAGES[2]), "2", "unchecked"),
        ((PAGES[0], " \n ", PAGES[2]), "", "unchecked"),
        ((PAGES[0], "", PAGES[2]), "1", "absent"),
        (("", "", ""), "1", "unchecked"),
    ],
)
def test_a_page_that_is_a_picture(pages: tuple[str, ...], page: str, kind: str) -> None:
    found = answer(cite(page, quote="Whales sing to their young across whole oceans"), held(Reader(PdfText(pages))))
    assert found.quote_kind == kind
    assert found.quote_verified is (False if kind == "absent" else None)


@pytest.mark.parametrize(
    ("validated", "kept", "page", "verified", "kind"),
    [
        (True, "15", "15", True, "verbatim"),
        (True, "15", "", True, "verbatim"),
        (True, "", "15", None, "unchecked"),
        (True, "", "", True, "verbatim"),
        (True, "15", "12-18", True, "verbatim"),
        (True, "14-15", "15", True, "verbatim"),
        (True, "14-15", "14-15", True, "verbatim"),
        (True, "14-15", "16", False, "elsewhere"),
        (True, "15", "14", False, "elsewhere"),
        (True, "15", "15-16", True, "verbatim"),
        (False, "15", "15", None, "unchecked"),
        (False, "15", "14", None, "unchecked"),
    ],
)
def test_kept_quotes_without_a_pdf(validated: bool, kept: str, page: str, verified: bool | None, kind: str) -> None:
    evidence = held(total_pages=24, key_quotes=(KeyQuote(WORDS, kept, "", validated),))
    found = answer(cite(page, quote="rated the steady drafts 15 points"), evidence)
    assert (found.quote_verified, found.quote_kind) == (verified, kind)


def test_words_that_stand_on_many_pages_hold_on_each() -> None:
    evidence = held(Reader(PdfText(tuple(f"Chapter {at}\n{WORDS} in all.\nPage {at} of it." for at in range(1, 61)))))
    for page in ("1", "30", "60"):
        assert answer(cite(page, quote=WORDS), evidence).quote_verified is True


def test_of_two_passages_as_near_the_cited_one_is_told() -> None:
    pages = tuple(f"Chapter {at}\n{WORDS} in all.\nMore of it." for at in ("one", "two", "three"))
    for page in ("1", "2", "3"):
        found = answer(cite(page, quote=WORDS.replace("15", "25")), held(Reader(PdfText(pages))))
        assert (found.quote_kind, found.right_pages) == ("altered", (page,))


def test_a_page_without_text_is_not_checked_by_another_page() -> None:
    pages = (*PAGES, "")
    found = answer(cite("4", quote=WORDS), held(Reader(PdfText(pages)), total_pages=4))
    assert (found.quote_verified, found.quote_kind, found.right_pages) == (None, "unchecked", ())
    assert (
        found.quote_note
        == "page 4 of the PDF holds no text (a scan?); `pincite corpus add --ocr` with its PDF recognises text"
    )
    assert answer(cite("3", quote=WORDS), held(Reader(PdfText(pages)), total_pages=4)).quote_verified is True
    assert answer(cite("3-4", quote=WORDS), held(Reader(PdfText(pages)), total_pages=4)).quote_verified is True
    assert answer(cite("1", quote=WORDS), held(Reader(PdfText(pages)), total_pages=4)).quote_kind == "elsewhere"


def test_a_quote_too_long_to_be_looked_up_is_not_checked() -> None:
    found = answer(cite("3", quote=f"{WORDS} " * 5000), held(Reader(PdfText(PAGES)), total_pages=3))
    assert (found.quote_verified, found.quote_kind) == (None, "unchecked")


def test_a_cover_put_in_front_shifts_the_pages() -> None:
    """Where the PDF has more pages than the paper, and none of them has a number, nobody knows which is page 3."""
    evidence = held(Reader(PdfText(PAGES)), total_pages=len(PAGES) - 1)
    for page in ("1", "2"):
        found = answer(cite(page, quote=WORDS), evidence)
        assert (found.quote_verified, found.quote_kind, found.right_pages) == (None, "unchecked", ())
    assert answer(cite(quote=WORDS), evidence).quote_verified is True


def test_a_journal_whose_pdf_pages_have_no_names() -> None:
    found = answer(cite("83", quote=WORDS), held(Reader(PdfText(PAGES)), page_range="81-97"))
    assert (found.quote_verified, found.quote_kind) == (None, "unchecked")
    found = answer(cite("83", quote=WORDS), held(Reader(PdfText(PAGES)), page_range="81-83"))
    assert (found.quote_verified, found.quote_kind) == (True, "verbatim")


def test_an_answer_is_worked_out_once() -> None:
    reader = Reader(PdfText(PAGES))
    evidence = held(reader)
    first = answer(cite("3", quote=WORDS), evidence)
    asked = reader.asked
    assert answer(cite("3", quote=WORDS), evidence) is first
    assert reader.asked == asked


# Forms and receipts


@pytest.mark.parametrize(
    ("raw", "page", "section", "allowed", "expected"),
    [
        ("[REF-043]", "", "", ("bracket",), []),
        ("(REF-043)", "", "", ("bracket",), ["format-not-allowed"]),
        ("[REF-043, p.3]", "3", "", ("bracket",), ["format-not-allowed"]),
        ("[REF-043, p.3]", "3", "", ("page",), []),
        ("[REF-043]", "", "", ("page",), ["format-not-allowed"]),
        ("[REF-043, Methods]", "", "Methods", ("bracket", "page"), ["format-not-allowed"]),
        ("REF-043", "", "", (), []),
        ("[REF-043]", "", "", (), ["format-not-allowed"]),
    ],
)
def test_forms(raw: str, page: str, section: str, allowed: tuple[str, ...], expected: list[str]) -> None:
    reader = Reader()
    reader.allowed = frozenset(allowed)
    assert checks(cite(page, section, raw=raw), held(reader, total_pages=24, sections=SECTIONS)) == expected


def test_receipts_are_asked_for_where_they_are_required() -> None:
    reader = Reader()
    assert checks(cite(), held(reader)) == []
    reader.receipts = True
    assert checks(cite(), held(reader)) == ["receipt-missing"]


# Laws


@given(
    page=st.sampled_from(("", "0", "1", "3", "8", "24", "25", "81", "iv", "S1", "2-9", "9-2", "999999999")),
    section=st.sampled_from(("", "Methods", "Section 2", "§9", "x" * 500, "\0")),
    quote=st.sampled_from(("", WORDS, WORDS.replace("15", "51"), "Whales sing to their young", "…", "[x] [y] [z]")),
    total=st.sampled_from((None, 1, 24)),
    ranged=st.sampled_from(("", "81-97", "i-x, 1-20", "nonsense")),
    sections=st.sampled_from(((), SECTIONS)),
    pdf=st.sampled_from((None, PdfText(PAGES), PdfText(("", "", "")), PdfText(PAGES, ("i", "ii", "1")))),
)
def test_what_was_not_looked_at_is_never_true(
    page: str,
    section: str,
    quote: str,
    total: int | None,
    ranged: str,
    sections: tuple[Section, ...],
    pdf: PdfText | None,
) -> None:
    evidence = held(Reader(pdf), total_pages=total, page_range=ranged, sections=sections)
    citation = cite(page, section, quote)
    found = answer(citation, evidence)
    said = findings(citation, evidence)
    if not page or not (total or ranged or pdf):
        assert found.page_valid is None
    if not section or not (sections or (pdf and pdf.outline)):
        assert found.section_consistent is None
    if not quote or pdf is None:
        assert found.quote_verified is None
    assert found.quote_verified is not True or quote in (WORDS, "…", "[x] [y] [z]")
    worst = max((finding.outcome for finding in said), default=Outcome.HOLDS)
    if False in (found.page_valid, found.section_consistent, found.quote_verified):
        assert worst > Outcome.UNCHECKED
    assert len({finding.check for finding in said}) == len(said)


@pytest.mark.parametrize(
    ("trouble", "severity"),
    [
        ("there is no PDF beside papers/REF-043-voice.md", Severity.NOTE),
        (f"papers/x.pdf: {describe_missing('pypdfium2')}", Severity.WARNING),
    ],
)
def test_a_machine_without_the_extractor_does_not_let_quotes_pass_in_silence(trouble: str, severity: Severity) -> None:
    (finding,) = findings(cite(quote="some words of the paper"), held(Reader(trouble=trouble)))
    assert (finding.check, finding.severity) == ("quote-unchecked", severity)

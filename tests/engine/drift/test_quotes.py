"""Quotes on another page, in other words, under another heading: which edit is offered, and when none is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import checks as verify
from pincite.core.limits import LIMITS
from pincite.core.model import Citation, Finding, Pages, Safety, SourceRef
from pincite.dialects import get_dialect
from pincite.engine.drift.follow import Follower
from pincite.engine.drift.quotes import CHECKS, follow_block, repair_quote
from pincite.engine.pipeline import Engine
from pincite.engine.repair.edits import apply_edits
from pincite.papers.evidence import PaperEvidence
from pincite.papers.model import KeyQuote, Paper, PdfText, Section
from pincite.quotes.lookup import QuotePassage, QuoteSource
from pincite.safe.files import Root
from pincite.text.document import Document
from pincite.text.evidence import Evidence
from pincite.text.markdown import ends_block_quote

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40"))
WORDS = "A steady voice improves what readers remember by 15 percent"
LAST = "The effect did not depend on the length of a draft"
TOP = "Readers named the author of a draft in nine cases of ten"
TWICE = "Every draft was read by two people who did not know each other"
PAGES = (
    f"A study of steady voices\nWe ask whether a steady voice changes what readers remember.\n{TWICE}.\n",
    "Methods\nWe asked 240 readers to rate eighteen drafts each, in random order.\n",
    f"Results\n{WORDS}.\n{LAST}.\n",
    f"{TOP}.\nNothing else was seen that would matter here.\n",
    f"Discussion\n{TWICE}.\nMore drafts would have to be read for that.\n",
)
SECTIONS = (
    Section("Introduction", "1"),
    Section("Methods", "2"),
    Section("Results", "3-4"),
    Section("Discussion", "5"),
)


class Reader:
    """Reads a paper that was made up."""

    def __init__(self, pdf: PdfText | None) -> None:
        self.pages, self.receipts, self.partial = True, False, False
        self.allowed = frozenset(("bracket", "parenthesis", "page", "section"))
        self._pdf = pdf

    def pdf(self, paper: Paper) -> PdfText | None:
        return self._pdf

    def trouble(self, paper: Paper) -> str:
        return "" if self._pdf is not None else "there is no PDF"

    def file_digest(self, paper: Paper) -> tuple[str, str]:
        return "", ""

    def words(self, paper: Paper) -> QuoteSource | None:
        return QuoteSource(self._pdf.pages) if self._pdf is not None else None

    def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, QuotePassage, str] | None:
        return None

    def receipt(self, paper: Paper, citation: Citation) -> str:
        return ""


def make_finding(check: str, message: str) -> Finding:
    """A finding of a check, with the outcome and severity that it declares."""
    module = verify.load(check)
    return Finding(check, module.OUTCOME, module.SEVERITY, message)


def held(pages: tuple[str, ...] | None = PAGES, **said: object) -> PaperEvidence:
    paper = Paper(id="REF-043", path="papers/REF-043-voice.md", **{"total_pages": 5, "sections": SECTIONS, **said})
    return PaperEvidence(SourceRef("ref", "REF-043"), b"", paper, Reader(PdfText(pages) if pages else None))


def repaired(text: str, evidence: PaperEvidence, path: str = "x.md", dialect: str = "ref") -> list[Finding]:
    """What every citation of the paper has wrong, followed."""
    document = Document(path, text)
    found: list[Finding] = []
    for citation in get_dialect(dialect).extract(document):
        if isinstance(citation, Citation) and citation.source.key in ("REF-043", "doe2020"):
            for check in verify.row(verify.PAPER):
                finding = check(document, citation, evidence)
                if finding is not None:
                    found.append(repair_quote(document, citation, evidence, finding))
    return found


def fixed(text: str, evidence: PaperEvidence | None = None, path: str = "x.md", dialect: str = "ref") -> str:
    """The text with every edit made; a second pass must have nothing left to say about what the first put right."""
    evidence = evidence or held()
    findings = repaired(text, evidence, path, dialect)
    after = apply_edits(text, [finding.edit for finding in findings if finding.edit is not None])
    if after != text:
        left = repaired(after, evidence, path, dialect)
        assert not any(finding.edit is not None for finding in left)
        assert len(left) < len(findings)
    return after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"“{WORDS}” [REF-043, p.2].", f"“{WORDS}” [REF-043, p.3]."),
        (f"“{WORDS}” [REF-043, p. 2].", f"“{WORDS}” [REF-043, p. 3]."),
        (f"“{WORDS}” [REF-043, page 2].", f"“{WORDS}” [REF-043, page 3]."),
        (f"“{WORDS}” [REF-043, pp. 1-2].", f"“{WORDS}” [REF-043, p. 3]."),
        (f"“{WORDS}” [REF-043, Pages 1–2].", f"“{WORDS}” [REF-043, Page 3]."),
        (f"“{WORDS}” (REF-043, p.\n2).", f"“{WORDS}” (REF-043, p.\n3)."),
        (f"“{WORDS}” [REF-001; REF-043, p.2].", f"“{WORDS}” [REF-001; REF-043, p.3]."),
        (f"REF-043 (p. 2) says: “{WORDS}”.", f"REF-043 (p. 3) says: “{WORDS}”."),
        (f"> {WORDS}\n\n— [REF-043, p.1]\n", f"> {WORDS}\n\n— [REF-043, p.3]\n"),
        (f"“{WORDS}” and “{LAST}” [REF-043, p.2].", f"“{WORDS}” and “{LAST}” [REF-043, p.3]."),
        (f"“{LAST}” and “{TOP}” [REF-043, p.3].", f"“{LAST}” and “{TOP}” [REF-043, pp.3-4]."),
        (f"“{LAST}” and “{TOP}” [REF-043, page 1].", f"“{LAST}” and “{TOP}” [REF-043, pages 3-4]."),
        (f"“{LAST}” and “{TOP}” [REF-043, pp. 1 – 2].", f"“{LAST}” and “{TOP}” [REF-043, pp. 3 – 4]."),
        (f"“{WORDS}” [REF-043, Results, p.2].", f"“{WORDS}” [REF-043, Results, p.3]."),
        (f"“{WORDS}” [REF-043, p.99].", f"“{WORDS}” [REF-043, p.3]."),
    ],
)
def test_the_page_on_which_the_words_stand_is_written(before: str, after: str) -> None:
    """Every form keeps its own way of writing, and each quote of a sentence stands on what is offered."""
    assert fixed(before) == after
    # A lone CR ends a line, and no citation goes on behind it.
    for ending in ("\r\n", "\r") if ".\n2" not in before else ("\r\n",):
        odd = f"\ufeffé\t\n\n{before}".replace("\n", ending)
        assert fixed(odd) == f"\ufeffé\t\n\n{after}".replace("\n", ending)


@pytest.mark.parametrize(
    "text",
    [
        # The words stand on two pages.
        f"“{TWICE}” [REF-043, p.2].",
        # Of two quotes one stands on two pages, and on none with the other.
        f"“{TWICE}” and “{WORDS}” [REF-043, p.2].",
        # So far apart that a range would say nothing.
        f"“{TOP}” and “We asked 240 readers to rate eighteen drafts each” [REF-043, p.1].",
        # Which of these pages is wrong?
        f"“{WORDS}” [REF-043, pp. 1, 2 and 4-5].".replace("4-5", "2"),
        # No quote shows where it should lead.
        "Voices matter [REF-043, p.99].",
        # The section that is cited does not hold the page on which the words stand.
        f"“{WORDS}” [REF-043, Methods, p.2].",
        # One quote is not in the paper at all.
        f"“{WORDS}” and “nobody has ever written this down anywhere” [REF-043, p.2].",
        # The page is right.
        f"“{WORDS}” [REF-043, p.3].",
    ],
)
def test_a_page_is_never_guessed(text: str) -> None:
    assert fixed(text) == text


def test_a_page_that_the_corpus_file_keeps_is_offered_without_a_pdf() -> None:
    """A validated key quote is a witness; one that nobody validated is none."""
    for validated, expected in ((True, "p.3"), (False, "p.2")):
        evidence = held(None, key_quotes=(KeyQuote(WORDS, "3", validated=validated),))
        assert fixed(f"“{WORDS}” [REF-043, p.2].", evidence) == f"“{WORDS}” [REF-043, {expected}]."


def test_a_page_finding_says_what_was_cited_and_where_the_edit_leads() -> None:
    (finding,) = repaired(f"“{WORDS}” [REF-043, p.2].", held())
    assert finding.check == "quote-elsewhere"
    assert finding.edit is not None and finding.edit.safety is Safety.SAFE
    assert finding.then == (WORDS,) and finding.now == ()
    assert finding.place is not None and finding.place.pages == Pages("3", "3")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("“{0}” [REF-043, p.3].", "“{1}” [REF-043, p.3]."),
        ("“{0}.” [REF-043, p.3].", "“{1}.” [REF-043, p.3]."),
        ('It says "{0}" [REF-043].', 'It says "{1}" [REF-043].'),
        ("> {0}\n\n— [REF-043, p.3]\n", "> {1}\n\n— [REF-043, p.3]\n"),
        ("[REF-043, p.3]: “{0}”", "[REF-043, p.3]: “{1}”"),
        (f"“{LAST}” and “{{0}}” [REF-043, p.3].", f"“{LAST}” and “{{1}}” [REF-043, p.3]."),
        ("“{0}” [REF-043, p.3] [REF-001].", "“{1}” [REF-043, p.3] [REF-001]."),
    ],
)
@pytest.mark.parametrize(
    "altered",
    [
        WORDS.replace("15", "25"),
        WORDS.replace("improves", "worsens"),
        WORDS.replace("steady ", ""),
        WORDS.replace("what", "just what"),
        WORDS.replace("A steady", "The steady"),
    ],
)
def test_the_words_of_the_paper_are_offered_to_a_reader(before: str, after: str, altered: str) -> None:
    """Whatever was altered, the edit is never a safe one, and shows both wordings."""
    text = before.format(altered)
    (finding,) = repaired(text, held())
    assert finding.check == "quote-altered" and finding.edit is not None
    assert finding.edit.safety is Safety.UNSAFE
    assert finding.then[0].rstrip(".") == altered and finding.now[0].rstrip(".") == WORDS
    assert fixed(text) == after.format("", WORDS)


def test_lines_of_a_block_quote_stay_lines() -> None:
    text = "> A steady voice improves\n>  what readers remember\n> by 25 percent\n\n— [REF-043, p.3]\n"
    assert fixed(text) == text.replace("25", "15")
    odd = text.replace("\n", "\r\n")
    assert fixed(odd) == odd.replace("25", "15")


def test_several_altered_quotes_are_put_right_at_once() -> None:
    text = f"“{WORDS.replace('15', '25')}” and, as *they* say, “{LAST.replace('did not', 'did')}” [REF-043, p.3]."
    assert fixed(text) == f"“{WORDS}” and, as *they* say, “{LAST}” [REF-043, p.3]."


@pytest.mark.parametrize(
    "text",
    [
        # Markup within the words: where they stand is not plain.
        f"“{WORDS.replace('15', '**25**')}” [REF-043, p.3].",
        # The same words twice: which of them is meant?
        f"“{WORDS.replace('15', '25')}” is what they say. “{WORDS.replace('15', '25')}” [REF-043, p.3].",
        # What is near stands on another page than the cited one.
        f"“{WORDS.replace('15', '25')}” [REF-043, p.2].",
        # In code nothing is quoted.
        f"`“{WORDS.replace('15', '25')}”` [REF-043, p.3].",
    ],
)
def test_words_are_not_replaced_where_they_cannot_be_told(text: str) -> None:
    assert fixed(text) == text


@pytest.mark.parametrize(
    "hostile",
    [
        "A steady voice ” improves what “ readers remember by 15 percent",
        "A steady voice [REF-001, p.9] improves what readers remember by 15 percent",
        "A steady voice 【F:a.py†L1】 improves what readers remember by 15 percent",
        "A steady voice `improves what readers remember by 15 percent",
        "A steady \x1b[31mvoice improves what readers remember by 15 percent",
        "A steady \u202evoice improves what readers remember by 15 percent",
    ],
)
def test_words_of_a_paper_never_become_markup_or_citations(hostile: str) -> None:
    """What a PDF holds could end the quote or cite something: then nothing is offered."""
    text = f"“{WORDS.replace('15', '25')}” [REF-043, p.1]."
    evidence = held((hostile + ".\n", *PAGES[3:]), total_pages=3)
    for finding in repaired(text, evidence):
        if finding.edit is not None:
            after = apply_edits(text, [finding.edit])
            (citation,) = get_dialect("ref").extract(Document("x.md", after))
            assert isinstance(citation, Citation) and citation.source.key == "REF-043"
            assert "REF-001" not in after and "【" not in after and "\x1b" not in after and "\u202e" not in after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Voices matter [REF-043, Resuls].", "Voices matter [REF-043, Results]."),
        ("Voices matter [REF-043, Introduktion, p.1].", "Voices matter [REF-043, Introduction, p.1]."),
        (f"“{WORDS}” [REF-043, Methods, p.3].", f"“{WORDS}” [REF-043, Results, p.3]."),
        (f"“{WORDS}” [REF-001; REF-043, Methods, p.3].", f"“{WORDS}” [REF-001; REF-043, Results, p.3]."),
    ],
)
def test_a_section_is_offered_where_its_name_or_its_words_show_it(before: str, after: str) -> None:
    (finding,) = repaired(before, held())
    assert finding.edit is not None and finding.edit.safety is Safety.UNSAFE and finding.then and finding.now
    assert fixed(before) == after


@pytest.mark.parametrize(
    "text",
    [
        # Page or section: nothing says which is wrong.
        "Voices matter [REF-043, Methods, p.3].",
        # A number that no section has.
        "Voices matter [REF-043, §9].",
        "Voices matter [REF-043, Conclusions].",
        # Nearly a section that does not hold the page.
        "Voices matter [REF-043, Resuls, p.1].",
    ],
)
def test_a_section_is_never_guessed(text: str) -> None:
    findings = repaired(text, held())
    assert findings and all(finding.edit is None for finding in findings)


def test_two_sections_of_nearly_one_name_are_not_told_apart() -> None:
    evidence = held(sections=(Section("Study 1: Results", "1-2"), Section("Study 2: Results", "3-5")))
    (finding,) = repaired("Voices matter [REF-043, Study: Results].", evidence)
    assert finding.edit is None


KEPT = """---
key_quotes:
  - quote: {quote}
    page: {page}   # as printed
    section: {section}
    validated: true
---
# REF-043
"""


@pytest.mark.parametrize("page", ["2", '"2"', "'2'", "1-2", '"1-2"'])
def test_the_page_of_a_key_quote_changes_and_nothing_else(page: str) -> None:
    text = KEPT.format(quote=WORDS, page=page, section="Results")
    new = page.replace("1-2", "2").replace("2", "3")
    after = fixed(text, path="papers/REF-043-voice.md", dialect="key-quote")
    assert after == KEPT.format(quote=WORDS, page=new, section="Results")


@pytest.mark.parametrize(
    "written",
    [
        "{0}",
        '"{0}"',
        "'{0}'",
        ">\n      {0}",
        "|\n      {0}",
        ">-\n      A steady voice improves\n      what readers remember by {1} percent",
        '"A steady voice improves\n      what readers remember by {1} percent"',
    ],
)
def test_a_key_quote_gets_the_words_of_its_paper(written: str) -> None:
    """Plain, quoted and block scalars, in their own style."""
    old = written.format(WORDS.replace("15", "25"), "25")
    new = written.format(WORDS, "15")
    text = KEPT.format(quote=old, page="3", section="Results").replace("\n", "\r\n")
    after = fixed(text, path="papers/REF-043-voice.md", dialect="key-quote")
    assert after == KEPT.format(quote=new, page="3", section="Results").replace("\n", "\r\n")


def test_a_key_quote_in_flow_style_and_in_a_list_is_served_too() -> None:
    flow = f'---\nkey_quotes: [{{quote: "{WORDS}", page: 2}}]\n---\n'
    assert fixed(flow, path="REF-043-v.md", dialect="key-quote") == flow.replace("page: 2", "page: 3")
    plain = f'# REF-043: Voices\n\n- "{WORDS.replace("15", "25")}" (p. 3)\n- "{TOP}" (p. 2)\n'
    expected = plain.replace("25", "15").replace("(p. 2)", "(p. 4)")
    assert fixed(plain, path="REF-043-v.md", dialect="key-quote") == expected


def test_a_page_key_inside_the_words_is_not_taken_for_the_page() -> None:
    """The entry is read as YAML, not searched."""
    quote = f"|\n      page: 2\n      {WORDS}"
    text = KEPT.format(quote=quote, page="2", section="Results")
    document = Document("REF-043-v.md", text)
    (citation,) = get_dialect("key-quote").extract(document)
    assert isinstance(citation, Citation)
    from pincite.core.model import Place

    edit = get_dialect("key-quote").repoint(document, citation, Place("REF-043", None, Pages("3", "3")))
    assert edit is not None
    assert apply_edits(text, [edit]) == KEPT.format(quote=quote, page="3", section="Results")


def test_the_section_of_a_key_quote() -> None:
    text = KEPT.format(quote=WORDS, page="3", section="Methods")
    after = fixed(text, path="REF-043-v.md", dialect="key-quote")
    assert after == KEPT.format(quote=WORDS, page="3", section="Results")


def test_keys_of_a_bibliography_are_served_like_ids() -> None:
    evidence = held()
    assert fixed(f"“{WORDS}” [@doe2020, p. 2].", evidence, dialect="key") == f"“{WORDS}” [@doe2020, p. 3]."
    altered = f"“{WORDS.replace('15', '25')}” [see @doe2020, p. 3; @roe]."
    assert fixed(altered, evidence, dialect="key") == altered.replace("25", "15")
    assert fixed("It is so [@doe2020, Resuls].", evidence, dialect="key") == "It is so [@doe2020, Results]."


def test_a_heading_is_written_as_it_stands() -> None:
    document = Document("x.md", "See [guide.md, §First steps].")
    (citation,) = get_dialect("section").extract(document)
    assert isinstance(citation, Citation)
    evidence = Evidence(SourceRef("section", "guide.md"), b"# Guide\n\n## First Steps!\n")
    finding = make_finding("heading-altered", "reads otherwise")
    found = repair_quote(document, citation, evidence, finding)
    assert found.edit is not None and found.edit.safety is Safety.UNSAFE
    assert apply_edits(document.text, [found.edit]) == "See [guide.md, §First Steps!]."
    assert (found.then, found.now) == (("First steps",), ("First Steps!",))


def test_other_findings_stay_what_they_are() -> None:
    assert set(verify.names()) >= CHECKS
    finding = make_finding("quote-not-found", "nothing comes near it")
    document = Document("x.md", f"“{WORDS}” [REF-043, p.2].")
    (citation,) = get_dialect("ref").extract(document)
    assert isinstance(citation, Citation)
    assert repair_quote(document, citation, held(), finding) is finding
    plain = Evidence(SourceRef("file", "a.py"), b"x\n")
    odd = make_finding("quote-elsewhere", "elsewhere")
    assert repair_quote(document, citation, plain, odd) is odd


PIECES = st.sampled_from(
    (
        *(f"“{WORDS}” ", f'"{LAST}" ', f"“{WORDS.replace('15', '25')}” ", f"> {TOP}\n", f"“{TWICE}” ", "“", "”", '"'),
        *("[REF-043, p.2]", "[REF-043, pp. 1-2]", "[REF-043, Resuls, p.3]", "(REF-043)", "[REF-001; REF-043, p.1]"),
        *(
            " and ",
            ".\n\n",
            "\r\n",
            "\r",
            "`",
            "```\n",
            "[",
            "]",
            "(",
            ")",
            "\0",
            "é\u0301",
            "\u202e",
            "😀",
            "\ufeff",
            "— ",
        ),
    )
)


@given(text=st.lists(PIECES, max_size=12).map("".join))
@settings(max_examples=EXAMPLES, deadline=None)
def test_an_edit_never_adds_a_finding(text: str) -> None:
    """Whatever the document, each edit alone makes the findings fewer, or others less grave, and never raises."""
    evidence = held()
    before = repaired(text, evidence)
    for finding in before:
        if finding.edit is None:
            continue
        after = repaired(apply_edits(text, [finding.edit]), evidence)
        assert len(after) <= len(before)
        assert [one.check for one in after].count(finding.check) < [one.check for one in before].count(finding.check)


def test_a_label_that_looks_like_a_range_is_no_range() -> None:
    """In many manuals `3-12` is page 12 of chapter 3; such a page cannot be written, so it is not."""
    text = f"“{WORDS}” [REF-043, p.2]."
    paper = Paper(id="REF-043", path="papers/REF-043-voice.md")
    pdf = PdfText(PAGES, labels=("1-1", "1-2", "2-1", "2-2", "3-1"))
    evidence = PaperEvidence(SourceRef("ref", "REF-043"), b"", paper, Reader(pdf))
    assert fixed(text, evidence) == text


FILE = "".join(f"step_{number} = prepare({number})\n" for number in range(1, 31))
BLOCK = "> step_3 = prepare(3)\n> step_4 = prepare(4)\n>\n> — [App](../src/app.py#L{0}), §Setup\n"


def followed(text: str, data: str, path: str = "docs/a.md") -> str | None:
    """The text after the lines that a block quotes were followed."""
    document = Document(path, text)
    (citation,) = (item for item in get_dialect("link").extract(document) if isinstance(item, Citation))
    finding = follow_block(document, citation, Evidence(SourceRef("file", "src/app.py"), data.encode()))
    if finding is None:
        return None
    assert finding.check == "lines-moved" and finding.edit is not None and finding.edit.safety is Safety.SAFE
    return apply_edits(text, [finding.edit])


@pytest.mark.parametrize(("old", "new"), [("3-L4", "5-L6"), ("3", "5"), ("40-L41", "5-L6")])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_that_a_block_quotes_are_followed_without_history(old: str, new: str, ending: str) -> None:
    """The words are there to be compared; the link gets the lines on which they stand now."""
    text = f"Intro\n\n{BLOCK.format(old)}\nMore.\n".replace("\n", ending)
    assert followed(text, "# one\n# two\n" + FILE) == text.replace(f"#L{old})", f"#L{new})")


@pytest.mark.parametrize(
    ("text", "data"),
    [
        # They stand where they are cited.
        (BLOCK.format("3-L4"), FILE),
        # They are a part of what is cited.
        (BLOCK.format("2-L4"), FILE),
        (BLOCK.format("1-L9"), FILE),
        # They stand twice.
        (BLOCK.format("3-L4"), "#\n" + FILE + FILE),
        # They were edited.
        (BLOCK.format("3-L4"), FILE.replace("prepare", "make")),
        # Nothing is quoted.
        ("> — [App](../src/app.py#L9)\n", FILE),
        ("Words.\n\n> — [App](../src/app.py#L9)\n", FILE),
        # The link is one of a sentence.
        ("> step_3 = prepare(3)\n> see [App](../src/app.py#L9)\n", FILE),
        # What says too little is nowhere.
        ("> }\n>\n> — [App](../src/app.py#L9)\n", "}\n" + FILE),
    ],
)
def test_a_block_is_not_followed_where_that_is_not_certain(text: str, data: str) -> None:
    assert followed(text, data) is None


def test_what_a_block_quoted_is_shown_in_part() -> None:
    line = "very long words " * 1000
    document = Document("a.md", f"> {line.strip()}\n>\n> — [App](app.py#L9)\n")
    (citation,) = (item for item in get_dialect("link").extract(document) if isinstance(item, Citation))
    finding = follow_block(document, citation, Evidence(SourceRef("file", "app.py"), f"{line}\n{FILE}".encode()))
    assert finding is not None and finding.check == "lines-moved"
    assert [len(row) for row in finding.then] == [LIMITS.shown_chars]


@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize(("cited", "checks"), [("9-L10", ["lines-moved"]), ("5-L6", [])])
def test_a_block_is_followed_whether_or_not_every_verdict_is_wanted(
    tmp_path: Path, every: bool, cited: str, checks: list[str]
) -> None:
    """The cited lines are there, so one look would do, were it not for what is quoted above."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text("# one\n# two\n" + FILE)
    with Root(str(tmp_path)) as root:
        engine = Engine(root, follower=Follower(), every=every)
        report = engine.check_bytes("docs/a.md", BLOCK.format(cited).encode())
    assert [finding.check for verdict in report.verdicts for finding in verdict.findings] == checks
    assert report.held == (not checks)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("> — ", True),
        ("a\n>- ", True),
        ("a\r\n> -- ", True),
        ("a\r> – ", True),
        ("a> — ", False),
        ("\n> see — ", False),
        ("\n>  — ", False),
        ("\n— ", False),
        ("\n> —", False),
        (" ", False),
        ("", False),
    ],
)
def test_where_a_block_quote_ends_is_seen_from_a_few_characters(text: str, ends: bool) -> None:
    assert ends_block_quote(text + "[x](a.py#L1)", len(text)) is ends

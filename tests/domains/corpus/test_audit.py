"""Audits: what is counted, how it is said in each format, and that nothing from a document is more than text."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from reportlab.pdfgen.canvas import Canvas

from pincite.checks.papers._paper import PaperFacts
from pincite.core.model import Citation, Finding, Outcome, Pages, Quote, Severity, SourceRef, Span
from pincite.domains.corpus.audit import CorpusAudit, Counts, audit, open_validator
from pincite.domains.corpus.entries import CitationTally, entries, recommendations
from pincite.domains.corpus.paper_status import PaperStatus
from pincite.domains.corpus.report_html import audit_html
from pincite.domains.corpus.report_json import audit_json, results_json
from pincite.domains.corpus.report_markdown import audit_markdown
from pincite.domains.corpus.report_text import audit_text, document_text
from pincite.domains.corpus.validation import Checks, CitationResult, DetailedResult, Issue, ValidatedDocument
from pincite.project.config import Config
from pincite.project.documents import find_documents
from pincite.safe.files import Root

PAGES = (
    "Introduction\nTides were measured at four harbours for one year.",
    "Methods\nEvery gauge was read twice a day by two observers.",
    "Results\nThe mean range was 4.2 metres and it did not change with the season.",
    "Discussion\nWhat we saw agrees with older tables of the coast.",
)
FILE = """---
title: Tides
total_pages: 4
sections:
  - {name: Introduction, pages: 1}
  - {name: Methods, pages: 2}
  - {name: Results, pages: 3-4}
key_quotes:
  - {quote: Every gauge was read twice a day by two observers., page: 2, section: Methods}
---
"""


def pdf(pages: tuple[str, ...] = PAGES) -> bytes:
    out = BytesIO()
    canvas = Canvas(out)
    for page in pages:
        for row, line in enumerate(page.split("\n")):
            canvas.drawString(72, 750 - 16 * row, line)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def detail(
    status: str = "valid",
    citation: str = "[REF-001]",
    line: int = 1,
    check: str = "",
    answer: PaperFacts | None = None,
    advice: str = "",
    document: str = "a.md",
) -> DetailedResult:
    """A hand-made answer."""
    severity = {"valid": Severity.NOTE, "warning": Severity.WARNING, "invalid": Severity.ERROR}[status]
    findings = (Finding(check, Outcome.MISMATCH, severity, f"{check} message"),) if check else ()
    issues = tuple(Issue(severity.label, one.message, "Do something") for one in findings)
    result = CitationResult("REF-001", status, Checks(True), issues, citation, document, line, 1)
    quote = Quote("three words here") if answer is not None and answer.quote_kind else None
    cited = Citation("ref", Span(0, 9), citation, SourceRef("ref", "REF-001"), None, quote, pages=Pages("1", "1"))
    return DetailedResult(result, Span(0, 9), findings, answer or PaperFacts(True, "1-9 range"), advice, cited)


class Project:
    """A folder with documents and a corpus."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.corpus = path / ".aiwg/research/corpus"
        self.corpus.mkdir(parents=True)

    def write(self, **documents: str) -> None:
        for name, text in documents.items():
            (self.path / f"{name}.md").write_text(text)

    def paper(self, identity: str, text: str = FILE, data: bytes | None = None) -> None:
        (self.corpus / f"{identity}-paper.md").write_text(text)
        if data is not None:
            (self.corpus / f"{identity}-paper.pdf").write_bytes(data)

    def audit(self, *keys: str, whole: bool = True) -> CorpusAudit:
        with Root(str(self.path)) as root:
            listed = list(keys) or find_documents(root, None, (), (".md", ".txt"), ()).documents
            validator = open_validator(root, Config(), lambda: None)
            return audit(validator, listed, "2026-01-25", "writing-validator", whole)

    def status(self, text: str, data: bytes | None = None) -> PaperStatus:
        self.paper("REF-001", text, data)
        return self.audit().papers[0]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


# Entries


def test_equal_citations_with_equal_results_are_one_entry_in_order_of_first_occurrence() -> None:
    found = entries(
        [
            detail(citation="[REF-002]", line=3),
            detail(line=1),
            detail(citation="[REF-002]", line=9),
            detail("warning", check="section-mismatch", line=4),
            detail(line=9),
            detail(line=9),
        ]
    )
    assert [(entry.citation, entry.word, entry.places) for entry in found] == [
        ("[REF-002]", "Valid", (3, 9)),
        ("[REF-001]", "Valid", (1, 9)),
        ("[REF-001]", "Warning", (4,)),
    ]


def test_equal_citations_of_which_different_things_are_true_stay_apart() -> None:
    wrong = PaperFacts(quote_verified=False, quote_kind="absent")
    right = PaperFacts(quote_verified=True, quote_kind="verbatim")
    assert len(entries([detail(answer=right), detail(answer=right), detail("invalid", check="x", answer=wrong)])) == 2


def test_recommendations_put_errors_first_and_say_each_thing_once() -> None:
    rows = [
        detail("warning", advice="second"),
        detail("invalid", advice="first"),
        detail("warning", advice="first"),
        detail("warning", advice="third"),
        detail("warning", advice="second"),
        detail("valid", advice=""),
    ]
    assert recommendations(rows) == ["first", "second", "third"]


@pytest.mark.parametrize(
    ("answer", "asked", "said"),
    [
        (PaperFacts(True, "1-24 range"), "Page valid", "Yes (1-24 range)"),
        (PaperFacts(True, "document has 32 pages"), "Page valid", "Yes"),
        (PaperFacts(True, "PDF has 32 pages"), "Page valid", "Yes"),
        (PaperFacts(False, "document has 32 pages"), "Page valid", "No (document has 32 pages)"),
        (PaperFacts(False, "81-97 range"), "Page valid", "No (81-97 range)"),
        (PaperFacts(None), "Page valid", "Not checked (nothing says which pages REF-001 has)"),
        (PaperFacts(True, section_consistent=True, section_cited="Results"), "Section consistent", "Yes (Results)"),
        (
            PaperFacts(True, section_consistent=True, section_cited="§3", sections_there=("3 Results",)),
            "Section consistent",
            "Yes (3 Results)",
        ),
        (
            PaperFacts(True, section_consistent=False, section_cited="Introduction", sections_there=("Methods",)),
            "Section consistent",
            "No (cited as Introduction, actually Methods)",
        ),
        (PaperFacts(True, section_note="nobody knows"), "Section consistent", "Not checked (nobody knows)"),
        (PaperFacts(True, section_known=False), "Section consistent", "No (REF-001 has no section )"),
        (PaperFacts(True, quote_verified=True, quote_kind="verbatim"), "Quote verified", "Yes"),
        (
            PaperFacts(True, quote_verified=True, quote_kind="verbatim", right_pages=("", "7")),
            "Quote verified",
            "Yes (page 7)",
        ),
        (PaperFacts(True, quote_kind="unchecked", quote_note="a scan"), "Quote verified", "Not checked (a scan)"),
        (PaperFacts(True, quote_verified=False, quote_kind="absent"), "Quote verified", "No (absent)"),
    ],
)
def test_answers_in_words(answer: PaperFacts, asked: str, said: str) -> None:
    assert dict(entries([detail(answer=answer)])[0].lines)[asked] == said


def test_what_nobody_asked_is_not_answered() -> None:
    lines = dict(entries([detail()])[0].lines)
    assert list(lines) == ["In corpus", "Page valid"]


def test_a_missing_answer_is_said_to_be_missing() -> None:
    bare = msgspec.structs.replace(detail(), answer=None)
    assert dict(entries([bare])[0].lines)["Page valid"].startswith("Not checked")


def test_only_a_reader_can_act_on_a_section() -> None:
    assert "Action" not in dict(entries([detail("warning", check="section-mismatch")])[0].lines)
    assert dict(entries([detail("warning", check="page-out-of-range")])[0].lines)["Action"] == "Do something"
    assert "Action" not in dict(entries([detail("valid", check="page-unchecked")])[0].lines)


@given(st.lists(st.sampled_from(("valid", "warning", "invalid")), max_size=30))
def test_every_citation_is_counted_once(statuses: list[str]) -> None:
    rows = [detail(status, check="x", line=number + 1) for number, status in enumerate(statuses)]
    tally = CitationTally().count(rows)
    assert tally.total == len(rows) == tally.valid + tally.warnings + tally.errors
    assert sum(len(entry.places) for entry in entries(rows)) == len(rows)


# Text


def test_a_document_without_citations_says_that_nothing_was_checked() -> None:
    text = document_text(ValidatedDocument("a.md"), "2026-01-25", "ann")
    assert "Total Citations: 0" in text
    assert "nothing was checked" in text
    assert text.endswith("RECOMMENDATIONS:\nNone.\n")


def test_an_unreadable_document_shows_no_summary() -> None:
    text = document_text(ValidatedDocument("a.md", error="not UTF-8"), "2026-01-25", "ann")
    assert "NOT READ: not UTF-8" in text
    assert "SUMMARY" not in text


# Audits of projects


def test_coverage_names_the_uncited_and_the_absent(project: Project) -> None:
    for identity in ("REF-001", "REF-002", "REF-003"):
        project.paper(identity)
    project.write(a="A [REF-001]. B [REF-099, p.3]. C [REF-098].", b="D [REF-099]. E [REF-003, p.4].")
    coverage = project.audit().coverage
    assert coverage.cited == ("REF-001", "REF-003")
    assert coverage.never_cited == ("REF-002",)
    assert [(one.ref_id, one.citations, one.documents) for one in coverage.absent] == [
        ("REF-099", 2, ["a.md", "b.md"]),
        ("REF-098", 1, ["a.md"]),
    ]


def test_a_paper_does_not_cite_itself(project: Project) -> None:
    project.paper("REF-001", FILE + "\n# REF-001: Tides\n\nSee REF-001 and [REF-099].\n")
    found = project.audit()
    assert found.coverage.cited == ()
    assert [one.ref_id for one in found.coverage.absent] == ["REF-099"]
    assert [detail.result.ref_id for detail in found.details] == ["REF-099"]


def test_pages_and_quotes_are_counted_with_what_is_not_known(project: Project) -> None:
    project.paper("REF-001", FILE, pdf())
    project.paper("REF-002", "---\ntitle: Bare\n---\n")
    project.write(
        a="“Every gauge was read twice a day by two observers” [REF-001, p.2].\n\n"
        "“Every gauge was read once a day by two observers” [REF-001, p.2].\n\n"
        "“Nothing of this can be looked up anywhere” [REF-002, p.2].\n\n"
        "Far away [REF-001, p.5]. Absent pages do not count [REF-099, p.5].\n"
    )
    found = project.audit()
    assert found.pages == Counts(2, 1, 1)
    assert found.quotes == Counts(1, 1, 1)
    assert found.key_quotes == Counts(1, 0, 0)
    assert found.exit_code(False) == 1


def test_an_audit_of_one_document_looks_only_at_the_papers_it_cites(project: Project) -> None:
    project.paper("REF-001")
    project.paper("REF-002")
    project.write(a="A [REF-001].")
    assert [paper.ref_id for paper in project.audit("a.md", whole=False).papers] == ["REF-001"]
    assert [paper.ref_id for paper in project.audit().papers] == ["REF-001", "REF-002"]


def test_two_files_for_one_id_fail_an_audit_that_nobody_cites(project: Project) -> None:
    project.paper("REF-001")
    (project.corpus / "REF-001-again.md").write_text(FILE)
    found = project.audit()
    assert found.broken[0][0] == "REF-001"
    assert "REF-001-again.md" in found.broken[0][1] and "REF-001-paper.md" in found.broken[0][1]
    assert found.exit_code(False) == 1


def test_a_wrong_key_quote_fails_the_audit(project: Project) -> None:
    project.paper("REF-001", FILE.replace("twice", "once"), pdf())
    found = project.audit()
    assert found.key_quotes == Counts(0, 1, 0)
    assert found.exit_code(False) == 1
    assert "QUOTE VERIFICATION:" in audit_text(found)
    assert re.search(r"✗ \S+REF-001-paper\.md:\d+ \[REF-001, p\.2\] - misquoted", audit_text(found))


def test_a_clean_audit_passes_also_strictly(project: Project) -> None:
    project.paper("REF-001", FILE, pdf())
    project.write(a="“Every gauge was read twice a day by two observers” [REF-001, Methods, p.2].")
    assert project.audit().exit_code(True) == 0


def test_an_unreadable_document_outranks_all(project: Project) -> None:
    project.paper("REF-001")
    (project.path / "a.md").write_bytes(b"[REF-001] \xff")
    project.write(b="[REF-099]")
    assert project.audit().exit_code(False) == 2


def test_kept_reports_are_no_documents(project: Project) -> None:
    folder = project.path / ".aiwg/reports/citation-audit"
    folder.mkdir(parents=True)
    (folder / "2026-01-25-120000.md").write_text("[REF-099]")
    (folder / "2026-01-25-120000.txt").write_text("[REF-099]")
    assert project.audit().coverage.absent == ()


def test_nothing_cited_looks_like_nothing_checked(project: Project) -> None:
    project.write(a="Plain words.")
    text = audit_text(project.audit())
    assert "No citations found in 1 document: nothing was checked." in text
    assert "No quotes found: nothing was checked." in text
    assert "Papers cited: 0\n" in text


def test_several_documents_get_a_block_each_and_a_sum(project: Project) -> None:
    project.paper("REF-001")
    project.write(a="A [REF-001].", b="B [REF-099].")
    text = audit_text(project.audit())
    assert re.findall(r"^Document: (.*)$", text, re.M) == ["a.md", "b.md"]
    assert "ALL DOCUMENTS:\n  Documents: 3 (2 with citations)\n  Total Citations: 2\n" in text


# Papers


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("total_pages: 4", "total_pages: 5", "total_pages is 5, the PDF has 4 pages"),
        ("total_pages: 4", "total_pages: 3", "total_pages is 3, the PDF has 4 pages"),
        ("total_pages: 4", "page_range: 11-19", "page_range 11-19 spans 9 pages, the PDF has only 4"),
        ("total_pages: 4", "total_pages: 4\npage_range: 1-6", "page_range 1-6 spans 6 pages, total_pages is 4"),
        ("total_pages: 4", "total_pages: four", "total_pages: expected a whole number"),
    ],
)
def test_pages_that_do_not_fit_are_named(project: Project, old: str, new: str, complaint: str) -> None:
    status = project.status(FILE.replace(old, new), pdf())
    assert any(complaint in issue.message for issue in status.issues)
    assert status.severity > 0


def test_pages_that_fit_are_not_complained_about(project: Project) -> None:
    status = project.status(FILE, pdf())
    assert status.issues == ()
    assert [section.valid for section in status.sections] == [True, True, True]
    assert status.severity == 0
    assert status.quotes[0].seen


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ([("A", "1-2"), ("B", "2-4")], []),
        ([("A", "1-4"), ("A.1", "1-2"), ("A.2", "2-4")], []),
        ([("A", "1-2"), ("A", "1-2")], []),
        ([("A", "1-3"), ("B", "2-4")], ["B overlaps A (1-3)"]),
        ([("B", "2-4"), ("A", "1-3")], ["B overlaps A (1-3)"]),
        ([("A", "1-4"), ("B", "1-3"), ("C", "2-4")], ["C overlaps B (1-3)"]),
        ([("A", "3-5")], ["A document has 4 pages"]),
        ([("A", "0-2")], ["A document has 4 pages"]),
        ([("A", "")], ["A no pages recorded"]),
    ],
)
def test_sections_lie_inside_the_pages_and_not_half_inside_one_another(
    project: Project, sections: list[tuple[str, str]], expected: list[str]
) -> None:
    rows = "".join(f'  - {{name: {name}, pages: "{pages}"}}\n' for name, pages in sections)
    status = project.status(f"---\ntotal_pages: 4\nsections:\n{rows}---\n")
    assert [f"{section.name} {section.note}" for section in status.sections if section.note] == expected


def test_a_quote_counts_as_seen_only_in_the_pdf_and_on_its_page(project: Project) -> None:
    signed = FILE.replace("section: Methods", "section: Methods, validated: true")
    assert not project.status(signed).quotes[0].seen
    assert project.status(signed, pdf()).quotes[0].seen
    assert not project.status(signed.replace("page: 2", "page: 3"), pdf()).quotes[0].seen
    assert not project.status(signed.replace("page: 2, ", ""), pdf()).quotes[0].seen
    assert not project.status(signed.replace("twice", "once"), pdf()).quotes[0].seen


def test_many_sections_take_time_in_proportion(project: Project, in_proportion: Callable[..., bool]) -> None:
    def look(count: int) -> None:
        rows = "".join(f"  - {{name: S{n}, pages: 1-{n + 1}}}\n" for n in range(count))
        assert len(project.status(f"---\ntotal_pages: 9\nsections:\n{rows}---\n").sections) == count

    assert in_proportion(look, 200, 1600, 8)


# Formats


HOSTILE = "a](x) | <script>alert(1)</script> `b` \x1b[31m \u202e @user\r\n# x & \"'"


def hostile_audit(project: Project) -> CorpusAudit:
    project.paper(
        "REF-001",
        "---\ntitle: <b>&\"\ntotal_pages: 4\nsections:\n  - {name: '<i>|x', pages: 1-9}\n"
        "key_quotes:\n  - {quote: '<script>alert(1)</script> is | not here', page: 9, section: '</td>'}\n---\n",
        pdf(),
    )
    (project.path / "<img src=x onerror=alert(1)>|.md").write_text("See [REF-001, <b>x</b>, p.9] and [REF-099].")
    found = project.audit()
    rows = tuple(msgspec.structs.replace(one, document=HOSTILE) for one in found.documents)
    return msgspec.structs.replace(found, documents=rows, auditor=HOSTILE, broken=((HOSTILE, HOSTILE),))


class Tags(HTMLParser):
    """Which elements there are, whether they close, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_and_needs_nothing_else(project: Project) -> None:
    page = audit_html(hostile_audit(project))
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert tags.open == []
    assert not tags.seen & {"script", "img", "link", "iframe", "object", "b", "i", "a"} - {"b"}
    assert not {name for name in tags.attributes if name.startswith("on") or name in ("src", "href", "style")}
    assert "default-src 'none'; style-src 'unsafe-inline'" in page
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r"url\(|@import|https?://", page)
    assert "\x1b" not in page and "\u202e" not in page
    assert "<script>alert(1)</script>" in tags.text


def test_the_plots_say_in_words_what_they_show(project: Project) -> None:
    project.paper("REF-001")
    project.paper("REF-002")
    project.write(a="A [REF-001, p.1]. B [REF-099]. C [REF-001, p.9].")
    page = audit_html(project.audit())
    bars = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(bars) == 5
    for bar in bars:
        assert re.search(r'role="img" aria-labelledby="(\S+)-t \1-d"', bar)
        widths = [float(width) for width in re.findall(r'width="([0-9.]+)" height="20"', bar)]
        assert abs(sum(widths) - 1000) < 0.1
    assert "1 cited, 1 never cited, 1 cited and absent" in page
    assert "1 valid, 1 invalid, 0 not checked" in page


def test_an_empty_page_says_so(project: Project) -> None:
    page = audit_html(project.audit())
    assert "nothing was checked" in page
    assert "nothing to show" in page


def test_markdown_holds_only_tables_and_text(project: Project) -> None:
    text = audit_markdown(hostile_audit(project))
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert {token.type for token in inline} <= {
        *("text", "softbreak", "hardbreak", "html_inline", "text_special", "strong_open", "strong_close")
    }
    # A `<br>` between answers, and the comment that keeps a name from being a mention.
    assert {token.content for token in inline if token.type == "html_inline"} <= {"<br>", "<!-- -->"}
    assert not [token for token in tokens if token.type in ("html_block", "fence", "code_block")]
    rows = [token for token in tokens if token.type == "tr_open"]
    cells = [token for token in tokens if token.type in ("td_open", "th_open")]
    assert len(cells) > 2 * len(rows)
    assert "\x1b" not in text


def test_text_is_one_line_an_answer_whatever_it_holds(project: Project) -> None:
    text = audit_text(hostile_audit(project))
    assert "\x1b" not in text and "\r" not in text and "\u202e" not in text
    assert "\n# x" not in text


def test_json_keeps_all_and_null_is_not_checked(project: Project) -> None:
    project.paper("REF-001", "---\ntitle: Bare\n---\n")
    project.write(a="A [REF-001, p.3]. B [REF-099].")
    found = project.audit()
    data = msgspec.json.decode(audit_json(found))
    assert list(data) == [
        *("version", "date", "auditor", "documents", "summary", "coverage", "pages", "quotes"),
        *("recommendations", "results"),
    ]
    first, second = data["results"]
    assert list(first)[:4] == ["ref_id", "status", "checks", "issues"]
    assert list(first["checks"]) == ["in_corpus", "page_valid", "section_consistent", "quote_verified"]
    assert first["checks"] == {
        "in_corpus": True,
        "page_valid": None,
        "section_consistent": None,
        "quote_verified": None,
    }
    assert second["checks"]["in_corpus"] is False
    assert data["summary"]["total"] == 2
    assert data["documents"] == [
        {"document": "a.md", "total": 2, "valid": 1, "warnings": 0, "errors": 1, "error": None}
    ]
    assert data["coverage"]["absent"] == [{"ref_id": "REF-099", "citations": 1, "documents": ["a.md"]}]


def test_names_that_are_no_text_are_spelt_out() -> None:
    found = [ValidatedDocument("a\udcff.md", (detail(document="a\udcff.md"),))]
    assert msgspec.json.decode(results_json(found))[0]["document"] == "a\\u{dcff}.md"
    assert results_json([]) == "[]\n"


@pytest.mark.parametrize("render", [audit_text, audit_markdown, audit_html, audit_json])
def test_every_format_grows_with_what_it_says(
    project: Project, in_proportion: Callable[..., bool], render: Callable[[CorpusAudit], str]
) -> None:
    project.paper("REF-001")
    project.write(a="A [REF-001]. B [REF-099].")
    found = project.audit()
    one = found.documents[0]

    def audit_of(count: int) -> CorpusAudit:
        rows = tuple(detail(citation=f"[REF-{n:03}]", line=n + 1) for n in range(count))
        return msgspec.structs.replace(found, documents=(msgspec.structs.replace(one, details=rows),))

    short, long = audit_of(500), audit_of(4000)
    assert "REF-3999" in render(long)
    assert in_proportion(render, short, long, 8)

"""Documents as HTML: marks around citations, nothing of the document becomes markup of the page."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Report, SourceRef, Span, Verdict
from pincite.doors.web.document_markup import DocumentView
from pincite.doors.web.links import ServedLinks
from pincite.doors.web.records import CitationRow
from pincite.text.document import Document

KNOWN_TAGS = set(
    "a p h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s br hr div table thead tbody tr th td span".split()
)
KNOWN_ATTRIBUTES = {
    "a": {"class", "id", "href", "rel", "title", "data-item", "data-problem", "data-raw", "aria-current"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "span": {"class"},
    "ol": {"class", "start"},
    "li": {"id"},
    "th": {"scope", "class"},
    "td": {"class"},
    "pre": {"class"},
    "p": {"class"},
}
VOID = {"br", "hr"}


class Shown(HTMLParser):
    """What a page shows; fails for anything that is not well formed or not ours."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, bool]] = []
        self.marks: list[dict[str, str]] = []
        self.inside: dict[str, str] = {}
        """The text of each mark."""
        self.asides: set[str] = set()
        self.links: list[str] = []
        self.text = ""
        """All text but that of asides and addresses."""
        self._mark = ""
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        assert tag in KNOWN_TAGS, tag
        assert values.keys() <= KNOWN_ATTRIBUTES.get(tag, set()), (tag, values)
        assert len(values) == len(attributes)
        if tag in VOID:
            return
        if tag == "a":
            assert not any(name == "a" for name, _ in self.open), "a link in a link"
            if "data-item" in values:
                self.marks.append(values)
                self._mark = values["id"].removeprefix("c-")
                self.inside[self._mark] = ""
            else:
                assert values["rel"] == "noreferrer noopener nofollow"
                assert re.match(r"(https?://|mailto:|/d/)", values["href"], re.IGNORECASE), values["href"]
                self.links.append(values["href"])
        kind = values.get("class", "").split()
        self.open.append((tag, not {"aside", "asides", "address"}.isdisjoint(kind)))
        if "aside" in kind:
            self.asides.add(self._mark)

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1][0] == tag, (tag, self.open)
        self.open.pop()
        if tag == "a":
            self._mark = ""

    def handle_data(self, data: str) -> None:
        if not any(hidden for _, hidden in self.open):
            self.text += data
        if self._mark:
            self.inside[self._mark] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    handle_decl = handle_pi = unknown_decl = handle_comment


def make_view(text: str, spans: list[tuple[int, int]], path: str = "docs/a.md", **changes: Any) -> DocumentView:
    """A view of a text with citations at some places."""
    verdicts, rows = [], []
    document = Document(path, text)
    for number, (start, end) in enumerate(spans):
        raw = text[start:end]
        line, column = document.position(start)
        citation = Citation("test", Span(start, end), raw, SourceRef("file", "src/a.py"))
        verdicts.append(Verdict(citation, line, column))
        rows.append(make_row(f"{number:04x}", path, line, column, raw, **changes))
    return DocumentView(document, tuple(rows), Report(path, tuple(verdicts)))


def make_row(id: str, path: str, line: int, column: int, raw: str, **changes: Any) -> CitationRow:
    values: dict[str, Any] = {
        "id": id,
        "document": path,
        "line": line,
        "column": column,
        "raw": raw,
        "shown": "src/a.py L1",
        "outcome": "holds",
        "severity": "",
        "checks": (),
        "message": "",
        "dialect": "test",
        "scheme": "file",
        "source": "src/a.py",
        "fixable": False,
        "accepted": "",
        "fingerprints": (),
    }
    return CitationRow(**{**values, **changes})


def show(view: DocumentView, number: int = 1, names: tuple[str, ...] = ()) -> Shown:
    site: Any = SimpleNamespace(documents=SimpleNamespace(version=1, names=lambda: list(names)))
    return Shown(view.render(number, site, ServedLinks()))


def show_all(view: DocumentView) -> list[Shown]:
    return [show(view, number) for number in range(1, view.parts + 1)]


def show_cited(text: str, raw: str, path: str = "docs/a.md") -> Shown:
    """A text with a mark at the first place where some words stand."""
    start = text.index(raw)
    return show(make_view(text, [(start, start + len(raw))], path))


WORDS = [
    "a",
    "src/a.py:3",
    "b c",
    "【F:src/a.py†L1-L2】",
    "é",
    "\u202e",
    "&amp;",
    "&",
    "\U000f0000",
    "\U000f0001",
    "\U00010a7f",
]
SYNTAX = [
    *("*", "**", "_", "`", "``", "```\n", "~~~\n", "~~", "[", "]", "](", ")", "![", "<", ">", "> ", "- ", "1. ", "# "),
    *(
        "\n",
        "\n\n",
        "|",
        "\\|",
        "\n|-|-|\n",
        "\n---\n",
        "---\n",
        "===\n",
        " ",
        "  ",
        "    ",
        "\t",
        "\\",
        "[x]: ",
        "[^1]: ",
    ),
    *("<!--", "-->", "http://e.org", "<b>", "javascript:", '"', "'", "\r\n", "\0", "[a](b)", "`x`", "**y**"),
]
MARKDOWN = st.lists(st.sampled_from(WORDS + SYNTAX), max_size=40).map("".join)


@given(MARKDOWN, st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), max_size=6))
@settings(max_examples=300, deadline=None)
@example("a|b\n-|-\n`c\\|d`|e\n", [(8, 6), (15, 1)])
@example("**x** y", [(0, 2), (1, 4)])
@example('[a](b "src/a.py")', [(7, 8)])
@example("[a](bc) d", [(0, 5), (4, 2)])
def test_marks_change_no_text_and_every_citation_has_one(text: str, places: list[tuple[int, int]]) -> None:
    spans = [(start, min(start + size, len(text))) for start, size in places if start < len(text)]
    # Brackets are replaced by what readers see, which the other tests look at.
    text = text.replace("【", "(").replace("】", ")")
    bare = show(make_view(text, []))
    marked = show(make_view(text, spans))
    assert sorted(mark["id"] for mark in marked.marks) == [f"c-{number:04x}" for number in range(len(spans))]
    assert marked.text == bare.text
    for mark, (start, end) in zip(sorted(marked.marks, key=lambda one: one["id"]), spans, strict=True):
        assert mark["data-raw"] == text[start:end].replace("\0", "\ufffd") or "\r" in text or "\0" in text
    lines = show(make_view(text, spans, "a.txt"))
    assert sorted(mark["id"] for mark in lines.marks) == sorted(mark["id"] for mark in marked.marks)


@pytest.mark.parametrize(
    ("text", "raw", "inside"),
    [
        ("It is 【F:src/a.py†L1】.", "【F:src/a.py†L1】", "src/a.py L1"),
        ("**see 【F:src/a.py†L1】** here", "【F:src/a.py†L1】", "src/a.py L1"),
        ("See `src/a.py:3`.", "src/a.py:3", "src/a.py:3"),
        ("See `src/a.py:3`.", "`src/a.py:3`", "src/a.py:3"),
        ("```\nx = 1  # src/a.py:3\n```\n", "src/a.py:3", "src/a.py:3"),
        ("    indented src/a.py:3\n", "src/a.py:3", "src/a.py:3"),
        ("> quoted\n> src/a.py:3 more\n", "src/a.py:3", "src/a.py:3"),
        ("- item\n  src/a.py:3\n", "src/a.py:3", "src/a.py:3"),
        ("# About src/a.py:3 #\n", "src/a.py:3", "src/a.py:3"),
        ("About src/a.py:3\n===\n", "src/a.py:3", "src/a.py:3"),
        ("| a | b |\n|---|---|\n| x \\| y | src/a.py:3 |\n", "src/a.py:3", "src/a.py:3"),
        ("[the gauge](src/a.py#L3)", "[the gauge](src/a.py#L3)", "the gauge"),
        ("[the gauge](src/a.py#L3)", "src/a.py#L3", "the gauge"),
        ("[see src/a.py:3](http://example.org)", "src/a.py:3", "src/a.py:3"),
        ("[gauge]: src/a.py#L3\n\nSee [gauge].", "src/a.py#L3", "src/a.py#L3"),
        ("---\nsource: src/a.py:3\n---\n\ntext\n", "src/a.py:3", "src/a.py:3"),
        ("text[^1]\n\n[^1]: src/a.py:3\n", "src/a.py:3", "src/a.py:3"),
        ("<!-- src/a.py:3 -->\n", "src/a.py:3", "src/a.py:3"),
        ("![src/a.py:3](x.png)\n", "src/a.py:3", "src/a.py:3"),
        ("one\r\n\r\ntwo src/a.py:3\r\n", "src/a.py:3", "src/a.py:3"),
        ("a *b src/a.py:3* c", "b src/a.py:3", "b src/a.py:3"),
        ("two src/a.py:3\nand 4 lines", "src/a.py:3\nand 4", "src/a.py:3\nand 4"),
    ],
)
def test_a_citation_is_marked_where_it_is_written(text: str, raw: str, inside: str) -> None:
    shown = show_cited(text, raw)
    assert shown.inside == {"0000": inside}
    assert shown.asides == set()
    assert shown.marks[0]["data-raw"] == raw


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("*a src/a.py:3* b", "src/a.py:3* b"),
        ("a *b* c", "a *b"),
        ("**a** b", "** b"),
        ('[a](b "src/a.py:3")', "src/a.py:3"),
        ("- x\n\n  [d]: src/a.py#L3\n", "src/a.py#L3"),
        ("```src/a.py:3\nx\n```\n", "src/a.py:3"),
        ("a **b", "**"),
    ],
)
def test_a_citation_that_crosses_markup_has_one_mark_all_the_same(text: str, raw: str) -> None:
    shown = show_cited(text, raw)
    assert [mark["id"] for mark in shown.marks] == ["c-0000"]
    assert shown.inside["0000"].strip()
    assert shown.text == show(make_view(text, [])).text


def test_a_citation_inside_another_stands_behind_it() -> None:
    shown = show(make_view("see src/a.py:3-9 here", [(4, 16), (4, 14)]))
    assert shown.inside["0000"] == "src/a.py:3-9"
    assert shown.asides == {"0001"}
    assert show(make_view("see src/a.py:3-9 here", [(4, 16), (4, 14)], "a.txt")).asides == {"0001"}


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](java&#10;script:alert(1))",
        "[x](\tjavascript:alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "[x](vbscript:x)",
        "[x](file:///etc/passwd)",
        "[x](//example.org/a)",
        "[x](/d/other.md)",
        "[x](\\\\example.org)",
        "[x](ftp://example.org)",
        "[x](../../../etc/passwd)",
        "[x](other.md?token=1)",
        "[x](#heading)",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
        "![x](http://example.org/a.png)",
        "[x]: javascript:alert(1)\n\n[x]",
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='http://example.org' onclick=alert(1)>x</a>",
        "<!-- <script> -->",
        "</article></main><script>",
        '```"><script>\nx\n```',
        "| <b> |\n|---|\n| <script> |\n",
        '[a]( http://example.org" onmouseover="alert(1) )',
        "<svg/onload=alert(1)>",
        "&lt;script&gt;",
    ],
)
def test_hostile_markdown_is_only_text(text: str) -> None:
    # Shown fails for any element, attribute or address that is not ours.
    assert show(make_view(text, [])).links == []
    assert show(make_view(text, [(0, len(text)), (1, len(text) - 1)])).links == []


def test_hostile_words_of_a_citation_stay_in_their_attributes() -> None:
    text = 'x 【F:"><script>alert(1)</script>†L1】 y'
    shown = show(make_view(text, [(2, len(text) - 2)], shown='"><script>', message="'\"><b>", outcome="missing"))
    assert shown.marks[0]["data-raw"] == text[2:-2]
    assert shown.marks[0]["title"] == "missing: '\"><b>"
    assert shown.inside["0000"] == '"><script>'


def test_links_that_may_be_followed_are_kept() -> None:
    view = make_view("[a](https://example.org/x?y=1&z) <mailto:a@example.org> [b](../b.md#part) [c](c.md)", [])
    assert show(view, names=("b.md",)).links == ["https://example.org/x?y=1&z", "mailto:a@example.org", "/d/b.md"]


def test_an_image_is_its_words_and_its_address() -> None:
    assert "a tree (http://example.org/tree.png)" in show(make_view("![a tree](http://example.org/tree.png)", [])).text


@pytest.mark.parametrize("path", ["a.md", "a.txt"])
def test_invisible_characters_are_visible_and_joiners_of_scripts_stay(path: str) -> None:
    text = show(make_view("a\u202eb\u200bc\u2066 👩\u200d💻 x\u200dy \x1b[0m", [], path)).text
    for sign in ("\u202e", "\u200b", "\u2066", "\x1b"):
        assert sign not in text
        assert f"\\u{{{ord(sign):x}}}" in text
    assert "👩\u200d💻" in text
    assert "x\u200dy" not in text


def test_private_use_characters_of_the_document_are_no_marks() -> None:
    text = "\U000f0000 \U000f0001 src/a.py:3 \U000f0002\U00010a7f"
    shown = show_cited(text, "src/a.py:3")
    assert shown.inside == {"0000": "src/a.py:3"}
    assert shown.text == show(make_view(text, [])).text
    assert "\U000f0000 \U000f0001" in shown.text and "\U000f0002\U00010a7f" in shown.text


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "[" * 50_000 + "]" * 50_000,
        "![" * 50_000,
        ">" * 100_000,
        "> " * 50_000 + "x",
        "- " * 50_000 + "x",
        "*a " * 33_000,
        "`" * 100_000,
        "".join("`" * (number % 300) + " " for number in range(600)),
        "<" * 100_000,
        "(" * 100_000,
        "&" * 100_000,
        "\n".join(" " * number + "- x" for number in range(400)),
        "\n".join("> " * number + "x" for number in range(300)),
        "|" * 100_000,
        "a|" * 500 + "\n" + "-|" * 500 + "\n" + "x\n" * 2000,
        "[a]: b\n" * 20_000,
        "[a][" * 25_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_deep_nesting_neither_hangs_nor_loses_a_citation(text: str) -> None:
    text += "\n\nsee src/a.py:3\n"
    start = text.index("src/a.py:3")
    pages = show_all(make_view(text, [(start, start + 10)]))
    assert [mark["id"] for page in pages for mark in page.marks] == ["c-0000"]


def test_what_is_nested_too_deep_is_shown_as_it_is_written() -> None:
    text = "> " * 60 + "deep src/a.py:3"
    shown = show_cited(text, "src/a.py:3")
    assert "deep src/a.py:3" in shown.text
    assert shown.inside == {"0000": "src/a.py:3"}


def test_a_citation_that_is_not_where_it_was_found_is_not_marked() -> None:
    view = make_view("see src/a.py:3", [(4, 14)])
    report = Report("docs/a.md", (Verdict(Citation("test", Span(3, 13), "src/a.py:3", SourceRef("file", "x")), 1, 5),))
    changed = DocumentView(Document("docs/a.md", "see src/a.py:3"), view.rows, report)
    assert show(changed).marks == []
    assert [row.id for row in changed.changed] == ["0000"]
    assert changed.find_part("0000") == 0


def test_a_long_document_is_cut_between_blocks_and_loses_nothing() -> None:
    lines = [f"Paragraph {number} rests on src/a.py:{number}.\n\n" for number in range(3000)]
    text = "# Title\n\n" + "".join(lines)
    spans = [match.span() for match in re.finditer(r"src/a\.py:\d+", text)]
    view = make_view(text, spans)
    assert view.parts > 5
    pages = show_all(view)
    assert [mark["id"] for page in pages for mark in page.marks] == [f"c-{number:04x}" for number in range(3000)]
    assert not any(page.asides for page in pages)
    for id in ("0000", "0400", "0bb7"):
        assert any(mark["id"] == f"c-{id}" for mark in pages[view.find_part(id) - 1].marks)


@pytest.mark.parametrize(
    ("head", "row", "tag"),
    [
        ("| name | place |\n|---|---|\n", "| n{} | src/a.py:{} |\n", "<th scope"),
        ("```python\n", "x{} = 1  # src/a.py:{}\n", "<pre><code>"),
        ("", "- n{} src/a.py:{}\n", "<ul>"),
        ("", "n{} src/a.py:{}\n", "<p>"),
    ],
)
def test_a_block_without_end_is_cut_and_stays_what_it_is(head: str, row: str, tag: str) -> None:
    text = head + "".join(row.format(number, number) for number in range(4000))
    spans = [match.span() for match in re.finditer(r"src/a\.py:\d+", text)]
    view = make_view(text, spans)
    assert view.parts >= 4
    site: Any = SimpleNamespace(documents=SimpleNamespace(version=1, names=list))
    for number in range(1, view.parts + 1):
        assert tag in view.render(number, site, ServedLinks())
    pages = show_all(view)
    assert [mark["id"] for page in pages for mark in page.marks] == [f"c-{number:04x}" for number in range(4000)]
    assert not any(page.asides for page in pages)


def test_definitions_of_one_part_serve_the_others() -> None:
    text = "[target]: https://example.org/\n\n" + "word word word\n\n" * 4000 + "[target]\n"
    view = make_view(text, [])
    assert view.parts > 1
    assert show(view, view.parts).links == ["https://example.org/"]


def test_other_documents_are_lines_with_their_numbers() -> None:
    text = "# no heading\nx = 1  # src/a.py:3\n\n<b>\n"
    view = make_view(text, [(22, 32)], "src/b.py")
    site: Any = SimpleNamespace(documents=SimpleNamespace(version=1, names=list))
    html = view.render(1, site, ServedLinks())
    assert '<li id="text-L1"># no heading</li>' in html and '<li id="text-L4">&lt;b&gt;</li>' in html
    assert show(view).inside == {"0000": "src/a.py:3"}


def test_a_mark_in_lines_ends_with_its_line() -> None:
    shown = show(make_view("a src/a.py:3\nsrc/b.py:4", [(2, 23)], "a.txt"))
    assert shown.inside == {"0000": "src/a.py:3"}
    assert "src/b.py:4" in shown.text


def test_a_very_long_line_is_shown_as_it_is_written() -> None:
    text = "**x** " * 20_000 + "src/a.py:3"
    shown = show_cited(text, "src/a.py:3")
    assert shown.inside == {"0000": "src/a.py:3"}
    assert "**x**" in shown.text


def test_the_open_citation_is_the_current_one() -> None:
    view = make_view('id="c-0001" src/a.py:3 src/a.py:4', [(12, 22), (23, 33)])
    site: Any = SimpleNamespace(documents=SimpleNamespace(version=1, names=list))
    marks = Shown(view.render(1, site, ServedLinks(), "0001")).marks
    assert [mark.get("aria-current") for mark in marks] == [None, "true"]


def test_headings_of_the_document_are_below_that_of_the_page() -> None:
    html = make_view("# a\n\n###### b\n", []).render(
        1,
        SimpleNamespace(documents=SimpleNamespace(version=1, names=list)),
        ServedLinks(),  # type: ignore[arg-type]
    )
    assert "<h2>a</h2>" in unescape(html) and "<h6>b</h6>" in html


@pytest.mark.parametrize("path", ["a.md", "a.txt", "a.ipynb"])
def test_a_line_without_end_is_cut_and_loses_nothing(path: str) -> None:
    text = "src/a.py:3 word " * 40_000
    spans = [(start, start + 10) for start in range(0, len(text), 16 * 100)]
    view = make_view(text, spans, path)
    if path == "a.ipynb":
        # It is no notebook, so that nothing in it is text.
        assert len(view.changed) == len(spans)
        return
    assert view.parts > 3
    pages = show_all(view)
    assert [mark["id"] for page in pages for mark in page.marks] == [f"c-{number:04x}" for number in range(len(spans))]
    assert "".join(page.text.replace("\n", "") for page in pages).count("word") == 40_000

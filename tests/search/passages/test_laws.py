"""What holds for every kind of document, whatever is in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.search import passages
from pincite.search.passages.model import DocumentReading
from pincite.search.passages.pdf import read_pages
from pincite.text.lines import line_starts, position
from pincite.text.markdown import frontmatter_span

PATHS = {
    "markdown": ["a.md"],
    "rst": ["a.rst"],
    "text": ["a.txt", ""],
    "code": ["a.py", "a.js", "a.ts", "a.go", "a.rs", "a.java", "a.kt", "a.c", "a.cpp", "a.cs", "a.rb", "a.php", "a.sh"]
    + ["a.lua", "a.swift", "a.scala", "a.sql", "a.pl", "a.r", "a.ex", "a.dart", "a.proto", "a.hs", ""],
    "html": ["a.html"],
}
CASES = [(kind, path) for kind, paths in PATHS.items() for path in paths]
PIECES = [
    *(
        "# A\n",
        "## B `c` [d]\n",
        "###### deep #\n",
        "Title\n=====\n",
        "Title\n-----\n",
        "===\nOver\n===\n",
        "~~~~\n",
        "----\n",
    ),
    *("```\n", "```py\n", "   ```\n", "- ```\n", "> ```\n", "~~~\n", "<!--\n", "-->\n", "<pre>\n", "</pre>\n", "---\n"),
    *("---\ntitle: x\n---\n", "title: y\n", "- item\n", "1. item\n", "| a | b |\n", "    code\n", "\tcode\n"),
    *(
        "def f(x):\n",
        "    def g(self):\n",
        "class A:\n",
        "@decorated\n",
        "@d(\n    1,\n)\n",
        "async def h():\n",
        "# note\n",
    ),
    *(
        '"""\n',
        "'''\n",
        '"a"\n',
        "'\n",
        "\\\n",
        "function f() {\n",
        "}\n",
        "  method(a) {\n",
        "const f = (a) => {\n",
        "/*\n",
        "*/\n",
    ),
    *(
        "func (r *T) Name() {\n",
        "impl A for B {\n",
        "fn f() {\n",
        "public class X {\n",
        "    int f(int a) {\n",
        "int main(void)\n{\n",
    ),
    *("CREATE TABLE t (\n", "sub f {\n", "fun f()\n", "object O {\n", "end\n", "namespace a {\n", "#define F(x)\n"),
    *(
        "<h1>H</h1>",
        "<h2>",
        "</h2>",
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<b>",
        "&amp;",
        "&copy",
        "&#x1F600;",
        "<br>",
        "<td>",
    ),
    *("<script>", "</script>", "<title>T</title>", "<title>", "<pre>", "<template>", "</template>", "<!doctype html>"),
    *(
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "\r\n\r\n",
        " ",
        "  ",
        "\t",
        "\f",
        "\x0b",
        "\x1c",
        "\x85",
        "\u2028",
        "\xa0",
        "\0",
        "\ufeff",
    ),
    *(
        "word ",
        "A sentence. ",
        "é",
        "e\u0301",
        "\U0001f600",
        "\U0001f468\u200d\U0001f469",
        "漢字。",
        "\ud800",
        "x" * 900,
        "word " * 400,
    ),
    *(
        "line\n" * 200,
        "a. b\n" * 300,
        "- item\n" * 250,
        "\n" * 1700,
        " " * 1700,
        "\u0301" * 1700,
        "```\n" + "code\n" * 300 + "```\n",
    ),
]
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.text(max_size=300),
    st.text(alphabet="#=-`~<>!/\"'\\ \t\r\n(){}:adefclsn*.", max_size=200),
)


def check(reading: DocumentReading, text: str) -> None:
    """Offsets, order and lines of passages."""
    starts = line_starts(text)
    before = 0
    for passage in reading.passages:
        assert before <= passage.start < passage.end <= len(text)
        before = passage.end
        assert not text[passage.end - 1].isspace() or reading.pieces is not None
        assert passage.first == position(starts, passage.start)[0]
        assert passage.last == position(starts, passage.end - 1)[0]
        assert all(title and "\n" not in title for title in passage.headings)


def hidden_until(kind: str, text: str) -> int:
    """Where text begins that is certainly to be found in passages."""
    span = frontmatter_span(text) if kind == "markdown" else None
    return span.end + 3 if span else 0


@pytest.mark.parametrize(("kind", "path"), [case for case in CASES if case[0] != "html"])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_nothing_is_left_out_and_nothing_is_twice(kind: str, path: str, text: str) -> None:
    reading = passages.read(kind, text, path)
    check(reading, text)
    assert reading.text == text and reading.pieces is None
    seen = [text[passage.start : passage.end] for passage in reading.passages]
    assert [reading.text_between(passage.start, passage.end) for passage in reading.passages] == seen
    at = hidden_until(kind, text)
    words = "".join("".join(seen).split())
    everything = "".join(text.split())
    rest = "".join(text[at:].split())
    assert words == everything if not at else everything.endswith(words) and len(words) >= len(rest)
    assert all(len(one) <= 1800 for one in seen)
    assert passages.read(kind, text, path) == reading


@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_every_visible_piece_of_html_is_in_one_passage(text: str) -> None:
    reading = passages.read("html", text, "a.html")
    check(reading, text)
    assert reading.pieces is not None
    before = 0
    for start, end, words in reading.pieces:
        assert before <= start <= end <= len(text) and words
        before = end
        plain = text[start:end].replace("\r\n", " \n").replace("\r", "\n")
        same = len(words) == len(plain) and words.split() == plain.split()
        assert same or not words.strip() or (plain[0] == "&" and len(plain) > len(words))
    seen = "".join(reading.text_between(passage.start, passage.end) for passage in reading.passages)
    assert "".join(seen.split()) == "".join("".join(words for _, _, words in reading.pieces).split())


@settings(max_examples=200, deadline=None)
@given(
    st.lists(TEXTS, max_size=5),
    st.text(max_size=20),
    st.lists(
        st.tuples(st.integers(0, 4), TEXTS | st.sampled_from(("One", "Two words")), st.integers(-1, 6)), max_size=6
    ),
)
def test_passages_never_cross_pages(pages: list[str], title: str, entries: list[tuple[int, str, int]]) -> None:
    reading = read_pages(pages, title, entries)
    check(reading, "\f".join(pages))
    assert reading.text == "\f".join(pages)
    at = 0
    for number, page in enumerate(pages, 1):
        mine = [one for one in reading.passages if one.page == number]
        assert all(at <= one.start and one.end <= at + len(page) for one in mine)
        assert "".join("".join(reading.text_between(one.start, one.end) for one in mine).split()) == "".join(
            page.split()
        )
        at += len(page) + 1
    assert {one.page for one in reading.passages} <= set(range(1, len(pages) + 1))


@pytest.mark.parametrize(("kind", "path"), CASES)
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_a_heading_is_found_where_it_stands(kind: str, path: str, text: str) -> None:
    headings = passages.outline(kind, text, path)
    assert [one.start for one in headings] == sorted({one.start for one in headings})
    reading = passages.read(kind, text, path)
    for heading in headings:
        assert heading.title == heading.title.strip() and heading.level >= 1
        rest = reading.text_between(heading.start, len(text)) if kind == "html" else text[heading.start :]
        assert "".join(heading.title.split()) in "".join(rest[:6000].split())
    assert {title for one in reading.passages for title in one.headings} <= {one.title for one in headings}


@pytest.mark.parametrize("kind", PATHS)
@pytest.mark.parametrize("newline", ["\r\n", "\r"])
@settings(max_examples=40, deadline=None)
@given(parts=st.lists(st.sampled_from([piece for piece in PIECES if "\r" not in piece]), max_size=15))
def test_line_ends_make_no_difference(kind: str, newline: str, parts: list[str]) -> None:
    plain = "".join(parts)
    path = PATHS[kind][0]

    def titles(text: str) -> list[tuple[int, str]]:
        return [(one.level, one.title) for one in passages.outline(kind, text, path)]

    assert titles(plain.replace("\n", newline)) == titles(plain)


BIG = {
    "headings": ("markdown", "# a\n", 20_000),
    "deeper headings": ("markdown", "# a\n## b\n### c\ntext\n", 8_000),
    "setext": ("markdown", "a\n---\n", 20_000),
    "rules": ("markdown", "- a\n---\n", 20_000),
    "fences": ("markdown", "```a\n", 20_000),
    "fences in lists": ("markdown", "- ```\n", 5_000),
    "comments": ("markdown", "<!--\n", 20_000),
    "closed comments": ("markdown", "<!-- -->\n```\n", 10_000),
    "preformatted": ("markdown", "<pre>\n", 20_000),
    "one line": ("markdown", "word. ", 60_000),
    "one word": ("markdown", "x", 400_000),
    "hashes": ("markdown", "#", 400_000),
    "accents": ("text", "\u0301", 200_000),
    "spaces": ("text", " ", 400_000),
    "empty lines": ("text", "\n", 400_000),
    "titles": ("rst", "a\n=\n\n", 15_000),
    "adornments": ("rst", "====\n", 30_000),
    "divs": ("html", "<div>", 20_000),
    "spaced": ("html", "a  ", 40_000),
    "references": ("html", "&amp;", 20_000),
    "html headings": ("html", "<h1>a", 10_000),
    "unclosed": ("html", "<b", 50_000),
    "functions": ("a.py", "def f():\n    pass\n", 10_000),
    "decorators": ("a.py", "@a(\n)\n", 20_000),
    "closing": ("a.py", ")\n", 60_000),
    "strings": ("a.py", '"""\n', 30_000),
    "quotes": ("a.py", "'\\", 80_000),
    "backslashes": ("a.py", "'''" + "\\", 40_000),
    "notes": ("a.py", "# note\n", 40_000),
    "statements": ("a.py", "def f():\n  x\ny\n", 10_000),
    "remarks": ("a.js", "/*\n", 40_000),
    "arrows": ("a.ts", "const a = (", 20_000),
    "methods": ("a.java", "public a b(", 20_000),
    "one long C line": ("a.c", "a ", 100_000),
    "C lines": ("a.c", "int f(int a)\n{\n}\n", 10_000),
    "rust": ("a.rs", "impl<'a> A for B {\n", 10_000),
    "sql": ("a.sql", "create table a\n", 10_000),
    "unknown": ("a.hs", "f x = y\n\n", 20_000),
}


@pytest.mark.parametrize("name", BIG)
def test_time_grows_with_the_text(name: str, in_proportion: Callable[..., bool]) -> None:
    path, piece, times = BIG[name]
    kind = path if "." not in path else "code"
    assert in_proportion(lambda text: passages.read(kind, text, path), piece * times, piece * times * 5, 5)


def test_deep_nesting_is_read_as_a_dozen_levels() -> None:
    text = "".join(f"{' ' * depth}class C{depth}:\n" for depth in range(60))
    reading = passages.read("code", text, "a.py")
    assert max(len(one.headings) for one in reading.passages) == 12
    assert reading.passages[-1].headings[0] == "C0" and reading.passages[-1].headings[-1] == "C59"

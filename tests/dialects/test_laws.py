"""What holds of every dialect, whatever the text: they find what is there, in order, and can write what they read."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Malformed, Pages, Place, Quote, SourceRef, Span
from pincite.dialects import DialectSelector, dialects, extract, get_dialect
from pincite.text.document import Document

NAMES = [dialect.NAME for dialect in dialects()]
PIECES = (
    *(
        "【",
        "】",
        "†",
        "F:",
        "L1",
        "-L2",
        "–",
        "†L3-L5】",
        "【F:a/b.py†L10-L25】",
        "【abc123†L1】",
        "【4:0†source】",
        "【a.py†L2】",
    ),
    *(
        "a.py",
        "src/x.py",
        ":12",
        ":12-34",
        ":12-3",
        ":4:5",
        "#L",
        "#L12",
        "#L3-L4",
        "#L3C1-L4C2",
        "../",
        "./",
        "/",
        "\\",
        ":",
    ),
    *(
        "[",
        "](",
        "](a.py#L1)",
        "[t](b/c.py#L2-L3)",
        "[t](<a b.py#L2>)",
        ' "t")',
        ")",
        "(",
        "<",
        ">",
        "%20",
        "%2e",
        "%25",
    ),
    *(
        "[cite:file]",
        "[cite:file](a.py:3)",
        "[cite:file](a.py:3-9)",
        "[cite:function](a.py::f)",
        "a.py::f",
        "src/x.sh::A.b",
        "[cite:",
        "::",
        "-9",
        "-L9",
    ),
    *(
        "https://github.com/",
        "o/r/blob/",
        "https://github.com/o/r/blob/main/a.py#L3",
        "https://github.com/o/r/blob/abcdef1/a.py",
    ),
    *(
        "owner/name:",
        "owner/name@v1:",
        "o/r:a.py:3",
        "`o/r:src/x.py:3-4`",
        "github.com/o/r:a.py#L3",
        ",5",
        "`:7`",
    ),
    *(
        "---\n",
        "citations:\n",
        "  - path: a.py\n",
        "    line: 3\n",
        "    snippet: 'x y'\n",
        "---\ncitations:\n  - path: b.py\n",
    ),
    *(
        "REF-043",
        "[REF-043, p.15]",
        "[REF-001; REF-002, pp. 3-5]",
        "(REF-007)",
        "REF-0435",
        "[REF-1000, p.2]",
        ", Section 3",
        ", p. 9",
        " (p. iv)",
        "“four words stand here” ",
        '"and four words here" ',
        "> a block quote of words\n",
        "— ",
        "]",
        "[@smith2020, p. 3]",
        "@doe",
        "[see @a; @b, §2]",
        "@{x y}",
        "bibliography: a.bib\n",
        "key_quotes:\n",
        "  - quote: four words stand here\n",
        "    page: 15\n",
        "    section: Results\n",
        '- "some words are quoted" (p. 7)\n',
        "total_pages: 24\n",
        "Smith (2023)",
        "(Smith et al., 2023)",
        "[1]",
    ),
    *(
        "\\cite{smith2020}",
        "\\citep[see][pp.~3--5]{a,b}",
        "\\autocite[15]{x}",
        "\\cite[p.~15]{x:y}",
        "\\cite[",
        "{a}",
        "my\\_app.py",
        "src/a\\_b.py:3",
        "\\texttt{",
        "}",
        "%",
        "\\verb|",
        "\\begin{verbatim}",
        "\\end{verbatim}",
        "[[file:a.py::12]]",
        "[[./b/c.py::3][t]]",
        "[[file:",
        "]]",
        "=a.py:3=",
        "#+begin_src\n",
        "#+end_src\n",
        "----\n",
        "# ",
        "// ",
        "/* ",
        " */",
        '"""',
        "import x\n",
    ),
    *(
        "[a.md, §Intro]",
        "[docs/a.md, §x \\[y\\]]",
        "[a.md,\n§B]",
        ", §",
        ",§",
        "§",
        "[^1a2b3c4d]: a/b.md:42\n",
        "[^1a2b3c4d]: /r/b.md:4\n",
        "\n[^deadbeef01]: ",
        "[^",
        "[^1]: ",
        "[t](file:///r/a.md#L3)",
        "](file://localhost/r/b c.md#L3-L4)",
        "file://",
    ),
    *(
        "`make lint`",
        "`cd docs && make html pdf`",
        "`npm -w ui run build`",
        "`tox -e a,b`",
        "`src/x.py`",
        "`../docs/`",
        "`./run/x.sh`",
        "```sh\ncd web\nnpm --prefix a run b\npython tools/x.py\n```\n",
        "# Examples\n",
        "removed ",
    ),
    *(
        "`",
        "``",
        "```\n",
        "~~~\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "- ",
        "> ",
        " ",
        "word",
        "12",
        "é",
        "\u2028",
        "\x00",
        "😀",
        ".",
    ),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=30).map("".join)
PATHS = st.sampled_from(
    (
        *("x.md", "docs/x.md", "notes.txt", ".serena/memories/m.md"),
        *("src/x.py", "x.go", "docs/x.tex", "x.adoc", "docs/x.org", "x.mdx"),
    )
)
PLACES = (Place("lib/new.py", Lines(2, 2)), Place("lib/new.py", Lines(7, 9)), Place("a.py", Lines(40, 41)))


def path_for(name: str, path: str) -> str:
    """Where a dialect looks for its citations: some read only files of a certain name."""
    return getattr(get_dialect(name), "PATH", path)


def citations(name: str, document: Document) -> list[Citation]:
    return [item for item in get_dialect(name).extract(document) if isinstance(item, Citation)]


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, path=PATHS)
@settings(max_examples=150, deadline=None)
def test_what_is_found_stands_there(name: str, text: str, path: str) -> None:
    """`text[span] == raw`, in order and disjoint; nothing raises."""
    at = 0
    for item in get_dialect(name).extract(Document(path_for(name, path), text)):
        assert item.dialect == name
        assert at <= item.span.start <= item.span.end <= len(text)
        # What keeps a whole memory from being read may be missing text, which takes up no place.
        assert item.raw or isinstance(item, Malformed)
        assert text[item.span.start : item.span.end] == item.raw
        assert not isinstance(item, Malformed) or item.reason
        at = item.span.end


@given(text=TEXTS, path=PATHS)
@settings(max_examples=150, deadline=None)
def test_all_dialects_together_are_ordered_and_disjoint(text: str, path: str) -> None:
    """Where two dialects claim the same text, one has it."""
    at = 0
    for item in extract(Document(path, text), dialects()):
        assert at <= item.span.start
        at = item.span.end


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_what_was_read_can_be_written(name: str, text: str) -> None:
    """`extract(render(c))` gives the same source, lines and quote."""
    path = path_for(name, "x.md")
    for citation in citations(name, Document(path, text)):
        rendered = get_dialect(name).render(citation)
        (again,) = citations(name, Document(path, rendered))
        assert selected(again) == selected(citation)


def selected(citation: Citation) -> tuple[object, ...]:
    """What a citation cites; whether words are quoted for sure depends on how they stand in the document."""
    quote = citation.quote
    words = None if quote is None else (quote.exact, *quote.others)
    return citation.source, citation.lines, words, citation.pages, citation.section


KEYS = {
    "path-line": st.from_regex(r"[a-z]{1,5}(/[a-z_0-9]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "repository-path": st.from_regex(r"[a-z]{1,5}(/[a-z_0-9]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "line-phrase": st.from_regex(r"[a-z]{1,5}(/[a-z_0-9]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "permalink": st.from_regex(r"[a-z ü]{1,5}(/[a-z_0-9%#()]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "link": st.from_regex(r"[a-z ü]{1,5}(/[a-z_0-9%#()<>]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "footnote": st.from_regex(r"[a-zü][a-z ü'#:]{1,5}(/[a-z_0-9%#()<>-]{1,5}){0,3}(:[0-9]{1,3})?", fullmatch=True).map(
        str.strip
    ),
    "tex-path": st.from_regex(r"[a-z]{1,5}(/[a-z0-9]{1,5}){0,3}_[a-z]{1,3}\.[a-z]{1,3}", fullmatch=True),
    "org-link": st.from_regex(r"[a-z]{1,5}(/[a-z_0-9]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
    "cite": st.from_regex(r"[a-zü][a-z ü]{1,5}(/[a-z_0-9%#]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True),
}
ANY_KEY = st.from_regex(r"[a-zü][a-z ü'#:]{1,5}(/[a-z_0-9%#()<>-]{1,5}){0,3}\.[a-z]{1,3}", fullmatch=True)


PAPERS = {
    "ref": st.from_regex(r"REF-[0-9]{3}", fullmatch=True).map(lambda key: SourceRef("ref", key)),
    "key": st.from_regex(r"[a-z]{1,8}(:[a-z0-9]{1,5})?|[a-z.]{3,8}", fullmatch=True).map(
        lambda key: SourceRef("bibliography", key)
    ),
    "key-quote": st.just(SourceRef("ref", "REF-043")),
    "tex-cite": st.from_regex(r"[a-z]{1,8}(:[a-z0-9]{1,5})?|[a-z.]{3,8}", fullmatch=True).map(
        lambda key: SourceRef("bibliography", key)
    ),
}
UNQUOTED = ("tex-cite",)
"""Dialects that read no quotes."""
ADDRESSES = {"permalink": ("permalink", "owner/name@main:"), "repository-path": ("repository", "owner/name@v2.1:")}
"""Dialects that name a repository before the path: the scheme of their sources, and what stands before the path."""
ONE_LINE = ("memory", "org-link")
"""Dialects that cite single lines."""
WORDS = st.lists(st.from_regex(r"[A-Za-zü]{3,9}", fullmatch=True), min_size=4, max_size=9).map(" ".join)


@pytest.mark.parametrize("name", PAPERS)
@given(data=st.data(), first=st.integers(1, 9999), more=st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_what_is_written_about_papers_can_be_read(name: str, data: st.DataObject, first: int, more: int) -> None:
    """A citation of a paper, with or without page, section and quote, survives being written and read."""
    source = data.draw(PAPERS[name])
    pages = data.draw(st.sampled_from((None, Pages(str(first), str(first + more)), Pages("iv", "iv"))))
    section = data.draw(st.sampled_from(("", "Section 3", "§3.2", "Results")))
    quoted = name == "key-quote" or (name not in UNQUOTED and data.draw(st.booleans()))
    quote = Quote(data.draw(WORDS)) if quoted else None
    citation = Citation(name, Span(0, 0), "", source, None, quote, "", False, pages, section)
    (again,) = citations(name, Document(path_for(name, "x.md"), get_dialect(name).render(citation)))
    assert selected(again) == selected(citation)


@pytest.mark.parametrize("name", PAPERS)
@given(text=TEXTS, page=st.sampled_from(("7", "xii", "1204")))
@settings(max_examples=150, deadline=None)
def test_another_page_changes_the_page_and_nothing_else(name: str, text: str, page: str) -> None:
    """The edit stays inside the citation, and afterwards the same citation names the new page."""
    path, dialect = path_for(name, "x.md"), get_dialect(name)
    document = Document(path, text)
    for citation in citations(name, document):
        edit = dialect.repoint(document, citation, Place(citation.source.key, None, Pages(page, page)))
        if edit is None:
            continue
        assert citation.span.start <= edit.span.start <= edit.span.end <= citation.span.end
        after = Document(path, text[: edit.span.start] + edit.replacement + text[edit.span.end :])
        (found,) = (item for item in citations(name, after) if item.span.start == citation.span.start)
        assert (found.pages, found.section, found.quote) == (Pages(page, page), citation.section, citation.quote)


NO_LINES = ("habit", "section", "symbol", "instruction")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*PAPERS, *NO_LINES)])
@given(data=st.data(), first=st.integers(1, 9999), more=st.integers(0, 99))
@settings(max_examples=100, deadline=None)
def test_what_is_written_can_be_read(name: str, data: st.DataObject, first: int, more: int) -> None:
    """A citation of any ordinary path survives being written and read."""
    key = data.draw(KEYS.get(name, ANY_KEY))
    scheme, before = ADDRESSES.get(name, ("file", ""))
    source = SourceRef(scheme, before + key)
    lines = Lines(first, first if name in ONE_LINE else first + more)
    quote = Quote(data.draw(st.text(min_size=1, max_size=20))) if name == "memory" else None
    rendered = get_dialect(name).render(Citation(name, Span(0, 0), "", source, lines, quote))
    (again,) = citations(name, Document(path_for(name, "x.md"), rendered))
    assert (again.source, again.lines, again.quote) == (source, lines, quote)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, path=PATHS)
@settings(max_examples=150, deadline=None)
def test_repointing_points_there_and_touches_nothing_else(name: str, text: str, path: str) -> None:
    """The edit stays inside the citation, and afterwards the same citation points at the new place."""
    document = Document(path, text)
    dialect = get_dialect(name)
    for citation in citations(name, document):
        for place in PLACES:
            if name in ONE_LINE:
                place = Place(place.path, Lines(place.lines.first, place.lines.first) if place.lines else None)
            edit = dialect.repoint(document, citation, place)
            if edit is None:
                continue
            assert citation.span.start <= edit.span.start <= edit.span.end <= citation.span.end
            after = Document(path, text[: edit.span.start] + edit.replacement + text[edit.span.end :])
            found = [item for item in citations(name, after) if item.span.start == citation.span.start]
            assert [item.lines for item in found] == [place.lines]
            assert found[0].quote == citation.quote
            key = found[0].source.key.rpartition(":")[2] if name in ADDRESSES else found[0].source.key
            if citation.source.scheme == "symbol":
                assert key.partition("::")[2] == citation.source.key.partition("::")[2]
                key = key.partition("::")[0]
            assert place.path in (key, found[0].alternate)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_one_citation_and_opens_with_an_opener(name: str) -> None:
    """The example of a dialect is read by it, and its bytes hold an opener."""
    dialect = get_dialect(name)
    (found,) = dialect.extract(Document(path_for(name, "docs/x.md"), dialect.EXAMPLE))
    assert isinstance(found, Citation)
    assert any(opener in dialect.EXAMPLE.encode() for opener in dialect.OPENERS)
    assert (cast(ModuleType, dialect).__doc__ or "").strip()


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS)
@settings(max_examples=100, deadline=None)
def test_nothing_is_found_without_an_opener(name: str, text: str) -> None:
    """Openers are safe to skip files by."""
    dialect = get_dialect(name)
    if not DialectSelector([(dialect, dialect.OPENERS)]).choose(path_for(name, "x.md"), text.encode()):
        assert "reads" in vars(dialect) or list(dialect.extract(Document(path_for(name, "x.md"), text))) == []
    if not any(opener in text.encode() for opener in dialect.OPENERS):
        assert list(dialect.extract(Document(path_for(name, "x.md"), text))) == []


SHAPES = {
    "open brackets": lambda n: "【" * n,
    "open file brackets": lambda n: "【F:a" * n,
    "square brackets": lambda n: "[" * n + "](a#L1)",
    "half links": lambda n: "](a#L1)" * n,
    "links": lambda n: "[a](b#L1)" * n,
    "references": lambda n: "a:1" * n,
    "spaced references after a backtick": lambda n: "`" + " a:1" * n,
    "code spans": lambda n: "`a:1` " * n,
    "code spans in items": lambda n: "- `a:1`\n" * n,
    "backticks": lambda n: "`" * n + "a:1",
    "runs of backticks": lambda n: "".join("`" * (i % 50) + " a:1 " for i in range(n // 10)),
    "fences": lambda n: "```\na:1\n```\na:1\n" * n,
    "indented fences": lambda n: "  ```\n  a:1\n" * n,
    "quoted fences": lambda n: "> ```\n\na:1\n" * n,
    "cite": lambda n: "[cite:" * n,
    "addresses": lambda n: "https://github.com/" * n,
    "blob addresses": lambda n: "https://github.com/a/b/blob/main/x" * n,
    "repositories": lambda n: "o/r@v1:a/b.py:1 `o/r:a.py:2` " * n,
    "open repositories": lambda n: "o/r:" * n + "a.py:1",
    "long repository": lambda n: "a/" * n + "b:c.py:1",
    "ids": lambda n: "REF-043 " * n,
    "ids in brackets": lambda n: "[REF-043, p.1; REF-044" * n,
    "open ids": lambda n: "[REF-043, " * n,
    "quoted ids": lambda n: '"a b c d" [REF-043] ' * n,
    "quotation marks": lambda n: '"' * n + "REF-043 @a",
    "open quotation marks": lambda n: "“ REF-043 " * n,
    "block quotes": lambda n: "> a b c d\n" * n + "[REF-043]",
    "keys": lambda n: "[@a, p. 3; @b" * n,
    "open keys": lambda n: "[" * n + "@a",
    "key quotes": lambda n: "---\nkey_quotes:\n---\n" + '- "a b c d" (p. 7)\n' * n,
    "authors": lambda n: "Smith (2023), (Doe, 2020; " * n,
    "numbers": lambda n: "[1, 2" * n,
    "quote marks": lambda n: ">" * n + "a:1",
    "carriage returns": lambda n: "a:1\r" * n,
    "open sections": lambda n: "[a.md, §b" * n,
    "nested sections": lambda n: "[://, §b" * n + "]" * n,
    "sections before colons": lambda n: "[a.md, §b]:" * n,
    "escapes": lambda n: "[a.md, §" + "\\" * n + "]",
    "escaped labels": lambda n: "[" + "\\]" * n + "](a#L1)",
    "footnotes": lambda n: "[^1a2b3c4d]: a/b.md:42\n" * n,
    "open footnotes": lambda n: "\n[^1a2b3c4d]: " + "a \t" * n,
    "footnotes on a line": lambda n: "[^1a2b3c4d]: a/b" * n,
    "names of tests": lambda n: "a.py::f.g[x] `a.py::f` " * n,
    "commands": lambda n: "`make a b` `npm run c` " * n,
    "commands in items": lambda n: "Run:\n\n" + "- `make a`\n" * n,
    "command lines": lambda n: "```sh\n" + "cd a && make b c; ./d/e.sh\n" * n + "```\n",
    "long command": lambda n: "```sh\nmake " + "a " * n + "\n```\n",
    "paths": lambda n: "`a/b.py` " * n,
    "long path": lambda n: "`" + "a/" * n + "`",
    "comments": lambda n: "<!-- `a/b.py` --> `c/d.py` " * n,
    "open comments": lambda n: "<!-- `a/b.py` " * n,
    "addresses of files": lambda n: "[a](file:///a%20b#L1)" * n,
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_text_and_no_faster(in_proportion: Callable[..., bool], name: str, shape: str) -> None:
    """Ten times the text costs about ten times the time, also where the text was made to cost more."""
    dialect, make, path = get_dialect(name), SHAPES[shape], path_for(name, "x.md")
    assert in_proportion(lambda text: list(dialect.extract(Document(path, text))), make(1_000), make(10_000), 10)

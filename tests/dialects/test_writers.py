"""Writers on odd bytes: an edit changes its citation alone, leads where it should, or is not made at all."""

from __future__ import annotations

import os
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Pages, Place, Quote, SourceRef, Span
from pincite.dialects import dialects, get_dialect
from pincite.dialects import extract as extract_all
from pincite.text.citation_styles import bracket, footnote, inline, link
from pincite.text.document import Document

EXAMPLES = int(os.environ.get("PINCITE_LAWS", "40"))
NAMES = [dialect.NAME for dialect in dialects()]
FRONT = ("memory", "key-quote")
"""Dialects of frontmatter, which nothing can stand before."""
PAPERS = ("ref", "key", "key-quote")
ADDRESSES = ("permalink", "repository-path")
"""Dialects that name a repository before the path."""
UNLINED = ("section", "symbol", "instruction")
"""Dialects that name no lines."""
AROUND = (
    *("", " ", "\t", "\n", "\n\n", "\r\n", "\r", "x\r\n", "x\r", "word ", "word. ", "- ", "> ", "1. ", "| ", "# "),
    *(
        "\ufeff",
        "\ufeffé\n",
        "e\u0301 ",
        "\u202e",
        "\u200f ",
        "\u2028",
        "\u0085",
        "\0",
        "😀 ",
        "👩‍👩‍👧\n",
        "日本語",
        "ß\xa0",
    ),
    *(
        "“",
        "”",
        "« ",
        "‚",
        "'",
        '"',
        "(",
        ")",
        "[",
        "]",
        "[[",
        "]]",
        "([",
        "])",
        "**",
        "_",
        "<",
        ">",
        "\\",
        "`",
        "`` ",
        "†",
    ),
    *(
        "```\nx\n```\n",
        "~~~\n",
        "【",
        "】",
        "<!-- ",
        " -->",
        "[a](b)",
        "![",
        "%",
        "%20",
        "#L1",
        ":",
        "::",
        ",",
        ";",
        ".",
        "-2",
    ),
    *("a" * 9000 + " ", " " * 5000, "\t" * 300 + "\n", "x\n" * 400),
)
PATHS = (
    *(
        "lib/new.py",
        "new.py",
        "a b.py",
        "a  b.py",
        " lead.py",
        "trail.py ",
        "ü/ñ.py",
        "u\u0308.py",
        "日本/語.py",
        "😀.py",
    ),
    *(
        "a%20b.py",
        "100%.py",
        "%2e%2e/x.py",
        "a#b.py",
        "#L3.py",
        "a?b.py",
        "a&b.py",
        "a=b.py",
        "a+b.py",
        "a@b.py",
        "@x.py",
    ),
    *("x(y).py", "(x).py", "[x].py", "x]y.py", "<x>.py", "{x}.py", "a'b.py", 'a"b.py', "a`b.py", "a\\b.py", "a|b.py"),
    *(
        "a,b.py",
        "a, §b.py",
        "a;b.py",
        "a:b.py",
        "a:12.py",
        "a.py:12",
        "a.py:1-2",
        "a.py#L4",
        "p::q.py",
        "a*b.py",
        "_a_.py",
    ),
    *(
        "a†b.py",
        "a【b.py",
        "a】b.py",
        "F:a.py",
        "https://x/y.py",
        "file:///x.py",
        "//x.py",
        "a//b.py",
        "./a.py",
        "../a.py",
    ),
    *("a\tb.py", "a\nb.py", "a\rb.py", "a\0b.py", "a\x1bb.py", "a\x7fb.py", "a\x85b.py", "a\u2028b.py", "a\u202eb.py"),
    *("a\udcffb.py", "a\ud800.py", "\ufeffa.py", "a\u00adb.py", "a\u200bb.py", "x" * 300 + ".py", "d/" * 60 + "x.py"),
    *(
        "README",
        "Makefile",
        ".hidden",
        "d/.hidden",
        "a.",
        "a.py.",
        "d/a,",
        "null",
        "true",
        "~",
        "12",
        "1.5",
        "-x.py",
        "-",
    ),
    *("REF-001.md", "a.com", "C:\\x.py", "~/x.py", "docs/x.md", "docs/new.py", "abc123"),
)
LINES = st.builds(lambda first, more: Lines(first, first + more), st.integers(1, 9999), st.sampled_from((0, 0, 1, 30)))
PAGES = st.sampled_from(
    [Pages(one, one) for one in ("7", "xii", "1204", "S12", "A-3", "", "p7", "7]", "null", "12 ", "é", "3-12")]
    + [Pages("7", "9"), Pages("ii", "xv"), Pages("97", "103"), Pages("7", "é"), Pages("9", "12]")]
)


def citations(name: str, document: Document) -> list[Citation]:
    return [item for item in get_dialect(name).extract(document) if isinstance(item, Citation)]


def home(name: str) -> str:
    return getattr(get_dialect(name), "PATH", "docs/x.md")


def cited(name: str, lines: Lines) -> Citation:
    """A citation of an ordinary place."""
    first = Lines(lines.first, lines.first)
    if name in PAPERS:
        source = SourceRef("bibliography" if name == "key" else "ref", "smith2020" if name == "key" else "REF-043")
        quote = Quote("four words stand here") if name == "key-quote" else None
        return Citation(name, Span(0, 0), "", source, None, quote, "", False, Pages("15", "15"), "Results")
    if name == "memory":
        return Citation(name, Span(0, 0), "", SourceRef("file", "src/app.py"), first, Quote("x = 1 # y: z"))
    if name == "permalink":
        return Citation(name, Span(0, 0), "", SourceRef(name, "owner/name@main:src/app.py"), lines)
    if name == "section":
        return Citation(name, Span(0, 0), "", SourceRef(name, "docs/app.md"), section="First steps")
    if name == "symbol":
        return Citation(name, Span(0, 0), "", SourceRef(name, "src/app.py::Server.start"))
    if name == "instruction":
        return Citation(name, Span(0, 0), "", SourceRef("path", "src/app.py"))
    if name not in ("bracket", "cite", "footnote", "link", "path-line", "line-phrase", "org-link"):
        return citations(name, Document(home(name), get_dialect(name).EXAMPLE))[0]
    return Citation(name, Span(0, 0), "", SourceRef("file", "src/app.py"), lines)


def embedded(name: str, before: str, after: str, lines: Lines, ending: str) -> str:
    """A citation between odd surroundings."""
    written = get_dialect(name).render(cited(name, lines))
    if name in FRONT:
        return (written + before + after).replace("\n", ending)
    if name == "footnote":
        return f"{before}\n{written}\n{after}"
    return f"{before}{written}{after}"


def reread(name: str, document: Document, citation: Citation, place: Place) -> None:
    """What every edit has to be."""
    edit = get_dialect(name).repoint(document, citation, place)
    if edit is None:
        return
    text = document.text
    assert citation.span.start <= edit.span.start <= edit.span.end <= citation.span.end
    # What is written goes into a file of UTF-8, on one line of it unless it was on several before.
    edit.replacement.encode()
    assert not set(edit.replacement) & set("\0\x1b")
    after = Document(document.path, text[: edit.span.start] + edit.replacement + text[edit.span.end :])
    was, now = citations(name, document), citations(name, after)
    assert len(was) == len(now)
    grown = len(edit.replacement) - (edit.span.end - edit.span.start)
    for one, other in zip(was, now, strict=True):
        if one.span.start != citation.span.start:
            shift = grown if one.span.start > citation.span.start else 0
            assert (other.span.start, other.raw) == (one.span.start + shift, one.raw)
            continue
        assert other.span == Span(one.span.start, one.span.end + grown)
        assert (other.quote, other.section) == (citation.quote, citation.section)
        if name in PAPERS:
            assert (other.source, other.pages) == (citation.source, place.pages)
            continue
        assert other.lines == (place.lines if name not in UNLINED else None)
        key = other.source.key.split(":", 1)[1] if name in ADDRESSES else other.source.key
        if name == "symbol":
            assert key == f"{place.path}::{citation.source.key.partition('::')[2]}"
            continue
        assert place.path in (key, other.alternate)
        if name in ADDRESSES:
            assert other.source.key.split(":", 1)[0] == citation.source.key.split(":", 1)[0]


ARGUMENTS = {
    "before": st.lists(st.sampled_from(AROUND), max_size=3).map("".join),
    "after": st.lists(st.sampled_from(AROUND), max_size=3).map("".join),
    "path": st.one_of(
        st.sampled_from(PATHS),
        st.lists(st.sampled_from(PATHS), min_size=2, max_size=3).map("".join),
        st.text(st.characters(), min_size=1, max_size=6),
    ),
    "old": LINES,
    "new": LINES,
    "pages": PAGES,
    "ending": st.sampled_from(("\n", "\r\n", "\r")),
}


@pytest.mark.parametrize("name", NAMES)
@given(**ARGUMENTS)
@settings(max_examples=EXAMPLES, deadline=None)
def test_an_edit_changes_one_citation_and_nothing_else(
    name: str, before: str, after: str, path: str, old: Lines, new: Lines, pages: Pages, ending: str
) -> None:
    """Whatever stands around it and whatever the new path is; where that cannot be written, nothing is."""
    text = embedded(name, before, after, old, ending)
    document = Document(home(name), text)
    lines = Lines(new.first, new.first) if name == "memory" else new
    for citation in citations(name, document):
        if name in PAPERS:
            reread(name, document, citation, Place(citation.source.key, None, pages))
        elif name in UNLINED:
            reread(name, document, citation, Place(path, None))
        else:
            reread(name, document, citation, Place(path, lines))
            same = citation.source.key.split(":", 1)[-1]
            reread(name, document, citation, Place(same, lines))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PAPERS])
def test_every_odd_path_is_written_right_or_not_at_all(name: str) -> None:
    """Each of them once in plain surroundings: no luck is needed to meet it."""
    document = Document(home(name), embedded(name, "See ", " there.\n", Lines(3, 3), "\n"))
    found = citations(name, document)
    assert len(found) == 1
    for path in PATHS:
        reread(name, document, found[0], Place(path, None if name in UNLINED else Lines(7, 7)))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*PAPERS, *UNLINED, "habit", "tex-cite")])
def test_an_ordinary_path_is_always_written(name: str) -> None:
    """The laws above would hold of a writer that never writes."""
    document = Document(home(name), embedded(name, "See ", " there.\n", Lines(3, 3), "\n"))
    (citation,) = citations(name, document)
    # LaTeX writes only what has an underscore in another way.
    for path in ("lib/new_one.py", "src/my_app.py") if name == "tex-path" else ("lib/new.py", "src/app.py"):
        edit = get_dialect(name).repoint(document, citation, Place(path, Lines(7, 7)))
        assert edit is not None


@given(
    path=ARGUMENTS["path"],
    first=st.integers(1, 10**6),
    more=st.integers(0, 40),
    heading=st.text(max_size=12),
    before=ARGUMENTS["before"],
)
@example(path="a b.md", first=3, more=0, heading="Of [x]", before="")
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_styles_of_retrieval_are_read_back_wherever_they_are_put(
    path: str, first: int, more: int, heading: str, before: str
) -> None:
    """inline, footnote, link and bracket: one citation, of that place, or none that could be followed wrongly."""
    written = {
        "section": inline(path, heading or "x"),
        "footnote": footnote("1a2b3c4d", path, first),
        "link": link(heading, path, first, first + more),
    }
    with suppress(ValueError):
        written["bracket"] = bracket(path, first, first + more)
    for name, text in written.items():
        assert "\n" not in text and "\r" not in text
        document = Document("docs/x.md", f"{before}\n\n{text}\n")
        for citation in citations(name, document):
            if citation.span.start < len(before):
                continue
            assert (
                citation.lines
                == {
                    "section": None,
                    "footnote": Lines(first, first),
                    "link": Lines(first, first + more),
                    "bracket": Lines(first, first + more),
                }[name]
            )
            place = Place("lib/new.py", None if name in UNLINED else Lines(7, 7))
            reread(name, document, citation, place)


# Permalinks


COMMIT = "1f0c9ae2b7d4c6e8a0b1c2d3e4f5061728394a5b"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/blob/main/src/app.py#L3", "/blob/main/lib/new.py#L7-L9"),
        ("/blob/master/src/app.py#L3-L4", "/blob/master/lib/new.py#L7-L9"),
        ("/blob/HEAD/src/app.py#L3C1-L4C2", "/blob/HEAD/lib/new.py#L7-L9"),
        ("/blob/main/src/app.py?plain=1#L3", "/blob/main/lib/new.py?plain=1#L7-L9"),
        (f"/blob/{COMMIT}/src/app.py#L3", ""),
        ("/blob/1f0c9ae/src/app.py#L3", ""),
    ],
)
def test_a_branch_moves_and_a_commit_holds(before: str, after: str) -> None:
    """A link to a commit shows the same for ever; one to a branch keeps the branch."""
    text = f"See https://github.com/owner/name{before}, or not."
    document = Document("x.md", text)
    (citation,) = citations("permalink", document)
    edit = get_dialect("permalink").repoint(document, citation, Place("lib/new.py", Lines(7, 9)))
    if not after:
        assert edit is None
    else:
        assert edit is not None
        moved = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
        assert moved == f"See https://github.com/owner/name{after}, or not."


def test_nothing_that_is_written_becomes_a_citation_of_another_dialect() -> None:
    """All dialects together read as many citations after an edit as before."""
    for name in NAMES:
        document = Document(home(name), embedded(name, "See ", " there.\n", Lines(3, 3), "\n"))
        (citation,) = citations(name, document)
        place = Place("lib/new.py", Lines(7, 7), Pages("7", "7") if name in PAPERS else None)
        edit = get_dialect(name).repoint(document, citation, place)
        if edit is not None:
            text = document.text
            after = Document(document.path, text[: edit.span.start] + edit.replacement + text[edit.span.end :])
            old, new = (extract_all(one, dialects()) for one in (document, after))
            assert [item.dialect for item in old] == [item.dialect for item in new]

"""Styles: plain places are written as people know them, odd ones so that they are read back as the same place."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines
from pincite.dialects import bracket, dialects, extract, footnote, link, section
from pincite.text import citation_styles
from pincite.text.document import Document
from pincite.text.lines import join

TOP = "/srv/my project"
ODD = st.sampled_from(
    tuple("[]`\\§,#%:?<>()!*_^@|~'\" .;&=+-")
    + ("%20", ", §", ",§", "](", "][", ":42", "é", "日", "😀", "\u2028", "\x1b")
)
WORDS = st.lists(st.one_of(ODD, st.from_regex(r"[A-Za-z0-9]{1,6}", fullmatch=True), st.text(max_size=3)), min_size=1)
HEADINGS = WORDS.map("".join).filter(lambda text: bool(citation_styles.fold(text)))
NAMES = (
    st.lists(st.one_of(ODD, st.from_regex(r"[A-Za-z0-9]{1,6}", fullmatch=True)), min_size=1, max_size=6)
    .map("".join)
    .map(lambda name: name.replace("/", ""))
    .filter(lambda name: name not in (".", "..", "~") and not name.isspace())
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
LINES = st.one_of(st.none(), st.integers(1, 99_999))


def only(dialect: object, text: str, top: str = "") -> Citation:
    (found,) = dialect.extract(Document("x.md", text, top=top))  # type: ignore[attr-defined]
    assert isinstance(found, Citation)
    assert found.raw == text
    return found


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (citation_styles.inline("test.md", "Intro"), "[test.md, §Intro]"),
        (citation_styles.inline("test.md", None), "[test.md]"),
        (citation_styles.inline("test.md", " \n"), "[test.md]"),
        (citation_styles.inline("my file (2).md", "A & B: 50% of it"), "[my file (2).md, §A & B: 50% of it]"),
        (citation_styles.inline("a.md", "x[0] `y` \\z\nend"), "[a.md, §x\\[0\\] \\`y\\` \\\\z end]"),
        (citation_styles.footnote("1a2b3c4d", "docs/a.md", 42), "[^1a2b3c4d]: docs/a.md:42"),
        (citation_styles.footnote("1a2b3c4d", "/path/to/my doc.md", None), "[^1a2b3c4d]: /path/to/my doc.md"),
        (citation_styles.footnote("1a2b3c4d", "a#b?c%d.md", 3), "[^1a2b3c4d]: a#b?c%d.md:3"),
        (citation_styles.footnote("1a2b3c4d", "docs/a:42", None), "[^1a2b3c4d]: docs/a%3A42"),
        (citation_styles.footnote("1a2b3c4d", "docs/a%20b.md", 1), "[^1a2b3c4d]: docs/a%2520b.md:1"),
        (citation_styles.footnote("1a2b3c4d", "Makefile", 7), "[^1a2b3c4d]: ./Makefile:7"),
        (citation_styles.link("Test Document", "/docs/a b.md", 42), "[Test Document](file:///docs/a%20b.md#L42)"),
        (citation_styles.link("T", "/docs/a.md", None), "[T](file:///docs/a.md)"),
        (citation_styles.link("T", "docs/a.md", 2, 9), "[T](docs/a.md#L2-L9)"),
        (citation_styles.link("a [b] \\c", "/x#y%z?.md", 1), "[a \\[b\\] \\\\c](file:///x%23y%25z%3F.md#L1)"),
        (citation_styles.link("", "/x/y.md", 1, 1), "[y.md](file:///x/y.md#L1)"),
        (citation_styles.bracket("docs/a.md", 10, 25), "【F:docs/a.md†L10-L25】"),
        (citation_styles.bracket("docs/a.md", 10, 10), "【F:docs/a.md†L10】"),
    ],
)
def test_what_is_plain_is_written_plainly(written: str, expected: str) -> None:
    assert written == expected


@given(name=NAMES, heading=HEADINGS)
@example(name="a, §b.md", heading="§ 3, of")
@example(name="`a`.md", heading="`")
@settings(max_examples=300, deadline=None)
def test_an_inline_citation_is_read_as_the_same_heading(name: str, heading: str) -> None:
    found = only(section, citation_styles.inline(name, heading))
    assert name.strip() in (found.source.key.strip(), found.alternate)
    assert found.section == citation_styles.fold(heading)


@given(path=PATHS, line=LINES, absolute=st.booleans())
@example(path="a.md:42", line=None, absolute=False)
@example(path="a.md:42", line=7, absolute=False)
@example(path="a.md:42", line=None, absolute=True)
@example(path="a.md#L42", line=None, absolute=False)
@example(path="a.md#L42-L50", line=3, absolute=False)
@settings(max_examples=300, deadline=None)
def test_a_footnote_is_read_as_the_same_place(path: str, line: int | None, absolute: bool) -> None:
    text = citation_styles.footnote("1a2b3c4d", f"{TOP}/{path}" if absolute else path, line)
    found = only(footnote, text, TOP)
    assert found.source.key == join("", path)
    assert found.lines == (None if line is None else Lines(line, line))


@given(title=HEADINGS, path=PATHS, line=st.integers(1, 99_999), more=st.integers(0, 9), absolute=st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_link_is_read_as_the_same_place(title: str, path: str, line: int, more: int, absolute: bool) -> None:
    text = citation_styles.link(title, f"{TOP}/{path}" if absolute else path, line, line + more)
    found = only(link, text, TOP)
    assert found.source.key == join("", path)
    assert found.lines == Lines(line, line + more)


@given(path=PATHS, line=st.integers(1, 99_999), more=st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_a_bracket_is_read_as_the_same_place_or_refused(path: str, line: int, more: int) -> None:
    if re.search("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", path):
        with pytest.raises(ValueError, match="cannot stand"):
            citation_styles.bracket(path, line, line + more)
        return
    found = only(bracket, citation_styles.bracket(path, line, line + more))
    assert (found.source.key, found.lines) == (path, Lines(line, line + more))


@pytest.mark.parametrize("path", ["a†b.md", "a\nb.md", "a\x1b[31mb.md", "a\u2028b.md"])
def test_what_no_bracket_can_hold_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="cannot stand"):
        citation_styles.bracket(path, 1, 2)


@given(path=st.text(min_size=1, max_size=20), words=st.text(max_size=20), line=LINES)
@settings(max_examples=300, deadline=None)
def test_whatever_is_written_stays_on_one_line(path: str, words: str, line: int | None) -> None:
    """Nothing raises, and neither a line end nor a control character comes out; it can be encoded."""
    for text in (
        citation_styles.inline(path, words),
        citation_styles.footnote("0" * 8, path, line),
        citation_styles.link(words, path, line),
    ):
        assert re.search("[\0-\x1f\x7f-\x9f\u2028\u2029]", text) is None
        assert text.encode()


@given(path=st.text(alphabet="\udc80\udcff\ud800ab", min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_names_that_are_no_utf8_can_be_written(path: str) -> None:
    for text in (
        citation_styles.inline(path, path),
        citation_styles.footnote("0" * 8, path, 3),
        citation_styles.link(path, path, 3),
    ):
        assert text.encode()


def test_a_long_title_is_cut_so_that_the_link_is_still_read() -> None:
    found = only(link, citation_styles.link("[" * 100_000, "/r/a.md", 3), "/r")
    assert found.source.key == "a.md"


def test_each_style_is_one_citation_when_all_dialects_read() -> None:
    """In one text none hides another, and none is read twice."""
    text = "\n\n".join(
        (
            "It is so " + citation_styles.inline("a.md", "Intro") + ".",
            "So " + citation_styles.link("T", "/r/a.md", 3) + ". " + citation_styles.bracket("a.md", 3, 4),
            citation_styles.footnote("1a2b3c4d", "docs/a.md", 42),
        )
    )
    found = extract(Document("x.md", text, top="/r"), dialects())
    assert [item.dialect for item in found] == ["section", "link", "bracket", "footnote"]

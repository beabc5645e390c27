"""Memory frontmatter as a dialect: what is read, what is reported, what is left alone, and how it is repointed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Malformed, Place, Quote, SourceRef, Span
from pincite.dialects import memory
from pincite.text.document import Document

OURS = ".serena/memories/a.md"
ITEM = "  - path: src/a.py\n    line: 3\n    snippet: \"x = 'y'\"\n"
TEXT = f"---\nid: a\ncitations:\n{ITEM}  - path: b.md\n---\n\n# Body with citations: none\n"


def _citations(text: str, path: str = "notes/a.md") -> list[Citation]:
    found = list(memory.extract(Document(path, text)))
    assert all(isinstance(item, Citation) for item in found), found
    return [item for item in found if isinstance(item, Citation)]


def _defects(text: str, path: str = OURS) -> list[Malformed]:
    return [item for item in memory.extract(Document(path, text)) if isinstance(item, Malformed)]


def test_reads_path_line_and_snippet() -> None:
    first, second = _citations(TEXT)
    assert first.source == SourceRef("file", "src/a.py")
    assert first.lines == Lines(3, 3)
    assert first.quote == Quote("x = 'y'")
    assert second.source == SourceRef("file", "b.md")
    assert second.lines is None
    assert second.quote is None


def test_a_citation_spans_its_list_item() -> None:
    first, second = _citations(TEXT)
    assert first.raw == "path: src/a.py\n    line: 3\n    snippet: \"x = 'y'\""
    assert TEXT[first.span.start : first.span.end] == first.raw
    assert second.raw == "path: b.md"


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_other_line_ends_read_the_same(end: str) -> None:
    plain = [(item.source, item.lines, item.quote) for item in _citations(TEXT)]
    assert [(item.source, item.lines, item.quote) for item in _citations(TEXT.replace("\n", end))] == plain


def test_flow_style_reads_the_same() -> None:
    (found,) = _citations("---\ncitations: [{path: src/a.py, line: 3}]\n---\n")
    assert (found.source.key, found.lines) == ("src/a.py", Lines(3, 3))


@pytest.mark.parametrize("line", [0, -4])
def test_impossible_lines_are_left_to_the_check(line: int) -> None:
    (found,) = _citations(f"---\ncitations:\n  - path: a\n    line: {line}\n---\n")
    assert found.lines == Lines(line, line)


@pytest.mark.parametrize(
    "text",
    [
        "# citations:\n  - path: a\n",
        "---\ntitle: x\n---\ncitations:\n  - path: a\n",
        "---\ncitations: 12\n---\n",
        "---\ncitations:\n  - smith2020\n---\n",
        "---\ncitations: {a: b}\n---\n",
        "---\ncitations:\n  - title: x\n---\n",
        "---\ntitle: [unclosed\n---\n",
        "---\ntitle: &a x\ncitations: *a\n---\n",
        "---\ncitations:\n  - path: a\n",
        " ---\ncitations:\n  - path: a\n---\n",
    ],
)
def test_other_documents_are_left_alone(text: str) -> None:
    assert list(memory.extract(Document("docs/a.md", text))) == []


def test_only_markdown_is_read() -> None:
    assert list(memory.extract(Document("a.py", TEXT))) == []
    assert list(memory.extract(Document("a.txt", TEXT))) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            '---\ncitations:\n  - path: a\n    line: "42"\n---\n',
            'line 4: citations[0].line: expected an integer, got "42"',
        ),
        ("---\ncitations:\n  - line: 2\n---\n", "line 3: citations[0].path: expected a path, got a map"),
        ("---\ncitations: 12\n---\n", "line 2: citations: expected a list, got 12"),
        (
            "---\ncitations:\n  - path: a\nconfidence: 3\n---\n",
            "line 4: confidence: expected a number from 0.0 to 1.0, got 3",
        ),
        ("---\ntitle: [unclosed\n---\n", "line 3: did not find expected ',' or ']' while parsing a flow sequence"),
        ("---\ncitations: &a []\n---\n", "line 2: anchors (&name) are not allowed"),
        ("---\ncitations:\n  - path: a\n", "line 1: the frontmatter is opened by --- and never closed"),
        ("---\na: 1\na: 2\n---\n", "line 3: key 'a' is given twice"),
    ],
)
def test_every_defect_of_a_memory_is_reported(text: str, reason: str) -> None:
    (found,) = _defects(text)
    assert found.reason == reason
    assert found.fatal
    assert text[found.span.start : found.span.end] == found.raw


def test_broken_frontmatter_elsewhere_is_reported_when_it_means_to_cite() -> None:
    (found,) = _defects("---\ncitations:\n  - path: a\n  bad\n---\n", "docs/a.md")
    assert found.fatal
    assert found.reason.startswith("line ")


def test_good_citations_beside_a_bad_one_are_kept() -> None:
    found = list(
        memory.extract(Document(OURS, "---\ncitations:\n  - path: a\n  - path: b\n    line: x\n  - path: c\n---\n"))
    )
    assert [type(item).__name__ for item in found] == ["Citation", "Malformed", "Citation"]


def test_example_and_render_are_one_citation() -> None:
    (found,) = _citations(memory.EXAMPLE)
    (again,) = _citations(memory.render(found))
    assert (again.source, again.lines, again.quote) == (found.source, found.lines, found.quote)


_text = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=40)


@given(_text, st.none() | st.integers(-9, 10**9), st.none() | _text)
def test_render_reads_back(path: str, line: int | None, snippet: str | None) -> None:
    citation = Citation(
        "memory",
        Span(0, 0),
        "",
        SourceRef("file", path),
        None if line is None else Lines(line, line),
        None if snippet is None else Quote(snippet),
    )
    (found,) = _citations(memory.render(citation), "m.md")
    assert (found.source, found.lines, found.quote) == (citation.source, citation.lines, citation.quote)


_lines = st.sampled_from(
    ["---\n", "citations:\n", "  - path: a\n", "    line: 3\n", "    line: x\n", "    snippet: 'y'\n", "id: b\n", "x\n"]
    + ["citations: [{path: a}]\n", "\r\n", "  - \n", "confidence: 2\n", "# c\n", "\t\n", "...\n", "\x00", "é: ü\n"]
)


@settings(max_examples=300)
@given(st.lists(_lines, max_size=14).map(lambda lines: "---\n" + "".join(lines)), st.sampled_from([OURS, "a.md"]))
def test_laws_of_every_dialect(text: str, path: str) -> None:
    until = 0
    for item in memory.extract(Document(path, text)):
        assert text[item.span.start : item.span.end] == item.raw
        assert item.span.start >= until
        until = item.span.end


def _repointed(text: str, index: int, place: Place) -> str:
    document = Document("a.md", text)
    edit = memory.repoint(document, _citations(text)[index], place)
    assert edit is not None
    return text[: edit.span.start] + edit.replacement + text[edit.span.end :]


def test_repoint_changes_the_line_alone() -> None:
    assert _repointed(TEXT, 0, Place("src/a.py", Lines(9, 9))) == TEXT.replace("line: 3", "line: 9")


def test_repoint_changes_path_and_line_and_keeps_what_is_between() -> None:
    text = TEXT.replace("src/a.py\n", "'src/a.py'   # why\n")
    expected = text.replace("'src/a.py'", "'src/b.py'").replace("line: 3", "line: 9")
    assert _repointed(text, 0, Place("src/b.py", Lines(9, 9))) == expected


def test_repoint_inserts_the_line_that_was_missing() -> None:
    text = "---\r\ncitations:\r\n- path: a.py # why\r\n  snippet: x\r\n---\r\n"
    expected = "---\r\ncitations:\r\n- path: a.py # why\r\n  line: 4\r\n  snippet: x\r\n---\r\n"
    assert _repointed(text, 0, Place("a.py", Lines(4, 4))) == expected


def test_repoint_inserts_into_flow_style() -> None:
    text = "---\ncitations: [{path: a.py, snippet: x}]\n---\n"
    expected = "---\ncitations: [{path: b.py, line: 4, snippet: x}]\n---\n"
    assert _repointed(text, 0, Place("b.py", Lines(4, 4))) == expected


def test_repoint_quotes_what_needs_quotes() -> None:
    assert '  - path: "a: b #c.py"\n' in _repointed(TEXT, 1, Place("a: b #c.py", None))


def test_repoint_to_the_same_place_is_no_edit() -> None:
    document = Document("a.md", TEXT)
    assert memory.repoint(document, _citations(TEXT)[0], Place("src/a.py", Lines(3, 3))) is None


def test_repoint_of_a_citation_that_is_not_there_is_no_edit() -> None:
    document = Document("a.md", TEXT)
    stray = Citation("memory", Span(0, 3), "---", SourceRef("file", "a"))
    assert memory.repoint(document, stray, Place("b", None)) is None


_odd_items = st.sampled_from(
    [
        "  - path: a.py\n    line: 1\n",
        "  - line: 1 # n\n    path: 'a.py'\n",
        '  - path: "a.py" # c\n    snippet: x\n',
        "  - {path: a.py, snippet: x}\n",
        "  - path: >-\n      a.py\n    line: 2\n",
        "  - path: a.py\n    line:\n    note: |+\n      z\n\n",
        "  - path:\n      a.py\n    line: 4\n",
        "  - snippet: |\n      x\n    path: a.py\n",
    ]
)


@settings(max_examples=150)
@given(st.lists(_odd_items, min_size=1, max_size=4), _text, st.integers(1, 999), st.data())
def test_repoint_gives_the_place_and_touches_nothing_else(
    items: list[str], path: str, line: int, data: st.DataObject
) -> None:
    text = "---\ncitations:\n" + "".join(items) + "tags: [a]\n---\nbody\n"
    before = _citations(text)
    index = data.draw(st.integers(0, len(before) - 1))
    edit = memory.repoint(Document("a.md", text), before[index], Place(path, Lines(line, line)))
    if edit is None:
        return
    after = _citations(text[: edit.span.start] + edit.replacement + text[edit.span.end :])
    assert (after[index].source.key, after[index].lines) == (path, Lines(line, line))
    assert [item.quote for item in after] == [item.quote for item in before]
    others = [(item.source, item.lines) for number, item in enumerate(before) if number != index]
    assert [(item.source, item.lines) for number, item in enumerate(after) if number != index] == others
    inside = before[index].span
    assert inside.start <= edit.span.start <= edit.span.end <= len(text) - len("tags: [a]\n---\nbody\n")

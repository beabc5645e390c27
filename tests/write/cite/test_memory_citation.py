"""Items of a memory's list: added, updated, and every other byte as it was."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.model import Citation, Lines, Quote, SourceRef, Span
from pincite.dialects.memory import extract
from pincite.text.document import Document
from pincite.write.cite.memory_citation import add_citation, is_memory
from pincite.write.cite.model import Uncitable

NEW = Citation("memory", Span(0, 0), "", SourceRef("file", "src/a b.py"), Lines(3, 3), Quote("x: 1 # y"))
ITEM = '- path: src/a b.py\n    line: 3\n    snippet: "x: 1 # y"\n'
FLOW = '{path: src/a b.py, line: 3, snippet: "x: 1 # y"}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", f"---\ncitations:\n  {ITEM}---\n"),
        ("Body\n", f"---\ncitations:\n  {ITEM}---\n\nBody\n"),
        ("\nBody", f"---\ncitations:\n  {ITEM}---\n\nBody"),
        ("---\n---\nB\n", f"---\ncitations:\n  {ITEM}---\nB\n"),
        ("---\n# only this\n---\n", f"---\ncitations:\n  {ITEM}# only this\n---\n"),
        ("---\nid: x\n---\nB", f"---\nid: x\ncitations:\n  {ITEM}---\nB"),
        ("---\ncitations:\n---\n", f"---\ncitations:\n  {ITEM}---\n"),
        ("---\ncitations: # later\nid: y\n---\n", f"---\ncitations: # later\n  {ITEM}id: y\n---\n"),
        ("---\ncitations: ~\n---\n", f"---\ncitations:\n  {ITEM}---\n"),
        ("---\ncitations: []  # none\nid: y\n---\n", f"---\ncitations:  # none\n  {ITEM}id: y\n---\n"),
        ("---\ncitations: [\n  # c\n]\n---\n", f"---\ncitations: [{FLOW}\n  # c\n]\n---\n"),
        ("---\ncitations: [{path: a}]\n---\n", f"---\ncitations: [{{path: a}}, {FLOW}]\n---\n"),
        ("---\ncitations: [{path: a},]\n---\n", f"---\ncitations: [{{path: a}}, {FLOW},]\n---\n"),
        ("---\n{id: x}\n---\n", f"---\n{{id: x, citations: [{FLOW}]}}\n---\n"),
        ("---\n{citations: [], id: x}\n---\n", f"---\n{{citations: [{FLOW}], id: x}}\n---\n"),
        (
            "---\ncitations:\n- path: a\n  line: 2 # c\n# end\nid: x\n---\n",
            f"---\ncitations:\n- path: a\n  line: 2 # c\n{ITEM.replace('    ', '  ')}# end\nid: x\n---\n",
        ),
        (
            "---\ncitations:\n    -   path: a\n---\n",
            "---\ncitations:\n    -   path: a\n    -   path: src/a b.py\n        line: 3\n"
            '        snippet: "x: 1 # y"\n---\n',
        ),
        ("---\ncitations:\n  -\n    path: a\n---\n", f"---\ncitations:\n  -\n    path: a\n  {ITEM}---\n"),
        ("---\nnote: |\n  hi\n\n---\n", f"---\ncitations:\n  {ITEM}note: |\n  hi\n\n---\n"),
        (
            "---\ncitations:\n  - path: a\n    snippet: |+\n      hi\n\n---\n",
            f"---\ncitations:\n  {ITEM}  - path: a\n    snippet: |+\n      hi\n\n---\n",
        ),
    ],
)
def test_added(old: str, new: str) -> None:
    assert add_citation(old, "m.md", NEW) == new
    assert add_citation(new, "m.md", NEW) == new
    crlf = old.replace("\n", "\r\n")
    if "\n" in old:
        assert add_citation(crlf, "m.md", NEW) == new.replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("path: src/a b.py\n    line: 3", 'path: src/a b.py\n    line: 3\n    snippet: "x: 1 # y"'),
        (
            "path: 'src/a b.py'\n    line: 3 # c\n    snippet: 'old'",
            "path: 'src/a b.py'\n    line: 3 # c\n    snippet: 'x: 1 # y'",
        ),
        (
            'path: src/a b.py\n    line: 9\n    snippet: "x: 1 # y"',
            'path: src/a b.py\n    line: 3\n    snippet: "x: 1 # y"',
        ),
        ('path: src/a b.py\n    snippet: "x: 1 # y"', 'path: src/a b.py\n    line: 3\n    snippet: "x: 1 # y"'),
        (
            "path: src/a b.py\n    line: 3\n    verified: 2026-01-02",
            'path: src/a b.py\n    line: 3\n    snippet: "x: 1 # y"\n    verified: 2026-01-02',
        ),
    ],
)
def test_a_duplicate_is_updated(old: str, new: str) -> None:
    around = "---\nid: x\ncitations:\n  - path: other\n  - {}\n  - path: last\ntags: [a]\n---\nBody\n"
    assert add_citation(around.format(old), "m.md", NEW) == around.format(new)


def test_another_line_of_the_file_is_another_citation() -> None:
    old = "---\ncitations:\n  - path: src/a b.py\n    line: 4\n    snippet: other\n---\n"
    assert add_citation(old, "m.md", NEW).count("- path") == 2


@pytest.mark.parametrize(
    ("old", "said"),
    [
        ("---\ncitations: [one, two]\n---\n", r"citations\[0\]"),
        ("---\ncitations:\n  - path: a\n    line: x\n---\n", "m.md:4: .*expected an integer"),
        ("---\ncitations: &a []\n---\n", "correct it first"),
        ("---\n- a\n---\n", "no map"),
        ("---\na: 1\na: 2\n---\n", "twice"),
        ("---\ncitations:\n  - path: a\n", "never closed"),
        (
            "---\ncitations:\n  - path: src/a b.py\n    line: 3\n    snippet: |\n      two\n      lines\n---\n",
            "by hand",
        ),
    ],
)
def test_what_cannot_be_added_to_is_left_alone(old: str, said: str) -> None:
    with pytest.raises(Uncitable, match=said):
        add_citation(old, "m.md", NEW)


def test_only_markdown_has_frontmatter() -> None:
    with pytest.raises(Uncitable, match="only markdown"):
        add_citation("text\n", "m.txt", NEW)


@pytest.mark.parametrize(
    ("text", "path", "memory"),
    [
        ("Body\n", ".serena/memories/m.md", True),
        ("Body\n", "docs/m.md", False),
        ("---\ncitations: []\n---\n", "docs/m.md", True),
        ("---\ncitations:\n---\n", "docs/m.md", True),
        ("---\ncitations:\n  - path: a\n---\n", "docs/m.md", True),
        ("---\ncitations: [one]\n---\n", "docs/m.md", False),
        ("---\ncitations: 3\n---\n", "docs/m.md", False),
        ("---\n{{\n---\n", "docs/m.md", False),
        ("---\ncitations:\n  - path: a\n---\n", "docs/m.rst", False),
    ],
)
def test_what_is_a_memory(text: str, path: str, memory: bool) -> None:
    assert is_memory(text, path, ".serena/memories") is memory


PIECES = [
    "citations:",
    "  - path: a",
    "    line: 3",
    "  - {path: b}",
    "id: x",
    "# c",
    "",
    "tags: [a]",
    "note: |",
    "  hi",
    "[]",
]


@settings(max_examples=300, deadline=None)
@given(
    rows=st.lists(st.sampled_from(PIECES), max_size=8),
    body=st.text(max_size=10),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_it_is_there_afterwards_and_all_else_too(rows: list[str], body: str, end: str) -> None:
    old = end.join(["---", *rows, "---", ""]) + body
    try:
        new = add_citation(old, ".serena/memories/m.md", NEW)
    except Uncitable:
        return
    before, after = (extract(Document(".serena/memories/m.md", text)) for text in (old, new))
    cited = [(one.source.key, one.lines, one.quote) for one in after if isinstance(one, Citation)]
    assert ("src/a b.py", Lines(3, 3), Quote("x: 1 # y")) in cited
    assert len(after) == len(before) + 1
    assert new.endswith(body)
    left = new.split(end)
    for row in old.split(end):
        assert row in left or row.startswith("citations:") or any(row in kept for kept in left)


@settings(max_examples=200, deadline=None)
@given(text=st.text(st.sampled_from("---\n\r: []{}abcitations\"'#&*|>\u2028"), max_size=60))
def test_any_text_is_added_to_or_refused(text: str) -> None:
    try:
        new = add_citation(text, "m.md", NEW)
    except Uncitable as refused:
        assert refused.kind == "place-unfit"
        return
    assert "src/a b.py" in new

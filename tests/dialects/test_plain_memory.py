"""The short way of reading a memory gives what the long way gives, or nothing."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.limits import Limits
from pincite.core.model import Citation, Malformed
from pincite.dialects import _plain_memory, memory
from pincite.text.document import Document
from pincite.text.memory_head import LINK_KINDS, read_head
from pincite.text.yaml import load

PATH = ".serena/memories/a.md"
FULL = """---
id: retry-policy
subject: "How often: the client retries"
citations:
  - path: src/client.py
    line: 42
    snippet: "MAX = \\"3\\""
    verified: 2026-01-24T10:30:00Z
  - path: .github/it's.yml
    snippet: 'it''s'
  - path: "a b.md"
links:
  - implements: adr-007
  - related: other
tags: [client, re.try]
confidence: 1.0
last_verified: 2026-01-24
---
body
"""


def _long(text: str) -> list[Citation | Malformed]:
    with patch.object(_plain_memory, "read", return_value=None):
        return list(memory.extract(Document(PATH, text)))


def _short(text: str) -> list[Citation] | None:
    return _plain_memory.read("memory", text)


def _agrees(text: str) -> bool:
    """Whether the outline of a text says what its tree says, as far as there is an outline."""
    said = _plain_memory.outline(text)
    if said is None:
        return _short(text) is None
    span = Document(PATH, text).frontmatter
    assert span is not None
    head = read_head(load(text[span.start : span.end], span.start, 2))
    assert head.problems == []
    assert head.warnings == []
    assert said.id == (head.id or "")
    assert said.subject == head.subject
    assert said.links == [(link.kind, link.target) for link in head.links]
    assert said.confidence == head.confidence
    assert [(path, line, words or None) for path, line, words in said.cited] == [
        (entry.path, entry.line, entry.snippet or None) for entry in head.citations
    ]
    return text[span.end : said.end].rstrip("\n") == "---"


def test_the_documented_form_is_read_the_short_way() -> None:
    found = _short(FULL)
    assert found is not None
    assert len(found) == 3
    assert found == _long(FULL)


def test_the_outline_says_what_the_tree_says() -> None:
    said = _plain_memory.outline(FULL)
    assert said is not None
    assert said.links == [("implements", "adr-007"), ("related", "other")]
    assert _agrees(FULL)
    assert _agrees(FULL.replace("confidence: 1.0\n", "").replace("id: retry-policy\n", ""))
    assert _plain_memory.KINDS == LINK_KINDS


def test_the_outline_keeps_to_the_limit() -> None:
    assert _plain_memory.outline(FULL, Limits(frontmatter_bytes=100)) is None


def test_equal_times_are_tried_once_and_bad_ones_never_pass() -> None:
    bad = FULL.replace("2026-01-24T10:30:00Z", "2026-01-24T10:30:60Z")
    assert [_short(FULL) is None, _short(bad) is None, _short(FULL) is None, _short(bad) is None] == [
        False,
        True,
        False,
        True,
    ]


def test_lists_may_stand_at_any_depth() -> None:
    text = FULL.replace("\n  ", "\n").replace("tags: [client, re.try]", "tags:\n   - a\n   - b")
    found = _short(text)
    assert found is not None
    assert found == _long(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("line: 42", "line: 042"),
        ("line: 42", 'line: "42"'),
        ("line: 42", "line: -1"),
        ("path: src/client.py", "path: true"),
        ("path: src/client.py", "path: .5"),
        ("path: src/client.py", "path: null"),
        ("path: src/client.py", 'path: ""'),
        ("path: src/client.py", "path: a: b"),
        ("path: src/client.py", "path: a #b"),
        ("path: src/client.py", "path: &x a"),
        ("path: src/client.py", "path: a\x07"),
        ("path: src/client.py", "path: a\u2028"),
        ("path: src/client.py", "path: a "),
        ("2026-01-24T10:30:00Z", "2026-02-30"),
        ("last_verified: 2026-01-24", "last_verified: 2026-13-01"),
        ("confidence: 1.0", "confidence: 1.1"),
        ("confidence: 1.0", "confidence: 2"),
        ("id: retry-policy", "id: true"),
        ("id: retry-policy", "id: retry-policy\nid: b"),
        ("related: other", "related: null"),
        ("related: other", "likes: other"),
        ("re.try", "null"),
        ("re.try", "12"),
        ("    line: 42\n", "    line: 42\n    line: 43\n"),
        ("    line: 42\n", "     line: 42\n"),
        ("    line: 42\n", "   line: 42\n"),
        ("  - path: .git", "   - path: .git"),
        ("  - path: .git", " - path: .git"),
        ("links:\n", "links:\ncitations:\n"),
    ],
)
def test_everything_doubtful_goes_the_long_way(old: str, new: str) -> None:
    assert old in FULL
    assert _short(FULL.replace(old, new, 1)) is None


_rows = st.lists(
    st.sampled_from(
        [
            "id: a\n",
            "id: null\n",
            "subject: b c\n",
            'subject: "d: e"\n',
            "subject: 'f'\n",
            "subject: true\n",
            "other: x\n",
        ]
        + ["citations:\n", "links:\n", "tags:\n", "tags: [a, b]\n", "tags: []\n", "tags: [1]\n", "confidence: 0.5\n"]
        + ["last_verified: 2026-01-01\n", "  - related: a\n", "  - b\n", "- related: c\n", "- d e\n", "# c\n", "\n"]
    ),
    max_size=6,
)
_value = st.one_of(
    st.sampled_from(
        ["a.py", "b c", ".5", "~", "'it''s'", '"\\""', '"\\\\"', '"\\n"', "x:y", "x: y", "é", "nan", "-1", "$x", "(y)"]
    ),
    st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=6),
)
_item = st.builds(
    lambda indent, path, line, snippet, time: (
        f"{indent}- path: {path}\n"
        + (f"{indent}  line: {line}\n" if line else "")
        + (f"{indent}  snippet: {snippet}\n" if snippet is not None else "")
        + (f"{indent}  verified: {time}\n" if time else "")
    ),
    st.sampled_from(["  ", "  ", "  ", ""]),
    _value,
    st.sampled_from(["", "0", "3", "03", "-3", "x", "12345678901"]),
    st.none() | _value,
    st.sampled_from(["", "2026-01-24T10:30:00Z", "2026-01-24", "20260124", "2026-02-31", "x"]),
)


@settings(max_examples=600, deadline=None)
@given(_rows, st.lists(_item, max_size=3), _rows)
def test_both_ways_agree(before: list[str], items: list[str], after: list[str]) -> None:
    text = "---\n" + "".join(before) + "citations:\n" + "".join(items) + "".join(after) + "---\n"
    found = _short(text)
    if found is not None:
        assert found == _long(text)
    assert _agrees(text)


@settings(max_examples=400, deadline=None)
@given(st.integers(4, len(FULL) - 10), st.text(max_size=2), st.integers(0, 3))
def test_both_ways_agree_after_any_small_change(at: int, new: str, gone: int) -> None:
    text = FULL[:at] + new + FULL[at + gone :]
    found = _short(text)
    if found is not None:
        assert found == _long(text)
    assert _agrees(text)

"""Writing back changes the values and not one byte more (M16)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Conflict, UsageError
from pincite.domains.memory.load import load_memory
from pincite.domains.memory.model import Memory, MemoryResult
from pincite.domains.memory.update import plan_update, write_update
from pincite.safe.files import Root
from pincite.text.document import Document
from pincite.text.lines import decode
from pincite.text.memory_head import read_head
from pincite.text.yaml import load

from .conftest import Write

NOW = datetime(2026, 2, 3, 4, 5, 6, 789, tzinfo=UTC)
STAMP = "2026-02-03T04:05:06Z"


def _memory(data: bytes) -> Memory:
    document = Document("m.md", decode(data))
    span = document.frontmatter
    assert span is not None
    head = read_head(load(document.text[span.start : span.end], span.start, 2))
    assert head.problems == []
    return Memory("m.md", head.id or "m", document, data, head)


def _updated(data: bytes, holds: tuple[bool, ...]) -> bytes:
    result = MemoryResult("m", "m.md", holds, sum(holds) / len(holds) if holds else 0.5)
    update = plan_update(_memory(data), result, NOW)
    assert update is not None
    assert update.old == data
    return update.new


def test_only_the_values_change() -> None:
    old = (
        b"\xef\xbb\xbf---\r\n# head\r\nconfidence:   0.5   # mine\r\ncitations:\r\n- path: 'a'   # why\r\n"
        b'  verified: "2020-01-01"\r\n- path: b\r\n  verified: 2020-01-01T00:00:00Z # old\r\n'
        b"last_verified: '2020-01-01'\r\n---\r\nbody  \r\n\r\nno newline at the end"
    )
    new = _updated(old, (True, True))
    stamp = STAMP.encode()
    expected = old.replace(b"0.5 ", b"1.0 ").replace(b'"2020-01-01"', b'"' + stamp + b'"')
    expected = expected.replace(b"2020-01-01T00:00:00Z", stamp).replace(b"'2020-01-01'", b"'" + stamp + b"'")
    assert new == expected


def test_a_stale_citation_keeps_its_time() -> None:
    old = b"---\ncitations:\n  - path: a\n    verified: 2020-01-01\n  - path: b\n    verified: 2020-01-01\n---\n"
    new = _updated(old, (False, True))
    assert new.count(b"2020-01-01") == 1
    assert b"  - path: a\n    verified: 2020-01-01\n" in new
    assert b"confidence: 0.5\n" in new


def test_values_that_were_missing_are_added() -> None:
    old = b"---\ncitations:\n  - path: a # why\n    line: 3\n# end\n---\nbody"
    assert (
        _updated(old, (True,))
        == (
            f"---\ncitations:\n  - path: a # why\n    line: 3\n    verified: {STAMP}\n"
            f"confidence: 1.0\nlast_verified: {STAMP}\n# end\n---\nbody"
        ).encode()
    )


def test_confidence_is_written_in_full_and_only_if_it_differs() -> None:
    assert b"confidence: 0.3333333333333333\n" in _updated(
        b"---\ncitations: [{path: a}, {path: b}, {path: c}]\n---\n", (True, False, False)
    )
    assert b"confidence: 1\n" in _updated(b"---\nconfidence: 1\ncitations:\n  - path: a\n---\n", (True,))


def test_flow_style_is_extended_in_flow_style() -> None:
    new = _updated(b"---\n{id: a, citations: [{path: b}]}\n---\n", (True,))
    assert (
        new
        == (
            f"---\n{{id: a, citations: [{{path: b, verified: {STAMP}}}], "
            f"confidence: 1.0, last_verified: {STAMP}}}\n---\n"
        ).encode()
    )


def test_law_three_nothing_verified_nothing_written() -> None:
    memory = _memory(b"---\nid: a\nconfidence: 0.7\n---\n")
    assert plan_update(memory, MemoryResult("a", "m.md", (), 0.7), NOW) is None


def test_updating_twice_at_the_same_time_changes_nothing() -> None:
    once = _updated(b"---\ncitations:\n  - path: a\n---\n", (True,))
    assert plan_update(_memory(once), MemoryResult("m", "m.md", (True,), 1.0), NOW) is None


def test_a_value_left_out_is_filled_in_before_entries_are_added() -> None:
    old = b"---\ncitations:\n  - path: a\n    verified:\n---\n"
    new = _updated(old, (True,))
    assert (
        new
        == (
            f"---\ncitations:\n  - path: a\n    verified: {STAMP}\nconfidence: 1.0\nlast_verified: {STAMP}\n---\n"
        ).encode()
    )
    again = _updated(b"---\ncitations: [{path: a}]\nlast_verified:\n---\n", (True,))
    assert again.endswith(f"\nlast_verified: {STAMP}\nconfidence: 1.0\n---\n".encode())


def test_blank_lines_that_belong_to_a_value_stay_its_own() -> None:
    old = b"---\ncitations:\n  - path: |+\n      a\n\n---\n"
    new = _updated(old, (True,))
    assert (
        new
        == (
            f"---\nconfidence: 1.0\nlast_verified: {STAMP}\ncitations:\n"
            f"  - verified: {STAMP}\n    path: |+\n      a\n\n---\n"
        ).encode()
    )


def test_a_result_that_would_read_differently_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.domains.memory.update.append_to", lambda text, node, *_: (node.start, node.start, "x"))
    old = b"---\ncitations:\n  - path: a\n---\n"
    with pytest.raises(UsageError, match="edit it by hand"):
        plan_update(_memory(old), MemoryResult("m", "m.md", (True,), 1.0), NOW)


def test_a_file_that_changed_is_not_overwritten(repo: Path, write: Write) -> None:
    path = write("m.md", "---\ncitations:\n  - path: src/app.py\n---\n")
    with Root(str(repo)) as root:
        memory = load_memory(root, ".serena/memories/m.md")
        update = plan_update(memory, MemoryResult("m", memory.key, (True,), 1.0), NOW)
        assert update is not None
        path.write_text("---\ncitations: []\n---\nmeanwhile\n")
        with pytest.raises(Conflict):
            write_update(root, update)
    assert path.read_text().endswith("meanwhile\n")


def test_the_diff_shows_the_changed_lines() -> None:
    memory = _memory(b"---\nconfidence: 0.5\ncitations:\n  - path: a\n---\n")
    update = plan_update(memory, MemoryResult("m", "m.md", (True,), 1.0), NOW)
    assert update is not None
    assert "-confidence: 0.5\n+confidence: 1.0\n" in update.diff()


_values = st.sampled_from(["", " 0.25", "   0.25  # note", " 1", " '", ""])
_extra = st.sampled_from(
    [
        "# c\n",
        "\n",
        "owner: x\n",
        "tags: [a, b]  # t\n",
        "note: |\n  text\n  more\n\n",
        "subject: 'it''s'\n",
        "long: a\n  b\n",
    ]
)
_times = st.sampled_from(
    [
        "",
        "    verified: 2020-01-01\n",
        '    verified: "2020-01-01" # v\n',
        "    verified:\n",
        "    verified: '2020-01-01T00:00:00+02:00'\n",
    ]
)
_items = st.builds(
    lambda before, path, time, after: f"{before}  - path: {path}\n{time}{after}",
    st.sampled_from(["", "  # item\n", "\n"]),
    st.sampled_from(["a", "'b c'", '"d"', "é/ü.py  # p"]),
    _times,
    st.sampled_from(["", "    line: 3\n", "    snippet: >-\n      x\n      y\n", "    snippet: |+\n      z\n\n"]),
)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(_extra, max_size=2, unique=True),
    st.lists(_items, min_size=1, max_size=4),
    st.sampled_from(
        ["", "confidence: 0.25 # c\n", "last_verified: '2020-01-01'\n", "confidence:\nlast_verified: 2020-01-01\n"]
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
    st.data(),
)
def test_m16_law(extra: list[str], items: list[str], tail: str, end: str, mark: bool, data: st.DataObject) -> None:
    holds = tuple(data.draw(st.booleans()) for _ in items)
    text = "---\n" + "".join(extra) + "citations:\n" + "".join(items) + tail + "---\nbody \t\n\n x"
    old = (b"\xef\xbb\xbf" if mark else b"") + text.replace("\n", end).encode()
    new = _updated(old, holds)
    before, after = _memory(old).head, _memory(new).head
    assert before is not None and after is not None
    assert after.confidence == sum(holds) / len(holds)
    assert [(e.path, e.line, e.snippet) for e in after.citations] == [
        (e.path, e.line, e.snippet) for e in before.citations
    ]
    assert _without_values(new, end) == _without_values(old, end)


def _without_values(data: bytes, end: str) -> bytes:
    """The file with the three kinds of value cut out, and their whole line where it held nothing else."""
    text = data.decode()
    text = re.sub(r"(confidence|verified):(?:[ ]*(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|[^ #\r\n]+))?", r"\1:", text)
    rows = [row for row in text.split(end) if row.strip() not in ("confidence:", "verified:", "last_verified:")]
    return end.join(rows).encode()

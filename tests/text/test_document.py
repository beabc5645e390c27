"""A document's lines, whatever ends them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.text.document import Document


@given(st.text(alphabet="ab\r\n\x0c", max_size=30), st.lists(st.integers(0, 29), max_size=6))
def test_the_line_of_an_offset_is_the_line_it_stands_on(text: str, offsets: list[int]) -> None:
    document = Document("a.md", text)
    lines = text.replace("\r\n", "\n\n").replace("\r", "\n").split("\n")
    starts = [sum(len(line) + 1 for line in lines[:row]) for row in range(len(lines))]
    for offset in (offset for offset in offsets if offset < len(text) and text[offset] not in "\r\n"):
        row = max(row for row, start in enumerate(starts) if start <= offset)
        assert document.line_of(offset) == lines[row]


def test_a_long_line_is_copied_once() -> None:
    document = Document("a.md", "one\n" + "two " * 1000 + "\nthree\n")
    assert document.line_of(10) is document.line_of(2000)
    assert document.line_of(0) == "one"

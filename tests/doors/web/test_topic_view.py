"""Quotes in pieces."""

from __future__ import annotations

import pytest

from pincite.doors.web.topic_view import cut_marked


@pytest.mark.parametrize(
    ("spans", "pieces"),
    [
        ((), [("abcdef", False)]),
        (((1, 3),), [("a", False), ("bc", True), ("def", False)]),
        (((1, 3), (2, 5)), [("a", False), ("bcde", True), ("f", False)]),
        (((4, 99),), [("abcd", False), ("ef", True)]),
        (((-9, 2),), [("ab", True), ("cdef", False)]),
        (((3, 3), (5, 4), (99, 100)), [("abcdef", False)]),
        (((0, 6),), [("abcdef", True)]),
    ],
)
def test_spans_that_do_not_fit_are_cut_to_the_text(spans, pieces) -> None:  # type: ignore[no-untyped-def]
    found = [(piece.text, piece.is_marked) for piece in cut_marked("abcdef", spans)]
    assert found == pieces
    assert "".join(text for text, _ in found) == "abcdef"


def test_an_empty_quote_has_no_pieces() -> None:
    assert list(cut_marked("", [(0, 3)])) == []

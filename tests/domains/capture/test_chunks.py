"""Chunks hold whole lines, as many as the bounds allow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.capture.writer import chunk_end


def cut(data: bytes, size: int) -> list[bytes]:
    pieces, start = [], 0
    while (end := chunk_end(data, start, size)) >= 0:
        assert end > start
        pieces.append(data[start:end])
        start = end
    return [*pieces, data[start:]]


def test_the_byte_bound_ends_a_chunk_before_the_line_that_exceeds_it() -> None:
    assert cut(b"aaaa\nbbbb\ncccc\n", 12) == [b"aaaa\nbbbb\n", b"cccc\n"]


def test_a_line_longer_than_the_bound_stays_whole() -> None:
    assert cut(b"a" * 50 + b"\nb\n", 10) == [b"a" * 50 + b"\n", b"b\n"]


def test_without_a_line_end_nothing_is_cut() -> None:
    assert chunk_end(b"a" * 1000, 0, 10) == -1


@given(
    st.lists(st.sampled_from([b"\n", b"x", b"yy", b"\xc3\xa9", b"\r\n"]), max_size=60),
    st.integers(1, 9),
)
def test_nothing_is_lost_and_no_line_is_cut(parts: list[bytes], size: int) -> None:
    data = b"".join(parts)
    pieces = cut(data, size)
    assert b"".join(pieces) == data
    for piece in pieces[:-1]:
        assert piece.endswith(b"\n")
        assert len(piece) <= size or piece.count(b"\n") == 1

"""Lines and units of offsets: the same as counting from the start, and not by counting from the start."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.domains.retrieval.foreign_offsets import UNITS, Offsets
from pincite.search.line_offsets import LineIndex
from pincite.text.lines import line_starts, position

TEXTS = st.text(st.sampled_from("ab\n\n\r é\u2028😀\x0c"), max_size=60) | st.text(max_size=60)
LONG = st.builds(lambda text, times: text * times, TEXTS, st.integers(1, 400))


@given(LONG, st.data())
def test_lines_are_those_of_the_text(text: str, data: st.DataObject) -> None:
    index = LineIndex(text)
    starts = line_starts(text)
    for offset in {0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=20))}:
        assert index.line(offset) == position(starts, offset)[0]


@pytest.mark.parametrize("length", [510, 511, 512, 513, 1023, 1024, 1025, 3000])
@pytest.mark.parametrize("line", ["\n", "a\n", "ab\r\n", "a\r", "no end"])
def test_lines_at_the_edges_of_blocks(length: int, line: str) -> None:
    text = (line * length)[:length]
    index = LineIndex(text)
    starts = line_starts(text)
    assert [index.line(offset) for offset in range(length + 1)] == [
        position(starts, offset)[0] for offset in range(length + 1)
    ]


@given(LONG.filter(bool), st.data())
def test_first_and_last_lines_agree_with_those_of_each_offset(text: str, data: st.DataObject) -> None:
    starts = st.integers(0, len(text) - 1)
    spans = [(start, data.draw(st.integers(start + 1, len(text)))) for start in data.draw(st.lists(starts, max_size=9))]
    index = LineIndex(text)
    expected = [(index.line(start), index.line(end - 1)) for start, end in spans]
    assert [index.span(*span) for span in spans] == expected


def test_questions_cost_the_same_wherever_they_ask(in_proportion: Callable[..., bool]) -> None:
    texts = {size: LineIndex("some words\n" * size) for size in (2_000, 200_000)}

    def ask(size: object) -> None:
        index = texts[size]  # type: ignore[index]
        for _ in range(3_000):
            index.line(10 * size)  # type: ignore[operator]

    assert in_proportion(ask, 2_000, 200_000, 2)


def test_many_long_passages_are_not_counted_through(in_proportion: Callable[..., bool]) -> None:
    def ask(size: object) -> None:
        text = "some words\n" * size  # type: ignore[operator]
        index = LineIndex(text)
        for start in range(500):
            index.span(start, len(text))

    assert in_proportion(ask, 2_000, 100_000, 50)


@given(LONG, st.data())
def test_offsets_go_there_and_back(text: str, data: st.DataObject) -> None:
    offsets = Offsets(text)
    for offset in {0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=20))}:
        before = text[:offset]
        assert offsets.from_code_points(offset, "utf-16") == len(before.encode("utf-16-le", "surrogatepass")) // 2
        assert offsets.from_code_points(offset, "utf-8") == len(before.encode("utf-8", "surrogatepass"))
        for unit in UNITS:
            there = offsets.from_code_points(offset, unit)
            assert there is not None
            assert offsets.to_code_points(there, unit) == offset


@given(TEXTS)
def test_only_the_beginnings_of_characters_are_places(text: str) -> None:
    offsets = Offsets(text)
    for unit, encoding, size in (("utf-16", "utf-16-le", 2), ("utf-8", "utf-8", 1)):
        whole = len(text.encode(encoding, "surrogatepass")) // size
        begins = {len(text[:at].encode(encoding, "surrogatepass")) // size: at for at in range(len(text) + 1)}
        for offset in range(-2, whole + 3):
            assert offsets.to_code_points(offset, unit) == begins.get(offset)


@given(TEXTS)
def test_what_lies_outside_is_no_place(text: str) -> None:
    offsets = Offsets(text)
    for unit in UNITS:
        for offset in (-1, -(10**30), 4 * len(text) + 1, 10**30):
            assert offsets.to_code_points(offset, unit) is None
            assert offsets.from_code_points(offset, unit) is None


def test_an_unknown_unit_is_refused() -> None:
    for text in ("plain", "é"):
        for convert in (Offsets(text).to_code_points, Offsets(text).from_code_points):
            with pytest.raises(ValueError, match="'words' is none that offsets are counted in"):
                convert(0, "words")

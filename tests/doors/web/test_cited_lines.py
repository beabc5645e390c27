"""Which lines of a file are shown, and what stands beside them."""

from __future__ import annotations

import pytest

from pincite.doors.web.cited_lines import (
    LINES_PER_PAGE,
    MOST_REFERENCES,
    SourceReference,
    cut_ranges,
    list_blocks,
    merge_ranges,
)


def cite(first: int, last: int, outcome: str = "holds", document: str = "a.md") -> SourceReference:
    return SourceReference("id", document, 1, "raw", first, last, outcome)


@pytest.mark.parametrize(
    ("cited", "total", "shown"),
    [
        ([], 100, []),
        ([(1, 1)], 1, [(1, 1)]),
        ([(50, 51)], 100, [(47, 54)]),
        ([(50, 50), (59, 59)], 100, [(47, 62)]),
        ([(50, 50), (60, 60)], 100, [(47, 53), (57, 63)]),
        ([(50, 50), (70, 70)], 100, [(47, 53), (67, 73)]),
        ([(5, 5)], 100, [(1, 8)]),
        ([(96, 96)], 100, [(93, 100)]),
        ([(1, 100), (50, 50)], 100, [(1, 100)]),
    ],
)
def test_cited_lines_are_shown_with_their_neighbours(
    cited: list[tuple[int, int]], total: int, shown: list[tuple[int, int]]
) -> None:
    assert merge_ranges([cite(*lines) for lines in cited], total) == shown


@pytest.mark.parametrize("page", [-5, 0, 1])
def test_a_page_before_the_first_is_the_first(page: int) -> None:
    shown, paging = cut_ranges([(1, 5000)], page)
    assert (shown, paging.page, paging.pages) == ([(1, LINES_PER_PAGE)], 1, 5)


def test_a_page_beyond_the_last_is_the_last() -> None:
    shown, paging = cut_ranges([(1, LINES_PER_PAGE + 7)], 10**12)
    assert (shown, paging.page) == ([(LINES_PER_PAGE + 1, LINES_PER_PAGE + 7)], 2)


def test_a_page_goes_on_in_the_next_range() -> None:
    shown, _ = cut_ranges([(1, 600), (700, 1299), (2000, 2009)], 2)
    assert shown == [(1100, 1299), (2000, 2009)]
    assert cut_ranges([], 1)[0] == []


def test_blocks_are_cited_or_not_and_count_what_is_hidden() -> None:
    lines = [f"line {number}" for number in range(1, 101)]
    blocks = list_blocks("a.txt", lines, [(47, 54)], [cite(50, 51)])
    assert [(one.first, one.last, one.hidden, len(one.references)) for one in blocks] == [
        (47, 49, 46, 0),
        (50, 51, 0, 1),
        (52, 54, 0, 0),
    ]
    assert [line.text for line in blocks[1].lines] == ["line 50", "line 51"]


def test_overlapping_ranges_have_bars_side_by_side() -> None:
    lines = ["x"] * 10
    (block,) = list_blocks("a.txt", lines, [(2, 6)], [cite(2, 6), cite(4, 5, "missing"), cite(4, 5)])
    assert [[(bar.part, bar.outcome) for bar in line.bars] for line in block.lines] == [
        [("first", "holds"), ("", "")],
        [("middle", "holds"), ("", "")],
        [("middle", "holds"), ("first", "missing")],
        [("middle", "holds"), ("last", "missing")],
        [("last", "holds"), ("", "")],
    ]


def test_many_overlapping_ranges_stay_few_bars() -> None:
    references = [cite(1 + at, 300 - at, document=f"{at}.md") for at in range(100)]
    (block,) = list_blocks("a.txt", ["x"] * 300, [(1, 300)], references)
    assert max(len(line.bars) for line in block.lines) <= 4


def test_many_citations_of_one_line_are_counted_beyond_a_bound() -> None:
    references = [cite(1, 1, document=f"{at}.md") for at in range(MOST_REFERENCES + 3)]
    (block,) = list_blocks("a.txt", ["x"], [(1, 1)], references)
    assert (len(block.references), block.more) == (MOST_REFERENCES, 3)


def test_many_places_with_many_citations_share_a_page() -> None:
    references = [cite(line, line, document=f"{at}.md") for line in range(1, 1001) for at in range(50)]
    blocks = list_blocks("a.txt", ["x"] * 1000, [(1, 1000)], references)
    assert sum(len(block.references) for block in blocks) == 5000
    assert sum(len(block.references) + block.more for block in blocks) == 50_000


def test_a_long_line_is_cut_and_says_so() -> None:
    (block,) = list_blocks("a.py", ["x" * 10_000_000], [(1, 1)], [])
    (line,) = block.lines
    assert line.is_cut and len(line.text) == 2000 and "".join(text for _, text in line.pieces()) == line.text


def test_pieces_are_the_text_of_a_line_with_tabs() -> None:
    (block,) = list_blocks("a.py", ["\tdef f(): return 1"], [(1, 1)], [])
    (line,) = block.lines
    assert "".join(text for _, text in line.pieces()) == "    def f(): return 1"
    assert ("keyword", 3) in line.colours


def test_lines_of_a_file_too_large_to_colour_as_a_whole_are_coloured_for_themselves() -> None:
    lines = ["x = 1  # why"] * 100_000
    blocks = list_blocks("a.py", lines, [(50_000, 50_010)], [cite(50_005, 50_005)])
    assert ("comment", 5) in blocks[1].lines[0].colours

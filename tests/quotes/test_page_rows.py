"""The order in which the lines of a page are read."""

from __future__ import annotations

from array import array

from pincite.quotes.page_rows import PageRow, order_columns, read_rows


def rows(*given: tuple[int, int, int, str]) -> list[PageRow]:
    """Lines with left, right and foot."""
    return [PageRow(0, at, text, left, right, foot, 100) for at, (left, right, foot, text) in enumerate(given)]


def read(given: list[PageRow]) -> list[list[str]]:
    return [[row.text for row in column.rows] for column in order_columns(given)]


def column(name: str, left: int, top: int, count: int = 6) -> list[tuple[int, int, int, str]]:
    return [(left, left + 2400, top - 120 * at, f"{name} line number {at}") for at in range(count)]


def names(count: int, name: str, first: int = 0) -> list[str]:
    return [f"{name} line number {at}" for at in range(first, first + count)]


def test_one_column_is_read_from_top_to_bottom() -> None:
    assert read(rows(*column("a", 540, 7000)[::-1])) == [names(6, "a")]


def test_columns_are_read_one_after_the_other() -> None:
    mixed = [row for pair in zip(column("a", 540, 7000), column("b", 3160, 7000), strict=True) for row in pair]
    assert read(rows(*mixed)) == [names(6, "a"), names(6, "b")]


def test_three_columns_are_read_one_after_the_other() -> None:
    three = [
        (left, left + 1500, 7000 - 120 * at, f"{name} line number {at}")
        for at in range(6)
        for name, left in (("a", 500), ("b", 2100), ("c", 3700))
    ]
    assert read(rows(*three)) == [names(6, "a"), names(6, "b"), names(6, "c")]


def test_a_line_across_the_page_ends_both_columns() -> None:
    title = (540, 5560, 6200, "A heading that stands across the page")
    given = [
        *column("a", 540, 7000),
        *column("b", 3160, 7000),
        title,
        *column("c", 540, 6000),
        *column("d", 3160, 6000),
    ]
    assert read(rows(*given)) == [names(6, "a"), names(6, "b"), [title[3]], names(6, "c"), names(6, "d")]


def test_a_line_that_sticks_out_of_its_column_does_not_end_it() -> None:
    given = [*column("a", 540, 7000), *column("b", 3300, 7000)]
    given[3] = (540, 3250, given[3][2], "a line number 3")
    assert read(rows(*given)) == [names(6, "a"), names(6, "b")]


def test_the_short_last_line_of_a_paragraph_across_the_page_stays_with_it() -> None:
    caption = [
        (540, 5560, 7200, "Figure 1: A caption that is as wide as the page"),
        (540, 900, 7080, "that heap, indeed."),
    ]
    given = [*caption, *column("a", 540, 6700), *column("b", 3160, 6700)]
    assert read(rows(*given)) == [[text for *_, text in caption], names(6, "a"), names(6, "b")]


def test_places_that_do_not_fit_the_text_are_not_used() -> None:
    assert read_rows(0, "one\ntwo", b"") is None
    assert read_rows(0, "one\ntwo", array("h", [1, 2, 3, 100]).tobytes()) is None
    found = read_rows(0, "one\n \ntwo", array("h", [1, 2, 3, 100, *[0] * 8]).tobytes())
    assert found is not None and [(row.line, row.foot, row.size) for row in found] == [(0, 3, 100), (2, 2, 0)]


def test_columns_below_a_wide_table_are_read_one_after_the_other() -> None:
    table = [
        PageRow(0, at, "State of the plant, years with data, state, years", 500, 5300, 7200 - 110 * at, 80)
        for at in range(20)
    ]
    left = [PageRow(0, 20 + at, f"a line of the left column {at}", 510, 2840, 4600 - 130 * at, 95) for at in range(12)]
    right = [
        PageRow(0, 40 + at, f"a line of the right column {at}", 2980, 5320, 4600 - 130 * at, 95) for at in range(12)
    ]
    columns = list(order_columns([*table, *(row for pair in zip(left, right, strict=True) for row in pair)]))
    assert [column.rows for column in columns] == [table, left, right]

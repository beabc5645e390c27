"""Pages of a PDF and the entries of its outline."""

from __future__ import annotations

from collections.abc import Callable

from pincite.search.passages.pdf import read_pages

PAGES = [
    "A Study of Gauges\n\n1 Introduction\nGauges drift.\n",
    "They drift more.\n\n2 Method\nWe reset them; the introduction says why.\n2.1 Setup\nTen gauges.\n",
    "Twelve more.\n",
]
ENTRIES = [(0, "1 Introduction", 0), (0, "Method", 1), (1, "Setup", 1), (0, "Discussion", 2)]


def told(entries: list[tuple[int, str, int]]) -> list[tuple[int, tuple[str, ...], str]]:
    reading = read_pages(PAGES, "", entries)
    return [
        (one.page, one.headings, reading.text_between(one.start, one.end).split("\n")[0]) for one in reading.passages
    ]


def test_a_passage_stands_under_the_entries_of_the_outline() -> None:
    assert told(ENTRIES) == [
        (1, (), "A Study of Gauges"),
        (1, ("1 Introduction",), "1 Introduction"),
        (2, ("1 Introduction",), "They drift more."),
        (2, ("Method",), "2 Method"),
        (2, ("Method", "Setup"), "2.1 Setup"),
        (3, ("Method", "Setup"), "Twelve more."),
    ]


def test_an_entry_whose_title_is_not_on_its_page_counts_from_the_next_page_on() -> None:
    assert told([(0, "Elsewhere", 0)])[0] == (1, (), "A Study of Gauges")
    assert {headings for page, headings, _ in told([(0, "Elsewhere", 0)]) if page > 1} == {("Elsewhere",)}


def test_a_title_inside_a_sentence_is_no_heading() -> None:
    assert [headings for page, headings, _ in told([(0, "introduction says", 1)]) if page == 2] == [()]


def test_without_an_outline_there_are_no_headings() -> None:
    assert {headings for _, headings, _ in told([])} == {()}


def test_entries_for_pages_that_do_not_exist_do_nothing() -> None:
    assert told([(0, "Method", 99)]) == told([])


def test_a_page_full_of_entries_costs_no_more_than_it_holds(in_proportion: Callable[..., bool]) -> None:
    def page(size: int) -> tuple[str, list[tuple[int, str, int]]]:
        lines = [f"Heading {number}" for number in range(size)]
        return "\n".join(lines), [(number % 3, line, 0) for number, line in enumerate(lines)]

    assert in_proportion(lambda given: read_pages([given[0]], "", given[1]), page(2_000), page(16_000), 8)

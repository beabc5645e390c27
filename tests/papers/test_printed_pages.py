"""Pages: what is one, whether a paper has it, and where it stands in the PDF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.papers.model import Paper, PdfText
from pincite.papers.printed_pages import page_known, pdf_indexes, printed_page
from pincite.papers.ranges import expand_last, normal_ranges, parse_page, parse_range, parse_ranges


def pdf(count: int, labels: tuple[str, ...] = (), texts: tuple[str, ...] = ()) -> PdfText:
    return PdfText(texts or ("words",) * count, labels)


def numbered(first: int, count: int, blank: int = 0) -> tuple[str, ...]:
    """Pages with their number at the foot, after some without."""
    return ("Cover",) * blank + tuple(f"Running head\nsome words\n{first + at}" for at in range(count))


def paper(page_range: str = "", total: int | None = None) -> Paper:
    return Paper(id="REF-001", page_range=page_range, total_pages=total)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("81-97", "81-97"),
        ("81–97", "81-97"),
        ("81 — 97", "81-97"),
        ("81--97", "81-97"),
        ("123-7", "123-127"),
        ("123-27", "123-127"),
        ("7", "7"),
        ("p. 7", "7"),
        ("pp. 7-8", "7-8"),
        ("pages 7-8", "7-8"),
        ("iv-x", "iv-x"),
        ("IV-X", "IV-X"),
        ("S1-S9", "S1-S9"),
        ("S1-9", "S1-S9"),
        ("S12-5", "S12-S15"),
        ("e203", "e203"),
        ("i-xii, 1-300", "i-xii, 1-300"),
    ],
)
def test_ranges_that_are_some(text: str, normal: str) -> None:
    assert normal_ranges(text) == normal
    assert normal_ranges(normal) == normal


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "–", "97-81", "9-", "-9", "1-2-3", "x-iv", "iv-12", "12-iv", "S1-T9", "a", "page", "p.", "12a"),
        *(
            "119-7",
            "iiii",
            "Iv",
            "vx",
            "1.5",
            "1 2",
            "\u0661",
            "1-\u0669",
            "0x12",
            "1,,2",
            "1, q",
            "9" * 13,
            "1-" + "9" * 80,
        ),
        *("\n", "1\x00", "one", "12-eleven", "§3", "ix-i", "abcdefghi1", ",".join("1" * 40)),
    ],
)
def test_ranges_that_are_none(text: str) -> None:
    assert parse_ranges(text) == ()
    assert parse_range(text) is None
    assert normal_ranges(text) == ""


@pytest.mark.parametrize(
    ("first", "last", "whole"),
    [
        ("123", "7", "127"),
        ("123", "127", "127"),
        ("98", "102", "102"),
        ("iv", "x", "x"),
        ("S12", "T5", "T5"),
        ("9", "3", "3"),
    ],
)
def test_short_ends(first: str, last: str, whole: str) -> None:
    assert expand_last(first, last) == whole


def test_a_page_is_no_range() -> None:
    assert parse_page("7") is not None
    assert parse_page("7-7") is None
    assert parse_page("7-8") is None
    assert parse_page("7, 8") is None


@given(st.integers(1, 3999), st.integers(0, 3999), st.sampled_from(["", "S", "e"]))
def test_a_range_holds_what_lies_between(first: int, more: int, style: str) -> None:
    last = first + more
    found = parse_range(f"{style}{first}-{style}{last}")
    assert found is not None
    assert found.size == more + 1
    assert parse_range(str(found)) == found
    assert not found.holds(found.series, last + 1)
    assert not found.holds("z", first)


@given(st.integers(1, 3999))
def test_roman_numerals_are_read_as_they_are_written(number: int) -> None:
    one = parse_page("i")
    assert one is not None
    again = parse_page(one.name(number))
    assert again is not None
    assert (again.first, again.series) == (number, "~")


@given(st.text(max_size=80))
def test_any_text_is_a_range_or_none(text: str) -> None:
    normal = normal_ranges(text)
    assert normal_ranges(normal) == normal
    assert (normal == "") == (parse_ranges(text) == ())


@pytest.mark.parametrize(
    ("given_paper", "given_pdf", "page", "known", "against"),
    [
        (paper("1-24"), None, "15", True, "1-24 range"),
        (paper("1-24"), None, "25", False, "1-24 range"),
        (paper("1-24"), None, "0", False, "1-24 range"),
        (paper("81–97"), None, "15", False, "81-97 range"),
        (paper("81-97", 17), None, "85", True, "81-97 range"),
        (paper("81-97", 100), None, "98", False, "81-97 range"),
        (paper("81-97"), pdf(200), "98", False, "81-97 range"),
        (paper("i-xii, 1-300"), None, "iv", True, "i-xii, 1-300 range"),
        (paper("i-xii, 1-300"), None, "xiii", False, "i-xii, 1-300 range"),
        (paper("1-24"), None, "iv", False, "1-24 range"),
        (paper("1-24"), None, "20-30", False, "1-24 range"),
        (paper("", 32), None, "45", False, "document has 32 pages"),
        (paper("", 32), None, "32", True, "document has 32 pages"),
        (paper("", 1), None, "2", False, "document has 1 page"),
        (paper("", 1200), None, "1201", False, "document has 1200 pages"),
        (paper("", 32), None, "iv", None, ""),
        (paper("", 32), pdf(40), "35", False, "document has 32 pages"),
        (paper("nonsense", 32), None, "33", False, "document has 32 pages"),
        (paper(), None, "1", None, ""),
        (paper(), pdf(0), "1", None, ""),
        (paper(), pdf(32), "33", False, "PDF has 32 pages"),
        (paper(), pdf(32), "32", True, "PDF has 32 pages"),
        (paper(), pdf(1), "2", False, "PDF has 1 page"),
        (paper(), pdf(32), "S3", None, ""),
        (paper(), pdf(32), "iv", None, ""),
        (paper(), pdf(3, ("1", "2", "3")), "4", False, "PDF has 3 pages"),
        (paper(), pdf(4, ("i", "ii", "1", "2")), "3", False, "PDF pages are labelled i-ii, 1-2"),
        (paper(), pdf(4, ("i", "ii", "1", "2")), "II", True, "PDF pages are labelled i-ii, 1-2"),
        (paper("", 4), pdf(4, ("i", "ii", "1", "2")), "iii", False, "PDF pages are labelled i-ii, 1-2"),
        (paper(), pdf(2, ("Cover", "1")), "cover", True, "PDF pages are labelled Cover, 1"),
        (paper(), pdf(2, ("Cover", "1")), "Back", None, ""),
        (paper(), pdf(3, ("x", "x", "x")), "4", False, "PDF has 3 pages"),
        (paper("1-24"), None, "", None, ""),
        (paper("1-24"), None, "abc?", None, ""),
    ],
)
def test_whether_a_page_is_known(
    given_paper: Paper, given_pdf: PdfText | None, page: str, known: bool | None, against: str
) -> None:
    assert page_known(given_paper, given_pdf, page) == (known, against)


def test_numbers_printed_on_the_pages_count() -> None:
    journal = PdfText(numbered(81, 17))
    assert page_known(paper(), journal, "85") == (True, "PDF pages are labelled 81-97")
    assert page_known(paper(), journal, "98") == (False, "PDF pages are labelled 81-97")
    assert page_known(paper(), journal, "5") == (None, "")
    assert pdf_indexes(paper(), journal, "85") == (4,)
    assert pdf_indexes(paper(), journal, "5") == ()


@pytest.mark.parametrize(
    ("page_range", "given_pdf", "page", "found"),
    [
        ("81-97", pdf(17), "85", (4,)),
        ("81-97", pdf(17, tuple(map(str, range(1, 18)))), "85", (4,)),
        ("81-97", pdf(17, tuple(map(str, range(1, 18)))), "5", ()),
        ("81-97", pdf(17, tuple(map(str, range(81, 98)))), "85", (4,)),
        ("81-97", pdf(18, ("Cover", *map(str, range(81, 98)))), "85", (5,)),
        ("81-97", pdf(18, texts=numbered(81, 17, blank=1)), "85", (5,)),
        # As many pages as the range has, but one of them is a cover.
        ("81-87", pdf(7, texts=numbered(81, 6, blank=1)), "85", (5,)),
        ("81-87", pdf(7, texts=numbered(81, 6, blank=1)), "87", ()),
        ("81-87", pdf(7, texts=numbered(81, 7)), "85", (4,)),
        ("81-87", pdf(7, texts=numbered(1, 7)), "85", (4,)),
        ("81-87", pdf(7, texts=numbered(1, 6, blank=1)), "85", ()),
        ("81-87", pdf(7, texts=(*numbered(81, 2, blank=1), "words", "words", "words", "words")), "85", ()),
        ("81-87", pdf(7, texts=(*numbered(81, 1, blank=1), "words", "words", "words", "words", "words")), "85", (4,)),
        ("81-83", pdf(3, texts=numbered(81, 2, blank=1)), "82", ()),
        ("81-82", pdf(2, texts=numbered(81, 1, blank=1)), "81", ()),
        ("81-82", pdf(2, texts=numbered(81, 2)), "82", (1,)),
        ("2-8", pdf(7, texts=numbered(1, 7)), "5", (4,)),
        ("i-ii, 1-5", pdf(7, texts=("Cover", "Preface", *numbered(1, 5))), "3", (4,)),
        ("i-ii, 1-5", pdf(7, texts=("Cover", "Preface", *numbered(1, 5))), "ii", (1,)),
        ("81-97", pdf(18), "85", ()),
        ("81-97", pdf(19), "85", ()),
        ("81-97", pdf(16), "85", ()),
        ("81-97", pdf(300), "85", ()),
        ("81-97", pdf(17), "80", ()),
        ("", pdf(10), "3", (2,)),
        ("", pdf(10), "11", ()),
        ("", pdf(10), "0", ()),
        ("", pdf(10), "iv", ()),
        ("", pdf(10), "", ()),
        ("", pdf(10), "3-5", (2, 3, 4)),
        ("", pdf(10), "1-999999999", tuple(range(10))),
        ("", pdf(4, ("i", "ii", "1", "2")), "1", (2,)),
        ("", pdf(4, ("1", "2", "1", "2")), "1", (0, 2)),
        ("", pdf(4, ("7", "", "", "")), "7", ()),
        ("", pdf(5, ("1", "2", "3", "2", "5")), "2", (1, 3)),
        ("", pdf(11, texts=numbered(1, 10, blank=1)), "3", (3,)),
    ],
)
def test_where_a_page_stands(page_range: str, given_pdf: PdfText, page: str, found: tuple[int, ...]) -> None:
    assert pdf_indexes(paper(page_range), given_pdf, page) == found


def test_without_a_pdf_no_page_stands_anywhere() -> None:
    assert pdf_indexes(paper("1-9"), None, "3") == ()
    assert printed_page(paper("1-9"), None, 3) == ""
    assert printed_page(paper("1-9"), pdf(9), 9) == ""
    assert printed_page(paper("1-9"), pdf(9), -1) == ""


names = st.one_of(st.integers(0, 40).map(str), st.sampled_from(["i", "II", "S1", "Cover", "", "A-1", "x y"]))


@given(st.lists(names, min_size=1, max_size=12), st.sampled_from(["", "1-3", "81-92", "i-v", "S1-S4"]), st.booleans())
def test_a_page_and_its_place_are_each_others_inverse(labels: list[str], page_range: str, declared: bool) -> None:
    given_pdf = pdf(len(labels), tuple(labels) if declared else ())
    given_paper = paper(page_range)
    for index in range(len(labels)):
        name = printed_page(given_paper, given_pdf, index)
        if name:
            assert index in pdf_indexes(given_paper, given_pdf, name)
    for page in [*labels, *map(str, range(1, 95))]:
        for index in pdf_indexes(given_paper, given_pdf, page):
            assert printed_page(given_paper, given_pdf, index).casefold() == page.strip().casefold()


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=10), st.text(max_size=12))
def test_no_text_upsets_the_pages(texts: list[str], page_range: str, page: str) -> None:
    given_pdf = PdfText(tuple(texts), tuple(texts[::-1]))
    known, against = page_known(paper(page_range), given_pdf, page)
    assert (known is None) == (against == "")
    assert all(0 <= at < len(texts) for at in pdf_indexes(paper(page_range), given_pdf, page))

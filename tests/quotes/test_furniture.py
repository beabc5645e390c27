"""What stands at the edges of pages, and what only looks like it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.furniture import running_text
from pincite.quotes.lookup import QuoteSource


def texts(*pages: str) -> list[str]:
    return [text for _, text, *_ in running_text(pages)]


def test_heads_and_feet_that_recur_are_left_out() -> None:
    assert texts("A Title 1\none\n1", "A Title 2\ntwo\n2") == ["one", "two"]
    assert texts("1 A Title\none", "Some Author 2\ntwo", "3 A Title\nthree", "Some Author 4\nfour") == [
        *("one", "two", "three", "four")
    ]


def test_roman_numbers_count_too() -> None:
    assert texts("one\niv", "two\nv", "three\nvi") == ["one", "two", "three"]


def test_numbers_that_do_not_count_with_the_pages_stay() -> None:
    assert texts("one\n17", "two\n4") == ["one\n17", "two\n4"]


def test_a_title_beside_the_number_of_the_page_is_a_head() -> None:
    assert texts("1\none", "2\ntwo", "3 A Name et al.\nthree") == ["one", "two", "three"]
    assert texts("1\none", "2\ntwo", "3 of them went\nthree")[2] == "3 of them went\nthree"
    assert texts("1\none", "2\ntwo", "4 A Name et al.\nthree")[2].startswith("4 A")


def test_what_does_not_recur_stays() -> None:
    assert texts("A Title\none", "Another thing\ntwo") == ["A Title\none", "Another thing\ntwo"]


def test_what_recurs_inside_a_page_stays() -> None:
    page = "\n".join(["one", "two", "three", "A Title", "four", "five", "six"])
    assert texts(page, page.replace("o", "0"))[0].count("A Title") == 1


def test_footnotes_with_a_sign_are_left_out() -> None:
    pieces = running_text(["some words1 of the\ntext\n1 Said in a note.\nand on", "goes on"])
    assert [text for _, text, *_ in pieces] == ["some words of the\ntext", "goes on"]
    assert pieces[1][2] == [(0, "footnote")]


def test_a_list_is_no_footnote() -> None:
    page = "we need\n1. a thing\n2. another thing"
    assert texts(page, "3. and more") == [page, "3. and more"]


def test_a_line_that_begins_with_the_number_is_no_footnote() -> None:
    page = "\n".join([*["a line of words"] * 30, "said there16 and", "16 of them were", "more", "16 The note itself."])
    assert texts(page, "x")[0].endswith("said there and\n16 of them were\nmore")


def test_footnotes_follow_each_other_across_pages() -> None:
    first = "some words1 of it\n1 A note.\n2 Another note."
    assert texts(first, "more words of 3.5 it\n3 A third note.", "end") == [
        "some words of it",
        "more words of 3.5 it",
        "end",
    ]


def test_a_footnote_below_a_first_column() -> None:
    column = ["a word"] * 20
    page = "\n".join(
        [*column, "the sign1 is here and a sentence", "1 The note.", "goes on in the next one", *column, *column]
    )
    pieces = running_text([page])
    assert len(pieces) == 2
    assert pieces[0][1].endswith("and a sentence")
    assert pieces[1][1].startswith("goes on")
    assert pieces[1][2] == [(0, "footnote")]


def test_a_page_of_nothing_but_edges_gives_nothing() -> None:
    assert texts("Title\n1", "Title\n2") == []


@given(st.lists(st.text("a1 .\n*†iv", max_size=30), max_size=5))
def test_nothing_is_invented(pages: list[str]) -> None:
    for page, text, gaps, _ in running_text(pages):
        words = iter(pages[page].replace("\n", " "))
        assert all(sign in words for sign in text.replace("\n", " "))
        assert all(0 <= at <= len(text) for at, _ in gaps)


def test_the_end_of_a_sentence_is_no_running_foot_however_often_it_recurs() -> None:
    ends = "not significant in any of the cases"
    pages = [
        f"Some first line of a page\nand the results for group A were\n{ends}",
        f"good for the readers of this.\nMore text, and the results for group B were\n{ends}",
        "and that is all there is to say.\nThe end of it.",
    ]
    assert all(ends in text for page, text, *_ in running_text(pages) if page < 2)
    assert QuoteSource(pages).look("the results for group A were good for the readers of this").kind != "verbatim"
    assert QuoteSource(pages).look(f"the results for group A were {ends}").kind == "verbatim"

"""The authors on a first page: names below the title, or above it; what is in doubt is unsure."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincite.papers.head.authors import find_authors
from pincite.papers.head.lines import words_in
from pincite.papers.head.title import find_title
from pincite.papers.model import HeadLine

spec = spec_from_file_location("support_head", Path(__file__).with_name("support_head.py"))
assert spec is not None and spec.loader is not None
made = module_from_spec(spec)
spec.loader.exec_module(made)
TEXT = ("\n".join(made.BODY * 6),)
TITLE = (180, "Green tea and sleep")


def read(lines: tuple[HeadLine, ...]) -> tuple[tuple[str, ...], bool]:
    found = find_authors(lines, find_title(lines, "", "", TEXT), words_in(TEXT))
    return found.names, found.sure


@pytest.mark.parametrize(
    "lines",
    [
        [(110, "Ada Lovelace and Alan Turing"), (90, "University of Somewhere")],
        [(110, "Ada Lovelace\x1f  Alan Turing\x1f"), (90, "\x1fBell Labs"), (90, "{ada,alan}@tea.example")],
        [(110, "Ada Lovelace,"), (110, "Alan Turing"), (90, "June 2004")],
        [(110, "Ada Lovelace"), (110, "Department of Tea, University of Somewhere"), (110, "and Alan Turing")],
        [(110, "Ada Lovelace, University of A; Alan Turing, University of B")],
        [(110, "ADA LOVELACE"), (90, "University of Somewhere"), (110, "ALAN TURING")],
        [(110, "Ada Lovelace, Teacorp, ada@tea.example"), (110, "Alan Turing, Teacorp, alan@tea.example")],
        [(90, "ADA LOVELACE, University of Somewhere"), (110, "ALAN TURING, Bell Labs")],
        [(110, "Ada Lovelace and Alan"), (110, "Turing"), (90, "University of Somewhere")],
        [(110, "Ada Lovelace,"), (90, "Alan Turing, University of Somewhere")],
    ],
)
def test_names_below_the_title(lines: list[tuple[int, str]]) -> None:
    assert read(made.page(TITLE, *lines)) == (("Ada Lovelace", "Alan Turing"), True)


def test_names_above_the_title() -> None:
    lines = made.page((120, "Research Article"), (120, "Ada Lovelace* and Alan Turing"), TITLE)
    assert read(lines) == (("Ada Lovelace", "Alan Turing"), True)


def test_names_in_columns() -> None:
    one, two = made.page(TITLE, (110, "Ada Lovelace"))[:2]
    left, right = replace(two, left=1000, right=1700), replace(two, text="Alan Turing", left=4000, right=4700)
    rest = made.page(TITLE, (110, "x"))[2:]
    assert read((one, left, right, *rest)) == (("Ada Lovelace", "Alan Turing"), True)


@pytest.mark.parametrize(
    "lines",
    [
        [(110, "Ada Lovelace, Kulkar ni, Alan Turing")],
        [(110, "Ada Lovelace Alan Turing Grace Hopper")],
        [(110, "Ada Lovelace"), (110, "and"), (90, "x@tea.example")],
        [(110, "Ada Lovelace"), (100, "Grace Hopper"), (110, "Alan Turing")],
        [(110, "Ada Lovelace"), (110, "Ada Lovelace")],
        [(110, "Ada Lovelace, Alan Turing,"), (90, "University of Somewhere")],
    ],
)
def test_what_is_in_doubt_is_unsure(lines: list[tuple[int, str]]) -> None:
    names, sure = read(made.page(TITLE, *lines))
    assert names
    assert not sure


def test_a_name_that_goes_on_below_in_its_column() -> None:
    one, two, three = made.page(TITLE, (110, "Ada Byron"), (110, "Lovelace"))[:3]
    left = [replace(two, left=1000, right=1700), replace(three, left=1050, right=1650)]
    right = [
        replace(two, text="Alan Turing", left=4000, right=4700),
        replace(three, text="alan@tea.example", size=90, left=4000, right=4700),
    ]
    rest = made.page(TITLE, (110, "x"), (110, "x"))[3:]
    lines = (one, left[0], right[0], left[1], right[1], *rest)
    assert read(lines) == (("Ada Byron Lovelace", "Alan Turing"), True)


def test_a_firm_below_a_name_in_its_type_is_none_of_it() -> None:
    lines = made.page(TITLE, (110, "Ada Lovelace"), (110, "Teacorp"), (110, "University of Somewhere"))
    assert read(lines)[0] == ("Ada Lovelace",)


def test_an_accent_that_stands_in_a_piece_of_its_own() -> None:
    one, two = made.page(TITLE, (110, "Emin Gun"))[:2]
    left, right = replace(two, left=1000, right=1700), replace(two, text="¨  Sirer", left=1600, right=2100)
    rest = made.page(TITLE, (110, "x"))[2:]
    assert read((one, left, right, *rest)) == (("Emin Gun Sirer",), True)


def test_many_names_and_one_address_in_a_line() -> None:
    names = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov")
    lines = made.page(TITLE, (110, f"{', '.join(names[:-1])}, and {names[-1]}, University of Somewhere"))
    assert read(lines) == (names, True)


@pytest.mark.parametrize("line", ["FAST Search & Jane Roe", "*Vision Statement"])
def test_firms_and_lines_of_the_title_are_unsure(line: str) -> None:
    size = 180 if line.startswith("*") else 110
    names, sure = read(made.page((180, "*Green tea and sleep"), (260, ""), (size, line)))
    assert names
    assert not sure


def test_ordinary_words_are_no_names() -> None:
    assert read(made.page(TITLE, (110, "Limits Section"))) == ((), False)


def test_no_title_no_authors() -> None:
    assert read(()) == ((), False)


def test_an_address_over_two_lines_makes_no_word_of_a_name() -> None:
    assert words_in(["{ada.lovelace,", "alan.turing, tea and sleep."]) == {"tea", "and", "sleep"}

"""The title on a first page: the largest type, unless that is a banner, a name or broken."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pincite.papers.head.title import agree, find_title, is_junk_title

spec = spec_from_file_location("support_head", Path(__file__).with_name("support_head.py"))
assert spec is not None and spec.loader is not None
made = module_from_spec(spec)
spec.loader.exec_module(made)
TEXT = ("\n".join(made.BODY * 6),)


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([(180, "Green tea and sleep"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(180, "Green tea"), (180, "and sleep"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(240, "Journal of Tea Studies"), (180, "Green tea and sleep"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(120, "Technical Report 12"), (180, "Green tea and sleep\x1f"), (110, "Ada Byron")], "Green tea and sleep"),
        ([(180, "Green tea and sleep"), (140, "What the leaves say"), (100, "Ada Lovelace")], None),
        ([(180, "Green tea and sleep:"), (150, "what the leaves say"), (110, "Ada Lovelace")], None),
        ([(240, "Teabot"), (150, "A machine that pours"), (110, "Ada Lovelace")], "Teabot: A machine that pours"),
        ([(180, "On the sound of"), (180, "*green tea"), (110, "Ada Lovelace")], "On the sound of green tea"),
        ([(180, "Green tea and sleep ∗†"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(180, "Green tea and sleep (Invited Paper)"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(200, "Session 8"), (180, "Green tea and sleep"), (110, "Ada Lovelace")], "Green tea and sleep"),
        ([(200, "Master of Science"), (180, "Green tea and sleep"), (110, "Ada Byron")], "Green tea and sleep"),
    ],
)
def test_the_largest_type_that_is_no_banner(lines: list[tuple[int, str]], title: str | None) -> None:
    found = find_title(made.page(*lines), "", "", TEXT)
    assert found.sure
    assert found.text == (title or "Green tea and sleep: what the leaves say") or (
        title is None and found.text == "Green tea and sleep: What the leaves say"
    )


@pytest.mark.parametrize(
    "lines",
    [
        [(100, "Green tea and sleep"), (100, "Ada Lovelace")],
        [(180, "Gre\ufffd tea and sleep")],
        [(180, "pra ti al te hnique")],
        [(180, "IKBWaMbL =[OWO?c x3*q")],
        [(180, "An introduction to B\x1f-trees")],
        [(180, ": green tea and sleep")],
    ],
)
def test_what_is_not_plain_is_unsure(lines: list[tuple[int, str]]) -> None:
    assert not find_title(made.page(*lines), "", "", TEXT).sure


def test_a_list_of_names_is_no_title() -> None:
    lines = made.page((180, "Ada Lovelace and Alan Turing"), (150, "Green tea and sleep"))
    assert find_title(lines, "", "", TEXT).text == "Green tea and sleep"


def test_the_file_and_the_page_agree() -> None:
    lines = made.page((240, "Tea World Daily"), (120, "Green tea and sleep"), (100, "Ada Lovelace"))
    found = find_title(lines, "Green Tea and Sleep", "", TEXT)
    assert (found.text, found.sure, found.first) == ("Green tea and sleep", True, 1)


def test_the_name_of_the_file_is_a_witness() -> None:
    lines = made.page((240, "Tea World Daily"), (110, "Green tea and sleep in the city"), (100, "Ada Lovelace"))
    found = find_title(lines, "", "2020_green-tea-and-sleep-in-the-city_lovelace", TEXT)
    assert (found.text, found.sure) == ("Green tea and sleep in the city", True)


@pytest.mark.parametrize(
    "text",
    ["Untitled Document", "fti", "Microsoft Word - x.doc", "paper.dvi", "a_b-c.12", "", "12", "Proceedings of VLDB"],
)
def test_junk_that_programs_write(text: str) -> None:
    assert is_junk_title(text)


def test_titles_agree_however_they_are_set() -> None:
    assert agree("GREEN TEA: a Study", "Green tea — a study")
    assert agree("Green tea and sleep in the city", "Green tea and sleep in the city of London")
    assert not agree("Green tea", "Green tea and sleep")


def test_an_empty_page_has_no_title() -> None:
    assert find_title((), "", "", ()).text == ""


def test_a_name_in_fair_type_is_no_title() -> None:
    found = find_title(made.page((172, "Tilings"), (120, "Federico Ardila"), (120, "Richard Roe")), "", "", TEXT)
    assert found.text == "Tilings"


def test_a_title_with_a_lost_ligature_is_unsure() -> None:
    assert not find_title(made.page((180, "Green tea simpli#ed"), (110, "Ada Lovelace")), "", "", TEXT).sure


def test_a_line_of_the_title_that_reads_like_a_name() -> None:
    lines = made.page((180, "Proving Termination of"), (180, "Nonlinear Kettles"), (110, "Ada Lovelace, Alan Turing"))
    assert find_title(lines, "", "", TEXT).text == "Proving Termination of Nonlinear Kettles"

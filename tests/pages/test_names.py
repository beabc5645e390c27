"""Names: which are one, which are nobody's, who is named in a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pages.names import clean_name, is_personal_name, names_in, parse_byline, same_name, split_people


@pytest.mark.parametrize(
    "one, other",
    [
        ("Jane Doe", "Doe, Jane"),
        ("Jane Doe", "jane doe"),
        ("Jane Doe", "J. Doe"),
        ("Doe, J.", "Jane Doe"),
        ("Jane A. Doe", "Jane Doe"),
        ("Dr. Jane Doe", "Jane Doe, PhD"),
        ("Acme Inc.", "ACME"),
        ("The Acme Foundation", "Acme Foundation"),
        ("José Ruiz", "Ruiz, José"),
    ],
)
def test_one_name_in_two_forms(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@pytest.mark.parametrize(
    "one, other",
    [
        ("Jane Doe", "John Doe"),
        ("Jane Doe", "Jane Roe"),
        ("J. Doe", "K. Doe"),
        ("Jane", "Jane Doe"),
        ("Doe", "Jane Doe"),
        ("José Ruiz", "Jose Ruiz"),
        ("Jane A. Doe", "Jane B. Doe"),
        ("Acme Foundation", "Acme Institute"),
        ("", "Jane Doe"),
        ("...", "..."),
    ],
)
def test_two_names_that_are_not_one(one: str, other: str) -> None:
    assert not same_name(one, other)
    assert not same_name(other, one)


@pytest.mark.parametrize(
    "text",
    [
        "admin",
        "https://x.example/jane",
        "@jane",
        "jane@example.org",
        "",
        "12",
        "Anonymous",
        "/author/jane",
        "n/a",
        "jane[at]example.org",
        "Redaktion",
        "No Author",
        "wordpressadmin",
        None,
        7,
    ],
)
def test_nobody_in_particular(text: object) -> None:
    assert clean_name(text) == ""


@pytest.mark.parametrize("name", ["Bobby Fischer", "Toby Ord", "Derby Telegraph", "Ruby Lee"])
def test_a_name_that_holds_a_label_is_whole(name: str) -> None:
    assert (clean_name(name), split_people(name)) == (name, [name])
    assert (clean_name(f"By {name}"), split_people(f"Author: {name}")) == (name, [name])


@pytest.mark.parametrize(
    "text, names",
    [
        ("Jane Doe", ["Jane Doe"]),
        ("By Jane Doe", ["Jane Doe"]),
        ("Jane Doe and John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe, John Roe, and Max Moe", ["Jane Doe", "John Roe", "Max Moe"]),
        ("Doe, Jane; Roe, John", ["Doe, Jane", "Roe, John"]),
        ("Doe, Jane", ["Doe, Jane"]),
        ("Department of Health and Social Care", ["Department of Health and Social Care"]),
        ("Food and Drug Administration", ["Food and Drug Administration"]),
        ("Jane Doe und John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe et John Roe", ["Jane Doe", "John Roe"]),
        ("Jane Doe / John Roe", ["Jane Doe", "John Roe"]),
        ("Par Jane Doe", ["Jane Doe"]),
        ("Von Neumann", ["Von Neumann"]),
    ],
)
def test_the_people_of_a_field(text: str, names: list[str]) -> None:
    assert split_people(text) == names


@pytest.mark.parametrize(
    "line, names",
    [
        ("By Jane Doe, Senior Writer", ["Jane Doe"]),
        ("Written by Jane Doe on May 6, 2024", ["Jane Doe"]),
        ("Jane Doe | March 25, 2015", ["Jane Doe"]),
        ("By Jane Doe March 25, 2015", ["Jane Doe"]),
        ("Posted by Jane van der Doe at 4 pm", ["Jane van der Doe"]),
        ("Von Jane Doe und John Roe", ["Jane Doe", "John Roe"]),
        ("Von Jane Doe, Berlin", ["Jane Doe"]),
        ("Par Jane Doe, envoyée spéciale", ["Jane Doe"]),
        ("Por Jane Doe | 5 de mayo", ["Jane Doe"]),
        ("Di Jane Doe", ["Jane Doe"]),
        ("Door Jane Doe op 5 mei 2020", ["Jane Doe"]),
        ("Autor: Jane Doe", ["Jane Doe"]),
        ("Text: Jane Doe, Fotos: John Roe", ["Jane Doe"]),
        ("Ein Beitrag von Jane Doe", ["Jane Doe"]),
        ("Автор: Анна Иванова", ["Анна Иванова"]),
        ("作者：王小明", ["王小明"]),
        ("文/王小明", ["王小明"]),
        ("ByJane Doe", ["Jane Doe"]),
        ("Jane Doe Jane Doe", ["Jane Doe"]),
        ("Übersetzung Jane Doe", []),
        ("Photo by Jane Doe", []),
        ("Read More", []),
        ("Share this story", []),
        ("By the end of the year", []),
        ("", []),
    ],
)
def test_the_people_of_a_byline(line: str, names: list[str]) -> None:
    assert parse_byline(line) == names


def test_a_line_names_somebody() -> None:
    assert names_in("Doe, Jane", "Authors: John Roe, Jane Doe")
    assert names_in("Jane Doe", "DOE J, ROE K.")
    assert not names_in("Jane Doe", "Janet Doe and Jane Roe")
    assert not names_in("Jane Doe", "Doe")
    assert not names_in("...", "anything")


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_text_is_too_strange(one: str, other: str) -> None:
    assert same_name(one, other) == same_name(other, one)
    assert isinstance(split_people(one), list)
    assert isinstance(parse_byline(one), list)
    assert names_in(one, other) in (True, False)


@pytest.mark.parametrize(
    "name", ["Jane Doe", "April Roach", "JANE DOE", "Ursula von der Leyen", "王小明", "Jane O’Neil-Roe"]
)
def test_what_reads_like_a_person(name: str) -> None:
    assert is_personal_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Jane",
        "Badische Zeitung",
        "hessenschau.de Frankfurt",
        "Verein der Freunde e.V.",
        "Read More",
        "The Daily Ledger",
    ],
)
def test_what_does_not_read_like_a_person(name: str) -> None:
    assert not is_personal_name(name)

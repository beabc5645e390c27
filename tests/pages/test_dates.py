"""Dates as pages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pages.dates import DAY_FIRST, MONTH_FIRST, Day, dates_within, order_in, read_date, read_day


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31",
        "2026-01-31T23:59:59Z",
        "2026-1-31",
        "2026/01/31",
        "2026.01.31",
        "20260131",
        "20260131T101112Z",
        "Sat, 31 Jan 2026 10:00:00 GMT",
        "31 January 2026",
        "31st January, 2026",
        "31-Jan-2026",
        "Jan 31, 2026",
        "Jan. 31 2026",
        "January 31st, 2026 at 4 pm",
        "Saturday, January 31, 2026",
        "2026 Jan 31",
        "31/01/2026",
        "01/31/2026",
        " 2026-01-31 10:00 ",
    ],
)
def test_one_day_in_many_forms(text: str) -> None:
    assert read_date(text) == "2026-01-31"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026",
        "2026-01",
        "January 2026",
        "01/02/2026",
        "2026-02-30",
        "2026-13-01",
        "31 February 2026",
        "0000-00-00",
        "1769817600",
        "yesterday",
        "31/31/2026",
        "2026-01-311",
        "12.1.2.3",
        "٢٠٢٦-٠١-٣١x",
        "2026-01-31-suffix",
    ],
)
def test_what_is_no_day_or_could_be_two_is_none(text: str) -> None:
    assert read_date(text) == ""


def test_a_day_within_a_line() -> None:
    assert [day for day, *_ in dates_within("By Ada Quill · Posted on May 6, 2024 · 5 min")] == ["2024-05-06"]
    assert [*dates_within("Version 2.4.2026 of the tool")] == []
    assert [*dates_within("01/02/2026")] == []


@given(st.text(max_size=200))
def test_any_text_gives_a_day_or_nothing(text: str) -> None:
    for found in (read_date(text), *(day for day, *_ in dates_within(text))):
        assert found == "" or (len(found) == 10 and found[4] == found[7] == "-")


@pytest.mark.parametrize(
    "text",
    [
        "5. März 2020",
        "Donnerstag, den 5. März 2020",
        "5 mars 2020",
        "jeudi 5 mars 2020",
        "5 de marzo de 2020",
        "5 marzo 2020",
        "5 maart 2020",
        "5 de março de 2020",
        "5 marca 2020",
        "5 марта 2020",
        "5 березня 2020",
        "5 Mart 2020",
        "5. března 2020",
        "5 maaliskuuta 2020",
        "2020. március 5.",
        "2020年3月5日",
        "2020년 3월 5일",
        "2020. 3. 5.",
        "Thu Mar 5 14:57:21 CET 2020",
        "5th of March, 2020",
    ],
)
def test_months_of_many_languages(text: str) -> None:
    assert read_date(text) == "2020-03-05"


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("03/04/2020", DAY_FIRST, "2020-04-03"),
        ("03/04/2020", MONTH_FIRST, "2020-03-04"),
        ("03/04/2020", "", ""),
        ("03.04.2020", DAY_FIRST, "2020-04-03"),
        ("03.04.2020", MONTH_FIRST, ""),
        ("03.04.20", DAY_FIRST, "2020-04-03"),
        ("03/04/05", "", ""),
        ("25/12/2020", "", "2020-12-25"),
        ("25/12/2020", MONTH_FIRST, "2020-12-25"),
    ],
)
def test_numbers_are_a_day_where_their_order_is_known(text: str, order: str, day: str) -> None:
    assert read_date(text, order) == day


def test_other_dates_of_a_text_tell_the_order() -> None:
    assert order_in("on 25/12/2020 and 03/04/2020") == DAY_FIRST
    assert order_in("on 12/25/2020") == MONTH_FIRST
    assert order_in("on 25/12/2020 and 12/25/2020") == ""
    assert order_in("on 03/04/2020") == ""


def test_a_moment_is_another_day_elsewhere() -> None:
    assert read_day("2020-03-05T23:30:00Z") == Day("2020-03-05", ("2020-03-06",))
    assert read_day("2020-03-05T02:30:00Z") == Day("2020-03-05", ("2020-03-04",))
    assert read_day("2020-03-05T00:00:00Z") == Day("2020-03-05")
    assert read_day("2020-03-05") == Day("2020-03-05")
    assert read_day("soon") is None


def test_days_within_a_line_stand_where_pieces_of_markup_meet() -> None:
    assert [day for day, *_ in dates_within("Jo Doe3.11.2023", DAY_FIRST)] == ["2023-11-03"]
    assert [day for day, _ in dates_within("call 030 2025 1111 or 10.1126/science.2020")] == []

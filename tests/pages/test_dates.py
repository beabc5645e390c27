"""Dates as pages write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.pages.dates import date_within, read_date


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
    assert date_within("By Ada Quill · Posted on May 6, 2024 · 5 min") == "2024-05-06"
    assert date_within("Version 2.4.2026 of the tool") == ""
    assert date_within("01/02/2026") == ""


@given(st.text(max_size=200))
def test_any_text_gives_a_day_or_nothing(text: str) -> None:
    for found in (read_date(text), date_within(text)):
        assert found == "" or (len(found) == 10 and found[4] == found[7] == "-")

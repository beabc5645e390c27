"""Times of a report."""

from __future__ import annotations

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.report_times import DAY, format_time, parse_since

NOW = 1_790_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1d", NOW - DAY),
        ("12h", NOW - 12 * 3_600),
        ("30m", NOW - 1_800),
        ("2w", NOW - 14 * DAY),
        ("999999w", 1),
        ("2026-09-20", 1_789_862_400),
        ("2026-09-20T12:00", 1_789_905_600),
        ("2026-09-20T12:00:30Z", 1_789_905_630),
        ("2026-09-20T12:00+02:00", 1_789_898_400),
    ],
)
def test_a_time_is_a_span_a_day_or_a_moment(text: str, seconds: int) -> None:
    assert parse_since(text, NOW) == seconds


@pytest.mark.parametrize(
    "text", ["", "d", "1y", "-1d", "yesterday", "2026-13-01", "2999-01-01", "1969-01-01", "9" * 400]
)
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--since"):
        parse_since(text, NOW)


@pytest.mark.parametrize(("seconds", "shown"), [(0, ""), (1, "1970-01-01T00:00:01Z"), (10**17, str(10**17))])
def test_times_are_shown_in_utc_whatever_they_are(seconds: int, shown: str) -> None:
    assert format_time(seconds) == shown

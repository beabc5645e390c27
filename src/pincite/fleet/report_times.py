"""Times of a report: from when on something is new, and how a time is written."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from ..core.errors import UsageError

DAY = 86_400
_SPAN = re.compile(r"([0-9]{1,6})([mhdw])")
_SECONDS = {"m": 60, "h": 3_600, "d": DAY, "w": 7 * DAY}


def parse_since(text: str, now: int) -> int:
    """The time that `1d`, `2026-11-17` or `2026-11-17T08:00` means, in seconds since 1970; raises UsageError."""
    span = _SPAN.fullmatch(text)
    if span is not None:
        return max(1, now - int(span[1]) * _SECONDS[span[2]])
    try:
        found = datetime.fromisoformat(text)
        # A time without a zone is meant in UTC, as reports print it.
        since = int((found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        raise UsageError(f"--since {text!r}: not a time; write 1d, 12h, 2026-11-17 or 2026-11-17T08:00") from None
    if not 0 < since <= now:
        raise UsageError(f"--since {text}: that is in the future or before 1970; write an earlier or a later time")
    return since


def format_time(seconds: int) -> str:
    """A time in UTC for programs and people; empty for 0."""
    if not seconds:
        return ""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return str(seconds)

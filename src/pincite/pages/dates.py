"""Dates as pages write them: only those that name one day, and only one way to read them."""

from __future__ import annotations

import re

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_LONGEST = 100
_ISO = r"(?P<y>(?:1[5-9]|2[01])\d\d)(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d/.-])"
_COMPACT = r"(?P<y2>(?:19|20)\d\d)(?P<m2>[01]\d)(?P<d2>[0-3]\d)(?!\d)"
_DAY_FIRST = (
    rf"(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ .-]{{1,2}}(?P<m3>{_NAMES})\b\.?,?[ -]{{1,2}}(?P<y3>\d{{4}})(?!\d)"
)
_MONTH_FIRST = rf"(?P<m4>{_NAMES})\b\.?[ ]{{1,2}}(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?,?[ ]{{1,2}}(?P<y4>\d{{4}})(?!\d)"
_YEAR_FIRST = rf"(?P<y6>(?:19|20)\d\d)[ -](?P<m6>{_NAMES})\b\.?[ -](?P<d6>\d{{1,2}})(?!\d)"
_NUMBERS = r"(?P<a>\d{1,2})(?P<sep2>[/.-])(?P<b>\d{1,2})(?P=sep2)(?P<y5>(?:19|20)\d\d)(?!\d)"
_WHOLE = re.compile(
    rf"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?[ ]{{1,2}})?"
    rf"(?:{_ISO}|{_COMPACT}|{_DAY_FIRST}|{_MONTH_FIRST}|{_YEAR_FIRST}|{_NUMBERS})(?=\Z|[Tt ,;(|·•])",
    re.IGNORECASE,
)
_WITHIN = re.compile(rf"(?<![\w/.-])(?:{_ISO}|{_DAY_FIRST}|{_MONTH_FIRST})", re.IGNORECASE)


def read_date(text: str) -> str:
    """The day that a text begins with as `YYYY-MM-DD`; empty where it is none, or could be two."""
    found = _WHOLE.match(" ".join(text[:_LONGEST].split()))
    return _day(found) if found is not None else ""


def date_within(text: str) -> str:
    """The first day that a line of text names; empty where it names none."""
    found = _WITHIN.search(" ".join(text[:2000].split()))
    return _day(found) if found is not None else ""


def _day(found: re.Match[str]) -> str:
    given = found.groupdict()
    for y, m, d in (("y", "m", "d"), ("y2", "m2", "d2"), ("y3", "m3", "d3"), ("y4", "m4", "d4"), ("y6", "m6", "d6")):
        if given.get(y):
            return _valid(int(given[y]), _MONTHS.get(given[m].lower()) or _number(given[m]), int(given[d]))
    if given.get("y5"):
        first, second = int(given["a"]), int(given["b"])
        if first > 12 or first == second:
            return _valid(int(given["y5"]), second, first)
        # The month may come first; where both can be months nobody knows.
        return _valid(int(given["y5"]), first, second) if second > 12 else ""
    return ""


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _valid(year: int, month: int, day: int) -> str:
    from datetime import date

    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""

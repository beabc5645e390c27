"""Dates as PDFs write them.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite.
"""

from __future__ import annotations

import re

_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?", re.ASCII)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def iso(date: str) -> str:
    """`D:20240131120000+01'00'` as `2024-01-31T12:00:00+01:00`, as far as it goes; empty for anything else."""
    found = _DATE.match(date)
    if not found:
        return ""
    year, month, day, hour, minute, second, zulu, sign, hours, minutes = found.groups()
    month, day = month or "01", day or "01"
    if year == "0000" or not 1 <= int(month) <= 12 or not 1 <= int(day) <= _DAYS[int(month) - 1]:
        return ""
    if month == "02" and day == "29" and (int(year) % 4 or (int(year) % 100 == 0 and int(year) % 400)):
        return ""
    if hour is None or minute is None:
        return f"{year}-{month}-{day}"
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return f"{year}-{month}-{day}"
    zone = "Z" if zulu else f"{sign}{hours}:{minutes or '00'}" if sign and int(hours) < 24 else ""
    return f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}{zone}"

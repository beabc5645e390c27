"""Numbers as sentences and as code write them, and whether two are the same."""

from __future__ import annotations

import re
from decimal import Decimal

from msgspec import Struct

from ...text.number_words import NUMBER_WORDS, SCALES

_UNITS = {
    "ms": "ms millis millisecond milliseconds msec msecs",
    "seconds": "s sec secs second seconds",
    "minutes": "min mins minute minutes",
    "hours": "h hr hrs hour hours",
    "days": "d day days",
    "weeks": "week weeks",
    "bytes": "b byte bytes",
    "kilobytes": "k kb kib kilobyte kilobytes",
    "megabytes": "m mb mib megabyte megabytes",
    "gigabytes": "g gb gib gigabyte gigabytes",
    "percent": "pct percent percentage",
}
_UNIT = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_SHORT = frozenset("s b d h k m g".split())
"""Too short to be a unit unless it is joined to a number."""
_WORDS = {
    word: Decimal(value)
    for word, value in (NUMBER_WORDS | SCALES).items()
    if word not in ("zero", "one") and value <= 1000
}
_DIGITS = r"0[xX][0-9a-fA-F][0-9a-fA-F_]{0,40}|\d[\d_]{0,40}(?:,\d{3}(?!\d))*(?:\.\d{1,20})*"
_SAID = re.compile(
    rf"(?<![\w.#$/@])(?<!\w[-'’])([-−+]?)({_DIGITS})"
    r"(?:(%| ?percent\b)|([A-Za-z]{1,4})\b(?!-)| ([A-Za-z]{1,12})\b)?(?!\w|\.\d|-[A-Za-z]\w{0,60}-)"
    rf"|(?<![\w-])({'|'.join(_WORDS)})(?![\w-])(?: ([A-Za-z]{{1,12}})\b)?",
    re.IGNORECASE,
)
_THERE = re.compile(rf"(?<![\w.])({_DIGITS})(%|[A-Za-z]\w{{0,4}}\b)?(?!\w|\.\d)")
_TYPED = re.compile(r"(?:[uif](?:8|16|32|64|128|size)?|u?l{1,2}|n|usize|isize)\Z", re.IGNORECASE)
_MOST = 400


class Number(Struct, frozen=True, gc=False):
    """A number, what it is a number of, and how it is written."""

    value: Decimal | str
    unit: str = ""
    written: str = ""

    def is_same(self, other: Number) -> bool:
        """Whether two are the same number, and their units do not say otherwise."""
        if self.unit and other.unit and self.unit != other.unit:
            return False
        if self.value == other.value:
            return True
        is_percent = self.unit == "percent" and not other.unit
        return is_percent and isinstance(self.value, Decimal) and self.value.scaleb(-2) == other.value


def said_numbers(text: str) -> list[Number]:
    """The numbers of prose, in digits or words; those inside names are none."""
    found: list[Number] = []
    for match in _SAID.finditer(text):
        if match[6]:
            found.append(Number(_WORDS[match[6].lower()], _unit(match[7]), match[0]))
            continue
        joined, word = match[4] or "", match[5] or ""
        if joined and joined.lower() not in _UNIT and not _TYPED.match(joined):
            continue
        unit = "percent" if match[3] else _UNIT.get(joined.lower(), "") or _unit(word)
        found.append(Number(_read_value(match[2], match[1] in ("-", "−")), unit, match[1] + match[2]))
    return found[:_MOST]


def lone_numbers(text: str) -> list[Number]:
    """The numbers of code that are not part of a name, a longer number, or a product."""
    found: list[Number] = []
    for match in _THERE.finditer(text):
        suffix = match[2] or ""
        if suffix and suffix != "%" and suffix.lower() not in _UNIT and not _TYPED.match(suffix):
            continue
        before, after = text[max(0, match.start() - 12) : match.start()], text[match.end() : match.end() + 12]
        if _is_term(before, after):
            continue
        unit = "percent" if suffix == "%" else _UNIT.get(suffix.lower(), "")
        found.append(Number(_read_value(match[1], _is_negative(before)), unit, match[0]))
        if len(found) == _MOST:
            break
    return found


def plural_units(name: str) -> str:
    """The unit that the last word of a name says; empty where it says none."""
    last = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)[-1:]
    return _unit(last[0]) if last else ""


def _unit(word: str | None) -> str:
    lower = (word or "").lower()
    return "" if lower in _SHORT else _UNIT.get(lower, "")


def _is_term(before: str, after: str) -> bool:
    """Whether a number is multiplied, divided or shifted: then it is not the value."""
    return bool(
        re.match(r"[ \t]*(?:\*|/(?![/*])|<<)[ \t]*[\w(]", after)
        or re.search(r"[\w)][ \t]*(?:\*\*?|/|<<)[ \t]*\Z", before)
    )


def _is_negative(before: str) -> bool:
    return re.search(r"(?:\A|[^\w)\]\s]\s{0,9}|\b(?:return|default)\s+|\s)-\Z", before) is not None


def _read_value(digits: str, negative: bool) -> Decimal | str:
    """What a number is compared by; a version stays as it is written."""
    bare = digits.replace("_", "").replace(",", "")
    if bare.count(".") > 1:
        return f"-{bare}" if negative else bare
    value = Decimal(int(bare, 16)) if bare[:2].lower() == "0x" else Decimal(bare)
    return value.copy_negate() if negative else value

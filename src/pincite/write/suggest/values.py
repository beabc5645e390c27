"""Values: numbers as sentences and as code write them, and what lines of code give a name.

What a name is given are the literals of its own assignment, not those beside it.
"""

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
    # Examples: `12 seconds`, `5%`, `three`.
    rf"""
    (?<![\w.#$/@])(?<!\w[-'’])([-−+]?)({_DIGITS})
    (?:(%|\ ?percent\b)|([A-Za-z]{{1,4}})\b(?!-)|\ ([A-Za-z]{{1,12}})\b)?(?!\w|\.\d|-[A-Za-z]\w{{0,60}}-)
    |(?<![\w-])({"|".join(_WORDS)})(?![\w-])(?:\ ([A-Za-z]{{1,12}})\b)?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_THERE = re.compile(rf"(?<![\w.])({_DIGITS})(%|[A-Za-z]\w{{0,4}}\b)?(?!\w|\.\d)")
_TYPED = re.compile(r"(?:[uif](?:8|16|32|64|128|size)?|u?l{1,2}|n|usize|isize)\Z", re.IGNORECASE)
_MOST = 400
_LONGEST = 400
_MOST_ASSIGNED = 20
_STRING = re.compile(r"\"([^\"\n]{0,200})\"|'([^'\n]{0,200})'")
_BOOLEAN = re.compile(r"(?<![\w-])(true|false|yes|no|on|off)(?![\w-])", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"[\"']?\??[ \t]*(?:(?::[ \t]*[\w<>\[\]., |?&*]{1,60})?(?::=|\?=|=(?![=>~]))|:(?![:=])|=>)[ \t\n]*"
)
_PASSED = re.compile(r"[\"'][ \t]*,[ \t\n]*")
_SIMPLE = re.compile(r"[-+]?[\w.]{1,60}%?|\"[^\"]*\"|'[^']*'|[(\[{][\w\s.,\"'+-]*[)\]}]")
_WORD = re.compile(r"[A-Za-z][\w.-]*\Z")
_COMMENT = re.compile(r"(?m)(?:[ \t]|^)(?:#(?!define|include)|//|--[ \t])[^\n]*|/\*.{0,400}?\*/", re.DOTALL)
_TRUE = frozenset(("true", "yes", "on", "enabled"))
_FALSE = frozenset(("false", "no", "off", "disabled"))


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


class AssignedValues(Struct, frozen=True):
    """The values that a name is given."""

    numbers: tuple[Number, ...] = ()
    texts: frozenset[str] = frozenset()
    """Each as it is written."""
    strings: frozenset[str] = frozenset()
    booleans: frozenset[bool] = frozenset()
    is_simple: bool = False
    """Whether the value is one literal, or a list of them, and not worked out."""


def given_to(text: str, name: str) -> AssignedValues | None:
    """What assignments of a name in some lines give it; None where there is none."""
    if len(name) < 2 or name not in text:
        return None
    bare = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    numbers: list[Number] = []
    texts: set[str] = set()
    strings: set[str] = set()
    booleans: set[bool] = set()
    found = simple = False
    pattern = re.compile(rf"(?<![\w$-])(?:#define[ \t]+)?{re.escape(name)}(?![\w$-])")
    for turn, match in enumerate(pattern.finditer(bare)):
        if turn == _MOST_ASSIGNED:
            break
        after = bare[match.end() : match.end() + _LONGEST]
        start = _ASSIGNED.match(after) or _PASSED.match(after)
        if start is None and not match[0].startswith("#define"):
            continue
        passed = start is not None and _ASSIGNED.match(after) is None
        value = _value(after[start.end() if start else 0 :], passed)
        found = True
        simple = simple or _SIMPLE.fullmatch(value.strip()) is not None
        texts.add(" ".join(value.split()))
        numbers += lone_numbers(value)
        strings.update(a or b for a, b in _STRING.findall(value))
        if _WORD.match(value.strip()):
            strings.add(value.strip())
        booleans.update(word.lower() in _TRUE for word in _BOOLEAN.findall(value))
    return (
        AssignedValues(tuple(numbers), frozenset(texts), frozenset(strings), frozenset(booleans), simple)
        if found
        else None
    )


def is_given(given: AssignedValues | None, value: str) -> bool:
    """Whether a value is among those a name is given."""
    if given is None:
        return False
    if value in given.strings or value in given.texts:
        return True
    numbers = said_numbers(value)
    if numbers and re.match(r"[-−+]?\d", value):
        return all(any(one.is_same(other) for other in given.numbers) for one in numbers)
    lower = value.lower()
    if lower in _TRUE or lower in _FALSE:
        return (lower in _TRUE) in given.booleans
    return False


def given_words(given: AssignedValues | None, word: str) -> bool:
    """Whether a bare word is said of a name that is plainly given another string or truth value."""
    if given is None or not given.is_simple:
        return False
    lower = word.lower()
    if lower in _TRUE or lower in _FALSE:
        return not is_given(given, word) and lower not in {one.lower() for one in given.strings}
    wanted = given.strings or given.booleans
    return bool(wanted) and lower not in {one.lower() for one in given.strings}


def _value(after: str, passed: bool) -> str:
    """The text up to where a value ends: at the close of what encloses it, or at a separator beside it."""
    depth, quote = 0, ""
    for at, char in enumerate(after):
        if quote:
            quote = "" if char in (quote, "\n") else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0:
                return after[:at]
        elif not depth and (char == ";" or (char in ",\n" and not passed)):
            return after[:at]
    return after

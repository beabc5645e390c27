"""What lines of code give a name: the literals of its own assignment, not those beside it."""

from __future__ import annotations

import re

from msgspec import Struct

from .numbers import Number, lone_numbers, said_numbers

_LONGEST = 400
_MOST = 20
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


class Given(Struct, frozen=True):
    """The values that a name is given."""

    numbers: tuple[Number, ...] = ()
    texts: frozenset[str] = frozenset()
    """Each as it is written."""
    strings: frozenset[str] = frozenset()
    booleans: frozenset[bool] = frozenset()
    is_simple: bool = False
    """Whether the value is one literal, or a list of them, and not worked out."""


def given_to(text: str, name: str) -> Given | None:
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
        if turn == _MOST:
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
    return Given(tuple(numbers), frozenset(texts), frozenset(strings), frozenset(booleans), simple) if found else None


def is_given(given: Given | None, value: str) -> bool:
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


def given_words(given: Given | None, word: str) -> bool:
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

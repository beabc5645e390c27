"""Why fields do not fit, in plain words that name the field: msgspec speaks of types and paths."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING, Any

from msgspec.json import encode
from msgspec.structs import fields

from ...safe.escape import escape_text, whole

if TYPE_CHECKING:
    from msgspec import Struct, ValidationError

_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*?)`(?: - at `\$(?P<place>.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*?)`(?: - at `\$(?P<place>.*)`)?", re.DOTALL)
_OTHER = re.compile(r"(?P<reason>.*?)(?: - at `\$(?P<place>.*)`)?", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<kind>[^`]*)`, got `[^`]*`")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "str": "text",
    "bytes": "base64",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_LONGEST = 60
LARGEST = 2**53 - 1
"""The largest number that every reader of JSON takes for what it is."""


def explain_mismatch(error: ValidationError, given: Any, kind: type[Struct] | None) -> str:
    """What a field should be and what it is."""
    text = str(error)
    if match := _UNKNOWN.fullmatch(text):
        known = ", ".join(field.encode_name for field in fields(kind)) if kind is not None else ""
        there = "" if match["place"] else f"; there are: {known}" if known else "; there are none"
        return f"{_join(match['place'], match['name'])}: no such field{there}"
    if match := _MISSING.fullmatch(text):
        return f"{_join(match['place'], match['name'])}: is missing"
    match = _OTHER.fullmatch(text)
    place = (match["place"] if match else "") or ""
    reason = match["reason"] if match else text
    value, is_found = _find_value(given, place)
    if expected := _EXPECTED.match(reason):
        kinds = " or ".join(_KINDS.get(part, part) for part in expected["kind"].split(" | "))
        reason = f"expected {kinds}" + (f", got {_show(value)}" if is_found else "")
    else:
        reason = reason.replace("`", "")
        reason = reason[:1].lower() + reason[1:] + (f", got {_show(value)}" if is_found else "")
    return f"{_join(place, '') or 'the body'}: {reason}"


def find_oddity(given: Any, name: str = "") -> str:
    """Why values that fit are refused all the same: no name of a file and no text has a NUL in it, and larger numbers
    than JSON can carry have no use. Empty where there is nothing odd."""
    if isinstance(given, str):
        return f"{_join(name, '')}: holds a NUL character" if "\0" in given else ""
    if isinstance(given, int | float):
        if isinstance(given, float) and not isfinite(given):
            return f"{_join(name, '')}: expected a finite number"
        return f"{_join(name, '')}: expected a number up to {LARGEST}" if abs(given) > LARGEST else ""
    if isinstance(given, dict):
        pairs = [(f".{key}", value) for key, value in given.items()]
        if any("\0" in key for key in given):
            return "the name of a field holds a NUL character"
    elif isinstance(given, list | tuple):
        pairs = [(f"[{number}]", value) for number, value in enumerate(given)]
    else:
        return ""
    return next((found for key, value in pairs if (found := find_oddity(value, name + key))), "")


def _join(place: str | None, name: str) -> str:
    """A field by its name: `$.items[0]` and `path` become `items[0].path`."""
    return escape_text(".".join(filter(None, ((place or "").lstrip("."), name))), _LONGEST)


def _find_value(given: Any, place: str) -> tuple[Any, bool]:
    for step in _STEP.finditer(place):
        try:
            given = given[step[1]] if step[1] else given[int(step[2])]
        except (KeyError, IndexError, TypeError):
            return None, False
    return given, bool(place) and isinstance(given, str | int | float | bool | None)


def _show(value: Any) -> str:
    """A value as JSON, on one line and short."""
    if isinstance(value, str):
        return f'"{escape_text(value, _LONGEST)}"'
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a larger one"
    return escape_text(whole(encode(value).decode()), _LONGEST)

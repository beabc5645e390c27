"""Adding to JSON that a person wrote: everything that stands there stays as it is, byte for byte."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import Any

_WHITE = " \t\r\n"
_DECODER = json.JSONDecoder()


def add_to_json(text: str, additions: dict[str, Any]) -> str | None:
    """The text with members added that it does not have, and items appended to its lists; None where it cannot be.

    Objects are entered, lists get the items that they do not hold yet, and any other value that is there stays. The
    text is None where it is not plain JSON: comments, two members of one name, another kind of value in the place.
    """
    try:
        before = json.loads(text) if text.strip() else None
        if before is None:
            return json.dumps(additions, indent=2, ensure_ascii=False) + "\n"
        wanted = _merge(before, additions)
        if wanted is None:
            return None
        new = _insert(text, _skip(text, 0), additions, _find_indent(text), 1)
        return new if json.loads(new) == wanted else None
    except (ValueError, RecursionError, IndexError):
        return None


def _merge(value: Any, added: Any) -> Any:
    """What the JSON should be afterwards; None where the kinds do not fit."""
    if isinstance(value, dict) and isinstance(added, dict):
        merged = dict(value)
        for name, item in added.items():
            merged[name] = _merge(value[name], item) if name in value else item
            if merged[name] is None:
                return None
        return merged
    if isinstance(value, list) and isinstance(added, list):
        return value + [item for item in added if item not in value]
    return value if not isinstance(added, dict | list) else None


def _insert(text: str, at: int, added: Any, indent: str, depth: int) -> str:
    """The text with what is to be added to the value at an offset."""
    if isinstance(added, list):
        there = _DECODER.raw_decode(text, at)[0]
        parts = [json.dumps(item, indent=indent, ensure_ascii=False) for item in added if item not in there]
        return _append(text, at, parts, indent, depth)
    members = _find_members(text, at)
    # From the last to the first, so that offsets stay true.
    known = [(members[name], item) for name, item in added.items() if name in members]
    fresh = [
        f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(item, indent=indent, ensure_ascii=False)}"
        for name, item in added.items()
        if name not in members
    ]
    text = _append(text, at, fresh, indent, depth)
    for place, item in sorted(known, key=itemgetter(0), reverse=True):
        if isinstance(item, dict | list):
            text = _insert(text, place, item, indent, depth + 1)
    return text


def _append(text: str, at: int, parts: list[str], indent: str, depth: int) -> str:
    """The text with parts written behind the last one of the object or list at an offset."""
    if not parts:
        return text
    end = _DECODER.raw_decode(text, at)[1] - 1
    last = end
    while text[last - 1] in _WHITE:
        last -= 1
    empty = last - 1 == at
    spread = "\n" in text[at:end] or empty
    margin = indent * depth
    if not spread:
        flat = ", ".join(_flatten(part, text[at] == "{") for part in parts)
        return f"{text[:last]}, {flat}{text[last:]}"
    body = ",\n".join(margin + part.replace("\n", "\n" + margin) for part in parts)
    lead = "" if empty else ","
    return f"{text[:last]}{lead}\n{body}\n{indent * (depth - 1)}{text[end:]}"


def _flatten(part: str, member: bool) -> str:
    """A member or an item on one line."""
    if member:
        return json.dumps(json.loads("{" + part + "}"), ensure_ascii=False)[1:-1]
    return json.dumps(json.loads(part), ensure_ascii=False)


def _find_members(text: str, at: int) -> dict[str, int]:
    """Where the values of an object's members begin; raises ValueError where a name comes twice."""
    found: dict[str, int] = {}
    at = _skip(text, at + 1)
    while text[at] != "}":
        name, at = _DECODER.raw_decode(text, at)
        value = _skip(text, _skip(text, at) + 1)
        if name in found:
            raise ValueError(name)
        found[name] = value
        at = _skip(text, _DECODER.raw_decode(text, value)[1])
        if text[at] == ",":
            at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    while text[at] in _WHITE:
        at += 1
    return at


def _find_indent(text: str) -> str:
    """What the text indents with: the white space in front of its first member."""
    line = text.partition("\n")[2].partition("\n")[0]
    return line[: len(line) - len(line.lstrip(" \t"))] or "  "

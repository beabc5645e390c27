"""Reading what other people's objects carry: by name, whatever they are made of, and never trusting their types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from operator import index
from os import PathLike, fspath
from uuid import UUID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

Metadata = Mapping[object, object]
_UUID = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
_LEVEL = re.compile(r"(?:h|header|heading)[ _-]?([1-6])", re.IGNORECASE)
_EXACT = 2.0**53


def field(thing: object, name: str, default: object = None) -> object:
    """What an object or a mapping holds under a name; the default where it holds nothing, or will not say."""
    if isinstance(thing, Mapping):
        return thing.get(name, default)
    try:
        return getattr(thing, name, default)
    except Exception:  # a property of a foreign class may raise anything
        return default


def has(thing: object, name: str) -> bool:
    """Whether an object or a mapping has something under a name, be it None."""
    absent = object()
    return field(thing, name, absent) is not absent


def get_text(thing: object, name: str, where: str) -> str:
    """The words of an object; raises TypeError where there are none."""
    value = field(thing, name)
    if value is None:
        raise TypeError(f"{where}: no {name}: {describe(thing)} without text cannot be cited")
    if not isinstance(value, str):
        raise TypeError(f"{where}: {name} is {describe(value)}, expected a str")
    return value


def get_metadata(thing: object, name: str, where: str) -> Metadata:
    """The metadata of an object, empty where it has none; raises TypeError where they are no mapping."""
    value = field(thing, name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise TypeError(f"{where}: {name} is {describe(value)}, expected a dict")
    return value


def find_whole(value: object, what: str, where: str) -> int | None:
    """An offset; None where there is none or it is negative. Stores that know only floats give 12.0 for 12."""
    number = _whole(value)
    if value is not None and number is None:
        raise TypeError(f"{where}: {what} is {describe(value)}, expected an int")
    return None if number is None or number < 0 else number


def find_page(value: object, first: int) -> int | None:
    """A page counted from 1, where the number given is counted from `first`; None where it is no number."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 10 else None
    number = _whole(value)
    return None if number is None or number < first else number - first + 1


def get_score(value: object, where: str) -> float:
    """How well something fits; 0.0 where it is unknown."""
    if value is None:
        return 0.0
    score = None
    if not isinstance(value, str | bytes | bool):
        try:
            score = float(value)  # type: ignore[arg-type]
        except Exception:  # arrays, and numbers beyond all floats
            score = None
    if score is None or not isfinite(score):
        raise TypeError(f"{where}: score is {describe(value) if score is None else score}, expected a finite number")
    return score


def find_identity(value: object, where: str) -> UUID | str | None:
    """An id: a UUID where it is one in any spelling, else its text; None where there is none."""
    if isinstance(value, UUID):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{where}: id is {describe(value)}, expected a str")
    if not value:
        return None
    return UUID(value) if _UUID.fullmatch(value) else value


def find_path(metadata: Metadata, keys: Iterable[str]) -> str | None:
    """The first of the keys that holds a path or an address."""
    for key in keys:
        value = metadata.get(key)
        if isinstance(value, PathLike):
            try:
                value = fspath(value)
            except Exception:  # a foreign class again
                value = None
        if isinstance(value, str) and value.strip():
            return value
    return None


def find_headings(metadata: Metadata, keys: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The headings that metadata name, the outermost first; `keys` are those that the caller chose."""
    if keys:
        return _strings(metadata.get(key) for key in keys)
    if levels := {
        int(match[1]): value
        for key, value in metadata.items()
        if isinstance(key, str) and (match := _LEVEL.fullmatch(key))
    }:
        return _strings(levels[level] for level in sorted(levels))
    above = metadata.get("headings") or metadata.get("parent_headers")
    outer = _strings(above) if isinstance(above, list | tuple) else ()
    return outer + _strings((metadata.get("header") or metadata.get("heading"),))


def _strings(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(" ".join(value.split()) for value in values if isinstance(value, str) and value.strip())


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < _EXACT else None
    try:
        return index(value)  # type: ignore[arg-type]
    except Exception:
        return None


def describe(thing: object) -> str:
    """What an object is, for a message."""
    name = type(thing).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"

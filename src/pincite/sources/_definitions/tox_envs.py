"""Environments of tox, in `tox.ini`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import DefinedNames

if TYPE_CHECKING:
    from . import Load

FILES = ("tox.ini", "tox.toml")
_SECTION = re.compile(r"^\[(?:tox:)?testenv:([^\]\n]+)\]", re.MULTILINE)
_ENVLIST = re.compile(r"^env_?list[ \t]*=((?:[^\n]*)(?:\n[ \t]+[^\n]*)*)", re.MULTILINE)
_PYTHON = re.compile(r"(?:py|pypy|cpython|python)?\d*(?:\.\d+)*t?")
_WORD = re.compile(r"[\w.]+")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every environment that has a section or stands in the list; each part between hyphens counts by itself."""
    if not key.endswith("tox.ini"):
        return DefinedNames({}, (), "its environments stand in a form that is not read")
    names: dict[str, None] = {}
    for match in (*_SECTION.finditer(text), *_ENVLIST.finditer(text)):
        names.update((word, None) for word in re.split(r"[\s,{}]+", match[1]) if word)
        names.update((word, None) for word in _WORD.findall(match[1]))
    unknown = "" if names else "it lists no environments"
    if "requires" in text and "tox-" in text:
        unknown = "a plugin of tox may add environments"
    return DefinedNames(names, (), unknown)


def is_python(part: str) -> bool:
    """Whether a part of an environment's name only says which Python it is."""
    return _PYTHON.fullmatch(part) is not None

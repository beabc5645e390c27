"""Documents to passages. One kind of document per module here; adding a file adds a kind.

A kind is a plain module:

    NAME      what it is called
    ENDINGS   the endings of the files it reads, in lower case
    NAMES     whole names of files it reads, in lower case; optional
    outline   (text, path) -> the headings or definitions, in order
    read      (text, path) -> a Reading; never raises for what a text holds

Offsets count code points of the source. Lines are those of `pincite.text`.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from .model import DocumentReading, Heading


class DocumentKind(Protocol):
    """What a module in this folder offers."""

    NAME: str
    ENDINGS: tuple[str, ...]

    def outline(self, text: str, path: str = "") -> list[Heading]:
        """The headings or definitions, in order."""

    def read(self, text: str, path: str = "") -> DocumentReading:
        """The document, taken in."""


WITHOUT_HEADINGS = ("text", "pdf")
"""Kinds in which nothing marks a heading."""
_ALONE = ("markdown", "rst", "code", "html")
"""Kinds whose modules are called as they are: a call for one of them loads no other."""
_kinds: dict[str, DocumentKind] = {}
_by_ending: dict[str, str] = {}
_by_name: dict[str, str] = {}


def _load() -> None:
    for name in sorted(name[:-3] for name in os.listdir(__path__[0]) if name.endswith(".py") and name[0] != "_"):
        module = import_module(f"{__name__}.{name}")
        if hasattr(module, "NAME"):
            kind = cast("DocumentKind", module)
            _kinds[kind.NAME] = kind
            _by_ending.update(dict.fromkeys(kind.ENDINGS, kind.NAME))
            _by_name.update(dict.fromkeys(getattr(module, "NAMES", ()), kind.NAME))


def find_kind(path: str) -> str | None:
    """What a file is by its name: `markdown`, `rst`, `text`, `code`, `html`, `pdf`; None where none of them."""
    if not _by_ending:
        _load()
    name = path.rpartition("/")[2].lower()
    stem, dot, ending = name.rpartition(".")
    return _by_name.get(name) or (_by_ending.get(dot + ending) if stem else None)


def get_kind(name: str) -> DocumentKind:
    """The kind of that name; raises KeyError."""
    if name not in _kinds:
        if name in _ALONE:
            _kinds[name] = cast("DocumentKind", import_module(f"{__name__}.{name}"))
        else:
            _load()
    return _kinds[name]


def read(kind: str, text: str, path: str = "") -> DocumentReading:
    """The passages of a document; the path tells the language of code. Raises nothing for what the text holds."""
    return get_kind(kind).read(text, path)


def outline(kind: str, text: str, path: str = "") -> list[Heading]:
    """The headings of a document, or the definitions in code, in order."""
    return get_kind(kind).outline(text, path)

"""Definitions in source code, by name.

A name has dots where it stands inside another (`Server.start`), whatever its language writes there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from .lookup import Outline

_BY_LANGUAGE = {
    "python": "py pyi pyw",
    "javascript": "js mjs cjs jsx",
    "typescript": "ts mts cts tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c h",
    "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl",
    "csharp": "cs",
    "ruby": "rb rake gemspec",
    "php": "php",
    "shell": "sh bash",
}
ENDINGS = {ending: language for language, endings in _BY_LANGUAGE.items() for ending in endings.split()}
"""The languages whose definitions are known, by the endings of their files."""


class Symbol(Struct, frozen=True, gc=False):
    """A definition: where it is, and what it is called from the top of its file."""

    name: str
    """Dotted where it stands inside another: `Server.start`."""
    kind: str
    """`function`, `class`, `method`, `type`, `module`, `constant`, `variable`, `field`."""
    line: int
    """The line that holds its name."""
    first: int
    """The line it begins on, decorators and attributes included."""
    last: int
    """The line it ends on."""


def language_of(path: str) -> str:
    """The language a file is written in, by its ending; empty where its definitions are unknown."""
    name, dot, ending = path.rpartition("/")[2].rpartition(".")
    return ENDINGS.get(ending.lower(), "") if name and dot else ""


def at_hand() -> bool:
    """Whether what reads code is installed; nothing is imported to tell."""
    from importlib.machinery import PathFinder

    return PathFinder.find_spec("tree_sitter") is not None


def outline(path: str, data: bytes) -> list[Symbol]:
    """Every definition of a file in order; none for a language that is not known.

    Raises Unreadable where the grammar is not installed, or where the file is too large or too tangled.
    """
    return [definition.symbol for definition in _outline(path, data).definitions]


def find(path: str, data: bytes, name: str) -> tuple[Symbol, ...]:
    """The definitions that a name means: of that dotted name, else those whose name ends in it.

    Several mean that the name is ambiguous. What makes up one definition (overloads with what they announce, a
    property with its setter, a prototype with its function) is one symbol. Raises Unreadable as `outline` does.
    """
    return _outline(path, data).find(name)


def find_close(path: str, data: bytes, name: str) -> tuple[str, ...]:
    """Up to three names of the file that are spelled much like one that it does not have."""
    return _outline(path, data).close(name)


def find_doubt(path: str, data: bytes) -> str:
    """Why a name that is not found may be in the file all the same; empty where it surely is not."""
    return _outline(path, data).doubt


def at_line(path: str, data: bytes, line: int) -> Symbol | None:
    """The definition whose name is on a line, or which begins on it; None where there are two, or none."""
    return _outline(path, data).at_line(line)


def _outline(path: str, data: bytes) -> Outline:
    from .lookup import Outline, outline_of

    language = language_of(path)
    return outline_of(language, path, data) if language else Outline([])

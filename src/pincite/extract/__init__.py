"""Text to citations. One dialect per module here; adding a file adds a dialect.

A dialect is a plain module:

    NAME      what reports call it
    RANK      where two dialects claim the same text, the lower rank has it
    OPENERS   bytes one of which must be in the file for `extract` to be worth calling
    EXAMPLE   a text with one citation in it
    extract   Document -> list of Citation or Malformed, in order, disjoint; never raises
    render    Citation -> a text from which `extract` reads the same citation
    repoint   (Document, Citation, Place) -> the Edit that makes it point there, or None
    requote   (Document, Citation, words, words) -> the Edit that puts the second in place of the first among what is
              quoted, and what is quoted then, or None; optional
    retitle   (Document, Citation, name) -> the Edit that makes it name another section, or None; optional
    reads     path -> whether it is worth calling, where the name of a file decides and not its openers; optional
    HINT      one byte that every opener holds and few files do: looking for it first is ten times faster; optional
    gist      Document -> id and page of every citation, or None where they have to be read one by one; optional
    NEEDS     `corpus`, `whitelist` or `bibliography`, where it is of use only in projects that have it; optional
    WITHOUT   the openers it goes by in projects that have none; optional

The docstring is its page in the documentation.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from ..model import Citation, Malformed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document import Document
    from ..model import Edit, Place


class Dialect(Protocol):
    """What a module in this folder offers."""

    NAME: str
    RANK: int
    OPENERS: tuple[bytes, ...]
    EXAMPLE: str

    def extract(self, document: Document) -> list[Citation | Malformed]:
        """Every citation of this dialect in the document."""

    def render(self, citation: Citation) -> str:
        """The citation written out."""

    def repoint(self, document: Document, citation: Citation, place: Place) -> Edit | None:
        """The edit that makes the citation point at another place."""


_loaded: dict[str, Dialect] = {}


def dialects() -> tuple[Dialect, ...]:
    """Every dialect, lowest rank first."""
    if not _loaded:
        names = sorted(name[:-3] for name in os.listdir(__path__[0]) if name.endswith(".py") and name[0] != "_")
        found = (cast("Dialect", import_module(f"{__name__}.{name}")) for name in names)
        _loaded.update((dialect.NAME, dialect) for dialect in sorted(found, key=lambda dialect: dialect.RANK))
    return tuple(_loaded.values())


def get_dialect(name: str) -> Dialect:
    """The dialect of that name; raises KeyError."""
    dialects()
    return _loaded[name]


def register(dialect: Dialect) -> None:
    """Add a dialect that lives elsewhere."""
    dialects()
    _loaded[dialect.NAME] = dialect


def seeker(dialect: Dialect) -> Callable[[str, bytes], object]:
    """Whether a dialect reads a document: by its path, by a byte before its openers, or by many openers at once."""
    reads: Callable[[str], object] | None = getattr(dialect, "reads", None)
    if reads is not None:
        return lambda path, data: reads(path)
    hint: bytes | None = getattr(dialect, "HINT", None)
    if hint is not None:
        return lambda path, data: hint in data and any(opener in data for opener in dialect.OPENERS)
    from ahocorasick_rs import BytesAhoCorasick

    find = BytesAhoCorasick(dialect.OPENERS).find_matches_as_indexes
    return lambda path, data: find(data)


def extract(document: Document, using: tuple[Dialect, ...]) -> list[Citation | Malformed]:
    """The citations of several dialects in one document, in order; of overlapping ones the lower rank stays."""
    found: list[Citation | Malformed] = []
    for dialect in using:
        items = dialect.extract(document)
        if items:
            found = _merge(found, items) if found else items
    return found


def _merge(kept: list[Citation | Malformed], new: list[Citation | Malformed]) -> list[Citation | Malformed]:
    """Both lists in order, without the new items that overlap kept ones."""
    merged = sorted(
        [*((item.span.start, 0, item) for item in kept), *((item.span.start, 1, item) for item in new)], key=_order
    )
    result: list[Citation | Malformed] = []
    until = -1
    starts = [item.span.start for item in kept]
    starts.append(1 << 62)
    following = 0
    for start, fresh, item in merged:
        if not fresh:
            result.append(item)
            until = item.span.end
            following += 1
        elif start >= until and item.span.end <= starts[following]:
            result.append(item)
    return result


def _order(entry: tuple[int, int, Citation | Malformed]) -> tuple[int, int]:
    return entry[0], entry[1]

"""Text to citations. One dialect per module here; adding a file adds a dialect.

A dialect is a plain module:

    NAME      what reports call it
    RANK      where two dialects claim the same text, the lower rank has it
    OPENERS   bytes one of which must be in the file for `extract` to be worth calling
    EXAMPLE   a text with one citation in it
    extract   Document -> every Citation or Malformed, in order, disjoint; never raises. Best one by one, so that a
              document of a million citations is never in memory as citations
    render    Citation -> a text from which `extract` reads the same citation
    repoint   (Document, Citation, Place) -> the Edit that makes it point there, or None
    requote   (Document, Citation, words, words) -> the Edit that puts the second in place of the first among what is
              quoted, and what is quoted then, or None; optional
    retitle   (Document, Citation, name) -> the Edit that makes it name another section, or None; optional
    reads     path -> whether it is worth calling, where the name of a file decides and not its openers; optional
    SEEK      a pattern of bytes, where an opener that is in every file says too little; optional
    HINT      one byte that every opener holds and few files do: looking for it first is ten times faster; optional
    resnip    (Document, Citation, Place, words) -> the Edit that makes it cite other words at that place; optional
    cite_name (Citation, name, kind) -> the Edit that cites a definition by its name in place of its lines, or None;
              optional
    cites_captured  text -> whether it may cite captured output, looked at before it is read; optional

What else can be said of a dialect is in `Capabilities`: an attribute of the module in capitals for each, all optional.
The docstring is its page in the documentation.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from msgspec import Struct

from ..core.model import Citation, Edit, Malformed, Place
from ..text.document import Document
from ..text.instruction_files import is_instruction_file
from ..text.notebook import NOTEBOOK


class Dialect(Protocol):
    """What a module in this folder offers."""

    NAME: str
    RANK: int
    OPENERS: tuple[bytes, ...]
    EXAMPLE: str

    def extract(self, document: Document) -> Iterable[Citation | Malformed]:
        """Every citation of this dialect in the document."""

    def render(self, citation: Citation) -> str:
        """The citation written out."""

    def repoint(self, document: Document, citation: Citation, place: Place) -> Edit | None:
        """The edit that makes the citation point at another place."""


class Capabilities(Struct, frozen=True):
    """What the engine has to know of a dialect beside its functions; `NEEDS` of the module gives `needs`, and so on."""

    needs: str = ""
    """`corpus`, `whitelist` or `bibliography`, where it is of use only in projects that have it."""
    without: tuple[bytes, ...] = ()
    """The openers it goes by in projects that have none."""
    names_passages: bool = False
    """Whether a citation may name a passage of a file by its id, made from the passage's words."""
    ends_block_quotes: bool = False
    """Whether a citation on a line of its own below a block quote cites what is quoted."""
    follows_lines: bool = True
    """Whether cited lines without a snippet are compared with what their author saw."""
    moved_is_stale: bool = False
    """Whether its rules call a citation stale whose text moved: that is an error then."""
    instructions: bool = False
    """Whether it reads instruction files alone, to which the setting `instructions` adds."""
    looks_like_prose: bool = False
    """Whether nearly every text has something that is worth a try: where it cannot be read, that shows nothing."""
    first_line_means_file: bool = False
    """Whether line 1 mostly stands for the file: tools that want a line everywhere write it."""
    plain_pages: bool = False
    """Whether most citations name a paper and at most a page, so that a table of papers settles them."""
    in_source: tuple[bytes, ...] = ()
    """Regular expressions, one of which must match a source file for its comments to be read; none: they never are.
    One that begins with a literal is ten times faster."""


_loaded: dict[str, Dialect] = {}


def defer(module: str, name: str) -> Callable[..., Any]:
    """A function of a module here that takes long to load, loaded when it is called: most runs do not need it."""

    def call(*given: object) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), name)(*given)

    return call


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
    get_capabilities.cache_clear()
    _source_searches.cache_clear()


@cache
def get_capabilities(name: str) -> Capabilities:
    """What is said of the dialect of that name; of an unknown one the defaults hold."""
    dialects()
    module = _loaded.get(name)
    names = [field for field in Capabilities.__struct_fields__ if hasattr(module, field.upper())]
    return Capabilities(**{field: getattr(module, field.upper()) for field in names})


def find_names(has: Callable[[Capabilities], bool]) -> frozenset[str]:
    """The names of the dialects that have a capability."""
    return frozenset(dialect.NAME for dialect in dialects() if has(get_capabilities(dialect.NAME)))


def may_cite_captured(dialect: Dialect, text: str) -> bool:
    """Whether a dialect may find citations of captured output in a text."""
    cites: Callable[[str], bool] | None = getattr(dialect, "cites_captured", None)
    return cites is not None and cites(text)


def is_sought(dialect: Dialect) -> bool:
    """Whether more than its openers says which documents a dialect is worth reading in."""
    return any(hasattr(dialect, name) for name in ("reads", "SEEK", "HINT"))


def seeker(dialect: Dialect, instructions: tuple[str, ...] = ()) -> Callable[[str, bytes], object]:
    """Whether a dialect reads a document: by its path, by a byte before its openers, or by many openers at once."""
    if get_capabilities(dialect.NAME).instructions:
        return lambda path, data: is_instruction_file(path, instructions)
    reads: Callable[[str], object] | None = getattr(dialect, "reads", None)
    if reads is not None:
        return lambda path, data: reads(path)
    seek: re.Pattern[bytes] | None = getattr(dialect, "SEEK", None)
    if seek is not None:
        return lambda path, data: seek.search(data)
    hint: bytes | None = getattr(dialect, "HINT", None)
    if hint is not None:
        return lambda path, data: hint in data and any(opener in data for opener in dialect.OPENERS)
    from ahocorasick_rs import BytesAhoCorasick

    find = BytesAhoCorasick(dialect.OPENERS).find_matches_as_indexes
    return lambda path, data: find(data)


def choose_for_source(using: tuple[Dialect, ...], data: bytes) -> tuple[Dialect, ...]:
    """Those of the dialects that may find something in the comments of a source file."""
    return tuple([dialect for dialect in using if any(find(data) for find in _source_searches(dialect.NAME))])


def leave_out_unlikely(path: str, using: tuple[Dialect, ...], data: bytes) -> tuple[Dialect, ...]:
    """Of the dialects for a notebook those that need no more, or find what they look for in source files too."""
    if not path.endswith(NOTEBOOK):
        return using
    # Most of a notebook is output and pictures, in which every opener of one character stands.
    kept = ((dialect, _source_searches(dialect.NAME)) for dialect in using)
    return tuple([dialect for dialect, searches in kept if not searches or any(find(data) for find in searches)])


@cache
def _source_searches(name: str) -> tuple[Callable[[bytes], object], ...]:
    return tuple(re.compile(pattern).search for pattern in get_capabilities(name).in_source)


def extract(document: Document, using: tuple[Dialect, ...]) -> list[Citation | Malformed]:
    """The citations of several dialects in one document, in order; of overlapping ones the lower rank stays."""
    return list(scan(document, using))


def scan(document: Document, using: tuple[Dialect, ...]) -> Iterator[Citation | Malformed]:
    """The same one by one, each read when it is asked for."""
    found: Iterator[Citation | Malformed] | None = None
    if document.is_source:
        using = tuple(dialect for dialect in using if get_capabilities(dialect.NAME).in_source)
    for dialect in using:
        items = iter(dialect.extract(document))
        found = items if found is None else _merge(found, items)
    return found or iter(())


def count_skipped(document: Document, using: tuple[Dialect, ...]) -> int:
    """The citations below a code fence that is never closed: they are read as code, and hardly meant so."""
    text = document.text
    if document.reads_code or not document.is_markdown or ("```" not in text and "~~~" not in text):
        return 0
    fence = document.unclosed
    if fence is None:
        return 0
    below = document.reread(text[fence.inner.start : fence.inner.end], True)
    return sum(type(item) is Citation and not item.tentative for item in extract(below, using))


def _merge(kept: Iterator[Citation | Malformed], new: Iterator[Citation | Malformed]) -> Iterator[Citation | Malformed]:
    """Both in order, without the new items that overlap kept ones."""
    ours, theirs = next(kept, None), next(new, None)
    until = -1
    while theirs is not None:
        if ours is not None and ours.span.start <= theirs.span.start:
            yield ours
            until = ours.span.end
            ours = next(kept, None)
            continue
        if theirs.span.start >= until and (ours is None or theirs.span.end <= ours.span.start):
            yield theirs
        theirs = next(new, None)
    if ours is not None:
        yield ours
        yield from kept

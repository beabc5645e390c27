"""Text to citations. One dialect per module here; adding a file adds a dialect.

A dialect is a plain module:

    NAME      what reports call it
    RANK      where two dialects claim the same text, the lower rank has it
    OPENERS   bytes one of which must be in the file for `extract` to be worth calling; a hundred cost no more than one
    EXAMPLE   a text with one citation in it
    extract   Document -> every Citation or Malformed, in order, disjoint; never raises. Best one by one, so that a
              document of a million citations is never in memory as citations
    render    Citation -> a text from which `extract` reads the same citation
    repoint   (Document, Citation, Place) -> the Edit that makes it point there, or None
    requote   (Document, Citation, words, words) -> the Edit that puts the second in place of the first among what is
              quoted, and what is quoted then, or None; optional
    retitle   (Document, Citation, name) -> the Edit that makes it name another section, or None; optional
    reads     path -> whether it is worth calling, where the name of a file decides and not its openers; optional
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
from ..text.source_comments import find_family

_CHUNK = 64 * 1024
"""Bytes that are searched for openers at once: all that are found there are in memory together."""


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
    """`corpus`, `whitelist` or `bibliography`, where it is of use only in projects that have it; `mirrors`, where it is
    only with other repositories at hand."""
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


class DialectSelector:
    """Which dialects may find something in a document: one pass over its bytes looks for the openers of all."""

    def __init__(self, using: Iterable[tuple[Dialect, tuple[bytes, ...]]], instructions: tuple[str, ...] = ()) -> None:
        """Dialects, lowest rank first, with the openers they go by here; patterns of the settings for instructions."""
        from ahocorasick_rs import BytesAhoCorasick, Implementation

        self._dialects: list[Dialect] = []
        self._by_path: list[tuple[int, Callable[[str], object]]] = []
        marks: dict[bytes, int] = {}
        for number, (dialect, openers) in enumerate(using):
            self._dialects.append(dialect)
            reads: Callable[[str], object] | None = getattr(dialect, "reads", None)
            if get_capabilities(dialect.NAME).instructions:
                self._by_path.append((1 << number, lambda path: is_instruction_file(path, instructions)))
            elif openers and (reads is not None or b"" in openers):
                self._by_path.append((1 << number, reads or bool))
            else:
                for opener in openers:
                    marks[opener] = marks.get(opener, 0) | 1 << number
        self._marks = tuple(marks.values())
        self._overlap = max(map(len, marks), default=1) - 1
        # The table of all states is built in a third of a millisecond and read twice as fast as the other kinds.
        self._find = BytesAhoCorasick(list(marks), implementation=Implementation.DFA).find_matches_as_indexes
        self._chosen: dict[int, tuple[Dialect, ...]] = {}

    def choose(self, path: str, data: bytes) -> tuple[Dialect, ...]:
        """The dialects, lowest rank first."""
        found, marks = 0, self._marks
        for start in range(0, len(data), _CHUNK):
            part = data if len(data) <= _CHUNK else data[start : start + _CHUNK + self._overlap]
            for match in self._find(part, True):
                found |= marks[match[0]]
        is_source = find_family(path) != ""
        if not is_source:
            for mark, reads in self._by_path:
                if reads(path):
                    found |= mark
        if not found:
            return ()
        using = self._chosen.get(found)
        if using is None:
            using = tuple(dialect for number, dialect in enumerate(self._dialects) if found >> number & 1)
            self._chosen[found] = using
        if not is_source and not path.endswith(NOTEBOOK):
            return using
        # Openers of one character stand in most source files, and in the output and the pictures of a notebook.
        searches = [(dialect, _source_searches(dialect.NAME)) for dialect in using]
        return tuple([one for one, mine in searches if any(find(data) for find in mine) or not (mine or is_source)])


@cache
def _source_searches(name: str) -> tuple[Callable[[bytes], object], ...]:
    return tuple(re.compile(pattern).search for pattern in get_capabilities(name).in_source)


def extract(document: Document, using: tuple[Dialect, ...]) -> list[Citation | Malformed]:
    """The citations of several dialects in one document, in order; of overlapping ones the lower rank stays."""
    return list(scan(document, using))


def scan(document: Document, using: tuple[Dialect, ...]) -> Iterator[Citation | Malformed]:
    """The same one by one, each read when it is asked for."""
    found: Iterator[Citation | Malformed] | None = None
    if document.mirrored is None:
        using = tuple(dialect for dialect in using if get_capabilities(dialect.NAME).needs != "mirrors")
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

"""Documents that are cited: each read once for as long as it stays the same, and never outside the root."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from os import fspath
from os.path import abspath
from threading import Lock
from time import time_ns

from ...core.errors import Blocked, Missing, Refused
from ...core.limits import LIMITS, Limits
from ...safe.files import Root, stat_path, take_path
from ...search.line_offsets import LineIndex
from ...text.lines import decode, join
from .foreign_offsets import Offsets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike, stat_result

    from ...search.passages.model import DocumentReading

_BOM = b"\xef\xbb\xbf"
_UNSETTLED = 2_000_000_000
"""Nanoseconds after a change in which another one could leave the same time behind."""


class CitedDocument:
    """One document as it was read. What is asked about it is worked out once."""

    def __init__(self, path: str, data: bytes, info: stat_result, before: int) -> None:
        """`before` is a time, in nanoseconds, at which nothing of it had been read."""
        self.place = path
        """Where it was read from: a path that can be asked for its status."""
        self.name = path.rpartition("/")[2]
        self.relative: str | None = None
        """The path from the root; None where there is no root."""
        self.size = len(data)
        self.text = text = decode(data)
        self.length = len(text)
        self.note(info, before)
        self._marked = data.startswith(_BOM)
        self._asked = False

    def note(self, info: stat_result, before: int) -> None:
        """Remember the status under which the text was seen."""
        changed = info.st_ctime_ns
        self.mark = (changed, info.st_size, info.st_ino, info.st_dev)
        self.settled = changed < before - _UNSETTLED
        self.modified = max(changed, info.st_mtime_ns) / 1e9
        """Seconds since the epoch at which it was last touched in any way."""

    @cached_property
    def lines(self) -> LineIndex:
        """Which line an offset is on."""
        return LineIndex(self.text)

    def is_first_look(self) -> bool:
        """Whether its line ends are to be counted as they come: from the second time on an index pays."""
        if self._asked or "lines" in self.__dict__ or "\r" in self.text:
            return False
        self._asked = True
        return True

    @cached_property
    def offsets(self) -> Offsets:
        """Offsets of other units."""
        return Offsets(self.text)

    @cached_property
    def reading(self) -> DocumentReading:
        """What a reader sees of it as HTML; raises Refused where that is unknown."""
        from ...search.passages import read

        return read("html", self.text, self.name)

    def holds(self, words: str, start: int, end: int) -> bool:
        """Whether the words stand between the offsets; an index may have trimmed them of white space."""
        if not 0 <= start <= end <= self.length:
            return False
        there = self.text[start:end]
        return there == words or (bool(words) and there.strip() == words)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes that were read."""
        data = self.text.encode()
        return sha256(_BOM + data if self._marked else data).hexdigest()

    def places(self, start: int, end: int) -> dict[str, int]:
        """Where a stretch stands, as a citation names it."""
        return {"line_number": self.lines.line(start), "end_line": self.lines.line(max(start, end - 1))}


class CitedPages:
    """A PDF whose text is taken out when its digest does not settle the matter.

    Offsets count in the text of pages joined by form feeds.
    """

    def __init__(self, path: str, sources: CitedDocuments, opening: LazyRoot) -> None:
        """Raises Blocked, Missing or Unreadable."""
        self._limits = sources.limits
        self._path = path
        self._data, info = sources.take(path, opening, sources.limits.pdf_bytes)
        self._trouble: Refused | None = None
        self.modified = max(info.st_mtime, info.st_ctime)
        self.digest = sha256(self._data).hexdigest()

    @cached_property
    def text(self) -> str:
        """All pages; raises Refused."""
        from ...search.document_text import take_in

        # It may have taken a minute to fail: once is enough for all its citations.
        if self._trouble is not None:
            raise self._trouble
        try:
            return take_in(self._path, self._data, self._limits).text
        except Refused as refused:
            self._trouble = refused
            raise

    def places(self, start: int, end: int) -> dict[str, int]:
        """Where a stretch stands, as a citation names it."""
        return {"page": self.text.count("\f", 0, start) + 1}


class LazyRoot:
    """A root that is opened when something has to be read below it, for as long as one question takes.

    Folders that are replaced between two questions are looked up anew.
    """

    def __init__(self, top: str | None, limits: Limits) -> None:
        self._top = top
        self._limits = limits

    def __enter__(self) -> LazyRoot:
        return self

    def __exit__(self, *_: object) -> None:
        if "root" in self.__dict__:
            self.root.close()

    @cached_property
    def root(self) -> Root:
        """The root; raises Missing where it is gone, or where there is none."""
        if self._top is None:
            raise Missing("")
        return Root(self._top, self._limits)


class CitedDocuments:
    """Every document that a service reads, by the path it is cited under. Safe to use from several threads."""

    def __init__(self, root: str | PathLike[str] | None, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self.top: str | None = None
        """The root's own path, links resolved; None where there is none."""
        self._tops: tuple[str, ...] = ()
        self._held: dict[str, CitedDocument] = {}
        self._bytes = 0
        self._lock = Lock()
        if root is not None:
            with Root(fspath(root), limits) as opened:
                self.top = opened.path
            self._tops = tuple({f"{top.rstrip('/')}/": None for top in (abspath(fspath(root)), self.top)})

    def opening(self) -> LazyRoot:
        """The root for one question."""
        return LazyRoot(self.top, self.limits)

    def key_of(self, path: str) -> str:
        """The path from the root of a path as a hit gives it; raises Blocked for one that does not lie below it."""
        for top in self._tops:
            if path.startswith(top):
                return path[len(top) :]
        if path.startswith("/"):
            raise Blocked("outside the root")
        return path

    def relative(self, path: str) -> str | None:
        """The path from the root, tidied; None where there is no root or the document is not below it."""
        if self.top is None:
            return None
        try:
            tidy = join("", self.key_of(path))
        except Blocked:
            return None
        return None if not tidy or tidy.split("/", 1)[0] == ".." else tidy

    def get(self, path: str, opening: LazyRoot) -> CitedDocument:
        """The document at a path as it is now; raises Blocked, Missing or Unreadable."""
        known = self._held.get(path)
        if known is not None and known.settled:
            info = stat_path(known.place)
            if info is not None and (info.st_ctime_ns, info.st_size, info.st_ino, info.st_dev) == known.mark:
                return known
        before = time_ns()
        data, info = self.take(path, opening)
        source = CitedDocument(path if self.top is None else f"{self.top}/{self.key_of(path)}", data, info, before)
        if known is not None and known.text == source.text and known.size == source.size:
            # The same words, touched: what was worked out about them still holds.
            known.note(info, before)
            return known
        if self.top is not None:
            source.relative = self.relative(path)
        self._keep(path, source)
        return source

    def take(self, path: str, opening: LazyRoot, limit: int | None = None) -> tuple[bytes, stat_result]:
        """The bytes at a path and their status; raises Blocked, Missing or Unreadable."""
        bound = self.limits.source_bytes if limit is None else limit
        if self.top is None:
            return take_path(path, bound)
        try:
            return opening.root.take(self.key_of(path), bound)
        except Blocked:
            raise Blocked("outside the root") from None

    def _keep(self, path: str, source: CitedDocument) -> None:
        """Hold on to a document, letting go of those held longest."""
        with self._lock:
            old = self._held.pop(path, None)
            self._bytes += source.size - (old.size if old is not None else 0)
            self._held[path] = source
            while self._bytes > self.limits.cached_source_bytes:
                first = next(iter(self._held))
                self._bytes -= self._held.pop(first).size


def is_pdf(path: str) -> bool:
    """Whether a document is a PDF, by its name: it has pages, and no lines."""
    return path[-4:].lower() == ".pdf"

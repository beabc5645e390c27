"""The last run, kept so that a run over unchanged files costs about a stat of each.

It lies in the user's cache folder, in the part that belongs to this very root; what a tree brings is never looked at.
A snapshot lists every path the answer depended on (documents, cited files, folders, git's own files) with its change
time, size and inode. The change time is set by the kernel, so neither `touch` nor a file shipped in a hostile
repository can fake it. What changed so shortly before the run that the clock could not tell is never trusted.
"""

from __future__ import annotations

from contextlib import suppress
from time import time_ns
from typing import TYPE_CHECKING

from msgspec import Raw, Struct
from msgspec.msgpack import Decoder, Encoder, decode

from .._version import __version__
from ..core.errors import PinciteError
from ..core.limits import LIMITS
from ..core.model import Report
from ..safe.files import Root
from ..safe.write import put
from ..text.source_comments import is_silent_source
from . import UNSETTLED
from .cache_folder import drop_oldest, load_kept, make_room, name_root, open_root_cache
from .watched_files import note_marks, retake_marks

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX = "check-"
_MOST_SPOKEN = 64 * 1024 * 1024
"""Bytes of reports that are kept: a run with more to say is not remembered, since remembering would fill memory."""
_KEPT = 8


class DocumentRecord(Struct, array_like=True, frozen=True, gc=False):
    """One document: its place among the watched paths, what it cites, and what was found."""

    path: int
    sources: tuple[int, ...]
    held: int
    first: int = 0
    """Which of the stored reports is its first."""
    parts: int = 0
    """How many of them are its own; 0 where there is nothing to say but how many citations hold."""
    compared: int = 0
    """Of a document with nothing to say: its citations that were compared with history."""


class _Stored(Struct, array_like=True):
    version: str
    key: str
    head: str
    drift: str
    watched: list[str]
    marks: list[int]
    plain_documents: int
    plain_held: int
    plain_compared: int
    spoken: list[memoryview]
    """The encoded reports of documents with something to say, part by part, in order."""
    entries: Raw


class LastRun:
    """The stored answer of one kind of run (`key`), and the making of the next."""

    def __init__(self, root: Root, key: str) -> None:
        self.root = root
        # What belongs to a root says so itself, too: a file moved from one folder to another is not believed.
        self.key = f"{name_root(root)}-{key}"
        self.name = f"{_PREFIX}{key[:16]}"
        self.started = time_ns()
        self._old = self._load()
        self._marks: list[int] = []
        self._stands: list[int] = []
        """The marks of an answer that stands: one that did not change, or was just saved."""
        self._standing_paths: list[str] = []
        """What these marks are of."""
        self._numbers: dict[str, int] = {}
        """Every path this run depends on, numbered in the order they came."""
        self._rows = bytearray()
        self._documents = self._plain = self._held = self._compared = 0
        self._spoken: list[bytes | memoryview] = []
        self._first = self._size = 0
        """Where the reports of the document begin that is being noted, and how many bytes all have."""
        self._whole = True
        """False once something could not be noted: a name that is not UTF-8, or too much."""

    def is_unchanged(self) -> bool:
        """Whether every path the stored answer depended on is as it was."""
        old = self._old
        if old is None:
            return False
        self._marks = retake_marks(self.root.path, old.watched, old.marks)
        same = self._marks == old.marks and self._is_readable()
        self._stands, self._standing_paths = (self._marks, old.watched) if same else ([], [])
        return same

    def is_still_standing(self) -> bool:
        """Whether an answer that stood, or was saved, stands now: costs a look at every path, and reads no report."""
        return bool(self._stands) and retake_marks(self.root.path, self._standing_paths, self._stands) == self._stands

    def drop_reports(self) -> None:
        """Let go of everything but what tells whether the answer still stands."""
        self._old = None
        self._forget()

    def _is_readable(self) -> bool:
        """Whether every stored report can be read; what cannot is no answer, and its parts are none either."""
        try:
            # One by one: all of them at once would fill memory.
            for _ in self.iter_reports():
                continue
        except (ValueError, RecursionError):
            self._old = None
        return self._old is not None

    @property
    def identity(self) -> str:
        """Distinguishes what this answer depended on, as it is now; empty where that is not known."""
        if not self._stands:
            return ""
        from hashlib import sha256

        return sha256(_ENCODER.encode((self.key, self._stands))).hexdigest()

    @property
    def head(self) -> str:
        """The commit of the stored run; empty outside git or before the first run."""
        return self._old.head if self._old is not None else ""

    @property
    def drift(self) -> str:
        """Why the stored run did not compare with history, if it did not."""
        return self._old.drift if self._old is not None else ""

    def totals(self) -> tuple[int, int, int]:
        """Documents with nothing to say, the citations in them that hold, and those compared with history."""
        old = self._old
        return (old.plain_documents, old.plain_held, old.plain_compared) if old is not None else (0, 0, 0)

    def iter_reports(self) -> Iterator[Report]:
        """The stored reports of documents with something to say, part by part, where nothing changed."""
        reports = Decoder(Report)
        for data in self._old.spoken if self._old is not None else ():
            yield reports.decode(data)

    def standing(self, unsettled: str) -> dict[str, DocumentRecord]:
        """The stored documents that did not change and cite nothing that did.

        Those that depend on `unsettled` are left out: a change anywhere may bring new evidence for them.
        """
        old = self._old
        if old is None or not self._is_readable():
            return {}
        separate = old.watched.index(unsettled) if unsettled in old.watched else -1
        marks = self._marks or retake_marks(self.root.path, old.watched, old.marks)
        same = [marks[at : at + 3] == old.marks[at : at + 3] for at in range(0, len(marks), 3)]
        try:
            entries = decode(old.entries, type=list[DocumentRecord])
            return {
                old.watched[entry.path]: entry
                for entry in entries
                if same[entry.path] and separate not in entry.sources and all(same[source] for source in entry.sources)
            }
        except (ValueError, IndexError):
            return {}

    def sources_of(self, entry: DocumentRecord) -> tuple[str, ...]:
        """The paths a stored document depended on."""
        return tuple(self._old.watched[source] for source in entry.sources) if self._old is not None else ()

    def remember(self, path: str, sources: tuple[str, ...], report: Report, plain: bool) -> None:
        """Note one document of this run; of one in parts every part, and what it depends on with the last."""
        if UNSETTLED in sources:
            self._forget()
        if not self._whole:
            return
        try:
            if not plain or len(self._spoken) > self._first:
                self._add(_ENCODER.encode(report))
            if not report.more:
                self._note(path, sources, report.held, report.compared)
        except UnicodeEncodeError:
            self._forget()

    def keep(self, path: str, entry: DocumentRecord) -> Iterator[Report]:
        """Note a document whose stored answer still stands, and give it."""
        if not entry.parts or self._old is None:
            self._note(path, self.sources_of(entry), entry.held, entry.compared)
            yield Report(path, held=entry.held, compared=entry.compared)
            return
        reports = Decoder(Report)
        for data in self._old.spoken[entry.first : entry.first + entry.parts]:
            self._add(data)
            yield reports.decode(data)
        self._note(path, self.sources_of(entry), entry.held, entry.compared)

    def _add(self, data: bytes | memoryview) -> None:
        self._size += len(data)
        if self._size > _MOST_SPOKEN:
            self._forget()
        elif self._whole:
            self._spoken.append(data)

    def _forget(self) -> None:
        """Let go of what was noted: this run cannot be remembered."""
        self._whole = False
        self._spoken.clear()
        self._rows.clear()
        self._numbers.clear()

    def _note(self, path: str, sources: tuple[str, ...], held: int, compared: int) -> None:
        if not self._whole:
            return
        # Encoded at once: a million citations as objects would take several hundred megabytes.
        numbers = tuple([self._number(source) for source in sources])
        first, parts = self._first, len(self._spoken) - self._first
        self._rows += _ENCODER.encode(DocumentRecord(self._number(path), numbers, held, first, parts, compared))
        self._first = len(self._spoken)
        self._documents += 1
        if not parts:
            self._plain += not is_silent_source(path, held)
            self._held += held
            self._compared += compared

    def depends_on(self, path: str) -> bool:
        """Whether an answer of this run depends on a path."""
        return path in self._numbers

    def stands(self, path: str) -> bool:
        """Whether a path that the stored run depended on is as it was, or none of its answers did."""
        old = self._old
        if old is None or path not in old.watched:
            return old is not None
        at = 3 * old.watched.index(path)
        marks = self._marks or retake_marks(self.root.path, old.watched, old.marks)
        return marks[at : at + 3] == old.marks[at : at + 3]

    def _number(self, path: str) -> int:
        return self._numbers.setdefault(path, len(self._numbers))

    def save(self, listing: list[str], head: str, drift: str) -> None:
        """Write this run's answer; a cache that cannot be written is no reason to fail."""
        if not self._whole:
            return
        for path in listing:
            self._number(path)
        watched = list(self._numbers)
        marks = note_marks(self.root.path, watched, self.started)
        stored = _Stored(
            __version__,
            self.key,
            head,
            drift,
            watched,
            marks,
            self._plain,
            self._held,
            self._compared,
            [memoryview(data) for data in self._spoken],
            Raw(_ARRAY + self._documents.to_bytes(4, "big") + self._rows),
        )
        try:
            with open_root_cache(self.root) as cache:
                put(cache, self.name, _ENCODER.encode(stored), lasting=False)
                # Each way of calling `check` has its own; another process may be at the same.
                with suppress(OSError):
                    drop_oldest(cache.folder(""), LIMITS.snapshot_bytes, _KEPT, _PREFIX)
            make_room(name_root(self.root))
        except (PinciteError, UnicodeEncodeError):
            return
        self._stands, self._standing_paths = marks, watched

    def _load(self) -> _Stored | None:
        stored = load_kept(self.root, self.name, _Stored, LIMITS.snapshot_bytes)
        if stored is None or (stored.version, stored.key) != (__version__, self.key):
            return None
        return stored if len(stored.marks) == 3 * len(stored.watched) else None


_ENCODER = Encoder()
_ARRAY = b"\xdd"
"""What msgpack begins a long array with; its length follows in four bytes."""

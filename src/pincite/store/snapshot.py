"""The last run, kept so that a run over unchanged files costs about a stat of each.

A snapshot lists every path the answer depended on (documents, cited files, folders, git's own files) with its change
time, size and inode. The change time is set by the kernel, so neither `touch` nor a file shipped in a hostile
repository can fake it. What changed so shortly before the run that the clock could not tell is never trusted.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import sleep, time_ns

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.msgpack import Decoder, Encoder, decode

from .._version import __version__
from ..errors import PinciteError, Refused
from ..model import Report
from ..safe.files import Root
from ..safe.write import make_folders, put
from . import FOLDER, UNSETTLED
from .marks import MARGIN, settled, take

_LARGEST = 512 * 1024 * 1024
_KEPT = 8


class Entry(Struct, array_like=True, frozen=True, gc=False):
    """One document: its place among the watched paths, what it cites, and what was found."""

    path: int
    sources: tuple[int, ...]
    held: int
    report: bytes
    """The encoded report; empty where there is nothing to say but how many citations hold."""


class _Stored(Struct, array_like=True):
    version: str
    key: str
    head: str
    drift: str
    watched: list[str]
    marks: list[int]
    plain_documents: int
    plain_held: int
    spoken: list[bytes]
    """The encoded reports of documents with something to say, in order."""
    entries: Raw


class Snapshot:
    """The stored answer of one kind of run (`key`), and the making of the next."""

    def __init__(self, root: Root, key: str) -> None:
        self.root = root
        self.key = key
        self.name = f"{FOLDER}/check-{key[:16]}"
        self.started = time_ns()
        self._old = self._load()
        self._marks: list[int] = []
        self._numbers: dict[str, int] = {}
        """Every path this run depends on, numbered in the order they came."""
        self._rows = bytearray()
        self._documents = self._plain = self._held = 0
        self._spoken: list[bytes] = []
        self._whole = True
        """False once something could not be noted: a name that is not UTF-8."""

    def unchanged(self) -> bool:
        """Whether every path the stored answer depended on is as it was."""
        old = self._old
        if old is None:
            return False
        self._marks = take(self.root.path, old.watched)
        return self._marks == old.marks

    @property
    def head(self) -> str:
        """The commit of the stored run; empty outside git or before the first run."""
        return self._old.head if self._old is not None else ""

    @property
    def drift(self) -> str:
        """Why the stored run did not compare with history, if it did not."""
        return self._old.drift if self._old is not None else ""

    def totals(self) -> tuple[int, int]:
        """Documents with nothing to say, and the citations in them that hold."""
        return (self._old.plain_documents, self._old.plain_held) if self._old is not None else (0, 0)

    def spoken(self) -> list[Report]:
        """The stored reports of documents with something to say."""
        reports = Decoder(Report)
        return [reports.decode(data) for data in self._old.spoken] if self._old is not None else []

    def standing(self, unsettled: str) -> dict[str, Entry]:
        """The stored documents that did not change and cite nothing that did.

        Those that depend on `unsettled` are left out: a change anywhere may bring new evidence for them.
        """
        old = self._old
        if old is None:
            return {}
        apart = old.watched.index(unsettled) if unsettled in old.watched else -1
        marks = self._marks or take(self.root.path, old.watched)
        same = [marks[at : at + 3] == old.marks[at : at + 3] for at in range(0, len(marks), 3)]
        try:
            entries = decode(old.entries, type=list[Entry])
            return {
                old.watched[entry.path]: entry
                for entry in entries
                if same[entry.path] and apart not in entry.sources and all(same[source] for source in entry.sources)
            }
        except (ValidationError, IndexError):
            return {}

    def sources_of(self, entry: Entry) -> tuple[str, ...]:
        """The paths a stored document depended on."""
        return tuple(self._old.watched[source] for source in entry.sources) if self._old is not None else ()

    def remember(self, path: str, sources: tuple[str, ...], report: Report, plain: bool) -> None:
        """Note one document of this run."""
        if UNSETTLED in sources:
            self._whole = False
            return
        try:
            self._note(path, sources, report.held, b"" if plain else _ENCODER.encode(report))
        except UnicodeEncodeError:
            self._whole = False

    def keep(self, path: str, entry: Entry) -> None:
        """Note a document whose stored answer still stands."""
        self._note(path, self.sources_of(entry), entry.held, entry.report)

    def _note(self, path: str, sources: tuple[str, ...], held: int, report: bytes) -> None:
        # Encoded at once: a million citations as objects would take several hundred megabytes.
        numbers = tuple([self._number(source) for source in sources])
        self._rows += _ENCODER.encode(Entry(self._number(path), numbers, held, report))
        self._documents += 1
        if report:
            self._spoken.append(report)
        else:
            self._plain += 1
            self._held += held

    def _number(self, path: str) -> int:
        return self._numbers.setdefault(path, len(self._numbers))

    def save(self, listing: list[str], head: str, drift: str) -> None:
        """Write this run's answer; a cache that cannot be written is no reason to fail."""
        if not self._whole:
            return
        for path in listing:
            self._number(path)
        watched = list(self._numbers)
        marks = settled(take(self.root.path, watched), self.started)
        stored = _Stored(
            __version__,
            self.key,
            head,
            drift,
            watched,
            marks,
            self._plain,
            self._held,
            self._spoken,
            Raw(_ARRAY + self._documents.to_bytes(4, "big") + self._rows),
        )
        try:
            prepare(self.root)
            put(self.root, self.name, _ENCODER.encode(stored), lasting=False)
            self._prune()
        except (PinciteError, UnicodeEncodeError):
            return

    def _load(self) -> _Stored | None:
        try:
            data = self.root.read(self.name, _LARGEST)
            stored = Decoder(_Stored).decode(data)
        except (Refused, DecodeError, RecursionError):
            return None
        fits = stored.version == __version__ and stored.key == self.key and len(stored.marks) == 3 * len(stored.watched)
        return stored if fits else None

    def _prune(self) -> None:
        """Keep the few newest snapshots: each way of calling `check` has its own."""
        folder = self.root.folder(FOLDER)
        # Another process may be at the same.
        with suppress(OSError):
            names = [name for name in os.listdir(folder) if name.startswith("check-")]
            if len(names) > _KEPT:
                names.sort(key=lambda name: os.stat(name, dir_fd=folder, follow_symlinks=False).st_mtime_ns)
                for name in names[:-_KEPT]:
                    os.unlink(name, dir_fd=folder)


_ENCODER = Encoder()
_ARRAY = b"\xdd"
"""What msgpack begins a long array with; its length follows in four bytes."""


def prepare(root: Root) -> None:
    """Make the folder for what is kept between runs, ignored by git; raises Refused where it cannot be made."""
    if root.stat(f"{FOLDER}/.gitignore") is not None:
        return
    make_folders(root, FOLDER)
    put(root, f"{FOLDER}/.gitignore", b"*\n")
    # The folder's making changed the root; wait until the clock can tell that from a later change.
    sleep(2 * MARGIN / 1e9)

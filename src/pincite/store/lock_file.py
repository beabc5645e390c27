"""The lock at rest: what citations without a snippet rested on when they were read, one line each in `pincite.lock`."""

from __future__ import annotations

import re
from contextlib import contextmanager
from stat import S_ISDIR
from typing import TYPE_CHECKING

from msgspec import DecodeError
from msgspec.json import decode, encode

from ..core.errors import Conflict, Missing, Refused, UsageError
from ..core.model import CURRENT_REVISIONS
from ..text.lines import BOM, join, shorten
from . import LOCK
from .accepted_file import MERGE_MARKS, Acceptance
from .lock_entry import HEAD, LockedLines, LockEntry, locked_of, name_of, problem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..core.model import Citation
    from ..safe.files import Root

_VERSION = 1
_START = re.compile(rb'\{"id":"([0-9a-f]{8,64})","document":("(?:[^"\\]|\\.)*+"),"cites":("(?:[^"\\]|\\.)*+"),"')
_PLAIN = re.compile(rb'"[ -!#-\[\]-~]*"')
_ANEW = "restore the line, or delete it and run `pincite lock`"


class Locks:
    """Every entry of the lock, found by document and cited place; read in full when its document is asked for."""

    def __init__(self, data: bytes | None = None) -> None:
        """Takes in a file's bytes; raises UsageError naming line, problem and remedy, here or when it comes to it."""
        self.data = data
        """The file's bytes as they were read; None where there is none."""
        self._rows = [] if data is None else data.removeprefix(BOM).split(b"\n")
        self._ids: dict[bytes, int] = {}
        """Where each id stands among the rows."""
        self._where: dict[bytes, list[int]] = {}
        """Where each document's entries stand; its name is still in JSON."""
        self._cited: set[bytes] = set()
        self._held: dict[str, dict[str, list[LockEntry]]] = {}
        self._paths: frozenset[str] | None = None
        if data is not None:
            self._sort()

    @classmethod
    def load(cls, root: Root) -> Locks | None:
        """The lock below a root; None where there is none. Raises UsageError where it cannot be read."""
        try:
            if root.stat(LOCK) is None:
                # A link that leads nowhere, or out, is something else than no lock.
                root.locate(LOCK)
            return cls(root.read(LOCK, root.limits.lock_bytes))
        except Missing:
            info = root.stat(LOCK)
            if info is None:
                return None
            kind = "a folder" if S_ISDIR(info.st_mode) else "not a regular file"
            raise UsageError(f"{LOCK}: {kind}, so nothing can be locked; remove it or give it another name") from None
        except Refused as error:
            reason = "it leads outside the root" if error.kind == "path-blocked" else str(error)
            raise UsageError(f"{LOCK}: cannot be read ({reason}); correct the file or remove it") from None

    def __len__(self) -> int:
        return len(self._ids)

    def match(self, document: str, citations: Sequence[Citation]) -> list[LockedLines | None]:
        """What each of a document's citations rested on; they are all of its citations, in their order."""
        return [
            None if entry is None else locked_of(entry, sure) for entry, sure in self.match_entries(document, citations)
        ]

    def match_entries(self, document: str, citations: Sequence[Citation]) -> list[tuple[LockEntry | None, bool]]:
        """The entry of each citation, and whether it is certain that it is this citation's."""
        held = self._entries(document)
        if not held:
            return [(None, True)] * len(citations)
        named = [next((name for name in targets(citation) if name in held), "") for citation in citations]
        often: dict[str, int] = {}
        found: list[LockEntry | None] = []
        for name in named:
            at = often[name] = often.get(name, 0) + 1
            entries = held.get(name, [])
            found.append(entries[at - 1] if at <= len(entries) else None)
        return [(entry, often[name] <= len(held.get(name, ()))) for name, entry in zip(named, found, strict=True)]

    def of(self, document: str) -> list[LockEntry]:
        """A document's entries."""
        return [entry for entries in self._entries(document).values() for entry in entries]

    def citing(self, document: str, cites: str) -> list[LockEntry]:
        """A document's entries for one place, in order."""
        return self._entries(document).get(cites, [])

    @contextmanager
    def replace_entries(self, document: str, entries: Iterable[LockEntry]) -> Iterator[None]:
        """Have other entries for a document meanwhile."""
        known = self._entries(document)
        self._held[document] = _by_place(entries)
        try:
            yield
        finally:
            self._held[document] = known

    def row(self, entry: LockEntry) -> bytes:
        """The line of an entry, as the file has it."""
        return self._rows[self._ids[entry.id.encode()]]

    def ids(self) -> set[str]:
        """The id of every entry."""
        return {name.decode() for name in self._ids}

    def entries_by_id(self) -> dict[str, LockEntry]:
        """Every entry; raises UsageError where one cannot be read."""
        return {name.decode(): self._read(at) for name, at in self._ids.items()}

    def documents(self) -> list[str]:
        """Every document that has an entry."""
        return [decode(name, type=str) for name in self._where]

    def has_acceptances(self) -> bool:
        """Whether a reader accepted any of the citations."""
        return self.data is not None and b'"accepted":{' in self.data

    def acceptances_of(self, document: str) -> list[Acceptance]:
        """The citations of a document that a reader accepted."""
        return [
            Acceptance(document, one.citation, entry.cites, entry.digest, one.sentence, one.reason)
            for entry in self.of(document)
            if (one := entry.accepted) is not None
        ]

    def knows(self, path: str) -> bool:
        """Whether a file of that path is cited by any entry: then words that name it are a citation."""
        if self._paths is None:
            self._paths = frozenset(_text(name).rpartition(":")[0] for name in self._cited)
        return join("", path) in self._paths

    def _sort(self) -> None:
        """Put every row to its document; raises UsageError at the first that is no entry."""
        headed = False
        for at, row in enumerate(self._rows):
            if not row or row[-1] < 33:
                row = self._rows[at] = row.strip()
            start = _START.match(row) if headed else None
            if start is not None:
                id_, document, cites = start.groups()
                if _PLAIN.fullmatch(document) is None:
                    document = self._spell_name(at, document)
            elif not row:
                continue
            elif row[:7] in MERGE_MARKS:
                raise _wrong(at, "a merge is not finished", "remove its marks and keep the lines of both sides")
            elif not headed or row.startswith(b'{"pincite_lock"'):
                _check_head(at, row)
                headed = True
                continue
            else:
                entry = self._read(at)
                id_, document, cites = entry.id.encode(), _json(entry.document), encode(entry.cites)
            other = self._ids.setdefault(id_, at)
            if other == at:
                self._where.setdefault(document, []).append(at)
                self._cited.add(cites)
            elif self._rows[other] != row:
                raise _differing(at, other, id_.decode())
        if not headed:
            raise _wrong(0, "there is no first line", "restore the file, or delete it and run `pincite lock`")

    def _spell_name(self, at: int, document: bytes) -> bytes:
        """A document's name in the spelling of JSON that is looked for."""
        return _json(_text(document)) if _text(document) else _json(self._read(at).document)

    def _entries(self, document: str) -> dict[str, list[LockEntry]]:
        """A document's entries by what they cite, in order; raises UsageError where one cannot be obeyed."""
        held = self._held.get(document)
        if held is not None:
            return held
        seen: dict[tuple[str, int], int] = {}
        entries: list[LockEntry] = []
        for at in self._where.get(_json(document), ()):
            entry = self._read(at)
            other = seen.setdefault((entry.cites, entry.nth), at)
            if other != at:
                raise _differing(at, other, entry.id)
            entries.append(entry)
        held = self._held[document] = _by_place(entries)
        return held

    def _read(self, at: int) -> LockEntry:
        try:
            entry = decode(self._rows[at], type=LockEntry)
        except (DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise _wrong(at, f"not an entry of the lock ({shorten(str(error), 200)})") from None
        problem = problem_of(entry)
        if problem:
            raise _wrong(at, problem)
        return entry


def _by_place(entries: Iterable[LockEntry]) -> dict[str, list[LockEntry]]:
    """Entries by what they cite, in order."""
    held: dict[str, list[LockEntry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.nth):
        held.setdefault(entry.cites, []).append(entry)
    return held


def targets(citation: Citation) -> tuple[str, ...]:
    """The places a citation can be locked under, as entries name them; none where it is not one to lock."""
    lines, source = citation.lines, citation.source
    if lines is None or citation.quote is not None or lines.first < 1 or lines.last < lines.first:
        return ()
    if source.scheme == "file":
        keys = (source.key, citation.alternate) if citation.alternate else (source.key,)
    elif source.scheme == "permalink":
        revision, _, path = source.key.partition("@")[2].partition(":")
        if revision not in CURRENT_REVISIONS:
            return ()
        keys = (path,)
    else:
        return ()
    return tuple(dict.fromkeys(name_of(key, lines) for key in keys))


def save(root: Root, old: bytes | None, new: bytes) -> None:
    """Put a new lock in place of the one that was read (None: of none); raises Conflict or Refused."""
    from ..safe.write import create, replace

    if old is not None:
        replace(root, LOCK, old, new)
    elif root.stat(LOCK) is not None:
        raise Conflict(f"{LOCK}: appeared meanwhile; nothing was written. Run the command again.")
    else:
        create(root, LOCK, new)


def _check_head(at: int, row: bytes) -> None:
    """The first line says what the file is; raises UsageError where it is something else."""
    try:
        head = decode(row, type=dict[str, int])
    except (DecodeError, RecursionError, UnicodeDecodeError):
        head = {}
    version = head.get("pincite_lock")
    if version is None or len(head) != 1:
        raise _wrong(at, f"not the first line of a lock ({HEAD.decode()})", "restore it, or delete the file")
    if version != _VERSION:
        raise _wrong(at, f"version {version} of the lock is not known here", "use the pincite that wrote it")


def _text(name: bytes) -> str:
    """A name out of a row; empty where it is no JSON."""
    try:
        return decode(name, type=str)
    except (DecodeError, UnicodeDecodeError):
        return ""


def _json(text: str) -> bytes:
    """A name as rows hold it."""
    from ..safe.escape import json_text

    return json_text(text).encode()


def _differing(at: int, other: int, id_: str) -> UsageError:
    """A merge kept the lines of both sides, each of which had read something else."""
    remedy = f"delete line {other + 1} or line {at + 1}, then run `pincite lock`"
    return _wrong(at, f"line {other + 1} is an entry for {shorten(id_, 64)} too, and a different one", remedy)


def _wrong(at: int, problem: str, remedy: str = _ANEW) -> UsageError:
    return UsageError(f"{LOCK}:{at + 1}: {problem}; {remedy}")

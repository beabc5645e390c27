"""Which PDF the entry of a bibliography has: the one that it names, or one that goes by its key or its DOI.

It is looked for beside the bibliography, in the corpus folder, and in the folders that the settings or the user name
for that (Zotero's `storage/AB12CD34/…`, the `files/12/…` of its exports, or one flat folder).
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Missing, Refused
from ..core.limits import LIMITS
from ..papers.attachments import MOST_FILES, is_absolute
from ..papers.fields import fold_text
from ..papers.people import part_name
from ..safe.files import Root
from ..safe.git_names import has_git_name
from ..store import UNSETTLED
from ..text.lines import join, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..papers.model import Paper

_NUMBERED = re.compile(r"[A-Z0-9]{8}|[0-9]{1,9}")
"""The folders that Zotero keeps each file in, in its own storage and in its exports."""
_STORED = re.compile(r"(?:.*/)?storage/([A-Z0-9]{8}/[^/]+)", re.DOTALL)
_MOST_FOLDERS = 20_000
_MOST_WATCHED = 200
"""Folders of a storage that are watched; where there are more, the answer is worked out anew each time."""
_NO_FILE_NAME = re.compile(r'[/\\:*?"<>|]')
"""What a key or a DOI may hold and the name of a file may not."""
_STAND_INS = ("_", "-", "--", "__", ".", "+", "@", "~", "%2f", "%3a", ":", "\u2215", "\u2044")
_LONGEST_NAME = 200
_SHOWN = 3
_MOST_COMPARED = 5


class EntryPdf(Struct, frozen=True):
    """The PDF of an entry, or why there is none that can be taken."""

    key: str = ""
    """From the root; an absolute path where it lies in a folder that the user named."""
    trouble: str = ""
    looked: tuple[str, ...] = ()
    """What the answer depends on."""


class _PdfFolder:
    """A folder in which PDFs are looked for: below the root, or below another that the user named."""

    def __init__(self, root: Root, folder: str, is_outside: bool) -> None:
        self.root = root
        self.folder = folder
        self.is_outside = is_outside
        self.looked: dict[str, None] = {}
        """What its list of files depends on; the same for every entry."""

    def name_file(self, key: str) -> str:
        """What a file here is called for everyone else."""
        return os.path.join(self.root.path, key) if self.is_outside else key

    def watch(self, key: str) -> str:
        """What to watch for a change of a file or folder here; the root itself goes by its own path."""
        return os.path.join(self.root.path, key).rstrip("/") if self.is_outside or not key else key

    @cached_property
    def by_stem(self) -> dict[str, list[str]]:
        """The PDFs here and in numbered folders, by their names without the ending."""
        found: dict[str, list[str]] = {}
        numbered = 0
        self._take(found, self.folder)
        for box in (self.folder, join(self.folder, "storage"), join(self.folder, "files")):
            self.looked[self.watch(box)] = None
            for name in self.root.names(box):
                if _NUMBERED.fullmatch(name) and numbered < _MOST_FOLDERS:
                    numbered += 1
                    self._take(found, join(box, name))
                    self.looked[self.watch(join(box, name)) if numbered < _MOST_WATCHED else UNSETTLED] = None
        return found

    @cached_property
    def by_first_part(self) -> dict[str, list[str]]:
        """The same by what stands before ` - `: JabRef calls files `KEY - Title.pdf`."""
        found: dict[str, list[str]] = {}
        for stem, keys in self.by_stem.items():
            first, between, _ = stem.partition(" - ")
            if between:
                found.setdefault(first, []).extend(keys)
        return found

    @cached_property
    def by_folded_stem(self) -> dict[str, list[str]]:
        """The same by names without regard to case, as DOIs are compared."""
        found: dict[str, list[str]] = {}
        for stem, keys in self.by_stem.items():
            found.setdefault(stem.casefold(), []).extend(keys)
        return found

    def _take(self, found: dict[str, list[str]], folder: str) -> None:
        for name in self.root.names(folder):
            if name[-4:].lower() == ".pdf" and self.root.is_file(key := join(folder, name)):
                found.setdefault(name[:-4], []).append(key)

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.root.names(self.folder))

    def list_in(self, name: str) -> list[str]:
        """The PDFs in a folder of that name."""
        if name not in self._names:
            return []
        place = join(self.folder, name)
        found: dict[str, list[str]] = {}
        self._take(found, place)
        return [key for keys in found.values() for key in keys]


class EntryPdfs:
    """Finds the PDFs of entries; each is looked for once."""

    def __init__(
        self, root: Root, corpus: str, libraries: Iterable[str], has_entry: Callable[[str, str], bool]
    ) -> None:
        """`has_entry` says whether a bibliography has an entry of that key."""
        self._root = root
        self._has_entry = has_entry
        self._folders: dict[str, _PdfFolder] = {}
        self._libraries = [found for one in libraries if (found := self._open_library(one)) is not None]
        self._corpus = corpus
        self._known: dict[tuple[str, str], EntryPdf] = {}

    def _open_library(self, path: str) -> _PdfFolder | None:
        """A folder that was named; None where it is not there, or is git's own."""
        inside = path if not os.path.isabs(path) else _below(os.path.realpath(path), self._root.path)
        if inside is not None:
            return None if has_git_name(inside) else self._open(inside)
        try:
            return _PdfFolder(Root(path, self._root.limits), "", True)
        except Refused:
            return None

    def _open(self, folder: str) -> _PdfFolder:
        """A folder below the root."""
        folder = join("", folder)
        if folder not in self._folders:
            self._folders[folder] = _PdfFolder(self._root, folder, False)
        return self._folders[folder]

    def read(self, key: str, limit: int) -> bytes:
        """The bytes of a PDF by the key that it was found with; raises Refused."""
        for library in self._libraries if os.path.isabs(key) else ():
            if library.is_outside and (inside := _below(key, library.root.path)) is not None:
                return library.root.read(inside, limit)
        if has_git_name(key):
            raise Missing(key)
        return self._root.read(key, limit)

    def find(self, entry: Paper) -> EntryPdf:
        """The PDF of an entry."""
        known = self._known.get((entry.path, entry.id))
        if known is None:
            known = self._known[entry.path, entry.id] = self._find(entry)
        return known

    def _find(self, entry: Paper) -> EntryPdf:
        looked: dict[str, None] = {}
        found = self._find_attached(entry, looked)
        if not found:
            beside = self._open(entry.path.rpartition("/")[0])
            places = list(dict.fromkeys((beside, self._open(self._corpus), *self._libraries)))
            found = self._find_by_name(places, entry, looked)
        keys = tuple(looked)
        found = self._drop_copies(found)
        if len(found) > 1:
            shown = ", ".join(found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
            return EntryPdf("", f"{len(found)} PDFs may be @{entry.id} ({shown}); leave one in its `file` field", keys)
        if found:
            return EntryPdf(found[0], "", keys)
        away = next((path for path in entry.files if is_absolute(path)), "")
        if away and not entry.pdf:
            where = f"{shorten(away, _LONGEST_NAME)} is not read: it lies outside the root"
            return EntryPdf("", f"{where}; name its folder with PINCITE_LIBRARY", keys)
        return EntryPdf("", "", keys)

    def _drop_copies(self, found: list[str]) -> list[str]:
        """The same files without those that have the bytes of another: reference managers keep copies."""
        if not 1 < len(found) <= _MOST_COMPARED:
            return found
        by_digest: dict[bytes, str] = {}
        try:
            for key in found:
                by_digest.setdefault(sha256(self.read(key, LIMITS.pdf_bytes)).digest(), key)
        except Refused:
            return found
        return list(by_digest.values())

    def _find_attached(self, entry: Paper, looked: dict[str, None]) -> list[str]:
        """The PDFs that an entry names and that are there."""
        found: dict[str, None] = {}
        for path in (*filter(None, (entry.pdf,)), *entry.files[:MOST_FILES]):
            for folder, key in self._list_places(path, entry):
                looked[folder.watch(key)] = None
                if not has_git_name(key) and folder.root.is_file(key):
                    found[folder.name_file(key)] = None
                    break
        return list(found)

    def _list_places(self, path: str, entry: Paper) -> Iterator[tuple[_PdfFolder, str]]:
        """Where a file that an entry names may be, the likeliest place first."""
        beside = entry.path.rpartition("/")[0]
        if not is_absolute(path):
            yield self._open(beside), join(beside, path)
            yield from ((library, join(library.folder, path)) for library in self._libraries)
        for folder in (self._open(""), *self._libraries):
            inside = _below(path, folder.root.path) if is_absolute(path) else None
            if inside is not None:
                yield folder, inside
        stored = _STORED.fullmatch(path)
        name = path.rpartition("/")[2]
        for library in self._libraries:
            if stored is not None:
                yield library, join(library.folder, f"storage/{stored[1]}")
                yield library, join(library.folder, stored[1])
            elif _names_author(name, entry):
                yield library, join(library.folder, name)

    def _find_by_name(self, places: list[_PdfFolder], entry: Paper, looked: dict[str, None]) -> list[str]:
        """The PDFs that go by the key of an entry, else by its DOI, in the first folder that has any."""
        names = self._list_own_spellings(entry)
        for place in places:
            found: dict[str, None] = {}
            for name in names:
                found.update(dict.fromkeys((*place.by_stem.get(name, ()), *place.by_first_part.get(name, ()))))
                if name not in (".", "..") and not has_git_name(name):
                    looked[place.watch(join(place.folder, name))] = None
                    found.update(dict.fromkeys(place.list_in(name)))
            looked.update(place.looked)
            if found:
                return [place.name_file(key) for key in found]
        spelled = [place for place in places if place.by_stem] if entry.doi else []
        names = [name.casefold() for name in _list_spellings(entry.doi)] if spelled else []
        for place in spelled:
            keys = [key for name in names for key in place.by_folded_stem.get(name, ())]
            if keys:
                return [place.name_file(key) for key in dict.fromkeys(keys)]
        return []

    def _list_own_spellings(self, entry: Paper) -> list[str]:
        """The key of an entry as names of files have it, except for what is the key of another."""
        names = _list_spellings(entry.id)
        return [name for name in names if name == entry.id or not self._has_entry(entry.path, name)]

    def close(self) -> None:
        """Let go of the folders outside of the root."""
        for library in self._libraries:
            if library.is_outside:
                library.root.close()


def _below(path: str, folder: str) -> str | None:
    """A path from a folder that it lies below; None where it does not."""
    folder = folder.rstrip("/") + "/"
    return path[len(folder) :] if path.startswith(folder) and len(path) > len(folder) else None


def _list_spellings(name: str) -> list[str]:
    """A key or a DOI as names of files have it: as it is, or with one sign for each that they cannot hold."""
    if not 0 < len(name) <= _LONGEST_NAME:
        return []
    if _NO_FILE_NAME.search(name) is None:
        return [name]
    return [_NO_FILE_NAME.sub(sign, name) for sign in _STAND_INS]


def _names_author(name: str, entry: Paper) -> bool:
    """Whether a file is called after the first author: `paper.pdf` in another folder may be any other paper."""
    family = fold_text(part_name(entry.authors[0]).family) if entry.authors else ""
    return len(family) > 1 and family in fold_text(name[:_LONGEST_NAME])

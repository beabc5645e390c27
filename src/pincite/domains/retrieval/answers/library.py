"""All documents that an answer may quote, and which of them a citation means."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import UsageError
from ....safe.files import Root, walk
from ....safe.user_paths import refuse_way_out
from ....text.citation_styles import percent_decode
from ....text.lines import shorten
from .documents import AnswerDocument, embedded_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ....project.project import Project
    from .model import EmbeddedDocument, NamedDocument

MOST_FILES = 20_000
"""How many files one check may be given."""
_KEPT = 32 * 1024 * 1024
"""How many characters of documents are kept in memory at once; folded, each takes several bytes."""
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
# Endings by which a title is known to be the name of a file; `Node.js` is none.
_FILE = re.compile(r"\.(?:pdf|md|markdown|rst|txt|html?|docx?|pptx?|xlsx?|odt|csv|tsv|json|epub)\Z", re.IGNORECASE)


class CandidateDocuments(Struct, frozen=True):
    """Which documents a citation may mean."""

    documents: tuple[AnswerDocument, ...]
    sure: bool
    """Whether it can mean no other."""
    note: str = ""
    absent: bool = False
    """Whether the document it names is not at hand."""
    named: bool = False
    """Whether it was found by a name rather than by a number."""


class DocumentLibrary:
    """All documents that were given, in order."""

    def __init__(self, paths: Sequence[str] = ()) -> None:
        self.documents: list[AnswerDocument] = []
        self._roots: list[Root] = []
        self._recent: dict[AnswerDocument, int] = {}
        """What is held in memory, the longest unused first, and how large each is."""
        self._held = 0
        self._meant: dict[NamedDocument, CandidateDocuments] = {}
        self.is_ordered = bool(paths)
        """Whether every document was named one by one, so that its number means something."""
        self.folder = ""
        """The repository whose files these are; empty where they were named."""
        for path in paths:
            self._add(path)

    def __enter__(self) -> DocumentLibrary:
        return self

    def __exit__(self, *_: object) -> None:
        for root in self._roots:
            root.close()
        self._roots = []

    def _add(self, path: str) -> None:
        from ....search.passages import find_kind

        refuse_way_out(path)
        real = os.path.realpath(path)
        if os.path.isdir(real):
            self.is_ordered = False
            root = self._open(real)
            files, _ = walk(real, lambda name: name.rstrip("/").rpartition("/")[2].startswith("."))
            for key in files:
                kind = find_kind(key)
                if kind is not None and not key.rpartition("/")[2].startswith("."):
                    self._keep(
                        AnswerDocument(f"{path.rstrip('/')}/{key}" if path.strip("./") else key, root, key, kind)
                    )
        elif os.path.isfile(real):
            folder, name = os.path.split(real)
            self._keep(AnswerDocument(path, self._open(folder), name, find_kind(name) or "text"))
        else:
            what = "neither a file nor a folder" if os.path.lexists(path) else "no such file or folder"
            raise UsageError(f"{path}: {what}; --docs takes those that hold the documents")

    @property
    def is_assumed(self) -> bool:
        """Whether the documents that were sent may be others than these."""
        return bool(self.folder)

    def add_project(self, project: Project, leave_out: str = "") -> None:
        """Add the files of a project that `pincite search` indexes, except for the one at a path."""
        from ....project.documents import find_documents
        from ....safe.escape import whole
        from ....search.passages import find_kind

        config, root = project.config, self._open(project.root.path)
        self.folder = root.path
        own = os.path.realpath(leave_out) if leave_out else ""
        exclude = (*config.exclude, *config.retrieval.exclude)
        for key in find_documents(project.root, project.git(), (), ("",), exclude).documents:
            kind = find_kind(key)
            if kind is None or whole(key) != key or (own and os.path.realpath(os.path.join(root.path, key)) == own):
                continue
            self._keep(AnswerDocument(key, root, key, kind))

    def add_keys(self, project: Project, keys: Sequence[str]) -> None:
        """Add files of a project by their keys, in order; of a folder the files below it. Raises UsageError."""
        from ....project.documents import find_documents
        from ....search.passages import find_kind

        root = self._open(project.root.path)
        self.is_ordered = True
        for key in keys:
            if root.is_file(key):
                self._keep(AnswerDocument(key, root, key, find_kind(key) or "text"))
                continue
            self.is_ordered = False
            for below in find_documents(project.root, project.git(), (key,), ("",), ()).documents:
                kind = find_kind(below)
                if kind is not None:
                    self._keep(AnswerDocument(below, root, below, kind))

    def add_texts(self, texts: Mapping[str, str]) -> None:
        """Add documents by their names and texts, in order."""
        from ....search.passages import find_kind

        self.is_ordered = self.is_ordered or not self.documents
        for name, text in texts.items():
            document = AnswerDocument(name, kind="html" if find_kind(name) == "html" else "text")
            # Its digest is of what it would be as a file; offsets count in the text as it came.
            document.take(text.encode("utf-8", "replace"))
            document.use(text)
            self._keep(document)

    def add_files(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Add documents by their names and bytes, in order; what has no text is among them, and says why."""
        from ....search.passages import find_kind

        self.is_ordered = self.is_ordered or not self.documents
        for name, data in files:
            document = AnswerDocument(name, kind=find_kind(name) or "text")
            document.try_take(data)
            self._keep(document)

    def _open(self, folder: str) -> Root:
        self._roots.append(Root(folder))
        return self._roots[-1]

    def _keep(self, document: AnswerDocument) -> None:
        if len(self.documents) >= MOST_FILES:
            raise UsageError(f"more than {MOST_FILES:,} files; name the documents that were sent with --docs")
        self.documents.append(document)

    def meant(self, name: NamedDocument) -> CandidateDocuments:
        """The documents that a citation may mean."""
        known = self._meant.get(name)
        if known is None:
            known = self._meant[name] = self._find(name)
        return known

    def _find(self, name: NamedDocument) -> CandidateDocuments:
        address = _last_part(name.uri)
        for said in (name.filename, address, name.title, name.id):
            found = [one for one in self.documents if said and one.is_called(said)]
            if found:
                return self._choose_documents(found, name, said)
        if name.title:
            found = [one for one in self.documents if one.is_titled(name.title)]
            if found:
                return self._choose_documents(found, name, name.title)
        everything = tuple(self.documents)
        if name.index is not None and self.is_ordered:
            if name.index < len(self.documents):
                return CandidateDocuments((self.documents[name.index],), True)
            return CandidateDocuments(everything, False, f"there is no document {name.index} among --docs", absent=True)
        # Any other label may be made up for a document that is here.
        if name.filename or name.is_web or _ENDING.search(address) or _FILE.search(name.title):
            return CandidateDocuments(everything, False, f"{shorten(name.text, 200)} is not among --docs", absent=True)
        return CandidateDocuments(
            everything, False, f"it is unclear which document {shorten(name.text, 200)} is; all were searched"
        )

    def _choose_documents(self, found: list[AnswerDocument], name: NamedDocument, said: str) -> CandidateDocuments:
        if len(found) == 1:
            return CandidateDocuments((found[0],), True, named=True)
        if name.index is not None and self.is_ordered and name.index < len(self.documents):
            numbered = self.documents[name.index]
            if numbered in found:
                return CandidateDocuments((numbered,), True, named=True)
        note = f"{len(found)} documents are called {shorten(said, 200)}; all of them were searched"
        return CandidateDocuments(tuple(found), False, note, named=True)

    def note_use(self, document: AnswerDocument) -> None:
        """Note that a document was looked into; those that were not for longest are let go of when all are too much."""
        if not document.is_held:
            return
        size = document.size
        self._held += size - self._recent.pop(document, 0)
        self._recent[document] = size
        while self._held > _KEPT and len(self._recent) > 1:
            oldest = next(iter(self._recent))
            self._held -= self._recent.pop(oldest)
            oldest.forget()


def _last_part(uri: str) -> str:
    """What stands behind the last slash of an address, as the name of a file."""
    path = uri.partition("#")[0].partition("?")[0]
    scheme, found, rest = percent_decode(path).partition("://")
    last = (rest if found else scheme).rstrip("/").rpartition("/")
    # An address without a path names no file.
    return last[2] if last[1] or not found else ""


class RequestDocuments:
    """The documents that came with the request: evidence besides those that were named with `--docs`."""

    def __init__(self, held: Sequence[EmbeddedDocument]) -> None:
        self._held = held
        self._read: dict[int, AnswerDocument | None] = {}

    def __len__(self) -> int:
        return len(self._held)

    @property
    def documents(self) -> list[AnswerDocument]:
        """Those whose text is at hand, in order."""
        return [found for at in range(len(self._held)) if (found := self.read(at)) is not None]

    def read(self, at: int | None) -> AnswerDocument | None:
        """One of them; None where its text is not at hand."""
        if at is None or not 0 <= at < len(self._held):
            return None
        if at not in self._read:
            self._read[at] = embedded_document(self._held[at])
        return self._read[at]

    def find(self, name: NamedDocument) -> int | None:
        """The only one that is called so; None where none or several are."""
        for kind in ("id", "filename", "uri", "title"):
            said = getattr(name, kind).casefold()
            found = [at for at, one in enumerate(self._held) if said and said in _names(one)]
            if len(found) == 1:
                return found[0]
        return None

    def name(self, at: int, name: NamedDocument) -> NamedDocument:
        """What a citation calls one of them, and what the request calls it besides."""
        from msgspec.structs import replace

        own = self._held[at].name
        fields = ("title", "filename", "uri", "id")
        return replace(name, **{field: getattr(name, field) or getattr(own, field) for field in fields})

    def number(self, at: int, among: int) -> int | None:
        """The number of one of them among so many files that were named in order; None where it is unknown."""
        if among == len(self._held):
            return at
        absent = [row for row in range(len(self._held)) if self.read(row) is None]
        return absent.index(at) if among == len(absent) and at in absent else None


def _names(held: EmbeddedDocument) -> set[str]:
    said = (held.name.id, held.name.filename, held.name.uri, _last_part(held.name.uri), held.name.title)
    return {one.casefold() for one in said if one}

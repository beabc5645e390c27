"""Everything captured that citations may mean: this machine's store, bundles in the tree, and the document itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..attached import Attached, read_attached
from ..store.bundle import MANIFEST, Item, read_item, read_manifest
from ..store.captures import Captures
from ..store.database import WATCHED, Damaged, StoreTrouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from . import World


class Candidate(Struct, frozen=True):
    """A text that an id may mean, and how to get it."""

    digest: str
    given: str = ""
    masked: int = 0
    place: str = ""
    item: Item | None = None
    piece: Attached | None = None


class Captured:
    """What is looked for once per run: the store, and the bundles of the tree."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.trouble: list[str] = []
        """What could not be read, in words."""
        self._store: Captures | None = None
        try:
            self._store = Captures.open(world.root)
        except StoreTrouble as error:
            self.trouble.append(str(error))
        self._bundles: list[tuple[str, Item]] = []
        self._keys = manifests(world)
        for key in self._keys:
            try:
                self._bundles += [(key, item) for item in read_manifest(world.root, key).chunks]
            except StoreTrouble as error:
                self.trouble.append(str(error))

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def find(self, prefix: str) -> list[Candidate]:
        """The different texts an id may mean, one candidate for each; the store's own comes first."""
        for key in (*WATCHED, *self._keys):
            self._world.touched[key] = None
        found: dict[str, Candidate] = {}
        for candidate in (*self._stored(prefix), *self._bundled(prefix), *self._attached(prefix)):
            known = found.setdefault(candidate.digest, candidate)
            if known.given and not candidate.given:
                found[candidate.digest] = candidate
        return list(found.values())

    def data(self, candidate: Candidate) -> bytes:
        """The bytes of a candidate, their digest compared; raises StoreTrouble."""
        if candidate.piece is not None:
            if candidate.piece.data is None:
                raise Damaged(f"{candidate.place}: the attached output {candidate.digest[:12]} was changed")
            return candidate.piece.data
        if candidate.item is not None:
            return read_item(self._world.root, candidate.place, candidate.item)
        if self._store is None:
            raise StoreTrouble("the store was closed")
        return self._store.text(candidate.digest)

    def _stored(self, prefix: str) -> Iterator[Candidate]:
        if self._store is None:
            return
        try:
            for known in self._store.find(prefix):
                masked = next((chunk.masked for chunk in self._store.occurrences(known.digest)), 0)
                self._world.touched[self._store.key(known.digest)] = None
                yield Candidate(known.digest, known.given, masked)
        except StoreTrouble as error:
            self.trouble.append(str(error))

    def _bundled(self, prefix: str) -> Iterator[Candidate]:
        for key, item in self._bundles:
            given = item.id if item.external else ""
            if item.digest.startswith(prefix) or given.startswith(prefix):
                self._world.touched[key.removesuffix(MANIFEST) + item.file] = None
                given = "" if item.digest.startswith(prefix) else given
                yield Candidate(item.digest, given, item.masked, key, item)

    def _attached(self, prefix: str) -> Iterator[Candidate]:
        document = self._world.document
        for piece in read_attached(document.text) if document is not None and "<details" in document.text else ():
            if piece.digest.startswith(prefix) or (piece.given and piece.given.startswith(prefix)):
                given = "" if piece.digest.startswith(prefix) else piece.given
                yield Candidate(piece.digest, given, piece.masked, document.path if document else "", None, piece)


def manifests(world: World) -> list[str]:
    """The manifests of every bundle in the tree."""
    git = world.git()
    if git is not None:
        return [key for key in git.list_documents((MANIFEST,)) if key.rpartition("/")[2] == MANIFEST]
    from ..safe.files import walk

    files, _ = walk(world.root.path, lambda path: path.endswith((".git/", ".pincite/")), world.root.limits)
    return [key for key in files if key.rpartition("/")[2] == MANIFEST]

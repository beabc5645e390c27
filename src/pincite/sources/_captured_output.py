"""Everything captured that citations may mean: this machine's store, bundles in the tree, and the document itself."""

from collections.abc import Iterator

from msgspec import Struct

from ..safe.files import walk
from ..safe.git_tree import GitTree
from ..store.bundle import MANIFEST, BundleText, read_item, read_manifest
from ..store.captures import Captures
from ..store.database import WATCHED, Damaged, StoreTrouble
from ..text.attached_output import AttachedText, read_attached
from ..text.document import Document
from . import World

_SHORTEST = 6
"""Digits an id has at least."""
_MOST_RUNS = 20
"""How many of the runs that printed a text are asked how they ended."""


class Copy(Struct, frozen=True):
    """One place where a text is at hand."""

    digest: str
    given: str = ""
    """The id it was asked for by, where that is not the start of its digest."""
    masked: int = 0
    place: str = ""
    item: BundleText | None = None
    piece: AttachedText | None = None
    codes: tuple[int | None, ...] = ()
    """The exit codes of the runs that printed it, as far as they are listed."""


class CapturedOutput:
    """What is looked for once per run: the store, and the bundles of the tree."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.trouble: dict[str, None] = {}
        """What could not be read, in words, each once."""
        self._store: Captures | None = None
        try:
            self._store = Captures.open(world.root)
        except StoreTrouble as error:
            self.trouble[str(error)] = None
        self._bundled: dict[str, list[tuple[str, BundleText]]] = {}
        """The texts of all bundles by the first digits of what they may be cited by."""
        self._keys = manifests(world)
        for key in self._keys:
            self._read_bundle(key)
        self._known: dict[str, tuple[list[Copy], list[str]]] = {}
        self._attached: tuple[Document | None, list[AttachedText]] = (None, [])

    def _read_bundle(self, key: str) -> None:
        try:
            chunks = read_manifest(self._world.root, key).chunks
        except StoreTrouble as error:
            self.trouble[str(error)] = None
            return
        for item in chunks:
            for start in {item.digest[:_SHORTEST], item.id[:_SHORTEST]}:
                self._bundled.setdefault(start, []).append((key, item))

    def close(self) -> None:
        """Let go of the store."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def find(self, prefix: str, document: Document | None = None) -> list[list[Copy]]:
        """The different texts an id may mean, each with its copies: the store's own first, the document's last."""
        known = self._known.get(prefix)
        if known is None:
            keys: list[str] = []
            known = self._known[prefix] = ([*self._in_store(prefix, keys), *self._in_bundles(prefix, keys)], keys)
        copies, keys = known
        self._world.touched.update(dict.fromkeys((*WATCHED, *self._keys, *keys)))
        found: dict[str, list[Copy]] = {}
        for copy in (*copies, *self._in_document(prefix, document)):
            found.setdefault(copy.digest, []).append(copy)
        return list(found.values())

    def data(self, copies: list[Copy]) -> tuple[bytes, Copy]:
        """The bytes of a text, from the first copy that is intact; raises StoreTrouble where none is."""
        trouble: StoreTrouble | None = None
        for copy in copies:
            try:
                return self._read(copy), copy
            except StoreTrouble as error:
                trouble = trouble or error
        raise trouble or StoreTrouble("no copy is at hand")

    def code(self, copies: list[Copy]) -> int | None:
        """The exit code of the newest run that printed a text, where every run is known to have failed."""
        codes = [code for copy in copies for code in copy.codes]
        return codes[0] if codes and all(codes) else None

    def _read(self, copy: Copy) -> bytes:
        if copy.piece is not None:
            if copy.piece.data is None:
                raise Damaged(f"{copy.place}: the attached output {copy.digest[:12]} was changed")
            return copy.piece.data
        if copy.item is not None:
            return read_item(self._world.root, copy.place, copy.item)
        if self._store is None:
            raise StoreTrouble("the store was closed")
        return self._store.text(copy.digest)

    def _in_store(self, prefix: str, keys: list[str]) -> list[Copy]:
        if self._store is None:
            return []
        try:
            found = []
            for digest, given in self._store.find(prefix).items():
                chunks = self._store.occurrences(digest)
                masked = chunks[0].masked if chunks else 0
                runs = [self._store.run(number) for number in dict.fromkeys(chunk.run for chunk in chunks[:_MOST_RUNS])]
                codes = tuple(run.code if run is not None else None for run in runs)
                keys.append(self._store.key(digest))
                found.append(Copy(digest, given, masked, codes=codes))
            return found
        except StoreTrouble as error:
            self.trouble[str(error)] = None
            return []

    def _in_bundles(self, prefix: str, keys: list[str]) -> Iterator[Copy]:
        for key, item in self._bundled.get(prefix[:_SHORTEST], ()):
            given = item.id if item.external else ""
            if item.digest.startswith(prefix) or given.startswith(prefix):
                keys.append(key.removesuffix(MANIFEST) + item.file)
                given = "" if item.digest.startswith(prefix) else given
                codes = tuple(one.exit_code for one in item.occurrences[:_MOST_RUNS])
                yield Copy(item.digest, given, item.masked, key, item, codes=codes)

    def _in_document(self, prefix: str, document: Document | None) -> Iterator[Copy]:
        if document is None:
            return
        if self._attached[0] is not document:
            self._attached = document, read_attached(document.text) if "<details" in document.text else []
        for piece in self._attached[1]:
            if piece.digest.startswith(prefix) or (piece.given and piece.given.startswith(prefix)):
                given = "" if piece.digest.startswith(prefix) else piece.given
                yield Copy(piece.digest, given, piece.masked, document.path, None, piece)


def manifests(world: World) -> list[str]:
    """The manifests of every bundle in the tree."""
    if isinstance(world.root, GitTree):
        return sorted(key for key in world.root.files if key.rpartition("/")[2] == MANIFEST)
    git = world.git()
    if git is not None:
        return [key for key in git.list_documents((MANIFEST,)) if key.rpartition("/")[2] == MANIFEST]
    files, _ = walk(world.root.path, lambda path: path.endswith((".git/", ".pincite/")), world.root.limits)
    return [key for key in files if key.rpartition("/")[2] == MANIFEST]

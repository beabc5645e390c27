"""Keeping the index up to date: which documents are new, changed, moved or gone, and only those are read."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from time import perf_counter, time, time_ns
from typing import TYPE_CHECKING

import msgspec

from .._version import __version__
from ..core.errors import Refused
from ..core.libraries import is_missing_library
from ..project.documents import find_documents
from ..safe.escape import whole
from ..safe.workers import in_workers
from ..store.search_index import VERSION, IndexedDocument, StoredPassage, pack
from ..store.watched_files import invalidate_recent_marks, take_marks
from .document_text import fetch, take_in
from .passages import find_kind
from .terms import NamesInOrder, make_searchable, name_parts, title_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..core.limits import Limits
    from ..project.config import Config
    from ..project.documents import Listing
    from ..safe.files import Root
    from ..safe.git import Git
    from ..store.search_index import IndexStore
    from .passages.model import DocumentReading

    Progress = Callable[[int, int], None]
    Read = Callable[[str, bytes, Limits], DocumentReading]
    """What a document holds, by its path, its bytes and the limits; raises Refused."""

_SLICE = 4000
"""Documents that become visible together: what an interrupted run has done so far is not lost."""
_BLOCK = 16
_WORTH = 64
"""Fewer documents than this are read by this process itself."""
_MOST_DEAD = 2000
_LONGEST_HEAD = 400


class RefreshResult(msgspec.Struct):
    """What a refresh did."""

    documents: int = 0
    passages: int = 0
    added: int = 0
    changed: int = 0
    moved: int = 0
    dropped: int = 0
    unchanged: int = 0
    skipped: tuple[tuple[str, str], ...] = ()
    """Documents that could not be indexed, and why."""
    seconds: float = 0.0


class _Watch(msgspec.Struct, array_like=True):
    """What the last refresh rested on; while none of it changes there is nothing to do."""

    key: bytes
    watched: list[str]
    marks: list[int]
    skipped: tuple[tuple[str, str], ...]
    documents: int
    """How many there were that could be indexed."""


def refresh(
    store: IndexStore,
    root: Root,
    git: Callable[[], Git | None],
    config: Config,
    asked: tuple[str, ...],
    rebuild: bool,
    jobs: int,
    progress: Progress | None,
) -> RefreshResult:
    """Bring the index up to date with the documents below the keys asked for, all of the root where there are none."""
    began = perf_counter()
    with store.refreshing(root):
        key = _make_key(config, asked)
        found = None if rebuild else _nothing_to_do(store, root, key)
        if found is None:
            update = _Refresh(store, root, jobs=jobs, progress=progress)
            found = update.run(git, config, asked, key, rebuild)
    found.documents, found.passages, _ = store.counts()
    found.seconds = round(perf_counter() - began, 3)
    return found


def is_current(store: IndexStore, root: Root, config: Config) -> bool:
    """Whether the index is up to date: no file that it rests on has another status than at the last refresh.

    A file that was written just before counts as changed until the next refresh.
    """
    return _nothing_to_do(store, root, _make_key(config, scope_of(store))) is not None


def _make_key(config: Config, asked: tuple[str, ...]) -> bytes:
    """Tells one way to index from another."""
    named = [path.encode("utf-8", "surrogatepass") for path in asked]
    return sha256(pack((VERSION, __version__, named, config.exclude, config.retrieval.exclude))).digest()


def scope_of(store: IndexStore) -> tuple[str, ...]:
    """The keys below which documents are indexed; empty where that is all of the root."""
    try:
        kept = msgspec.msgpack.decode(store.state("scope"), type=list[bytes])
    except (ValueError, RecursionError):
        return ()
    return tuple(key.decode("utf-8", "surrogatepass") for key in kept)


def _widen(store: IndexStore, asked: tuple[str, ...]) -> None:
    """Note that these keys are indexed from now on, beside those that were; inside `changing`."""
    known = scope_of(store)
    if store.state("scope") and (not known or set(asked) <= set(known)) and asked:
        return
    wider = sorted({*known, *asked}) if asked and "" not in asked else []
    store.set_state("scope", pack([key.encode("utf-8", "surrogatepass") for key in wider]))


def _nothing_to_do(store: IndexStore, root: Root, key: bytes) -> RefreshResult | None:
    """The answer where nothing changed since the last refresh."""
    try:
        watch = msgspec.msgpack.decode(store.state("watch"), type=_Watch)
    except (ValueError, RecursionError):
        return None
    if watch.key != key or take_marks(root.path, watch.watched, follow=True) != watch.marks:
        return None
    if any(is_missing_library(reason) for _, reason in watch.skipped):
        return None
    return RefreshResult(unchanged=watch.documents, skipped=watch.skipped)


class IndexUpdate:
    """One run: what is known of documents, and what becomes of those that changed since."""

    def __init__(
        self, store: IndexStore, root: Root, read: Read = take_in, jobs: int = 1, progress: Progress | None = None
    ) -> None:
        self.store = store
        self.root = root
        self.known = store.list_documents()
        self.found = RefreshResult()
        self.skipped: list[tuple[str, str]] = []
        self._read = read
        self._jobs = jobs
        self._progress = progress
        self._started = time_ns()
        self._marks: dict[str, tuple[int, int, int]] = {}

    def clear_worn(self, rebuild: bool = False) -> None:
        """Empty an index most of which is dead, or that is to be made anew."""
        _, live, dead = self.store.counts()
        if rebuild or dead > max(_MOST_DEAD, live):
            with self.store.changing():
                self.store.clear()
            self.known = {}

    def take(self, documents: list[str], gone: Sequence[str] = ()) -> None:
        """Read those of the documents that changed, and drop what is gone."""
        todo = self._changed(documents)
        leaving = Counter(self.known[path].digest for path in gone if self.known[path].digest)
        for at in range(0, len(todo), _SLICE):
            with self.store.changing():
                for number, entry in enumerate(self._entries(todo[at : at + _SLICE]), at + 1):
                    self._take(entry, leaving)
                    if self._progress is not None:
                        self._progress(number, len(todo))
        with self.store.changing():
            for path in gone:
                self.store.drop(self.known[path])
            self.found.dropped = len(gone) - self.found.moved
            self.found.skipped = tuple(self.skipped)

    def _changed(self, documents: list[str]) -> list[str]:
        """The documents that are new or whose status is another one than when they were read."""
        marks = invalidate_recent_marks(take_marks(self.root.path, documents, follow=True), self._started)
        todo = []
        for at, path in enumerate(documents):
            mark = marks[at * 3], marks[at * 3 + 1], marks[at * 3 + 2]
            known = self.known.get(path)
            if known is not None and known.mark == mark and mark[0] > 0:
                self._count(path, known.trouble, "unchanged")
            else:
                self._marks[path] = mark
                todo.append(path)
        return todo

    def _entries(self, paths: Sequence[str]) -> Iterator[IndexedDocument]:
        """The documents taken in, by this process or, where there are many, by others meanwhile."""
        if self._jobs > 1 and len(paths) >= _WORTH:
            entries: Iterator[IndexedDocument] = in_workers(
                paths, self._jobs - 1, self._serially, IndexedDocument, _BLOCK
            )
            return entries
        return self._serially(paths)

    def _serially(self, paths: Sequence[str]) -> Iterator[IndexedDocument]:
        for path in paths:
            known = self.known.get(path)
            read = known is not None and not known.trouble
            digest = known.digest if known is not None and read else b""
            yield prepare(self.root, path, self._marks[path], digest, self._read)

    def _take(self, entry: IndexedDocument, leaving: Counter[bytes]) -> None:
        """Put a document in the place of what was known of it; `leaving` counts what is gone, by its digest."""
        known = self.known.get(entry.path)
        what = "added"
        if known is not None:
            if known.digest == entry.digest and known.trouble == entry.trouble:
                self.store.renew(known, entry.mark)
                self._count(entry.path, entry.trouble, "unchanged")
                return
            self.store.drop(known)
            what = "changed"
        elif leaving.get(entry.digest):
            leaving[entry.digest] -= 1
            what = "moved"
        self._count(entry.path, entry.trouble, what)
        self.store.put(entry, time())

    def _count(self, path: str, trouble: str, what: str) -> None:
        """Note what became of a document: one that cannot be indexed is skipped, whatever else it is."""
        if trouble:
            self.skipped.append((path, trouble))
        if not trouble or what in ("changed", "moved"):
            setattr(self.found, what, getattr(self.found, what) + 1)


class _Refresh(IndexUpdate):
    """An update of the documents that a project has."""

    def run(
        self, git: Callable[[], Git | None], config: Config, asked: tuple[str, ...], key: bytes, rebuild: bool
    ) -> RefreshResult:
        """Read what changed; gives what was done."""
        self.git, self.asked = git, asked
        listing = find_documents(self.root, self.git(), self.asked, ("",), (*config.exclude, *config.retrieval.exclude))
        if rebuild:
            self.known = {}
        listing.documents = [path for path in listing.documents if self._is_wanted(path)]
        self.clear_worn(rebuild)
        self.take(listing.documents, self._gone(listing.documents))
        with self.store.changing():
            self._note(listing, key)
        return self.found

    def _is_wanted(self, path: str) -> bool:
        """Whether a file is indexed: by its kind, or because it was asked for by its name, now or earlier."""
        if find_kind(path) is None and path not in self.asked and path not in self.known:
            return False
        if (said := whole(path)) != path:
            self.skipped.append((said, "its name is not UTF-8"))
            return False
        return True

    def _gone(self, documents: list[str]) -> list[str]:
        """What is known and no longer there, among what was asked for."""
        there = set(documents)
        below = tuple(f"{key}/" if key else "" for key in self.asked) or ("",)
        return [path for path in self.known if path not in there and (path.startswith(below) or path in self.asked)]

    def _note(self, listing: Listing, key: bytes) -> None:
        """Note what this refresh rests on."""
        _widen(self.store, self.asked)
        git = self.git()
        state = [*git.state_files(), *self._ignore_files(listing, git)] if git else []
        watched = list(dict.fromkeys((*listing.documents, *listing.folders, *state)))
        marks = invalidate_recent_marks(take_marks(self.root.path, watched, follow=True), self._started)
        try:
            count = self.found.unchanged + self.found.added + self.found.changed + self.found.moved
            self.store.set_state("watch", pack(_Watch(key, watched, marks, self.found.skipped, count)))
        except UnicodeEncodeError:
            # A name that is not UTF-8: the next refresh looks at everything.
            self.store.set_state("watch", b"")

    def _ignore_files(self, listing: Listing, git: Git) -> list[str]:
        """Where git looks for what to ignore: in the folders looked into, and in all above them."""
        folders = dict.fromkeys(folder.rstrip("/") for folder in listing.folders)
        for key in self.asked:
            while key:
                key = key.rpartition("/")[0]
                folders[key] = None
        files = [f"{folder}/.gitignore".lstrip("/") for folder in folders]
        top = self.root.path
        while len(top) > len(git.top):
            top = top.rpartition("/")[0]
            files.append(f"{top}/.gitignore")
        return files


def prepare(
    root: Root, path: str, mark: tuple[int, int, int], known: bytes = b"", read: Read = take_in
) -> IndexedDocument:
    """A document ready for the index; without passages where its digest is the known one."""
    kind = find_kind(path) or "text"
    digest = b""
    try:
        data = fetch(root, path)
        digest = sha256(data).digest()
        if digest == known:
            return IndexedDocument(path, "", kind, digest, mark, "", b"", [])
        reading = read(path, data, root.limits)
    except Refused as error:
        reason = _reason(error)
        # An extractor may be installed any time; the file is then worth another look.
        mark = (-1, 0, 0) if is_missing_library(reason) else mark
        return IndexedDocument(path, "", kind, digest, mark, reason, pack([]), [])
    kept = []
    rows = []
    name = path.rpartition("/")[2]
    label = f"{reading.title}\n{name}" if reading.title else name
    label = f"{label} {name_parts(name.encode('utf-8', 'replace'))}" if reading.is_named else ""
    above: tuple[str, ...] = ()
    head = label
    text = reading.text
    # Where every character is one byte, passages are cut out of the encoded text: nothing is encoded twice.
    plain = text.encode() if reading.pieces is None and text.isascii() else None
    names = NamesInOrder(plain or b"")
    for passage in reading.passages:
        start, end = passage.start, passage.end
        if plain is not None:
            words, data = text[start:end], plain[start:end]
            parts = names.between(start, end)
        else:
            words = reading.text_between(start, end)
            data = words.encode("utf-8", "replace")
            parts = name_parts(data)
        kept.append(
            StoredPassage(
                start, end, passage.first, passage.last, passage.headings, passage.page, sha256(data).digest()
            )
        )
        if passage.headings != above and reading.is_named:
            above = passage.headings
            titles = "\n".join(above)
            if len(titles) > _LONGEST_HEAD:
                above_parts = name_parts(titles[:_LONGEST_HEAD].encode("utf-8", "replace"))
            else:
                above_parts = title_parts(above)
            head = make_searchable(f"{titles[:_LONGEST_HEAD]}\n{above_parts}\n{label}")
        rows.append((make_searchable(words), parts, head))
    return IndexedDocument(path, reading.title, kind, digest, mark, "", pack(kept), rows)


def _reason(error: Refused) -> str:
    """Why a document was passed over, in a few words."""
    if error.kind == "path-blocked":
        return "leads outside the root"
    return "no longer there" if error.kind == "file-not-found" else str(error)

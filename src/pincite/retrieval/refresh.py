"""Keeping the index up to date: which documents are new, changed, moved or gone, and only those are read."""

from __future__ import annotations

from hashlib import sha256
from time import perf_counter, time, time_ns
from typing import TYPE_CHECKING

import msgspec

from .._version import __version__
from ..errors import Refused
from ..limits import LIMITS
from ..passages import find_kind
from ..read import find_documents
from ..safe.together import alone_in
from ..safe.workers import in_workers
from ..store import FOLDER
from ..store.index import VERSION, Entry, Kept, pack
from ..store.marks import settled, take
from .reading import PDF, take_in
from .terms import name_parts, spaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..config import Config
    from ..read import Listing
    from ..safe.files import Root
    from ..safe.git import Git
    from ..store.index import IndexStore, Known

    Progress = Callable[[int, int], None]

_SLICE = 4000
"""Documents that become visible together: what an interrupted run has done so far is not lost."""
_BLOCK = 16
_WORTH = 64
"""Fewer documents than this are read by this process itself."""
_MOST_DEAD = 2000
_LONGEST_HEAD = 400


class Refreshed(msgspec.Struct):
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


def refresh(
    store: IndexStore,
    root: Root,
    git: Callable[[], Git | None],
    config: Config,
    asked: tuple[str, ...],
    rebuild: bool,
    jobs: int,
    progress: Progress | None,
) -> Refreshed:
    """Bring the index up to date with the documents below the keys asked for, all of the root where there are none."""
    began = perf_counter()
    with alone_in(root, FOLDER):
        key = sha256(pack((VERSION, __version__, asked, config.exclude, config.retrieval.exclude))).digest()
        found = None if rebuild else _nothing_to_do(store, root, key)
        if found is None:
            found = _Refresh(store, root, git, config, asked, jobs, progress).run(key, rebuild)
    found.documents, found.passages, _ = store.counts()
    found.seconds = round(perf_counter() - began, 3)
    return found


def _nothing_to_do(store: IndexStore, root: Root, key: bytes) -> Refreshed | None:
    """The answer where nothing changed since the last refresh."""
    try:
        watch = msgspec.msgpack.decode(store.state("watch"), type=_Watch)
    except msgspec.DecodeError:
        return None
    if watch.key != key or take(root.path, watch.watched) != watch.marks:
        return None
    return Refreshed(unchanged=store.counts()[0], skipped=watch.skipped)


class _Refresh:
    """One run: what is there, what is known, and what becomes of the difference."""

    def __init__(
        self,
        store: IndexStore,
        root: Root,
        git: Callable[[], Git | None],
        config: Config,
        asked: tuple[str, ...],
        jobs: int,
        progress: Progress | None,
    ) -> None:
        self.store = store
        self.root = root
        self.git = git
        self.config = config
        self.asked = asked
        self.jobs = jobs
        self.progress = progress
        self.found = Refreshed()
        self.started = time_ns()
        self.marks: dict[str, tuple[int, int, int]] = {}
        self.known: dict[str, Known] = {}

    def run(self, key: bytes, rebuild: bool) -> Refreshed:
        """Read what changed; gives what was done."""
        exclude = (*self.config.exclude, *self.config.retrieval.exclude)
        listing = find_documents(self.root, self.git(), self.asked, ("",), exclude)
        # A file that was asked for by its name is read whatever it is called.
        listing.documents = [path for path in listing.documents if find_kind(path) or path in self.asked]
        _, live, dead = self.store.counts()
        if rebuild or dead > max(_MOST_DEAD, live):
            with self.store.changing():
                self.store.clear()
        self.known = self.store.known()
        todo = self._changed(listing.documents)
        gone = self._gone(listing.documents)
        leaving = {self.known[path].digest: path for path in gone if self.known[path].digest}
        for at in range(0, len(todo), _SLICE):
            with self.store.changing():
                for number, entry in enumerate(self._entries(todo[at : at + _SLICE]), at + 1):
                    self._take(entry, leaving)
                    if self.progress is not None:
                        self.progress(number, len(todo))
        with self.store.changing():
            for path in gone:
                self.store.drop(self.known[path])
            self.found.dropped = len(gone) - self.found.moved
            self._note(listing, key)
        return self.found

    def _changed(self, documents: list[str]) -> list[str]:
        """The documents that are new or whose status is another one than when they were read."""
        marks = settled(take(self.root.path, documents), self.started)
        todo = []
        for at, path in enumerate(documents):
            mark = marks[at * 3], marks[at * 3 + 1], marks[at * 3 + 2]
            known = self.known.get(path)
            if known is not None and known.mark == mark and mark[0] > 0:
                self.found.unchanged += 1
                if known.trouble:
                    self.found.skipped += ((path, known.trouble),)
            else:
                self.marks[path] = mark
                todo.append(path)
        return todo

    def _gone(self, documents: list[str]) -> list[str]:
        """What is known and no longer there, among what was asked for."""
        there = set(documents)
        below = tuple(f"{key}/" if key else "" for key in self.asked) or ("",)
        return [path for path in self.known if path not in there and (path.startswith(below) or path in self.asked)]

    def _entries(self, paths: Sequence[str]) -> Iterator[Entry]:
        """The documents taken in, by this process or, where there are many, by others meanwhile."""
        if self.jobs > 1 and len(paths) >= _WORTH:
            entries: Iterator[Entry] = in_workers(paths, self.jobs - 1, self._serially, Entry, _BLOCK)
            return entries
        return self._serially(paths)

    def _serially(self, paths: Sequence[str]) -> Iterator[Entry]:
        for path in paths:
            known = self.known.get(path)
            yield prepare(self.root, path, self.marks[path], known.digest if known is not None else b"")

    def _take(self, entry: Entry, leaving: dict[bytes, str]) -> None:
        """Put a document in the place of what was known of it."""
        known = self.known.get(entry.path)
        if entry.trouble:
            self.found.skipped += ((entry.path, entry.trouble),)
        if known is not None:
            if known.digest == entry.digest and known.trouble == entry.trouble:
                self.store.renew(known, entry.mark)
                self.found.unchanged += 1
                return
            self.store.drop(known)
            self.found.changed += 1
        elif entry.digest and leaving.pop(entry.digest, None) is not None:
            self.found.moved += 1
        elif not entry.trouble:
            self.found.added += 1
        self.store.put(entry, time())

    def _note(self, listing: Listing, key: bytes) -> None:
        """Note what this refresh rests on."""
        git = self.git()
        state = [*git.state_files(), *(f"{folder}/.gitignore".lstrip("/") for folder in listing.folders)] if git else []
        watched = list(dict.fromkeys((*listing.documents, *listing.folders, *state)))
        marks = settled(take(self.root.path, watched), self.started)
        try:
            self.store.set_state("watch", pack(_Watch(key, watched, marks, self.found.skipped)))
        except UnicodeEncodeError:
            # A name that is not UTF-8: the next refresh looks at everything.
            self.store.set_state("watch", b"")


def prepare(root: Root, path: str, mark: tuple[int, int, int], known: bytes = b"") -> Entry:
    """A document ready for the index; without passages where its digest is the known one."""
    kind = find_kind(path) or "text"
    digest = b""
    try:
        data = root.read(path, LIMITS.pdf_bytes if kind == PDF else None)
        digest = sha256(data).digest()
        if digest == known:
            return Entry(path, "", kind, digest, mark, "", b"", [])
        reading = take_in(path, data, root.limits)
    except Refused as error:
        reason = _reason(error)
        # An extractor may be installed any time; the file is then worth another look.
        mark = (-1, 0, 0) if "pincite[" in reason else mark
        return Entry(path, "", kind, digest, mark, reason, pack([]), [])
    kept = []
    rows = []
    name = path.rpartition("/")[2]
    label = f"{reading.title}\n{name}" if reading.title else name
    label = f"{label} {name_parts(name.encode('utf-8', 'replace'))}"
    for passage in reading.passages:
        words = reading.between(passage.start, passage.end)
        data = words.encode("utf-8", "replace")
        digest_of = sha256(data).digest()
        kept.append(
            Kept(passage.start, passage.end, passage.first, passage.last, passage.headings, passage.page, digest_of)
        )
        head = "\n".join((*passage.headings, label))[:_LONGEST_HEAD]
        rows.append((spaced(words), name_parts(data), spaced(head)))
    return Entry(path, reading.title, kind, digest, mark, "", pack(kept), rows)


def _reason(error: Refused) -> str:
    """Why a document was passed over, in a few words."""
    if error.kind == "path-blocked":
        return "leads outside the root"
    return "no longer there" if error.kind == "file-not-found" else str(error)

"""Web pages at rest: every visit is kept as a WARC file, and found again by its address.

Files of other tools are read as well. What does not fit the digests it came with is given as damaged, never as a page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.errors import Blocked, Missing, Refused
from ..core.web import Exchange, Visit
from ..safe.write import create_together
from .warc_read import fits, read_file
from .warc_redirects import RedirectChains, normal_url
from .warc_unpack import unpack
from .warc_write import warc_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..safe.files import Root
    from .warc_read import WarcFile, WarcResponse, WarcVisit

LARGEST_FILE = 64 * 1024 * 1024
"""A WARC file larger than this is named and not read."""
MOST_KEPT = 64 * 1024 * 1024
"""Bytes of pages that are held in memory; those of other files are read again when asked for."""
_MOST_ALIKE = 1000
_OF_NOTHING = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
_READ = (".warc", ".warc.gz")
_UNREAD = (".warc.zst", ".warc.bz2", ".warc.xz", ".warc.open", ".arc", ".arc.gz", ".wacz", ".har", ".mhtml")
_odd = re.compile(r"[^a-z0-9.-]")
_LONGEST_HOST = 100


class PageSnapshot(Struct, frozen=True):
    """A visit that was kept, and how far it can be believed."""

    visit: Visit
    file: str
    """The name of the file with the answer, in the folder."""
    digest: str
    """`sha256:` and that of the answer's body."""
    damaged: str = ""
    """Why this is not what was answered; such a visit is never shown as a page."""
    sealed: bool = False
    """Whether the file carries a digest for every answer, and they fit."""


class Snapshots:
    """The WARC files of one folder. They are read once, when something is first asked; what is added is known."""

    def __init__(self, root: Root, folder: str) -> None:
        self._root = root
        self._folder = folder.rstrip("/")
        self._trails: RedirectChains | None = None
        self._problems: list[tuple[str, str]] = []
        self._kept = 0
        self._names: set[str] = set()
        self._again: tuple[str, dict[tuple[int, str], bytes | None]] = ("", {})

    def find(self, url: str, at: str = "") -> PageSnapshot | None:
        """The newest snapshot of an address, or the newest not after a time or a day; it may be a damaged one."""
        last = f"{at}T23:59:59Z" if len(at) == 10 else at
        fitting = [snapshot for snapshot in self._order_visits(url) if not last or snapshot[0] <= last]
        return _snapshot(fitting[-1][-1], self._load_body) if fitting else None

    def history(self, url: str) -> list[PageSnapshot]:
        """Every snapshot of an address, oldest first."""
        return [_snapshot(entry[-1], self._load_body) for entry in self._order_visits(url)]

    def urls(self) -> list[str]:
        """The addresses that there are snapshots of, sorted."""
        return self._open_folder().urls()

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong in the folder: the name of a file, and what could not be read or believed."""
        self._open_folder()
        return list(self._problems)

    def add(self, visit: Visit) -> PageSnapshot:
        """Keep a visit in a file of its own, whole or not at all; one that is kept already stays as it is.

        Raises Trouble for a visit that no server can have answered, Refused where the file cannot be written.
        """
        data = _pack(visit)
        trails = self._open_folder()
        name = self._write(visit, data)
        file = read_file(data, name)
        snapshot = _snapshot(file.resolved[0], lambda found: (found, found.body))
        if name not in self._names:
            self._take(trails, name, file)
        return snapshot

    def keep(self, visit: Visit) -> str:
        """Keep a visit like `add`, without reading what else is in the folder; the name of its file."""
        return self._write(visit, _pack(visit))

    def _write(self, visit: Visit, data: bytes) -> str:
        """The name of the file that holds a visit, which is made where there is none."""
        stem = _stem(visit)
        content = unpack(data).data
        for number in range(1, _MOST_ALIKE):
            name = f"{stem}.warc.gz" if number == 1 else f"{stem}-{number}.warc.gz"
            key = self._key(name)
            if self._root.stat(key) is None:
                try:
                    create_together(self._root, self._folder, [(name, data)])
                    return name
                except Blocked:
                    raise Refused(f"{self._folder}: lies outside the root; nothing was written") from None
                except Missing:
                    raise Refused(f"{self._folder}: is no folder; nothing was written") from None
                except Refused:
                    # Another process may have been faster, with the same visit or with another one.
                    if self._root.stat(key) is None:
                        raise
            try:
                if unpack(self._root.read(key, LARGEST_FILE)).data == content:
                    return name
            except Refused:
                continue
        raise Refused(f"{self._folder}/{stem}.warc.gz: exists already, and so do {_MOST_ALIKE} like it")

    def _key(self, name: str) -> str:
        return f"{self._folder}/{name}" if self._folder else name

    def _open_folder(self) -> RedirectChains:
        """What the folder holds."""
        if self._trails is None:
            trails = RedirectChains()
            try:
                self._root.folder(self._folder)
            except Blocked:
                self._problems.append(("", f"{self._folder}: lies outside the root; nothing is read from it"))
            except Refused:
                pass
            for name in self._root.names(self._folder):
                lowered = name.lower()
                if lowered.endswith(_READ):
                    try:
                        data = self._root.read(self._key(name), LARGEST_FILE)
                    except Refused as error:
                        self._problems.append((name, _why(error)))
                        continue
                    self._take(trails, name, read_file(data, name))
                elif lowered.endswith(_UNREAD):
                    self._problems.append((name, "not read: only .warc and .warc.gz are"))
            self._trails = trails
        return self._trails

    def _take(self, trails: RedirectChains, name: str, file: WarcFile) -> None:
        """Enter a file; its pages are held in memory as long as there is room for them."""
        trails.add(file)
        self._names.add(name)
        self._problems += [(name, problem) for problem in file.problems]
        for found in file.captured:
            size = len(found.body or b"")
            if self._kept + size > MOST_KEPT:
                found.body = None
            else:
                self._kept += size

    def _order_visits(self, url: str) -> list[tuple[str, bool, bool, str, int, WarcVisit]]:
        """The visits to an address, oldest first; of those of one second, the one to be believed comes last."""
        return sorted(
            (
                (
                    *(visit.exchanges[-1].retrieved, not any(one.damaged for one in visit.exchanges), whole),
                    # Without the ending, `x-2` sorts behind `x`, as it came.
                    *(visit.exchanges[-1].file.partition(".warc")[0], visit.exchanges[-1].order, visit),
                )
                for whole, visit in self._open_folder().of(url)
            ),
            key=lambda entry: entry[:5],
        )

    def _load_body(self, found: WarcResponse) -> tuple[WarcResponse | None, bytes | None]:
        """The answer that holds the body of another, and that body, which is read again where it was let go."""
        holder = self._open_folder().body_of(found)
        if holder is None or holder.body is not None:
            return holder, holder.body if holder is not None else None
        if self._again[0] != holder.file:
            try:
                data = self._root.read(self._key(holder.file), LARGEST_FILE)
            except Refused:
                return holder, None
            again = read_file(data, holder.file).captured
            self._again = (holder.file, {(one.order, one.digest): one.body for one in again if not one.damaged})
        return holder, self._again[1].get((holder.order, holder.digest))


def read_warc(data: bytes, name: str) -> Iterator[PageSnapshot]:
    """Every visit that the bytes of a WARC file hold, by address; `name` is only repeated. What cannot be read is not.

    A body that another file holds is missing here, so such a visit is given as damaged.
    """
    trails = RedirectChains()
    trails.add(read_file(data, name))

    def load_body(found: WarcResponse) -> tuple[WarcResponse | None, bytes | None]:
        holder = trails.body_of(found)
        return holder, holder.body if holder is not None else None

    for url in trails.urls():
        for _, visit in trails.of(url):
            yield _snapshot(visit, load_body)


def _snapshot(
    visit: WarcVisit, load: Callable[[WarcResponse], tuple[WarcResponse | None, bytes | None]]
) -> PageSnapshot:
    """A visit with its bodies, every one of them checked."""
    exchanges = []
    damaged = digest = ""
    sealed = True
    for found in visit.exchanges:
        holder, body = load(found)
        why, fit = _check_body(found, holder, body)
        damaged = damaged or why
        sealed = sealed and fit
        digest = holder.digest if holder is not None and body is not None else _OF_NOTHING
        # An answer that refers to another may have no head of its own, or none that goes with a body.
        headless = found.refers is not None and (found.refers.unmodified or found.status in (0, 304))
        head = holder if holder is not None and headless else found
        exchanges.append(
            Exchange(
                *(found.url, head.status, head.reason, head.headers, body or b""),
                *(found.request_headers, found.address),
            )
        )
    last = visit.exchanges[-1]
    return PageSnapshot(
        Visit(visit.url, last.retrieved, tuple(exchanges), last.saved),
        last.file,
        digest,
        damaged,
        sealed and not damaged,
    )


def _check_body(found: WarcResponse, holder: WarcResponse | None, body: bytes | None) -> tuple[str, bool]:
    """Why an answer with this body is damaged, and whether a digest vouches for it."""
    if found.damaged or (found.refers is None and body is not None):
        return found.damaged, found.sealed
    if holder is None:
        return "its body was kept by another record that is not here", False
    if body is None:
        return f"{holder.file} changed while it was being read", False
    if holder.damaged:
        return f"the record that has its body is damaged: {holder.damaged}", False
    if not found.payload:
        return "", False
    if found.payload == holder.payload:
        return "", holder.sealed
    same = fits(found.payload, body)
    return ("its body does not fit its WARC-Payload-Digest", False) if same is False else ("", bool(same))


def _pack(visit: Visit) -> bytes:
    data = warc_bytes(visit)
    if len(data) > LARGEST_FILE:
        raise Refused(f"{visit.url}: {len(data)} bytes exceed the limit of {LARGEST_FILE} for a snapshot")
    return data


def _stem(visit: Visit) -> str:
    """What the file of a visit is named after: host, address and time."""
    from hashlib import sha256

    url = normal_url(visit.url)
    host = _odd.sub("_", url.partition("://")[2].partition("/")[0].rpartition("@")[2].lower())[:_LONGEST_HOST]
    digits = "".join(filter(str.isdigit, visit.retrieved))
    return f"{host.lstrip('.-') or '_'}-{sha256(url.encode()).hexdigest()[:12]}-{digits}"


def _why(error: Refused) -> str:
    """Why a file of the folder was not read."""
    if isinstance(error, Blocked):
        return "leads outside the root; not read"
    return "no regular file; not read" if isinstance(error, Missing) else f"cannot be read: {error}"

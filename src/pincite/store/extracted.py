"""The text of PDFs at rest: what was extracted once is not extracted again.

It lies in a folder of the user, never in the tree that is checked: a tree may come from anyone, and must not be able to
bring text that its PDFs do not hold. An entry is named after the digest of the PDF and says which extractor made it;
one that is damaged, of another version, or not ours is passed over in silence, and so is a place that cannot be used.
"""

from __future__ import annotations

import os
import stat as st
import sys
from contextlib import contextmanager, suppress
from hashlib import sha256

import msgspec
from xxhash import xxh3_128_digest

from ..limits import LIMITS, Limits
from ..papers.model import PdfText
from ..safe.pdf import PdfTrouble, extractor_version, read_pdf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = 1
_LASTING = ("encrypted", "damaged")
"""Troubles that the same bytes will give again; time and memory depend on the machine and the moment."""
_FRAME = 32 * 1024 * 1024
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

_spare: dict[str, int] = {}
"""How much may still be written to a place before its size has to be looked at again."""


class _Entry(msgspec.Struct, array_like=True):
    version: int
    check: bytes
    held: bytes


class _Held(msgspec.Struct, array_like=True):
    digest: str
    extractor: str
    kind: str = ""
    reason: str = ""
    text: PdfText | None = None


def text_of(data: bytes, cache: bool, limits: Limits = LIMITS) -> PdfText:
    """The text of a PDF, from an earlier time where `cache` allows; raises PdfTrouble."""
    extractor = extractor_version() if cache else ""
    place = cache_folder() if extractor else ""
    if not place or len(data) > limits.pdf_bytes:
        return read_pdf(data, limits)
    held = _Held(sha256(data).hexdigest(), extractor)
    known = _load(place, held, limits)
    if known is not None:
        if known.text is None:
            raise PdfTrouble(known.kind, known.reason)
        return known.text
    try:
        held.text = read_pdf(data, limits)
    except PdfTrouble as trouble:
        if trouble.kind in _LASTING:
            held.kind, held.reason = trouble.kind, trouble.reason
            _save(place, held, limits)
        raise
    _save(place, held, limits)
    return held.text


def cache_folder() -> str:
    """The user's folder for what can be made again; empty where none can be named."""
    given = os.environ.get("PINCITE_CACHE", "")
    if given:
        # A relative one would change with the folder we are started in, and could lead into the checked tree.
        return given if os.path.isabs(given) else ""
    home = os.path.expanduser("~")
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache")
    return os.path.join(base, "pincite") if os.path.isabs(base) else ""


@contextmanager
def _opened(place: str, make: bool) -> Iterator[int]:
    """The open folder of entries, nobody's but ours; raises OSError where it is not."""
    if make:
        os.makedirs(place, 0o700, exist_ok=True)
    top = os.open(place, _FOLDER)
    try:
        if not _is_ours(os.fstat(top), 0o022):
            raise PermissionError(place)
        if make:
            with suppress(FileExistsError):
                os.mkdir("pdf", 0o700, dir_fd=top)
        folder = os.open("pdf", _FOLDER | os.O_NOFOLLOW, dir_fd=top)
    finally:
        os.close(top)
    try:
        if not _is_ours(os.fstat(folder), 0o077):
            raise PermissionError(place)
        yield folder
    finally:
        os.close(folder)


def _is_ours(info: os.stat_result, denied: int) -> bool:
    return info.st_uid == os.geteuid() and not info.st_mode & denied


def _load(place: str, wanted: _Held, limits: Limits) -> _Held | None:
    """The entry for a PDF, if there is a sound one made by the same extractor that these limits would have let pass."""
    try:
        with _opened(place, make=False) as folder:
            data = _bytes_of(folder, wanted.digest, limits.pdf_text_bytes + _FRAME)
        entry = msgspec.msgpack.decode(data, type=_Entry)
        if entry.version != VERSION or entry.check != xxh3_128_digest(entry.held):
            return None
        held = msgspec.msgpack.decode(entry.held, type=_Held)
    except (OSError, ValueError, RecursionError):
        return None
    if (held.digest, held.extractor) != (wanted.digest, wanted.extractor):
        return None
    if held.text is None:
        return held if held.kind in _LASTING else None
    return held if len(held.text.pages) <= limits.pdf_pages else None


def _bytes_of(folder: int, name: str, most: int) -> bytes:
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        info = os.fstat(descriptor)
        if not st.S_ISREG(info.st_mode) or not _is_ours(info, 0o022) or info.st_size > most:
            raise PermissionError(name)
        data = b""
        while len(data) < info.st_size and (more := os.read(descriptor, info.st_size - len(data))):
            data = data + more if data else more
        return data
    finally:
        os.close(descriptor)


def _save(place: str, held: _Held, limits: Limits) -> None:
    """Keep an entry, whole or not at all; what cannot be kept is no loss."""
    packed = msgspec.msgpack.encode(held)
    data = msgspec.msgpack.encode(_Entry(VERSION, xxh3_128_digest(packed), packed))
    if len(data) > limits.pdf_cache_bytes:
        return
    temp = f".{os.getpid()}-{os.urandom(4).hex()}~"
    try:
        with _opened(place, make=True) as folder:
            try:
                with open(os.open(temp, _NEW, 0o600, dir_fd=folder), "wb") as stream:
                    stream.write(data)
                os.replace(temp, held.digest, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temp, dir_fd=folder)
                raise
            # Looking at every entry after every entry would make a large corpus slow; the room found last time tells.
            _spare[place] = _spare.get(place, 0) - len(data)
            if _spare[place] < 0:
                _spare[place] = _make_room(folder, limits.pdf_cache_bytes)
    except OSError:
        return


def _make_room(folder: int, most: int) -> int:
    """Drop the oldest entries until the rest fits; gives what may be added before it is worth looking again."""
    entries = []
    with os.scandir(folder) as found:
        for entry in found:
            with suppress(OSError):
                info = entry.stat(follow_symlinks=False)
                if st.S_ISREG(info.st_mode):
                    entries.append((info.st_mtime_ns, info.st_size, entry.name))
    total = sum(size for _, size, _ in entries)
    if total > most:
        # The newest one was just written and stays; a little more than needed goes, so that this stays rare.
        for _, size, name in sorted(entries)[:-1]:
            if total <= most * 7 // 8:
                break
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
                total -= size
    return max(0, most - total)

"""The user's cache folder: where everything lies that is believed because this user's pincite wrote it.

A checked tree may come from anyone, so nothing in it is a cache. The folder is used only where it belongs to this user,
no other user can write to it, and it does not lie inside a tree that is being checked. What belongs to one root has a
folder of its own, named after the root's path, device and inode: another clone, or another folder at the same path,
finds nothing there.
"""

from __future__ import annotations

import fcntl
import os
import sys
from contextlib import contextmanager, suppress
from hashlib import sha256
from stat import S_ISREG
from time import time
from typing import TypeVar

import msgspec

from ..core.errors import Refused
from ..core.limits import LIMITS
from ..safe.files import Root, list_open_roots
from ..safe.write import put

T = TypeVar("T")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.limits import Limits

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_ROOTS = "roots"
_OTHERS_WRITE = 0o022
_OTHERS_DO_ANYTHING = 0o077
_DEEPEST = 1_024
"""How many folders may lie above one another: a path is no longer than 4,096 bytes."""
_DAY = 86_400
_OWN = "own-files"
_OWN_FILES = 256
"""How many of the latest files of our own are remembered."""
_LARGEST_OWN = _OWN_FILES * 80
_REMEDY = "set PINCITE_CACHE to a folder that is yours alone and outside of what is checked"


def cache_folder() -> str:
    """The path of the user's cache folder, which need not exist; empty where none can be named."""
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
def open_part(*names: str, make: bool) -> Iterator[int]:
    """An open folder of the cache, made where it is missing and `make` asks for it; raises Refused where none fits."""
    place = cache_folder()
    if not place:
        raise Refused(f"there is no cache folder; {_REMEDY}")
    opened: list[int] = []
    try:
        if make:
            _make_folders(place)
        opened.append(os.open(place, _FOLDER))
        if not is_private(os.fstat(opened[0]), _OTHERS_WRITE):
            raise Refused(f"{place}: belongs to another user, or others can write to it; {_REMEDY}")
        _refuse_inside(opened[0], place)
        for name in names:
            opened.append(_open_folder(name, opened[-1], make))
            if not is_private(os.fstat(opened[-1]), _OTHERS_DO_ANYTHING):
                raise Refused(f"{place}: {'/'.join(names)} in it is not yours alone; {_REMEDY}")
        if names:
            # The root may itself be a part of the cache folder.
            _refuse_inside(opened[-1], place)
        yield opened[-1]
    except OSError as error:
        raise Refused(f"{place}: cannot be used ({error.strerror}); {_REMEDY}") from None
    finally:
        for folder in reversed(opened):
            os.close(folder)


def open_root_cache(root: Root, make: bool = True, limits: Limits = LIMITS) -> Root:
    """The folder with what is kept about a root, to be used as a context; raises Refused where there is none."""
    name, place = name_root(root), root_cache_path(root)
    known = os.path.isdir(place)
    with open_part(_ROOTS, name, make=make) as folder:
        cache = Root(place, is_checked=False)
        info = os.fstat(folder)
        if not os.path.samestat(info, os.fstat(cache.folder(""))):
            cache.close()
            raise Refused(f"{place}: changed while it was opened; run the command again")
        if info.st_mtime < time() - _DAY:
            # What was used lately is kept the longest.
            with suppress(OSError):
                os.utime(folder)
    if not known:
        make_room(name, limits)
    return cache


def load_kept(root: Root, name: str, kind: type[T], limit: int) -> T | None:
    """What is kept about a root under a name; None where there is nothing sound of that kind."""
    try:
        with open_root_cache(root, make=False) as cache:
            return msgspec.msgpack.decode(cache.read(name, limit), type=kind)
    except (Refused, ValueError, RecursionError):
        return None


def save_kept(root: Root, name: str, data: bytes) -> bool:
    """Keep something about a root for the next run; False where it cannot be kept, which harms nothing."""
    try:
        with open_root_cache(root) as cache:
            put(cache, name, data, lasting=False)
    except Refused:
        return False
    return True


def remember_own(root: Root, digest: str) -> None:
    """Remember a file that this user's pincite wrote below a root, by its SHA-256, for `is_own`."""
    known = [one for one in load_kept(root, _OWN, list[str], _LARGEST_OWN) or [] if one != digest]
    save_kept(root, _OWN, msgspec.msgpack.encode([*known, digest][-_OWN_FILES:]))


def is_own(root: Root, digest: str) -> bool:
    """Whether this user's pincite wrote a file with that SHA-256 below this root; what came with a clone it did not."""
    return digest in (load_kept(root, _OWN, list[str], _LARGEST_OWN) or ())


def drop_oldest(folder: int, most_bytes: int, most_files: int = sys.maxsize, prefix: str = "") -> int:
    """Keep the newest files of an open folder, as many and as large as may be; gives the room that is left.

    Where they are too large, a little more than needed goes, so that this stays rare.
    """
    entries = []
    with os.scandir(folder) as found:
        for entry in found:
            with suppress(OSError):
                info = entry.stat(follow_symlinks=False)
                if entry.name.startswith(prefix) and S_ISREG(info.st_mode):
                    entries.append((info.st_mtime_ns, info.st_size, entry.name))
    kept = total = sum(size for _, size, _ in entries)
    bound = most_bytes * 7 // 8 if total > most_bytes else most_bytes
    total = 0
    for at, (_, size, name) in enumerate(sorted(entries, reverse=True)):
        total += size
        if at and (at >= most_files or total > bound):
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
                kept -= size
    return max(0, most_bytes - kept)


def root_cache_path(root: Root) -> str:
    """Where the folder with what is kept about a root lies, whether there is one or not."""
    return os.path.join(os.path.realpath(cache_folder()), _ROOTS, name_root(root))


def name_root(root: Root) -> str:
    """What names a root among all others: its path, and the device and inode of the folder that is open."""
    info = os.fstat(root.folder(""))
    facts = f"{info.st_dev} {info.st_ino} ".encode() + os.fsencode(root.path)
    return sha256(facts).hexdigest()[:32]


def make_room(kept: str = "", limits: Limits = LIMITS) -> None:
    """Drop what is known of the roots that were not used for the longest time, but not of the `kept` one."""
    with suppress(Refused), open_part(_ROOTS, make=False) as roots:
        found = []
        for name in os.listdir(roots):
            with suppress(OSError):
                found.append((name == kept, os.stat(name, dir_fd=roots, follow_symlinks=False).st_mtime, name))
        total = 0
        for at, (_, _, name) in enumerate(sorted(found, reverse=True)):
            with suppress(OSError):
                folder = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=roots)
                try:
                    sizes = {inside: _size(inside, folder) for inside in os.listdir(folder)}
                    total += sum(sizes.values())
                    if at and (at >= limits.root_caches or total > limits.root_cache_bytes):
                        # Raises where another process is at work there.
                        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        for inside in sizes:
                            os.unlink(inside, dir_fd=folder)
                        os.rmdir(name, dir_fd=roots)
                        total -= sum(sizes.values())
                finally:
                    os.close(folder)


def is_private(info: os.stat_result, denied: int = _OTHERS_WRITE) -> bool:
    """Whether something is this user's, and grants others none of the rights in `denied`."""
    return info.st_uid == os.geteuid() and not info.st_mode & denied


def _open_folder(name: str, above: int, make: bool) -> int:
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=above)
    return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=above)


def _refuse_inside(folder: int, place: str) -> None:
    """Raise Refused where an open folder is a root that is open, or lies in one: compared by device and inode."""
    tops = list_open_roots()
    path, below = ".", (0, 0)
    for _ in range(_DEEPEST):
        info = os.stat(path, dir_fd=folder)
        here = info.st_dev, info.st_ino
        if here in tops:
            break
        if here == below:
            return
        path, below = f"{path}/..", here
    raise Refused(f"{place}: lies inside of what is checked; {_REMEDY}")


def _make_folders(place: str) -> None:
    """Make the cache folder and those above it, for this user alone, unless that would be inside of a root."""
    missing, path = [], place
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    if not missing:
        return
    folder = os.open(path, _FOLDER)
    try:
        _refuse_inside(folder, place)
    finally:
        os.close(folder)
    for path in reversed(missing):
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)


def _size(name: str, folder: int) -> int:
    with suppress(OSError):
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
    return 0

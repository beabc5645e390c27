"""Objects of one repository in another without a second copy: by hard links, as `git clone --local` does it.

Objects never change once they are written, so both can use one file. Only files that bear the name of an object or of a
pack are taken, and no links: what they lead to belongs to another repository.
"""

from __future__ import annotations

import errno
import os
import re
from stat import S_ISREG

from ..core.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FAN = re.compile(r"[0-9a-f]{2}\Z").match
_LOOSE = re.compile(r"[0-9a-f]{38}(?:[0-9a-f]{24})?\Z").match
_PACK = re.compile(r"pack-[0-9a-f]{40}(?:[0-9a-f]{24})?\.(?:pack|idx|rev)\Z").match
_NO_LINK = (errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.EOPNOTSUPP, errno.ENOSYS)
"""Why the file system may refuse a link: then the bytes are copied."""
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK = 1 << 20
_TRIES = 5


def share_objects(stores: Sequence[str], target: str, most_bytes: int) -> int:
    """Give one object store all objects of others; how many bytes are new there.

    Raises UsageError where that would be more than `most_bytes`, and OSError.
    """
    for _ in range(_TRIES):
        try:
            return _share(stores, target, most_bytes)
        except FileNotFoundError:
            # Objects were packed meanwhile, and what was listed is gone: the packs are listed anew.
            continue
    raise UsageError(f"{stores[0]}: changes all the time; try again when nothing is packed there")


def _share(stores: Sequence[str], target: str, most_bytes: int) -> int:
    size = 0
    made: set[str] = set()
    # Loose objects first: those that are packed between the two steps are in a pack then.
    for part in (_list_loose, _list_packs):
        for store in stores:
            for name, info in part(store, target):
                size += info.st_size
                if size > most_bytes:
                    raise UsageError(
                        f"{os.path.dirname(store)}: its objects take more than {most_bytes:,} bytes, the limit"
                    )
                folder = name.partition("/")[0]
                if folder not in made:
                    made.add(folder)
                    os.makedirs(os.path.join(target, folder), exist_ok=True)
                _share_file(os.path.join(store, name), os.path.join(target, name))
    return size


def _list_loose(store: str, target: str) -> Iterator[tuple[str, os.stat_result]]:
    for fan, _ in _list(store, folders=True):
        if _FAN(fan):
            known = set(_list_names(os.path.join(target, fan)))
            for name, info in _list(os.path.join(store, fan), known=known):
                if _LOOSE(name):
                    yield f"{fan}/{name}", info


def _list_packs(store: str, target: str) -> Iterator[tuple[str, os.stat_result]]:
    known = set(_list_names(os.path.join(target, "pack")))
    found = [(f"pack/{name}", info) for name, info in _list(os.path.join(store, "pack"), known=known) if _PACK(name)]
    # git reads a pack as soon as its index is there.
    yield from sorted(found, key=lambda pair: pair[0].endswith(".idx"))


def _list(folder: str, folders: bool = False, known: set[str] | None = None) -> Iterator[tuple[str, os.stat_result]]:
    """The files in a folder, or its folders, by name and status; links are neither, and not followed."""
    if os.path.islink(folder):
        return
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if known is not None and entry.name in known:
                    continue
                if folders:
                    wanted = entry.is_dir(follow_symlinks=False)
                else:
                    wanted = entry.is_file(follow_symlinks=False)
                if wanted:
                    yield entry.name, entry.stat(follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _share_file(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_LINK:
            raise
        _copy(source, target)
        return
    if not S_ISREG(os.lstat(target).st_mode):
        # It was replaced between the two looks at it.
        os.unlink(target)


def _copy(source: str, target: str) -> None:
    """Copy a file under a name that git does not read, then give it its own."""
    file = os.open(source, _READ)
    try:
        if not S_ISREG(os.fstat(file).st_mode):
            return
        passing = os.path.join(os.path.dirname(target), f"tmp_obj_{os.getpid()}_{os.urandom(4).hex()}")
        copy = os.open(passing, _NEW, 0o444)
        try:
            while piece := os.read(file, _CHUNK):
                view = memoryview(piece)
                while view:
                    view = view[os.write(copy, view) :]
            os.rename(passing, target)
        except BaseException:
            os.unlink(passing)
            raise
        finally:
            os.close(copy)
    finally:
        os.close(file)


def drop_unshared(stores: Sequence[str], target: str) -> None:
    """Remove from an object store what is not in the others any more: they were packed anew, and all is there."""
    kept = {name for store in stores for name in _list_names(os.path.join(store, "pack"))}
    for name in _list_names(os.path.join(target, "pack")):
        if _PACK(name) and name not in kept:
            os.unlink(os.path.join(target, "pack", name))
    for fan in filter(_FAN, _list_names(target)):
        kept = {name for store in stores for name in _list_names(os.path.join(store, fan))}
        for name in _list_names(os.path.join(target, fan)):
            if _LOOSE(name) and name not in kept:
                os.unlink(os.path.join(target, fan, name))

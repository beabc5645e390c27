"""Reading below a root, and never outside it.

Every folder is opened once, component by component and without following links, and files are opened relative to
that open folder. A folder that is swapped for a link while we run therefore changes nothing: what was verified is
what is held open. Links are followed by hand, so that each step can be checked to stay inside.
"""

from __future__ import annotations

import errno
import os
import stat as st
from contextlib import suppress
from weakref import finalize, ref

from ..core.errors import Blocked, Missing, Refused, Unreadable
from ..core.limits import LIMITS, Limits
from .git_names import has_git_name, is_git_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_GIVEN = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_LINK_ERRORS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ENXIO, errno.ENODEV, errno.ENAMETOOLONG, errno.EOPNOTSUPP)
# Outside git nothing says what is generated or fetched, so the usual names are known here.
_GENERATED = frozenset(
    ".git .hg .svn .pincite node_modules .venv venv .tox .nox __pycache__ .mypy_cache .ruff_cache .pytest_cache".split()
)
_NO_NAMES = ("", ".", "..", "~")


class Closing:
    """Something that is closed at the end of a `with`."""

    def close(self) -> None:
        """Let go of everything."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Root(Closing):
    """An open folder. Keys are paths below it with forward slashes, as documents write them."""

    def __init__(self, path: str, limits: Limits = LIMITS, is_checked: bool = True) -> None:
        """`is_checked` is False for a folder of our own, such as a cache, which does not count as an open root."""
        self.path = os.path.realpath(path)
        self.limits = limits
        try:
            self._top = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise Missing(
                f"{path}: cannot open the root folder ({error.strerror}); pass an existing one with --root"
            ) from None
        self._folders: dict[str, int] = {"": self._top}
        # A descriptor is a number: unlike a file object it stays open when the last reference to its root goes.
        finalize(self, _let_go, id(self), self._folders).atexit = False
        info = os.fstat(self._top)
        self.identity = info.st_dev, info.st_ino
        """Which folder it is, whatever its name; also after it was closed."""
        if is_checked:
            OPEN_ROOTS[id(self)] = ref(self)
        self.swept: set[str] = set()
        """The folders that are known to hold no leftovers; see `temp_files`."""

    def close(self) -> None:
        """Let go of every open folder."""
        _let_go(id(self), self._folders)

    def read(self, key: str, limit: int | None = None) -> bytes:
        """All bytes of the regular file at `key`; raises Blocked, Missing or Unreadable."""
        return take_open(self._open(key), key, self.limits.source_bytes if limit is None else limit)[0]

    def take(self, key: str, limit: int | None = None) -> tuple[bytes, os.stat_result]:
        """Like `read`, with the status the file had just before."""
        return take_open(self._open(key), key, self.limits.source_bytes if limit is None else limit)

    def stat(self, key: str) -> os.stat_result | None:
        """The status of what is at `key`, links followed inside the root; None where there is nothing."""
        folder, name = self._beside(key)
        if folder is not None:
            try:
                info = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except (OSError, ValueError):
                return None
            if not st.S_ISLNK(info.st_mode):
                return info
        try:
            parts = self._resolve(key)
            return os.stat(parts[-1] if parts else ".", dir_fd=self._folder(parts[:-1]), follow_symlinks=False)
        except (OSError, Refused, ValueError):
            return None

    def is_file(self, key: str) -> bool:
        """Whether a regular file stands at `key`, inside the root."""
        info = self.stat(key)
        return info is not None and st.S_ISREG(info.st_mode)

    def locate(self, key: str) -> str:
        """The key of the file that `key` leads to, links and dots resolved; raises Blocked or Missing."""
        return "/".join(self._resolve(key))

    def trace(self, key: str) -> list[tuple[str, str]]:
        """Every place on the way to `key`, in order, with what stands there: `folder`, `link`, `file` or `nothing`.

        The way ends where it leads out of the root; what cannot be looked at counts as nothing. Where a folder is
        missing, what would stand below it comes last.
        """
        way: list[tuple[str, str]] = []
        with suppress(OSError, Refused, ValueError):
            self._resolve(key, way)
        return way

    def folder(self, key: str) -> int:
        """An open descriptor of the folder at `key`, the root itself where empty; kept by the root: do not close it."""
        try:
            return self._folder(self._resolve(key) if key else [])
        except OSError as error:
            raise _refusal(key, error) from None

    def names(self, key: str) -> list[str]:
        """The names in the folder at `key`, sorted; none where there is no such folder inside the root."""
        try:
            return sorted(os.listdir(self.folder(key)))
        except (OSError, Refused):
            return []

    def forget(self, key: str) -> None:
        """Close the folder at `key` and those below it: it is about to have another name."""
        for path in [path for path in self._folders if path and f"{path}/".startswith(f"{key}/")]:
            os.close(self._folders.pop(path))
        self.swept = {path for path in self.swept if not f"{path}/".startswith(f"{key}/")}

    def _open(self, key: str) -> int:
        """A descriptor for the file at `key`: at once where its folder is known, else step by step."""
        folder, name = self._beside(key)
        if folder is not None:
            try:
                return os.open(name, _FILE, dir_fd=folder)
            except ValueError:
                raise Blocked(key) from None
            except OSError as error:
                if error.errno not in _LINK_ERRORS:
                    raise _refusal(key, error) from None
        for _ in range(4):
            parts = self._resolve(key)
            if not parts:
                raise Missing(key)
            try:
                return os.open(parts[-1], _FILE, dir_fd=self._folder(parts[:-1]))
            except OSError as error:
                # Something became a link since it was resolved: look again, a few times.
                if error.errno not in _LINK_ERRORS:
                    raise _refusal(key, error) from None
        raise Blocked(key)

    def _beside(self, key: str) -> tuple[int | None, str]:
        """The open folder that holds `key` and the name there; None where the way has to be gone step by step."""
        head, _, name = key.rpartition("/")
        if name in _NO_NAMES or key[0] == "/" or "\\" in key or key[1:2] == ":" or has_git_name(key):
            return None, name
        known = self._folders.get(head)
        if known is None and len(head) < self.limits.path_chars:
            # Most folders are reached without a link on the way; where one is, its parts do not open and are resolved.
            parts = head.split("/")
            if not any(part in _NO_NAMES for part in parts):
                try:
                    return self._folder(parts), name
                except (OSError, ValueError):
                    return None, name
        return known, name

    def _resolve(self, key: str, way: list[tuple[str, str]] | None = None) -> list[str]:
        """The components of the place `key` leads to, every link followed and found to stay inside.

        `way` gets every place that was looked at, as `trace` says.
        """
        todo = key_parts(key, self.limits.path_chars)[::-1]
        done: list[str] = []
        links = 0
        while todo:
            name = todo.pop()
            if name in ("", "."):
                continue
            if name == "..":
                if not done:
                    raise Blocked(key)
                done.pop()
                continue
            if links and is_git_name(name):
                # A link has no business in git's own files, which hold credentials.
                raise Blocked(key)
            try:
                kind, target = self._look(key, done, name)
            except Refused:
                if way is not None:
                    way.append(("/".join([*done, name]), "nothing"))
                    rest = [part for part in reversed(todo) if part not in ("", ".")]
                    if rest and ".." not in rest:
                        way.append(("/".join([*done, name, *rest]), "nothing"))
                raise
            if way is not None:
                way.append(("/".join([*done, name]), kind))
            if kind == "link":
                links += 1
                if links > self.limits.symlinks:
                    raise Unreadable("too many levels of symbolic links")
                if target.startswith("/"):
                    if target != self.path and not target.startswith(self.path.rstrip("/") + "/"):
                        raise Blocked(key)
                    done = []
                    target = target[len(self.path) :]
                todo.extend(reversed(target.split("/")))
            elif todo and kind != "folder":
                raise Missing(key)
            else:
                done.append(name)
        return done

    def _look(self, key: str, folder: list[str], name: str) -> tuple[str, str]:
        """What has this name in a folder given without links (`folder`, `link` or `file`), and where a link leads."""
        try:
            held = self._folder(folder)
            mode = os.stat(name, dir_fd=held, follow_symlinks=False).st_mode
            if st.S_ISLNK(mode):
                return "link", os.readlink(name, dir_fd=held)
        except OSError as error:
            raise _refusal(key, error) from None
        return "folder" if st.S_ISDIR(mode) else "file", ""

    def _folder(self, parts: list[str]) -> int:
        """The open descriptor of a folder given by components that are no links."""
        path = "/".join(parts)
        known = self._folders.get(path)
        if known is not None:
            return known
        parent = self._folder(parts[:-1])
        descriptor = os.open(parts[-1], _FOLDER, dir_fd=parent)
        if len(self._folders) >= self.limits.open_folders:
            # Oldest first, but never the root itself.
            oldest = next((key for key in self._folders if key and not path.startswith(key + "/")), None)
            if oldest is not None:
                os.close(self._folders.pop(oldest))
        self._folders[path] = descriptor
        return descriptor


def _let_go(root: int, folders: dict[str, int]) -> None:
    OPEN_ROOTS.pop(root, None)
    while folders:
        os.close(folders.popitem()[1])


# No lock: the collector may close a root inside of any allocation, also of the thread that would hold it.
OPEN_ROOTS: dict[int, ref[Root]] = {}
"""Every root that is open, by its `id`: what lies in one of them may have come with it, and is no cache of ours."""


def list_open_roots() -> set[tuple[int, int]]:
    """Device and inode of every root that is open. Another thread may close one at any moment, so none is asked."""
    # `list` takes the values in one step, in which neither another thread nor the collector runs.
    return {root.identity for one in list(OPEN_ROOTS.values()) if (root := one()) is not None}


def take_path(path: str, limit: int = LIMITS.source_bytes) -> tuple[bytes, os.stat_result]:
    """All bytes of the regular file at a path that the caller vouches for, links followed, with its status before."""
    try:
        descriptor = os.open(path, _GIVEN)
    except ValueError:
        raise Missing(path) from None
    except OSError as error:
        raise _refusal(path, error) from None
    return take_open(descriptor, path, limit)


def read_path(path: str, limit: int = LIMITS.source_bytes) -> bytes:
    """All bytes of the regular file at a path that the caller vouches for; raises Missing or Unreadable."""
    return take_path(path, limit)[0]


def stat_path(path: str) -> os.stat_result | None:
    """The status of what is at a path that the caller vouches for, links followed; None where it cannot be had."""
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def take_open(descriptor: int, key: str, bound: int) -> tuple[bytes, os.stat_result]:
    """All bytes of an open regular file, which is closed whatever happens, and its status before they were read."""
    try:
        info = os.fstat(descriptor)
        if not st.S_ISREG(info.st_mode):
            raise Missing(key)
        size = info.st_size
        if size > bound:
            raise Unreadable(f"{size} bytes exceed the limit of {bound}")
        # One byte more than expected shows the end without a second call, and growth while reading.
        data = os.read(descriptor, size + 1)
        while len(data) != size:
            more = os.read(descriptor, bound + 1 - len(data)) if len(data) <= bound else b""
            if not more:
                break
            data += more
    except OSError as error:
        raise Unreadable(_reason(error)) from None
    finally:
        os.close(descriptor)
    if len(data) > bound:
        raise Unreadable(f"more than {bound} bytes: the limit")
    return data, info


def has_ending(name: str, endings: tuple[str, ...]) -> bool:
    """Whether a file's name has one of these endings, in whatever case: `README.MD` is a document too."""
    if name.endswith(endings):
        return True
    # Nearly all names are spelt in one case; the others are worth a second look.
    return not name.islower() and name.lower().endswith(tuple([ending.lower() for ending in endings]))


def ending_pattern(ending: str) -> str:
    """A git pattern of all files with an ending, in whatever case."""
    return "*" + "".join(f"[{one.lower()}{one.upper()}]" if one.isalpha() else one for one in ending)


def is_generated(folder: str) -> bool:
    """Whether a folder, given with a trailing slash, bears a name under which tools keep what they make or fetch."""
    return folder[:-1].rpartition("/")[2] in _GENERATED


def walk(top: str, skip: Callable[[str], bool], limits: Limits = LIMITS) -> tuple[list[str], list[str]]:
    """All files and all folders below a folder, as sorted keys; links to folders are not entered, skipped ones neither.

    Each folder is opened from the one above it, so that one swapped for a link meanwhile is not entered either.
    """
    files: list[str] = []
    folders: list[str] = [""]
    opened: list[tuple[int, list[str]]] = []
    """The folders from the top down to here, each with those of its folders that are still to be entered."""
    key = ""
    try:
        while True:
            try:
                flags = _FOLDER if opened else os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
                here = os.open(
                    key.rpartition("/")[2] if opened else top, flags, dir_fd=opened[-1][0] if opened else None
                )
            except OSError:
                here = -1
            if here >= 0:
                todo: list[str] = []
                opened.append((here, todo))
                prefix = f"{key}/" if key else ""
                with suppress(OSError), os.scandir(here) as entries:
                    for entry in entries:
                        (todo if entry.is_dir(follow_symlinks=False) else files).append(prefix + entry.name)
                # What is too long to be read, or git's own, is not searched either.
                todo[:] = [
                    name
                    for name in todo
                    if not skip(name + "/")
                    and len(name) < limits.path_chars
                    and not is_git_name(name.rpartition("/")[2])
                ]
                folders += todo
            while opened and not opened[-1][1]:
                os.close(opened.pop()[0])
            if not opened:
                break
            key = opened[-1][1].pop()
    finally:
        for descriptor, _ in opened:
            os.close(descriptor)
    files.sort()
    folders.sort()
    return files, folders


def key_parts(key: str, limit: int) -> list[str]:
    """The parts of a key; raises Blocked for what could never be a path below the root, or is git's own."""
    if (
        not key
        or len(key) > limit
        or "\0" in key
        or key[0] in "/\\"
        # A drive, as other systems write it; `a:4.txt` is a name like any other.
        or (key[1:2] == ":" and key[0].isalpha() and key[2:3] in ("", "/", "\\"))
        or (key[0] == "~" and (len(key) == 1 or key[1] == "/"))
        or (".." in key and "\\" in key and ".." in key.replace("\\", "/").split("/"))
        or has_git_name(key)
    ):
        raise Blocked(key)
    try:
        os.fsencode(key)
    except ValueError:
        raise Blocked(key) from None
    return key.split("/")


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def _refusal(key: str, error: OSError) -> Missing | Unreadable:
    if error.errno in _ABSENT:
        return Missing(key)
    return Unreadable(_reason(error))

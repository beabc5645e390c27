"""Addresses that clients use, and the roots and keys that they stand for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

from msgspec import Struct

from ...engine.draft import UNNAMED
from ...project.config import find_root
from ...project.documents import excluder, is_evidence, is_foreign_source
from ...safe.files import has_ending, is_generated
from ...safe.git_names import has_git_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...project.project import Project

_PROSE = ("markdown", "plaintext", "restructuredtext")
"""Languages of a buffer without a file that is checked."""
_MARKERS = (".git", "pincite.toml")


class FilePlace(Struct, frozen=True):
    """A file of a project: the project's root, and the file's path from there."""

    root: str
    key: str


class WorkspaceFolders:
    """The folders that a client works in: they say which root a file belongs to."""

    def __init__(self, uris: Iterable[str]) -> None:
        self._folders: list[str] = []
        self.change(uris, ())

    def change(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Take folders in, and leave others out."""
        gone = {path_of(uri) for uri in removed}
        known = [*self._folders, *filter(None, map(path_of, added))]
        self._folders = list(dict.fromkeys(folder for folder in known if folder not in gone))

    def roots(self) -> list[str]:
        """The roots of the folders, each once."""
        return list(dict.fromkeys(find_root(folder) for folder in self._folders if os.path.isdir(folder)))

    def locate(self, uri: str, language: str = "") -> FilePlace | None:
        """The file at an address; None for what lies in no project. A buffer without a file belongs to the first."""
        path = path_of(uri)
        if not path:
            roots = self.roots() if uri.startswith("untitled:") and language in _PROSE else []
            return FilePlace(roots[0], UNNAMED) if roots else None
        folder, name = os.path.split(path)
        if not name or not (os.path.isdir(folder) or self._find_around(path)):
            return None
        whole = os.path.join(os.path.realpath(folder), name)
        root = self._find_root(path, os.path.dirname(whole))
        below = root.rstrip("/") + "/"
        return FilePlace(root, whole[len(below) :]) if whole.startswith(below) else None

    def _find_around(self, path: str) -> str:
        """The deepest open folder that holds a file; empty where none does."""
        around = [one for one in self._folders if path.startswith(one.rstrip("/") + "/") and os.path.isdir(one)]
        return max(around, key=len, default="")

    def _find_root(self, path: str, folder: str) -> str:
        """The root around the deepest open folder that holds a file, else the root around the file."""
        around = self._find_around(path)
        root = find_root(around) if around else ""
        marked = root and any(os.path.lexists(os.path.join(root, marker)) for marker in _MARKERS)
        # An editor makes the folder of a new file when it saves the file.
        found = root if marked or not os.path.isdir(folder) else find_root(folder)
        # Without a repository and without settings, the folder that is open is the project.
        lone = not any(os.path.lexists(os.path.join(found, marker)) for marker in _MARKERS)
        return root if root and lone else found


def path_of(uri: str) -> str:
    """The path of a file's address; empty for any other."""
    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="surrogateescape")
    except ValueError:
        return ""
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path.startswith("/") or "\0" in path:
        return ""
    return os.path.normpath(path)


def find_key(root: str, uri: str) -> str:
    """The key that an address has below a root, whether or not there is a file; empty where it lies elsewhere."""
    path = path_of(uri)
    folder, name = os.path.split(path)
    whole = os.path.join(os.path.realpath(folder), name) if path else ""
    below = root.rstrip("/") + "/"
    return whole[len(below) :] if whole.startswith(below) else ""


def uri_of(root: str, key: str) -> str:
    """The address of a file of a project."""
    return "file://" + quote(os.path.join(root, key).encode("utf-8", "surrogateescape"))


def is_document(project: Project, key: str) -> bool:
    """Whether `pincite check` would read a file for its citations."""
    if key == UNNAMED:
        return True
    config = project.config
    if not has_ending(key, config.endings) or has_git_name(key) or is_foreign_source(key):
        return False
    if any(is_generated(f"{part}/") for part in key.split("/")[:-1]) or excluder(config.exclude)(key):
        return False
    if is_evidence(project.root, key):
        return False
    git = project.git()
    # 128: git itself cannot say, as for a path below a link.
    return git is None or not git.run("check-ignore", "--", f"./{git.prefix}{key}", codes=(0, 1, 128)).strip()

"""What git has and the work tree has not: submodules that were not fetched, files outside of a sparse checkout."""

from __future__ import annotations

import os
import re

from .child import ChildFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .git import Git

# `S 100644 BLOB 0<tab>path` for a file that git leaves out of the work tree, `H 160000 ID 0<tab>path` for a submodule.
_LEFT_OUT = re.compile(rb"(?:\A|(?<=\0))(?:([Ss]) 1[02]0[0-9]{3}|[A-Za-z] 160000) [0-9a-f]+ [0-9]\t([^\0]*)")


class LeftOut:
    """Looks up why a path of the repository is not in the work tree; git is asked once."""

    def __init__(self, git: Git) -> None:
        self._root = git.root
        self._submodules: set[str] = set()
        self._sparse: set[str] = set()
        signs = (os.path.join(git.top, ".gitmodules"), os.path.join(git.git_dir, "info", "sparse-checkout"))
        if not any(map(os.path.lexists, signs)):
            # Asking git costs more than checking a small project, and most have neither.
            return
        try:
            listed = git.run("ls-files", "-t", "-s", "-z", "--", *git.below(("",)))
        except ChildFailed:
            return
        for skipped, name in _LEFT_OUT.findall(listed):
            path = git.inside(name)
            if path is not None:
                (self._sparse if skipped else self._submodules).add(path)

    def explain(self, path: str) -> str:
        """Why a path that leads to no file may be one all the same; empty where nothing says so."""
        if path in self._sparse:
            return "it is in git, and outside of the sparse checkout"
        folder = path
        while self._submodules and "/" in folder:
            folder = folder.rpartition("/")[0]
            if folder in self._submodules and not os.path.lexists(os.path.join(self._root, folder, ".git")):
                return f"it lies in the submodule {folder}, which was not fetched"
        return ""

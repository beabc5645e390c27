"""The root that a server serves: nothing outside of it is read, and no path of the machine is named."""

from __future__ import annotations

import os
import re
from threading import Lock
from typing import TYPE_CHECKING

from ...core.errors import PinciteError, UsageError
from ...project.config import find_root
from ...project.documents import root_key
from ...project.project import open_project
from ...safe.escape import escape_text
from ...store.cache_folder import cache_folder
from .handles import ReceiptBook
from .jobs import DEADLINE, JobTable

if TYPE_CHECKING:
    from ...project.project import Project

_LONGEST_ERROR = 2000
_OPTIONS = {
    "--allow-write": "--allow-write",
    "--in": "within",
    "--style": "style",
    "--docs": "docs",
    "--write": "write: true",
    "--root": "another root",
}
"""What an option of the command line is called here; one that no tool has stays as it is."""
_OPTION = re.compile(r"--(?:allow-write|in|style|docs|write|root)\b")


class Workspace:
    """A fixed root, with the receipts and the jobs of the server that serves it."""

    def __init__(self, root: str, allow_write: bool = False, deadline: float = DEADLINE) -> None:
        self._root = os.path.realpath(root)
        self.allow_write = allow_write
        self.deadline = deadline
        self.receipts = ReceiptBook()
        self.jobs = JobTable(self.describe_error)
        self.writing = Lock()
        """Held while documents are written."""

    def open(self) -> Project:
        """The project as it is now; raises UsageError where its root is gone."""
        if not os.path.isdir(self._root):
            raise UsageError("the root is gone: the folder that this server was started for was removed or renamed")
        return open_project(self._root, option="")

    def find_key(self, project: Project, path: str) -> str:
        """A path from the root as a key; raises UsageError for one that leads out."""
        try:
            return root_key(project.root, path, project.root.path)
        except UsageError:
            raise UsageError(f"{path}: outside the root; name a path below it, from the root") from None

    def describe_error(self, error: BaseException) -> str:
        """What went wrong, in words for an agent."""
        if isinstance(error, PinciteError):
            return self.conceal(str(error))
        if isinstance(error, MemoryError):
            return "out of memory; ask for less at once"
        if isinstance(error, OSError):
            return f"the files cannot be read: {error.strerror or type(error).__name__}; try again"
        return f"pincite failed ({type(error).__name__}); this is a defect of it, another request may work"

    def conceal(self, message: str) -> str:
        """A message in pincite's own voice, without paths of the machine, and with arguments instead of options."""
        for path, name in ((self._root, "the root"), (_find_cache(), "the cache"), (os.path.expanduser("~"), "~")):
            if len(path) > 1:
                message = message.replace(f"{path}/", "").replace(path, name)
        message = _OPTION.sub(lambda match: _OPTIONS[match[0]], message)
        return "\n".join(escape_text(line) for line in message.split("\n"))[:_LONGEST_ERROR]


def choose_root(given: str | None) -> str:
    """The root to serve: what was given, else the folder that Claude Code names, else the repository around us."""
    if given is not None:
        with open_project(given) as project:
            return project.root.path
    named = os.environ.get("CLAUDE_PROJECT_DIR", "")
    if named and os.path.isdir(named):
        return os.path.realpath(named)
    return find_root(".")


def _find_cache() -> str:
    try:
        return cache_folder()
    except PinciteError:
        return ""

"""Which files there were: what a citation may have meant that leads to no file now."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.model import Citation, Obstacle, SourceRef
from ...text.file_names import HOST

if TYPE_CHECKING:
    from ...history.authorship import History
    from ...store.lock_file import Locks

# Asking history for a name costs a pass over it the first time, so `localhost:80` and `example.com:443` do not.
_LIKE_A_FILE = re.compile(rf".*/|(?!{HOST})[^/]*\.[A-Za-z][A-Za-z0-9]{{0,7}}\Z")


class PastFiles:
    """Knows from history, and from what was locked, which paths were files or folders once."""

    def __init__(self, history: History | None, locks: Locks | None) -> None:
        self.history = history
        self.locks = locks
        """What was read when citations were locked: it comes before history."""
        self.without_git = False
        """Whether there is a history and no git to ask."""

    def has_existed(self, key: str) -> bool:
        """Whether a file of that path was ever part of the repository; what looks like a host is not asked for."""
        if self.locks is not None and self.locks.knows(key):
            return True
        return self.history is not None and _LIKE_A_FILE.match(key) is not None and self.history.has_existed(key)

    def may_have_existed(self, key: str) -> bool:
        """Whether that cannot be told: the path looks like a file, and part of history is not here."""
        cut = self.without_git or (self.history is not None and self.history.is_cut)
        return cut and _LIKE_A_FILE.match(key) is not None

    def look_back(self, citation: Citation) -> tuple[Citation, Obstacle] | None:
        """What may have been a file once; None for what never was one. Where history is cut off, that is not known."""
        scheme = citation.source.scheme
        keys = [key for key in (citation.source.key, citation.alternate) if key]
        for kind, asked in (("file-not-found", self.has_existed), ("existence-unknown", self.may_have_existed)):
            for key in keys:
                path = key.partition("::")[0] if scheme == "symbol" else key
                if asked(path):
                    return replace(citation, source=SourceRef(scheme, key)), Obstacle(kind, path)
        return None

    def look_back_by_end(self, citation: Citation) -> tuple[Citation, Obstacle] | None:
        """The one file of the past that a citation names by the end of its path; None where there is none."""
        end = citation.source.key
        if citation.source.scheme != "file" or _LIKE_A_FILE.match(end) is None:
            return None
        paths = self.past_paths_by_end(end)
        if len(paths) != 1:
            return None
        return replace(citation, source=SourceRef("file", paths[0]), by_end=end), Obstacle("file-not-found", paths[0])

    def past_paths_by_end(self, end: str) -> list[str]:
        """The paths that once were and end in whole components with what is given."""
        return self.history.past_paths_by_end(end) if self.history is not None else []

    def look_back_at_path(self, citation: Citation) -> tuple[Citation, Obstacle] | None:
        """A path of an instruction file that was there once; None for what never was, or where that is not known."""
        for key in filter(None, (citation.source.key, citation.alternate)):
            if self.has_existed(key):
                return replace(citation, source=SourceRef("path", key)), Obstacle("path-not-found", key)
        return None

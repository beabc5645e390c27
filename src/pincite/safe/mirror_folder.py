"""The folder of mirrors: bare copies of other repositories, each at `<host>/<owner>/<name>.git` in lower case.

The environment alone says where the folder is, never a file of what is checked. A name comes from a document and is
hostile: it leads to a folder below the folder of mirrors, or nowhere.
"""

from __future__ import annotations

import os
import re

_PART = re.compile(r"[a-z0-9._\-]{1,100}\Z", re.ASCII).match
_HOST = re.compile(r"[a-z0-9._\-]{1,100}(?:%3a[0-9]{1,5})?\Z", re.ASCII).match
"""The folder of a host, perhaps with its port, whose colon not every disk takes: `git.example.org%3a8443`."""
_ENDING = ".git"
_FEWEST_PARTS = 3
_MOST_PARTS = 8
"""A host, an owner with some groups below it, and a name."""
_MOST_HOSTS = 200


class MirrorFolder:
    """Finds the mirror of a repository by its name, such as `github.com/owner/name`."""

    def __init__(self, folder: str) -> None:
        self.path = os.path.realpath(folder)
        """The folder without links on the way."""

    def find(self, name: str) -> str:
        """The git directory of a repository's mirror; empty where there is none, or where it lies elsewhere."""
        place = self.locate(name)
        if not place or not os.path.isdir(place):
            return ""
        real = os.path.realpath(place)
        return real if real.startswith(self.path.rstrip("/") + "/") else ""

    def locate(self, name: str) -> str:
        """Where the mirror of a repository is, or would be; empty for what can be no repository's name."""
        parts = name.lower().split("/") if name.isascii() else []
        if not _FEWEST_PARTS <= len(parts) <= _MOST_PARTS or not all(map(_is_part, parts[1:])):
            return ""
        if not _is_host(parts[0]):
            return ""
        if any(part.endswith(_ENDING) for part in parts[:-1]):
            # That is a folder inside of a mirror, whose names are those of branches.
            return ""
        return os.path.join(self.path, *parts) + _ENDING

    def list_hosts(self) -> list[str]:
        """The hosts of which there are mirrors, in alphabetical order."""
        try:
            with os.scandir(self.path) as entries:
                found = [entry.name for entry in entries if _is_host(entry.name) and entry.is_dir()]
        except OSError:
            return []
        return sorted(found)[:_MOST_HOSTS]


def _is_host(part: str) -> bool:
    return _HOST(part) is not None and part not in (".", "..")


def _is_part(part: str) -> bool:
    return _PART(part) is not None and part not in (".", "..")

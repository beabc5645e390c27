"""Snapshots of many web pages below one folder: in folders by host and page, so that none of them grows large."""

from __future__ import annotations

import os
import re
from hashlib import sha256
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.files import Root
from .warc import Snapshots

if TYPE_CHECKING:
    from ..core.web import Visit

_odd = re.compile(r"[^a-z0-9.-]")
_LONGEST_HOST = 100


class SnapshotFolder:
    """A folder of snapshots that several threads and processes write to. None of its files is read meanwhile."""

    def __init__(self, path: str) -> None:
        """The folder is made where it is missing; raises UsageError."""
        self.path = os.path.abspath(path)
        try:
            os.makedirs(self.path, 0o755, exist_ok=True)
        except OSError as error:
            raise UsageError(f"{path}: cannot be made ({error.strerror}); name another folder") from None

    def keep(self, visit: Visit, host: str) -> str:
        """Keep a visit in a file of its own, whole or not at all; the file, from this folder. Raises Refused."""
        folder = place_of(visit.url, host)
        # A root is for one thread at a time.
        with Root(self.path, is_checked=False) as root:
            return f"{folder}/{Snapshots(root, folder).keep(visit)}"


def place_of(url: str, host: str) -> str:
    """The folder of the snapshots of a page."""
    plain = _odd.sub("_", host.lower())[:_LONGEST_HOST].lstrip(".-") or "_"
    return f"{sha256(host.encode()).hexdigest()[:2]}/{plain}/{sha256(url.encode()).hexdigest()[:2]}"

"""Writes a report without losing what a person wrote into the one before it."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...safe.files import Root

SEAL = re.compile(rb"<!-- made by pincite, sha256:([0-9a-f]{64}) of what stands above -->\n\Z")
SEALED = "made by pincite, sha256:"
"""What the comment says that a report ends with, whatever its sum."""
BACKUP = ".bak"


def seal(text: str) -> bytes:
    """A report with a line at its end that shows whether it was edited since."""
    data = text.encode("utf-8", "replace")
    return data + f"<!-- made by pincite, sha256:{sha256(data).hexdigest()} of what stands above -->\n".encode()


def is_untouched(data: bytes) -> bool:
    """Whether a report is as pincite wrote it."""
    found = SEAL.search(data)
    return found is not None and found[1].decode() == sha256(data[: found.start()]).hexdigest()


def fits_seal(text: str) -> bool:
    """Whether the text of a report is as pincite wrote it; how its lines end does not matter."""
    return is_untouched(f"{text.replace(chr(13), '').rstrip()}\n".encode("utf-8", "replace"))


def put_report(root: Root, key: str, text: str) -> tuple[bool, str]:
    """Write a report; whether it changed, and where the one before it is kept if it was edited, else nowhere."""
    from ...safe.write import put

    data = seal(text)
    old = root.read(key) if root.is_file(key) else b""
    if old == data:
        return False, ""
    kept = _keep(root, key, old) if old and not is_untouched(old) else ""
    put(root, key, data)
    return True, kept


def _keep(root: Root, key: str, data: bytes) -> str:
    """Put bytes beside a file, under the first name that is free or already holds them."""
    from ...safe.write import put

    names = set(root.names(key.rpartition("/")[0]))
    for number in count(1):
        name = f"{key}{BACKUP}{number if number > 1 else ''}"
        if name.rpartition("/")[2] not in names:
            put(root, name, data)
            return name
        if root.is_file(name) and root.read(name) == data:
            return name
    raise AssertionError

"""The baseline: findings a team has decided to live with for now, one fingerprint per line with what it stands for."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..core.limits import LIMITS
from ..safe.escape import escape_text
from ..safe.report_output import output_to, read_file
from ..text.lines import format_count
from .documents import root_key

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..safe.files import Root

_HEAD = (
    "# pincite baseline: findings that do not fail. Renew it with `pincite check --baseline FILE --update-baseline`."
)
_NAME = re.compile(r"[0-9a-f]{16}\Z")


def baseline_file(root: Root, typed: str | None, setting: str) -> str:
    """The baseline's path: as typed, else as the settings name it, which must be below the root; empty for none."""
    if typed or not setting:
        return typed or ""
    # Settings come with the repository: a link there must not make us read or write elsewhere.
    path = os.path.join(root.path, setting)
    root_key(root, path)
    return os.path.relpath(path)


def read_baseline(path: str, root: str = "") -> dict[str, str]:
    """The fingerprints in a baseline file, with what the file says of each."""
    data = read_file(path, LIMITS.document_bytes, root)
    if data is None:
        raise UsageError(f"{path}: no such baseline; make one with --baseline {path} --update-baseline")
    names = {}
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        name, _, meaning = (part.strip() for part in line.partition("#"))
        if name and not _NAME.match(name):
            raise UsageError(f"{path}:{number}: not a baseline line (expected sixteen hex digits); make it anew")
        if name:
            names[name] = meaning
    return names


def read_known(root: Root, setting: str) -> frozenset[str]:
    """The fingerprints in the baseline that the settings name; none where they name none."""
    path = baseline_file(root, None, setting)
    return frozenset(read_baseline(path)) if path else frozenset()


def save_baseline(path: str, found: Mapping[str, str], root: str = "") -> str:
    """Write fingerprints with their meaning, sorted by it so that changes read well in a diff; says what was done."""
    if os.path.lexists(path) and not os.path.isfile(path):
        raise UsageError(f"{path}: not a regular file; name a file, or remove what is there")
    rows = sorted((escape_text(meaning), name) for name, meaning in found.items())
    with output_to(path, root) as write:
        write("\n".join([_HEAD, *(f"{name}  # {meaning}" for meaning, name in rows)]) + "\n")
    return f"{escape_text(path)}: wrote {format_count(len(rows), 'known finding')}"

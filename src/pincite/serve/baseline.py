"""The baseline: findings a team has decided to live with for now, one fingerprint per line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..limits import LIMITS
from ..safe.output import output_to, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEAD = (
    "# pincite baseline: findings that do not fail. Renew it with `pincite check --baseline FILE --update-baseline`."
)
_NAME = re.compile(r"[0-9a-f]{16}\Z")


def read_baseline(path: str, renew: bool) -> frozenset[str]:
    """The fingerprints in a baseline file; none where it is about to be written anew."""
    if renew:
        return frozenset()
    data = read_file(path, LIMITS.document_bytes)
    if data is None:
        raise UsageError(f"{path}: no such baseline; make one with --baseline {path} --update-baseline")
    names = set()
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        name = line.partition("#")[0].strip()
        if name and not _NAME.match(name):
            raise UsageError(f"{path}:{number}: not a baseline line (expected sixteen hex digits); make it anew")
        if name:
            names.add(name)
    return frozenset(names)


def write_baseline(path: str, names: Iterable[str]) -> None:
    """Write the fingerprints, sorted, so that changes read well in a diff."""
    with output_to(path) as write:
        write("\n".join([_HEAD, *sorted(set(names))]) + "\n")

"""Acceptances at rest: citations that a reader found still true, one line each in `.pincite-accepted`.

In a project with a lock, an acceptance of locked lines stands in their entry instead.
"""

from __future__ import annotations

import re
from stat import S_ISDIR
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode

from ..core.errors import Conflict, Missing, Refused, UsageError
from ..text.lines import BOM, shorten
from . import ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..safe.files import Root
    from .lock_file import Locks

MERGE_MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")
_HEAD = b"# Citations that were read again and are still true; `pincite accept` writes this file, see `--list`."
_REMEDY = "restore the line, or delete it and run `pincite accept` again"
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")
_SENTENCE = re.compile(r"[0-9a-f]{16}\Z")


class Acceptance(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One citation that a reader found still true, and the text that was read."""

    document: str
    citation: str
    """The citation as it is written."""
    cites: str
    """The place it cites, for readers of the file: `src/app.py:12-34`."""
    digest: str
    """SHA-256 of the cited text that was read."""
    sentence: str
    """The beginning of the SHA-256 of the sentence that cites it."""
    reason: str = ""


class Acceptances:
    """Every acceptance of a project, by document."""

    def __init__(self, data: bytes | None = None, locks: Locks | None = None) -> None:
        """Takes in the file's bytes, and the lock; raises UsageError naming line, problem and remedy."""
        self.data = data
        """The file's bytes as they were read; None where there is none."""
        self._locks = locks if locks is not None and locks.has_acceptances() else None
        self._of: dict[str, list[Acceptance]] = {}
        for number, row in enumerate((data or b"").removeprefix(BOM).split(b"\n"), 1):
            row = row.strip()
            if row and not row.startswith(b"#"):
                one = _read(number, row)
                self._of.setdefault(one.document, []).append(one)

    @classmethod
    def load(cls, root: Root, locks: Locks | None = None) -> Acceptances:
        """The acceptances below a root; raises UsageError where the file cannot be read."""
        try:
            return cls(_read_file(root), locks)
        except Refused as error:
            reason = "it leads outside the root" if error.kind == "path-blocked" else str(error)
            raise UsageError(f"{ACCEPTED}: cannot be read ({reason}); correct the file or remove it") from None

    def __bool__(self) -> bool:
        return bool(self._of) or self._locks is not None

    def of(self, document: str) -> tuple[Acceptance, ...]:
        """A document's acceptances, those in the lock among them."""
        own = self._of.get(document, ())
        return (*own, *self._locks.acceptances_of(document)) if self._locks is not None else tuple(own)

    def rows(self) -> frozenset[Acceptance]:
        """The acceptances in the file."""
        return frozenset(one for some in self._of.values() for one in some)

    def documents(self) -> list[str]:
        """Every document that has an acceptance."""
        locked = self._locks.documents() if self._locks is not None else ()
        return sorted({*self._of, *(name for name in locked if self.of(name))})


def parse_leniently(data: bytes) -> frozenset[Acceptance]:
    """The acceptances in a file of another time; none where it is not right."""
    try:
        return Acceptances(data).rows()
    except UsageError:
        return frozenset()


def render(rows: Iterable[Acceptance]) -> bytes:
    """The file with these acceptances, sorted so that changes read well; empty where there is none."""
    from ..safe.escape import json_safe

    lines = sorted(json_safe(encode(one).decode()).encode() for one in set(rows))
    return b"\n".join([_HEAD, *lines, b""]) if lines else b""


def save(root: Root, old: bytes | None, new: bytes) -> None:
    """Put new contents in place of those that were read (None: of none); raises Conflict or Refused."""
    from ..safe.write import create, replace

    if old is not None:
        replace(root, ACCEPTED, old, new)
    elif root.stat(ACCEPTED) is not None:
        raise Conflict(f"{ACCEPTED}: appeared meanwhile; nothing was written. Run the command again.")
    else:
        create(root, ACCEPTED, new)


def _read_file(root: Root) -> bytes | None:
    try:
        return root.read(ACCEPTED, root.limits.lock_bytes)
    except Missing:
        info = root.stat(ACCEPTED)
        if info is None:
            return None
        kind = "a folder" if S_ISDIR(info.st_mode) else "not a regular file"
        raise UsageError(f"{ACCEPTED}: {kind}, so nothing can be accepted; remove it or give it another name") from None


def _read(number: int, row: bytes) -> Acceptance:
    """One line of the file; raises UsageError where it is no acceptance."""
    if row[:7] in MERGE_MARKS:
        raise _wrong(number, "a merge is not finished", "remove its marks and keep the lines of both sides")
    try:
        one = decode(row, type=Acceptance)
    except (DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _wrong(number, f"not an acceptance ({shorten(str(error), 200)})") from None
    if not one.document or not one.citation:
        raise _wrong(number, "it names no citation")
    if _DIGEST.match(one.digest) is None or _SENTENCE.match(one.sentence) is None:
        raise _wrong(number, "a digest is not one")
    return one


def _wrong(number: int, problem: str, remedy: str = _REMEDY) -> UsageError:
    return UsageError(f"{ACCEPTED}:{number}: {problem}; {remedy}")

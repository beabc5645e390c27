"""One entry of the lock: a citation, and the lines it rested on when it was read."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.json import encode

from ..core.model import Lines
from ..text.lines import join, shorten

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

HEAD = b'{"pincite_lock":1}'
"""The first line of a lock."""
_ID = 12
_WHOLE_LINES = 40
_WHOLE_BYTES = 4096
_ENDS = 3
_CONTEXT = 3
_CONTEXT_CHARS = 200
_MARK = 8
_MOST_MARKED = 1000
_PLACE = re.compile(r"(.+):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?\Z", re.DOTALL)
_HEX = re.compile(r"[0-9a-f]*\Z")
_SENTENCE = re.compile(r"[0-9a-f]{16}\Z")
_UNKNOWN = "…"


class AcceptedCitation(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The citation that a reader accepted when its entry was renewed."""

    citation: str
    """As it was written."""
    sentence: str
    """The beginning of the SHA-256 of the sentence that cites it."""
    reason: str = ""


class LockEntry(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """One citation and what it rested on, as the file holds it."""

    id: str
    """The beginning of the SHA-256 of document, cited place and order: what `--accept` takes."""
    document: str
    cites: str
    """The cited place: `src/app.py:12` or `src/app.py:12-34`."""
    digest: str
    """SHA-256 of the cited lines, joined by line feeds."""
    nth: int = 1
    """Which of the document's citations of that place it is."""
    text: tuple[str, ...] = ()
    """The cited lines; the first few where they are many or long."""
    lines: int = 0
    """How many lines are cited, where the text does not hold them all."""
    end: tuple[str, ...] = ()
    """The last few lines then."""
    marks: str = ""
    """Eight hex digits of each line's SHA-256 then, for up to a thousand lines."""
    before: tuple[str, ...] = ()
    """Up to three lines above."""
    after: tuple[str, ...] = ()
    """Up to three lines below."""
    accepted: AcceptedCitation | None = None
    """Set where a reader found the citation still true (`pincite accept`)."""

    @property
    def place(self) -> tuple[str, Lines]:
        """The cited file, and the lines in it."""
        match = _PLACE.match(self.cites)
        if match is None:
            return self.cites, Lines(0, 0)
        return match[1], Lines(int(match[2]), int(match[3] or match[2]))


class LockedLines(Struct, frozen=True):
    """What a citation rested on when it was read."""

    id: str
    path: str
    lines: Lines
    digest: str
    text: tuple[str, ...]
    """All cited lines; empty where they were too many or too long to be kept: ask `text_in`."""
    before: tuple[str, ...]
    """Up to three lines above, the last of them nearest; a long one ends in `…`."""
    after: tuple[str, ...]
    """Up to three lines below."""
    ends: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The first and the last few lines, where the text is empty."""
    marks: str = ""
    sure: bool = True
    """False where the document cites the place more often than when it was locked: it may be another citation's."""

    def is_same(self, block: Sequence[str]) -> bool:
        """Whether lines are the ones that were cited, letter by letter."""
        return digest_of(block) == self.digest

    def text_in(self, now: Sequence[str]) -> tuple[str, ...]:
        """The cited lines; those that were not kept are recognised among lines of today, and `…` where they are not.

        Empty where there were so many that nothing is known of them but whether they are the same.
        """
        if self.text or not self.marks:
            return self.text
        wanted = [self.marks[at : at + _MARK] for at in range(0, len(self.marks), _MARK)]
        known = dict.fromkeys(wanted, _UNKNOWN)
        first, last = self.ends
        for line in (*now, *first, *last):
            mark = _mark(line)
            if mark in known:
                known[mark] = line
        return tuple(known[mark] for mark in wanted)


def name_of(path: str, lines: Lines) -> str:
    """A cited place as entries name it."""
    end = f"-{lines.last}" if lines.last != lines.first else ""
    return f"{join('', path)}:{lines.first}{end}"


def digest_of(block: Sequence[str]) -> str:
    """SHA-256 of lines, joined by line feeds."""
    return sha256("\n".join(block).encode(errors="surrogatepass")).hexdigest()


def entry_of(document: str, path: str, lines: Lines, now: Sequence[str], nth: int, id_: str = "") -> LockEntry:
    """The entry for lines of a file, which hold all that is cited."""
    cites = name_of(path, lines)
    block = tuple(now[lines.first - 1 : lines.last])
    above = now[max(0, lines.first - 1 - _CONTEXT) : lines.first - 1]
    below = now[lines.last : lines.last + _CONTEXT]
    before, after = (tuple(shorten(line, _CONTEXT_CHARS) for line in some) for some in (above, below))
    id_ = id_ or identity(document, cites, nth)[:_ID]
    digest = digest_of(block)
    if len(block) <= _WHOLE_LINES and sum(len(line.encode()) + 1 for line in block) <= _WHOLE_BYTES:
        return LockEntry(id_, document, cites, digest, nth, block, before=before, after=after)
    first, last = (
        tuple(shorten(line, _CONTEXT_CHARS) for line in some) for some in (block[:_ENDS], block[_ENDS:][-_ENDS:])
    )
    marks = "".join(map(_mark, block)) if len(block) <= _MOST_MARKED else ""
    return LockEntry(id_, document, cites, digest, nth, first, len(block), last, marks, before, after)


def identity(document: str, cites: str, nth: int) -> str:
    """The name of a citation, of which ids are the beginning."""
    return sha256(f"{len(document)} {document}{cites} {nth}".encode(errors="surrogatepass")).hexdigest()


def id_for(document: str, cites: str, nth: int, taken: Container[str]) -> str:
    """The shortest id for a citation that no other has."""
    name = identity(document, cites, nth)
    return next(name[:size] for size in range(_ID, len(name) + 1) if name[:size] not in taken)


def row_of(entry: LockEntry) -> bytes:
    """The line of an entry, with nothing invisible in it."""
    from ..safe.escape import json_safe

    return json_safe(encode(entry).decode()).encode()


def render(rows: Iterable[tuple[LockEntry, bytes]]) -> bytes:
    """The file with these entries: by document, file, line, and order."""

    def order(row: tuple[LockEntry, bytes]) -> tuple[str, str, int, int, int]:
        path, lines = row[0].place
        return row[0].document, path, lines.first, lines.last, row[0].nth

    return b"\n".join([HEAD, *(line for _, line in sorted(rows, key=order)), b""])


def locked_of(entry: LockEntry, sure: bool = True) -> LockedLines:
    """What an entry says."""
    path, lines = entry.place
    text, ends = (entry.text, ((), ())) if not entry.lines else ((), (entry.text, entry.end))
    return LockedLines(entry.id, path, lines, entry.digest, text, entry.before, entry.after, ends, entry.marks, sure)


def _mark(line: str) -> str:
    return sha256(line.encode(errors="surrogatepass")).hexdigest()[:_MARK]


def problem_of(entry: LockEntry) -> str:
    """What is wrong with an entry that has the right shape; empty where nothing is."""
    path, lines = entry.place
    name = identity(entry.document, entry.cites, entry.nth)
    count = lines.last - lines.first + 1
    if not path or not lines.first or count < 1:
        return f"no place that can be cited: {shorten(entry.cites, 200)}"
    if not 8 <= len(entry.id) <= 64 or not name.startswith(entry.id):
        return "the id is not that of the document and the place it cites"
    if len(entry.digest) != 64 or _HEX.match(entry.digest) is None or _HEX.match(entry.marks) is None:
        return "the digest is not one"
    if entry.accepted is not None and (not entry.accepted.citation or not _SENTENCE.match(entry.accepted.sentence)):
        return "the acceptance names no citation"
    if len(entry.before) > min(_CONTEXT, lines.first - 1) or len(entry.after) > _CONTEXT or len(entry.end) > _ENDS:
        return "more lines around the text than are kept"
    if not entry.lines:
        fits = len(entry.text) == count and not entry.marks and not entry.end
        return "" if fits and digest_of(entry.text) == entry.digest else "the text is not the one that was locked"
    if entry.lines != count or len(entry.text) > _ENDS or len(entry.marks) not in (0, count * _MARK):
        return "the lines are not as many as are cited"
    return ""

"""The citations that the next commit adds: those on lines of the index that none of its parents has.

What a commit removes is ignored here, and what it leaves as it was is not its fault.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...project.documents import REPORTS, excluder
from ...safe.files import ending_pattern
from .validation import Validated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...project.config import Config
    from ...safe.git import Git
    from .validation import Detail, Validator

    Rows = list[tuple[int, int]]

_RECORD = re.compile(rb":(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])\d{0,3}\Z")
_BLOBS = re.compile(rb"index ([0-9a-f]{40,64})\.\.([0-9a-f]{40,64})")
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_TWO_PATHS = (b"R", b"C")
_REGULAR = b"100"
_LONGEST = 1000
_ID = re.compile(rb"REF-[0-9]")


class Staged(Struct, frozen=True):
    """What the next commit adds."""

    documents: tuple[Validated, ...] = ()
    """Documents with citations on added lines, each with these alone."""
    changed: int = 0
    """How many documents the commit changes."""
    warnings: tuple[str, ...] = ()
    """What is cited and not part of the commit, and what could not be looked at."""

    @property
    def details(self) -> tuple[Detail, ...]:
        """All added citations."""
        return tuple(detail for document in self.documents for detail in document.details)


def validate_staged(validator: Validator, git: Git, config: Config) -> Staged:
    """Validate the citations that the index adds, in the documents as they are in the index."""
    patterns = tuple(ending_pattern(ending) for ending in config.documents)
    added, unmerged = added_rows(git, patterns)
    excluded = excluder(config.exclude)
    names = sorted(path for path in added if not excluded(path) and not path.startswith(REPORTS))
    warnings = [f"{path}: not merged yet, so not checked" for path in sorted(unmerged) if not excluded(path)]
    found: list[Validated] = []
    limit = git.limits.document_bytes
    for name in names:
        blob, rows = added[name]
        if not rows:
            continue
        data = git.objects().blob(blob, limit)
        if data is None:
            warnings.append(f"{name}: larger than {limit} bytes, so not checked")
            continue
        one = _on_rows(validator.validate(name, data), data, rows)
        if one.details or one.error:
            found.append(one)
    return Staged(tuple(found), len(names), (*warnings, *_not_staged(validator, git, found)))


def added_rows(git: Git, patterns: tuple[str, ...]) -> tuple[dict[str, tuple[str, Rows]], set[str]]:
    """Changed files with the blob they have in the index and the lines that no parent has; and unmerged files.

    Lines are counted from 1 and end at LF, as git counts them.
    """
    found: dict[str, tuple[str, Rows]] = {}
    unmerged: set[str] = set()
    for number, parent in enumerate(git.parents_to_be()):
        here: dict[str, tuple[str, Rows]] = {}
        known = _rows_by_blobs(git.staged_lines(parent, patterns))
        for path, old, new, status in _records(git.staged(parent, patterns)):
            name = git.inside(path)
            if name is None:
                continue
            if status == b"U":
                unmerged.add(name)
            elif new is not None:
                # What was a link before is new altogether.
                before = b"0" * len(old) if status == b"T" else old
                here[name] = new.decode("ascii"), known.get((before, new), [])
        # A merge adds what is in none of its parents.
        found = here if not number else _in_both(found, here)
    return {path: entry for path, entry in found.items() if path not in unmerged}, unmerged


def _records(raw: bytes) -> Iterator[tuple[bytes, bytes, bytes | None, bytes]]:
    """Path, old blob, new blob (None where there is no regular file now) and status of each changed file."""
    fields = iter(raw.split(b"\0"))
    for field in fields:
        match = _RECORD.match(field)
        if match is None:
            continue
        path = next(fields, b"")
        if match[5] in _TWO_PATHS:
            path = next(fields, b"")
        regular = match[2].startswith(_REGULAR) and match[5] != b"D"
        yield path, match[3], match[4] if regular else None, match[5]


def _rows_by_blobs(pieces: Iterable[bytes]) -> dict[tuple[bytes, bytes], Rows]:
    """The added lines of every pair of blobs in a patch without context.

    Lines of content are counted off, so that none of them is taken for a heading of the patch.
    """
    found: dict[tuple[bytes, bytes], Rows] = {}
    rows: Rows = []
    left = 0
    for line in _lines(pieces):
        if left:
            left -= line[:1] in (b"+", b"-")
            continue
        hunk = _HUNK.match(line)
        if hunk is not None:
            removed, first, count = int(hunk[1] or 1), int(hunk[2]), int(hunk[3] or 1)
            left = removed + count
            if count:
                rows.append((first, first + count - 1))
            continue
        blobs = _BLOBS.match(line)
        if blobs is not None:
            rows = found[blobs[1], blobs[2]] = []
    return found


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of a long one no more than its beginning is kept."""
    rest = b""
    for piece in pieces:
        first, *more = piece.split(b"\n")
        rest += first[: max(0, _LONGEST - len(rest))]
        if more:
            yield rest
            yield from more[:-1]
            rest = more[-1]
    if rest:
        yield rest


def _in_both(one: dict[str, tuple[str, Rows]], other: dict[str, tuple[str, Rows]]) -> dict[str, tuple[str, Rows]]:
    return {path: (one[path][0], _intersect_rows(one[path][1], other[path][1])) for path in one if path in other}


def _intersect_rows(one: Rows, other: Rows) -> Rows:
    """The lines that are in both lists of ranges, which are in order."""
    found: Rows = []
    at = 0
    for first, last in one:
        while at < len(other) and other[at][1] < first:
            at += 1
        step = at
        while step < len(other) and other[step][0] <= last:
            found.append((max(first, other[step][0]), min(last, other[step][1])))
            step += 1
    return found


def _on_rows(validated: Validated, data: bytes, rows: Rows) -> Validated:
    """The same with only the citations that stand on these lines."""
    if validated.error:
        # Only where an added line could hold a citation is it this commit's concern that none can be read.
        lines = data.split(b"\n")
        cited = any(_ID.search(line) for first, last in rows for line in lines[first - 1 : last])
        return validated if cited else Validated(validated.document)
    ends = [last for _, last in rows]
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    kept: list[Detail] = []
    row, at = 1, 0
    for detail in validated.details:
        start, end = detail.span.start, detail.span.end
        row += text.count("\n", at, start)
        at = start
        near = bisect_left(ends, row)
        if near < len(rows) and rows[near][0] <= row + text.count("\n", start, end):
            kept.append(detail)
    return replace(validated, details=tuple(kept))


def _not_staged(validator: Validator, git: Git, found: Iterable[Validated]) -> list[str]:
    """What the added citations rest on that is not part of the commit."""
    corpus = validator.corpus
    cited = {detail.result.ref_id for one in found for detail in one.details if detail.result.checks.in_corpus}
    files = sorted({file for name in cited for file in corpus.files(name)})
    if not files:
        return []
    indexed = git.list_indexed(corpus.folder)
    missing = [file for file in files if file not in indexed]
    if missing and not indexed:
        return [f"{corpus.folder}: no file of the corpus is in git, so other people cannot check these citations"]
    return [f"{file}: cited, but not part of the commit; add it with `git add`" for file in missing]

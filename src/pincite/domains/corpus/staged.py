"""The citations that the next commit adds: those on lines of the index that none of its parents has.

What a commit removes is ignored here, and what it leaves as it was is not its fault.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...history.line_matching import match_lines
from ...project.documents import REPORTS, excluder
from ...safe.files import ending_pattern
from .validation import ValidatedDocument

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...project.config import Config
    from ...safe.git import Git
    from .validation import DetailedResult, Validator

_RECORD = re.compile(rb":(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])\d{0,3}\Z")
_TWO_PATHS = (b"R", b"C")
_REGULAR = b"100"
_ID = re.compile(rb"REF-[0-9]")


class StagedChange(Struct, frozen=True):
    """What the next commit adds."""

    documents: tuple[ValidatedDocument, ...] = ()
    """Documents with citations on added lines, each with these alone."""
    changed: int = 0
    """How many documents the commit changes."""
    warnings: tuple[str, ...] = ()
    """What is cited and not part of the commit, and what could not be looked at."""

    @property
    def details(self) -> tuple[DetailedResult, ...]:
        """All added citations."""
        return tuple(detail for document in self.documents for detail in document.details)


def validate_staged(validator: Validator, git: Git, config: Config) -> StagedChange:
    """Validate the citations that the index adds, in the documents as they are in the index."""
    patterns = tuple(ending_pattern(ending) for ending in config.documents)
    changed, unmerged = find_changed(git, patterns)
    excluded = excluder(config.exclude)
    names = sorted(path for path in changed if not excluded(path) and not path.startswith(REPORTS))
    warnings = [f"{path}: not merged yet, so not checked" for path in sorted(unmerged) if not excluded(path)]
    found: list[ValidatedDocument] = []
    limit = git.limits.document_bytes
    for name in names:
        blob, before = changed[name]
        if blob in before:
            continue
        data = git.objects().blob(blob, limit)
        if data is None:
            warnings.append(f"{name}: larger than {limit} bytes, so not checked")
            continue
        # A merge adds what is in none of its parents.
        parents = [git.objects().blob(old, limit) or b"" if old else b"" for old in before]
        rows = set.intersection(*(_find_added_rows(old, data) for old in parents))
        one = _on_rows(validator.validate(name, data), data, rows)
        if one.details or one.error:
            found.append(one)
    return StagedChange(tuple(found), len(names), (*warnings, *_not_staged(validator, git, found)))


def find_changed(git: Git, patterns: tuple[str, ...]) -> tuple[dict[str, tuple[str, list[str]]], set[str]]:
    """Files that no parent has as they are in the index: their blob, and that in each parent; and unmerged files.

    The blob in a parent is empty where there was no such file.
    """
    found: dict[str, tuple[str, list[str]]] = {}
    unmerged: set[str] = set()
    for number, parent in enumerate(git.parents_to_be()):
        here: dict[str, tuple[str, list[str]]] = {}
        for path, old, new, status in _records(git.read_staged_changes(parent, patterns)):
            name = git.inside(path)
            if name is not None and status == b"U":
                unmerged.add(name)
            elif name is not None and new is not None and (not number or name in found):
                # What was a link before is new altogether.
                before = "" if status == b"T" or not old.strip(b"0") else old.decode("ascii")
                here[name] = new.decode("ascii"), [*(found[name][1] if number else ()), before]
        found = here
    return {path: entry for path, entry in found.items() if path not in unmerged}, unmerged


def _find_added_rows(old: bytes, new: bytes) -> set[int]:
    """The lines that were put in, counted from 1; they end at LF, as git counts them."""
    then, now = (data.decode("latin-1").split("\n") if data else [] for data in (old, new))
    return set(range(1, len(now) + 1)) - {at + 1 for at in match_lines(then, now)}


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


def _on_rows(validated: ValidatedDocument, data: bytes, rows: set[int]) -> ValidatedDocument:
    """The same with only the citations that stand on these lines."""
    if validated.error:
        # Only where an added line could hold a citation is it this commit's concern that none can be read.
        lines = data.split(b"\n")
        cited = any(_ID.search(lines[row - 1]) for row in rows)
        return validated if cited else ValidatedDocument(validated.document)
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    kept: list[DetailedResult] = []
    row, at = 1, 0
    for detail in validated.details:
        start, end = detail.span.start, detail.span.end
        row += text.count("\n", at, start)
        at = start
        if not rows.isdisjoint(range(row, row + text.count("\n", start, end) + 1)):
            kept.append(detail)
    return replace(validated, details=tuple(kept))


def _not_staged(validator: Validator, git: Git, found: Iterable[ValidatedDocument]) -> list[str]:
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

"""Entries of the lock follow citations that were given a new place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.errors import Conflict
from ...core.model import Report
from ...store.lock_entry import LockEntry, digest_of, entry_of, id_for, name_of, render, row_of
from ...store.lock_file import Locks, save, targets
from ...text.evidence import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...core.model import Lines
    from ...safe.files import Root
    from ..pipeline import Engine, VerifiedDocument
    from ..repair.fix import Fix

_TRIES = 40


def repoint(root: Root, engine: Engine, fixes: Iterable[Fix]) -> int:
    """Let entries follow citations that fixes gave a new place with the same text; how many did.

    Where another text stands there, a person has to read it: `pincite lock` sees a new citation then.
    """
    fixes = [fix for fix in fixes if fix.old != fix.new]
    for attempt in range(_TRIES):
        old, new, count = plan_repoint(root, engine, fixes)
        if not count:
            return 0
        try:
            save(root, old, new)
        except Conflict:
            if attempt == _TRIES - 1:
                raise
            continue
        return count
    return 0


def plan_repoint(root: Root, engine: Engine, fixes: Sequence[Fix]) -> tuple[bytes, bytes, int]:
    """The lock as it is and as it becomes when entries follow fixes, and how many do; no bytes where none does."""
    locks = Locks.load(root) if fixes else None
    if locks is None or {fix.document for fix in fixes}.isdisjoint(locks.documents()):
        return b"", b"", 0
    rows = {entry.id: (entry, locks.row(entry)) for name in locks.documents() for entry in locks.of(name)}
    count = 0
    for fix in fixes:
        before = engine.examine(fix.document, fix.old)
        gone, new = _follow_entries(locks, engine, fix.document, before, fix.new)
        for id_ in gone:
            del rows[id_]
        for entry in new:
            entry = replace(entry, id=id_for(entry.document, entry.cites, entry.nth, rows))
            rows[entry.id] = entry, row_of(entry)
        count += len(new)
    return (locks.data or b"", render(rows.values()), count) if count else (b"", b"", 0)


def make_draft_check(locks: Locks | None, engine: Engine, document: str, old: bytes) -> Callable[[str, bytes], Report]:
    """What checks new texts of one document as they will be checked once the lock has followed its citations."""
    if locks is None or not locks.of(document):
        return engine.check_draft

    before = engine.examine(document, old)

    def check(path: str, data: bytes) -> Report:
        gone, new = _follow_entries(locks, engine, document, before, data)
        with locks.replace_entries(document, [*(entry for entry in locks.of(document) if entry.id not in gone), *new]):
            return engine.check_draft(path, data)

    return check


def _follow_entries(
    locks: Locks, engine: Engine, document: str, before: VerifiedDocument, new: bytes
) -> tuple[set[str], list[LockEntry]]:
    """The ids of a document's entries whose citations have another place in a new text of it, and what they become."""
    after = engine.examine(document, new)
    if len(before.rows) != len(after.rows):
        return set(), []
    pairs = [(was, now) for was, now in zip(before.rows, after.rows, strict=True) if targets(was.citation)]
    found = locks.match_entries(document, [was.citation for was, _ in pairs])
    gone: set[str] = set()
    places: list[tuple[Lines, Evidence]] = []
    for (was, now), (entry, _) in zip(pairs, found, strict=True):
        citation, evidence, lines = now.citation, now.evidence, now.citation.lines
        if entry is None or lines is None or not targets(citation) or not isinstance(evidence, Evidence):
            continue
        if targets(citation) != targets(was.citation) and digest_of(evidence.block(lines)) == entry.digest:
            gone.add(entry.id)
            places.append((lines, evidence))
    held = {(entry.cites, entry.nth) for entry in locks.of(document) if entry.id not in gone}
    made: list[LockEntry] = []
    last: dict[str, int] = {}
    for lines, evidence in places:
        cites = name_of(evidence.source.key, lines)
        nth = last.get(cites, 0) + 1
        while (cites, nth) in held:
            nth += 1
        last[cites] = nth
        made.append(entry_of(document, evidence.source.key, lines, evidence.lines, nth))
    return gone, made

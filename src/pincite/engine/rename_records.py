"""What was locked and accepted follows a rename: by the document that cites, and by the place that is cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..store.accepted_file import Acceptance, Acceptances
from ..store.accepted_file import render as render_acceptances
from ..store.lock_entry import LockEntry, id_for, render, row_of
from ..store.lock_file import Locks

if TYPE_CHECKING:
    from ..safe.files import Root
    from .renaming import RenamePlan, RewrittenCitation


class RenamedRecords:
    """The files of records before and after a rename."""

    def __init__(self, root: Root, plan: RenamePlan) -> None:
        """Raises UsageError where one of them cannot be read."""
        self._plan = plan
        self._left = {(one.document, one.target) for one in plan.left}
        self._by_place: dict[tuple[str, str], list[RewrittenCitation]] = {}
        self._by_words: dict[tuple[str, str], list[RewrittenCitation]] = {}
        for one in plan.rewritten:
            self._by_place.setdefault((one.document, one.target), []).append(one)
            self._by_words.setdefault((one.document, one.old), []).append(one)
        locks = Locks.load(root)
        self.lock = (b"", b"") if locks is None or locks.data is None else (locks.data, self._rename_lock(locks))
        """The bytes of the lock, old and new; the same where nothing in it is renamed."""
        accepted = Acceptances.load(root)
        self.accepted = (b"", b"")
        """The bytes of the acceptances, old and new."""
        if accepted.data:
            rows = accepted.rows()
            renamed = frozenset(map(self._rename_acceptance, rows))
            self.accepted = accepted.data, accepted.data if renamed == rows else render_acceptances(renamed)

    def _rename_lock(self, locks: Locks) -> bytes:
        entries = locks.entries_by_id()
        kept: dict[str, tuple[LockEntry, bytes]] = {}
        moved: list[LockEntry] = []
        for id_, entry in entries.items():
            renamed = self._rename_entry(entry)
            if renamed == entry:
                kept[id_] = entry, locks.row(entry)
            else:
                moved.append(renamed)
        for entry in moved:
            entry = replace(entry, id=id_for(entry.document, entry.cites, entry.nth, kept))
            kept[entry.id] = entry, row_of(entry)
        return render(kept.values()) if moved else locks.data or b""

    def _rename_entry(self, entry: LockEntry) -> LockEntry:
        document = self._plan.find_new_path(entry.document)
        accepted = entry.accepted
        words = self._by_words.get((entry.document, accepted.citation), ()) if accepted is not None else ()
        for one in words:
            if accepted is not None and one.target == entry.cites and one.sentence == accepted.sentence:
                accepted = replace(accepted, citation=one.new, sentence=one.new_sentence)
                break
        return replace(entry, document=document, cites=self._rename_place(entry), accepted=accepted)

    def _rename_place(self, entry: LockEntry) -> str:
        """The place that an entry cites; a citation that stays as it is written keeps its entry as it is."""
        if (entry.document, entry.cites) in self._left:
            return entry.cites
        found = self._by_place.get((entry.document, entry.cites))
        return found[0].new_target if found else entry.cites

    def _rename_acceptance(self, one: Acceptance) -> Acceptance:
        document = self._plan.find_new_path(one.document)
        for citation in self._by_words.get((one.document, one.citation), ()):
            if citation.target == one.cites and citation.sentence == one.sentence:
                changed = (citation.new, citation.new_target, citation.new_sentence)
                return replace(one, document=document, citation=changed[0], cites=changed[1], sentence=changed[2])
        return replace(one, document=document)

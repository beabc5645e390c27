"""Recording what a reader accepts: in the lock where its lines are locked, else in `.pincite-accepted`."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..checks import READER_DECIDES
from ..core.errors import Conflict, Refused, UsageError
from ..core.model import Finding, Outcome
from ..store import ACCEPTED, LOCK, accepted_file, lock_file
from ..store.accepted_file import Acceptance, Acceptances
from ..store.lock_entry import AcceptedCitation, LockEntry, entry_of, id_for, render, row_of
from ..store.lock_file import Locks, targets
from ..text.evidence import Evidence
from ..text.lines import can_encode
from .acceptance import AcceptedInDocument, make_acceptance, name_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..checks import CheckedCitation
    from ..safe.files import Root
    from ..text.document import Document
    from .named_citations import NamedCitation
    from .pipeline import Engine, VerifiedDocument


_LONGEST_REASON = 1000


class AcceptAnswer(Enum):
    """What becomes of a citation that a reader accepts."""

    ACCEPTED = "accepted"
    NOTHING = "nothing to accept"
    ALREADY = "accepted already"
    REFUSED = "refused"


class AcceptResult(Struct, frozen=True):
    """The answer for one citation, and why."""

    answer: AcceptAnswer
    why: str = ""
    text: tuple[str, ...] = ()
    """The cited lines that are accepted."""
    first: int = 0
    """The number of the first of them; 0 where they have none."""
    file: str = ""
    """Where it is recorded."""


class AcceptanceState(Enum):
    """Whether an acceptance still counts."""

    IN_FORCE = "in force"
    CHANGED = "text changed"
    GONE = "citation gone"


class AcceptanceWriter:
    """Takes acceptances, and writes them all at once."""

    def __init__(self, root: Root, engine: Engine) -> None:
        self._root = root
        self._engine = engine
        self._locks = Locks.load(root)
        self._known = Acceptances.load(root, self._locks)
        self._new: list[Acceptance] = []
        self._entries: list[tuple[LockEntry | None, LockEntry]] = []
        self._examined: dict[str, VerifiedDocument] = {}

    def accept(self, named: NamedCitation, reason: str) -> AcceptResult:
        """Take one citation as still true, where that can be; raises Conflict where its document changed meanwhile."""
        verdict = named.verdict
        findings = [one for one in (*verdict.findings, *verdict.silenced) if not one.accepted]
        settled = [one for one in verdict.silenced if one.accepted]
        open_ = [one for one in findings if one.check in READER_DECIDES]
        if not open_ and settled and (not reason or all(one.accepted == reason for one in settled)):
            return AcceptResult(AcceptAnswer.ALREADY, settled[0].accepted)
        worst: Finding | None = max(findings, key=lambda one: one.outcome, default=None)
        if not open_ and not settled:
            if worst is None or worst.outcome <= Outcome.UNCHECKED:
                return AcceptResult(AcceptAnswer.NOTHING, worst.message if worst is not None else "it holds")
            return AcceptResult(AcceptAnswer.REFUSED, worst.message)
        found = self._examine(named.document)
        row = next((row for row in found.rows if row.citation.span == verdict.citation.span), None)
        if row is None or row.citation.raw != verdict.citation.raw:
            raise Conflict(f"{named.document}: changed while it was read; nothing was written. Run the command again.")
        if not can_encode(named.document):
            return AcceptResult(AcceptAnswer.REFUSED, "the name of the document is not UTF-8, so it cannot be recorded")
        acceptance = make_acceptance(found.document, row, reason)
        if acceptance is None:
            said = f"{worst.message}; " if worst is not None else ""
            return AcceptResult(AcceptAnswer.REFUSED, f"{said}there is no text at the cited place")
        locked = self._put(found, row, acceptance)
        lines = row.citation.lines
        text = row.evidence.block(lines) if isinstance(row.evidence, Evidence) and lines is not None else ()
        first = lines.first if lines is not None else 0
        return AcceptResult(AcceptAnswer.ACCEPTED, open_[0].message if open_ else "", tuple(text), first, locked)

    def _examine(self, document: str) -> VerifiedDocument:
        found = self._examined.get(document)
        if found is None:
            data = self._root.read(document, self._root.limits.document_bytes)
            found = self._examined[document] = self._engine.examine(document, data)
        return found

    def _put(self, found: VerifiedDocument, row: CheckedCitation, acceptance: Acceptance) -> str:
        """Keep an acceptance to be written; the file it goes to."""
        citation, evidence = row.citation, row.evidence
        if self._locks is None or citation.lines is None or not targets(citation) or not isinstance(evidence, Evidence):
            self._new.append(acceptance)
            return ACCEPTED
        rows = [one for one in found.rows if targets(one.citation)]
        matched = self._locks.match_entries(found.document.path, [one.citation for one in rows])
        old = next(entry for one, (entry, _) in zip(rows, matched, strict=True) if one is row)
        document, cites = found.document.path, name_place(row)
        if old is not None and old.cites == cites:
            nth, id_ = old.nth, old.id
        else:
            numbers = {entry.nth for entry in self._locks.citing(document, cites)}
            numbers |= {new.nth for _, new in self._entries if (new.document, new.cites) == (document, cites)}
            nth = next(number for number in range(1, len(numbers) + 2) if number not in numbers)
            taken = self._locks.ids() | {entry.id for _, entry in self._entries}
            id_ = id_for(document, cites, nth, taken)
        entry = entry_of(document, evidence.source.key, citation.lines, evidence.lines, nth, id_)
        accepted = AcceptedCitation(acceptance.citation, acceptance.sentence, acceptance.reason)
        self._entries.append((old, replace(entry, accepted=accepted)))
        return LOCK

    def write(self) -> None:
        """Record what was taken; raises Conflict or Refused where a file changed meanwhile or cannot be written."""
        for key, old, new in self.plan():
            (lock_file if key == LOCK else accepted_file).save(self._root, old, new)

    def plan(self) -> Iterator[tuple[str, bytes | None, bytes]]:
        """The files that `write` changes: what each is, None where it is missing, and what it becomes."""
        if self._entries and self._locks is not None:
            rows = {id_: (entry, self._locks.row(entry)) for id_, entry in self._locks.entries_by_id().items()}
            for old, new in self._entries:
                if old is not None:
                    rows.pop(old.id, None)
                rows[new.id] = new, row_of(new)
            yield LOCK, self._locks.data, render(rows.values())
        if self._new:
            given = {(one.document, one.citation, one.sentence) for one in self._new}
            kept = [one for one in self._known.rows() if (one.document, one.citation, one.sentence) not in given]
            yield ACCEPTED, self._known.data, accepted_file.render([*kept, *self._new])

    def states(self) -> list[tuple[Acceptance, AcceptanceState]]:
        """Every acceptance, and whether it still counts."""
        return [
            (one, state)
            for document in self._known.documents()
            for one, state in self._states_in(document, self._known.of(document))
        ]

    def _states_in(self, path: str, accepted: tuple[Acceptance, ...]) -> list[tuple[Acceptance, AcceptanceState]]:
        try:
            found = self._examine(path)
        except Refused:
            return [(one, AcceptanceState.GONE) for one in accepted]
        in_force = _find_in_force(found.document, found.rows, accepted)
        written = {row.citation.raw for row in found.rows}
        gone = {True: AcceptanceState.CHANGED, False: AcceptanceState.GONE}
        return [
            (one, AcceptanceState.IN_FORCE if one in in_force else gone[one.citation in written]) for one in accepted
        ]

    def prune(self) -> list[Acceptance]:
        """Drop the acceptances that count no more; those that were dropped."""
        dropped = [one for one, state in self.states() if state is not AcceptanceState.IN_FORCE]
        left = self._known.rows() - set(dropped)
        if len(left) < len(self._known.rows()):
            accepted_file.save(self._root, self._known.data, accepted_file.render(left))
        if self._locks is not None and self._locks.has_acceptances():
            over = {(one.document, one.citation, one.digest) for one in dropped}
            rows, changed = [], False
            for entry in self._locks.entries_by_id().values():
                said, row = entry.accepted, self._locks.row(entry)
                if said is not None and (entry.document, said.citation, entry.digest) in over:
                    entry = replace(entry, accepted=None)
                    row, changed = row_of(entry), True
                rows.append((entry, row))
            if changed:
                lock_file.save(self._root, self._locks.data, render(rows))
        return dropped


def normalize_reason(typed: str, option: str = "") -> str:
    """A reason on one line; raises UsageError, which begins with `option`, where it cannot be kept."""
    reason = " ".join(typed.split())
    if len(reason) > _LONGEST_REASON:
        raise UsageError(f"{option}longer than {_LONGEST_REASON} characters; say it in a sentence or two")
    if not can_encode(reason):
        raise UsageError(f"{option}not UTF-8 text")
    return reason


def _find_in_force(
    document: Document, rows: list[CheckedCitation], accepted: tuple[Acceptance, ...]
) -> set[Acceptance]:
    looked = AcceptedInDocument(document, rows, accepted)
    return {one for row in rows if (one := looked.find(row)) is not None}

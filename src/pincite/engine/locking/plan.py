"""What the lock becomes: each citation kept, locked or refused."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...checks.wording import diff
from ...core.errors import Conflict, Refused, UsageError
from ...core.model import Finding, Outcome, Report, Verdict
from ...safe.files import Root
from ...sources import World
from ...store.lock_entry import LockEntry, digest_of, entry_of, id_for, locked_of, name_of, render, row_of
from ...store.lock_file import Locks, targets
from ...text.evidence import Evidence
from ...text.lines import can_encode, decode, format_count

_ELSEWHERE = ("lines-moved", "file-renamed")
_SINCE_CITED = ("lines-edited", "lines-deleted", "lines-ambiguous")
_SHORTEST = 6


class LockedCitation(Struct, frozen=True):
    """One citation, and what locking makes of it."""

    id: str
    document: str
    cites: str
    line: int = 0
    """Where it stands in its document; 0 where it stands there no more."""
    reason: str = ""
    diff: tuple[str, ...] = ()
    """What was locked and what stands there now."""


class Plan(Struct):
    """What the lock becomes, and why."""

    old: bytes | None
    """The lock as it was read; None where there is none."""
    new: bytes = b""
    kept: int = 0
    """Entries that stay as they are."""
    added: list[LockedCitation] = []
    accepted: list[LockedCitation] = []
    """Evidence changed, and the user says to have read it again."""
    carried: list[LockedCitation] = []
    """Entries of a document that has another name now."""
    dropped: list[LockedCitation] = []
    """Entries whose citation is gone."""
    changed: list[LockedCitation] = []
    """Refused: the evidence is not what it was."""
    moved: list[LockedCitation] = []
    """Refused: the evidence stands elsewhere, and the citation can follow it."""
    broken: list[LockedCitation] = []
    """Refused: there is an entry, and nothing at the cited place now."""
    skipped: list[LockedCitation] = []
    """Citations that do not hold, so that there is nothing to lock."""

    @property
    def refused(self) -> int:
        """How many entries wait for a reader."""
        return len(self.changed) + len(self.moved) + len(self.broken)

    @property
    def is_current(self) -> bool:
        """Whether the lock says what is so."""
        return not (self.refused or self.added or self.accepted or self.carried or self.dropped)


class _Candidate(Struct):
    """A citation that can be locked, with its entry if it has one."""

    document: str
    verdict: Verdict
    cites: str
    entry: LockEntry | None
    path: str = ""
    """The cited file; empty where it cannot be had."""
    id: str = ""
    nth: int = 1
    carried: bool = False


class Locker:
    """Works out what the lock becomes. `documents` are all that were looked at, and `keys` what was asked for."""

    def __init__(
        self, root: Root, locks: Locks | None, world: World, documents: Collection[str], keys: Sequence[str] = ()
    ) -> None:
        self.root = root
        self.locks = locks if locks is not None else Locks()
        self._world = world
        self._documents = set(documents)
        self._keys = tuple(key for key in keys if key)
        self._everything = len(self._keys) < len(keys) or not keys
        self._unread: set[str] = set()
        self._rows: dict[str, tuple[LockEntry, bytes]] = {}
        self._used: set[str] = set()
        self._orphans: dict[str, list[LockEntry]] = {}

    def plan(self, reports: Iterable[Report], accept: Sequence[str] = ()) -> Plan:
        """What the lock becomes; raises UsageError for an id that no citation has."""
        candidates = [candidate for report in reports for candidate in self._candidates(report)]
        self._find_orphans()
        self._carry(candidates)
        self._name(candidates)
        wanted = _match_accepted_ids(accept, [candidate.id for candidate in candidates])
        plan = Plan(self.locks.data)
        for candidate in candidates:
            self._decide(candidate, plan, candidate.id in wanted)
        self._drop(plan)
        plan.new = render(self._rows.values())
        return plan

    def _candidates(self, report: Report) -> Iterator[_Candidate]:
        """The citations of a document that can be locked."""
        if report.error or any(defect.malformed.fatal for defect in report.malformed):
            self._unread.add(report.document)
        verdicts = [verdict for verdict in report.verdicts if targets(verdict.citation)]
        citations = [verdict.citation for verdict in verdicts]
        for verdict, (entry, _) in zip(verdicts, self.locks.match_entries(report.document, citations), strict=True):
            citation = verdict.citation
            path = verdict.seen.path if verdict.seen is not None else ""
            cites = targets(citation)[0]
            if path and citation.lines is not None:
                cites = name_of(path, citation.lines)
            if entry is not None:
                self._used.add(entry.id)
            yield _Candidate(report.document, verdict, cites, entry, path)

    def _find_orphans(self) -> None:
        """The entries of documents that are gone, by what they cite."""
        for document in self.locks.documents():
            if document not in self._documents and not self.root.is_file(document):
                for entry in self.locks.of(document):
                    self._orphans.setdefault(entry.cites, []).append(entry)

    def _carry(self, candidates: list[_Candidate]) -> None:
        """Give entries of a document that is gone to the one document that cites the same and has none of its own."""
        waiting: dict[str, list[_Candidate]] = {}
        for candidate in candidates:
            if candidate.entry is None and candidate.cites in self._orphans:
                waiting.setdefault(candidate.cites, []).append(candidate)
        for cites, group in waiting.items():
            orphans = self._orphans[cites]
            if len({entry.document for entry in orphans}) == 1 == len({candidate.document for candidate in group}):
                for entry, candidate in zip(orphans, group, strict=False):
                    candidate.entry, candidate.carried = entry, True
                    self._used.add(entry.id)

    def _name(self, candidates: list[_Candidate]) -> None:
        """Give each citation its order among equals, and its id."""
        taken = self.locks.ids()
        numbers = {
            (candidate.document, candidate.cites, candidate.entry.nth)
            for candidate in candidates
            if candidate.entry is not None and not candidate.carried and candidate.entry.cites == candidate.cites
        }
        last: dict[tuple[str, str], int] = {}
        for candidate in candidates:
            entry = candidate.entry
            if entry is not None and not candidate.carried and entry.cites == candidate.cites:
                candidate.id, candidate.nth = entry.id, entry.nth
                continue
            at = last.get((candidate.document, candidate.cites), 0) + 1
            while (candidate.document, candidate.cites, at) in numbers:
                at += 1
            candidate.nth = last[candidate.document, candidate.cites] = at
            candidate.id = id_for(candidate.document, candidate.cites, at, taken)
            taken.add(candidate.id)

    def _decide(self, candidate: _Candidate, plan: Plan, accepted: bool) -> None:
        """Keep, lock or refuse one citation."""
        verdict, entry = candidate.verdict, candidate.entry
        findings = tuple([one for one in (*verdict.findings, *verdict.silenced) if not one.accepted])
        item = LockedCitation(candidate.id, candidate.document, candidate.cites, verdict.line)
        if not can_encode(candidate.document):
            plan.skipped.append(replace(item, reason="The document's name is not UTF-8"))
            return
        now, lines = self._now(candidate), verdict.citation.lines
        block = now[lines.first - 1 : lines.last] if lines is not None else []
        whole = lines is not None and len(block) == lines.last - lines.first + 1 and any(map(str.strip, block))
        if entry is not None and whole and digest_of(block) == entry.digest:
            self._keep(candidate, plan, item)
            return
        then = entry if entry is not None or not whole else self._sibling(candidate, block)
        reason, diff = _objection(then, findings, block, now) if whole else (_worst(findings), ())
        if lines is not None and whole and (accepted or not reason):
            new = entry_of(candidate.document, candidate.path, lines, now, candidate.nth, candidate.id)
            self._rows[new.id] = new, row_of(new)
            (plan.accepted if reason else plan.added).append(item)
            return
        self._stay(candidate)
        if any(finding.check in _ELSEWHERE for finding in findings):
            refused = plan.moved
        elif whole and (then is not None or any(finding.check in _SINCE_CITED for finding in findings)):
            refused = plan.changed
        else:
            refused = plan.skipped if entry is None else plan.broken
        refused.append(replace(item, reason=reason, diff=diff))

    def _keep(self, candidate: _Candidate, plan: Plan, item: LockedCitation) -> None:
        """An entry whose evidence is what it was."""
        if candidate.carried:
            plan.carried.append(replace(item, reason=f"was in {candidate.entry.document}" if candidate.entry else ""))
        else:
            plan.kept += 1
        self._stay(candidate)

    def _stay(self, candidate: _Candidate) -> None:
        """Let an entry hold what it holds, under the name that its citation has now."""
        entry = candidate.entry
        if entry is None:
            return
        if not candidate.carried and entry.id == candidate.id:
            self._rows[entry.id] = entry, self.locks.row(entry)
        else:
            new = replace(entry, id=candidate.id, document=candidate.document, cites=candidate.cites, nth=candidate.nth)
            self._rows[new.id] = new, row_of(new)

    def _sibling(self, candidate: _Candidate, block: Sequence[str]) -> LockEntry | None:
        """An entry for the same place that shows that it changed: a new citation of it is no way around reading."""
        document, cites = candidate.document, candidate.cites
        others = (*self.locks.citing(document, cites), *self._orphans.get(cites, ()))
        return next((entry for entry in others if entry.digest != digest_of(block)), None)

    def _now(self, candidate: _Candidate) -> list[str]:
        """The lines of the cited file; none where it cannot be had. Raises Conflict where it changed meanwhile."""
        seen = candidate.verdict.seen
        if seen is None or not candidate.path:
            return []
        evidence = self._world.file(candidate.path)
        if not isinstance(evidence, Evidence):
            return []
        if evidence.digest != seen.digest:
            raise Conflict(f"{candidate.path}: changed while it was being locked; nothing was written. Run it again.")
        return evidence.lines

    def _drop(self, plan: Plan) -> None:
        """Decide about entries that no citation claimed."""
        for document in self.locks.documents():
            for entry in self.locks.of(document):
                if entry.id in self._used:
                    continue
                gone = document not in self._documents
                item = LockedCitation(entry.id, document, entry.cites, reason="the document is gone" if gone else "")
                if not self._is_asked(document) or document in self._unread or (gone and self.root.is_file(document)):
                    plan.kept += 1
                elif not gone and self._still_named(entry):
                    plan.broken.append(replace(item, reason="The cited file is gone"))
                else:
                    plan.dropped.append(item)
                    continue
                self._rows[entry.id] = entry, self.locks.row(entry)

    def _is_asked(self, document: str) -> bool:
        return self._everything or any(document == key or document.startswith(key + "/") for key in self._keys)

    def _still_named(self, entry: LockEntry) -> bool:
        """Whether the cited file is gone while the document still names it: prose is a citation only if the file is."""
        path, _ = entry.place
        if self.root.is_file(path):
            return False
        try:
            text = decode(self.root.read(entry.document, self.root.limits.document_bytes))
        except Refused:
            return True
        return path.rpartition("/")[2] in text


def _objection(
    then: LockEntry | None, findings: Sequence[Finding], block: Sequence[str], now: Sequence[str]
) -> tuple[str, tuple[str, ...]]:
    """Why a citation cannot be locked as it stands, with the difference; empty where it can."""
    if then is not None:
        first = next((finding for finding in findings if finding.check in _ELSEWHERE), None)
        rows = diff(_get_locked_lines(then, now), block).split("\n")
        return first.message if first else "Changed since it was locked", tuple(rows)
    worst = max(findings, key=lambda finding: finding.outcome, default=None)
    if worst is None or worst.outcome is Outcome.HOLDS or worst.check == "drift-unknown":
        return "", ()
    return worst.message, tuple(worst.detail.split("\n")) if worst.detail else ()


def _worst(findings: Sequence[Finding]) -> str:
    """Why there is nothing to lock at the cited place."""
    worst = max(findings, key=lambda finding: finding.outcome, default=None)
    return worst.message if worst is not None else "There is nothing at the cited place"


def _get_locked_lines(entry: LockEntry, now: Sequence[str]) -> Sequence[str]:
    """The locked lines, as far as they are known."""
    known = locked_of(entry).text_in(now)
    return known or (
        *entry.text,
        f"… {format_count(entry.lines - len(entry.text) - len(entry.end), 'line')}",
        *entry.end,
    )


def _match_accepted_ids(accept: Sequence[str], ids: Sequence[str]) -> set[str]:
    """The ids that were accepted, each by itself or by its beginning."""
    wanted: set[str] = set()
    for typed in accept:
        given = typed.strip().lower()
        found = sorted({id_ for id_ in ids if id_.startswith(given)}) if len(given) >= _SHORTEST else []
        if len(given) < _SHORTEST:
            raise UsageError(f"--accept {typed}: too short; give at least {_SHORTEST} digits of the id")
        if given in found:
            found = [given]
        if not found:
            raise UsageError(f"--accept {typed}: no citation that was looked at has this id; run `pincite lock` to see")
        if len(found) > 1:
            raise UsageError(f"--accept {typed}: several ids begin like this: {', '.join(found[:5])}")
        wanted.add(found[0])
    return wanted

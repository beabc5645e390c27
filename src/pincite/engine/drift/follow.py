"""What became of the cited text since it was cited, and the edit that follows it.

A citation without a snippet has a witness all the same: the commit that last touched the citing line. What stood at the
cited place in that commit is what the author saw. This compares it with what stands there now, looks for it
elsewhere, and turns findings into answers: unchanged, moved, edited, deleted, ambiguous, or not known. What was locked
is a witness too, and comes before history.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ... import history as repair
from ...checks import CheckedCitation
from ...checks.files import file_not_found, file_renamed
from ...checks.lines import drift_unknown
from ...checks.wording import since_commit
from ...core.errors import Unreadable
from ...core.model import Citation, Finding, Lines, Obstacle, Place, SourceRef
from ...history.range_ends import has_outgrown
from ...history.step import UNDECIDED, FileStep, FileVersion, TextRegion
from ...store import KEY
from ...text.evidence import Evidence
from ...text.lines import decode, join, split_lines
from ...text.snippets import find_snippet, has_snippet
from .lines import (
    PAST_END,
    CurrentLines,
    Sighting,
    find_drift,
    find_new_place,
    replace_range_findings,
)
from .locked import hold_against
from .past_files import PastFiles
from .quotes import CHECKS, follow_block, repair_quote
from .snippets import find_in_renamed, find_line_by_id, find_line_of_snippet, follow_quote, follow_snippet
from .witnesses import find_past_key, find_witnesses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...history.authorship import History
    from ...history.region import FollowEnd
    from ...history.trace import Tracer
    from ...sources import World
    from ...store.accepted_file import Acceptances
    from ...store.lock_entry import LockedLines
    from ...store.lock_file import Locks
    from ...store.trails import KeptEnd
    from ...text.document import Document
    from .other_files import Searcher
    from .other_repositories import OtherRepositoryDrift

    _Witnessed = tuple[str, CheckedCitation, tuple[str, str]]
    """A document, a row of it, and commit and path of what was cited."""

_DRIFT = ("lines-moved", "lines-edited", "lines-deleted", "lines-ambiguous", "drift-unknown")


class _Ahead(Struct):
    """A row whose file is not what its witness saw."""

    row: CheckedCitation
    commit: str
    path: str
    blob: str | None
    stop: FollowEnd | None = None
    """Where history says it went; None where it was not asked."""


class Follower(PastFiles):
    """Follows the citations of one document after another; without history it still follows snippets."""

    def __init__(
        self,
        history: History | None = None,
        locks: Locks | None = None,
        tracer: Tracer | None = None,
        searcher: Searcher | None = None,
        accepted: Acceptances | None = None,
    ) -> None:
        super().__init__(history, locks)
        self._accepted = accepted
        self._tracer = tracer
        self._searcher = searcher
        """Looks through all files for what is found nowhere else."""
        self.compared: dict[str, int] = {}
        """For how many citations of a document history said what their authors saw."""
        self._lines = lru_cache(256)(self._read_lines)
        self._ahead: dict[str, list[_Ahead]] = {}
        self._elsewhere: OtherRepositoryDrift | None = None

    def without_search(self) -> Follower:
        """One that knows the same and looks through no other files; both can be asked in turns."""
        follower = Follower(self.history, self.locks, self._tracer, None, self._accepted)
        follower.without_git = self.without_git
        follower._elsewhere = self._elsewhere
        return follower

    def follow(self, document: Document, rows: list[CheckedCitation], world: World) -> None:
        """Replace each row's findings by what following its evidence shows."""
        if world.others is not None:
            rows = self._follow_elsewhere(document, rows, world)
        if self.history is not None:
            if document.path not in self._ahead:
                self.look_ahead([(document, rows)])
            self._compare(document, world)
        locked = self._select_locked(document, rows)
        for row, known in locked:
            hold_against(document, row, known)
        for row in rows:
            citation, evidence = row.citation, row.evidence
            if citation.lines is not None and isinstance(evidence, Evidence):
                block = follow_block(document, citation, evidence)
                if block is not None:
                    kept = [found for found in row.findings if found.check not in (*PAST_END, *_DRIFT)]
                    row.findings = (*kept, block)
            if row.findings:
                row.findings = tuple(
                    [self._follow(document, citation, evidence, finding, world) for finding in row.findings]
                )
        if self._searcher is not None:
            self._searcher.follow(document, rows, {id(row): known for row, known in locked}, world)

    def _follow_elsewhere(self, document: Document, rows: list[CheckedCitation], world: World) -> list[CheckedCitation]:
        """Follow what is cited of other repositories; the rows that are left cite this one."""
        rows, compared = self._open_elsewhere().follow(document, rows, world)
        self.compared[document.path] = self.compared.get(document.path, 0) + compared
        return rows

    def _open_elsewhere(self) -> OtherRepositoryDrift:
        from .other_repositories import OtherRepositoryDrift

        self._elsewhere = self._elsewhere or OtherRepositoryDrift(self.history)
        return self._elsewhere

    def kept_ends(self) -> list[KeptEnd] | None:
        """Where lines were followed to, for the next run; None where nothing was learnt."""
        return self._tracer.kept() if self._tracer is not None else None

    def has_records(self, path: str) -> bool:
        """Whether a document may have citations that were locked or accepted."""
        return self.locks is not None or (self._accepted is not None and bool(self._accepted.of(path)))

    def settle_accepted(self, document: Document, rows: list[CheckedCitation]) -> None:
        """Mark the findings that a reader accepted."""
        accepted = self._accepted.of(document.path) if self._accepted is not None else ()
        if accepted:
            from ..acceptance import AcceptedInDocument

            AcceptedInDocument(document, rows, accepted).settle()

    def _follow(
        self, document: Document, citation: Citation, evidence: Evidence | Obstacle, finding: Finding, world: World
    ) -> Finding:
        """What more can be said than a finding that has no edit yet."""
        if finding.edit is not None:
            return finding
        if isinstance(evidence, Obstacle):
            return self._follow_rename(document, citation, finding, world)
        if finding.check in ("snippet-mismatch", *PAST_END):
            return follow_snippet(document, citation, evidence, finding)
        if finding.check == "snippet-without-line":
            return find_line_of_snippet(document, citation, evidence, finding)
        if finding.check in CHECKS:
            return repair_quote(document, citation, evidence, finding)
        if finding.check == "lines-moved":
            return find_line_by_id(document, citation, evidence, finding)
        return finding

    def _select_locked(
        self, document: Document, rows: list[CheckedCitation]
    ) -> list[tuple[CheckedCitation, LockedLines]]:
        """The rows that are held against the lock, each with what it was."""
        if self.locks is None:
            return []
        found = zip(rows, self.locks.match(document.path, [row.citation for row in rows]), strict=True)
        return [(row, locked) for row, locked in found if locked is not None and (locked.sure or self.history is None)]

    def look_ahead(self, block: Sequence[tuple[Document, list[CheckedCitation]]], world: World | None = None) -> None:
        """Ask history once about all that is cited in these documents, so that `follow` finds its answers at hand.

        With a world, other repositories are asked as well.
        """
        if world is not None and world.others is not None:
            self._open_elsewhere().look_ahead(block, world)
        history = self.history
        if history is None:
            return
        self._ahead = {document.path: [] for document, _ in block}
        known: list[_Witnessed] = []
        for one, rows in block:
            locked = {id(row) for row, _ in self._select_locked(one, rows)}
            unlocked = [row for row in rows if id(row) not in locked] if locked else rows
            found, self.compared[one.path] = find_witnesses(history, one, unlocked)
            known += found
        self._look_up(history, known)

    def _look_up(self, history: History, known: list[_Witnessed]) -> None:
        """Find what witnesses saw, and where it went where the file is another now."""
        known, blobs = self._find_blobs(history, known)
        changed: list[str] = []
        for (document, row, pair), blob in zip(known, blobs, strict=True):
            evidence = row.evidence
            if blob is not None:
                if isinstance(evidence, Evidence):
                    evidence.blob = evidence.blob or history.blob_id(evidence.data)
                    if evidence.blob == blob:
                        continue
                changed.append(blob)
            self._ahead[document].append(_Ahead(row, *pair, blob))
        history.foresee(changed)
        self._trace([ahead for some in self._ahead.values() for ahead in some])

    def _find_blobs(self, history: History, known: list[_Witnessed]) -> tuple[list[_Witnessed], list[str | None]]:
        """What was cited, as its commit has it; a file that is known by the end of its path may have had another."""
        blobs = history.blob_ids([pair for _, _, pair in known])
        for at, (document, row, (commit, path)) in enumerate(known):
            if blobs[at] is None and row.citation.by_end:
                known[at] = (document, row, (commit, history.path_then(commit, path, row.citation.by_end)))
                blobs[at] = history.blob_ids([known[at][2]])[0]
        return known, blobs

    def _trace(self, aheads: list[_Ahead]) -> None:
        """Ask history where the lines went that are not plainly to be found."""
        if self._tracer is None:
            return
        from ...history.trace import TraceRequest

        asked: list[_Ahead] = []
        asks: list[TraceRequest] = []
        for ahead in aheads:
            then = self._lines(ahead.blob) if ahead.blob is not None else None
            region = _region(ahead.row, then) if then is not None else None
            if region is not None and ahead.blob is not None:
                asked.append(ahead)
                asks.append(TraceRequest(ahead.commit, ahead.path, ahead.blob, region))
        for ahead, stop in zip(asked, self._tracer.trace(asks) if asks else (), strict=True):
            ahead.stop = stop

    def _compare(self, document: Document, world: World) -> None:
        """Compare the cited lines with what their authors saw, where the file is not what it was then."""
        for ahead in self._ahead.pop(document.path, ()):
            row = ahead.row
            citation, evidence, findings = row.citation, row.evidence, row.findings
            then = self._lines(ahead.blob) if ahead.blob is not None else None
            if then is None:
                if not findings:
                    row.findings = (self._explain_absence(ahead),)
                continue
            if ahead.stop is not None:
                # Where the trail ends is part of the answer, also where nothing is left of the lines.
                world.touched[ahead.stop.path] = None
            standing = self._standing(ahead.stop, world) if ahead.stop is not None else None
            traced = ahead.stop is not None and not ahead.stop.undecided
            row.was_there = citation.lines is not None and citation.lines.first <= len(then)
            undecided = ahead.stop is not None and ahead.stop.undecided
            seen = Sighting(then, self._since(ahead.commit), standing, traced, undecided)
            if isinstance(evidence, Obstacle):
                row.findings = (self._follow_rename(document, citation, findings[0], world, seen), *findings[1:])
            elif citation.quote is not None:
                row.findings = tuple([follow_quote(document, citation, finding, seen) for finding in findings])
            elif (finding := find_drift(document, citation, evidence, _path_now(ahead), seen, findings)) is not None:
                row.findings = replace_range_findings(findings, finding)

    def _since(self, commit: str) -> str:
        """Since when, as findings say it."""
        return since_commit(commit)

    def _explain_absence(self, ahead: _Ahead) -> Finding:
        """Why there is no text of what was cited: absent, unreadable, or no text."""
        lost = self.history.find_lost(ahead.commit, ahead.path) if self.history is not None and not ahead.blob else ""
        if lost:
            return drift_unknown.make_finding_without_object(ahead.commit, lost)
        return drift_unknown.make_finding_without_text(ahead.commit, ahead.blob is None)

    def _standing(self, stop: FollowEnd, world: World) -> CurrentLines | None:
        """Where lines stand in the work tree, from where they stand in HEAD."""
        region, history = stop.region, self.history
        if region is None or history is None:
            return None
        path = stop.path
        evidence = world.file(path)
        if isinstance(evidence, Obstacle):
            path = self._find_name(path, world) or ""
            evidence = world.file(path) if path else evidence
        if isinstance(evidence, Obstacle):
            return None
        evidence.blob = evidence.blob or history.blob_id(evidence.data)
        if evidence.blob != stop.blob:
            committed = self._lines(stop.blob)
            region = (
                FileStep(FileVersion.of(committed), FileVersion.of(evidence.lines)).carry(region)
                if committed is not None
                else None
            )
        if region is None or region is UNDECIDED or region.last >= len(evidence.lines):
            return None
        text = evidence.lines[region.first : region.last + 1]
        columns = (region.left, region.right) if region.left >= 0 else None
        return CurrentLines(path, Lines(region.first + 1, region.last + 1), text, columns, stop.loose)

    def _find_name(self, path: str, world: World) -> str | None:
        """The name that a vanished file has now; any file that comes or changes may turn out to be it."""
        if self.history is None:
            return None
        found = self.history.find_rename(path)
        world.touched[KEY] = None
        world.touched.update(self.history.candidates)
        return found

    def _read_lines(self, blob: str) -> list[str] | None:
        """The lines of an old version; None where it is no text."""
        data = self.history.text_of(blob) if self.history is not None else None
        try:
            return None if data is None else split_lines(decode(data))
        except Unreadable:
            return None

    def _follow_rename(
        self, document: Document, citation: Citation, finding: Finding, world: World, seen: Sighting | None = None
    ) -> Finding:
        """The citation at the file's new name, if git knows one and the cited text is there."""
        if self.history is None or finding.check not in ("file-not-found", "path-not-found"):
            return finding
        key = find_past_key(self.history, citation)
        if citation.source.scheme == "file" and key == join("", citation.alternate):
            # Written from the root, or from the folder: that decides how the new name is written.
            citation = replace(citation, source=SourceRef("file", citation.alternate))
        path = self._find_name(key, world)
        before: list[str] | None = None
        if path is not None:
            # Where the citing line is younger than the rename, its author can have meant only what was there last.
            blob = self.history.last_blob(key) if seen is None and not finding.detail else ""
            before = seen.then if seen is not None else self._lines(blob) if blob else None
            place = find_in_renamed(citation, path, world, before)
            if place is not None:
                sure = seen is not None or citation.lines is None or citation.quote is not None
                to = find_new_place(document, citation, place, not sure)
                return file_renamed.make_finding(_get_old_lines(citation, seen), to, finding)
        then, standing = _get_old_lines(citation, seen), seen.standing if seen is not None else None
        if seen is not None and standing is not None:
            if not has_outgrown(then, standing.text):
                return _report_elsewhere(document, citation, finding, seen, standing)
            path, before = path or standing.path, then
        if path is not None:
            return file_not_found.add_new_name(finding, path, before is not None or citation.quote is not None)
        commit = self.history.vanished_in(key)
        # What was found by what the author saw says more.
        return finding if commit is None or finding.detail else file_not_found.add_deletion(finding, commit)


def _path_now(ahead: _Ahead) -> str:
    """The cited file from the root; one that is known by the end of its path may have had another when it was cited."""
    return ahead.row.citation.source.key if ahead.row.citation.by_end else ahead.path


def _region(row: CheckedCitation, then: list[str]) -> TextRegion | None:
    """The lines of a row that history has to be asked about; None where what is at hand tells."""
    citation, evidence = row.citation, row.evidence
    lines = citation.lines
    if lines is None or not 1 <= lines.first <= lines.last <= len(then):
        return None
    if citation.quote is not None:
        left = find_snippet(citation.quote.exact, then[lines.first - 1])
        if left < 0:
            return None
        return TextRegion(lines.first - 1, lines.first - 1, left, left + len(citation.quote.exact))
    if isinstance(evidence, Evidence):
        if then[lines.first - 1 : lines.last] == evidence.block(lines):
            return None
        if repair.find_plainly(then, lines, evidence.lines) is not None:
            return None
    return TextRegion(lines.first - 1, lines.last - 1)


def _get_old_lines(citation: Citation, seen: Sighting | None) -> list[str]:
    """The cited lines as they were, where that is known."""
    lines = citation.lines
    return seen.then[lines.first - 1 : lines.last] if seen is not None and lines is not None else []


def _report_elsewhere(
    document: Document, citation: Citation, finding: Finding, seen: Sighting, standing: CurrentLines
) -> Finding:
    """The lines of a file that is gone, in the file that history led to."""
    place = Place(standing.path, standing.lines)
    then = _get_old_lines(citation, seen)
    same = then == standing.text if citation.quote is None else has_snippet(citation.quote.exact, standing.text[0])
    if same:
        to = find_new_place(document, citation, place, standing.loose)
        return file_renamed.make_finding_of_lines(then, to, finding)
    to = find_new_place(document, citation, place, True)
    return file_not_found.add_edited_lines(finding, then, standing.text, seen.since, to)

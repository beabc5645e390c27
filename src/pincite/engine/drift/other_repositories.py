"""What became of lines of other repositories since they were cited.

The citing line has a witness in its own repository: the commit that last touched it. What its author saw of another
repository is the state of that one at the same time. From there on lines are followed as inside of a repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...checks import CheckedCitation
from ...checks.lines import drift_unknown
from ...checks.wording import since_commit
from ...core.model import Finding, Obstacle, SourceRef
from ...safe.child import ChildFailed
from ...store import UNSETTLED
from ...text.evidence import Evidence
from .follow import Follower
from .lines import leave_to_reader
from .sentence import SentenceJudge
from .witnesses import find_witnesses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...history.authorship import History
    from ...sources import OtherRepository, World
    from ...text.document import Document

    Block = Sequence[tuple[Document, list[CheckedCitation]]]

SCHEME = "mirror"
"""What citations of other repositories have for a scheme once they are resolved."""
_SKEW = 5 * 60
"""Seconds by which the clocks of two repositories may differ: text that came so shortly after may have been seen."""
_UNSURE = 60 * 60
"""Seconds after a citation in which the cited text must stay the same for an edit to be made without a reader: changes
of two repositories that belong together are merged one after the other."""
_MOST_TIMES = 10_000
_MOST_FOLLOWERS = 8


class _CitedRows(Struct):
    """The rows of one document that cite one other repository."""

    repository: OtherRepository
    follower: _OtherFollower
    rows: list[CheckedCitation] = []
    inner: list[CheckedCitation] = []
    """The same as the other repository sees them: their files are its own."""
    moments: dict[int, tuple[int, int]] = {}
    """When citations were written and committed, by the identity of their inner rows."""
    unsure: list[CheckedCitation] = []
    """Inner rows whose edits need a reader, because the cited lines were others shortly before or after."""
    told: int = 0
    """For how many of them history knew an answer."""


class OtherRepositoryDrift:
    """Follows citations of other repositories, from the witnesses that the history of this one knows."""

    def __init__(self, history: History | None) -> None:
        self._history = history
        self._followers: dict[str, _OtherFollower] = {}
        self._times: dict[str, tuple[int, int] | None] = {}
        self._ahead: dict[str, tuple[list[CheckedCitation], list[_CitedRows]]] = {}
        """What was prepared for documents, with the rows that it was prepared for."""

    def look_ahead(self, block: Block, world: World) -> None:
        """Ask each history once about all that these documents cite, so that `follow` finds its answers at hand."""
        self._ahead = {}
        self._prepare(block, world)

    def follow(
        self, document: Document, rows: list[CheckedCitation], world: World
    ) -> tuple[list[CheckedCitation], int]:
        """Replace the findings of rows that cite other repositories by what following their lines shows.

        What is given back are the other rows, and for how many of these history knew an answer.
        """
        known = self._ahead.pop(document.path, None)
        if known is None or known[0] is not rows:
            self._prepare([(document, rows)], world)
            known = self._ahead.pop(document.path)
        for cited in known[1]:
            cited.follower.conclude(document, cited)
            if cited.repository.history.trouble:
                # What git could not do today it may do tomorrow.
                world.touched[UNSETTLED] = None
            # As inside of a repository, the sentence has a say in whether an edit is safe.
            SentenceJudge(world).hold(document, [row for row in cited.inner if row.findings])
            for row, inner in zip(cited.rows, cited.inner, strict=True):
                row.findings = tuple([_look_from_outside(one, cited.repository.name) for one in inner.findings])
                row.was_there = inner.was_there
        told = sum(cited.told for cited in known[1])
        return [row for row in rows if row.citation.source.scheme != SCHEME], told

    def _prepare(self, block: Block, world: World) -> None:
        """Find out what the authors of citations saw, and where it went."""
        all_cited: dict[str, list[tuple[Document, _CitedRows]]] = {}
        for document, rows in block:
            found = self._group(rows, world)
            self._ahead[document.path] = rows, list(found.values())
            for name, cited in found.items():
                if self._history is not None:
                    witnessed, cited.told = find_witnesses(self._history, document, cited.inner)
                    cited.moments = self._find_moments(self._history, witnessed)
                all_cited.setdefault(name, []).append((document, cited))
        for some in all_cited.values():
            some[0][1].follower.compare(some)

    def _group(self, rows: list[CheckedCitation], world: World) -> dict[str, _CitedRows]:
        """The rows that cite other repositories as they are now, by the names of these; a revision never changes."""
        found: dict[str, _CitedRows] = {}
        for row in rows:
            if row.citation.source.scheme == SCHEME and world.others is not None:
                current = world.others.find_current(row.citation)
                if current is not None:
                    repository, path = current
                    if repository.name not in found:
                        found[repository.name] = _CitedRows(repository, self._get_follower(repository))
                    found[repository.name].rows.append(row)
                    found[repository.name].inner.append(_look_from_inside(row, repository, path))
        return found

    def _get_follower(self, repository: OtherRepository) -> _OtherFollower:
        known = self._followers.get(repository.name)
        if known is None or known.repository is not repository:
            if len(self._followers) >= _MOST_FOLLOWERS:
                self._followers.clear()
            known = self._followers[repository.name] = _OtherFollower(repository)
        return known

    def _find_moments(
        self, history: History, witnessed: Sequence[tuple[str, CheckedCitation, tuple[str, str]]]
    ) -> dict[int, tuple[int, int]]:
        """When citations were written and committed, by the identity of their rows."""
        new = list(dict.fromkeys(commit for _, _, (commit, _) in witnessed if commit not in self._times))
        if len(self._times) + len(new) > _MOST_TIMES:
            self._times.clear()
            new = list(dict.fromkeys(commit for _, _, (commit, _) in witnessed))
        if new:
            try:
                self._times.update(zip(new, history.git.objects().times(new), strict=True))
            except ChildFailed as error:
                history.trouble = history.trouble or str(error)
        moments: dict[int, tuple[int, int]] = {}
        for _, row, (commit, _) in witnessed:
            moment = self._times.get(commit)
            if moment is not None:
                moments[id(row)] = moment
            elif not row.findings:
                row.findings = (drift_unknown.make_finding_without_history(),)
        return moments


class _OtherFollower(Follower):
    """Follows lines of one other repository from the state that their author saw."""

    def __init__(self, repository: OtherRepository) -> None:
        super().__init__(repository.history, None, repository.tracer)
        self.repository = repository

    def compare(self, cited: Sequence[tuple[Document, _CitedRows]]) -> None:
        """Find out what the authors saw of the rows of some documents, and where it went: one question for all."""
        history, known = self.repository.history, []
        for document, some in cited:
            self._ahead[document.path] = []
            for row in some.inner:
                state = self._find_state(row, some.moments[id(row)]) if id(row) in some.moments else None
                if isinstance(state, Finding):
                    row.findings = row.findings or (state,)
                elif state is not None:
                    known.append((document.path, row, (state[0], row.citation.source.key)))
                    some.unsure += [row] if state[1] else []
        self._look_up(history, known)

    def conclude(self, document: Document, cited: _CitedRows) -> None:
        """Replace the findings of rows by what following their lines shows."""
        self.follow(document, cited.inner, self.repository)
        for row in cited.unsure:
            row.findings = tuple([replace(one, edit=leave_to_reader(one.edit)) for one in row.findings])

    def _since(self, commit: str) -> str:
        return since_commit(commit, self.repository.name)

    def _find_state(self, row: CheckedCitation, moment: tuple[int, int]) -> tuple[str, bool] | Finding | None:
        """The commit that an author had at hand, and whether the cited lines were others in one near to it.

        A finding where that cannot be told; None where the author may have seen what stands there now.
        """
        try:
            return self._choose_state(row, *moment)
        except ChildFailed as error:
            why = self.repository.hide_place(str(error))
            self.repository.history.trouble = self.repository.history.trouble or why
            return drift_unknown.make_finding_of_mirror(self.repository.name, why)

    def _choose_state(self, row: CheckedCitation, written: int, committed: int) -> tuple[str, bool] | Finding | None:
        find = self.repository.times.find
        states = list(filter(None, dict.fromkeys((find(committed), find(written), find(committed + _SKEW)))))
        if not states:
            return drift_unknown.make_finding_before_mirror(self.repository.name)
        near = list(dict.fromkeys((*states, find(committed + _UNSURE))))
        path = row.citation.source.key
        if len(set(self.repository.history.blob_ids([(state, path) for state in near]))) == 1:
            return states[0], False
        blocks = {state: self._read_block(row, state) for state in near}
        evidence, lines = row.evidence, row.citation.lines
        now = evidence.block(lines) if isinstance(evidence, Evidence) and lines is not None else []
        if now and any(blocks[state] == now for state in states):
            return None
        # Lines that say something are rather what was cited than blank ones, or none.
        chosen = next((state for state in states if any(map(str.strip, blocks[state]))), states[0])
        return chosen, any(block != blocks[chosen] for block in blocks.values())

    def _read_block(self, row: CheckedCitation, commit: str) -> list[str]:
        """The cited lines as they were in a commit; none where there were none."""
        (blob,) = self.repository.history.blob_ids([(commit, row.citation.source.key)])
        then = self._lines(blob) if blob is not None else None
        lines = row.citation.lines
        return then[max(lines.first, 1) - 1 : lines.last] if then is not None and lines is not None else []


def _look_from_inside(row: CheckedCitation, repository: OtherRepository, path: str) -> CheckedCitation:
    """A row as the other repository sees it: its file is one of that repository."""
    citation = replace(row.citation, source=SourceRef("file", path))
    if isinstance(row.evidence, Obstacle):
        return CheckedCitation(citation, replace(row.evidence, detail=path), row.findings)
    file = repository.file(path) if citation.lines is not None else row.evidence
    return CheckedCitation(citation, file, row.findings)


def _look_from_outside(finding: Finding, name: str) -> Finding:
    """A finding that says in which repository a place is."""
    place = finding.place
    if place is None:
        return finding
    return replace(finding, place=replace(place, path=f"{name}:{place.path}"))

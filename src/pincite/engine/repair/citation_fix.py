"""The fix of one citation as a person chooses it: what can be chosen, what it changes, and why it may not be made.

What is chosen is tried out as `fix --interactive` tries it: the new text is checked in memory first.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused, UsageError
from ...core.model import Report
from ...project.baseline_file import read_known
from ...store import LOCK
from ...text.document import Document
from ...text.lines import decode, split_lines
from ..candidates import list_candidates
from ..file_changes import FileRewrite
from ..run import Request, Run
from ..settings import merge_settings
from .dry_run import OfferedEdit
from .fix import DocumentFixes, Fix
from .plan import FixPlanner

if TYPE_CHECKING:
    from ...core.model import Edit, Place, Verdict
    from ...project.project import Project
    from ...safe.files import Root
    from .plan import DocumentPlan

_SHOWN = 6
"""Lines of a place that a choice shows."""


class FixChoice(Struct, frozen=True):
    """One way to correct a citation."""

    name: str
    """The place that it leads to, or the citation as it would be written."""
    change: OfferedEdit
    now: tuple[str, ...] = ()
    """The first lines of what stands there."""


class CitationFixPlanner:
    """Plans fixes of one document, as it is now; nothing is written. Close it after use."""

    def __init__(self, project: Project, document: str) -> None:
        config = merge_settings(project.config)
        known = read_known(project.root, config.baseline)
        self._project = project
        self._document = document
        self._run = Run(project.root, Request((document,), config, every=True, known=known, thorough=True, afresh=True))
        self._planner = FixPlanner(self._run)

    def close(self) -> None:
        """Let go of what is kept open."""
        self._planner.close()
        self._run.close()

    @cached_property
    def report(self) -> Report:
        """What is true of the document, with a verdict on every citation. Raises PinciteError where it is gone."""
        return next(iter(self._run.reports()), Report(self._document))

    @cached_property
    def data(self) -> bytes:
        """The document; raises Refused where it cannot be read."""
        root = self._project.root
        return root.read(self._document, root.limits.document_bytes)

    def list_choices(self, verdict: Verdict) -> list[FixChoice]:
        """Every way to correct a citation, as `list_choices` has it."""
        return list_choices(self._project, self._document, self.data, verdict)

    def fix_by_findings(self, verdict: Verdict) -> Fix | None:
        """The document with what the findings of a citation offer; None where they offer nothing."""
        offers = self._planner.fixer.offers(Report(self._document, (verdict,)), self.data)
        return self._planner.fixer.fix(offers, offers.changes, True) if offers is not None else None

    def fix_by_choice(self, choice: FixChoice) -> Fix:
        """The document with one choice made."""
        offers = DocumentFixes(self._document, self.data, (choice.change,))
        return self._planner.fixer.fix(offers, offers.changes, True)

    def plan_safe_edits(self) -> DocumentPlan:
        """What `pincite fix` makes of the document."""
        (plan,) = self._planner.plan([self.report])
        return plan

    def list_changes(self, fix: Fix) -> list[FileRewrite]:
        """The files that a fix changes: the document, and the lock where entries follow their citations."""
        from ..locking.carry import plan_repoint

        changes = [FileRewrite(fix.document, fix.old, fix.new)]
        old, new, count = plan_repoint(self._project.root, self._planner.fixer.engine, [fix])
        return [*changes, FileRewrite(LOCK, old, new)] if count else changes


def list_choices(project: Project, key: str, data: bytes, verdict: Verdict) -> list[FixChoice]:
    """Every way to correct a citation of a document that its findings know of, the likelier first."""
    found: dict[Edit, FixChoice] = {}
    for finding in verdict.findings:
        if finding.edit is not None:
            name = write_citation(verdict, finding.edit)
            change = OfferedEdit(verdict, finding, finding.edit)
            shown = finding.now or _read_place(project.root, finding.place) or finding.then
            found.setdefault(finding.edit, FixChoice(name, change, shown[:_SHOWN]))
    document = Document(key, decode(data), project.config.in_code, project.config.memories, project.root.path)
    document.instructions = project.config.instructions
    for finding in verdict.findings:
        try:
            candidates = list_candidates(project, document, verdict, finding)
        except (Refused, UsageError):
            continue
        for one in candidates:
            change = OfferedEdit(verdict, replace(finding, edit=one.edit, place=one.place), one.edit)
            found.setdefault(one.edit, FixChoice(one.name, change, _read_place(project.root, one.place)))
    return list(found.values())


def _read_place(root: Root, place: Place | None) -> tuple[str, ...]:
    """The first lines of a place; none where they cannot be read."""
    if place is None or place.lines is None:
        return ()
    try:
        lines = split_lines(decode(root.read(place.path)))
    except Refused:
        return ()
    return tuple(lines[place.lines.first - 1 : min(place.lines.last, place.lines.first - 1 + _SHOWN)])


def write_citation(verdict: Verdict, edit: Edit) -> str:
    """A citation as an edit leaves it; what the edit writes where that reaches beyond the citation."""
    span, raw = verdict.citation.span, verdict.citation.raw
    if span.start <= edit.span.start <= edit.span.end <= span.end:
        return raw[: edit.span.start - span.start] + edit.replacement + raw[edit.span.end - span.start :]
    return edit.replacement

"""The fix of one citation, or the safe ones of its document: the diff first, then the write."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import Conflict, Missing
from ....core.model import Lines, Outcome
from ....engine.repair.citation_fix import CitationFixPlanner
from ....safe.escape import escape_text
from ....text.lines import format_count
from ..document_writes import (
    PlannedWrite,
    WriteDone,
    describe_changes,
    find_row,
    find_verdict,
    make_write,
    open_document,
    refuse_stale,
)
from ..evidence import EvidenceView, load_evidence
from ..records import CitationRow
from ..review_queue import QueuePlace
from ..routes import ActionRoute, NotFound, PageRoute
from ..write_journal import get_journal
from .review import locate_next

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....core.model import Verdict
    from ....engine.file_changes import FileRewrite
    from ....engine.repair.citation_fix import FixChoice
    from ....engine.repair.fix import Fix
    from ..routes import PageContext
    from ..site import Site

_LONGEST = 300


class FixQuery(QueuePlace, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which fix of which citation."""

    id: str
    to: int = 0
    """The number of a choice, from 1; 0 for what the findings offer."""
    all: bool = False
    """Whether all safe edits of the document are wanted."""


class FixForm(FixQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fix that was shown."""

    before: str
    """Digest of the files as they were shown."""
    after: str
    """Digest of what would be written, as it was shown."""


class FixOption(Struct, frozen=True):
    """One way to correct the citation."""

    number: int
    name: str
    is_safe: bool
    """Whether it needs no reader."""
    now: tuple[str, ...]
    """The first lines of what stands there."""


class FixRecord(Struct, frozen=True):
    """What a fix would write."""

    asked: FixQuery
    citation: CitationRow | None
    """None where it is not there any more."""
    options: tuple[FixOption, ...] = ()
    plan: PlannedWrite | None = None
    """None where nothing would be written."""
    notes: tuple[str, ...] = ()
    """What to know before it is written."""
    refused: tuple[str, ...] = ()
    """Why something is not done."""
    evidence: EvidenceView | None = None


class _FixDraft(Struct, frozen=True):
    """A fix that was planned, and the changes of files that it makes."""

    record: FixRecord
    changes: tuple[FileRewrite, ...]
    settled: tuple[CitationRow, ...]


def load_fix(context: PageContext, query: FixQuery) -> FixRecord:
    """What would be written."""
    return _plan(context.site, query).record


def write_fix(context: PageContext, form: FixForm) -> WriteDone:
    """Write what was shown, if it would still be written."""
    site = context.site
    query = FixQuery(**{name: getattr(form, name) for name in FixQuery.__struct_fields__})
    is_known = site.documents.find(form.id) is not None or get_journal(site).has_settled(form.id)
    location = locate_next(context, form, form.id)
    try:
        draft = _plan(site, query)
        if not draft.changes:
            raise Conflict("there is nothing to write: " + ("; ".join(draft.record.refused) or "nothing is offered"))
        write = make_write(site, _name_write(draft, form.all), draft.settled, draft.changes, (form.before, form.after))
    except (NotFound, Missing, Conflict) as error:
        if not is_known:
            raise
        raise refuse_stale(error, lambda: _load_again(context, query), "fix.html") from None
    return WriteDone(location, write.id, tuple(file.path for file in write.files))


def _load_again(context: PageContext, query: FixQuery) -> FixRecord:
    """The page as it is now; without a citation where that is gone."""
    try:
        return load_fix(context, query)
    except (NotFound, Missing):
        return FixRecord(query, None)


def _name_write(draft: _FixDraft, is_all: bool) -> str:
    row = draft.settled[0]
    if is_all:
        return f"Fix {format_count(len(draft.settled), 'citation')} in {escape_text(row.document)}"
    return f"Fix {row.shown} in {escape_text(row.document)}, line {row.line}"


def _plan(site: Site, query: FixQuery) -> _FixDraft:
    """Plan a fix; raises NotFound where the citation or the choice is not there."""
    known = find_row(site, query.id)
    with open_document(site, known) as project, closing(CitationFixPlanner(project, known.document)) as planner:
        row, verdict = find_verdict(known, planner.report)
        choices = planner.list_choices(verdict)
        if not 0 <= query.to <= len(choices):
            raise NotFound(f"there is no choice {query.to}: {format_count(len(choices), 'choice')} to make")
        fix, refused = _fix(planner, verdict, choices, query)
        options = tuple(
            FixOption(number, escape_text(one.name, _LONGEST), one.change.safe, one.now)
            for number, one in enumerate(choices, 1)
        )
        evidence = load_evidence(site, known)
        if fix is None or not fix.changes or fix.old == fix.new:
            return _FixDraft(FixRecord(query, row, options, refused=refused, evidence=evidence), (), ())
        changes = tuple(planner.list_changes(fix))
        notes = tuple(_list_notes(site, fix))
        record = FixRecord(query, row, options, describe_changes(changes), notes, refused, evidence)
        settled = tuple(_list_settled(site, known, fix)) if query.all else (known,)
        return _FixDraft(record, changes, settled)


def _fix(
    planner: CitationFixPlanner, verdict: Verdict, choices: Sequence[FixChoice], query: FixQuery
) -> tuple[Fix | None, tuple[str, ...]]:
    """The fix that is asked for, and why something of it is not made."""
    if query.all:
        plan = planner.plan_safe_edits()
        left = (*(plan.offers.left if plan.offers is not None else ()), *(plan.fix.left if plan.fix else ()))
        reasons = [f"{one.change.verdict.line}: {one.reason}" for one in left if one.change.safe]
        if plan.fix is None and not reasons:
            reasons = ["the document has no edit that needs no reader"]
        return plan.fix, tuple(escape_text(f"line {reason}" if left else reason) for reason in reasons)
    fix = planner.fix_by_choice(choices[query.to - 1]) if query.to else planner.fix_by_findings(verdict)
    if fix is not None:
        return fix, tuple(escape_text(one.reason) for one in fix.left)
    if choices:
        return None, ("several places may be meant: choose one of them",)
    if verdict.outcome is Outcome.HOLDS:
        return None, ("it holds: there is nothing to fix",)
    return None, ("nothing is known that would correct it; change the sentence or the citation in the document",)


def _list_notes(site: Site, fix: Fix) -> Iterator[str]:
    """What the diff does not say."""
    for change in fix.changes:
        if not change.safe:
            yield f"Line {change.verdict.line} needs a reader: {escape_text(change.finding.message)}"
    for verdict in fix.forgotten:
        yield (
            f"Line {verdict.line} also cites {escape_text(verdict.citation.raw, _LONGEST)}, whose evidence changed; "
            "read it again: once this line is rewritten, history no longer shows the change"
        )
    for change in fix.changes:
        line = change.verdict.line
        for one in site.documents.citing.find(fix.document, Lines(line, line)):
            if one.outcome == Outcome.HOLDS.label:
                where = escape_text(f"{one.document}:{one.line}")
                yield f"{where} cites line {line}, which would then be reported as edited"


def _list_settled(site: Site, known: CitationRow, fix: Fix) -> Iterator[CitationRow]:
    """The citations that a fix of a whole document corrects, as they were last checked."""
    fixed = {(verdict.line, verdict.column, verdict.citation.raw) for verdict in fix.fixed}
    rows = [row for row in site.documents.rows(known.document) if (row.line, row.column, row.raw) in fixed]
    yield from rows or (known,)


PAGES = (
    PageRoute(
        "fix",
        "/c/{id}/fix",
        "What the fix of a citation would write",
        FixQuery,
        FixRecord,
        load_fix,
        "fix.html",
        is_static=False,
    ),
)
ACTIONS = (ActionRoute("fix", "/c/{id}/fix", "Write the fix of a citation", FixForm, WriteDone, write_fix),)

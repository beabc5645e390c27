"""Accepting a citation: a reader found it still true. The diff of the record first, then the write."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import Conflict, Missing, UsageError
from ....core.model import Report
from ....engine.acceptance_writer import AcceptanceWriter, AcceptAnswer, normalize_reason
from ....engine.file_changes import FileRewrite
from ....engine.named_citations import NamedCitation
from ....engine.run import Request, Run
from ....engine.settings import merge_settings
from ....safe.escape import escape_text
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
    from ....engine.acceptance_writer import AcceptResult
    from ..routes import PageContext
    from ..site import Site


class AcceptQuery(QueuePlace, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which citation, and why it is still true."""

    id: str
    reason: str = ""
    """On one line; what would be written is shown once it is given."""


class AcceptForm(AcceptQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An acceptance that was shown."""

    before: str
    """Digest of the files as they were shown."""
    after: str
    """Digest of what would be written, as it was shown."""


class AcceptRecord(Struct, frozen=True):
    """What an acceptance would record."""

    asked: AcceptQuery
    citation: CitationRow | None
    """None where it is not there any more."""
    plan: PlannedWrite | None = None
    """None before a reason is given, and where nothing can be recorded."""
    can_accept: bool = False
    """Whether there is something that a reader can settle."""
    refused: str = ""
    """Why nothing would be recorded."""
    text: tuple[str, ...] = ()
    """The cited lines that are accepted."""
    evidence: EvidenceView | None = None


def load_accept(context: PageContext, query: AcceptQuery) -> AcceptRecord:
    """What would be recorded."""
    return _plan(context.site, query)[0]


def write_acceptance(context: PageContext, form: AcceptForm) -> WriteDone:
    """Record what was shown, if it would still be recorded."""
    site = context.site
    if not form.reason.strip():
        raise UsageError("reason: missing; say in a sentence why it is still true")
    query = AcceptQuery(**{name: getattr(form, name) for name in AcceptQuery.__struct_fields__})
    is_known = site.documents.find(form.id) is not None or get_journal(site).has_settled(form.id)
    location = locate_next(context, form, form.id)
    try:
        record, changes = _plan(site, query)
        if not changes:
            raise Conflict(record.refused)
        row = find_row(site, form.id)
        title = f"Accept {row.shown} in {escape_text(row.document)}, line {row.line}"
        write = make_write(site, title, (row,), changes, (form.before, form.after))
    except (NotFound, Missing, Conflict) as error:
        if not is_known:
            raise
        raise refuse_stale(error, lambda: _load_again(context, query), "accept.html") from None
    return WriteDone(location, write.id, tuple(file.path for file in write.files))


def _load_again(context: PageContext, query: AcceptQuery) -> AcceptRecord:
    """The page as it is now; without a citation where that is gone."""
    try:
        return load_accept(context, query)
    except (NotFound, Missing):
        return AcceptRecord(query, None)


def _plan(site: Site, query: AcceptQuery) -> tuple[AcceptRecord, tuple[FileRewrite, ...]]:
    """What would be recorded, and the changes that do it; raises NotFound, UsageError for a reason that cannot be."""
    reason = read_reason(query.reason)
    known = find_row(site, query.id)
    with open_document(site, known) as project:
        run = Run(project.root, Request((known.document,), merge_settings(project.config), every=True, afresh=True))
        try:
            report = next(iter(run.reports()), Report(known.document))
            row, verdict = find_verdict(known, report)
            with closing(run.engine()) as engine:
                writer = AcceptanceWriter(project.root, engine)
                result = writer.accept(NamedCitation(known.document, verdict), reason)
                changes = tuple(FileRewrite(*one) for one in writer.plan() if one[1] != one[2])
        finally:
            run.close()
    refused = _explain(result)
    is_planned = bool(reason and changes and not refused)
    record = AcceptRecord(
        query,
        row,
        describe_changes(changes) if is_planned else None,
        result.answer in (AcceptAnswer.ACCEPTED, AcceptAnswer.ALREADY),
        refused,
        result.text,
        load_evidence(site, known),
    )
    return record, changes if is_planned else ()


def read_reason(typed: str) -> str:
    """A reason on one line; raises UsageError where it is too long, or holds what cannot be seen."""
    reason = normalize_reason(typed, "reason: ")
    if escape_text(reason) != reason:
        raise UsageError("reason: it has invisible characters in it; type it again")
    return reason


def _explain(result: AcceptResult) -> str:
    """Why a citation is not accepted; empty where it is."""
    if result.answer is AcceptAnswer.ACCEPTED:
        return ""
    if result.answer is AcceptAnswer.REFUSED:
        return f"not accepted: {escape_text(result.why)}"
    return f"{result.answer.value}: {escape_text(result.why)}"


PAGES = (
    PageRoute(
        "accept",
        "/c/{id}/accept",
        "What accepting a citation would record",
        AcceptQuery,
        AcceptRecord,
        load_accept,
        "accept.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "accept",
        "/c/{id}/accept",
        "Record that a citation is still true",
        AcceptForm,
        WriteDone,
        write_acceptance,
    ),
)

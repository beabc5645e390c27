"""The report of a topic, and the audit of any report that is pasted: every sentence, and what it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import Missing
from ....domains.research.audit_evidence import AuditEvidence
from ....domains.research.report_audit import audit
from ....domains.research.stage_runner import on_trust
from ....domains.research.topic import topics
from ....domains.research.topic_evidence import gather_evidence
from ....judge.offline import Offline
from ....text.lines import can_encode, decode
from ..audit_view import AuditView, describe_audit
from ..routes import KILOBYTE, ActionRoute, NotFound, PageRoute, Refusal
from ..topic_view import SourceView, list_sources, open_topic_of

if TYPE_CHECKING:
    from ..routes import PageContext

_LEAST = ("high", "medium")
_MOST_PASTED = 256 * KILOBYTE
"""Each sentence is held against the pages it cites; a report of this size takes seconds."""


class TopicReportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which topic."""

    topic: str


class TopicReport(Struct, frozen=True):
    """The report of a topic, sentence by sentence, and its sources."""

    topic: str
    file: str
    trust: str
    """What rests on files that this user's pincite did not write; empty where nothing does."""
    audit: AuditView
    sources: tuple[SourceView, ...]


class PastedReportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which topic is chosen at first."""

    topic: str = ""


class PastedReportPage(Struct, frozen=True):
    """What a report can be held against."""

    topics: tuple[str, ...]
    topic: str


class PastedReportForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A report and what it is held against."""

    text: str
    topic: str = ""
    """Whose citations it rests on; without one, nothing that it cites is validated."""
    least: str = "high"
    """What counts as grounded: `high` (stated) or `medium` (strongly implied)."""


class PastedReportAudit(Struct, frozen=True):
    """What the audit of a pasted report found; nothing was written."""

    topic: str
    least: str
    trust: str
    audit: AuditView


def load_report(context: PageContext, query: TopicReportQuery) -> TopicReport:
    """The report of a topic as it is on disk, audited now."""
    with open_topic_of(context.site, query.topic) as work:
        try:
            text = decode(work.root.read(work.topic.report))
        except Missing:
            raise NotFound(f"{work.topic.report}: there is no report yet; run the stages") from None
        found = audit(text, gather_evidence(work), work.judge, work.settings.least or _LEAST[0])
        sources = tuple(one for one in list_sources(work, ()) if one.citations)
        view = describe_audit(text, found)
        return TopicReport(work.topic.name, work.topic.report, on_trust(work, True), view, sources)


def offer_audit(context: PageContext, query: PastedReportQuery) -> PastedReportPage:
    """The form for a report."""
    with context.site.open() as project:
        known = tuple(topic.name for topic in topics(project.root))
    return PastedReportPage(known, query.topic if query.topic in known else "")


def audit_pasted(context: PageContext, form: PastedReportForm) -> PastedReportAudit:
    """Audit a report that was pasted; nothing is written and nothing is fetched."""
    if not form.text.strip():
        raise Refusal(422, "paste a report first: there is no text in it")
    if not can_encode(form.text):
        raise Refusal(422, "text: it holds characters that are no text")
    if form.least not in _LEAST:
        raise Refusal(422, f"least: expected {' or '.join(_LEAST)}")
    # A browser sends the lines of a form with CR and LF.
    text = form.text.replace("\r\n", "\n")
    if not form.topic:
        found = audit(text, AuditEvidence(), Offline(), form.least)
        return PastedReportAudit("", form.least, "", describe_audit(text, found))
    with open_topic_of(context.site, form.topic) as work:
        found = audit(text, gather_evidence(work), work.judge, form.least)
        return PastedReportAudit(work.topic.name, form.least, on_trust(work, True), describe_audit(text, found))


PAGES = (
    PageRoute(
        "topic_report",
        "/research/{topic}/report",
        "The report of a topic, sentence by sentence",
        TopicReportQuery,
        TopicReport,
        load_report,
        "topic_report.html",
    ),
    PageRoute(
        "audit",
        "/audit",
        "The form for auditing a report",
        PastedReportQuery,
        PastedReportPage,
        offer_audit,
        "audit.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "audit_report",
        "/audit",
        "Say of every sentence of a report what it rests on",
        PastedReportForm,
        PastedReportAudit,
        audit_pasted,
        "audited.html",
        writes=False,
        most_bytes=_MOST_PASTED,
    ),
)

"""The review queue: what waits for a reader, one after the other, with what was cited beside what stands there now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from ....checks import READER_DECIDES
from ....core.errors import Refused, UsageError
from ....core.model import Safety
from ....engine.repair.citation_fix import list_choices, write_citation
from ....report._problems import gravity
from ....safe.escape import escape_text
from ....text.document import Document
from ....text.lines import decode
from ....text.sentences import claim_before
from ..evidence import EvidenceView, load_evidence
from ..records import CitationRow, Paging, cut_page
from ..review_queue import QueueFilter, choose_waiting, find_position, list_folders, list_waiting
from ..routes import PageRoute

if TYPE_CHECKING:
    from ....core.model import Finding, Verdict
    from ..review_queue import QueuePlace
    from ..routes import PageContext
    from ..site import Site

_LONGEST = 300
_LONGEST_CLAIM = 2000
_PER_PAGE = 50
_MOST_FOLDERS = 200
"""Folders that can be chosen from; a longer list is no help."""


class ReviewQuery(QueueFilter, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which citation of which part of the queue."""

    at: str = ""
    """The id of a citation; the first one where it is empty."""
    n: int = 0
    """Where that citation stood, from 0: what stands there now is shown where it is gone."""


class ReviewFinding(Struct, frozen=True):
    """What one check says about the citation."""

    check: str
    outcome: str
    severity: str
    message: str
    detail: tuple[str, ...]
    then: tuple[str, ...]
    """What was cited, as far as it is known."""
    now: tuple[str, ...]
    """What stands where the fix leads; empty where that is the same text."""
    new: str
    """The citation as the fix would write it; empty where there is none."""
    is_safe: bool
    """Whether the fix needs no reader."""
    withheld: str
    """Why `pincite fix` does not make it though it is safe."""


class ReviewChoice(Struct, frozen=True):
    """One of several places that may be meant."""

    number: int
    name: str
    now: tuple[str, ...]
    """The first lines of what stands there."""


class ReviewItem(Struct, frozen=True):
    """One citation that waits."""

    citation: CitationRow
    claim: str
    """The sentence that cites, with the citation."""
    findings: tuple[ReviewFinding, ...]
    excerpt: tuple[str, ...]
    """What stands at the cited place now."""
    choices: tuple[ReviewChoice, ...]
    can_fix: bool
    can_accept: bool
    evidence: EvidenceView


class ReviewRecord(Struct, frozen=True):
    """The queue, and the citation that it is at."""

    asked: ReviewQuery
    total: int
    """Citations that wait, in all."""
    chosen: int
    """Those of them that were asked for."""
    number: int
    """Which of these is shown, from 1; 0 for none."""
    item: ReviewItem | None
    previous: str
    next: str
    outcomes: dict[str, int]
    checks: dict[str, int]
    folders: dict[str, int]
    rows: tuple[CitationRow, ...]
    """The part of the queue around the citation."""
    paging: Paging
    is_complete: bool
    """Whether every document was checked."""


def load_review(context: PageContext, query: ReviewQuery) -> ReviewRecord:
    """The queue at one citation."""
    site = context.site
    waiting = list_waiting(site)
    rows = choose_waiting(waiting, query)
    at = find_position(rows, query.at)
    if at < 0:
        at = query.n if 0 <= query.n < len(rows) else -1
    item = _load_item(site, rows[at]) if at >= 0 else None
    some, paging = cut_page(rows, at // _PER_PAGE + 1, _PER_PAGE)
    folders = Counter(list_folders(waiting))
    return ReviewRecord(
        query,
        len(waiting),
        len(rows),
        at + 1,
        item,
        rows[at - 1].id if at > 0 else "",
        rows[at + 1].id if 0 <= at < len(rows) - 1 else "",
        dict(sorted(Counter(row.outcome for row in waiting).items())),
        dict(sorted(Counter(check for row in waiting for check in row.checks).items())),
        dict(sorted(folders.most_common(_MOST_FOLDERS))),
        tuple(some),
        paging,
        site.documents.is_complete,
    )


def locate_next(context: PageContext, place: QueuePlace, id: str) -> str:
    """Where to go after a citation was settled: to the next one of the queue, or to its document."""
    site = context.site
    row = site.documents.find(id)
    if not place.review:
        return (
            context.links.page("document", document=row.document) if row is not None else context.links.page("writes")
        )
    rows = choose_waiting(list_waiting(site), place)
    at = find_position(rows, id)
    following = rows[at + 1].id if 0 <= at < len(rows) - 1 else ""
    asked = {"outcome": place.outcome, "check": place.check, "folder": place.folder}
    return context.links.page("review", **asked, at=following, n=at if at > 0 else "")


def _load_item(site: Site, row: CitationRow) -> ReviewItem:
    verdict = site.documents.verdict(row)
    findings = sorted(verdict.findings, key=gravity) if verdict is not None else []
    claim, choices = _read_document(site, row, verdict) if verdict is not None else (row.raw, ())
    return ReviewItem(
        row,
        claim,
        tuple(_describe(verdict, finding) for finding in findings if verdict is not None),
        verdict.excerpt if verdict is not None else (),
        choices,
        any(finding.edit is not None for finding in findings),
        any(finding.check in READER_DECIDES for finding in findings),
        load_evidence(site, row),
    )


def _describe(verdict: Verdict, finding: Finding) -> ReviewFinding:
    edit = finding.edit
    return ReviewFinding(
        finding.check,
        finding.outcome.label,
        finding.severity.label,
        escape_text(finding.message),
        tuple(finding.detail.split("\n")) if finding.detail else (),
        finding.then,
        finding.now,
        escape_text(write_citation(verdict, edit), _LONGEST) if edit is not None else "",
        edit is not None and edit.safety is Safety.SAFE,
        escape_text(edit.withheld) if edit is not None else "",
    )


def _read_document(site: Site, row: CitationRow, verdict: Verdict) -> tuple[str, tuple[ReviewChoice, ...]]:
    """The sentence that cites, and what can be chosen; only the citation where the document changed meanwhile."""
    span = verdict.citation.span
    try:
        with site.open() as project:
            data = project.root.read(row.document, project.root.limits.document_bytes)
            text = decode(data)
            if text[span.start : span.end] != row.raw:
                return row.raw, ()
            choices = list_choices(project, row.document, data, verdict)
            document = Document(row.document, text, project.config.in_code, project.config.memories, site.root)
    except (Refused, UsageError):
        return row.raw, ()
    claim = claim_before(document, span.start)
    start = min(claim.start, span.start) if claim is not None else span.start
    numbered = enumerate(choices, 1)
    # With one place to go to there is nothing to choose.
    is_one = len(choices) == 1 and any(finding.edit is not None for finding in verdict.findings)
    return text[max(start, span.end - _LONGEST_CLAIM) : span.end], tuple(
        ReviewChoice(number, escape_text(one.name, _LONGEST), one.now) for number, one in numbered if not is_one
    )


PAGES = (
    PageRoute(
        "review",
        "/review",
        "What waits for a reader, one after the other",
        ReviewQuery,
        ReviewRecord,
        load_review,
        "review.html",
        title="Review",
    ),
)

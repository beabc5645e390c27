"""A document as a reader sees it, each citation marked by its verdict, its evidence beside it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from ....core.errors import PinciteError
from ....safe.escape import escape_text
from ..citation_marks import is_problem
from ..document_markup import DocumentView, try_view
from ..evidence import EvidenceView, load_evidence
from ..links import has_dot_segments
from ..records import CitationRow, Paging, cut_page
from ..rendering import OUTCOMES
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext
    from ..site import Site

OutcomeName = Literal["", "malformed", "blocked", "missing", "mismatch", "ambiguous", "moved", "unchecked", "holds"]


class DocumentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which document, and what of it."""

    document: str
    c: str = ""
    """The id of the citation whose evidence is shown; the part of the text in which it stands is shown with it."""
    part: int = 0
    """The part of the text; 0 for the one with the open citation, or the first."""
    outcome: OutcomeName = ""
    """Lists only citations with this outcome."""
    page: int = 1
    """The page of the list of citations."""


class DocumentPage(Struct, frozen=True, dict=True):
    """A document and its citations. Its text as HTML is no part of the record."""

    document: str
    outcomes: dict[str, int]
    """How many citations have which outcome."""
    outcome: str
    """The outcome that is listed; empty for all."""
    citations: tuple[CitationRow, ...]
    """One page of the list: the gravest outcome first, then by line."""
    paging: Paging
    part: int
    """The part of the text that is shown, from 1; 0 where the text cannot be shown."""
    parts: int
    changed: tuple[CitationRow, ...]
    """The first citations that do not stand where the check found them: the file changed since."""
    changed_count: int
    open: CitationRow | None
    is_gone: bool
    """Whether a citation was asked for that the document does not have."""
    has_source: bool
    """Whether a page shows who cites the source of the open citation."""
    evidence: EvidenceView | None
    """The evidence of the open citation, with what was found about it."""
    evidence_error: str
    """Why the evidence cannot be shown."""
    error: str
    """Why the document was not checked, or cannot be read now."""

    @property
    def view(self) -> DocumentView | None:
        """The text, which the template renders."""
        view: DocumentView | None = self.__dict__["view"]
        return view


_MOST_CHANGED = 50


def load_document(context: PageContext, query: DocumentQuery) -> DocumentPage:
    """A document with the evidence of one citation."""
    site = context.site
    documents = site.documents
    report = documents.report(query.document)
    if report is None:
        unknown = "no such document, or it cites nothing" if documents.is_complete else "it is not checked yet"
        raise NotFound(f"{escape_text(query.document)}: {unknown}")
    rows = documents.rows(query.document)
    outcomes = {label: count for label in OUTCOMES if (count := sum(row.outcome == label for row in rows))}
    listed = sorted(
        (row for row in rows if query.outcome in ("", row.outcome)),
        key=lambda row: (not is_problem(row), OUTCOMES.index(row.outcome), row.line, row.column),
    )
    citations, paging = cut_page(listed, query.page)
    view, error = try_view(site, query.document, report)
    chosen = next((row for row in rows if row.id == query.c), None) if query.c else None
    evidence, evidence_error = _try_evidence(site, chosen) if chosen is not None else (None, "")
    part, parts = _choose_part(view, query)
    record = DocumentPage(
        document=query.document,
        outcomes=outcomes,
        outcome=query.outcome,
        citations=tuple(citations),
        paging=paging,
        part=part,
        parts=parts,
        changed=view.changed[:_MOST_CHANGED] if view is not None else (),
        changed_count=len(view.changed) if view is not None else 0,
        open=chosen,
        is_gone=bool(query.c) and chosen is None,
        has_source=chosen is not None
        and not has_dot_segments(chosen.source)
        and bool(documents.citing.find(chosen.source)),
        evidence=evidence,
        evidence_error=evidence_error,
        error=escape_text(report.error) or error,
    )
    record.__dict__["view"] = view
    return record


def _choose_part(view: DocumentView | None, query: DocumentQuery) -> tuple[int, int]:
    """The part that is shown, and how many there are."""
    if view is None:
        return 0, 0
    wanted = query.part or (view.find_part(query.c) if query.c else 0)
    return min(max(1, wanted), view.parts), view.parts


def _try_evidence(site: Site, row: CitationRow) -> tuple[EvidenceView | None, str]:
    """The evidence of a citation, or why there is none: the rest of the page is shown all the same."""
    try:
        return load_evidence(site, row), ""
    except PinciteError as error:
        return None, site.describe_error(error)


def find_state(site: Site, query: DocumentQuery) -> object:
    """What the page depends on: the verdicts and the text, which may change where no verdict does. With evidence it
    is made each time."""
    if query.c or site.documents.report(query.document) is None:
        return None
    with suppress(OSError, ValueError):
        status = os.stat(os.path.join(site.root, query.document))
        return site.documents.version, status.st_ino, status.st_size, status.st_mtime_ns
    return None


PAGES = (
    PageRoute(
        "document",
        "/d/{document:path}",
        "A document and its citations",
        DocumentQuery,
        DocumentPage,
        load_document,
        "document.html",
        depends=find_state,
    ),
)

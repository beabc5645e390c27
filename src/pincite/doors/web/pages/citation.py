"""One citation beside its evidence; the document page shows the same in its margin."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

from msgspec import Struct

from ....engine.shown_evidence import open_evidence_engine
from ....safe.escape import escape_text
from ....text.sentences import claim_before
from ..evidence import EvidenceView, load_evidence
from ..evidence.lookup import read_document
from ..evidence.paper import draw_cited_page
from ..records import CitationRow
from ..routes import FileRoute, NotFound, PageRoute

if TYPE_CHECKING:
    from ....text.document import Document
    from ..routes import PageContext
    from ..site import Site

_REACH = 400
"""Characters of the document on either side of the citation."""
_ENDED = re.compile(r"[.!?…][\s)\]*_]*\Z")
_STOP = re.compile(r"[.!?…](?=\s|\Z)|\n[ \t]*\n|\Z")


class CitationQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which citation."""

    id: str
    page: int = 0
    """Which page of the cited paper, counted from 1; 0 is the cited one."""


class PictureQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of which cited paper."""

    id: str
    page: int


class CitationClaim(Struct, frozen=True):
    """The sentence that a citation stands in, as it is written."""

    before: str
    cited: str
    after: str


class CitationRecord(Struct, frozen=True):
    """A citation and what stands behind it."""

    citation: CitationRow
    claim: CitationClaim | None
    """None where the document no longer has the citation there."""
    evidence: EvidenceView


def load_citation(context: PageContext, query: CitationQuery) -> CitationRecord:
    """The citation with an id."""
    row = _find(context, query.id)
    return CitationRecord(row, _find_claim(context.site, row), load_evidence(context.site, row, query.page))


def draw_page(context: PageContext, query: PictureQuery) -> bytes:
    """A page of the cited paper with the quoted words marked."""
    return draw_cited_page(context.site, _find(context, query.id), query.page)


def _find(context: PageContext, id: str) -> CitationRow:
    row = context.site.documents.find(id)
    if row is None:
        raise NotFound("no such citation: its document changed, or it is gone")
    return row


def _find_claim(site: Site, row: CitationRow) -> CitationClaim | None:
    with site.open() as project, closing(open_evidence_engine(project)) as engine:
        document = read_document(project, engine, row.document)
    text, starts = document.text, document.starts
    if not 0 < row.line <= len(starts):
        return None
    start = starts[row.line - 1] + row.column - 1
    end = start + len(row.raw)
    if text[start:end] != row.raw:
        return None
    first = _find_start(document, start)
    before = text[first:start]
    # Behind a full stop, a citation ends what it belongs to.
    stop = None if _ENDED.search(before) else _STOP.search(text, end, end + _REACH)
    after = text[end : stop.end() if stop is not None else end]
    return CitationClaim(_flatten(before), _flatten(row.raw), _flatten(after))


def _find_start(document: Document, start: int) -> int:
    """Where the sentence begins, or else the line."""
    claim = claim_before(document, start)
    line = document.text.rfind("\n", 0, start) + 1
    return max(min(claim.start if claim is not None else line, start), start - _REACH)


def _flatten(text: str) -> str:
    """Text on one line; white space at its ends stays as one space."""
    return escape_text(re.sub(r"\s+", " ", text), 2 * _REACH)


PAGES = (
    PageRoute(
        "citation",
        "/c/{id}",
        "A citation beside its evidence",
        CitationQuery,
        CitationRecord,
        load_citation,
        "citation.html",
        depends=None,
    ),
)
FILES = (
    FileRoute(
        "page_picture",
        "/c/{id}/page.png",
        "A page of the cited paper with the quoted words marked",
        PictureQuery,
        "image/png",
        draw_page,
    ),
)

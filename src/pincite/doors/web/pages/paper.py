"""One paper: what is known of it, its pages and quotes, and who cites it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import PinciteError
from ....domains.corpus.audit import open_validator
from ....domains.corpus.opening import open_corpus_of
from ....domains.corpus.paper_list import NoSuchPaper, PageText, PaperDetails, get_paper, show, show_page
from ....domains.corpus.paper_status import paper_status
from ....domains.corpus.validation import Issue
from ....engine.settings import merge_settings
from ....papers.printed_pages import printed_page
from ..records import CitationRow, Paging, cut_page
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ....project.project import Project
    from ....sources import Corpus
    from ..routes import PageContext

_MOST_PAGES = 500
"""Pages that are listed by name; a page beyond them can be asked for."""


class PaperQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which paper, and which of its pages."""

    id: str
    """`REF-043`, or `@key` of a bibliography."""
    p: str = ""
    """The page whose text is shown, named as it is printed."""
    page: int = 1
    """Which part of the citations is listed."""


class KeyQuoteView(Struct, frozen=True):
    """A quote that the corpus file keeps, and whether it stands on its page."""

    quote: str
    page: str
    section: str
    state: str
    """`valid`, `warning` or `invalid`."""
    is_seen: bool
    """Whether it was found word for word on its page of the PDF."""
    messages: tuple[str, ...]
    validated: str
    """Who marked it as validated, and when; empty where no person did."""


class PaperRecord(Struct, frozen=True):
    """All that is known of a paper."""

    paper: PaperDetails
    issues: tuple[Issue, ...]
    """What does not fit together: the recorded pages and those of the PDF."""
    quotes: tuple[KeyQuoteView, ...]
    pages: tuple[str, ...]
    """What its pages are called, the first five hundred; empty names left out."""
    shown: PageText | None
    """The page that was asked for."""
    previous: str
    """The name of the page before it; empty where there is none."""
    following: str
    """The name of the page after it; empty where there is none."""
    citations: tuple[CitationRow, ...]
    """The citations of it in documents."""
    paging: Paging


def load_paper(context: PageContext, query: PaperQuery) -> PaperRecord:
    """A paper, or an entry of a bibliography."""
    with context.site.open() as project, open_corpus_of(project) as corpus:
        try:
            paper = show(corpus, query.id)
            shown = show_page(corpus, query.id, query.p) if query.p else None
        except NoSuchPaper as error:
            raise NotFound(context.site.describe_error(error)) from None
        names = _name_pages(corpus, query.id)
        issues, quotes = ((), ()) if paper.id.startswith("@") else _check_paper(project, paper.id)
    citing = _find_citing(context, paper)
    rows, paging = cut_page(citing, query.page)
    previous = following = ""
    if shown is not None:
        first, last = shown.indexes[0] - 2, shown.indexes[-1]
        previous = names[first] if 0 <= first < len(names) else ""
        following = names[last] if last < len(names) else ""
    listed = tuple(name for name in names[:_MOST_PAGES] if name)
    return PaperRecord(paper, issues, quotes, listed, shown, previous, following, tuple(rows), paging)


def _name_pages(corpus: Corpus, identity: str) -> list[str]:
    paper = get_paper(corpus, identity).paper
    pdf = corpus.pdf(paper)
    return [printed_page(paper, pdf, at) for at in range(len(pdf.pages))] if pdf is not None else []


def _check_paper(project: Project, identity: str) -> tuple[tuple[Issue, ...], tuple[KeyQuoteView, ...]]:
    """Hold the corpus file against its PDF, as `pincite corpus pages` does."""
    validator = open_validator(project.root, merge_settings(project.config), project.git)
    try:
        status = paper_status(validator, get_paper(validator.corpus, identity))
    except PinciteError as error:
        return (Issue("error", str(error), ""),), ()
    finally:
        validator.engine.close()
    quotes = tuple(
        KeyQuoteView(
            one.kept.quote,
            one.kept.page,
            one.kept.section,
            one.detail.result.status,
            one.seen,
            tuple(issue.message for issue in one.detail.result.issues),
            _join((one.kept.validator, one.kept.validation_date)) if one.kept.validated else "",
        )
        for one in status.quotes
    )
    notes = tuple(
        Issue("warning", f"section {one.name} ({one.pages}): {one.note}", "Correct the sections")
        for one in status.sections
        if one.valid is False or one.overlaps
    )
    return (*status.issues, *notes), quotes


def _join(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part) or "yes"


def _find_citing(context: PageContext, paper: PaperDetails) -> list[CitationRow]:
    """The citations that lead to a paper, outside its own file."""
    documents = context.site.documents
    names = {paper.id.removeprefix("@"), paper.path, paper.pdf} - {None, ""}
    entry = paper.id.startswith("@")
    found = []
    for row in documents.all_rows():
        if row.document == paper.path or (row.source not in names and row.source.upper() not in names):
            continue
        verdict = documents.verdict(row)
        key = verdict.citation.source.key if verdict is not None else row.source
        if key.upper() == paper.id or key == paper.id.removeprefix("@") or (not entry and key in names):
            found.append(row)
    return found


PAGES = (
    PageRoute(
        "paper",
        "/corpus/{id:path}",
        "A paper: its pages and quotes, and who cites it",
        PaperQuery,
        PaperRecord,
        load_paper,
        "paper.html",
    ),
)

"""Passages by words or names, each with a citation to copy."""

from __future__ import annotations

from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import UsageError
from ....domains.retrieval.passage_search import PassageSearcher, find_densest_lines, format_hit_place
from ....safe.escape import escape_text
from ....store.database import StoreTrouble
from ....store.search_index import has_index
from ....text.lines import format_count, split_lines
from ..citation_writer import StyledCitation, write_styles
from ..long_work import RUNNING, WorkRecord
from ..records import Paging, Redirect, cut_page
from ..routes import ActionRoute, NotFound, PageRoute, Refusal

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from ....domains.retrieval.passage_search import FoundPassages
    from ....search.model import Citation, SearchHit
    from ..long_work import LongWork
    from ..routes import PageContext
    from ..site import Site

_PER_PAGE = 20
_MOST_HITS = 100
_LONGEST_QUERY = 1000
_MOST_LINES = 12
"""Lines of a passage that are shown: those with most of the words."""
_WIDEST = 400
_LOOK_AGAIN = 2.0
"""Seconds for which the files are taken for unchanged: every key that is typed asks for them."""
_WORK, _CURRENT = "search.work", "search.current"
_STARTING = Lock()
READY, STALE, NONE, UNUSABLE = "ready", "stale", "none", "unusable"


class SearchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is looked for."""

    q: str = ""
    path: str = ""
    """Only files below this folder, or that match this pattern."""
    page: int = 1


class CiteQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which passage of which search."""

    q: str
    id: str
    """The id of the passage."""
    path: str = ""


class IndexForm(Struct, frozen=True, forbid_unknown_fields=True):
    """What to look for when the index is made."""

    q: str = ""


class PassageLine(Struct, frozen=True):
    """A line of a passage."""

    number: int | None
    """None in a document without lines."""
    text: str
    marks: tuple[tuple[int, int], ...]
    """Where words of the query stand, half open."""

    def pieces(self) -> Iterator[tuple[bool, str]]:
        """The text in pieces, and whether each is a word of the query."""
        at = 0
        for start, end in self.marks:
            yield False, self.text[at:start]
            yield True, self.text[start:end]
            at = end
        yield False, self.text[at:]


class PassageRow(Struct, frozen=True):
    """A passage that was found."""

    id: str
    place: str
    """Its path with its line or page."""
    path: str
    first: int | None
    last: int | None
    page: int | None
    title: str
    headings: tuple[str, ...]
    lines: tuple[PassageLine, ...]
    left: int
    """How many lines of it are not shown."""
    is_citing: bool
    """Whether its file is a document with citations."""
    citation: str


class SearchRecord(Struct, frozen=True):
    """What was found, and whether the index is good."""

    q: str
    path: str
    state: str
    """`ready`; `stale` where files changed since the index was made; `none` where there is no index, `unusable` where
    it cannot be read."""
    message: str
    hits: tuple[PassageRow, ...]
    paging: Paging
    notes: tuple[str, ...]
    work: WorkRecord | None
    """The making of the index, where it is under way."""


class StylesRecord(Struct, frozen=True):
    """A passage cited in every style."""

    place: str
    styles: tuple[StyledCitation, ...]


def search_passages(context: PageContext, query: SearchQuery) -> SearchRecord:
    """The passages that fit a query, from the index as it is: nothing is made or written."""
    site = context.site
    rows: list[PassageRow] = []
    notes: list[str] = []
    try:
        searcher = _open_searcher(site)
        with searcher:
            state = READY if _is_current(site, searcher) else STALE
            if query.q.strip():
                found = _search(searcher, query.q, query.path)
                rows = [_describe(site, searcher, found, *one) for one in zip(found.hits, found.citations, strict=True)]
                notes = _list_notes(searcher)
        message = ""
    except StoreTrouble as error:
        state, message = UNUSABLE, site.describe_error(error)
    except _NoIndex:
        state, message = NONE, ""
    shown, paging = cut_page(rows, query.page, _PER_PAGE)
    work = site.kept.get(_WORK)
    return SearchRecord(
        q=query.q,
        path=query.path,
        state=state,
        message=message,
        hits=tuple(shown),
        paging=paging,
        notes=tuple(notes),
        work=work.record() if work is not None and work.state == RUNNING else None,
    )


def load_styles(context: PageContext, query: CiteQuery) -> StylesRecord:
    """The citation of a passage in every style."""
    try:
        searcher = _open_searcher(context.site)
    except _NoIndex:
        raise NotFound("there is no index; make it, and search again") from None
    with searcher:
        found = _search(searcher, query.q, query.path)
        for hit, citation in zip(found.hits, found.citations, strict=True):
            if str(hit.chunk.id) == query.id:
                return StylesRecord(escape_text(format_hit_place(citation)), write_styles(searcher, citation))
    raise NotFound("no such passage: its file changed, or the index did; search again")


def build_index(context: PageContext, form: IndexForm) -> Redirect:
    """Make the index, or bring it up to date, as work that goes on by itself; there is one such work at a time."""
    site, location = context.site, context.links.page("search", q=form.q)

    def build(work: LongWork) -> tuple[str, str]:
        notes: list[str] = []
        with PassageSearcher(site.open(), note=notes.append) as searcher:
            searcher.update(work.step)
            documents, passages, _ = searcher.index.store.counts()
        site.kept.pop(_CURRENT, None)
        counted = f"the index has {format_count(documents, 'document')}, {format_count(passages, 'passage')}"
        return "; ".join(map(escape_text, notes)) or counted, location

    with _STARTING:
        work = site.kept.get(_WORK)
        if work is None or work.state != RUNNING:
            work = site.kept[_WORK] = site.works.start("Index for the search", build)
    return Redirect(context.links.page("work", id=work.id))


class _NoIndex(Exception):
    """There is nothing to search."""


def _open_searcher(site: Site) -> PassageSearcher:
    """The index as it is, to be read; raises _NoIndex and StoreTrouble."""
    project = site.open()
    try:
        if not has_index(project.root):
            raise _NoIndex
        return PassageSearcher(project, "bracket", refresh=False)
    except UsageError:
        project.close()
        raise _NoIndex from None
    except BaseException:
        project.close()
        raise


def _search(searcher: PassageSearcher, query: str, path: str) -> FoundPassages:
    if len(query) > _LONGEST_QUERY or len(path) > _LONGEST_QUERY:
        raise Refusal(422, f"q: longer than {_LONGEST_QUERY} characters; use fewer words")
    return searcher.search(query, _MOST_HITS, path, keeps_hits=False)


def _is_current(site: Site, searcher: PassageSearcher) -> bool:
    """Whether no file changed since the index was made, as it was a moment ago."""
    known = site.kept.get(_CURRENT)
    if known is None or monotonic() - known[0] > _LOOK_AGAIN:
        known = site.kept[_CURRENT] = monotonic(), searcher.index.is_current()
    return bool(known[1])


def _list_notes(searcher: PassageSearcher) -> list[str]:
    notes = [escape_text(note) for note in searcher.index.notes]
    outdated = searcher.index.outdated
    if outdated:
        notes.append(f"left out: passages of {format_count(len(outdated), 'document')} that changed since")
    return notes


def _describe(
    site: Site, searcher: PassageSearcher, found: FoundPassages, hit: SearchHit, citation: Citation
) -> PassageRow:
    passage = split_lines(hit.chunk.content.expandtabs(4))
    start = find_densest_lines(passage, found.finder, _MOST_LINES)
    shown = passage[start : start + _MOST_LINES]
    path, first = citation.relative_path or citation.document_path, citation.line_number
    return PassageRow(
        id=str(hit.chunk.id),
        place=format_hit_place(citation),
        path=path,
        first=first,
        last=citation.end_line,
        page=citation.page,
        title=citation.document_title,
        headings=tuple(hit.chunk.headings),
        lines=tuple(_mark_words(shown, None if first is None else first + start, found.finder)),
        left=len(passage) - len(shown),
        is_citing=site.documents.report(path) is not None,
        citation=searcher.cite(citation) if first is not None else searcher.cite(citation, "inline"),
    )


def _mark_words(lines: Sequence[str], first: int | None, finder: re.Pattern[str] | None) -> Iterator[PassageLine]:
    for at, line in enumerate(lines):
        text = line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"
        marks = tuple(match.span() for match in finder.finditer(text)) if finder is not None else ()
        yield PassageLine(None if first is None else first + at, text, marks)


PAGES = (
    PageRoute(
        "search",
        "/search",
        "Passages that fit a query, from the index as it is",
        SearchQuery,
        SearchRecord,
        search_passages,
        "search.html",
        title="Search",
        is_static=False,
    ),
    PageRoute(
        "passage_styles",
        "/search/cite/{id}",
        "The citation of a passage that a search found, in every style",
        CiteQuery,
        StylesRecord,
        load_styles,
        "passage_styles.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "build_index", "/search/index", "Make the index, or bring it up to date", IndexForm, Redirect, build_index
    ),
)

"""Who cites this: every cited file, and each with the lines that documents rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from ....core.errors import Blocked, Missing, Refused
from ....text.lines import decode, split_lines
from ..cited_lines import (
    LINES_PER_PAGE,
    MOST_REFERENCES,
    SourceBlock,
    SourceReference,
    cut_ranges,
    list_blocks,
    merge_ranges,
)
from ..links import has_dot_segments
from ..records import Paging, cut_page
from ..rendering import OUTCOMES
from ..routes import MEGABYTE, NotFound, PageRoute, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.citing_index import CitingReference
    from ..routes import PageContext
    from ..site import Site

_LARGEST = 16 * MEGABYTE
"""A file beyond this is not shown: all of it is read for every page of it."""
_LISTED = "sources"
_ORDERS = ("path", "citations")


class SourcesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cited files are listed."""

    q: str = ""
    """Part of their paths, in small or large letters."""
    outcome: str = ""
    """Only files with a citation of this outcome."""
    order: str = "path"
    """`path`, or `citations` for the most cited first."""
    page: int = 1


class SourceRow(Struct, frozen=True, gc=False):
    """A cited file in numbers."""

    path: str
    citations: int
    documents: int
    outcomes: dict[str, int]
    references: tuple[SourceReference, ...] = ()
    """Who cites it, for a path such as `../x`: browsers take the dots out of an address, so it has no page."""


class SourcesRecord(Struct, frozen=True):
    """The cited files."""

    sources: tuple[SourceRow, ...]
    paging: Paging
    q: str
    outcome: str
    order: str
    cited: int
    """How many files are cited at all."""


class SourceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which file, and which of its lines."""

    path: str
    all: bool = False
    """Whether lines that no document cites are shown, too."""
    start: int = field(default=0, name="from")
    """The first line to show, cited or not; 0 for all cited ones."""
    page: int = 1


class ApartReferences(Struct, frozen=True):
    """Citations that have no place beside lines of the file."""

    title: str
    references: tuple[SourceReference, ...]
    more: int
    """How many there are beyond those."""


class SourceRecord(Struct, frozen=True):
    """A file and the citations of it."""

    path: str
    citations: int
    documents: int
    outcomes: dict[str, int]
    message: str
    """Why its text is not shown; empty where it is."""
    total: int
    """How many lines it has."""
    blocks: tuple[SourceBlock, ...]
    apart: tuple[ApartReferences, ...]
    view: str
    """`cited`, `all` or `from`."""
    paging: Paging
    after: int
    """How many lines follow the last shown one."""


def list_sources(context: PageContext, query: SourcesQuery) -> SourcesRecord:
    """The cited files that a reader asks for."""
    if query.outcome and query.outcome not in OUTCOMES:
        raise Refusal(422, f"outcome: choose from {', '.join(OUTCOMES)}")
    if query.order not in _ORDERS:
        raise Refusal(422, f"order: choose from {', '.join(_ORDERS)}")
    every = _count_sources(context.site)
    words = query.q.casefold().split()
    rows = [
        row
        for row in every
        if (not query.outcome or query.outcome in row.outcomes) and all(word in row.path.casefold() for word in words)
    ]
    if query.order == "citations":
        rows.sort(key=lambda row: -row.citations)
    cut, paging = cut_page(rows, query.page)
    shown = [_add_references(context.site, row) if has_dot_segments(row.path) else row for row in cut]
    return SourcesRecord(tuple(shown), paging, query.q, query.outcome, query.order, len(every))


def load_source(context: PageContext, query: SourceQuery) -> SourceRecord:
    """A file with the citations of it."""
    found = context.site.documents.citing.find(query.path)
    references = _describe_references(context.site, found)
    text, message = _read_source(context.site, query.path, bool(found))
    lines = split_lines(text)
    placed = [one for one in references if 0 < one.first <= one.last <= len(lines)] if not message else []
    view = "from" if query.start > 0 else "all" if query.all or not placed else "cited"
    if view == "from":
        start = min(query.start, max(1, len(lines)))
        ranges = [(start, min(len(lines), start + LINES_PER_PAGE - 1))]
    else:
        ranges = merge_ranges(placed, len(lines)) if view == "cited" else [(1, len(lines))]
    shown, paging = cut_ranges(ranges if lines else [], query.page)
    counted = _count_source(query.path, found)
    return SourceRecord(
        path=query.path,
        citations=counted.citations,
        documents=counted.documents,
        outcomes=counted.outcomes,
        message=message,
        total=len(lines),
        blocks=list_blocks(query.path, lines, shown, placed),
        apart=_list_apart(references, placed, message),
        view=view,
        paging=paging,
        after=len(lines) - shown[-1][1] if shown else 0,
    )


def _read_source(site: Site, path: str, is_cited: bool) -> tuple[str, str]:
    """The text of a file, or why it is not shown; raises NotFound and Refusal for what no document cites."""
    message = ""
    with site.open() as project:
        try:
            data = project.root.read(path, _LARGEST)
            git = project.git()
            # A link may lead to a file that git ignores.
            if git is not None and any(git.is_ignored(one) for one in {path, project.root.locate(path)}):
                message = "git ignores this file; its text is not shown"
            elif b"\0" in data or data.startswith(b"%PDF-"):
                message = "this file is not text; its content is not shown"
            else:
                return decode(data), ""
        except Blocked:
            message = "this path leads outside the root, or into git's own files; nothing was read"
            if not is_cited:
                raise Refusal(403, f"{path}: {message}") from None
        except Missing:
            message = "there is no such file any more"
        except Refused as error:
            message = f"the text of this file is not shown: {error}"
    if not is_cited:
        raise NotFound(f"{path}: no document cites it, and {message}")
    return "", message


def _describe_references(site: Site, found: Sequence[CitingReference]) -> list[SourceReference]:
    documents = site.documents
    ids = {
        (name, row.line, row.column, row.raw): row.id
        for name in {one.document for one in found}
        for row in documents.rows(name)
    }
    return [
        SourceReference(
            id=ids.get((one.document, one.line, one.column, one.raw), ""),
            document=one.document,
            line=one.line,
            raw=one.raw,
            first=one.lines.first if one.lines is not None else 0,
            last=one.lines.last if one.lines is not None else 0,
            outcome=one.outcome,
        )
        for one in found
    ]


def _list_apart(
    references: Sequence[SourceReference], placed: Sequence[SourceReference], message: str
) -> tuple[ApartReferences, ...]:
    beside = set(placed)
    rest = [one for one in references if one not in beside]
    groups = [
        ("Lines that the file does not have" if not message else "Lines", [one for one in rest if one.last]),
        ("The whole file, or a name in it", [one for one in rest if not one.last]),
    ]
    return tuple(
        ApartReferences(title, tuple(group[:MOST_REFERENCES]), max(0, len(group) - MOST_REFERENCES))
        for title, group in groups
        if group
    )


def _count_sources(site: Site) -> list[SourceRow]:
    """Every cited file in numbers, counted once for each state of the documents."""
    documents = site.documents
    known = site.kept.get(_LISTED)
    if known is None or known[0] is not documents:
        citing = documents.citing
        rows = [_count_source(path, citing.find(path)) for path in citing.paths()]
        known = site.kept[_LISTED] = documents, rows
    rows = known[1]
    return rows


def _add_references(site: Site, row: SourceRow) -> SourceRow:
    found = site.documents.citing.find(row.path)[:MOST_REFERENCES]
    return replace(row, references=tuple(_describe_references(site, found)))


def _count_source(path: str, found: Sequence[CitingReference]) -> SourceRow:
    outcomes: dict[str, int] = {}
    for one in found:
        outcomes[one.outcome] = outcomes.get(one.outcome, 0) + 1
    return SourceRow(path, len(found), len({one.document for one in found}), outcomes)


PAGES = (
    PageRoute(
        "sources",
        "/sources",
        "Every cited file in numbers",
        SourcesQuery,
        SourcesRecord,
        list_sources,
        "sources.html",
        title="Sources",
        depends=lambda site, query: site.documents.version,
    ),
    PageRoute(
        "source",
        "/s/{path:path}",
        "A file with the lines that documents cite, and who cites them",
        SourceQuery,
        SourceRecord,
        load_source,
        "source.html",
    ),
)

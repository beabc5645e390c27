"""`pincite search`."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...project.project import open_project
from ...safe.escape import escape_text
from ...text.lines import format_count
from .kit import Progress, format_option, paint, pick_fields, print_json, root_option, say, wants_color
from .shell_values import complete_hit_style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...safe.files import Root
    from ...search.index import Index
    from ...search.model import Citation, SearchHit
    from ...search.query import Query
    from ...store.search_index import IndexStore
    from ...write.passage_citations import CitationFormat

_MOST_LINES = 6
"""Lines of a passage that are printed."""
_WIDEST = 200


@click.command("search")
@click.argument("words", metavar="QUERY...", nargs=-1, required=True)
@root_option("Folder whose index to search")
@click.option("--limit", "-n", type=click.IntRange(1, 1000), default=10, metavar="N", help="Hits (default: 10).")
@click.option("--path", metavar="PATTERN", default="", help="Only files below this folder, or matching this pattern.")
@click.option("--heading", metavar="TEXT", default="", help="Only passages below a heading with these words.")
@click.option(
    "--style",
    metavar="STYLE",
    shell_complete=complete_hit_style,
    help="How hits are cited: inline, footnote, markdown, bracket, quote, csl.",
)
@click.option("--by-words", is_flag=True, help="Do not rank by meaning, also where a model is set.")
@click.option(
    "--no-refresh",
    is_flag=True,
    help="Search the index as it is, and make none; hits that changed since are left out.",
)
@format_option("text or json.")
def command(
    words: tuple[str, ...],
    root: str | None,
    limit: int,
    path: str,
    heading: str,
    style: str | None,
    by_words: bool,
    no_refresh: bool,
    format_: str,
) -> None:
    """Find the passages that fit QUERY best, each with its place, its headings and a citation.

    The more of the words a passage has, and the rarer they are, the better it fits. Names are found by their parts:
    `read text` finds `read_text` and `readText`. "Words in quotes" have to stand together, unless they do so nowhere or
    the query is a longer question; `migr*` is any word that begins so. Any text is a query.

    The index is made the first time, and brought up to date later. `pincite cite --hit N` writes the citation of a hit.
    Exit code: 0 found, 1 nothing found, 2 nothing could be searched.
    """
    from ...domains.retrieval.recent_hits import keep_found
    from ...domains.retrieval.service import CitationService
    from ...search.index import Index
    from ...search.query import parse
    from ...write.passage_citations import CitationFormat, name_finder

    project = open_project(root)
    opened, settings = project.root, project.config.retrieval
    store, is_new = _open_index(opened, no_refresh)
    query = " ".join(words)
    with Index(project, store) as index:
        service = CitationService(opened.path)
        wording = CitationFormat(
            style or settings.style,
            settings.absolute,
            settings.lines,
            settings.templates,
            is_unique=name_finder(project, lambda name: index.store.is_unique(name)),
        )
        if is_new:
            _fill(index)
        elif not no_refresh:
            _bring_up_to_date(index)
        below = path.removeprefix(opened.path.rstrip("/") + "/")
        hits = index.search(query, limit, path=below, heading=heading, by_words=by_words)
        citations = service.create_citations(hits)
        if not keep_found(opened, query, citations) and hits:
            click.echo("these hits cannot be cited by their numbers: the cache folder cannot be written", err=True)
        if format_ == "json":
            rows = [_fields(number, *both, wording) for number, both in enumerate(zip(hits, citations, strict=True), 1)]
            found = {"schema": "pincite.search/1", "query": query, "hits": rows}
            print_json({**found, **pick_fields(index, "outdated notes")})
        else:
            for row in _rows(parse(query, index.loosened), hits, citations, wording):
                click.echo(row)
        _leave_note(index)
    if not hits and format_ == "text":
        click.echo("nothing found", err=True)
    sys.exit(0 if hits else 1)


def _open_index(root: Root, no_refresh: bool) -> tuple[IndexStore, bool]:
    """The index of a root, and whether it was made just now: in memory where none can be kept."""
    from ...store.database import StoreTrouble
    from ...store.search_index import IndexStore, has_index

    if has_index(root):
        store = IndexStore.open(root, write=not no_refresh)
        if store is not None:
            return store, False
    if no_refresh:
        raise UsageError("there is no index yet; run `pincite index` first, or leave out --no-refresh")
    try:
        return IndexStore.make(root), True
    except StoreTrouble as error:
        say(f"{error}; the next search begins anew", err=True)
        return IndexStore.in_memory(), True


def _fill(index: Index) -> None:
    """Index everything for the first time, and say so."""
    from os import cpu_count

    jobs = cpu_count() or 1
    with Progress(True, doing="indexing") as progress:
        # One process writes while the others read.
        found = index.refresh((), jobs=jobs + 1 if jobs > 1 else 1, progress=progress.step)
    indexed = f"{format_count(found.documents, 'document')}, {format_count(found.passages, 'passage')}"
    skipped = f", {len(found.skipped):,} skipped: `pincite index` names them" if found.skipped else ""
    say(f"indexed for the first time: {indexed}{skipped}", err=True)


def _bring_up_to_date(index: Index) -> None:
    """Refresh the index; where another process has it or it cannot be written it is searched as it is."""
    from ...store.database import Damaged, StoreTrouble

    try:
        with Progress(True, doing="indexing") as progress:
            index.refresh(progress=progress.step)
    except Damaged:
        raise
    except StoreTrouble as error:
        say(f"searched as it is, not brought up to date: {error}", err=True)


def _leave_note(index: Index) -> None:
    for note in index.notes:
        say(note, err=True)
    if index.outdated:
        named = ", ".join(index.outdated[:3]) + (" …" if len(index.outdated) > 3 else "")
        documents = format_count(len(index.outdated), "document")
        say(f"left out: passages of {documents} that changed since ({named}); run `pincite index`", err=True)


def _rows(
    wanted: Query, hits: Sequence[SearchHit], citations: Sequence[Citation], wording: CitationFormat
) -> Iterator[str]:
    """Hits for people: number and place, the passage, the citation."""
    color = wants_color()
    finder = _finder((*wanted.words, *wanted.prefixes, *wanted.phrases))
    for number, (hit, citation) in enumerate(zip(hits, citations, strict=True), 1):
        place = citation.relative_path or citation.document_path
        if citation.line_number is not None:
            place += f":{citation.line_number}"
        elif citation.page is not None:
            place += f" page {citation.page}"
        above = " › ".join(escape_text(title, 80) for title in hit.chunk.headings)
        lead = f"{number:>2}  {escape_text(place)}"
        yield f"{paint(lead, '1', color)}  {paint(above, '2', color)}".rstrip()
        for line in _excerpt(hit.chunk.content, finder):
            marked = finder.sub(lambda match: paint(match[0], "1;33", color), line) if finder is not None else line
            yield f"    {marked}".rstrip()
        for line in _write_citation(wording, citation).splitlines():
            yield f"    {paint(escape_text(line), '36', color)}"
        yield ""


def _write_citation(wording: CitationFormat, citation: Citation) -> str:
    """The citation, or why there is none in this style."""
    try:
        return wording.write(citation)
    except UsageError as error:
        return str(error)


def _excerpt(text: str, finder: re.Pattern[str] | None) -> Iterator[str]:
    """A few lines of a passage: from its beginning, or from where most of what was looked for stands together."""
    lines = text.expandtabs(4).splitlines()
    first = 0
    if len(lines) > _MOST_LINES and finder is not None:
        found = [len({match.lower() for match in finder.findall(line)}) for line in lines]
        starts = range(len(lines) - _MOST_LINES + 1)
        first = max(starts, key=lambda at: (sum(found[at : at + _MOST_LINES]), -at))
    if first:
        yield f"… {format_count(first, 'line')} above"
    for line in lines[first : first + _MOST_LINES]:
        yield escape_text(line, _WIDEST)
    if len(lines) - first > _MOST_LINES:
        yield f"… {format_count(len(lines) - first - _MOST_LINES, 'more line')}"


def _finder(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """The words of the query, wherever they stand, also inside of others: stems are not known here."""
    known = sorted({word for word in words if len(word) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, known)), re.IGNORECASE) if known else None


def _fields(number: int, hit: SearchHit, citation: Citation, wording: CitationFormat) -> dict[str, object]:
    """A hit for programs."""
    return {
        "number": number,
        "path": citation.relative_path or citation.document_path,
        "line": citation.line_number,
        "last_line": citation.end_line,
        "page": citation.page,
        "title": citation.document_title,
        "headings": hit.chunk.headings,
        "text": hit.chunk.content,
        "score": round(hit.score, 4),
        "citation": _write_citation(wording, citation),
        "id": str(hit.chunk.id),
        "start": hit.chunk.start_offset,
        "end": hit.chunk.end_offset,
        "document_digest": hit.document.digest,
        "indexed_at": hit.document.indexed_at,
    }

"""`pincite search`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...project.project import open_project
from ...safe.escape import escape_text
from .kit import Progress, format_option, paint, pick_fields, print_json, root_option, say, wants_color
from .shell_values import complete_hit_style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.retrieval.passage_search import FoundPassages, PassageSearcher
    from ...search.model import Citation, SearchHit


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
    from os import cpu_count

    from ...domains.retrieval.passage_search import PassageSearcher

    project = open_project(root)
    query, jobs = " ".join(words), cpu_count() or 1
    with PassageSearcher(project, style or "", not no_refresh, lambda line: say(line, err=True)) as searcher:
        if not no_refresh:
            with Progress(True, doing="indexing") as progress:
                # One process writes while the others read.
                searcher.update(progress.step, jobs + 1 if jobs > 1 else 1)
        found = searcher.search(query, limit, path, heading, by_words)
        hits, index = found.hits, searcher.index
        if not found.numbered and hits:
            click.echo("these hits cannot be cited by their numbers: the cache folder cannot be written", err=True)
        if format_ == "json":
            both = zip(hits, found.citations, strict=True)
            rows = [_fields(number, *one, searcher) for number, one in enumerate(both, 1)]
            told = {"schema": "pincite.search/1", "query": query, "hits": rows}
            print_json({**told, **pick_fields(index, "outdated notes")})
        else:
            for row in _rows(found, searcher):
                click.echo(row)
        for note in searcher.list_notes():
            say(note, err=True)
    if not hits and format_ == "text":
        click.echo("nothing found", err=True)
    sys.exit(0 if hits else 1)


def _rows(found: FoundPassages, searcher: PassageSearcher) -> Iterator[str]:
    """Hits for people: number and place, the passage, the citation."""
    from ...domains.retrieval.passage_search import format_hit_place, list_excerpt_lines

    color, finder = wants_color(), found.finder
    for number, (hit, citation) in enumerate(zip(found.hits, found.citations, strict=True), 1):
        above = " › ".join(escape_text(title, 80) for title in hit.chunk.headings)
        lead = f"{number:>2}  {escape_text(format_hit_place(citation))}"
        yield f"{paint(lead, '1', color)}  {paint(above, '2', color)}".rstrip()
        for line in list_excerpt_lines(hit.chunk.content, finder):
            marked = finder.sub(lambda match: paint(match[0], "1;33", color), line) if finder is not None else line
            yield f"    {marked}".rstrip()
        for line in searcher.cite(citation).splitlines():
            yield f"    {paint(escape_text(line), '36', color)}"
        yield ""


def _fields(number: int, hit: SearchHit, citation: Citation, searcher: PassageSearcher) -> dict[str, object]:
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
        "citation": searcher.cite(citation),
        "id": str(hit.chunk.id),
        "start": hit.chunk.start_offset,
        "end": hit.chunk.end_offset,
        "document_digest": hit.document.digest,
        "indexed_at": hit.document.indexed_at,
    }

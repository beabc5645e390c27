"""`pincite corpus` over the papers themselves: list, show, search, check, export, link."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from ...core.errors import UsageError
from ...project.documents import root_key
from ...text.lines import format_count
from .corpus_kit import at_root, in_format, open_corpus
from .kit import complain, print_json, save_text, say
from .shell_values import complete_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...domains.corpus.integrity import CorpusCheck
    from ...domains.corpus.paper_list import PaperDetails, PaperRow

_MOST_NAMED = 20


@click.command("list")
@in_format
@at_root
def list_(format_: str, root: str | None) -> None:
    """List the papers: id, year, title, pages, whether there is a PDF, and how many key quotes are validated.

    Entries of bibliographies follow, by key. Exit code: 0, or 2 where a paper cannot be read.
    """
    from ...domains.corpus.paper_list import entry_rows, rows

    with open_corpus(root) as (_, _, corpus):
        found = [*rows(corpus), *entry_rows(corpus)]
        folder = corpus.folder
    if format_ == "json":
        print_json(found)
    elif not found:
        say(f"There are no papers in {folder}; add one with `pincite corpus add`.")
    else:
        for row in found:
            say(_line(row))
    problems = [f"{row.id}: {row.problem}" for row in found if row.problem]
    for problem in problems:
        complain(problem, "error")
    sys.exit(2 if problems else 0)


def _line(row: PaperRow) -> str:
    pages = (
        f"pp. {row.page_range}" if row.page_range else format_count(row.pages, "page") if row.pages is not None else "-"
    )
    quotes = f"{row.validated}/{row.quotes}" if row.quotes else "-"
    title = row.title or ("cannot be read" if row.problem else "untitled")
    title += " (unsure)" if "title" in row.unsure else ""
    year = f"{row.year}?" if "year" in row.unsure else row.year or "-"
    same = f" (= {row.paper})" if row.paper else ""
    return f"{row.id}  {year:<5} {pages:>12}  {'PDF' if row.pdf else '   '}  quotes {quotes:>5}  {title}{same}"


@click.command("show")
@click.argument("identity", metavar="REF-ID|@KEY")
@click.option("--page", metavar="N", help="Print the text of this page, named as it is printed.")
@in_format
@at_root
def show(identity: str, page: str | None, format_: str, root: str | None) -> None:
    """Show what is known of one paper or entry of a bibliography, or the text of one of its pages.

    Exit code: 0, 1 where there is no such paper or page, 2 where it cannot be read.
    """
    from ...domains.corpus import paper_list

    found: object
    with open_corpus(root) as (_, _, corpus):
        if page is None:
            found = paper = paper_list.show(corpus, identity)
            rows = [*_rows(paper)]
        else:
            found = held = paper_list.show_page(corpus, identity, page)
            rows = held.text.split("\n")
    if format_ == "json":
        print_json(found)
        return
    for row in rows:
        say(row)


def _rows(paper: PaperDetails) -> Iterator[str]:
    yield f"{paper.id}  {paper.title or 'untitled'}" + (" (unsure)" if "title" in paper.unsure else "")
    pages = f"{paper.total_pages}" if paper.total_pages is not None else ""
    held = f"{paper.pdf} ({paper.pdf_trouble or format_count(paper.pdf_pages or 0, 'page')})" if paper.pdf else "none"
    for name, value in (
        ("authors", "; ".join(paper.authors)),
        ("year", paper.year),
        ("doi", paper.doi),
        ("url", paper.url),
        ("pages", pages),
        ("page range", paper.page_range),
        ("relevance", paper.relevance),
        ("file", paper.path),
        ("PDF", held),
        ("is", paper.paper),
    ):
        if value:
            yield f"  {name + ':':<12} {value}" + (" (unsure)" if name in paper.unsure else "")
    if paper.sections:
        yield "  sections:"
        yield from (f"    {one.name}" + (f" ({one.pages})" if one.pages else "") for one in paper.sections)
    if paper.key_quotes:
        yield "  key quotes:"
        for kept in paper.key_quotes:
            where = ", ".join(part for part in (f"p.{kept.page}" if kept.page else "", kept.section) if part)
            by = " ".join(part for part in (kept.validator, kept.validation_date) if part)
            state = f"validated {by}".rstrip() if kept.validated else "not validated"
            yield f'    "{kept.quote}" ({where + "; " if where else ""}{state})'
    yield from (f"  problem: {problem}" for problem in paper.problems)


@click.command("search")
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, metavar="N", help="Passages (default: 10).")
@in_format
@at_root
def search(query: str, limit: int, format_: str, root: str | None) -> None:
    """Search the papers and the entries of bibliographies and print passages, the best first, each with its citation.

    Any words are a query. Exit code: 0 found, 1 nothing found.
    """
    from ...domains.corpus.paper_pieces import join_lines
    from ...domains.corpus.search import PaperLibrary

    with open_corpus(root) as (place, _, corpus), PaperLibrary(corpus, place, entries=True) as library:
        found = [
            replace(one, text=join_lines(one.text), score=round(one.score, 3)) for one in library.search(query, limit)
        ]
        tell_unsearched(library.troubles)
    if format_ == "json":
        print_json(found)
    for one in found if format_ == "text" else ():
        about = "entry of a bibliography" if one.ref.startswith("@") else "title and relevance"
        notes = {"notes": "notes in the corpus file", "about": about, "quote": "key quote"}
        where = ", ".join(part for part in (one.section, notes.get(one.kind, "")) if part)
        say(f"{one.citation}  {one.title}" + (f" ({where})" if where else ""))
        say(f"    {one.text}")
    if not found and format_ == "text":
        say("nothing found")
    sys.exit(0 if found else 1)


def tell_unsearched(troubles: list[str]) -> None:
    """Name the papers that could not be searched."""
    for trouble in troubles[:_MOST_NAMED]:
        say(f"not searched: {trouble}", err=True)
    if len(troubles) > _MOST_NAMED:
        say(f"and {len(troubles) - _MOST_NAMED} more; `pincite corpus check` names all", err=True)


@click.command("check")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@in_format
@at_root
def check(strict: bool, format_: str, root: str | None) -> None:
    """Check the corpus itself: files, ids, pages, sections, PDFs, key quotes, bibliographies.

    Exit code: 0 in order, 1 something is wrong, 2 something cannot be read.
    """
    from ...domains.corpus.integrity import check as examine

    with open_corpus(root) as (place, _, corpus):
        if not corpus.exists and not corpus.bibliographies():
            raise UsageError(f"{corpus.folder}: there is no corpus; begin one with `pincite corpus add`")
        checked = examine(place, corpus)
    code = checked.exit_code(strict)
    if format_ == "json":
        print_json(checked)
    else:
        _print_checked(checked, code)
    sys.exit(code)


def _print_checked(checked: CorpusCheck, code: int) -> None:
    for fault in checked.faults:
        line = f":{fault.line}" if fault.line else ""
        kind = "" if fault.severity == "error" else f"{fault.severity}: "
        say(f"{fault.path}{line}: {kind}{fault.message}")
    papers = f"{format_count(checked.papers, 'paper')}, {format_count(checked.pdfs, 'PDF')}"
    quotes = f"{checked.validated} of {format_count(checked.quotes, 'key quote')} validated"
    numbers = {kind: sum(one.severity == kind for one in checked.faults) for kind in ("error", "warning", "unreadable")}
    found = ", ".join(
        f"{number} {kind}" if kind == "unreadable" else format_count(number, kind)
        for kind, number in numbers.items()
        if number
    )
    say(f"{'✗' if code else '✓'} {checked.folder}: {papers}, {quotes}" + (f"; {found}" if found else "; in order"))


@click.command("export")
@click.argument("names", metavar="[REF-ID|KEY]...", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(["bibtex", "ris", "csl", "csl-json"]),
    default="bibtex",
    show_default=True,
    help="BibTeX, RIS or CSL-JSON (`csl-json` is another name of `csl`).",
)
@click.option("--output", metavar="FILE", help="Write a file instead of printing.")
@at_root
def export(names: tuple[str, ...], form: str, output: str | None, root: str | None) -> None:
    """Write papers as a bibliography: those named by id or key, or all of the corpus and its bibliographies.

    Authors and years that are marked unsure are left out. Exit code: 0, 1 where there is no such paper.
    """
    from ...domains.corpus.export import choose
    from ...papers.export import render

    with open_corpus(root) as (_, _, corpus):
        papers = choose(corpus, names)
    text = render(papers, form.removesuffix("-json"))
    save_text(text, output)
    if output is not None:
        say(f"wrote {format_count(len(papers), 'entry', 'entries')} to {output}")
    for paper in papers:
        left = [name for name in paper.unsure if name != "title"]
        if left:
            say(f"note: {paper.id}: {' and '.join(left)} left out: marked unsure in {paper.path}", err=True)
        if "title" in paper.unsure:
            say(f"note: {paper.id}: its title is marked unsure in {paper.path}", err=True)


@click.command("link")
@click.argument("key", metavar="KEY")
@click.argument("pdf", metavar="PDF", shell_complete=complete_path)
@at_root
def link(key: str, pdf: str, root: str | None) -> None:
    """Link an entry of a bibliography to its PDF, inside the project: its pages and quotes can be checked then.

    Without this, the PDF of an entry is the one that its `file` field names, one that is called after its key or its
    DOI beside the bibliography, in the corpus or in a library, or that of the paper with the same DOI. Exit code: 0, 1
    where there is no such entry.
    """
    from ...domains.corpus.export import link_pdf

    with open_corpus(root) as (place, _, corpus):
        place_of_pdf = root_key(place, pdf)
        changed = link_pdf(place, corpus, key, place_of_pdf)
    say(f"@{key.removeprefix('@')} has {place_of_pdf} now: wrote {changed}")

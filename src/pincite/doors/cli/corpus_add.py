"""`pincite corpus add`, and `aiwg add-research-paper`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...core.errors import PinciteError, UsageError
from ...core.limits import LIMITS
from ...project.documents import root_key
from ...safe.report_output import read_file
from .corpus_kit import at_root, open_corpus
from .kit import join_options, paths_argument, say

if TYPE_CHECKING:
    from typing import Any

    from ...domains.corpus.add import AddedPaper, Adder, Draft
    from ...papers.model import Paper
    from ...safe.files import Root


_paper_options = join_options(
    click.option("--title", metavar="TEXT", default="", help="Title of the paper."),
    click.option("--url", metavar="URL", default="", help="Where it is on the web."),
    click.option("--relevance", metavar="TEXT", default="", help="Why it is in the corpus."),
    click.option(
        "--author",
        "--authors",
        "authors",
        metavar="NAME",
        multiple=True,
        help="An author, or several parted by `;` (repeatable).",
    ),
    click.option("--year", metavar="YEAR", default="", help="Year of publication."),
    click.option("--doi", metavar="DOI", default="", help="Its DOI, bare or as an address."),
)
"""The options that say what paper it is."""


@click.command("add")
@paths_argument("[SOURCE]...", "sources")
@_paper_options
@click.option("--pdf", metavar="FILE", help="Its PDF, where SOURCE is a bibliography of one entry, or none is given.")
@click.option("--id", "identity", metavar="REF-ID", default="", help="Its id (default: the next one).")
@click.option("--no-copy", is_flag=True, help="Leave the PDF where it is, inside the project, and point to it.")
@click.option("--lookup", is_flag=True, help="Ask Crossref, DataCite or arXiv for the records of DOIs and arXiv ids.")
@click.option("--ocr", is_flag=True, help="Recognise the text of pages that have none, with ocrmypdf if installed.")
@click.option("--dry-run", is_flag=True, help="Print the files instead of writing them.")
@at_root
def add(
    sources: tuple[str, ...],
    pdf: str | None,
    identity: str,
    no_copy: bool,
    lookup: bool,
    ocr: bool,
    dry_run: bool,
    root: str | None,
    **described: Any,
) -> None:
    """Add papers from SOURCEs: PDFs, .bib, RIS, CSL-JSON, Crossref, DataCite or arXiv files, each entry a paper; DOIs
    and arXiv ids with --lookup; or from a title.

    Of a PDF its first page, page labels, outline and metadata are read, and it is copied into the corpus; what they do
    not say plainly is marked unsure and asked for. What the corpus has already (the id, the DOI or the PDF) is refused;
    a paper with the same title, authors and year is named in a warning.
    Exit code: 0 all added, 1 something is there already, 2 a source cannot be read.
    """
    from ...domains.corpus.add import Adder
    from ...domains.corpus.given_paper import describe_paper

    given = describe_paper(**described)
    if ocr and no_copy:
        raise UsageError("--ocr makes another PDF, which is copied into the corpus; leave --no-copy out")
    if not sources and not given.title and pdf is None:
        raise UsageError("nothing to add; name a PDF or a bibliography, or give --title")
    with open_corpus(root) as (place, _, corpus):
        drafts: list[Draft] = []
        failed = 0
        for source in sources or ("",):
            try:
                drafts += _drafts(place, source, pdf, given, no_copy, ocr, lookup)
            except PinciteError as error:
                if not source:
                    raise
                say(f"error: {error}", err=True)
                failed = max(failed, error.exit_code)
        one = identity or given.title or given.doi or pdf is not None
        if one and len(drafts) + bool(failed) > 1:
            raise UsageError("--id, --title, --doi and --pdf are for one paper; add the others separately")
        code = _add_all(Adder(place, corpus), drafts, identity, given, dry_run)
    sys.exit(max(code, failed))


@click.command("add-research-paper")
@click.option("--title", metavar="TEXT", required=True, help="Title of the paper.")
@click.option("--url", metavar="URL", required=True, help="Where it is on the web.")
@click.option("--relevance", metavar="TEXT", default="", help="Why it is in the corpus.")
@click.option("--dry-run", is_flag=True, help="Print the file instead of writing it.")
@at_root
def add_research_paper(title: str, url: str, relevance: str, dry_run: bool, root: str | None) -> None:
    """Add a paper by its title and address; a PDF can be put beside its file later."""
    from ...domains.corpus.add import Adder, Draft
    from ...domains.corpus.given_paper import describe_paper

    given = describe_paper(title, url, relevance)
    with open_corpus(root) as (place, _, corpus):
        sys.exit(_add_all(Adder(place, corpus), [Draft(title, given)], "", given, dry_run))


def _drafts(
    root: Root, source: str, pdf: str | None, given: Paper, no_copy: bool, ocr: bool, lookup: bool
) -> list[Draft]:
    """What a source holds, with the PDF that belongs to it."""
    from ...domains.corpus.add import Draft, metadata_drafts, with_pdf

    if not source:
        return [Draft(given.title, given) if pdf is None else _pdf_draft(root, pdf, no_copy, ocr)]
    name, data = _source(source, lookup)
    if name.lower().endswith(".pdf") or data[:5] == b"%PDF-":
        drafts = [_pdf_draft(root, source, no_copy, ocr, data)]
    else:
        drafts = metadata_drafts(name, data)
    if pdf is not None and len(drafts) == 1 and not drafts[0].pdf:
        drafts = [with_pdf(drafts[0], _pdf_draft(root, pdf, no_copy, ocr))]
    return drafts


def _source(source: str, lookup: bool) -> tuple[str, bytes]:
    """The bytes of a source with a name for them: a file, or the record of a DOI or arXiv id."""
    from ...domains.corpus.lookup import describe_remedy, fetch_record, parse_identifier

    data = read_file(source, LIMITS.pdf_bytes)
    if data is not None:
        return source, data
    kind, name = parse_identifier(source)
    if not kind:
        raise UsageError(f"{source}: no such file")
    if not lookup:
        raise UsageError(describe_remedy(kind, name))
    return fetch_record(kind, name)


def _pdf_draft(root: Root, path: str, no_copy: bool, ocr: bool, data: bytes | None = None) -> Draft:
    from ...domains.corpus.add import pdf_draft

    data = data or read_file(path, LIMITS.pdf_bytes)
    if data is None:
        raise UsageError(f"{path}: no such file")
    link = root_key(root, path) if no_copy else ""
    if no_copy and not root.is_file(link):
        raise UsageError(f"{path}: lies outside the project; without --no-copy it is copied into the corpus")
    try:
        return pdf_draft(path, data, link=link, ocr=ocr)
    except PinciteError as error:
        raise UsageError(f"{path}: {error}") from None


def _add_all(adder: Adder, drafts: list[Draft], identity: str, given: Paper, dry_run: bool) -> int:
    """Add each draft with what the command line says about it; gives the exit code."""
    from ...domains.corpus.add import Duplicate
    from ...domains.corpus.given_paper import apply_given

    refused = done = 0
    for draft in drafts:
        try:
            added = adder.add(apply_given(draft, given), identity, not dry_run)
        except Duplicate as error:
            refused += 1
            say(f"not added: {error}", err=True)
            continue
        done += 1
        _print_added(added, dry_run)
    if len(drafts) > 1:
        say(f"{done} of {len(drafts)} papers {'would be added' if dry_run else 'added'}.", err=dry_run)
    return int(refused > 0)


def _print_added(added: AddedPaper, dry_run: bool) -> None:
    from ...domains.corpus.given_paper import show_example_citation

    paper = added.paper
    if dry_run and not added.text:
        say(f"{paper.id}: would replace {added.files[0]}")
    elif dry_run:
        for row in (f"# {added.files[0]}", *added.text.split("\n")):
            say(row)
    else:
        say(f"{paper.id}  {paper.title}")
        for key in added.files:
            say(f"  wrote {key}")
        with_page = " (with the page you mean)" if paper.total_pages or paper.page_range else ""
        say(f"  cite as {show_example_citation(paper)}{with_page}")
    for warning in added.warnings:
        say(f"  warning: {warning}", err=dry_run)
    for remark in added.remarks:
        say(f"  note: {remark}", err=dry_run)

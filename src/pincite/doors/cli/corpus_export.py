"""`pincite corpus export`, and `link`."""

from __future__ import annotations

import click

from ...project.documents import root_key
from ...text.lines import format_count
from .corpus_kit import at_root, open_corpus
from .kit import say, write_text
from .shell_values import complete_path


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
    write_text(text, output)
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

    Without this, the PDF of an entry is the one that its `file` field names, one that is called KEY.pdf beside the
    bibliography or in the corpus, or that of the paper with the same DOI. Exit code: 0, 1 where there is no such entry.
    """
    from ...domains.corpus.export import link_pdf

    with open_corpus(root) as (place, _, corpus):
        place_of_pdf = root_key(place, pdf)
        changed = link_pdf(place, corpus, key, place_of_pdf)
    say(f"@{key.removeprefix('@')} has {place_of_pdf} now: wrote {changed}")

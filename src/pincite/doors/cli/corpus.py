"""`pincite corpus`: papers that may be cited, and the documents that cite them."""

from __future__ import annotations

import click

from .lazy_group import LazyCommand, LazyGroup

SECTIONS = {
    "Papers": {
        "add": LazyCommand("corpus_add:add", "Add papers from PDFs, bibliographies or a title."),
        "list": LazyCommand("corpus_papers:list_", "List the papers."),
        "show": LazyCommand("corpus_papers:show", "Show what is known of one paper, or a page of it."),
        "search": LazyCommand("corpus_papers:search", "Search the papers and print citations."),
        "cite": LazyCommand("corpus_cite:cite", "Find the passage that supports a claim, and cite it."),
        "check": LazyCommand("corpus_papers:check", "Check the corpus itself."),
        "export": LazyCommand("corpus_papers:export", "Write papers as BibTeX, RIS or CSL-JSON."),
        "link": LazyCommand("corpus_papers:link", "Link an entry of a bibliography to its PDF."),
    },
    "Documents that cite them": {
        "validate": LazyCommand("corpus_validate:validate", "Validate all citations in a file."),
        "absent": LazyCommand("corpus_validate:absent", "List citations that are not in the corpus."),
        "pages": LazyCommand("corpus_audit:pages", "Validate the pages, sections and quotes of one paper."),
        "audit": LazyCommand("corpus_audit:audit", "Audit every citation, page and quote."),
        "staged": LazyCommand("corpus_staged:staged", "Validate the citations that the next commit adds."),
    },
}
_SHOWN = SECTIONS["Documents that cite them"]
SPECIFIED = {
    "validate-citations": _SHOWN["validate"],
    "corpus-check": _SHOWN["absent"],
    "page-validate": _SHOWN["pages"],
    "citation-audit": _SHOWN["audit"],
    "add-research-paper": LazyCommand("corpus_add:add_research_paper", "Add a paper by title and address."),
}
"""The names of the specification: `aiwg` lists them, and here they are accepted as aliases."""


@click.group("corpus", cls=LazyGroup, sections=SECTIONS, aliases=SPECIFIED)
def command() -> None:
    """Only cite what is in the corpus, on the page where it stands."""

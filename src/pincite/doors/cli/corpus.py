"""`pincite corpus`: papers that may be cited, and the documents that cite them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

# Each command by name: the module it lives in, and what it does in one line.
COMMANDS = {
    "add": ("corpus_add", "Add papers from PDFs, bibliographies or a title."),
    "list": ("corpus_papers", "List the papers."),
    "show": ("corpus_papers", "Show what is known of one paper, or a page of it."),
    "search": ("corpus_papers", "Search the papers and print citations."),
    "export": ("corpus_export", "Write papers as BibTeX, RIS or CSL-JSON."),
    "link": ("corpus_export", "Link an entry of a bibliography to its PDF."),
    "check": ("corpus_papers", "Check the corpus itself."),
    "cite": ("corpus_cite", "Find the passage that supports a claim, and cite it with a receipt."),
    "validate-citations": ("corpus_validate", "Validate all citations in a file."),
    "corpus-check": ("corpus_validate", "List citations that are not in the corpus."),
    "page-validate": ("corpus_audit", "Validate the pages, sections and quotes of one paper."),
    "citation-audit": ("corpus_audit", "Audit every citation, page and quote."),
    "add-research-paper": ("corpus_add", "Add a paper by title and address."),
    "staged": ("corpus_staged", "Validate the citations that the next commit adds."),
}


class CorpusCommands(click.Group):
    """Commands by name, each imported when it is called."""

    names: tuple[str, ...] = tuple(COMMANDS)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.names:
            return None
        module = import_module(f".{COMMANDS[cmd_name][0]}", __package__)
        found: click.Command = getattr(module, cmd_name.replace("-", "_"), None) or getattr(module, f"{cmd_name}_")
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in self.names])


def only(names: Iterable[str]) -> type[CorpusCommands]:
    """The group with just these commands."""
    return type("Some", (CorpusCommands,), {"names": tuple(names)})


@click.group("corpus", cls=CorpusCommands)
def command() -> None:
    """Only cite what is in the corpus, on the page where it stands."""

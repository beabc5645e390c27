"""The `aiwg` command: the commands over citations and the corpus under the names of their specification."""

from __future__ import annotations

import click

from ..._version import __version__
from .corpus import SPECIFIED
from .lazy_group import HELP, LazyGroup
from .main import run


@click.group(cls=LazyGroup, sections={"Commands": SPECIFIED}, context_settings=HELP)
@click.version_option(__version__, "-V", "--version", prog_name="pincite")
def command() -> None:
    """Only cite what is in the corpus, on the page where it stands. `pincite corpus` has the same commands."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input ends in a message and an exit code, never in a traceback."""
    run(command, "aiwg", arguments)

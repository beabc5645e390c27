"""What the commands over papers share: where the corpus is, and how they print."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ...core.errors import UsageError
from ...project.project import open_project
from ...safe.escape import escape_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...project.config import Config
    from ...safe.files import Root
    from ...sources import Corpus


def at_root(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says which project is meant."""
    return click.option("--root", metavar="DIR", help="Folder of the project (default: the repository).")(command)


def in_format(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that says how to print."""
    return click.option(
        "--format", "format_", type=click.Choice(("text", "json")), default="text", help="How to print (default: text)."
    )(command)


@contextmanager
def open_corpus(root: str | None) -> Iterator[tuple[Root, Config, Corpus]]:
    """The project's folder, its settings and its corpus, whether or not that has papers yet."""
    from ...sources import World

    project = open_project(root)
    place, config = project.root, project.config
    with place:
        world = World(place, lambda: None, corpus=config.corpus)
        corpus = world.any_corpus()
        if not corpus.folder:
            raise UsageError("the corpus has no folder; name one under [corpus] in the settings")
        if corpus.closed:
            raise UsageError(corpus.closed)
        try:
            yield place, config, corpus
        finally:
            world.close()


def say(line: str = "", err: bool = False) -> None:
    """Print one line with nothing invisible in it."""
    click.echo(escape_text(line), err=err)

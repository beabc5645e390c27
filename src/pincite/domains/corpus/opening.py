"""Opens the corpus of a project, whether or not it has papers yet."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...sources import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...project.project import Project
    from ...sources import Corpus


@contextmanager
def open_corpus_of(project: Project) -> Iterator[Corpus]:
    """The corpus of a project; raises UsageError where it has no folder, or one that cannot be read."""
    world = World(project.root, lambda: None, corpus=project.config.corpus)
    try:
        corpus = world.any_corpus()
        if not corpus.folder:
            raise UsageError("the corpus has no folder; name one under [corpus] in the settings")
        if corpus.closed:
            raise UsageError(corpus.closed)
        yield corpus
    finally:
        world.close()

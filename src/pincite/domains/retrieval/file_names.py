"""Whether a file's name is enough to cite it by: `pincite check` looks for it in the whole tree, not in the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...project.project import Project


def name_finder(project: Project, indexed: Callable[[str], bool]) -> Callable[[str], bool]:
    """Who tells whether one file alone has a name: the index, and where settings keep files out of it, the tree too."""
    found: Callable[[str], list[str]] | None = None
    config = project.config

    def ask(name: str) -> bool:
        nonlocal found
        if not indexed(name):
            return False
        if not (config.exclude or config.retrieval.exclude):
            return True
        if found is None:
            from ...sources import World
            from ...sources._tree import FileNames

            found = FileNames(World(project.root, project.git)).named
        return len(found(name)) < 2

    return ask

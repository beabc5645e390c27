"""The one place that opens a project: its root, the settings that apply there, and its git."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.files import Root
from .config import Config, add_user_library, find_root, load_config

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Self

    from ..safe.git import Git


class Project:
    """A root, its settings and its git; use it as a context, or keep it for as long as the process runs."""

    def __init__(self, root: Root, config: Config) -> None:
        self.root = root
        self.config = config
        self._git: list[Git | None] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def git(self) -> Git | None:
        """The repository's git, looked for once; None outside a repository."""
        if not self._git:
            from ..safe.git import Git

            self._git.append(Git.find(self.root.path))
        return self._git[0]

    def close_git(self) -> None:
        """End the git processes that were kept open; asking for more starts them again."""
        if self._git and self._git[0] is not None:
            self._git[0].close()

    def close(self) -> None:
        """End git, and close the folders held open."""
        self.close_git()
        self.root.close()


def open_project(
    root: str | PathLike[str] | None = None,
    paths: Iterable[str] = (),
    *,
    start: str = ".",
    config: Config | None = None,
    option: str = "--root",
) -> Project:
    """The project at `root`, or else the one around the folder `start`: the same from every folder inside it.

    `config` replaces the settings that are written there. `option` is what the user typed the root with: a link of the
    tree that leads elsewhere is refused then; for a root that comes from code it is empty. No path in `paths` moves the
    root.
    Raises UsageError for a root that is no folder, and for a path that leads out of the root.
    """
    if root is not None and option:
        from ..safe.user_paths import refuse_way_out

        refuse_way_out(str(root), remedy=f"pass the folder itself with {option}")
    if root is not None and not os.path.isdir(root):
        raise UsageError(f"{root}: no such folder; pass an existing one {f'with {option}' if option else 'as root'}")
    opened = Root(find_root(start) if root is None else str(root))
    try:
        for path in paths:
            if path != "-":
                from .documents import root_key

                root_key(opened, path)
        return Project(opened, add_user_library(load_config(opened.path)[0]) if config is None else config)
    except BaseException:
        opened.close()
        raise

"""Where the repository defines a name: git looks for it in all tracked files, the shape of a line tells the rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..core.model import Lines, Place
from ..safe.child import ChildFailed
from ..safe.files import Root
from ..search.claims.definitions import STRONG, defines
from ..search.claims.terms import places
from ..store import KEY

if TYPE_CHECKING:
    from . import World

_MOST_ASKED = 100
"""Names that are looked for in one run: each is a pass over all files."""
_LONGEST_LINE = 1000


class DefinitionSearch:
    """Looks for names, each once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[str, tuple[Place, ...]] = {}

    def find(self, name: str) -> tuple[Place, ...]:
        """The lines that plainly define a name, none where the repository cannot be asked."""
        self._world.touched[KEY] = None
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._search(name) if len(self._known) < _MOST_ASKED else ()
        return known

    def _search(self, name: str) -> tuple[Place, ...]:
        git = self._world.git()
        if git is None or type(self._world.root) is not Root:
            # A commit is not what lies in the work tree.
            return ()
        flags = ("-I", "-z", "-n", "-w", "-F", "--no-color", "--no-recurse-submodules", "-e", name)
        try:
            found = git.run("grep", *flags, "--", *git.below(("",)), codes=(0, 1))
        except ChildFailed:
            return ()
        rows = (row.split(b"\0", 2) for row in found.split(b"\n") if row.count(b"\0") >= 2)
        defined = []
        for path, number, line in rows:
            key, text = git.inside(path), os.fsdecode(line[:_LONGEST_LINE])
            at = next(iter(places(text, name, 1)), -1)
            if key is not None and number.isdigit() and at >= 0 and defines(text, at, at + len(name)) >= STRONG:
                defined.append(Place(key, Lines(int(number), int(number))))
        return tuple(defined)

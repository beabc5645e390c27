"""Scripts of npm and its relatives, in `package.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import DefinedNames
from ._json import load_table

if TYPE_CHECKING:
    from . import Load

FILES = ("package.json",)


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every script, and what npm runs without one."""
    table = load_table(text)
    scripts = table.get("scripts", {})
    names = {str(name): None for name in scripts} if isinstance(scripts, dict) else {}
    folder = key.rpartition("/")[0]
    if load(f"{folder}/server.js" if folder else "server.js") is not None:
        names["start"] = None
    if "stop" in names or "start" in names:
        names["restart"] = None
    owner = table.get("name")
    return DefinedNames(names, owner=owner if isinstance(owner, str) else "")

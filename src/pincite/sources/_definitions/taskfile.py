"""Tasks of task (Taskfile.yml): names, aliases; what is included has its namespace before it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import DefinedNames, read_indented_keys

if TYPE_CHECKING:
    from . import Load

FILES = tuple(
    f"{name}{dist}.{ending}"
    for name in ("Taskfile", "taskfile")
    for dist in ("", ".dist")
    for ending in ("yml", "yaml")
)
_ALIASES = re.compile(r"^aliases:[ \t]*(?:\[([^\]\n]*)\])?", re.MULTILINE)


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every task that can be run by its name."""
    names: dict[str, None] = {}
    patterns: list[str] = []
    unknown = "" if "tasks:" in text else "its tasks are not a plain mapping"
    for name, below in read_indented_keys(text, "tasks"):
        if "*" in name:
            patterns.append(name.replace("*", "%"))
        names[name] = None
        aliases = _ALIASES.search(below)
        if aliases is not None:
            if aliases[1] is None:
                unknown = "some aliases are not read"
            names.update((alias.strip(" \"'"), None) for alias in (aliases[1] or "").split(","))
    for name, below in read_indented_keys(text, "includes"):
        patterns.append(f"{name}:%")
        names[name] = None
        if "flatten" in below or "aliases" in below:
            unknown = "it includes tasks under names of their own"
    return DefinedNames(names, tuple(patterns), unknown)

"""Tasks of deno, in `deno.json`; `deno task` also runs the scripts of a `package.json` beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import DefinedNames
from ._json import load_table

if TYPE_CHECKING:
    from . import Load

FILES = ("deno.json", "deno.jsonc")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every task."""
    names = {str(name): None for name in load_table(text).get("tasks", {})}
    beside = load(f"{key.rpartition('/')[0]}/package.json".lstrip("/"))
    if beside is not None:
        names.update((str(name), None) for name in load_table(beside).get("scripts", {}))
    return DefinedNames(names)

"""Scripts of composer, in `composer.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import DefinedNames
from ._json import load_table

if TYPE_CHECKING:
    from . import Load

FILES = ("composer.json",)


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every script and its aliases."""
    table = load_table(text)
    names: dict[str, None] = {}
    for part in ("scripts", "scripts-aliases"):
        scripts = table.get(part, {})
        if isinstance(scripts, dict):
            names.update((str(name), None) for name in scripts)
            if part == "scripts-aliases":
                lists = [some for some in scripts.values() if isinstance(some, list)]
                names.update((str(name), None) for some in lists for name in some)
    return DefinedNames(names)

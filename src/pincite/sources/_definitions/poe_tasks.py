"""Tasks of poe, in `pyproject.toml` or `poe_tasks.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...safe.toml import load_toml
from . import DefinedNames
from .pyproject import look_up

if TYPE_CHECKING:
    from . import Load

FILES = ("poe_tasks.toml", "pyproject.toml")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every task."""
    table = load_toml(text)
    poe = look_up(table, "tool", "poe") or (table if key.endswith("poe_tasks.toml") else {})
    tasks = look_up(poe, "tasks")
    names = {str(name): None for name in tasks} if isinstance(tasks, dict) else {}
    unknown = "its tasks stand elsewhere" if look_up(poe, "include") else ""
    return DefinedNames(names, (), unknown, absent=not names and not unknown)

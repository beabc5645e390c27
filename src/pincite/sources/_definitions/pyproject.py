"""Scripts that a Python project defines, in `pyproject.toml`. Others are installed beside them, and cannot be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...safe.toml import load_toml
from . import DefinedNames

if TYPE_CHECKING:
    from . import Load

FILES = ("pyproject.toml",)
_TABLES = (
    ("project", "scripts"),
    ("project", "gui-scripts"),
    ("tool", "poetry", "scripts"),
    ("tool", "pdm", "scripts"),
    ("tool", "rye", "scripts"),
    ("tool", "uv", "scripts"),
)


def look_up(table: object, *names: str) -> Any:
    """What stands below some names of nested tables; None where there is nothing."""
    for name in names:
        table = table.get(name) if isinstance(table, dict) else None
    return table


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every script of the project, and what the project is called."""
    table = load_toml(text)
    names: dict[str, None] = {}
    for place in _TABLES:
        scripts = look_up(table, *place)
        if isinstance(scripts, dict):
            names.update((str(name), None) for name in scripts)
    owner = look_up(table, "project", "name") or look_up(table, "tool", "poetry", "name")
    unknown = (
        "its scripts are made when it is built" if "scripts" in (look_up(table, "project", "dynamic") or ()) else ""
    )
    folder = key.rpartition("/")[0]
    if any(load(f"{folder}/{name}".lstrip("/")) is not None for name in ("setup.py", "setup.cfg")):
        unknown = "a setup.py or setup.cfg may define more"
    return DefinedNames(names, (), unknown, owner if isinstance(owner, str) else "")

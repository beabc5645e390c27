"""Environments of hatch, in `pyproject.toml` or `hatch.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...safe.toml import load_toml
from . import DefinedNames
from .pyproject import look_up

if TYPE_CHECKING:
    from . import Load

FILES = ("hatch.toml", "pyproject.toml")
_OWN = ("hatch-test", "hatch-static-analysis", "hatch-build", "hatch-uv", "default", "system")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every environment; those of a matrix have its values behind them."""
    table = load_toml(text)
    envs = look_up(table, "tool", "hatch", "envs") if key.endswith("pyproject.toml") else look_up(table, "envs")
    if not isinstance(envs, dict):
        return DefinedNames({}, absent=True)
    names = {str(name): None for name in (*envs, *_OWN)}
    return DefinedNames(names, tuple(f"{name}.%" for name in names) + ("%py%",))

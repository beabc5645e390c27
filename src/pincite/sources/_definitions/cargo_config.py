"""Aliases of cargo, in `.cargo/config.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...safe.toml import load_toml
from . import DefinedNames
from .pyproject import look_up

if TYPE_CHECKING:
    from . import Load

FILES = (".cargo/config.toml", ".cargo/config")


def read(key: str, text: str, load: Load) -> DefinedNames:
    """Every alias."""
    aliases = look_up(load_toml(text), "alias")
    return DefinedNames({str(name): None for name in aliases} if isinstance(aliases, dict) else {})

"""Symbols of a file, by name. Only the file is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Obstacle

if TYPE_CHECKING:
    from ..model import Citation
    from . import World


def find(citation: Citation, world: World) -> Obstacle:
    """The reason the file cannot be had, else that the symbol was not looked up."""
    path = citation.source.key.partition("::")[0]
    return world.exists(path) or Obstacle("symbol-unchecked")

"""Files below the root, by path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..evidence import Evidence
from ..model import Obstacle, SourceRef

if TYPE_CHECKING:
    from ..model import Citation
    from . import World


def find(citation: Citation, world: World) -> Evidence | Obstacle | None:
    """The file; where neither lines nor words are cited, only that it exists."""
    if citation.lines is None and citation.quote is None:
        return world.exists(citation.source.key) or Evidence(SourceRef("file", citation.source.key), b"", [])
    return world.file(citation.source.key)

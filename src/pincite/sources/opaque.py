"""References that name nothing that can be looked up."""

from ..core.model import Citation, Obstacle
from ..text.document import Document
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Obstacle:
    """Always an obstacle: there is nothing to find."""
    return Obstacle("opaque-reference")

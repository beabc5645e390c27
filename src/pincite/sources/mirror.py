"""Files of other repositories, read from their mirrors in the folder that `PINCITE_MIRRORS` names."""

from ..core.model import Citation, Obstacle
from ..text.document import Document
from ..text.evidence import Evidence
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file in the mirror; None where there is no mirror."""
    return world.others.find(citation) if world.others is not None else None

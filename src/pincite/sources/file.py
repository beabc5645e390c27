"""Files below the root, by path."""

from ..core.model import Citation, Obstacle, SourceRef
from ..text.document import Document
from ..text.evidence import Evidence
from . import World


def find(citation: Citation, world: World, document: Document | None) -> Evidence | Obstacle | None:
    """The file; where no lines are cited, only that it exists."""
    key = citation.source.key
    if citation.lines is not None:
        return world.file(key)
    obstacle = world.exists(key)
    if obstacle is not None:
        return obstacle
    # Where no line is cited the file need only exist; words are looked for in it if it can be read.
    found = world.file(key) if citation.quote is not None else None
    return found if isinstance(found, Evidence) else Evidence(SourceRef("file", key), b"", [])

"""What search finds, cited to the line: hits, citations, and what became of them.

from pincite.domains.retrieval import CitationService, CitationStyle, SearchHit
service = CitationService(root=".")
citation = service.create_citation(SearchHit.of("docs/guide.md", 120, 360))
print(service.format_citation(citation, CitationStyle.FOOTNOTE))
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...search.index import Index as Index
    from ...search.line_offsets import LineIndex as LineIndex
    from ...search.model import Chunk as Chunk
    from ...search.model import Citation as Citation
    from ...search.model import CitationCreated as CitationCreated
    from ...search.model import CitationMissing as CitationMissing
    from ...search.model import CitationStale as CitationStale
    from ...search.model import CitationStyle as CitationStyle
    from ...search.model import Event as Event
    from ...search.model import SearchHit as SearchHit
    from ...search.model import SourceDocument as SourceDocument
    from ...search.model import Status as Status
    from ...search.model import Validation as Validation
    from ...search.model import chunk_identity as chunk_identity
    from ...search.refresh import RefreshResult as RefreshResult
    from ...write.passage_citations import csl as csl
    from ...write.passage_citations import quote as quote
    from ...write.passage_citations import render as render
    from .foreign_offsets import Offsets as Offsets
    from .service import CitationService as CitationService

_HOMES = {
    "CitationService": "pincite.domains.retrieval.service",
    "Index": "pincite.search.index",
    "LineIndex": "pincite.search.line_offsets",
    "Offsets": "pincite.domains.retrieval.foreign_offsets",
    "RefreshResult": "pincite.search.refresh",
    **dict.fromkeys(("csl", "quote", "render"), "pincite.write.passage_citations"),
    **dict.fromkeys(
        (
            *("Chunk", "Citation", "CitationCreated", "CitationMissing", "CitationStale", "CitationStyle", "Event"),
            *("SearchHit", "SourceDocument", "Status", "Validation", "chunk_identity"),
        ),
        "pincite.search.model",
    ),
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pincite.retrieval' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)

"""What search finds, cited to the line: hits, citations, and what became of them.

from pincite.domains.retrieval import CitationService, CitationStyle, SearchHit
service = CitationService(root=".")
citation = service.create_citation(SearchHit.of("docs/guide.md", 120, 360))
print(service.format_citation(citation, CitationStyle.FOOTNOTE))
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...search.index import Index
    from ...search.line_offsets import LineIndex
    from ...search.model import (
        Chunk,
        Citation,
        CitationCreated,
        CitationMissing,
        CitationStale,
        CitationStyle,
        Event,
        SearchHit,
        SourceDocument,
        Status,
        Validation,
        chunk_identity,
    )
    from ...search.refresh import Refreshed
    from ...write.passage_citations import csl, quote, render
    from .foreign_offsets import Offsets
    from .service import CitationService

_HOMES = {
    "CitationService": "pincite.domains.retrieval.service",
    "Index": "pincite.search.index",
    "LineIndex": "pincite.search.line_offsets",
    "Offsets": "pincite.domains.retrieval.foreign_offsets",
    "Refreshed": "pincite.search.refresh",
    **dict.fromkeys(("csl", "quote", "render"), "pincite.write.passage_citations"),
    **dict.fromkeys(
        (
            *("Chunk", "Citation", "CitationCreated", "CitationMissing", "CitationStale", "CitationStyle", "Event"),
            *("SearchHit", "SourceDocument", "Status", "Validation", "chunk_identity"),
        ),
        "pincite.search.model",
    ),
}

__all__ = [
    "Chunk",
    "Citation",
    "CitationCreated",
    "CitationMissing",
    "CitationService",
    "CitationStale",
    "CitationStyle",
    "Event",
    "Index",
    "LineIndex",
    "Offsets",
    "Refreshed",
    "SearchHit",
    "SourceDocument",
    "Status",
    "Validation",
    "chunk_identity",
    "csl",
    "quote",
    "render",
]


def __getattr__(name: str) -> object:
    """Import what is asked for when it is asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'pincite.retrieval' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)

"""Who cites this: a source file with the lines that documents rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ....engine.citing_index import CitingReference
from ..routes import NotFound, PageRoute

if TYPE_CHECKING:
    from ..routes import PageContext


class SourceQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which file."""

    path: str


class SourceRecord(Struct, frozen=True):
    """A file and the citations of it."""

    path: str
    references: tuple[CitingReference, ...]


def load_source(context: PageContext, query: SourceQuery) -> SourceRecord:
    """Who cites a file."""
    references = context.site.documents.citing.find(query.path)
    if not references:
        raise NotFound(f"{query.path}: no document cites it")
    return SourceRecord(query.path, tuple(references))


PAGES = (
    PageRoute(
        "source",
        "/s/{path:path}",
        "Who cites a file",
        SourceQuery,
        SourceRecord,
        load_source,
        "source.html",
        depends=lambda site: site.documents.version,
    ),
)

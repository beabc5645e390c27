"""LangChain: documents become hits, citations become content-block citations. LangChain itself is not needed.

Hits are made of documents, or of pairs of document and score. Offsets come from `start_index`, which splitters write
with `add_start_index=True`.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import fields
from .pieces import ForeignPiece, Framework, get_citation, place_of, url_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....search.model import Citation

_KEYS = ("source", "file_path", "path", "filename", "file_name", "url", "uri")


def looks_like(thing: object) -> bool:
    """Whether this has the shape of a LangChain document, alone or with its score."""
    if isinstance(thing, tuple | list) and len(thing) == 2:
        thing = thing[0]
    return fields.has(_unwrap_document(thing), "page_content")


def read_piece(document: object, where: str, headings: tuple[str, ...] = ()) -> ForeignPiece:
    """What a document, or a pair of document and score, says about itself."""
    given: object = None
    if isinstance(document, tuple | list):
        if len(document) != 2:
            raise TypeError(
                f"{where}: {fields.describe(document)} of {len(document)}, expected a document and its score"
            )
        document, given = document
    document = _unwrap_document(document)
    metadata = fields.get_metadata(document, "metadata", where)
    found = fields.find_headings(metadata, headings)
    zero_based = fields.find_page(metadata.get("page"), 0)
    return ForeignPiece(
        fields.get_text(document, "page_content", where),
        metadata,
        _KEYS,
        fields.find_identity(fields.field(document, "id"), where),
        fields.get_score(metadata.get("relevance_score") if given is None else given, where),
        fields.find_whole(metadata.get("start_index"), "start_index", where),
        headings=found,
        page=zero_based if zero_based is not None else fields.find_page(metadata.get("page_number"), 1),
        relative=bool(found),
    )


hits = Framework("documents", read_piece).hits


def citation(
    citation: Citation, *, answer_span: tuple[int, int] | None = None, url: str | None = None
) -> dict[str, object]:
    """A citation of a content block, as a dict: `{"type": "citation", "url": …, "cited_text": …, …}`.

    `answer_span` is what it supports, as offsets in the text of the block; `url` replaces the document's own address.
    Where the passage stands is in `extras`.
    """
    get_citation(citation)
    block: dict[str, object] = {
        "type": "citation",
        "url": url_of(citation) if url is None else url,
        "title": citation.document_title,
    }
    if answer_span is not None:
        start, end = answer_span
        if not 0 <= start <= end:
            raise ValueError(f"answer_span {answer_span!r}: offsets of the answer ascend from 0")
        block["start_index"], block["end_index"] = start, end
    if citation.text:
        block["cited_text"] = citation.text
    extras: dict[str, object] = {"chunk_id": str(citation.chunk_id), "path": citation.document_path}
    if citation.heading:
        extras["heading"] = citation.heading
    block["extras"] = extras | place_of(citation)
    return block


def _unwrap_document(document: object) -> object:
    """The document itself, where it was serialised with its class around it."""
    if isinstance(document, Mapping) and "lc" in document and isinstance(document.get("kwargs"), Mapping):
        kwargs: object = document["kwargs"]
        return kwargs
    return document

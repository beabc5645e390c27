"""LlamaIndex: nodes become hits, citations become citation blocks. LlamaIndex itself is not needed.

Hits are made of nodes, with or without score. Offsets come from `start_char_idx` and `end_char_idx`, headings from
`header_path` unless others are named.
"""

from __future__ import annotations

from . import fields
from .pieces import ForeignPiece, Framework, get_citation, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....search.model import Citation

# Some readers keep the page in `source`, and a name that is no path in `file_name`.
_KEYS = ("file_path", "path", "file_name", "filename", "source", "url", "uri")


def looks_like(thing: object) -> bool:
    """Whether this has the shape of a node, alone or with its score."""
    node = fields.field(thing, "node")
    return fields.has(thing if node is None else node, "id_")


def read_piece(node: object, where: str, headings: tuple[str, ...] = ()) -> ForeignPiece:
    """What a node, or a node with its score, says about itself."""
    inner = fields.field(node, "node")
    score = fields.get_score(None if inner is None else fields.field(node, "score"), where)
    if inner is not None:
        node = inner
    # Documents and other nodes keep their text one step further in.
    resource = fields.field(node, "text_resource")
    content = fields.get_text(node if resource is None else resource, "text", where)
    metadata = fields.get_metadata(node, "metadata", where)
    found = fields.find_headings(metadata, headings)
    path = metadata.get("header_path")
    chained = isinstance(path, str) and not headings
    if chained and not found:
        found = _header_path(str(path), content)
    label = fields.find_page(metadata.get("page_label"), 1)
    return ForeignPiece(
        content,
        metadata,
        _KEYS,
        fields.find_identity(fields.field(node, "id_"), where),
        score,
        fields.find_whole(fields.field(node, "start_char_idx"), "start_char_idx", where),
        fields.find_whole(fields.field(node, "end_char_idx"), "end_char_idx", where),
        headings=found,
        page=label if label is not None else fields.find_page(metadata.get("page_number"), 1),
        relative=bool(found) or chained,
    )


hits = Framework("nodes", read_piece).hits


def block(citation: Citation) -> dict[str, object]:
    """What a `CitationBlock` is made of: `CitationBlock(**block(citation))`."""
    get_citation(citation)
    return {
        "block_type": "citation",
        "cited_content": {"block_type": "text", "text": citation.text},
        "source": citation.document_path,
        "title": citation.document_title,
        "additional_location_info": place_of(citation),
    }


def _header_path(path: str, content: str) -> tuple[str, ...]:
    """The headings in `/Outer/Inner/`, and the one that the text itself begins with, which the path leaves out."""
    separator = path[:1]
    above = tuple(part.strip() for part in path.split(separator) if part.strip()) if separator else ()
    line = content.partition("\n")[0]
    title = line.lstrip("#")
    if title != line and title[:1].isspace() and title.strip():
        return (*above, " ".join(title.split()))
    return above

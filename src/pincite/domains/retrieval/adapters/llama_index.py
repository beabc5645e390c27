"""LlamaIndex: nodes become hits, citations become citation blocks. LlamaIndex itself is not needed."""

from __future__ import annotations

from .cited import get_citation, place_of
from .fields import field, find_headings, find_identity, find_page, find_whole, get_metadata, get_score, get_text, has
from .pieces import ForeignPiece, Placing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from ....search.model import Citation, SearchHit

# Some readers keep the page in `source`, and a name that is no path in `file_name`.
_KEYS = ("file_path", "path", "file_name", "filename", "source", "url", "uri")


def hits(
    nodes: Iterable[object],
    *,
    root: str | None = None,
    read: Callable[[str], str] | None = None,
    key: str | None = None,
    headings: tuple[str, ...] = (),
    indexed_at: datetime | None = None,
) -> list[SearchHit]:
    """The hits of nodes, with or without score, or of either as LlamaIndex serialises them; in order.

    Offsets come from `start_char_idx` and `end_char_idx`. With `read`, which gives the text of a path, they are checked
    against the document, and found where they are missing; what cannot be placed for certain gets the offsets -1.
    `root` is the folder of relative paths, `key` the metadata that names the file, `headings` those that name the
    headings, outermost first; by default `header_path` is used. Raises TypeError naming the node that has no text or
    no file.
    """
    return Placing(root, read, key, indexed_at).hits("nodes", nodes, piece, headings)


def looks_like(thing: object) -> bool:
    """Whether this has the shape of a node, alone or with its score."""
    node = field(thing, "node")
    return has(thing if node is None else node, "id_")


def piece(node: object, where: str, headings: tuple[str, ...] = ()) -> ForeignPiece:
    """What a node, or a node with its score, says about itself."""
    inner = field(node, "node")
    score = get_score(None if inner is None else field(node, "score"), where)
    if inner is not None:
        node = inner
    # Documents and other nodes keep their text one step further in.
    resource = field(node, "text_resource")
    content = get_text(node if resource is None else resource, "text", where)
    metadata = get_metadata(node, "metadata", where)
    found = find_headings(metadata, headings)
    path = metadata.get("header_path")
    chained = isinstance(path, str) and not headings
    if chained and not found:
        found = _header_path(str(path), content)
    label = find_page(metadata.get("page_label"), 1)
    return ForeignPiece(
        content,
        metadata,
        _KEYS,
        find_identity(field(node, "id_"), where),
        score,
        find_whole(field(node, "start_char_idx"), "start_char_idx", where),
        find_whole(field(node, "end_char_idx"), "end_char_idx", where),
        headings=found,
        page=label if label is not None else find_page(metadata.get("page_number"), 1),
        relative=bool(found) or chained,
    )


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

"""Haystack: documents become hits, citations become a generated answer. Haystack itself is not needed.

Hits are made of documents, or of what `Document.to_dict` makes of them, flat or not. Offsets come from
`split_idx_start`. Converters keep the file's name alone by default: `root` says where it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from . import fields
from .pieces import PAGED, ForeignPiece, Framework, get_citation, suffix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....search.model import Citation
    from .fields import Metadata

_KEYS = ("file_path", "path", "source", "file_name", "filename", "url", "uri")
_OWN = frozenset("id content blob meta score embedding sparse_embedding dataframe content_type id_hash_keys".split())
_REFERENCE = re.compile(r"\[(\d{1,6}(?: ?[,-] ?\d{1,6}){0,99})\]")


def looks_like(thing: object) -> bool:
    """Whether this has the shape of a Haystack document."""
    return fields.has(thing, "content") and (fields.has(thing, "id") or fields.has(thing, "meta"))


def read_piece(document: object, where: str, headings: tuple[str, ...] = ()) -> ForeignPiece:
    """What a document says about itself."""
    content = fields.get_text(document, "content", where)
    meta = fields.get_metadata(document, "meta", where)
    if isinstance(document, Mapping):
        flat: Metadata = {name: value for name, value in document.items() if name not in _OWN}
        meta = {**meta, **flat}
    found = fields.find_headings(meta, headings)
    level = meta.get("__level")
    # Every splitter writes a page number, also where there are no pages.
    paged = any(isinstance(value, str) and suffix(value) in PAGED for value in map(meta.get, _KEYS))
    return ForeignPiece(
        content,
        meta,
        _KEYS,
        fields.find_identity(fields.field(document, "id"), where),
        fields.get_score(fields.field(document, "score"), where),
        fields.find_whole(meta.get("split_idx_start"), "split_idx_start", where),
        headings=found,
        page=fields.find_page(meta.get("page_number"), 1) if paged else None,
        relative=bool(found) or (isinstance(level, int) and level > 1),
    )


hits = Framework("documents", read_piece).hits


def answer(
    text: str, citations: Sequence[Citation], query: str, *, document: Callable[..., object] = dict
) -> dict[str, object]:
    """What a `GeneratedAnswer` is made of: `GeneratedAnswer(**answer(…, document=Document))`.

    Without `document` the documents are dicts, as `GeneratedAnswer.from_dict` takes them. A `[2]` in the text means
    the second citation: each document says in its `meta` which it is (`source_index`) and whether the text refers to
    it (`referenced`). References to citations that do not exist are in the answer's `meta`.
    """
    if not isinstance(text, str):
        raise TypeError(f"text is {fields.describe(text)}, expected a str")
    named = _references(text, len(citations))
    documents = []
    for number, citation in enumerate(citations, 1):
        get_citation(citation)
        meta: dict[str, object] = {"file_path": citation.document_path, "title": citation.document_title}
        optional = {
            "header": citation.heading,
            "page_number": citation.page,
            "split_idx_start": citation.start_offset if citation.start_offset >= 0 else None,
            "line_number": citation.line_number,
            "end_line": citation.end_line,
        }
        meta |= {name: value for name, value in optional.items() if value is not None}
        meta |= {"source_index": number, "referenced": number in named}
        documents.append(document(id=str(citation.chunk_id), content=citation.text, meta=meta))
    unknown = sorted(number for number in named if not 1 <= number <= len(citations))
    return {
        "data": text,
        "query": query,
        "documents": documents,
        "meta": {"unknown_references": unknown} if unknown else {},
    }


def _references(text: str, known: int) -> set[int]:
    """The numbers that a text refers to; of a range that goes on beyond what is known, one number beyond it."""
    named: set[int] = set()
    for match in _REFERENCE.finditer(text):
        for part in match[1].split(","):
            numbers = [int(number) for number in part.split("-")]
            named.update(numbers if len(numbers) != 2 else range(numbers[0], min(numbers[1], known + 1) + 1))
            named.update(numbers)
    return named

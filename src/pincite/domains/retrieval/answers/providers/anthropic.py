"""Messages of Anthropic: text blocks, each with the citations that support it; every end is exclusive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, Embedded, NamedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import BlockRange, Chars, PageSpan

NAME = "anthropic"
RANK = 30
_DOCUMENT = ("char_location", "page_location", "content_block_location")
_SEARCH, _WEB = "search_result_location", "web_search_result_location"


def detect(data: Any) -> bool:
    """A message with typed content blocks, or such blocks alone."""
    if isinstance(data, dict):
        if "object" in data or "candidates" in data:
            return False
        if data.get("type") == "message" and data.get("role") == "assistant" and "content" in data:
            return True
        data = data.get("content")
    if not isinstance(data, list) or not data:
        return False
    blocks = [block for block in data if isinstance(block, dict)]
    said = any(block.get("type") == "text" and isinstance(block.get("text"), str) for block in blocks)
    return said and all(isinstance(block.get("type"), str) for block in blocks)


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The text of all blocks one behind the other, and their citations."""
    shape = JsonReader()
    if isinstance(data, list):
        data, listed = {"content": data}, True
    else:
        listed = False
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a message, got {kind_of(data)}")
        return Answer(NAME, "", defects=tuple(shape.defects))
    if isinstance(data.get("content"), str):
        return Answer(NAME, data["content"])
    documents, results = _read_request_documents(shape, request)
    embedded = [*documents, *results]
    pieces: list[str] = []
    citations: list[AnswerCitation] = []
    size, apart = 0, False
    for where, block in shape.objects(data, "content", prefix, needed=True):
        # A list alone has no field that holds it.
        at = _strip_content_path(where, prefix) if listed else where
        if block.get("type") != "text":
            apart = bool(pieces)
            continue
        text = shape.text(block, "text", at, needed=True)
        if apart:
            pieces.append("\n\n")
            size, apart = size + 2, False
        span = Span(size, size + len(text))
        pieces.append(text)
        size += len(text)
        for path, held in shape.objects(block, "citations", at):
            if shape.enough(path):
                break
            citations.append(_citation(shape, held, path, span, documents, results if request is not None else None))
    return Answer(NAME, "".join(pieces), tuple(citations), tuple(embedded), tuple(shape.defects))


def _strip_content_path(where: str, prefix: str) -> str:
    return prefix + where[len(inside(prefix, "content")) :]


def _citation(
    shape: JsonReader,
    held: dict[str, Any],
    at: str,
    span: Span,
    documents: list[Embedded],
    results: list[Embedded] | None,
) -> AnswerCitation:
    kind = shape.text(held, "type", at, needed=True)
    quote = shape.text(held, "cited_text", at, needed=True)
    if not quote and isinstance(held.get("cited_text"), str):
        shape.wrong(inside(at, "cited_text"), "missing-field", "cited_text is empty")
    place: Chars | PageSpan | BlockRange | None = None
    embedded: int | None = None
    name = NamedDocument()
    if kind in _DOCUMENT:
        index = _index(shape, held, "document_index", at, documents if results is not None else None)
        name = NamedDocument(index, shape.text(held, "document_title", at), id=shape.text(held, "file_id", at))
        embedded = _find_document_index(shape, name, at, documents, results is not None)
        read_place = {"char_location": shape.chars, "page_location": shape.pages}.get(kind, shape.blocks)
        place = read_place(held, at)
    elif kind == _SEARCH:
        index = _index(shape, held, "search_result_index", at, results)
        place = shape.blocks(held, at)
        name = NamedDocument(None, shape.text(held, "title", at), uri=shape.text(held, "source", at, needed=True))
        if index is not None and results is not None and index < len(results):
            embedded = len(documents) + index
    elif kind == _WEB:
        name = NamedDocument(None, shape.text(held, "title", at), uri=shape.text(held, "url", at, needed=True))
    elif kind:
        shape.wrong(inside(at, "type"), "unknown-type", f"no kind of citation is called {kind[:60]!a}")
    return AnswerCitation(NAME, at, span, name, quote, place, quotes=True, embedded=embedded)


def _index(shape: JsonReader, held: dict[str, Any], key: str, at: str, among: list[Embedded] | None) -> int | None:
    """The number of a document; a defect where there cannot be one of that number."""
    index = shape.number(held, key, at)
    if index is not None and (index < 0 or (among is not None and index >= len(among))):
        said = f"the request has {len(among)}" if among is not None and index >= 0 else "they are counted from 0"
        shape.wrong(inside(at, key), "index-out-of-range", f"there is no document {index}: {said}")
        return None
    return index


def _find_document_index(
    shape: JsonReader, name: NamedDocument, at: str, documents: list[Embedded], asked: bool
) -> int | None:
    """Which of the documents that came along is meant."""
    if not asked or name.index is None or name.index >= len(documents):
        return None
    held = documents[name.index]
    if name.title and held.name.title and name.title != held.name.title:
        said = f"document {name.index} of the request has another title"
        shape.wrong(inside(at, "document_title"), "text-differs", said)
    return name.index


def _read_request_documents(shape: JsonReader, request: Any) -> tuple[list[Embedded], list[Embedded]]:
    """The documents and the search results of a request, each in its own count."""
    documents: list[Embedded] = []
    results: list[Embedded] = []
    if not isinstance(request, dict):
        return documents, results
    for at, block in _blocks(request):
        if block.get("type") == "document":
            documents.append(_document(shape, block, at, len(documents)))
        elif block.get("type") == "search_result":
            parts = tuple(_texts(block.get("content")))
            name = NamedDocument(None, shape.text(block, "title", at), uri=shape.text(block, "source", at))
            results.append(Embedded(at, name, "".join(parts), parts))
    return documents, results


def _blocks(request: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every block of every message, also those that tools gave back."""
    messages = request.get("messages")
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        content = message.get("content") if isinstance(message, dict) else None
        for at, block in enumerate(content if isinstance(content, list) else ()):
            if not isinstance(block, dict):
                continue
            path = f"request.messages[{number}].content[{at}]"
            yield path, block
            inner = block.get("content") if block.get("type") == "tool_result" else None
            for row, held in enumerate(inner if isinstance(inner, list) else ()):
                if isinstance(held, dict):
                    yield f"{path}.content[{row}]", held


def _document(shape: JsonReader, block: dict[str, Any], at: str, index: int) -> Embedded:
    source = shape.object(block, "source", at, needed=True) or {}
    where = f"{at}.source"
    name = NamedDocument(index, shape.text(block, "title", at), uri=shape.text(source, "url", where))
    kind = source.get("type")
    if kind == "text":
        return Embedded(at, name, shape.text(source, "data", where, needed=True))
    if kind == "base64":
        return Embedded(at, name, pdf=shape.text(source, "data", where, needed=True))
    if kind == "content":
        held = source.get("content")
        parts = (held,) if isinstance(held, str) else tuple(_texts(held))
        return Embedded(at, name, "".join(parts), parts)
    return Embedded(at, NamedDocument(index, name.title, uri=name.uri, id=shape.text(source, "file_id", where)))


def _texts(blocks: Any) -> Iterator[str]:
    """The text of each block; of a picture nothing, but it counts."""
    for block in blocks if isinstance(blocks, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        yield text if isinstance(text, str) else ""

"""Messages of Anthropic: text blocks, each with the citations that support it; every end is exclusive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import AnswerReader, inside
from ..model import EmbeddedDocument, NamedDocument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer, BlockRange, Chars, PageSpan

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
    reader = AnswerReader(NAME)
    if isinstance(data, list):
        # A list alone has no field that holds it.
        blocks = [(f"{prefix}[{row}]", block) for row, block in enumerate(data)]
        blocks = [(at, block) for at, block in blocks if reader.is_kind(block, dict, at)]
    elif not reader.is_kind(data, dict, prefix, "a message"):
        return reader.answer()
    elif isinstance(data.get("content"), str):
        reader.add_text(data["content"])
        return reader.answer()
    else:
        blocks = list(reader.objects(data, "content", prefix, needed=True))
    documents, results = _read_request_documents(reader, request)
    apart = False
    for at, block in blocks:
        if block.get("type") != "text":
            apart = True
            continue
        text = reader.text(block, "text", at, needed=True)
        start = reader.add_text(text, "\n\n" if apart else "")
        apart = False
        for path, held in reader.objects(block, "citations", at):
            if reader.enough(path):
                break
            span = Span(start, start + len(text))
            _cite(reader, held, path, span, documents, results if request is not None else None)
    return reader.answer((*documents, *results))


def _cite(
    reader: AnswerReader,
    held: dict[str, Any],
    at: str,
    span: Span,
    documents: list[EmbeddedDocument],
    results: list[EmbeddedDocument] | None,
) -> None:
    kind = reader.text(held, "type", at, needed=True)
    quote = reader.text(held, "cited_text", at, needed=True)
    if not quote and isinstance(held.get("cited_text"), str):
        reader.wrong(inside(at, "cited_text"), "missing-field", "cited_text is empty")
    place: Chars | PageSpan | BlockRange | None = None
    embedded: int | None = None
    name = NamedDocument()
    if kind in _DOCUMENT:
        index = _index(reader, held, "document_index", at, documents if results is not None else None)
        name = NamedDocument(index, reader.text(held, "document_title", at), id=reader.text(held, "file_id", at))
        embedded = _find_document_index(reader, name, at, documents, results is not None)
        read_place = {"char_location": reader.chars, "page_location": reader.pages}.get(kind, reader.blocks)
        place = read_place(held, at)
    elif kind == _SEARCH:
        index = _index(reader, held, "search_result_index", at, results)
        place = reader.blocks(held, at)
        name = reader.page(held, at, "source")
        if index is not None and results is not None and index < len(results):
            embedded = len(documents) + index
    elif kind == _WEB:
        name = reader.page(held, at)
    elif kind:
        reader.unknown(at, "citation", kind)
    reader.cite(at, span, name, quote, place=place, quotes=True, embedded=embedded)


def _index(
    reader: AnswerReader, held: dict[str, Any], key: str, at: str, among: list[EmbeddedDocument] | None
) -> int | None:
    """The number of a document; a defect where there cannot be one of that number."""
    index = reader.number(held, key, at)
    if index is not None and (index < 0 or (among is not None and index >= len(among))):
        said = f"the request has {len(among)}" if among is not None and index >= 0 else "they are counted from 0"
        reader.wrong(inside(at, key), "index-out-of-range", f"there is no document {index}: {said}")
        return None
    return index


def _find_document_index(
    reader: AnswerReader, name: NamedDocument, at: str, documents: list[EmbeddedDocument], asked: bool
) -> int | None:
    """Which of the documents that came along is meant."""
    if not asked or name.index is None or name.index >= len(documents):
        return None
    held = documents[name.index]
    if name.title and held.name.title and name.title != held.name.title:
        said = f"document {name.index} of the request has another title"
        reader.wrong(inside(at, "document_title"), "text-differs", said)
    return name.index


def _read_request_documents(
    reader: AnswerReader, request: Any
) -> tuple[list[EmbeddedDocument], list[EmbeddedDocument]]:
    """The documents and the search results of a request, each in its own count."""
    documents: list[EmbeddedDocument] = []
    results: list[EmbeddedDocument] = []
    if not isinstance(request, dict):
        return documents, results
    for at, block in _blocks(request):
        if block.get("type") == "document":
            documents.append(_document(reader, block, at, len(documents)))
        elif block.get("type") == "search_result":
            parts = tuple(_texts(block.get("content")))
            name = NamedDocument(None, reader.text(block, "title", at), uri=reader.text(block, "source", at))
            results.append(EmbeddedDocument(at, name, "".join(parts), parts))
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


def _document(reader: AnswerReader, block: dict[str, Any], at: str, index: int) -> EmbeddedDocument:
    source = reader.object(block, "source", at, needed=True) or {}
    where = f"{at}.source"
    name = NamedDocument(index, reader.text(block, "title", at), uri=reader.text(source, "url", where))
    kind = source.get("type")
    if kind == "text":
        return EmbeddedDocument(at, name, reader.text(source, "data", where, needed=True))
    if kind == "base64":
        return EmbeddedDocument(at, name, pdf=reader.text(source, "data", where, needed=True))
    if kind == "content":
        held = source.get("content")
        parts = (held,) if isinstance(held, str) else tuple(_texts(held))
        return EmbeddedDocument(at, name, "".join(parts), parts)
    return EmbeddedDocument(
        at, NamedDocument(index, name.title, uri=name.uri, id=reader.text(source, "file_id", where))
    )


def _texts(blocks: Any) -> Iterator[str]:
    """The text of each block; of a picture nothing, but it counts."""
    for block in blocks if isinstance(blocks, list) else ():
        text = block.get("text") if isinstance(block, dict) else None
        yield text if isinstance(text, str) else ""

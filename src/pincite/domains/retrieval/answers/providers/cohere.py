"""Chats of Cohere, version 2 and 1: spans of the reply, each with the sources that support it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, Embedded, NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "cohere"
RANK = 50
_TEXTS = ("text", "snippet", "content", "passage", "body", "data", "excerpt")
_TITLES = ("title", "name")
_FILES = ("filename", "file_name", "file", "path")
_ADDRESSES = ("url", "uri", "source")
_THINKING = ("THINKING_CONTENT", "PLAN")


def detect(data: Any) -> bool:
    """A message with a list of citations or content beside it, or the reply of version 1."""
    if not isinstance(data, dict) or "object" in data:
        return False
    message = data.get("message")
    if isinstance(message, dict):
        # A batch of Anthropic wraps its messages in the same key.
        return message.get("type") != "message" and isinstance(message.get("citations") or message.get("content"), list)
    if isinstance(data.get("text"), str):
        return any(isinstance(data.get(key), list) for key in ("citations", "documents")) or "generation_id" in data
    return False


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The reply, its citations with one entry for each of their sources, and the documents that came along."""
    shape = JsonReader()
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a chat, got {kind_of(data)}")
        return Answer(NAME, "", defects=tuple(shape.defects))
    if isinstance(data.get("text"), str) and not isinstance(data.get("message"), dict):
        return _first_version(shape, data, prefix, request)
    message = shape.object(data, "message", prefix, needed=True) or {}
    at = inside(prefix, "message")
    parts: dict[int, tuple[int, str]] = {}
    pieces: list[str] = []
    size = 0
    for row, (path, part) in enumerate(shape.objects(message, "content", at, needed=bool(message))):
        if part.get("type", "text") == "text":
            text = shape.text(part, "text", path, needed=True)
            if pieces:
                pieces.append("\n\n")
                size += 2
            parts[row] = size, text
            pieces.append(text)
            size += len(text)
    citations: list[AnswerCitation] = []
    for path, held in shape.objects(message, "citations", at):
        if held.get("type") in _THINKING:
            continue
        given = shape.number(held, "content_index", path, needed=False)
        number = next(iter(parts), 0) if given is None else given
        if number not in parts:
            said = f"content {number} is no text of the reply"
            shape.wrong(inside(path, "content_index"), "index-out-of-range", said)
        offset, text = parts.get(number, (0, ""))
        span = _span(shape, held, path, text, offset, known=number in parts)
        for where, source in _sources(shape, held, path):
            if shape.enough(where):
                break
            citations.append(_citation(shape, source, where, span))
    return Answer(NAME, "".join(pieces), tuple(citations), read_sent(request), tuple(shape.defects))


def _span(shape: JsonReader, held: dict[str, Any], at: str, text: str, offset: int, known: bool = True) -> Span | None:
    """The words of the reply that are supported; a defect where they are not what the citation says they are."""
    start, end = shape.number(held, "start", at), shape.number(held, "end", at)
    said = shape.text(held, "text", at, needed=True)
    span = shape.span(start, end, len(text), at) if known else None
    if span is None:
        return None
    if said and text[span.start : span.end] != said:
        there = text[span.start : span.end]
        shape.wrong(
            inside(at, "text"), "text-differs", f"the reply has {there[:80]!r} at {start}-{end}, not {said[:80]!r}"
        )
    return Span(span.start + offset, span.end + offset)


def _sources(shape: JsonReader, held: dict[str, Any], at: str) -> Iterator[tuple[str, dict[str, Any]]]:
    found = list(shape.objects(held, "sources", at, needed=True))
    if not found and isinstance(held.get("sources"), list):
        shape.wrong(inside(at, "sources"), "missing-field", "sources is empty: nothing supports these words")
    yield from found


def _citation(shape: JsonReader, source: dict[str, Any], at: str, span: Span | None) -> AnswerCitation:
    kind = source.get("type", "document")
    key = "tool_output" if kind == "tool" else "document"
    if kind not in ("tool", "document"):
        shape.wrong(inside(at, "type"), "unknown-type", f"no kind of source is called {str(kind)[:60]!a}")
    held = shape.object(source, key, at) or {}
    name, text = _document(held, shape.text(source, "id", at))
    return AnswerCitation(NAME, at, span, name, carried=text)


def _document(held: dict[str, Any], identity: str) -> tuple[NamedDocument, str]:
    """What a document of no fixed shape is called and says."""
    inner = held.get("data")
    if isinstance(inner, dict):
        held = {**held, **inner}
    name = NamedDocument(
        title=_first(held, _TITLES),
        filename=_first(held, _FILES),
        uri=_first(held, _ADDRESSES),
        id=identity or _first(held, ("id",)),
    )
    return name, _first(held, _TEXTS)


def _first(held: dict[str, Any], keys: tuple[str, ...]) -> str:
    return next((held[key] for key in keys if isinstance(held.get(key), str) and held[key]), "")


def _first_version(shape: JsonReader, data: dict[str, Any], prefix: str, request: Any) -> Answer:
    text = shape.text(data, "text", prefix)
    known: dict[str, Embedded] = {}
    for at, held in shape.objects(data, "documents", prefix):
        identity = shape.text(held, "id", at, needed=True)
        if identity in known:
            shape.wrong(inside(at, "id"), "duplicate-id", f"two documents are called {identity[:60]!a}")
        name, words = _document(held, identity)
        known.setdefault(identity, Embedded(at, name, words))
    citations: list[AnswerCitation] = []
    for at, held in shape.objects(data, "citations", prefix):
        span = _span(shape, held, at, text, 0)
        for where, identity in shape.items(held, "document_ids", at, needed=True):
            if shape.enough(where):
                break
            if not isinstance(identity, str):
                shape.wrong(where, "wrong-type", f"expected text, got {kind_of(identity)}")
                continue
            source = known.get(identity)
            if source is None and "documents" in data:
                shape.wrong(where, "index-out-of-range", f"no document of the response is called {identity[:60]!a}")
            name = source.name if source is not None else NamedDocument(id=identity)
            citations.append(AnswerCitation(NAME, where, span, name, carried=source.text if source else ""))
    return Answer(NAME, text, tuple(citations), read_sent(request), tuple(shape.defects))

"""Chats of Cohere, version 2 and 1: spans of the reply, each with the sources that support it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json_shape import AnswerReader, inside
from ..model import EmbeddedDocument, NamedDocument
from ..requests import read_sent, read_shapeless

if TYPE_CHECKING:
    from .....core.model import Span
    from ..model import Answer

NAME = "cohere"
RANK = 50
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
    reader = AnswerReader(NAME)
    if not reader.is_kind(data, dict, prefix, "a chat"):
        return reader.answer()
    if isinstance(data.get("text"), str) and not isinstance(data.get("message"), dict):
        return _first_version(reader, data, prefix, request)
    message = reader.object(data, "message", prefix, needed=True) or {}
    at = inside(prefix, "message")
    parts: dict[int, tuple[int, str]] = {}
    for row, (path, part) in enumerate(reader.objects(message, "content", at, needed=bool(message))):
        if part.get("type", "text") == "text":
            text = reader.text(part, "text", path, needed=True)
            parts[row] = reader.add_text(text), text
    for path, held in reader.objects(message, "citations", at):
        if held.get("type") in _THINKING:
            continue
        given = reader.number(held, "content_index", path, needed=False)
        number = next(iter(parts), 0) if given is None else given
        if number not in parts:
            said = f"content {number} is no text of the reply"
            reader.wrong(inside(path, "content_index"), "index-out-of-range", said)
        span = _span(reader, held, path, parts.get(number))
        sources = list(reader.objects(held, "sources", path, needed=True))
        if not sources and isinstance(held.get("sources"), list):
            reader.wrong(inside(path, "sources"), "missing-field", "sources is empty: nothing supports these words")
        for where, source in sources:
            if reader.enough(where):
                break
            _cite(reader, source, where, span)
    return reader.answer(read_sent(request))


def _span(reader: AnswerReader, held: dict[str, Any], at: str, part: tuple[int, str] | None) -> Span | None:
    """The words of the reply that are supported; a defect where they are not what the citation says they are."""
    start, end = reader.number(held, "start", at), reader.number(held, "end", at)
    said = reader.text(held, "text", at, needed=True)
    if part is None:
        return None
    offset, text = part
    span = reader.span(start, end, len(text), at, offset)
    there = text[span.start - offset : span.end - offset] if span is not None else said
    if said and there != said:
        message = f"the reply has {there[:80]!r} at {start}-{end}, not {said[:80]!r}"
        reader.wrong(inside(at, "text"), "text-differs", message)
    return span


def _cite(reader: AnswerReader, source: dict[str, Any], at: str, span: Span | None) -> None:
    kind = source.get("type", "document")
    if kind not in ("tool", "document"):
        reader.unknown(at, "source", str(kind))
    held = reader.object(source, "tool_output" if kind == "tool" else "document", at) or {}
    name, text = read_shapeless(held, reader.text(source, "id", at))
    reader.cite(at, span, name, carried=text)


def _first_version(reader: AnswerReader, data: dict[str, Any], prefix: str, request: Any) -> Answer:
    text = reader.text(data, "text", prefix)
    reader.add_text(text)
    known: dict[str, EmbeddedDocument] = {}
    for at, held in reader.objects(data, "documents", prefix):
        identity = reader.text(held, "id", at, needed=True)
        if identity in known:
            reader.wrong(inside(at, "id"), "duplicate-id", f"two documents are called {identity[:60]!a}")
        name, words = read_shapeless(held, identity)
        known.setdefault(identity, EmbeddedDocument(at, name, words))
    for at, held in reader.objects(data, "citations", prefix):
        span = _span(reader, held, at, (0, text))
        for where, identity in reader.items(held, "document_ids", at, needed=True):
            if reader.enough(where):
                break
            if not reader.is_kind(identity, str, where):
                continue
            source = known.get(identity)
            if source is None and "documents" in data:
                reader.wrong(where, "index-out-of-range", f"no document of the response is called {identity[:60]!a}")
            name = source.name if source is not None else NamedDocument(id=identity)
            reader.cite(where, span, name, carried=source.text if source else "")
    return reader.answer(read_sent(request))

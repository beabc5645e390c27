"""Messages of OpenAI's threads: a text value, and annotations that say where in it their marks stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "openai-assistants"
RANK = 20


def detect(data: Any) -> bool:
    """A message of a thread, or a list of them."""
    if not isinstance(data, dict):
        return False
    if data.get("object") == "thread.message":
        return True
    held = data.get("data") if data.get("object") == "list" else [data]
    return isinstance(held, list) and any(_has_value(message) for message in held)


def _has_value(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, list) and any(
        isinstance(part, dict) and isinstance(part.get("text"), dict) and "value" in part["text"] for part in content
    )


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The text of the assistant's messages, a blank line between parts, and their annotations."""
    shape = JsonReader()
    pieces: list[str] = []
    citations: list[AnswerCitation] = []
    marks: list[Span] = []
    size = 0
    for at, text in _texts(shape, data, prefix):
        value = shape.text(text, "value", at, needed=True)
        if pieces:
            pieces.append("\n\n")
            size += 2
        pieces.append(value)
        for path, held in shape.objects(text, "annotations", at):
            if shape.enough(path):
                break
            found, span = _citation(shape, held, path, value, size)
            citations += found
            marks += [span] if span is not None else []
        size += len(value)
    return Answer(NAME, "".join(pieces), tuple(citations), read_sent(request), tuple(shape.defects), tuple(marks))


def _texts(shape: JsonReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a message, got {kind_of(data)}")
        return
    listed = "data" in data and "content" not in data
    messages = list(shape.objects(data, "data", prefix, needed=True)) if listed else [(prefix, data)]
    # A thread is listed with its newest message first; what the user wrote is no answer.
    for at, message in reversed(messages):
        if message.get("role", "assistant") != "assistant":
            continue
        for path, part in shape.objects(message, "content", at, needed=True):
            text = shape.object(part, "text", path, needed=True) if part.get("type", "text") == "text" else None
            if text is not None:
                yield inside(path, "text"), text


def _citation(
    shape: JsonReader, held: dict[str, Any], at: str, value: str, offset: int
) -> tuple[list[AnswerCitation], Span | None]:
    """The citation that an annotation is, if it is one, and where its mark stands."""
    kind = shape.text(held, "type", at, needed=True)
    start, end = shape.number(held, "start_index", at), shape.number(held, "end_index", at)
    span = shape.span(start, end, len(value), at)
    mark = shape.text(held, "text", at)
    if span is not None and mark and value[span.start : span.end] != mark:
        shape.wrong(inside(at, "text"), "text-differs", "the mark is not what stands at the given offsets")
        span = None
    moved = Span(span.start + offset, span.end + offset) if span is not None else None
    if kind == "file_path":
        return [], moved
    if kind != "file_citation":
        if kind:
            shape.wrong(inside(at, "type"), "unknown-type", f"no kind of annotation is called {kind[:60]!a}")
        return [], moved
    inner = shape.object(held, "file_citation", at, needed=True)
    if inner is None:
        return [AnswerCitation(NAME, at, moved, NamedDocument(), is_mark=True)], moved
    where = inside(at, "file_citation")
    # Older messages carried the words that were cited.
    quote = shape.text(inner, "quote", where)
    name = NamedDocument(id=shape.text(inner, "file_id", where, needed=True))
    return [AnswerCitation(NAME, at, moved, name, quote, is_mark=True, quotes=bool(quote))], moved

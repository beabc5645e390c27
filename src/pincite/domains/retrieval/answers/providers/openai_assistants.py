"""Messages of OpenAI's threads: a text value, and annotations that say where in it their marks stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json_shape import AnswerReader, inside
from ..model import NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer

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
    reader = AnswerReader(NAME)
    for at, text in _texts(reader, data, prefix):
        value = reader.text(text, "value", at, needed=True)
        offset = reader.add_text(value)
        for path, held in reader.objects(text, "annotations", at):
            if reader.enough(path):
                break
            _cite(reader, held, path, value, offset)
    return reader.answer(read_sent(request))


def _texts(reader: AnswerReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if not reader.is_kind(data, dict, prefix, "a message"):
        return
    listed = "data" in data and "content" not in data
    messages = list(reader.objects(data, "data", prefix, needed=True)) if listed else [(prefix, data)]
    # A thread is listed with its newest message first; what the user wrote is no answer.
    for at, message in reversed(messages):
        if message.get("role", "assistant") != "assistant":
            continue
        for path, part in reader.objects(message, "content", at, needed=True):
            text = reader.object(part, "text", path, needed=True) if part.get("type", "text") == "text" else None
            if text is not None:
                yield inside(path, "text"), text


def _cite(reader: AnswerReader, held: dict[str, Any], at: str, value: str, offset: int) -> None:
    """Keep the citation that an annotation is, if it is one, and where its mark stands."""
    kind = reader.text(held, "type", at, needed=True)
    span = reader.words(held, at, value, offset)
    mark = reader.text(held, "text", at)
    if span is not None and mark and value[span.start - offset : span.end - offset] != mark:
        reader.wrong(inside(at, "text"), "text-differs", "the mark is not what stands at the given offsets")
        span = None
    if kind == "file_citation":
        # Older messages carried the words that were cited.
        inner, where = reader.object(held, "file_citation", at, needed=True), inside(at, "file_citation")
        quote = reader.text(inner, "quote", where) if inner is not None else ""
        name = NamedDocument(id=reader.text(inner, "file_id", where, needed=True) if inner is not None else "")
        reader.cite(at, span, name, quote, is_mark=True, quotes=bool(quote))
        return
    reader.marks += [span] if span is not None else []
    if kind and kind != "file_path":
        reader.unknown(at, "annotation", kind)

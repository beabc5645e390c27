"""Chat completions of OpenAI: a message whose annotations name addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "openai-chat"
RANK = 40


def detect(data: Any) -> bool:
    """Choices with a message, or a message with text and annotations alone."""
    if not isinstance(data, dict) or "search_results" in data:
        return False
    choices = data.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return isinstance(choices[0].get("message"), dict)
    return data.get("role") == "assistant" and isinstance(data.get("content"), str) and "annotations" in data


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The messages of all choices, a blank line between them, with their annotations."""
    shape = JsonReader()
    pieces: list[str] = []
    citations: list[AnswerCitation] = []
    size = 0
    for at, message in messages(shape, data, prefix):
        if pieces:
            pieces.append("\n\n")
            size += 2
        text = shape.text(message, "content", at)
        for path, held in shape.objects(message, "annotations", at):
            if shape.enough(path):
                break
            citations += _citation(shape, held, path, text, size)
        pieces.append(text)
        size += len(text)
    marks: tuple[Span, ...] = tuple(one.span for one in citations if one.span is not None)
    return Answer(NAME, "".join(pieces), tuple(citations), read_sent(request), tuple(shape.defects), marks)


def _citation(shape: JsonReader, held: dict[str, Any], at: str, text: str, offset: int) -> Iterator[AnswerCitation]:
    kind = shape.text(held, "type", at, needed=True)
    if kind != "url_citation":
        if kind:
            shape.wrong(inside(at, "type"), "unknown-type", f"no kind of annotation is called {kind[:60]!a}")
        return
    inner = shape.object(held, "url_citation", at, needed=True)
    if inner is None:
        return
    where = inside(at, "url_citation")
    start, end = shape.number(inner, "start_index", where), shape.number(inner, "end_index", where)
    span = shape.span(start, end, len(text), where)
    name = NamedDocument(title=shape.text(inner, "title", where), uri=shape.text(inner, "url", where, needed=True))
    moved = Span(span.start + offset, span.end + offset) if span is not None else None
    yield AnswerCitation(NAME, at, moved, name, is_mark=True)


def messages(shape: JsonReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The message of each choice, with its path; a message that stands alone is one too."""
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a completion, got {kind_of(data)}")
    elif "choices" not in data and ("content" in data or "role" in data):
        yield prefix, data
    else:
        for at, choice in shape.objects(data, "choices", prefix, needed=True):
            message = shape.object(choice, "message", at, needed=True)
            if message is not None:
                yield inside(at, "message"), message

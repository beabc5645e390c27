"""Chat completions of OpenAI: a message whose annotations name addresses."""

from __future__ import annotations

from typing import Any

from ....model import Span
from ..model import Answer, AnswerCitation, Named
from ..shape import Shape, inside, kind_of

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
    """The message of the first choice, with its annotations."""
    shape = Shape()
    found = message_of(shape, data, prefix)
    if found is None:
        return Answer(NAME, "", defects=tuple(shape.defects))
    at, message = found
    text = shape.text(message, "content", at)
    citations: list[AnswerCitation] = []
    for path, held in shape.objects(message, "annotations", at):
        if shape.enough(path):
            break
        kind = shape.text(held, "type", path, needed=True)
        if kind != "url_citation":
            if kind:
                shape.wrong(inside(path, "type"), "unknown-type", f"no kind of annotation is called {kind[:60]!a}")
            continue
        inner = shape.object(held, "url_citation", path, needed=True)
        if inner is None:
            continue
        where = inside(path, "url_citation")
        start, end = shape.number(inner, "start_index", where), shape.number(inner, "end_index", where)
        span = shape.span(start, end, len(text), where)
        name = Named(title=shape.text(inner, "title", where), uri=shape.text(inner, "url", where, needed=True))
        citations.append(AnswerCitation(NAME, path, span, name, is_mark=True))
    marks: tuple[Span, ...] = tuple(one.span for one in citations if one.span is not None)
    return Answer(NAME, text, tuple(citations), (), tuple(shape.defects), marks)


def message_of(shape: Shape, data: Any, prefix: str) -> tuple[str, dict[str, Any]] | None:
    """The message of the first choice and its path; a message that stands alone is one too."""
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a completion, got {kind_of(data)}")
        return None
    if "choices" not in data and ("content" in data or "role" in data):
        return prefix, data
    for at, choice in shape.objects(data, "choices", prefix, needed=True):
        message = shape.object(choice, "message", at, needed=True)
        return None if message is None else (inside(at, "message"), message)
    return None

"""Chat completions of OpenAI: a message whose annotations name addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json_shape import AnswerReader, inside
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer

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
    reader = AnswerReader(NAME)
    for at, message in _messages(reader, data, prefix):
        text = reader.text(message, "content", at)
        offset = reader.add_text(text)
        for path, held in reader.objects(message, "annotations", at):
            if reader.enough(path):
                break
            _cite(reader, held, path, text, offset)
    return reader.answer(read_sent(request))


def _cite(reader: AnswerReader, held: dict[str, Any], at: str, text: str, offset: int) -> None:
    kind = reader.text(held, "type", at, needed=True)
    if kind and kind != "url_citation":
        reader.unknown(at, "annotation", kind)
    inner = reader.object(held, "url_citation", at, needed=True) if kind == "url_citation" else None
    if inner is not None:
        where = inside(at, "url_citation")
        span = reader.words(inner, where, text, offset)
        reader.cite(at, span, reader.page(inner, where), is_mark=True)


def _messages(reader: AnswerReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The message of each choice, with its path; a message that stands alone is one too."""
    if not reader.is_kind(data, dict, prefix, "a completion"):
        return
    if "choices" not in data and ("content" in data or "role" in data):
        yield prefix, data
        return
    for at, choice in reader.objects(data, "choices", prefix, needed=True):
        message = reader.object(choice, "message", at, needed=True)
        if message is not None:
            yield inside(at, "message"), message

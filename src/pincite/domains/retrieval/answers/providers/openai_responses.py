"""Responses of OpenAI: annotations that name a file or an address; none has a cited text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..json_shape import AnswerReader, inside
from ..model import NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer

NAME = "openai-responses"
RANK = 10


def detect(data: Any) -> bool:
    """An object `response`, or one with an output of messages; also a message or its parts alone."""
    if isinstance(data, dict):
        if data.get("object") == "response":
            return True
        held = data.get("output", data.get("content"))
        return _has_parts(held)
    return _has_parts(data)


def _has_parts(held: Any) -> bool:
    for item in held if isinstance(held, list) else ():
        if isinstance(item, dict) and (item.get("type") in ("output_text", "file_search_call")):
            return True
        parts = item.get("content") if isinstance(item, dict) and item.get("type") == "message" else None
        if not isinstance(parts, list):
            continue
        if any(isinstance(part, dict) and part.get("type") == "output_text" for part in parts):
            return True
    return False


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The text of all parts, a blank line between them, and their annotations."""
    reader = AnswerReader(NAME)
    for at, part in _parts(reader, data, prefix):
        text = reader.text(part, "text", at, needed=True)
        offset = reader.add_text(text)
        for path, held in reader.objects(part, "annotations", at):
            if reader.enough(path):
                break
            _cite(reader, held, path, text, offset)
    return reader.answer(read_sent(request))


def _items(reader: AnswerReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(data, list):
        for number, item in enumerate(data):
            if reader.is_kind(item, dict, f"{prefix}[{number}]"):
                yield f"{prefix}[{number}]", item
    elif reader.is_kind(data, dict, prefix, "a response"):
        if "output" in data or "content" not in data:
            yield from reader.objects(data, "output", prefix, needed=True)
        else:
            yield prefix, data


def _parts(reader: AnswerReader, data: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part that is text, with its path."""
    for at, item in _items(reader, data, prefix):
        if item.get("type") == "output_text":
            yield at, item
        elif item.get("type", "message") == "message":
            for path, part in reader.objects(item, "content", at, needed=True):
                if part.get("type") == "output_text":
                    yield path, part


def _cite(reader: AnswerReader, held: dict[str, Any], at: str, text: str, offset: int) -> None:
    kind = reader.text(held, "type", at, needed=True)
    if kind == "file_path" or not kind:
        # A file that was made, not one that is cited.
        return
    if kind not in ("file_citation", "url_citation", "container_file_citation"):
        reader.unknown(at, "annotation", kind)
        return
    if kind == "file_citation":
        index = reader.number(held, "index", at)
        span = reader.span(index, index, len(text), inside(at, "index"), offset)
    else:
        span = reader.words(held, at, text, offset)
    if kind == "url_citation":
        name = reader.page(held, at)
    else:
        filename = reader.text(held, "filename", at, needed=True)
        name = NamedDocument(filename=filename, id=reader.text(held, "file_id", at, needed=True))
    reader.cite(at, span, name, is_mark=True)

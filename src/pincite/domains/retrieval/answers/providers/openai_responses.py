"""Responses of OpenAI: annotations that name a file or an address; none has a cited text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "openai-responses"
RANK = 10
_WITH_SPAN = ("url_citation", "container_file_citation")


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
    shape = JsonReader()
    pieces: list[str] = []
    citations: list[AnswerCitation] = []
    if isinstance(data, dict | list):
        size = 0
        for at, part in _parts(shape, data, prefix):
            text = shape.text(part, "text", at, needed=True)
            if pieces:
                pieces.append("\n\n")
                size += 2
            pieces.append(text)
            for path, held in shape.objects(part, "annotations", at):
                if shape.enough(path):
                    break
                citations += _citation(shape, held, path, text, size)
            size += len(text)
    else:
        shape.wrong(prefix, "wrong-type", f"expected a response, got {kind_of(data)}")
    marks = tuple(one.span for one in citations if one.is_mark and one.span is not None)
    return Answer(NAME, "".join(pieces), tuple(citations), read_sent(request), tuple(shape.defects), marks)


def _items(shape: JsonReader, data: dict[str, Any] | list[Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(data, dict):
        if "output" in data or "content" not in data:
            yield from shape.objects(data, "output", prefix, needed=True)
        else:
            yield prefix, data
        return
    for number, item in enumerate(data):
        if isinstance(item, dict):
            yield f"{prefix}[{number}]", item
        else:
            shape.wrong(f"{prefix}[{number}]", "wrong-type", f"expected an object, got {kind_of(item)}")


def _parts(shape: JsonReader, data: dict[str, Any] | list[Any], prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every part that is text, with its path."""
    for at, item in _items(shape, data, prefix):
        if item.get("type") == "output_text":
            yield at, item
        elif item.get("type", "message") == "message":
            for path, part in shape.objects(item, "content", at, needed=True):
                if part.get("type") == "output_text":
                    yield path, part


def _citation(shape: JsonReader, held: dict[str, Any], at: str, text: str, offset: int) -> Iterator[AnswerCitation]:
    kind = shape.text(held, "type", at, needed=True)
    if kind == "file_path" or not kind:
        # A file that was made, not one that is cited.
        return
    span: Span | None = None
    if kind == "file_citation":
        index = shape.number(held, "index", at)
        span = shape.span(index, index, len(text), inside(at, "index"))
        name = _file(shape, held, at)
    elif kind in _WITH_SPAN:
        start, end = shape.number(held, "start_index", at), shape.number(held, "end_index", at)
        span = shape.span(start, end, len(text), at)
        name = _file(shape, held, at) if kind != "url_citation" else _address(shape, held, at)
    else:
        shape.wrong(inside(at, "type"), "unknown-type", f"no kind of annotation is called {kind[:60]!a}")
        return
    moved = Span(span.start + offset, span.end + offset) if span is not None else None
    yield AnswerCitation(NAME, at, moved, name, is_mark=True)


def _file(shape: JsonReader, held: dict[str, Any], at: str) -> NamedDocument:
    name = shape.text(held, "filename", at, needed=True)
    return NamedDocument(filename=name, id=shape.text(held, "file_id", at, needed=True))


def _address(shape: JsonReader, held: dict[str, Any], at: str) -> NamedDocument:
    """A page of the web as OpenAI names it."""
    return NamedDocument(title=shape.text(held, "title", at), uri=shape.text(held, "url", at, needed=True))

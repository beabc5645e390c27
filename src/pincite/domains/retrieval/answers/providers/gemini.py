"""Grounding metadata of Gemini: segments of the answer, in UTF-8 bytes, and the chunks that support them.

The API writes `groundingMetadata`, the Python SDK `grounding_metadata`: both are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from .....search.model import UTF8
from ...foreign_offsets import Offsets
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, NamedDocument, PageSpan
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "gemini"
RANK = 60
_KINDS = ("retrievedContext", "web", "maps", "image")


def detect(data: Any) -> bool:
    """Candidates, or one candidate with its content."""
    if not isinstance(data, dict):
        return False
    if isinstance(data.get("candidates"), list):
        return True
    return "content" in data and bool({"groundingMetadata", "grounding_metadata"} & data.keys())


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The parts of all candidates, and a citation for every segment and chunk that belong together."""
    shape = JsonReader()
    pieces: list[str] = []
    citations: list[AnswerCitation] = []
    size = 0
    for candidate, at in _candidates(shape, data, prefix):
        if pieces:
            pieces.append("\n\n")
            size += 2
        content = shape.object(candidate, "content", at) or {}
        parts: dict[int, tuple[int, str]] = {}
        for number, (path, part) in enumerate(shape.objects(content, "parts", inside(at, "content"))):
            if part.get("thought") is True or "text" not in part:
                continue
            text = shape.text(part, "text", path)
            parts[number] = size, text
            pieces.append(text)
            size += len(text)
        key = _spelt(candidate, "groundingMetadata")
        grounding = shape.object(candidate, key, at)
        if grounding is not None:
            citations += _citations(shape, grounding, inside(at, key), parts)
    return Answer(NAME, "".join(pieces), tuple(citations), read_sent(request), tuple(shape.defects))


def _candidates(shape: JsonReader, data: Any, prefix: str) -> Iterator[tuple[dict[str, Any], str]]:
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a response, got {kind_of(data)}")
    elif "candidates" not in data and "content" in data:
        yield data, prefix
    else:
        for at, candidate in shape.objects(data, "candidates", prefix, needed=True):
            yield candidate, at


def _spelt(held: dict[str, Any], key: str) -> str:
    """The key as it is written here: as the API does, or as the SDK does."""
    if key in held:
        return key
    snake = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in key)
    return snake if snake in held else key


def _citations(
    shape: JsonReader, grounding: dict[str, Any], at: str, parts: dict[int, tuple[int, str]]
) -> Iterator[AnswerCitation]:
    chunks = list(shape.items(grounding, _spelt(grounding, "groundingChunks"), at))
    sources = [_source(shape, chunk, path) for path, chunk in chunks]
    bounds = {number: Offsets(text) for number, (_, text) in parts.items()}
    for path, support in shape.objects(grounding, _spelt(grounding, "groundingSupports"), at):
        segment = shape.object(support, "segment", path, needed=True)
        span = _segment(shape, segment, inside(path, "segment"), parts, bounds) if segment is not None else None
        key = _spelt(support, "groundingChunkIndices")
        for where, index in shape.items(support, key, path, needed=True):
            if shape.enough(where):
                return
            if not isinstance(index, int) or isinstance(index, bool):
                shape.wrong(where, "wrong-type", f"expected a whole number, got {kind_of(index)}")
            elif not 0 <= index < len(sources):
                shape.wrong(where, "index-out-of-range", f"there is no chunk {index}: the response has {len(sources)}")
            else:
                name, text, page = sources[index]
                yield AnswerCitation(NAME, where, span, name, place=page, carried=text)


def _source(shape: JsonReader, chunk: Any, at: str) -> tuple[NamedDocument, str, PageSpan | None]:
    """What a chunk is called, says, and on which page it stands."""
    if not isinstance(chunk, dict):
        shape.wrong(at, "wrong-type", f"expected an object, got {kind_of(chunk)}")
        return NamedDocument(), "", None
    key = next((_spelt(chunk, kind) for kind in _KINDS if chunk.get(_spelt(chunk, kind)) is not None), "")
    if not key:
        shape.wrong(at, "missing-field", "the chunk names no source")
        return NamedDocument(), "", None
    held = shape.object(chunk, key, at) or {}
    where = inside(at, key)
    uri = shape.text(held, "uri", where) or shape.text(held, _spelt(held, "sourceUri"), where)
    document = shape.text(held, _spelt(held, "documentName"), where)
    name = NamedDocument(title=shape.text(held, "title", where), uri=uri, id=document)
    rag = shape.object(held, _spelt(held, "ragChunk"), where) or {}
    beside = inside(where, _spelt(held, "ragChunk"))
    text = shape.text(held, "text", where) or shape.text(rag, "text", beside)
    page = shape.number(held, _spelt(held, "pageNumber"), where, needed=False)
    if page is not None:
        if page > 0:
            return name, text, PageSpan(page, page)
        shape.wrong(where, "offset-out-of-range", "pages are counted from 1")
    span = shape.object(rag, _spelt(rag, "pageSpan"), beside) or {}
    first, last = (shape.number(span, _spelt(span, f"{end}Page"), beside, needed=False) for end in ("first", "last"))
    if first is None or last is None:
        return name, text, None
    if not 0 < first <= last:
        shape.wrong(beside, "offset-reversed", f"pages {first}-{last} are none")
        return name, text, None
    return name, text, PageSpan(first, last)


def _segment(
    shape: JsonReader, held: dict[str, Any], at: str, parts: dict[int, tuple[int, str]], bounds: dict[int, Offsets]
) -> Span | None:
    """The words of the answer that a segment is, in code points."""
    # What is 0 is left out of a response.
    number = shape.number(held, _spelt(held, "partIndex"), at, needed=False) or 0
    start = shape.number(held, _spelt(held, "startIndex"), at, needed=False) or 0
    end = shape.number(held, _spelt(held, "endIndex"), at)
    said = shape.text(held, "text", at)
    if number not in parts:
        shape.wrong(at, "index-out-of-range", f"part {number} is no text of the answer")
        return None
    offset, text = parts[number]
    part = bounds[number]
    size = part.from_code_points(len(text), UTF8) or 0
    if end is not None and end > size:
        shape.wrong(at, "offset-out-of-range", f"{start}-{end} lies outside a part of {size} bytes")
        return None
    span = shape.span(start, end, size, at)
    if span is None:
        return None
    first, last = part.to_code_points(span.start, UTF8), part.to_code_points(span.end, UTF8)
    if first is None or last is None:
        shape.wrong(at, "offset-inside-character", f"{start}-{end} cuts a character: offsets are bytes of UTF-8")
        return None
    if said and text[first:last] != said:
        hint = "; it counts characters, not bytes" if text[span.start : span.end] == said else ""
        there = f"the answer has {text[first:last][:80]!r} there"
        shape.wrong(inside(at, "text"), "text-differs", f"{there}, not {said[:80]!r}{hint}")
        return None
    return Span(first + offset, last + offset)

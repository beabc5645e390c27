"""Grounding metadata of Gemini: segments of the answer, in UTF-8 bytes, and the chunks that support them.

The API writes `groundingMetadata`, the Python SDK `grounding_metadata`: both are read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .....core.model import Span
from .....search.model import UTF8
from ...foreign_offsets import Offsets
from ..json_shape import AnswerReader, inside
from ..model import NamedDocument, PageSpan
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer

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
    reader = AnswerReader(NAME)
    for candidate, at in _candidates(reader, data, prefix):
        gap = "\n\n"
        content = reader.object(candidate, "content", at) or {}
        parts: dict[int, tuple[int, str]] = {}
        for number, (path, part) in enumerate(reader.objects(content, "parts", inside(at, "content"))):
            if part.get("thought") is not True and "text" in part:
                text = reader.text(part, "text", path)
                parts[number] = reader.add_text(text, gap), text
                gap = ""
        if gap:
            reader.add_text("")
        key = _spelt(candidate, "groundingMetadata")
        grounding = reader.object(candidate, key, at)
        if grounding is not None:
            _cite(reader, grounding, inside(at, key), parts)
    return reader.answer(read_sent(request))


def _candidates(reader: AnswerReader, data: Any, prefix: str) -> Iterator[tuple[dict[str, Any], str]]:
    if not reader.is_kind(data, dict, prefix, "a response"):
        return
    if "candidates" not in data and "content" in data:
        yield data, prefix
        return
    for at, candidate in reader.objects(data, "candidates", prefix, needed=True):
        yield candidate, at


def _spelt(held: dict[str, Any], key: str) -> str:
    """The key as it is written here: as the API does, or as the SDK does."""
    if key in held:
        return key
    snake = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in key)
    return snake if snake in held else key


def _cite(reader: AnswerReader, grounding: dict[str, Any], at: str, parts: dict[int, tuple[int, str]]) -> None:
    chunks = list(reader.items(grounding, _spelt(grounding, "groundingChunks"), at))
    sources = [_source(reader, chunk, path) for path, chunk in chunks]
    bounds = {number: Offsets(text) for number, (_, text) in parts.items()}
    for path, support in reader.objects(grounding, _spelt(grounding, "groundingSupports"), at):
        segment = reader.object(support, "segment", path, needed=True)
        span = _segment(reader, segment, inside(path, "segment"), parts, bounds) if segment is not None else None
        for where, index in reader.items(support, _spelt(support, "groundingChunkIndices"), path, needed=True):
            if reader.enough(where):
                return
            if not reader.is_kind(index, int, where):
                continue
            if not 0 <= index < len(sources):
                reader.wrong(where, "index-out-of-range", f"there is no chunk {index}: the response has {len(sources)}")
                continue
            name, text, page = sources[index]
            reader.cite(where, span, name, place=page, carried=text)


def _source(reader: AnswerReader, chunk: Any, at: str) -> tuple[NamedDocument, str, PageSpan | None]:
    """What a chunk is called, says, and on which page it stands."""
    if not reader.is_kind(chunk, dict, at):
        return NamedDocument(), "", None
    key = next((_spelt(chunk, kind) for kind in _KINDS if chunk.get(_spelt(chunk, kind)) is not None), "")
    if not key:
        reader.wrong(at, "missing-field", "the chunk names no source")
        return NamedDocument(), "", None
    held = reader.object(chunk, key, at) or {}
    where = inside(at, key)
    uri = reader.text(held, "uri", where) or reader.text(held, _spelt(held, "sourceUri"), where)
    document = reader.text(held, _spelt(held, "documentName"), where)
    name = NamedDocument(title=reader.text(held, "title", where), uri=uri, id=document)
    rag = reader.object(held, _spelt(held, "ragChunk"), where) or {}
    beside = inside(where, _spelt(held, "ragChunk"))
    text = reader.text(held, "text", where) or reader.text(rag, "text", beside)
    page = reader.number(held, _spelt(held, "pageNumber"), where, needed=False)
    if page is not None:
        if page > 0:
            return name, text, PageSpan(page, page)
        reader.wrong(where, "offset-out-of-range", "pages are counted from 1")
    span = reader.object(rag, _spelt(rag, "pageSpan"), beside) or {}
    first, last = (reader.number(span, _spelt(span, f"{end}Page"), beside, needed=False) for end in ("first", "last"))
    if first is None or last is None:
        return name, text, None
    if not 0 < first <= last:
        reader.wrong(beside, "offset-reversed", f"pages {first}-{last} are none")
        return name, text, None
    return name, text, PageSpan(first, last)


def _segment(
    reader: AnswerReader, held: dict[str, Any], at: str, parts: dict[int, tuple[int, str]], bounds: dict[int, Offsets]
) -> Span | None:
    """The words of the answer that a segment is, in code points."""
    # What is 0 is left out of a response.
    number = reader.number(held, _spelt(held, "partIndex"), at, needed=False) or 0
    start = reader.number(held, _spelt(held, "startIndex"), at, needed=False) or 0
    end = reader.number(held, _spelt(held, "endIndex"), at)
    said = reader.text(held, "text", at)
    if number not in parts:
        reader.wrong(at, "index-out-of-range", f"part {number} is no text of the answer")
        return None
    offset, text = parts[number]
    part = bounds[number]
    size = part.from_code_points(len(text), UTF8) or 0
    if end is not None and end > size:
        reader.wrong(at, "offset-out-of-range", f"{start}-{end} lies outside a part of {size} bytes")
        return None
    span = reader.span(start, end, size, at)
    if span is None:
        return None
    first, last = part.to_code_points(span.start, UTF8), part.to_code_points(span.end, UTF8)
    if first is None or last is None:
        reader.wrong(at, "offset-inside-character", f"{start}-{end} cuts a character: offsets are bytes of UTF-8")
        return None
    if said and text[first:last] != said:
        hint = "; it counts characters, not bytes" if text[span.start : span.end] == said else ""
        there = f"the answer has {text[first:last][:80]!r} there"
        reader.wrong(inside(at, "text"), "text-differs", f"{there}, not {said[:80]!r}{hint}")
        return None
    return Span(first + offset, last + offset)

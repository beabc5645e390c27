"""Completions of Perplexity: a list of addresses, and `[n]` in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import JsonReader, inside, kind_of
from ..model import Answer, AnswerCitation, NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "perplexity"
RANK = 35
_MARK = re.compile(r"\[([0-9]{1,6})\](?!\()")


def detect(data: Any) -> bool:
    """A completion with search results, or with addresses of its citations."""
    if not isinstance(data, dict) or not isinstance(data.get("choices"), list):
        return False
    return any(isinstance(data.get(key), list) for key in ("search_results", "citations"))


def read(data: Any, request: Any = None, prefix: str = "") -> Answer:
    """The messages of all choices, a blank line between them, with a citation for every `[n]` in them."""
    shape = JsonReader()
    if not isinstance(data, dict):
        shape.wrong(prefix, "wrong-type", f"expected a completion, got {kind_of(data)}")
        return Answer(NAME, "", defects=tuple(shape.defects))
    said = list(_messages(shape, data, prefix))
    sources = list(_sources(shape, data, prefix))
    citations: list[AnswerCitation] = []
    marks: list[Span] = []
    size = 0
    for text, at in said:
        for mark in _MARK.finditer(text):
            path = f"{at}[{mark.start()}:{mark.end()}]"
            if shape.enough(path):
                break
            span = Span(mark.start() + size, mark.end() + size)
            marks.append(span)
            number = int(mark[1])
            if not 0 < number <= len(sources):
                wrong = f"{mark[0]} cites source {number}: the response has {len(sources)}"
                shape.wrong(path, "index-out-of-range", wrong)
                continue
            citations.append(AnswerCitation(NAME, path, span, sources[number - 1], is_mark=True))
        size += len(text) + 2
    whole = "\n\n".join(text for text, _ in said)
    return Answer(NAME, whole, tuple(citations), read_sent(request), tuple(shape.defects), tuple(marks))


def _messages(shape: JsonReader, data: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """The text of each choice, with its path."""
    for at, choice in shape.objects(data, "choices", prefix, needed=True):
        message = shape.object(choice, "message", at, needed=True) or {}
        where = inside(at, "message")
        yield shape.text(message, "content", where, needed=bool(message)), inside(where, "content")


def _sources(shape: JsonReader, data: dict[str, Any], prefix: str) -> Iterator[NamedDocument]:
    """What `[1]`, `[2]` … stand for: the citations where they are listed, with what the results know of them."""
    results: list[NamedDocument] = []
    for at, held in shape.items(data, "search_results", prefix):
        if isinstance(held, dict):
            results.append(
                NamedDocument(title=shape.text(held, "title", at), uri=shape.text(held, "url", at, needed=True))
            )
        else:
            shape.wrong(at, "wrong-type", f"expected an object, got {kind_of(held)}")
            results.append(NamedDocument())
    if not isinstance(data.get("citations"), list) or not data["citations"]:
        yield from results
        return
    by_address = {name.uri: name for name in results if name.uri}
    for at, address in shape.items(data, "citations", prefix):
        if isinstance(address, str):
            yield by_address.get(address, NamedDocument(uri=address))
        else:
            shape.wrong(at, "wrong-type", f"expected text, got {kind_of(address)}")
            yield NamedDocument()

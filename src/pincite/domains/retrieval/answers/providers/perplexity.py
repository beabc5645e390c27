"""Completions of Perplexity: a list of addresses, and `[n]` in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .....core.model import Span
from ..json_shape import AnswerReader, inside
from ..model import NamedDocument
from ..requests import read_sent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model import Answer

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
    reader = AnswerReader(NAME)
    if not reader.is_kind(data, dict, prefix, "a completion"):
        return reader.answer()
    said = list(_messages(reader, data, prefix))
    sources = list(_sources(reader, data, prefix))
    for text, at in said:
        offset = reader.add_text(text)
        for mark in _MARK.finditer(text):
            path = f"{at}[{mark.start()}:{mark.end()}]"
            if reader.enough(path):
                break
            span = Span(mark.start() + offset, mark.end() + offset)
            number = int(mark[1])
            if 0 < number <= len(sources):
                reader.cite(path, span, sources[number - 1], is_mark=True)
                continue
            reader.marks.append(span)
            wrong = f"{mark[0]} cites source {number}: the response has {len(sources)}"
            reader.wrong(path, "index-out-of-range", wrong)
    return reader.answer(read_sent(request))


def _messages(reader: AnswerReader, data: dict[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    """The text of each choice, with its path."""
    for at, choice in reader.objects(data, "choices", prefix, needed=True):
        message = reader.object(choice, "message", at, needed=True) or {}
        where = inside(at, "message")
        yield reader.text(message, "content", where, needed=bool(message)), inside(where, "content")


def _sources(reader: AnswerReader, data: dict[str, Any], prefix: str) -> Iterator[NamedDocument]:
    """What `[1]`, `[2]` … stand for: the citations where they are listed, with what the results know of them."""
    results = [
        reader.page(held, at) if reader.is_kind(held, dict, at) else NamedDocument()
        for at, held in reader.items(data, "search_results", prefix)
    ]
    if not isinstance(data.get("citations"), list) or not data["citations"]:
        yield from results
        return
    by_address = {name.uri: name for name in results if name.uri}
    for at, address in reader.items(data, "citations", prefix):
        known = NamedDocument(uri=address) if reader.is_kind(address, str, at) else NamedDocument()
        yield by_address.get(known.uri, known)

"""What stands around cited words in their document: the rest of their sentence, and the sentences beside it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from ....quotes.exact_match import matches, phrase
from ....text.sentences import split_sentences
from .model import Chars, PageSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .compare import Place
    from .documents import AnswerDocument

MOST_PLACES = 20
"""At how many places of the same words their surroundings are read."""
_REACH = 1500
_LONGEST = 600
_FARTHEST = 3000
"""Characters up and down within which the ends of a list are looked for."""
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|[0-9]{1,4}[.)])[ \t]")
_IN_LIST = re.compile(r"[ \t>]*(?:(?:[-*+•]|[0-9]{1,4}[.)])[ \t]|\r?\n)|[ \t]+\S")
_BREAK = re.compile(r"[^\S\n]*\n\s*\n\s*")
_SPACE = re.compile(r"[^\S\n]+|(?<!\n)\n(?!\n)")


Surroundings = tuple[str, str, str]
"""What precedes some words, the words, and what follows them."""


def find_surroundings(document: AnswerDocument, words: str, place: Place) -> Iterator[list[Surroundings]]:
    """What the words are read with at each place where they stand: their sentence, and the list whose item they are."""
    if isinstance(place, Chars) and not document.is_paged:
        for text in dict.fromkeys((document.raw, document.pages[0])):
            there = text[place.start : place.end]
            if place.end <= len(text) and there.split() == words.split():
                yield _read_all(text, place.start, place.end)
                return
    sought = phrase(words)
    if sought is None:
        return
    for layer in document.look_up().layers[:1]:
        for hit in islice(matches(layer, sought), MOST_PLACES):
            if isinstance(place, PageSpan) and not place.first - 1 <= layer.page_at(hit.start) <= place.last - 1:
                continue
            yield _read_all(layer.text, hit.start, hit.end)


def _read_all(text: str, start: int, end: int) -> list[Surroundings]:
    listed = read_list(text, start, end)
    return [read_around(text, start, end), *([listed] if listed is not None else [])]


def read_around(text: str, start: int, end: int) -> Surroundings:
    """The sentence and its neighbours around a stretch: before, the stretch, after; white space folded."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    window = text[first:last]
    spans = [(first + begin, first + stop) for begin, stop in split_sentences(window)]
    earlier = [begin for begin, _ in spans if begin <= start]
    later = [stop for _, stop in spans if stop >= end]
    begin = max(earlier[-2] if len(earlier) > 1 else first, start - _LONGEST)
    stop = min(later[1] if len(later) > 1 else last, end + _LONGEST)
    return _fold(text[begin:start]), _fold(text[start:end]), _fold(text[end:stop])


def read_list(text: str, start: int, end: int) -> Surroundings | None:
    """The line that leads into the list whose item a stretch is in, the stretch, and what follows the list."""
    line = text.rfind("\n", 0, start) + 1
    if not _ITEM.match(text, line):
        return None
    first = line
    while first and start - first < _FARTHEST:
        above = text.rfind("\n", 0, first - 1) + 1
        if not _IN_LIST.match(text, above):
            break
        first = above
    last = end
    while last < len(text) and last - end < _FARTHEST:
        stop = text.find("\n", last)
        if stop < 0 or not _IN_LIST.match(text, stop + 1):
            last = stop if stop >= 0 else len(text)
            break
        last = stop + 1
    above = text.rfind("\n", 0, max(0, first - 1)) + 1
    below = text.find("\n", last + 1)
    lead, rest = text[above:first].strip(), text[last : below if below >= 0 else len(text)].strip()
    return f"{lead[-_LONGEST:]}\n", _fold(text[start:end]), f"\n{rest[:_LONGEST]}"


def _fold(text: str) -> str:
    """White space as single spaces, but for the breaks between paragraphs."""
    return _SPACE.sub(" ", _BREAK.sub("\n", text).replace("\n", "\n\n")).replace("\n\n", "\n")

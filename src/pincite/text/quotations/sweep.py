"""What a paragraph presents as quoted and no rule gives to a citation: it may be quoted from there, or not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..sentences import has_stop
from .block_quotes import QuotedWords
from .mark_pairs import MARKS, STRAY, clean, without_citations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .surface import Surface

_LONGEST_LEAD = 200
"""Characters between a quote in the paragraph above and its citation."""
_MOST_ABOVE = 20
"""How many paragraphs of one quote are looked at."""
_OPENS, _AROUND = '“„«"「『❝', " \t\n*_.—–-\x01"
_MOST = 50
"""How many quotes of one paragraph are looked up one by one."""
# Where something else begins in the lines of a paragraph: an item of a list, a heading, a row of a table.
_BEGINS = re.compile(r"\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)")


def item_start(surface: Surface, begin: int, start: int) -> int:
    """Where the item or row begins that holds a place of a paragraph."""
    return max((found.start() for found in _BEGINS.finditer(surface.prose, begin, start)), default=begin)


def item_end(surface: Surface, end: int, stop: int) -> int:
    """Where the item or row ends that holds a place of a paragraph."""
    found = _BEGINS.search(surface.prose, end, stop)
    return found.start() if found is not None else stop


def read_above(surface: Surface, low: int, start: int) -> list[QuotedWords]:
    """The paragraphs above that of a citation that are nothing but a quote, or that its own quote goes on from.

    A quote of several paragraphs opens each of them and closes the last.
    """
    begin = surface.paragraph_start(start, low)
    if start - begin > _LONGEST_LEAD and surface.prose[begin : begin + 1] not in _OPENS:
        return []
    found: list[QuotedWords] = []
    for _ in range(_MOST_ABOVE):
        end = low + len(surface.prose[low:begin].rstrip())
        if end <= low or not surface.has_sign(low, end) or surface.prose.count("\n", end, begin) > 2:
            break
        first = surface.paragraph_start(end - 1, low)
        goes_on = surface.prose[begin : begin + 1] in _OPENS and surface.prose[first] in _OPENS
        if not found and not goes_on and has_stop(surface.prose, begin, start):
            break
        text = surface.prose[first:end].strip(_AROUND)
        pairs = surface.find_pairs(first, end)
        whole = len(text) > 1 and text[0] in MARKS and text[-1] in MARKS
        if not whole and not (goes_on and (not pairs or pairs[0].start() > first)):
            break
        words = clean(without_citations(surface.shown[first:end].strip(_AROUND + _OPENS + "”»")))
        found += [QuotedWords(words, False)] if words else []
        begin = first
    return found


def sweep(surface: Surface, begin: int, end: int, known: Sequence[QuotedWords]) -> list[QuotedWords]:
    """All that stands in quotation marks between two places, and what stands beside a mark without a partner."""
    if begin >= end or not surface.has_sign(begin, end):
        return []
    pairs = surface.find_pairs(begin, end)
    texts = {words.text for words in known}
    found: list[QuotedWords] = []
    for pair in pairs[:_MOST]:
        read = surface.read_marked(pair)
        words = read.text if read is not None else ""
        # Where there are very many, those that are not looked up one by one stand together.
        many = len(texts) > _MOST and any(words in text for text in texts)
        if words and words not in texts and not many:
            found.append(QuotedWords(words, False))
    if len(pairs) > _MOST and len(texts) <= _MOST:
        rest = clean(surface.shown[pairs[_MOST].start() : end])
        found += [QuotedWords(rest, False)] if rest else []
    beside = _beside_strays(surface, begin, end, pairs)
    # What another rule read in front of the same mark may be cut at another place.
    if beside and not any(beside in text or text in beside for text in texts):
        found.append(QuotedWords(beside, False))
    return found


def _beside_strays(surface: Surface, begin: int, end: int, pairs: list[re.Match[str]]) -> str:
    """The words between marks that are part of no pair; of a single one, those on the side that it is turned to."""
    prose = surface.prose
    strays: list[int] = []
    row = 0
    for stray in STRAY.finditer(prose, begin, end):
        while row < len(pairs) and pairs[row].end() <= stray.start():
            row += 1
        if row == len(pairs) or stray.start() < pairs[row].start():
            strays.append(stray.start())
    if not strays:
        return ""
    first, last = strays[0], strays[-1]
    if first == last:
        opens = prose[first + 1 : first + 2].strip() != "" and not (first > begin and prose[first - 1].isalnum())
        first, last = (first, end) if opens else (begin, first)
    return clean(without_citations(surface.shown[first:last].strip(' \t\n"“”„‟«»([')))

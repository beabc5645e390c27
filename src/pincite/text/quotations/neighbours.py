"""The quotes around a citation: in its sentence, in the paragraph beside it, and the block quote it belongs to.

What a paragraph presents as quoted and no rule gives to a citation may be quoted from there, or not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..sentences import has_stop
from .block_quotes import SAYING, QuotedWords, find_break
from .mark_pairs import (
    CLOSED,
    CLOSES_ALONE,
    CLOSES_LATER,
    MARKS,
    OPENED,
    PAIR,
    STRAY,
    clean,
    inner_span,
    without_citations,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .surface import Surface

_LONGEST_LEAD = 200
"""Characters between a block quote, or a quote in the paragraph above, and its citation."""
_MOST_ABOVE = 20
"""How many paragraphs of one quote are looked at."""
_OPENS, _AROUND = '“„«"「『❝', " \t\n*_.—–-\x01"
_MOST = 50
"""How many quotes of one sentence or paragraph are looked up one by one."""
# Where something else begins in the lines of a paragraph: an item of a list, a heading, a row of a table.
_BEGINS = re.compile(r"\n[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]|\|)")
_GAP = 80
"""Characters between a quote and its citation beyond which it may belong to something else."""
# A mark that closes a quote, and nothing but signs between it and a citation; and the way round.
_ENDS_QUOTE = re.compile(
    # Examples: `” — `, `" (see `.
    rf"""
    (?:[{MARKS}’']|´´)[\s|*+—–.,;:()\[\]_#-]{{0,40}}
    (?:(?:see|from|source|quelle|as\ in|in|cf\.?|via|per|ref|reference|cited\ in|quoted\ in|taken\ from)
    [\s:*_(\[]{{1,9}})?\Z
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TO_QUOTE = re.compile(r"[\s|*+—–.,;:()\[\]_#-]{1,40}\x01{0,40}")
_TO_INTRODUCED = re.compile(r"[^\n\0]{0,200}:[ \t*_]*\n[\s*_~(\[]{0,40}\x01{0,40}")
_TO_BLOCK = " \t\n—–-(["
_LEADS = re.compile(
    # Examples: `— `, `**Source:**`.
    r"""
    (?:\s|<(?:/figure|p|div|cite|figcaption|footer|small|span|em|i|b)(?:\s[^<>\n]{0,150})?>)*
    (?:—|–|--|\(|[*_]{0,3}(?:Source|From|Quelle)[*_]{0,3}:[*_]{0,3})?
    (?:\s|<(?:cite|small|span|em|i|b)(?:\s[^<>\n]{0,150})?>)*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SENTENCE = 400
"""How far from a citation a verb of saying is looked for."""


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


class Neighbours:
    """Finds quotes in one document; what was found for one citation says what is left for the next."""

    def __init__(self, surface: Surface, spans: list[tuple[int, int]] | None) -> None:
        self._surface = surface
        self._spans = spans
        """Where to put the places of words that are surely quoted, if anywhere."""
        self.interrupted = (0, 0, "")
        """The last quote with citations inside: where it begins and ends, and its words."""
        self.contested = False
        """Whether the quote of the last citation may as well be that of the next."""

    def find_beside(self, start: int, end: int, low: int) -> tuple[list[QuotedWords], int]:
        """The quotes in front of a citation or around it, and where they end."""
        surface = self._surface
        block = surface.find_block(start)
        if block is not None and not surface.is_notice(block):
            begin = block[0]
            if low > begin:
                # What goes on behind another citation up to the end of its paragraph or item is not this one's.
                begin = max(low, find_break(surface.prose, low, start))
            words = surface.read_block(begin, start)
            self._note(words, begin, start)
            return words, start
        if start >= self.interrupted[1] and not surface.has_sign(low, start):
            return [], 0
        around, last = self._find_enclosing(low, start, end)
        if any(words.sure for words in around):
            return around, last
        before, until = self._before(low, start)
        if not before:
            before, until = self._above(low, start)
        if not before and not around:
            before, until = self._adjacent(low, start)
        return before + around + read_above(surface, low, start), max(until, last)

    def _find_enclosing(self, low: int, start: int, end: int) -> tuple[list[QuotedWords], int]:
        """The quote that a citation stands in; surely its own where it ends there."""
        prose = self._surface.prose
        if start < self.interrupted[1] and self.interrupted[0] < start:
            return [QuotedWords(self.interrupted[2], False)], 0
        begin = self._surface.paragraph_start(start, low)
        opened = OPENED.search(prose, begin, start)
        if opened is None:
            return [], 0
        closed = CLOSED.match(prose, end)
        if closed is not None:
            words = clean(self._surface.shown[opened.start(1) : start].rstrip(" \t\n(["))
            found = [QuotedWords(words)] if words else []
            self._note(found, opened.start(), end)
            return found, closed.end()
        later = CLOSES_LATER.match(prose, end, self._surface.paragraph_end(end))
        last = later.start(1) if later is not None else start
        words = clean(without_citations(self._surface.shown[opened.start(1) : last]))
        if later is not None and words:
            self.interrupted = opened.start(), later.end(), words
        # Whether all of it is quoted from there nothing says, nor where a quote ends that is never closed.
        return ([QuotedWords(words, False)] if words else []), 0

    def _before(self, low: int, start: int) -> tuple[list[QuotedWords], int]:
        """The quotes before a citation in its sentence, the last one first; those far from it may be another's."""
        prose = self._surface.prose
        begin = self._surface.paragraph_start(start, low)
        quotes: list[QuotedWords] = []
        near = True
        end, until = 0, start
        pairs = self._surface.find_pairs(begin, start)
        checked = start
        for pair in reversed(pairs):
            if has_stop(prose[pair.end() : checked].rstrip(" [(")):
                break
            checked = pair.start()
            words = self._surface.read_marked(pair)
            if words is None:
                continue
            if len(quotes) == _MOST:
                quotes.append(QuotedWords(clean(self._surface.shown[begin : pair.end()]) or words.text, False))
                break
            near = near and until - pair.end() <= _GAP
            quotes.append(QuotedWords(words.text, near and words.sure))
            self._note(quotes[-1:], *pair.span())
            end, until = end or pair.end(), pair.start()
        if not any(words.sure for words in quotes):
            quotes += self._closed_alone(pairs[-1].end() if pairs else begin, start)
        return [*quotes[:1], *reversed(quotes[1:])], end

    def _closed_alone(self, begin: int, start: int) -> list[QuotedWords]:
        """The words in front of a mark that closes what nothing opened, shortly before a citation."""
        prose = self._surface.prose
        marks = list(CLOSES_ALONE.finditer(prose, begin, start))
        if not marks or start - marks[-1].end() > _GAP or has_stop(prose[marks[-1].end() : start].rstrip(" [(")):
            return []
        if self.interrupted[1] == marks[-1].end():
            return [QuotedWords(self.interrupted[2])]
        words = clean(self._surface.shown[begin : marks[-1].start()])
        return [QuotedWords(words, False)] if words else []

    def _above(self, low: int, start: int) -> tuple[list[QuotedWords], int]:
        """The block quote above the sentence of a citation: surely its own where nothing but a dash parts them."""
        surface = self._surface
        begin = surface.paragraph_start(start, low)
        if start - begin > _LONGEST_LEAD:
            return [], 0
        block = surface.block_above(begin, low)
        lead = surface.prose[begin:start]
        if block is None or surface.is_notice(block):
            return [], 0
        sure = _LEADS.fullmatch(lead) is not None
        if not sure and has_stop(lead):
            return [], 0
        words = [QuotedWords(one.text, one.sure and sure) for one in surface.read_block(max(block[0], low), block[1])]
        self._note(words, max(block[0], low), block[1])
        return words, block[1]

    def _adjacent(self, low: int, start: int) -> tuple[list[QuotedWords], int]:
        """A quote in the paragraph, item or cell before, with nothing but signs between it and the citation."""
        prose = self._surface.prose
        mark = _ENDS_QUOTE.search(prose, max(low, start - 60), start)
        if mark is None:
            return [], 0
        last = mark.start() + 1
        begin = self._surface.paragraph_start(last, low)
        pair = next((pair for pair in self._surface.find_pairs(begin, last) if pair.end() == last), None)
        words = self._inside(pair) if pair is not None else ""
        if not words:
            return [], 0
        return [QuotedWords(words, False)], last

    def find_after(self, end: int, ceiling: int, follows: bool) -> tuple[list[QuotedWords], int]:
        """The quotes after a citation, in the same sentence, unless the next citation ends them."""
        prose = self._surface.prose
        stop = min(ceiling, self._surface.paragraph_end(end))
        follows = follows and stop == ceiling
        quotes: list[QuotedWords] = []
        since = last = checked = end
        near = True
        for found in self._surface.find_pairs(end, stop):
            if has_stop(prose, checked, found.start()):
                break
            checked = found.end()
            words = self._surface.read_marked(found)
            if words is not None and follows and self._is_of_next(end, stop, found):
                if quotes or not self._is_between(end, stop, found):
                    break
                self.contested = True
            if words is None:
                continue
            if len(quotes) == _MOST:
                quotes.append(QuotedWords(clean(self._surface.shown[found.start() : stop]) or words.text, False))
                break
            near = near and found.start() - since <= _GAP
            quotes.append(QuotedWords(words.text, near and words.sure))
            self._note(quotes[-1:], *found.span())
            since = last = found.end()
        if not quotes:
            return self._after_break(end, stop, ceiling, follows)
        return quotes, last

    def _after_break(self, end: int, stop: int, ceiling: int, follows: bool) -> tuple[list[QuotedWords], int]:
        """A quote in the next paragraph that a citation introduces, or one that is opened and never closed."""
        prose = self._surface.prose
        for pattern, sure in ((_TO_INTRODUCED, True), (_TO_QUOTE, False)):
            gap = pattern.match(prose, end, ceiling)
            pair = PAIR.match(prose, gap.end(), ceiling) if gap is not None else None
            if pair is None or gap is None or has_stop(gap[0].rstrip()):
                continue
            words = self._inside(pair)
            if words and not (ceiling < len(prose) and self._is_of_next(end, ceiling, pair)):
                found = [QuotedWords(words, sure)]
                self._note(found, *pair.span())
                return found, pair.end()
        opened = OPENED.search(prose, end, stop) if not follows else None
        if opened is not None and not has_stop(prose, end, opened.start()):
            words = clean(self._surface.shown[opened.start(1) : stop])
            return ([QuotedWords(words, False)] if words else []), stop
        return [], 0

    def _is_of_next(self, end: int, stop: int, found: re.Match[str]) -> bool:
        """Whether a quote between two citations belongs to the second: it is in its sentence, and not given by `:`."""
        prose = self._surface.prose
        if prose[end : found.start()].rstrip(" \t\n])").endswith(":"):
            return False
        return stop - found.end() <= _GAP and not has_stop(prose, found.end(), stop)

    def _is_between(self, end: int, stop: int, found: re.Match[str]) -> bool:
        """Whether the one quote between two citations may be that of either: words stand on both sides of it."""
        prose = self._surface.prose
        if found.start() - end > _GAP or self._surface.find_pairs(found.end(), stop):
            return False
        sides = prose[end : found.start()], prose[found.end() : stop]
        return all(any(map(str.isalpha, side)) for side in sides)

    def find_below(self, start: int, end: int, ceiling: int, follows: bool) -> tuple[list[QuotedWords], int]:
        """The block quote that a citation introduces, unless another citation ends it."""
        surface = self._surface
        stop = surface.paragraph_end(end)
        if stop - end > _LONGEST_LEAD or ceiling < stop:
            return [], 0
        tail = surface.prose[end:stop]
        block = surface.block_below(stop)
        if block is None or ceiling < block[1] or surface.is_notice(block) or has_stop(tail.rstrip(" *_")[:-1]):
            return [], 0
        if follows and not surface.prose[block[1] : ceiling].strip(_TO_BLOCK):
            return [], 0
        sure = tail.rstrip(" \t\n*_").endswith((":", "："))
        begin = surface.paragraph_start(start, max(0, start - _SENTENCE))
        if not sure and not SAYING.search(surface.prose, begin, stop) and follows:
            # The next citation may say of it where it is from.
            below = surface.paragraph_start(ceiling, 0)
            if ceiling - below <= _LONGEST_LEAD and surface.block_above(below, 0) == block:
                return [], 0
        words = [QuotedWords(one.text, one.sure and sure) for one in surface.read_block(*block)]
        self._note(words, *block)
        return words, block[1]

    def find_rest(
        self, block: tuple[int, int], start: int, end: int, ceiling: int, known: bool
    ) -> tuple[list[QuotedWords], int]:
        """What goes on behind a citation in its block quote, where no other citation follows there."""
        surface = self._surface
        stop = block[1] if ceiling >= block[1] else find_break(surface.prose, end, ceiling)
        first = surface.rest_start(block, start, end)
        if first >= stop or surface.is_notice(block):
            return [], 0
        words = surface.read_block(first, stop)
        if surface.is_head(block, start):
            self._note(words, first, stop)
            return words, stop
        inner = {self._inside(pair) for pair in surface.find_pairs(first, stop)} if not known else set()
        return [QuotedWords(one.text, one.sure and one.text in inner) for one in words], stop if words else 0

    def _note(self, words: list[QuotedWords], start: int, end: int) -> None:
        """Keep where words are quoted."""
        if self._spans is not None and any(one.sure for one in words):
            self._spans.append((start, end))

    def _inside(self, pair: re.Match[str]) -> str:
        """What stands between two marks; nothing where that is code."""
        start, end = inner_span(pair)
        return clean(self._surface.shown[start:end]) if not self._surface.is_code(start, end) else ""

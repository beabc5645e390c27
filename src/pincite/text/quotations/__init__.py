"""Which words a citation quotes: those in quotation marks beside it, or the block quote it ends.

What is presented as quoted and may belong to a citation is given with it, sure or doubtful: nothing is passed over.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.model import Citation, Malformed, Quote
from .block_quotes import QuotedWords
from .mark_pairs import MARKS, is_quotation, read_pair
from .neighbours import Neighbours, item_end, item_start, sweep
from .presence import has_no_quotes
from .surface import Surface

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..document import Document

__all__ = ["MARKS", "QuotationFinder", "has_no_quotes", "is_quotation", "read_pair"]

_MOST_SHARED = 1000
"""Citations in a row that may share a quote: those behind them cite no words."""
_MOST_NOTED = 8
"""How many places that refer to one footnote are looked at."""
_NOTED = 20_000
"""How far in front of a footnote's number a quote may begin."""
_REFERENCE = re.compile(
    r"\[\^[^\[\]\s]{1,60}\]|REF-[0-9]{1,20}[^\[\]\n]{0,60}\]?|\[[^\[\]\n]{0,99}@\w[^\[\]\n]{0,199}\]"
)


class QuotationFinder:
    """Finds the quotes beside the citations of one document."""

    def __init__(self, document: Document, spans: list[tuple[int, int]] | None = None) -> None:
        self._document = document
        self._spans = spans
        """Where to put the places of words that are surely quoted, if anywhere."""
        self._surface: Surface
        """How the text looks without its markup; made once it is known that anything is quoted."""
        self._near: Neighbours

    def attach(self, items: Iterable[Citation | Malformed]) -> Iterator[Citation | Malformed]:
        """The same citations, each with the words it quotes."""
        ahead = iter(items)
        item = next(ahead, None)
        if item is None:
            return
        if has_no_quotes(self._document.text, self._document.path):
            yield item
            yield from ahead
            return
        self._surface = Surface(self._document.text, self._document.prose, self._document.path)
        self._near = Neighbours(self._surface, self._spans)
        prose = self._surface.prose
        taken = floor = 0
        """Where the last quote ended: one quote belongs to the citations that follow it directly, or to one before.
        And where the last citation did."""
        row: list[Citation | Malformed] = []
        """The last citation, and those before it that share its quote."""
        while item is not None:
            following = next(ahead, None)
            ceiling = following.span.start if following is not None else len(prose)
            shared = None
            if isinstance(item, Citation):
                earlier = row[-1] if row else None
                shared = self._shared_quote(item, earlier, floor, ceiling, following is not None)
                if shared is not None:
                    quote, end = shared if len(row) < _MOST_SHARED else (None, 0)
                    if quote is not None and isinstance(earlier, Citation) and quote is not earlier.quote:
                        row = [replace(one, quote=quote) for one in row if isinstance(one, Citation)]
                else:
                    quote, end = self._quote_of(item, floor, taken, ceiling, following is not None)
                taken = max(taken, end)
                item = replace(item, quote=quote) if quote is not None else item
            if shared is None:
                yield from row
                row = []
            row.append(item)
            floor, item = item.span.end, following
        yield from row

    def _shared_quote(
        self, item: Citation, earlier: Citation | Malformed | None, floor: int, ceiling: int, follows: bool
    ) -> tuple[Quote, int] | None:
        """The quote that a citation shares with the one before it, and where words end that were added to it.

        It stands in one of them; which, is found out by looking. They share it, and one is held to it.
        """
        between = self._surface.prose[floor : item.span.start].strip(" \t\n,;&")
        contested, self._near.contested = self._near.contested, False
        if not (isinstance(earlier, Citation) and earlier.quote is not None):
            return None
        if not contested and between not in ("", "and", "][", ") ("):
            return None
        start, end = item.span.start, item.span.end
        behind, last = self._behind(start, end, ceiling, follows)
        block = self._surface.find_block(start)
        if block is not None:
            rest, until = self._near.find_rest(block, start, end, ceiling, True)
            behind, last = behind + rest, max(last, until)
        behind += self._sweep_paragraph(end, ceiling, follows, behind)
        shared = earlier.quote
        separate = contested or between == "and" or shared.exact in shared.doubtful
        if separate and any(words.sure for words in behind):
            # Each has words of its own: “…” [1] and [2] says “…”.
            return None
        texts = {shared.exact, *shared.others}
        added = tuple(text for text in dict.fromkeys(words.text for words in behind) if text not in texts)
        if added:
            shared = Quote(shared.exact, (*shared.others, *added), (*shared.doubtful, *added))
        return shared, last

    def _quote_of(
        self, item: Citation, floor: int, taken: int, ceiling: int, follows: bool
    ) -> tuple[Quote | None, int]:
        """What a citation quotes, and where that ends; 0 where that takes nothing from the next."""
        start, end, low = item.span.start, item.span.end, max(floor, taken)
        surface = self._surface
        if start >= self._near.interrupted[1] and surface.is_plain(floor, start, ceiling):
            return None, 0
        found, until = self._near.find_beside(start, end, low)
        block = surface.find_block(start)
        if block is None or not found:
            behind, last = self._behind(start, end, ceiling, follows)
            sure = not any(words.sure for words in found)
            found += [QuotedWords(words.text, words.sure and sure) for words in behind]
            until = max(until, last)
        sure = not any(words.sure for words in found)
        found += [QuotedWords(words.text, words.sure and sure) for words in self._find_at_footnotes(start)]
        if block is not None:
            rest, last = self._near.find_rest(block, start, end, ceiling, bool(found))
            found, until = found + rest, max(until, last)
        found = self._cells(start, low, ceiling) + found
        if block is None or surface.is_notice(block):
            found += sweep(surface, item_start(surface, surface.paragraph_start(start, low), start), start, found)
            found += self._sweep_paragraph(end, ceiling, follows, found)
            found += surface.read_labelled(low, start, end, ceiling)
        return _quote(found), max(until, 1)

    def _behind(self, start: int, end: int, ceiling: int, follows: bool) -> tuple[list[QuotedWords], int]:
        """The quotes behind a citation in its sentence, or the block quote that it introduces."""
        if not self._surface.has_sign(end, ceiling):
            return [], 0
        behind, last = self._near.find_after(end, ceiling, follows)
        return (behind, last) if behind else self._near.find_below(start, end, ceiling, follows)

    def _sweep_paragraph(self, end: int, ceiling: int, follows: bool, known: list[QuotedWords]) -> list[QuotedWords]:
        """What is quoted further on in the paragraph of a citation, where no other follows there."""
        stop = self._surface.paragraph_end(end)
        if follows and ceiling <= stop:
            return []
        return sweep(self._surface, end, item_end(self._surface, end, stop), known)

    def _cells(self, start: int, low: int, ceiling: int) -> list[QuotedWords]:
        """What the row of a table quotes in which a citation stands; surely its own where it is the only one."""
        row = self._surface.find_cells(start)
        if row is None:
            return []
        alone = low <= row[0] and ceiling >= row[1]
        return [QuotedWords(words.text, words.sure and alone) for words in row[2]]

    def _find_at_footnotes(self, start: int) -> list[QuotedWords]:
        """The quotes at the places that refer to the footnote in which a citation stands."""
        surface = self._surface
        places = surface.find_references(start)
        found: list[QuotedWords] = []
        for first, last in places[:_MOST_NOTED]:
            begin = surface.paragraph_start(first, max(0, first - _NOTED))
            before = [match.end() for match in _REFERENCE.finditer(surface.prose, begin, first)]
            low = before[-1] if before else max(0, first - _NOTED)
            words, _ = self._near.find_beside(first, last, low)
            found += words
            stop = surface.paragraph_end(last)
            after = _REFERENCE.search(surface.prose, last, stop)
            found += sweep(surface, item_start(surface, max(begin, low), first), first, found)
            if after is None:
                found += sweep(surface, last, item_end(surface, last, stop), found)
        if len(places) > _MOST_NOTED and found:
            found.append(QuotedWords(" … ".join(words.text for words in found) + f" ({len(places)})", False))
        return found


def _quote(found: list[QuotedWords]) -> Quote | None:
    """Words as one selector, those that are surely quoted first."""
    sure = dict.fromkeys(words.text for words in found if words.sure)
    doubtful = [text for text in dict.fromkeys(words.text for words in found) if text not in sure]
    texts = [*sure, *doubtful]
    return Quote(texts[0], tuple(texts[1:]), tuple(doubtful)) if texts else None

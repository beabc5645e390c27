"""Which words a citation quotes: those in quotation marks beside it, or the block quote it ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from .markup import unified
from .model import Citation, Malformed, Quote

if TYPE_CHECKING:
    from .document import Document

    Item = TypeVar("Item", bound=Citation | Malformed)

MARKS = '"“”„«»'
_REACH = 3000
"""How far from a citation a quote may begin."""
_GAP = 80
_FEWEST_WORDS, _FEWEST_CHARACTERS = 3, 12
# A pair of marks; straight ones open after white space or an opening mark, and close before neither.
_PAIR = re.compile(
    r"“([^“”\0]{1,3000})”|„([^„“”\0]{1,3000})[“”]|«([^«»\0]{1,3000})»"
    r"|(?<![\w\"])\"(?=[^\s\"])([^\"\0]{1,3000}?)(?<![\s(\[])\"(?!\w)"
)
_BLANK = re.compile(r"\n[ \t>]*\n")
_STOP = re.compile(r"[.!?](?=[\s)\]])|\n[ \t]*(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]")
_WORD = re.compile(r"[^\W_]+")
# What a quote carries that is not part of its words: emphasis, escapes, marks of a block quote.
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)|(?<=[^\s\\])(\*{1,3}|_{1,3})(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_QUOTE_LINE = re.compile(r"[ \t]{0,3}>[ \t>]*")
# Who said it: a line that begins with a dash, or what follows one behind the end of a sentence, or a name behind one.
_ATTRIBUTION = re.compile(
    r"(?:^|\n|(?<=[.!?…\"”’'»)*_])[ \t])[ \t]*(?:—|–|--)[ \t]*[^\n]{0,200}\Z"
    r"|[ \t](?:—|–|--)[ \t]*(?:[*_]{0,3}[^\Wa-z\d_][^\n—–]{0,60})?\Z"
)
_BLOCK_ABOVE = re.compile(r"((?:^[ \t]{0,3}>[^\n]*\n)+)(?:[ \t]*\n)?[ \t]*(?:—|–|--|\()?[ \t]*\Z", re.MULTILINE)


class Quoted:
    """Finds the quotes beside the citations of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._none = has_no_quotes(document.text)
        self._prose = "" if self._none else unified(document.prose)

    def attach(self, items: list[Item]) -> list[Item]:
        """The same citations, each with the words it quotes."""
        if self._none or len(self._prose) != len(self._document.text):
            return items
        found: list[Item] = []
        taken = 0
        """Where the last quote ended: one quote belongs to the citations that follow it directly, or to one before."""
        for number, item in enumerate(items):
            if isinstance(item, Malformed):
                found.append(item)
                continue
            floor = items[number - 1].span.end if number else 0
            ceiling = items[number + 1].span.start if number + 1 < len(items) else len(self._prose)
            chained = number > 0 and self._prose[floor : item.span.start].strip(" \t\n,;&") in ("", "and", "][", ") (")
            earlier = found[-1] if found else None
            if chained and isinstance(earlier, Citation) and earlier.quote is not None:
                # The quote stands in one of them; which, only a reader knows. The nearest is held to it.
                found.append(item)
                continue
            quote, end = self._before(max(floor, taken), item.span.start)
            if not quote:
                quote, end = self._after(item.span.end, ceiling, number + 1 < len(items))
            if quote:
                taken = max(taken, end)
            found.append(replace(item, quote=Quote(quote)) if quote else item)
        return found

    def _before(self, floor: int, start: int) -> tuple[str, int]:
        """The quote that ends shortly before a citation, in the same sentence, or the block quote it ends."""
        floor = max(floor, start - _REACH)
        window = self._prose[floor:start]
        breaks = [match.end() for match in _BLANK.finditer(window)]
        begin = breaks[-1] if breaks else 0
        block = self._block(window, begin)
        if block is not None:
            return block, start
        pairs = list(_PAIR.finditer(window, begin))
        if not pairs:
            return "", 0
        last = pairs[-1]
        gap = window[last.end() :]
        if len(gap) > _GAP or _STOP.search(gap.rstrip(" [(")) is not None:
            return "", 0
        return _clean(next(part for part in last.groups() if part is not None)), floor + last.end()

    def _block(self, window: str, begin: int) -> str | None:
        """The block quote that ends in a citation, without its attribution; None where there is none."""
        line = window.rfind("\n") + 1
        if _QUOTE_LINE.match(window, line):
            words = _lines_of_block(window[begin:])
            if not _WORD.search(_ATTRIBUTION.sub("", words.rstrip(" \t\n(["))):
                # Nothing but who said it: the words stand in the paragraphs above.
                words = _lines_of_block(window)
        else:
            above = _BLOCK_ABOVE.search(window)
            if above is None or _WORD.search(window, above.end(1)):
                return None
            words = "\n".join(_QUOTE_LINE.sub("", row, count=1) for row in above[1].rstrip("\n").split("\n"))
        words = _ATTRIBUTION.sub("", words.rstrip(" \t\n([")).strip()
        pairs = list(_PAIR.finditer(words))
        if pairs:
            gap = words[pairs[-1].end() :]
            if len(gap) > _GAP or _STOP.search(gap):
                return None
            words = next(part for part in pairs[-1].groups() if part is not None)
        elif "\0" in words:
            return None
        return _clean(words) or None

    def _after(self, end: int, ceiling: int, follows: bool) -> tuple[str, int]:
        """The quote that begins shortly after a citation, in the same sentence, unless the next citation ends it."""
        window = self._prose[end : min(ceiling, end + _REACH)]
        blank = _BLANK.search(window)
        if blank is not None:
            window, follows = window[: blank.start()], False
        found = _PAIR.search(window)
        if found is None or found.start() > _GAP or _STOP.search(window, 0, found.start()):
            return "", 0
        if follows and len(window) - found.end() <= _GAP and not _STOP.search(window, found.end()):
            return "", 0
        return _clean(next(part for part in found.groups() if part is not None)), end + found.end()


def _lines_of_block(text: str) -> str:
    """The lines of a block quote at the end of a text, without their marks."""
    lines = text.split("\n")
    first = len(lines)
    while first and _QUOTE_LINE.match(lines[first - 1]):
        first -= 1
    return "\n".join(_QUOTE_LINE.sub("", row, count=1) for row in lines[first:])


def has_no_quotes(text: str) -> bool:
    """Whether nothing in a text could be a quotation: no marks, no block quote."""
    if '"' in text or "\n>" in text or "\r>" in text or text.startswith(">"):
        return False
    return text.isascii() or not any(mark in text for mark in MARKS)


def _clean(words: str) -> str:
    """The quoted words without markup; empty where they are too few to be a quotation."""
    words = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", words)) if not {"*", "_", "\\"}.isdisjoint(words) else words
    words = " ".join(words.split())
    if len(words) < _FEWEST_CHARACTERS or len(_WORD.findall(words)) < _FEWEST_WORDS:
        return ""
    return words

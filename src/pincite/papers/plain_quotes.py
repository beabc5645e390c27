"""Quotes in the plain form: a list item or block quote with quoted words that ends in their page, `(p. 7, Results)`."""

from __future__ import annotations

import re

from msgspec import Struct

from ..core.model import Span
from ..text.lines import shorten
from .fields import WANTED
from .model import KeyQuote
from .ranges import normal_ranges

_LOCATOR = re.compile(r"\(([^()]{1,200})\)[*_]{0,3}[.]?[ \t]*\Z")
_PAGE = re.compile(
    r"(?:[Pp]{1,2}\.[ \t]*|(?:[Pp]ages?|[Pp]{1,2})[ \t]+|pp?(?=[0-9]))"
    r"(?=[^a-zA-Z \t]|[ivxlcdmIVXLCDM]{1,15}\b|[A-Za-z]{1,8}[0-9])(.{1,40})"
)
_PART = re.compile(r"[ \t]*[,;][ \t]*")
_PAIRS = {'"': '"', "\u201d": "\u201c", "\u00bb": "\u00ab", "\u2019": "\u2018", "\u201c": "\u201e"}
_MARKS = frozenset('"\u201c\u201d')
_LONGEST, _TAIL = 20_000, 220


class QuoteBlock(Struct):
    """A list item or a paragraph of a block quote, its markers taken off."""

    start: int
    end: int
    quoting: bool
    lines: list[str]

    def goes_on(self, quoting: bool) -> bool:
        """Whether a following line belongs to it: a quote that has its page is complete."""
        if quoting and not self.quoting:
            return False
        last = self.lines[-1]
        locator = _LOCATOR.search(last, max(0, len(last) - _TAIL))
        return locator is None or _place(locator[1]) is None


def read_quotes(blocks: list[QuoteBlock], complaints: list[tuple[int, str, str]]) -> list[KeyQuote]:
    """The quotes among blocks; a page that is none is added to the complaints."""
    found: list[KeyQuote] = []
    for block in blocks:
        text = " ".join(line.strip() for line in block.lines)
        if len(text) > _LONGEST:
            continue
        locator = _LOCATOR.search(text, max(0, len(text) - _TAIL))
        place = _place(locator[1]) if locator is not None else None
        if locator is None or place is None:
            continue
        words = _extract_quotation(text[: locator.start()], block.quoting)
        if not words:
            continue
        page, section = place
        normal = normal_ranges(page)
        if not normal:
            field = f"key_quotes[{len(found)}].page"
            complaints.append((block.start, field, f'{field}: expected {WANTED["page"]}, got "{shorten(page, 60)}"'))
        found.append(KeyQuote(words, normal, section, span=Span(block.start, block.end)))
    return found


def _place(text: str) -> tuple[str, str] | None:
    """Page and section that a parenthesis names; None where it names no page."""
    page = ""
    rest: list[str] = []
    for part in _PART.split(text.strip()):
        found = _PAGE.fullmatch(part) if not page else None
        if found is not None:
            page = found[1]
        elif page and not rest and normal_ranges(part) and normal_ranges(page):
            page = f"{page}, {part}"
        elif part:
            rest.append(part)
    return (page.strip(), ", ".join(rest)) if page else None


def _extract_quotation(text: str, quoting: bool) -> str:
    """The words in quotation marks right at the end of a text; all of a block quote that has none."""
    text = text.strip(" \t*_").rstrip(",;")
    if not text:
        return ""
    start = _opening(text)
    if start >= 0:
        return text[start + 1 : -1].strip()
    return text if quoting and not set(text) & _MARKS else ""


def _opening(text: str) -> int:
    """Where the quotation begins that ends a text, quotations inside it passed over; -1 where none does."""
    close = text[-1]
    begin = _PAIRS.get(close)
    if begin is None:
        return -1
    depth, start, end = 0, -1, len(text) - 1
    for found in re.finditer(f"[{begin}{close}]", text):
        at = found.start()
        # A straight mark opens where a word follows and none precedes.
        opens = found[0] == begin if begin != close else at == 0 or (text[at - 1] in " \t([*_" and at < end)
        if opens:
            start = at if depth == 0 else start
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0 and at < end:
                start = -1
    return start

"""Words held against one document: there, elsewhere in it, altered, or not there; and what they are read with there."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from unicodedata import combining

from msgspec import Struct

from ....papers.legibility import describe_fault, find_page_fault
from ....quotes.declared_changes import INSERTION, OMISSION
from ....quotes.exact_match import is_cut, matches, phrase, widen_cut
from ....quotes.fold import are_forms_equal, foldings, form_of, normalize_text
from ....quotes.lookup import MOST_PLACES, QuoteSource
from ....text.lines import format_count
from ....text.sentences import split_sentences
from .documents import AnswerDocument
from .model import BlockRange, Chars, DocumentPlace, PageSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ....quotes.lookup import LookupResult

    Place = Chars | PageSpan | BlockRange | None

RANKS = ("held", "moved", "altered", "unread", "absent")
"""What comparing can show, the best first."""
_SOME_PAGES = 5
_AFTER = 24
_MOST_TRIED = 200
_PARTED = "its words stand on both sides of a break of columns or pages"
_MOST_READ = 20
"""At how many places of the same words their surroundings are read."""
_REACH = 1500
_LONGEST = 600
_FARTHEST = 3000
"""Characters up and down within which the ends of a list are looked for."""
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|[0-9]{1,4}[.)])[ \t]")
_IN_LIST = re.compile(r"[ \t>]*(?:(?:[-*+•]|[0-9]{1,4}[.)])[ \t]|\r?\n)|[ \t]+\S")
_PARAGRAPH = re.compile(r"[^\S\n]*\n\s*\n\s*")
_SPACE = re.compile(r"[^\S\n]+|(?<!\n)\n(?!\n)")
Surroundings = tuple[str, str, str]
"""What precedes some words, the words, and what follows them."""
_CUT = "the stated place begins or ends inside a longer word or number"


class ComparisonResult(Struct):
    """What comparing words with one document showed."""

    kind: str
    document: AnswerDocument
    look: LookupResult | None = None
    spot: DocumentPlace | None = None
    place_held: bool | None = None
    note: str = ""
    folded: tuple[str, ...] = ()
    """What was not compared letter by letter, where there is no look that says so."""
    there: str = ""
    """What stands there, where no look says so."""


def compare(quote: str, document: AnswerDocument, place: Place) -> ComparisonResult:
    """The words held against one document."""
    document.load()
    if document.trouble:
        return ComparisonResult("unread", document, note=document.trouble)
    exact = _find_exact(quote, document, place)
    if exact is not None and exact.kind == "held":
        return exact
    look = document.look_up().look(quote)
    if look.kind == "verbatim" and not {OMISSION, INSERTION} & set(look.folded):
        found = _check_place(quote, document, place, look)
        if found.kind == "held":
            found.note = "; ".join(filter(None, (found.note, _own_ending(quote, document))))
        return found
    written = exact or _find_literally(quote, document, place)
    if written is not None:
        return written
    first, last = (place.first, place.last) if isinstance(place, PageSpan) else (1, len(document.pages))
    unread = document.unread_pages(first, last)
    if unread and (isinstance(place, PageSpan) or len(unread) * _SOME_PAGES > len(document.pages)):
        return ComparisonResult("unread", document, look, note=_describe_unread(document, unread))
    if look.kind == "parted":
        there = document.spot(look.passages[0], quote)
        return ComparisonResult(
            "unread", document, look, there, note=f"{_PARTED} on page {there.page}, and may not go on there"
        )
    if look.kind in ("absent", "too-short"):
        return ComparisonResult("absent", document, look)
    note = "it joins words from separate places" if look.kind == "stitched" else ""
    if look.kind == "verbatim":
        note = "words were left out or put in; an ellipsis does not make it what stands there"
    passage = look.passages[0] if look.passages else None
    spot = document.spot(passage, passage.text if passage is not None else quote)
    return ComparisonResult("altered", document, look, spot, note=note)


def _describe_unread(document: AnswerDocument, unread: list[int]) -> str:
    return f"page {unread[0]} {describe_fault(find_page_fault(document.pages[unread[0] - 1]))}"


def _find_literally(quote: str, document: AnswerDocument, place: Place) -> ComparisonResult | None:
    """Words that stand there letter by letter, where signs around them or markup kept them from being read as words."""
    if document.is_paged:
        return None
    text = document.raw if document.is_marked_up else normalize_text(document.raw)
    words = (quote if document.is_marked_up else normalize_text(quote)).strip()
    at = _find_whole_words(text, words)
    if at is None:
        return None
    held: bool | None = None
    if isinstance(place, Chars):
        held = False
    elif isinstance(place, BlockRange) and document.blocks:
        held = words in normalize_text("".join(document.blocks[place.start : place.end]))
    note = "these are the words of its source, markup and all" if document.is_marked_up else ""
    spot = document.place(at, at + len(words), text)
    return ComparisonResult("moved" if held is False else "held", document, None, spot, held, note)


def _find_whole_words(text: str, words: str) -> int | None:
    """Where words stand letter by letter, no part of longer ones; not for numbers, which signs before them change."""
    at = -1 if words[:1].isdigit() else text.find(words)
    for _ in range(_MOST_TRIED):
        if at < 0:
            break
        before, after = text[max(0, at - 1) : at], text[at + len(words) : at + len(words) + 1]
        if (not before or before.isspace() or before == ">") and _is_word_end(words, after):
            return at
        at = text.find(words, at + 1)
    return None


def _is_word_end(words: str, after: str) -> bool:
    last = words[-1:]
    if not after or after.isspace() or after == "<":
        return True
    if last.isalpha():
        return not (after.isalnum() or after in "_-'’\u2010\u2011" or combining(after))
    return not (last.isdigit() or after.isdigit())


def _own_ending(quote: str, document: AnswerDocument) -> str:
    """What to say of a last stop or comma that the document does not have there; empty where it does."""
    sought = phrase(quote)
    if sought is None or document.source is None or not sought.trail.rstrip("' ").endswith((".", ",", ";")):
        return ""
    trail = sought.trail.replace(" ", "")
    for layer in document.source.every_layer():
        for hit in matches(layer, sought):
            after = form_of(layer.text[hit.end - 1 : hit.end + _AFTER])[1:]
            if after.replace(" ", "").startswith(trail):
                return ""
    return f"its last sign ({trail[:8]}) is not in the document: the sentence may go on there"


def _check_place(quote: str, document: AnswerDocument, place: Place, look: LookupResult) -> ComparisonResult:
    """Words that stand in the document: also at the stated place?"""
    spot = document.spot(look.passages[0], quote)
    if isinstance(place, PageSpan):
        if not document.is_paged:
            return ComparisonResult(
                "held", document, look, spot, note=f"{document.path} has no pages: {place.text} was not checked"
            )
        first, last = place.first - 1, place.last - 1
        here = [one for one in look.passages if one.page <= last and first <= one.end_page]
        if here or (len(look.passages) >= MOST_PLACES and _stands_on(quote, document, first, last)):
            inside = [one for one in here if first <= one.page and one.end_page <= last]
            best = next(iter(inside or here), None)
            note = f"it runs from page {best.page + 1} to page {best.end_page + 1}" if best and not inside else ""
            return ComparisonResult("held", document, look, document.spot(best, quote), True, note)
        unread = document.unread_pages(place.first, place.last)
        if unread:
            return ComparisonResult("unread", document, look, note=_describe_unread(document, unread))
        count = len(document.pages)
        beyond = "" if place.last <= count else f"{document.path} has {format_count(count, 'page')}"
        return ComparisonResult("moved", document, look, spot, False, beyond)
    if isinstance(place, BlockRange):
        if not document.blocks:
            return ComparisonResult(
                "held", document, look, spot, note=f"{place.text} could not be checked: only the request has blocks"
            )
        return _placed_in_blocks(quote, document, place, look, spot)
    if isinstance(place, Chars):
        if document.is_paged:
            return ComparisonResult(
                "held", document, look, spot, note=f"{place.text} could not be checked: it is a PDF"
            )
        count = len(document.raw)
        beyond = f"{document.path} has {format_count(count, 'character')}" if place.end > count else ""
        return ComparisonResult("moved", document, look, spot, False, beyond)
    return ComparisonResult("held", document, look, spot)


def _placed_in_blocks(
    quote: str, document: AnswerDocument, place: BlockRange, look: LookupResult, spot: DocumentPlace
) -> ComparisonResult:
    """Words that stand in a document that was sent in blocks: also in the stated ones?"""
    beyond = (
        "" if place.end <= len(document.blocks) else f"the document has {format_count(len(document.blocks), 'block')}"
    )
    there = "".join(document.blocks[place.start : place.end])
    if beyond or QuoteSource((there,)).verbatim(quote) is None:
        return ComparisonResult("moved", document, look, spot, False, beyond)
    # They may stand in earlier blocks, too: the reported place is the one that was stated.
    offset = sum(map(len, document.blocks[: place.start]))
    at = there.find(quote.strip())
    start, end = (at, at + len(quote.strip())) if at >= 0 else (0, len(there))
    return ComparisonResult("held", document, look, document.place(offset + start, offset + end, document.raw), True)


def _stands_on(quote: str, document: AnswerDocument, first: int, last: int) -> bool:
    """Whether words that stand at more places than are reported do on these pages, or across their edges."""
    look = document.search_pages(max(0, first - 1), last + 2).verbatim(quote)
    before = min(1, first)
    return look is not None and any(
        one.page <= last - first + before and before <= one.end_page for one in look.passages
    )


def _find_exact(quote: str, document: AnswerDocument, place: Place) -> ComparisonResult | None:
    """Words that are exactly what stands at the stated place, no part of a longer word or number."""
    if isinstance(place, BlockRange) and document.blocks:
        there = "".join(document.blocks[place.start : place.end])
        if place.end <= len(document.blocks) and _is_same_folded(quote, there):
            start = sum(map(len, document.blocks[: place.start]))
            spot = document.place(start, start + len(there), document.raw)
            return ComparisonResult("held", document, None, spot, True, folded=_find_foldings(quote, there))
    if isinstance(place, Chars) and not document.is_paged:
        for text in dict.fromkeys((document.raw, document.pages[0])):
            there = text[place.start : place.end]
            if place.end > len(text) or not _is_same_folded(quote, there):
                continue
            if is_cut(text, place.start, place.end):
                start, end = widen_cut(text, place.start, place.end)
                spot = document.place(start, end, text)
                return ComparisonResult(
                    "altered", document, None, spot, False, _CUT, there=" ".join(text[start:end].split())
                )
            spot = document.place(place.start, place.end, text)
            return ComparisonResult("held", document, None, spot, True, folded=_find_foldings(quote, there))
    return None


def _find_foldings(quote: str, there: str) -> tuple[str, ...]:
    return () if quote == there else foldings(normalize_text(there), normalize_text(quote))


def _is_same_folded(quote: str, there: str) -> bool:
    """Whether two stretches are the same but for what may be folded, to their very ends."""
    if quote == there:
        return True
    if abs(len(quote) - len(there)) > len(quote) // 2 + 20:
        return False
    one, other = (form_of(normalize_text(text).strip()) for text in (quote, there))
    return are_forms_equal(other, one)


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
        for hit in islice(matches(layer, sought), _MOST_READ):
            if isinstance(place, PageSpan) and not place.first - 1 <= layer.page_at(hit.start) <= place.last - 1:
                continue
            yield _read_all(layer.text, hit.start, hit.end)


def _read_all(text: str, start: int, end: int) -> list[Surroundings]:
    listed = _read_list(text, start, end)
    return [_read_around(text, start, end), *([listed] if listed is not None else [])]


def _read_around(text: str, start: int, end: int) -> Surroundings:
    """The sentence and its neighbours around a stretch: before, the stretch, after; white space folded."""
    first, last = max(0, start - _REACH), min(len(text), end + _REACH)
    window = text[first:last]
    spans = [(first + begin, first + stop) for begin, stop in split_sentences(window)]
    earlier = [begin for begin, _ in spans if begin <= start]
    later = [stop for _, stop in spans if stop >= end]
    begin = max(earlier[-2] if len(earlier) > 1 else first, start - _LONGEST)
    stop = min(later[1] if len(later) > 1 else last, end + _LONGEST)
    return _fold(text[begin:start]), _fold(text[start:end]), _fold(text[end:stop])


def _read_list(text: str, start: int, end: int) -> Surroundings | None:
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
    return _SPACE.sub(" ", _PARAGRAPH.sub("\n", text).replace("\n", "\n\n")).replace("\n\n", "\n")

"""Which words a citation quotes: those in quotation marks beside it, or the block quote it ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .markup import unified
from .model import Citation, Malformed, Quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .document import Document

MARKS = '"“”„«»‘‚‹›'
_REACH = 3000
"""How far from a citation a quote may begin."""
_GAP = 80
_MOST_SHARED = 1000
"""Citations in a row that may share a quote: those behind them cite no words."""
_MOST = 8
"""How many quotes of one sentence are looked up."""
_FEWEST_WORDS, _FEWEST_CHARACTERS = 3, 12
# A pair of marks; straight ones open after white space or an opening mark, and close before neither. What closes in one
# language opens in another: there no white space may be inside. An apostrophe within a word closes nothing.
_PAIR = re.compile(
    r"“((?:[^“”\0]|“[^“”\0]{1,300}”){1,3000})”|„([^„“”\0]{1,3000})[“”]|«([^«»\0]{1,3000})»"
    r"|(?<![\w\"])\"(?=[^\s\"])([^\"\0]{1,3000}?)(?<![\s(\[])\"(?!\w)"
    r"|(?<![^\s(\[])[”»](?=\w)([^“”«»\0]{1,3000}?)(?<!\s)[”«](?!\w)"
    r"|(?<!\w)[‘‚‹]((?:[^‘’‚‹›\0]|(?<=\w)’(?=\w)){1,3000})[’‘›](?!\w)"
    r"|(?<![^\s(\[*])'(?!(?:tis|twas|em|til|cause|n|\d\ds?)\b)(?=\w)"
    r"((?:[^'\"“”\0]|(?<=\w)'(?=\w)){1,3000}?)(?<=[\w.,!?])'(?!\w)"
    r"|(?<!`)``(?=[^\s`])([^`\"\0]{1,3000}?)''"
)
# A quote that is still open where its citation stands, and what then closes it.
_OPENED = re.compile(r"(?:[“„«]|(?<![\w\"])\")(?=[^\s\"])([^“”„«»\"\0]{12,3000})\Z")
_CLOSED = re.compile(r"[\s.,;:!?)]{0,3}[”“»\"](?!\w)")
_CODED = re.compile(
    r"&(?:quot|[lrb]dquo|[lr]aquo|[lrs]squo|#34|#171|#187|#821[678]|#822[012]|#x(?:22|ab|bb|201[89acde]));"
    r"|</?(?:q|blockquote)(?:\s[^<>\0]{0,200})?>",
    re.IGNORECASE,
)
_PAD = "\x01"
"""Fills up the place of a mark that was written in more characters."""
_BLANK = re.compile(r"\n[ \t>]*\n")
_SHORTENED = "".join(
    rf"(?<!\b{word})" for word in ("Fig", "Dr", "Mr", "Mrs", "Prof", r"e\.g", r"i\.e", "cf", "al", "vs")
)
_STOP = re.compile(rf"{_SHORTENED}[.!?](?=[\s)\]])|\n[ \t]*(?:(?:[-*+]|\d{{1,9}}[.)]|#{{1,6}})[ \t]|\|)")
_WORD = re.compile(r"[^\W_]+")
# What a quote carries that is not part of its words: emphasis, escapes, marks of a block quote.
_EMPHASIS = re.compile(r"(?<![\w\\])(\*{1,3}|_{1,3})(?=\S)|(?<=[^\s\\])(\*{1,3}|_{1,3})(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_TAG = re.compile(
    r"<!--[^\0]{0,1000}?-->|</?(?:em|i|b|u|strong|span|mark|sub|sup|small|cite|a)(?:\s[^<>]{0,200})?>", re.IGNORECASE
)
_NEW_LINE = re.compile(r"<br\s{0,3}/?>", re.IGNORECASE)
_LINK = re.compile(r"(?<![!\\])\[([^\[\]]{1,300})\]\([^()\s]{1,1000}\)|\[\^[^\[\]\s]{1,60}\]")
_ITEM = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|#{1,6}[ \t][^\n]*$)", re.MULTILINE)
_QUOTE_LINE = re.compile(r"[ \t]{0,3}>[ \t>]*")
# Who said it: a line that begins with a dash, or what follows one behind the end of a sentence, or a name behind one.
_ATTRIBUTION = re.compile(
    r"(?:^|\n|(?<=[.!?…\"”’'»)*_])[ \t])[ \t]*(?:—|–|--)[ \t]*[^\n]{0,200}\Z"
    r"|[ \t](?:—|–|--)[ \t]*(?:[*_]{0,3}[^\Wa-z\d_][^\n—–]{0,60})?\Z"
    r"|(?:^|\n)[ \t*_]*(?:Source|From|Quelle)[*_]{0,3}:[^\n]{0,200}\Z"
)
_BLOCK_ABOVE = re.compile(
    r"((?:^[ \t]{0,3}>[^\n]*\n)+)(?:[ \t]*\n)?"
    r"[ \t]*(?:—|–|--|\(|[*_]{0,3}(?:Source|From|Quelle)[*_]{0,3}:[*_]{0,3})?[ \t]*\Z",
    re.MULTILINE,
)
_BLOCK_BELOW = re.compile(r"[^\n\0]{0,80}:[ \t*_]*\n(?:[ \t]*\n)?((?:[ \t]{0,3}>[^\n]*(?:\n|\Z))+)")


class Quoted:
    """Finds the quotes beside the citations of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._prose = ""

    def attach(self, items: Iterable[Citation | Malformed]) -> Iterator[Citation | Malformed]:
        """The same citations, each with the words it quotes."""
        ahead = iter(items)
        item = next(ahead, None)
        if item is None:
            return
        if has_no_quotes(self._document.text):
            yield item
            yield from ahead
            return
        self._prose = _decoded(unified(self._document.prose))
        if len(self._prose) != len(self._document.text):
            yield item
            yield from ahead
            return
        taken = floor = shared = 0
        """Where the last quote ended: one quote belongs to the citations that follow it directly, or to one before.
        And where the last citation did."""
        earlier: Citation | Malformed | None = None
        while item is not None:
            following = next(ahead, None)
            ceiling = following.span.start if following is not None else len(self._prose)
            if isinstance(item, Citation):
                quote, end = self._quote_of(item, earlier, floor, taken, ceiling, following is not None)
                shared = shared + 1 if quote is not None and not end else 0
                quote = quote if shared < _MOST_SHARED else None
                taken = max(taken, end)
                item = replace(item, quote=quote) if quote is not None else item
            yield item
            earlier, floor, item = item, item.span.end, following

    def _quote_of(
        self, item: Citation, earlier: Citation | Malformed | None, floor: int, taken: int, ceiling: int, follows: bool
    ) -> tuple[Quote | None, int]:
        """What a citation quotes, and where that ends; 0 where that takes nothing from the next."""
        between = self._prose[floor : item.span.start].strip(" \t\n,;&")
        chained = earlier is not None and between in ("", "and", "][", ") (")
        if chained and isinstance(earlier, Citation) and earlier.quote is not None:
            # The quote stands in one of them; which, is found out by looking. They share it, and one is held to it.
            return earlier.quote, 0
        words, end = self._around(max(floor, taken), item.span.start, item.span.end)
        quotes = [words] if words else []
        if not quotes:
            quotes, end = self._before(max(floor, taken), item.span.start)
        if not quotes:
            quotes, end = self._after(item.span.end, ceiling, follows)
        if not quotes:
            words, end = self._below(item.span.end, ceiling, follows)
            quotes = [words] if words else []
        return (Quote(quotes[0], tuple(quotes[1:])), end) if quotes else (None, 0)

    def _around(self, floor: int, start: int, end: int) -> tuple[str, int]:
        """The quote that a citation ends from within its marks."""
        closed = _CLOSED.match(self._prose, end)
        if closed is None:
            return "", 0
        window = self._prose[max(floor, start - _REACH) : start]
        breaks = [match.end() for match in _BLANK.finditer(window)]
        opened = _OPENED.search(window, breaks[-1] if breaks else 0)
        return (_clean(opened[1].rstrip(" \t\n([")), closed.end()) if opened is not None else ("", 0)

    def _before(self, floor: int, start: int) -> tuple[list[str], int]:
        """The quotes shortly before a citation, in its sentence, the last one first; or the block quote it ends."""
        floor = max(floor, start - _REACH)
        window = self._prose[floor:start]
        breaks = [match.end() for match in _BLANK.finditer(window)]
        begin = breaks[-1] if breaks else 0
        block = self._block(window, begin)
        if block is not None:
            return [block], start
        quotes: list[str] = []
        end, until = 0, len(window)
        for pair in reversed(list(_PAIR.finditer(window, begin))):
            gap = window[pair.end() : until]
            if len(gap) > _GAP or _STOP.search(gap.rstrip(" [(")) is not None or len(quotes) == _MOST:
                break
            words = _inside(pair)
            if words:
                quotes.append(words)
                end, until = end or floor + pair.end(), pair.start()
        return [*quotes[:1], *reversed(quotes[1:])], end

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
            if above is None:
                return None
            words = "\n".join(_QUOTE_LINE.sub("", row, count=1) for row in above[1].rstrip("\n").split("\n"))
        words = _ATTRIBUTION.sub("", words.rstrip(" \t\n([")).strip()
        pairs = list(_PAIR.finditer(words))
        if pairs:
            gap = words[pairs[-1].end() :]
            if len(gap) > _GAP or _STOP.search(gap):
                return None
            return _inside(pairs[-1]) or None
        return _whole(words) or None

    def _after(self, end: int, ceiling: int, follows: bool) -> tuple[list[str], int]:
        """The quotes shortly after a citation, in the same sentence, unless the next citation ends them."""
        window = self._prose[end : min(ceiling, end + _REACH)]
        blank = _BLANK.search(window)
        if blank is not None:
            window, follows = window[: blank.start()], False
        quotes: list[str] = []
        since = last = 0
        for found in _PAIR.finditer(window):
            if found.start() - since > _GAP or _STOP.search(window, since, found.start()) or len(quotes) == _MOST:
                break
            words = _inside(found)
            if words and follows and self._is_of_next(window, found):
                break
            if words:
                quotes.append(words)
                since = last = found.end()
        return quotes, end + last

    def _is_of_next(self, window: str, found: re.Match[str]) -> bool:
        """Whether a quote between two citations belongs to the second: it is in its sentence, and not given by `:`."""
        if window[: found.start()].strip(" \t\n])") == ":":
            return False
        return len(window) - found.end() <= _GAP and not _STOP.search(window, found.end())

    def _below(self, end: int, ceiling: int, follows: bool) -> tuple[str, int]:
        """The block quote that a citation introduces, unless another citation ends it."""
        found = _BLOCK_BELOW.match(self._prose, end, min(len(self._prose), end + _REACH))
        if found is None or ceiling < found.end() or _STOP.search(self._prose, end, found.start(1) - 2):
            return "", 0
        if follows and not self._prose[found.end() : ceiling].strip(" \t\n—–-(["):
            return "", 0
        words = _ATTRIBUTION.sub("", _lines_of_block(found[1].rstrip())).strip()
        pair = _PAIR.fullmatch(words)
        return (_inside(pair) if pair else _whole(words)), found.end()


def _inside(pair: re.Match[str]) -> str:
    """What stands between two marks."""
    return _clean(next(part for part in pair.groups() if part is not None))


def _whole(words: str) -> str:
    """A block quote without marks: its last item where it is a list, nothing where it is a notice or holds code."""
    if "\0" in words or words.startswith("[!"):
        return ""
    return _clean(_ITEM.split(words)[-1])


def _decoded(text: str) -> str:
    """The text with marks that are written as HTML in one character each, everything where it was."""
    if not _is_coded(text):
        return text
    from html import unescape

    def sign(match: re.Match[str]) -> str:
        found = match[0]
        mark = unescape(found) if found[0] == "&" else "”" if found[1] == "/" else "“"
        return _PAD * (len(found) - 1) + mark

    return _CODED.sub(sign, text)


def _is_coded(text: str) -> bool:
    return ("&" in text or "<q" in text or "<blockquote" in text) and _CODED.search(text) is not None


def _lines_of_block(text: str) -> str:
    """The lines of a block quote at the end of a text, without their marks."""
    lines = text.split("\n")
    first = len(lines)
    while first and _QUOTE_LINE.match(lines[first - 1]):
        first -= 1
    return "\n".join(_QUOTE_LINE.sub("", row, count=1) for row in lines[first:])


def has_no_quotes(text: str) -> bool:
    """Whether nothing in a text could be a quotation: no marks, no block quote."""
    if '"' in text or "\n>" in text or text.startswith(">") or ("\r" in text and "\r>" in text):
        return False
    if "'" in text and ("''" in text or text[0] == "'" or any(f"{before}'" in text for before in " \n\r\t(*[")):
        return False
    if ("&" in text or "<" in text) and _is_coded(text):
        return False
    return text.isascii() or not any(mark in text for mark in MARKS)


def _clean(words: str) -> str:
    """The quoted words without markup; empty where they are too few to be a quotation."""
    words = words.replace(_PAD, "")
    if "<" in words:
        words = _TAG.sub("", _NEW_LINE.sub(" ", words))
    if "](" in words or "[^" in words:
        words = _LINK.sub(r"\1", words)
    words = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", words)) if not {"*", "_", "\\"}.isdisjoint(words) else words
    if "&" in words:
        from html import unescape

        words = unescape(words)
    words = " ".join(words.rstrip("\\").split())
    return words if is_quotation(words) else ""


def is_quotation(words: str) -> bool:
    """Whether words in quotation marks are enough to be somebody's, not a term or a title."""
    return len(words) >= _FEWEST_CHARACTERS and len(_WORD.findall(words)) >= _FEWEST_WORDS

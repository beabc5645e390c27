"""HTML: the text that a reader sees, with the place in the source that each piece of it comes from."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from ...core.errors import Unreadable
from ...core.libraries import describe_missing
from ...text.lines import line_starts, position
from ...text.markdown import unify_line_ends
from .cut import cut, sections, shown_title
from .model import DocumentReading, Heading, Passage

if TYPE_CHECKING:
    from turbohtml import Token

NAME = "html"
ENDINGS = (".html", ".htm", ".xhtml")

_TEXT, _OPEN, _CLOSE, _REFERENCE = 0, 1, 2, 5
_UNSEEN = frozenset("script style template noscript iframe noembed noframes".split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LINES = frozenset("br li tr dt dd option optgroup summary figcaption caption legend address div hr".split())
_BLOCKS = frozenset(
    "p h1 h2 h3 h4 h5 h6 section article aside main nav header footer body table thead tbody tfoot ul ol dl pre "
    "blockquote figure form fieldset details dialog menu hgroup search center".split()
)
_CELLS = frozenset(("td", "th"))
# What ends an unclosed heading.
_NOT_IN_HEADINGS = frozenset("p ul ol dl table section article main footer blockquote form pre body".split())
_BLANKS = re.compile(" {2,}+")


def outline(text: str, path: str = "") -> list[Heading]:
    """The headings, in order; each starts where its words do."""
    return _see(text).outline()


def read(text: str, path: str = "") -> DocumentReading:
    """The passages of a page without scripts, styles and other unseen text; raises Unreadable without turbohtml."""
    page = _see(text)
    return DocumentReading(text, tuple(page.passages()), page.title, tuple(page.pieces))


def _see(text: str) -> _Page:
    try:
        from turbohtml import tokenize
    except ImportError:
        raise Unreadable(describe_missing("turbohtml")) from None
    page = _Page(unify_line_ends(text))
    # The tokenizer swallows an empty end tag, and offsets behind it would be wrong; an empty comment is as long.
    source = page.source.replace("</>", "<!>")
    for token in tokenize(source, resolve_references=False, capture_source=True, capture_attributes=False):
        page.take(token)
    page.end_heading()
    return page


class _Page:
    """The pieces of a page in order, and the headings among them."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.pieces: list[tuple[int, int, str]] = []
        self.headings: list[tuple[int, int, int]] = []
        """The level, and between which pieces the words are."""
        self.title = ""
        self._starts = line_starts(source)
        self._unseen = ""
        self._depth = 0
        self._titled: list[str] | None = None
        self._heading = (0, 0)
        self._blank: tuple[int, int] | None = None
        """White space that is seen if more words follow on the line."""
        self._gap = "\n\n"
        """The line end that is seen before the next words."""
        self._pre = False

    def take(self, token: Token) -> None:
        """The next token of the source."""
        kind = token.type
        if kind in (_TEXT, _REFERENCE):
            if self._titled is not None:
                self._titled.append(token.data or "")
            elif not self._unseen:
                at = self._starts[token.line - 1] + token.col
                data = token.data or ""
                if kind == _REFERENCE:
                    self._add(at, at + len(token.source or data), data)
                else:
                    self._words(at, data)
        elif kind in (_OPEN, _CLOSE):
            self._tag(token.tag or "", kind == _OPEN)

    def _tag(self, tag: str, opens: bool) -> None:
        if self._unseen:
            if tag == self._unseen:
                self._depth += 1 if opens else -1
                if not self._depth:
                    self._unseen = ""
        elif tag in _UNSEEN:
            if opens:
                self._unseen, self._depth = tag, 1
        elif tag == "title":
            self._end_title(opens)
        elif tag in _BLOCKS:
            self._gap, self._blank = "\n\n", None
            if tag in _HEADINGS:
                self.end_heading()
                if opens:
                    self._heading = _HEADINGS[tag], len(self.pieces)
            elif tag in _NOT_IN_HEADINGS:
                self.end_heading()
            if tag == "pre":
                self._pre = opens
        elif tag in _LINES:
            self._gap, self._blank = self._gap or "\n", None
        elif tag in _CELLS:
            self._gap = self._gap or " "

    def _end_title(self, opens: bool) -> None:
        if opens:
            self._titled = []
        elif self._titled is not None:
            # Pictures inside a page have titles too; the page's own comes first.
            self.title = self.title or shown_title(" ".join("".join(self._titled).split()))
            self._titled = None

    def end_heading(self) -> None:
        """The words of an open heading end here."""
        level, first = self._heading
        if level and first < len(self.pieces):
            self.headings.append((level, first, len(self.pieces)))
        self._heading = (0, 0)

    def _words(self, at: int, data: str) -> None:
        """Text as it is in the source; white space is seen as one blank, or not at all beside a line end."""
        if self._pre:
            self._add(at, at + len(data), data)
            return
        # One character for another leaves every place where it was.
        data = data.replace("\n", " ").replace("\t", " ").replace("\f", " ")
        inner = data.lstrip(" ")
        done = len(data) - len(inner)
        if done:
            self._space(at, at + done)
        inner = inner.rstrip(" ")
        end = done + len(inner)
        if "  " in inner:
            for match in _BLANKS.finditer(data, done, end):
                self._add(at + done, at + match.start(), data[done : match.start()])
                done = match.end()
                self._space(at + match.start(), at + done)
        if done < end:
            self._add(at + done, at + end, data[done:end])
            if end < len(data):
                self._space(at + end, at + len(data))

    def _space(self, start: int, end: int) -> None:
        if not self._gap and self._blank is None:
            self._blank = start, end

    def _add(self, start: int, end: int, words: str) -> None:
        if not words:
            return
        if self._gap:
            if self.pieces:
                self.pieces.append((start, start, self._gap))
                if self._heading[0] and self._heading[1] == len(self.pieces) - 1:
                    self._heading = self._heading[0], len(self.pieces)
        elif self._blank is not None:
            self.pieces.append((*self._blank, " "))
        self._gap, self._blank = "", None
        self.pieces.append((start, end, words))

    def outline(self) -> list[Heading]:
        """The headings, in order."""
        return [heading for heading, _, _ in self._titles()]

    def _titles(self) -> list[tuple[Heading, int, int]]:
        """Headings with the first piece of their words and the first behind them."""
        found = []
        for level, first, last in self.headings:
            title = shown_title("".join(piece[2] for piece in self.pieces[first:last]))
            if title:
                found.append((Heading(self.pieces[first][0], level, title), first, last))
        return found

    def passages(self) -> list[Passage]:
        """The passages of what is seen, at their places in the source."""
        pieces = self.pieces
        places = list(accumulate((len(words) for _, _, words in pieces), initial=0))
        seen = "".join([words for _, _, words in pieces])
        titles = [
            (Heading(places[first], heading.level, heading.title), places[last])
            for heading, first, last in self._titles()
        ]
        found: list[Passage] = []
        for passage in cut(seen, sections(titles, 0), len(seen)):
            start = self._place(places, passage.start)
            end = self._place(places, passage.end - 1, True)
            first, last = position(self._starts, start)[0], position(self._starts, end - 1)[0]
            found.append(Passage(start, end, first, last, passage.headings))
        return found

    def _place(self, places: list[int], at: int, behind: bool = False) -> int:
        """Where in the source a character that is seen stands; what follows it, if asked for what is behind it."""
        index = bisect_right(places, at) - 1
        start, end, words = self.pieces[index]
        if end - start == len(words):
            return start + at - places[index] + behind
        return end if behind else start

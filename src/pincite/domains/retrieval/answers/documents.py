"""The documents that an answer may quote: read when asked for, and folded once."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from time import time
from typing import TYPE_CHECKING

from ....core.errors import PinciteError
from ....core.limits import LIMITS
from ....papers.legibility import find_page_fault
from ....quotes.exact_match import matches, phrase
from ....quotes.fold import LOOSE, SOFT, form_of, normalize_text
from ....quotes.lookup import QuoteSource
from ....text.lines import decode, line_starts, position, shorten
from ....text.unspaced_scripts import count_letters, find_long_words
from .model import DocumentPlace
from .sentences import NearestSentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....quotes.lookup import QuotePassage
    from ....safe.files import Root
    from .figures import Figures
    from .model import EmbeddedDocument

_BITS = 1 << 15
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_FEW = 4
_SHOWN = 300
_AROUND = 24


class HtmlPieces:
    """The pieces of HTML that a reader sees one behind the other, and where each stands in the source."""

    def __init__(self, pieces: Sequence[tuple[int, int, str]]) -> None:
        self._pieces = pieces
        self._starts: dict[bool, list[int]] = {}

    def find(self, offset: int, folded: bool) -> int:
        """The offset in the source of one in what is seen, or in that with its Unicode composed."""
        if not self._pieces:
            return 0
        starts = self._starts.get(folded)
        if starts is None:
            sizes = (len(normalize_text(words) if folded else words) for *_, words in self._pieces)
            starts = self._starts[folded] = [0, *accumulate(sizes)]
        row = max(0, min(bisect_right(starts, offset) - 1, len(self._pieces) - 1))
        first, last, words = self._pieces[row]
        if last - first != len(words):
            # A reference such as `&amp;` is one place.
            return first
        sought = within = offset - starts[row]
        while folded and within < len(words) and (short := sought - len(normalize_text(words[:within]))) > 0:
            within += short
        return min(first + within, last)


class AnswerDocument:
    """A document of known text, or the trouble with it."""

    def __init__(self, path: str, root: Root | None = None, key: str = "", kind: str = "text") -> None:
        self.path = path
        """As messages show it."""
        self.digest = ""
        self.retrieved = 0.0
        self.blocks: tuple[str, ...] = ()
        self._root, self._key, self._kind = root, key, kind
        self.is_paged = kind == "pdf"
        self.is_held = False
        """Whether its text is in memory."""
        self.titles: tuple[str, ...] = ()
        """What it calls itself, in small letters."""
        self._trouble = ""
        self._raw = ""
        self._pages: tuple[str, ...] = ("",)
        self._boxes: tuple[bytes, ...] = ()
        self._offsets: HtmlPieces | None = None
        """For HTML: the way from what a reader sees to the source."""
        self._starts: list[int] | None = None
        self._marks: bytearray | None = None
        self.source: QuoteSource | None = None
        self.hints: NearestSentence | None = None
        self.figures: Figures | None = None
        self.words: frozenset[str] | None = None
        """Its words as names are compared; none where it is too long."""

    @property
    def is_marked_up(self) -> bool:
        """Whether readers see something else than its source."""
        return self._offsets is not None

    @property
    def trouble(self) -> str:
        """Why its text cannot be had; empty where it can, or could when it was last read."""
        if not self.digest:
            self.load()
        return self._trouble

    def is_titled(self, title: str) -> bool:
        """Whether it calls itself so, in its metadata or in its first heading."""
        if not self.digest:
            self.load()
        return title.casefold() in self.titles

    @property
    def pages(self) -> tuple[str, ...]:
        """What a reader sees, by page; one where there are none."""
        self.load()
        return self._pages

    @property
    def raw(self) -> str:
        """The text as it is stored; empty for a PDF."""
        self.load()
        return self._raw

    @property
    def size(self) -> int:
        """Its characters."""
        return sum(map(len, self.pages))

    def load(self) -> None:
        """Read it, once."""
        if self.is_held or self._root is None:
            return
        self.is_held = True
        try:
            limit = LIMITS.pdf_bytes if self.is_paged else LIMITS.source_bytes
            self.take(self._root.read(self._key, limit))
        except PinciteError as error:
            self._trouble = str(error) if str(error) != self._key else "it cannot be read"

    def try_take(self, data: bytes) -> None:
        """Use these bytes as the document; where they have no text, `trouble` says why."""
        try:
            self.take(data)
        except PinciteError as error:
            self._trouble = str(error)

    def forget(self) -> None:
        """Let go of its text; it is read again when asked for."""
        self.words = self.source = self.hints = self.figures = self._offsets = self._starts = None
        if self._root is not None:
            self.is_held, self._raw, self._pages, self._boxes = False, "", ("",), ()

    def take(self, data: bytes) -> None:
        """Use these bytes as the document; raises PinciteError where they have no text."""
        from hashlib import sha256

        self.is_held = True
        self.digest, self.retrieved = sha256(data).hexdigest(), time()
        if self.is_paged:
            from ....store.pdf_texts import text_of

            held = text_of(data, True)
            self._pages, self._boxes = held.pages or ("",), held.boxes
            self.titles = (held.title.casefold(),) if held.title else ()
            return
        self.use(decode(data))

    def use(self, text: str) -> None:
        """Use this text as the document."""
        self.is_held, self._raw, self._pages = True, text, (text,)
        if self._kind not in ("markdown", "rst", "html"):
            return
        from ....search.passages import read

        reading = read(self._kind, self._raw, self.path)
        first = reading.passages[0].headings[:1] if reading.passages else ()
        self.titles = tuple(title.casefold() for title in (reading.title, *first) if title)
        if reading.pieces is not None:
            self._pages = ("".join(words for *_, words in reading.pieces),)
            self._offsets = HtmlPieces(reading.pieces)

    def look_up(self) -> QuoteSource:
        """Its text, ready to be searched."""
        if self.source is None:
            self.source = self.search_pages(0, len(self.pages))
        return self.source

    def search_pages(self, first: int, stop: int) -> QuoteSource:
        """The text of some of its pages, counted from 0, ready to be searched."""
        return QuoteSource(self.pages[first:stop], self._boxes[first:stop], may_be_damaged=self.is_paged)

    def spot(self, passage: QuotePassage | None, quote: str) -> DocumentPlace:
        """Where a passage that was found begins, as exactly as is known."""
        shown = shorten(passage.text if passage is not None else quote, _SHOWN)
        page = passage.page + 1 if passage is not None and self.is_paged else None
        if self.is_paged or self.source is None:
            return DocumentPlace(self.path, page=page, text=shown)
        layer = self.source.layers[0]
        for words in (quote, passage.text[:1000].rpartition(" ")[0] or passage.text if passage is not None else ""):
            sought = phrase(words)
            for hit in matches(layer, sought) if sought is not None else ():
                if passage is None or _begins(layer.text[hit.start : hit.end], passage.text):
                    return self.place(*_widen_match(layer.text, words.strip(), hit.start, hit.end), layer.text, shown)
        return DocumentPlace(self.path, text=shown)

    def nearest(self, words: str) -> DocumentPlace | None:
        """The sentence that shares most words with these; None where none shares enough."""
        if self.hints is None:
            self.hints = NearestSentence(self.pages)
        found = self.hints.find(words)
        if found is None:
            return None
        number, start, end = found
        page = self.pages[number]
        if self.is_paged:
            return DocumentPlace(self.path, page=number + 1, text=shorten(" ".join(page[start:end].split()), _SHOWN))
        return self.place(start, end, page)

    def place(self, start: int, end: int, text: str, shown: str = "") -> DocumentPlace:
        """A stretch of what a reader sees, as a place in the source; the text is what the offsets count in."""
        shown = shown or shorten(" ".join(text[start:end].split()), _SHOWN)
        if self.is_paged:
            return DocumentPlace(self.path, text=shown)
        if self._offsets is not None:
            at = start if text is self._raw else self._offsets.find(start, text is not self._pages[0])
            return DocumentPlace(self.path, position(self._line_starts(), at)[0], text=shown)
        if text is not self._raw and text != self._raw:
            # Folded to other lengths: lines are the same, offsets are only where nothing before was, on their line.
            ends = [self._unfold_offset(text, offset) for offset in (start, end)]
            if normalize_text(self._raw[ends[0] : ends[1]]) != text[start:end]:
                return DocumentPlace(self.path, text.count("\n", 0, start) + 1, text=shown)
            start, end = ends
        line, _ = position(self._line_starts(), start)
        return DocumentPlace(self.path, line, start=start, end=end, text=shown)

    def _unfold_offset(self, text: str, offset: int) -> int:
        """An offset of the folded text in the text as it is stored, by its line and column."""
        row, column = text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset) - 1
        starts = self._line_starts()
        return starts[row] + column if row < len(starts) else len(self._raw)

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            self._starts = line_starts(self._raw)
        return self._starts

    def unread_pages(self, first: int, last: int) -> list[int]:
        """Those of some pages, counted from 1, that hold no text to look into, or none that can be read."""
        if not self.is_paged:
            return []
        numbers = range(max(1, first), min(last, len(self.pages)) + 1)
        return [number for number in numbers if find_page_fault(self.pages[number - 1])]

    def share(self, quote: str) -> float:
        """Which share of the long words of a quote stands somewhere in it, from 0 to 1, as a small table tells."""
        wanted = _hash_long_words(quote)
        if len(wanted) < _FEW:
            return 1.0
        if self._marks is None:
            self._marks = bytearray(_BITS // 8)
            for page in self.pages:
                for word in _long_words(page):
                    mark = hash(word) % _BITS
                    self._marks[mark >> 3] |= 1 << (mark & 7)
        return sum(self._marks[mark >> 3] >> (mark & 7) & 1 for mark in wanted) / len(wanted)

    def is_called(self, name: str) -> bool:
        """Whether a name is its path, the end of its path, its file name, or that without its ending."""
        own, name = self.path.casefold(), name.casefold().strip("/")
        file = own.rpartition("/")[2]
        return name in (own, file, file.rpartition(".")[0] or file) or own.endswith("/" + name)


@lru_cache(4)
def _hash_long_words(quote: str) -> frozenset[int]:
    """The marks of a quote's long words; the same quote is asked about in many documents."""
    return frozenset(hash(word) % _BITS for word in _long_words(quote))


def _long_words(text: str) -> set[str]:
    """The long words of a text as a quote may spell them: composed, and both ways where a line ends in a hyphen."""
    form = form_of(normalize_text(text))
    form = form.replace(LOOSE, "") if count_letters(form) else form
    words = set(find_long_words(form.replace(SOFT, ""), _LONG_WORD))
    return words | set(find_long_words(form, _LONG_WORD)) if SOFT in form else words


def _widen_match(text: str, words: str, start: int, end: int) -> tuple[int, int]:
    """A match from first to last letter, with the signs that the words have around them where they are there."""
    at = text.find(words, max(0, start - _AROUND), end + _AROUND) if len(words) <= end - start + _AROUND else -1
    return (at, at + len(words)) if at >= 0 else (start, end)


def _begins(found: str, passage: str) -> bool:
    found, passage = " ".join(found.split())[:20], passage[:20]
    return found[: len(passage)].casefold() == passage[: len(found)].casefold() or not found.isascii()


def embedded_document(held: EmbeddedDocument) -> AnswerDocument | None:
    """The document that came with the response; None where its text did not."""
    from ....search.passages import find_kind

    kind = find_kind(held.name.filename) if held.name.filename else None
    document = AnswerDocument(held.path, kind="pdf" if held.pdf else "html" if kind == "html" else "text")
    if held.pdf:
        from base64 import b64decode

        try:
            document.take(b64decode(held.pdf, validate=True))
        except (ValueError, PinciteError):
            return None
        return document
    if not held.text.strip():
        return None
    # Its digest is of what it would be as a file; offsets count in the text as it came.
    document.take(held.text.encode("utf-8", "replace"))
    document.use(held.text)
    document.blocks = held.blocks
    return document

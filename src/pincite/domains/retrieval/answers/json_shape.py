"""JSON that may hold anything, read as if it had a shape: whatever has not becomes a named defect with its path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....core.model import Span
from .model import Answer, AnswerCitation, AnswerDefect, BlockRange, Chars, NamedDocument, PageSpan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .model import EmbeddedDocument

MOST_DEFECTS = 1000
"""How many defects of one response are reported."""
MOST_CITATIONS = 20_000
"""How many citations of one response are read."""
_NAMES = {dict: "an object", list: "a list", str: "text", int: "a whole number", bool: "true or false"}


class AnswerReader:
    """Reads a response field by field: keeps its text, its citations, and what is wrong with it."""

    def __init__(self, provider: str) -> None:
        self.provider = provider
        self.defects: list[AnswerDefect] = []
        self.citations: list[AnswerCitation] = []
        self.marks: list[Span] = []
        self._pieces: list[str] = []
        self._size = 0
        self._count = 0

    def add_text(self, text: str, gap: str = "\n\n") -> int:
        """Append to the text of the answer, behind a gap where it is not the first; returns where it begins."""
        text = gap + text if self._pieces else text
        start = self._size + (len(gap) if self._pieces else 0)
        self._pieces.append(text)
        self._size += len(text)
        return start

    def cite(
        self, path: str, span: Span | None, document: NamedDocument, quote: str = "", is_mark: bool = False, **more: Any
    ) -> None:
        """Keep a citation; where it has a mark in the text, that too."""
        self.citations.append(AnswerCitation(self.provider, path, span, document, quote, is_mark=is_mark, **more))
        if is_mark and span is not None:
            self.marks.append(span)

    def answer(self, documents: tuple[EmbeddedDocument, ...] = ()) -> Answer:
        """What was read."""
        text, citations = "".join(self._pieces), tuple(self.citations)
        return Answer(self.provider, text, citations, documents, tuple(self.defects), tuple(self.marks))

    def wrong(self, path: str, kind: str, message: str) -> None:
        """Keep a defect."""
        if len(self.defects) < MOST_DEFECTS:
            self.defects.append(AnswerDefect(path, kind, message))

    def text(self, held: dict[str, Any], key: str, at: str, needed: bool = False) -> str:
        """A field that is text; empty where it is null or absent, which is a defect where it is needed."""
        value = self._field(held, key, at, str, needed)
        return value if isinstance(value, str) else ""

    def number(self, held: dict[str, Any], key: str, at: str, needed: bool = True) -> int | None:
        """A field that is a whole number; None where it is not."""
        value = self._field(held, key, at, int, needed)
        return value if isinstance(value, int) else None

    def object(self, held: dict[str, Any], key: str, at: str, needed: bool = False) -> dict[str, Any] | None:
        """A field that is an object; None where it is not."""
        value = self._field(held, key, at, dict, needed)
        return value if isinstance(value, dict) else None

    def items(self, held: dict[str, Any], key: str, at: str, needed: bool = False) -> Iterator[tuple[str, Any]]:
        """The entries of a field that is a list, each with its path."""
        value = self._field(held, key, at, list, needed)
        where = inside(at, key)
        for number, item in enumerate(value if isinstance(value, list) else ()):
            yield f"{where}[{number}]", item

    def objects(
        self, held: dict[str, Any], key: str, at: str, needed: bool = False
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """The entries of a list of objects, each with its path; any that is none is a defect."""
        for where, item in self.items(held, key, at, needed):
            if self.is_kind(item, dict, where):
                yield where, item

    def is_kind(self, value: Any, kind: type, at: str, expected: str = "") -> bool:
        """Whether a value is of a kind; a defect where it is not."""
        # True is an int to Python and nowhere else.
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return True
        self.wrong(at, "wrong-type", f"expected {expected or _NAMES[kind]}, got {kind_of(value)}")
        return False

    def unknown(self, at: str, what: str, kind: str) -> None:
        """Keep that a type is none that is known."""
        self.wrong(inside(at, "type"), "unknown-type", f"no kind of {what} is called {kind[:60]!a}")

    def page(self, held: dict[str, Any], at: str, address: str = "url") -> NamedDocument:
        """The title and address of a document."""
        return NamedDocument(title=self.text(held, "title", at), uri=self.text(held, address, at, needed=True))

    def enough(self, at: str) -> bool:
        """Whether as many citations were read as one response may have; counts this one."""
        self._count += 1
        if self._count == MOST_CITATIONS + 1:
            self.wrong(at, "too-many", f"more than {MOST_CITATIONS:,} citations; the rest was not read")
        return self._count > MOST_CITATIONS

    def _field(self, held: dict[str, Any], key: str, at: str, kind: type, needed: bool) -> Any:
        value = held.get(key)
        if value is None:
            if needed:
                missing = "is null" if key in held else "is missing"
                self.wrong(inside(at, key), "missing-field", f"{key} {missing}; expected {_NAMES[kind]}")
            return None
        return value if self.is_kind(value, kind, inside(at, key)) else None

    def span(self, start: int | None, end: int | None, size: int, at: str, offset: int = 0) -> Span | None:
        """Two offsets as a span of a text of that size, which begins at an offset; None where they are none."""
        if start is None or end is None or not self._ordered(start, end, at, empty=True):
            return None
        if end > size:
            self.wrong(at, "offset-out-of-range", f"{start}-{end} lies outside a text of {size} characters")
            return None
        return Span(start + offset, end + offset)

    def words(self, held: dict[str, Any], at: str, text: str, offset: int) -> Span | None:
        """`start_index` and `end_index` as a span of one text of the answer, which begins at an offset of the whole."""
        start, end = self.number(held, "start_index", at), self.number(held, "end_index", at)
        return self.span(start, end, len(text), at, offset)

    def chars(self, held: dict[str, Any], at: str) -> Chars | None:
        """`start_char_index` and `end_char_index`."""
        bounds = self._pair(held, "start_char_index", "end_char_index", at)
        return Chars(*bounds) if bounds else None

    def blocks(self, held: dict[str, Any], at: str) -> BlockRange | None:
        """`start_block_index` and `end_block_index`."""
        bounds = self._pair(held, "start_block_index", "end_block_index", at)
        return BlockRange(*bounds) if bounds else None

    def pages(self, held: dict[str, Any], at: str) -> PageSpan | None:
        """`start_page_number` and `end_page_number`, which is the page after the last."""
        bounds = self._pair(held, "start_page_number", "end_page_number", at)
        if bounds is None:
            return None
        if bounds[0] < 1:
            self.wrong(at, "offset-out-of-range", "pages are counted from 1")
            return None
        return PageSpan(bounds[0], bounds[1] - 1)

    def _pair(self, held: dict[str, Any], first: str, last: str, at: str) -> tuple[int, int] | None:
        start, end = self.number(held, first, at), self.number(held, last, at)
        if start is None or end is None or not self._ordered(start, end, at, empty=False):
            return None
        return start, end

    def _ordered(self, start: int, end: int, at: str, empty: bool) -> bool:
        if start < 0 or end < 0:
            self.wrong(at, "offset-negative", f"{start}-{end}: no place begins before the first")
            return False
        if end < start or (end == start and not empty):
            said = "ends before it begins" if end < start else "is empty: the end is not part of it"
            self.wrong(at, "offset-reversed", f"{start}-{end} {said}")
            return False
        return True


def inside(at: str, key: str) -> str:
    """The path of a field of what is at a path."""
    return f"{at}.{key}" if at else key


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "a number that is not whole" if value == value and abs(value) != float("inf") else "no finite number"
    return _NAMES.get(type(value), "something else") if not isinstance(value, dict) else "an object"

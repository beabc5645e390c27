"""The plain form of a corpus file: headings, tables, bullets and quotes that say what frontmatter would.

    # REF-008: A title

    | Pages | 16 |

    ## Sections
    - Results (pp. 10-15)

    ## Key Quotes
    > "Quoted words" (p. 7, Results)

What is said first counts. Fenced code says nothing, nor do bullets below headings about other works.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Span
from ..text.lines import shorten
from ..text.markdown import fences, unify_line_ends
from .fields import WANTED, normal_doi, normal_pdf, normal_url, normal_year, split_authors
from .ids import PATTERN
from .model import KeyQuote, Section
from .ranges import normal_ranges, parse_range

if TYPE_CHECKING:
    from typing import Any


_LOCATOR = re.compile(r"\(([^()]{1,200})\)[*_]{0,3}[.]?[ \t]*\Z")
_PAGE = re.compile(
    # Examples: `p. 15`, `pages iv`, `pp12`.
    r"""
    (?:[Pp]{1,2}\.[ \t]*|(?:[Pp]ages?|[Pp]{1,2})[ \t]+|pp?(?=[0-9]))
    (?=[^a-zA-Z \t]|[ivxlcdmIVXLCDM]{1,15}\b|[A-Za-z]{1,8}[0-9])(.{1,40})
    """,
    re.VERBOSE,
)
_PART = re.compile(r"[ \t]*[,;][ \t]*")
_PAIRS = {'"': '"', "\u201d": "\u201c", "\u00bb": "\u00ab", "\u2019": "\u2018", "\u201c": "\u201e"}
_MARKS = frozenset('"\u201c\u201d')
_LONGEST, _TAIL = 20_000, 220
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)")
_TITLE = re.compile(rf"({PATTERN})(?![0-9])[ \t]*(?:[:\u2013\u2014-][ \t]*|\Z|[ \t])(.*)")
_PIPE = re.compile(r"(?<!\\)\|")
_BULLET = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?\*\*([^*:\n]{1,40}):?\*\*:?[ \t]*(.*)|[ \t]*[-*+][ \t]+([A-Za-z ]{1,40}):[ \t]+(.*)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(.*)")
_LINK = re.compile(
    r"!?\[([^\[\]]{0,500})\]\(<?([^()<>\s]{1,1000}+)>?[^()]{0,200}+\)|<((?:https?|doi):[^<>\s]{1,1000}+)>"
)
_ASIDE = re.compile(r"[ \t]*\([^()]{0,80}\)[ \t]*\Z")
_COUNT = re.compile(r"(?:~[ \t]?)?([0-9]{1,6})(?:[ \t]+(?:pages?|pp\.?))?")
_NOTHING = frozenset(("", "-", "--", "\u2013", "\u2014", "n/a", "na", "none", "unknown", "tbd", "?", "..."))
_LABELS = {
    **dict.fromkeys(("pages", "page count", "total pages", "number of pages", "length"), "pages"),
    **dict.fromkeys(("page range", "page numbers"), "page_range"),
    **dict.fromkeys(("author", "authors", "author(s)"), "authors"),
    **dict.fromkeys(("year", "publication year", "published"), "year"),
    **dict.fromkeys(("url", "link"), "url"),
    **dict.fromkeys(("pdf", "pdf file", "local pdf"), "pdf"),
    "doi": "doi",
    "title": "title",
    "relevance": "relevance",
    "aiwg relevance": "relevance",
}
_ELSEWHERE = re.compile(r"related|see also|further reading|bibliography|comparison|other works|\breferences\b", re.I)
_STRUCTURE = re.compile(
    r"(?:document |paper )?(?:sections?|structure|page map|section map|contents|table of contents)\W*", re.I
)


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


class PlainFile:
    """What the plain form says: values by field, quotes, and complaints with their places."""

    def __init__(self, text: str, start: int) -> None:
        self.values: dict[str, Any] = {}
        self.id = ""
        self.id_at = 0
        self.complaints: list[tuple[int, str, str]] = []
        """Offset, field, message."""
        self.quotes: list[KeyQuote] = []
        self._sections: list[Section] = []
        self._columns: list[str] | None = None
        """What the columns of the table being read mean, where they have headings that say so."""
        self._heading = ""
        self._blocks: list[QuoteBlock] = []
        self._open: QuoteBlock | None = None
        """The item or quote that the line before belongs to."""
        self._read(unify_line_ends(text), start)
        if self._sections:
            self.values["sections"] = tuple(self._sections)

    def _read(self, text: str, start: int) -> None:
        regions = iter(fences(text, start))
        region = next(regions, None)
        lines = text[start:].split("\n")
        at = start
        for number, line in enumerate(lines):
            while region is not None and region.end <= at:
                region = next(regions, None)
            if region is not None and region.start <= at:
                self._open = None
            else:
                self._line(line.rstrip(), at, lines[number + 1] if number + 1 < len(lines) else "")
            at += len(line) + 1
        self.quotes = read_quotes(self._blocks, self.complaints)

    def _line(self, line: str, at: int, below: str) -> None:
        """Take in one line outside of code."""
        first = line.lstrip()[:1]
        if first == "|":
            self._open = None
            self._row(line, at, below)
            return
        self._columns = None
        heading = _HEADING.fullmatch(line) if first == "#" else None
        if heading is not None:
            self._open = None
            self._take_heading(len(heading[1]), heading[2].rstrip("# \t"), at)
            return
        item = _ITEM.fullmatch(line) if first != ">" else None
        self._block(line, at, item, first == ">")
        if not first or first == ">":
            return
        bullet = _BULLET.fullmatch(line)
        if bullet is not None and not _ELSEWHERE.search(self._heading):
            label, value = (bullet[1], bullet[2]) if bullet[1] else (bullet[3], bullet[4])
            self._take(label, value, at)
        if item is not None and _STRUCTURE.fullmatch(self._heading):
            self._section_item(item[1])

    def _block(self, line: str, at: int, item: re.Match[str] | None, quoting: bool) -> None:
        """Add a line to the quote or item it belongs to, or begin one."""
        words = item[1].strip() if item is not None else line.strip()
        quoting = quoting or words[:1] == ">"
        words = words.lstrip("> \t") if quoting else words
        if not words:
            self._open = None
        elif self._open is not None and item is None and self._open.goes_on(quoting):
            self._open.lines.append(words)
            self._open.end = at + len(line)
        elif quoting or item is not None:
            self._open = QuoteBlock(at, at + len(line), quoting, [words])
            self._blocks.append(self._open)
        else:
            self._open = None

    def _take_heading(self, level: int, text: str, at: int) -> None:
        self._heading = text.strip()
        if level > 1:
            return
        found = _TITLE.fullmatch(self._heading)
        if found is not None and not self.id:
            self.id, self.id_at = found[1], at
        title = found[2].strip() if found is not None else self._heading
        if title:
            self.values.setdefault("title", title)

    def _row(self, line: str, at: int, below: str) -> None:
        """One row of a table: `label | value`, a heading row, or a row below one."""
        cells = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line.strip())[1:]]
        if cells and not cells[-1]:
            cells.pop()
        if len(cells) < 2 or _is_rule(line):
            return
        if self._columns is None:
            names = [_label(cell) for cell in cells]
            heads = _is_rule(below)
            if heads and names[0] in ("section", "sections", "name") and {"pages", "page"} & set(names):
                self._columns = ["section", *("pages" if name in ("pages", "page") else "" for name in names[1:])]
                return
            if heads and all(name in _LABELS for name in names):
                self._columns = names
                return
            self._columns = []
        if not self._columns:
            self._take(cells[0], cells[1], at)
        elif self._columns[0] == "section":
            self._section_row(cells, at)
        else:
            for name, cell in zip(self._columns, cells, strict=False):
                self._take(name, cell, at)

    def _section_row(self, cells: list[str], at: int) -> None:
        named = dict(zip(self._columns or [], cells, strict=False))
        name, pages = _words(named.get("section", "")), named.get("pages", "")
        if not name:
            return
        normal = normal_ranges(pages)
        if not normal and pages.lower() not in _NOTHING:
            self._complain(at, f"sections[{len(self._sections)}].pages", WANTED["page_range"], pages)
        self._sections.append(Section(name, normal))

    def _section_item(self, text: str) -> None:
        """`Results (pp. 10-15)` or `Results: 10-15`; anything else below the heading is prose."""
        text = text.strip()
        for mark, end in (("(", ")"), (":", ""), (",", "")):
            at = text.rfind(mark)
            if at > 0 and text.endswith(end):
                pages = text[at + 1 : len(text) - len(end)].strip()
                name = _words(text[:at])
                if name and parse_range(pages) is not None:
                    self._sections.append(Section(name, normal_ranges(pages)))
                    return

    def _take(self, label: str, value: str, at: int) -> None:
        """Keep the value of a label that means a field, unless the field has one already."""
        field = _LABELS.get(_label(label))
        if field is None or value.strip().strip("*_`").lower() in _NOTHING:
            return
        if field == "pages":
            self._take_pages(_words(value), at)
        elif field not in self.values:
            found = _VALUES[field](value)
            if found:
                self.values[field] = found
            else:
                self._complain(at, field, WANTED[field], value)

    def _take_pages(self, value: str, at: int) -> None:
        """`16` is a number of pages, `81-97` a range of them."""
        aside = _ASIDE.search(value[-100:])
        bare = value[: len(value) - len(aside[0])].strip() if aside else value
        count = _COUNT.fullmatch(bare)
        if count is not None and int(count[1]) > 0:
            self.values.setdefault("total_pages", int(count[1]))
        elif count is None and normal_ranges(bare):
            self.values.setdefault("page_range", normal_ranges(bare))
            within = _COUNT.fullmatch(aside[0].strip(" \t()")) if aside else None
            if within is not None and int(within[1]) > 0:
                self.values.setdefault("total_pages", int(within[1]))
        else:
            self._complain(at, "pages", "a number of pages like 16 or a range like 81-97", value)

    def _complain(self, at: int, field: str, wanted: str, value: str) -> None:
        self.complaints.append((at, field, f'{field}: expected {wanted}, got "{shorten(value.strip(), 60)}"'))


def _is_rule(line: str) -> bool:
    """Whether a line parts the head of a table from its rows."""
    return "-" in line and not line.strip(" \t:|-")


def _label(cell: str) -> str:
    return " ".join(cell.strip("*_` :\t").lower().split())


def _words(text: str) -> str:
    """Text without the marks of links and emphasis around it."""
    return _LINK.sub(lambda link: link[1] or link[3] or "", text).strip(" \t*_`")


def _target(text: str) -> str:
    """Where a link leads, or the text itself."""
    link = _LINK.search(text)
    return (link[2] or link[3]) if link is not None else text.strip(" \t*_`")


_VALUES: dict[str, Any] = {
    "page_range": lambda value: normal_ranges(_ASIDE.sub("", _words(value)[-200:])),
    "authors": lambda value: split_authors(_words(value)),
    "year": lambda value: normal_year(_words(value)),
    "doi": lambda value: normal_doi(_target(value)) or normal_doi(_words(value)),
    "url": lambda value: normal_url(_target(value)),
    "pdf": lambda value: normal_pdf(_target(value)),
    "title": _words,
    "relevance": _words,
}

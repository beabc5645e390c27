"""A report in blocks: paragraphs, items, cells and entries, without code; and the list of its own sources."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.document import Document
from ...text.lines import replace_spans
from ...text.markdown import fences, unify_line_ends
from ...text.quotations.tables import split_row
from .escape_markdown import COLUMNS
from .source_references import Mark, ReferenceScan
from .statements import CLOSING, STOPS, WORD, is_claim, is_row_claim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...core.model import Span

_LEAD = re.compile(r"(?:[ \t>]++|(?:[-*+•]|(?P<number>[0-9]{1,9})[.)])(?=[ \t])|\[[ xX]\](?=[ \t]))*+")
_HEADING = re.compile(r"[ \t>]*#{1,6}(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(r"[ \t>]*(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})\Z")
_DELIMITER = re.compile(r"[ \t>]*+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?+[ \t]*+\Z")
_PIPE = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"[ \t>]{0,12}\[(?P<label>\^?[^\[\]\n]{1,100})\]:[ \t]*(?P<target>[^\n]*)\Z")
_NUMBERED = re.compile(r"(?:\\?\[\^?([0-9]{1,4})\\?\]|\(([0-9]{1,4})\)|([0-9]{1,4})[.)])")
_LISTING = re.compile(
    # Examples: `5. References`, `List of sources used`.
    r"""
    (?:[0-9.]+\ )?(?:list\ of\ |all\ )?(?:sources|references|citations|bibliography|works\ cited|footnotes|endnotes
    |links
    |literature|further\ reading|grounded\ claims)(?:\ (?:cited|used|and\ (?:sources|references|notes|links)))?\W*
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ADDRESS = re.compile(r"<?https?://|\(?(?:sources?\s*:\s*)?https?://", re.IGNORECASE)
_COMMENT = "<!--"
_CALLOUT = re.compile(r"\[![A-Za-z][\w-]{0,40}\][+-]?[ \t]*")
_LONGEST_HEADING = 200
_MOST_BORROWED = 50
_WORDS_IN_NAME = 2
"""Of a column: a figure in so few is a unit, or what is counted."""
_STOPPING = tuple(STOPS)
_YAML = re.compile(r"\s*+(?:[\w-]{1,60}:(?:\s|\Z)|-\s|\#|[\]}])|[ \t]+\S|\s*+\Z")


class ReportBlock(Struct):
    """A stretch of a report in which sentences stand."""

    start: int
    end: int
    kind: str = "text"
    """`text`, `heading`, `cell`, `row` and `head` (of a table), `record` (of the table of grounded claims), `entry` (of
    a list), `definition`, `source` (a line of an entry that lists one) or `code`."""
    listing: bool = False
    number: int = 0
    depth: int = 0
    """Of block quotes."""
    borrowed: tuple[Mark, ...] = ()
    """The marks of those cells of the row that hold nothing else; of a source, those of its whole entry."""
    head: tuple[int, int] = (0, 0)
    """Of a row: where the names of its columns stand."""
    said: str = ""
    """What it says, where that is not what stands between its ends."""


class ReportBlocks:
    """The blocks of one report; its text and its prose have the same places, code is blank in the prose."""

    def __init__(self, text: str, titles: Iterable[tuple[str, str]] = ()) -> None:
        self.prose = _prose(text)
        self.blocks: list[ReportBlock] = []
        self._open: ReportBlock | None = None
        self._listing = False
        self._table = False
        self._head = (0, 0)
        self._item = False
        self._counter = 0
        self._leads: list[tuple[int, int]] = []
        """Where lines within a block begin with the marks of a quote."""
        self._lines()
        unmarked = [(start, end, " " * (end - start)) for start, end in self._leads]
        self.text, self.prose = replace_spans(text, unmarked), replace_spans(self.prose, unmarked)
        self.sources = self._sources()
        for title, url in titles:
            _put(self.sources, f"page:{' '.join(title.split()).casefold()}", (url,))
        self.blocks = [part for block in self.blocks for part in self._parts(block)]

    def _lines(self) -> None:
        at = 0
        blank = True
        for line in self.prose.split("\n"):
            self._line(line, at, blank)
            blank = not line.strip()
            at += len(line) + 1
        self._close()

    def _line(self, line: str, at: int, after_blank: bool) -> None:
        lead = _LEAD.match(line)
        begin = lead.end() if lead else 0
        if begin == len(line) or not line.strip():
            self._close()
            self._table = False
            self._head = (0, 0)
            return
        heading = _HEADING.match(line)
        if heading is not None:
            self._close()
            self._section(line[heading.end() :])
            self._heading(at + heading.end(), at + len(line.rstrip("# \t")))
            return
        callout = _CALLOUT.match(line, begin) if ">" in line[:begin] else None
        if callout is not None:
            # The title of a callout is a line of its own.
            self._close()
            if callout.end() < len(line):
                self._start(at + callout.end(), at + len(line), "text", line[:begin].count(">"))
                self._close()
            return
        if self._open is not None and self._is_underline(line):
            return
        if _DELIMITER.match(line) and "|" in line and self._open is not None:
            self._head_of_table()
            return
        if _RULE.match(line):
            self._close()
            return
        if line.startswith(("    ", "\t")) and after_blank and not self._item:
            self._close()
            self.blocks.append(ReportBlock(at + begin, at + len(line), "code"))
            return
        self._text_line(line, at, begin, lead["number"] if lead else None, after_blank)

    def _text_line(self, line: str, at: int, begin: int, number: str | None, after_blank: bool) -> None:
        marked = bool(line[:begin].strip(" \t>"))
        depth = line[:begin].count(">")
        definition = _DEFINITION.match(line)
        row = line[begin] == "|" or (self._table and _PIPE.search(line) is not None)
        end = at + len(line)
        if definition is not None:
            self._start(at, end, "definition")
        elif row:
            self._start(at + begin, end, "row")
            if self._open is not None:
                self._open.head = self._head
        elif marked or (self._listing and _NUMBERED.match(line, begin)):
            self._item = marked or self._item
            self._start(at + begin, end, "entry", depth)
            if self._open is not None:
                self._open.number = self._number_item(number, line, begin)
        elif self._open is not None and self._open.kind != "row" and depth <= self._open.depth:
            self._open.end = end
            if depth:
                self._leads.append((at, at + begin))
        else:
            self._item = self._item and (not after_blank or line.startswith((" ", "\t")))
            self._start(at + begin, end, "text", depth)
        if self._open is not None and self._open.kind != "row":
            self._table = False

    def _number_item(self, number: str | None, line: str, begin: int) -> int:
        """Which source of the list an item is: lists are counted, whatever their numbers say."""
        written = _NUMBERED.match(line, begin)
        if written is not None:
            return int(next(part for part in written.groups() if part))
        if number is None or not self._listing or line[:1] in " \t":
            return 0
        self._counter = self._counter + 1 if self._counter else int(number)
        return self._counter

    def _start(self, start: int, end: int, kind: str, depth: int = 0) -> None:
        self._close()
        self._open = ReportBlock(start, end, kind, self._listing, depth=depth)

    def _close(self) -> None:
        block, self._open = self._open, None
        if block is None:
            return
        if block.kind == "text" and block.end - block.start < _LONGEST_HEADING:
            # A line of its own that announces sources, set bold perhaps.
            line = self.prose[block.start : block.end]
            if lists_sources(line):
                self._section(line)
                return
        self.blocks.append(block)

    def _section(self, name: str) -> None:
        self._listing = lists_sources(name)
        self._counter = 0
        self._item = self._table = False

    def _heading(self, start: int, end: int) -> None:
        """A heading mostly names what follows; what it claims is for others to say."""
        if not self._listing and start < end:
            self.blocks.append(ReportBlock(start, end, "heading"))

    def _read_visible(self, start: int, end: int) -> str:
        """What a reader sees between two places, without what may stand behind a stop."""
        return ReferenceScan(self.prose, self.prose, start, end, {}).read(start, end).rstrip(CLOSING)

    def _is_underline(self, line: str) -> bool:
        """Whether a line makes a heading of the one before it. A sentence does not become one by being underlined."""
        block = self._open
        if block is None or not _UNDERLINE.match(line) or block.kind != "text":
            return False
        above = self.prose[block.start : block.end]
        if (
            "\n" in above
            or len(above) > _LONGEST_HEADING
            or self._read_visible(block.start, block.end).endswith(_STOPPING)
        ):
            self._close()
            return True
        self._open = None
        self._section(above)
        self._heading(block.start, block.end)
        return True

    def _head_of_table(self) -> None:
        """The line above the dashes names the columns."""
        block, self._open = self._open, None
        if block is not None:
            cut = self.prose.rfind("\n", block.start, block.end)
            if cut >= 0:
                self.blocks.append(ReportBlock(block.start, cut, block.kind, block.listing))
            self._head = (cut + 1 if cut >= 0 else block.start, block.end)
            self.blocks.append(ReportBlock(*self._head, "head"))
        self._table = True

    def _sources(self) -> dict[str, tuple[str, ...]]:
        """The report's own sources, by the names it gives them; one that has two meanings has none."""
        found: dict[str, tuple[str, ...]] = {}
        entries = [(block, self._definition(block)) for block in self.blocks if block.kind == "definition"]
        for block, label in entries:
            marks = ReferenceScan(self.text, self.prose, block.start, block.end, {}).marks
            _put(found, label, tuple(url for mark in marks for url in mark.urls))
        defined = dict(found)
        for block in self.blocks:
            if not block.listing or block.kind == "definition":
                continue
            scan = ReferenceScan(self.text, self.prose, block.start, block.end, defined)
            urls = [url for mark in scan.marks for url in mark.urls]
            if urls and block.number:
                _put(found, str(block.number), tuple(urls[:1]))
            for mark in scan.marks:
                if mark.words and mark.urls:
                    _put(found, f"title:{' '.join(mark.words.split()).casefold()}", mark.urls)
        return {name: urls for name, urls in found.items() if urls}

    def _definition(self, block: ReportBlock) -> str:
        match = _DEFINITION.match(self.prose[block.start : block.end].partition("\n")[0])
        return " ".join(match["label"].split()).casefold() if match else ""

    def _parts(self, block: ReportBlock) -> Iterator[ReportBlock]:
        """The cells of a row and the lines of a source; every other block as it is."""
        if block.kind == "row":
            yield from self._row(block)
        elif block.kind == "head":
            # The names of columns mostly claim nothing; what claims among them is judged as any cell is.
            for _, start, end in _cells(self.prose, block.start, block.end):
                said = self.scan(start, end).read(start, end)
                if (said.rstrip(CLOSING)[-1:] or "x") in STOPS:
                    yield ReportBlock(start, end, "cell")
                elif len(WORD.findall(said)) > _WORDS_IN_NAME and is_claim(said, "label"):
                    yield ReportBlock(start, end, "label")
        elif (block.listing or block.kind == "definition") and self._lists(block):
            marks = tuple(islice(self.scan(block.start, block.end).marks, _MOST_BORROWED))
            begin = self._said_from(block)
            for line in re.finditer(r"[^\n]+", self.prose[begin : block.end]):
                start, end = line.start() + begin, line.end() + begin - line[0].endswith("\\")
                yield ReportBlock(start, end, "source", block.listing, borrowed=marks)
        elif block.kind == "definition":
            yield ReportBlock(self._said_from(block), block.end)
        else:
            yield block

    def _said_from(self, block: ReportBlock) -> int:
        return self.prose.index("]:", block.start) + 2 if block.kind == "definition" else block.start

    def _row(self, block: ReportBlock) -> Iterator[ReportBlock]:
        """The cells of a row that claim something alone, and what the others say together."""
        cells = list(_cells(self.prose, block.start, block.end))
        # A mark behind the last pipe would be another cell.
        end = max((start + len(self.prose[start:stop].rstrip()) for _, start, stop in cells), default=block.end)
        scans = {cell: self.scan(*cell[1:]) for cell in cells}
        said = {cell: scans[cell].read(*cell[1:]) for cell in cells}
        bare = {cell for cell in cells if _is_bare(scans[cell], said[cell])}
        # Each cell gets all of them: without a bound, one long row would cost as much as a long report squared.
        borrowed = tuple(islice((mark for cell in cells if cell in bare for mark in scans[cell].marks), _MOST_BORROWED))
        # A row among the sources that has no address lists none.
        listing = block.listing and any(mark.urls for cell in cells for mark in scans[cell].marks)
        names = {at: self.scan(*cell).read(*cell) for at, *cell in _cells(self.prose, *block.head)}
        if tuple(names.values()) == COLUMNS[1:]:
            whole = "\n".join(said[cell] for cell in cells if cell not in bare)
            yield ReportBlock(block.start, end, "record", said=whole, borrowed=borrowed)
            return
        short: list[tuple[int, int, int]] = []
        for cell in cells:
            if cell in bare:
                continue
            if is_claim(said[cell], "cell") and not listing:
                # Without a stop it is no sentence of its own: what it speaks of stands in the first cell.
                subject = next((said[one] for one in short if any(map(str.isalpha, said[one]))), "")
                if said[cell].rstrip(CLOSING)[-1:] in STOPS:
                    subject = ""
                marks = tuple(scans[cell].marks) or borrowed
                yield ReportBlock(*cell[1:], "cell", borrowed=marks, said=f"{subject}: {said[cell]}" if subject else "")
            else:
                short.append(cell)
        if is_row_claim([said[cell] for cell in short], listing):
            parts = [f"{names.get(cell[0], '') if at else ''} {said[cell]}".strip() for at, cell in enumerate(short)]
            if not any(sign.isalpha() for sign in parts[0]):
                parts[0] = f"{names.get(short[0][0], '')} {parts[0]}".strip()
            own = tuple(mark for cell in short for mark in scans[cell].marks)
            whole = f"{parts[0]}: {', '.join(parts[1:])}" if len(parts) > 1 else parts[0]
            yield ReportBlock(block.start, end, "row", said=whole, borrowed=(*own, *borrowed)[:_MOST_BORROWED])
        else:
            for cell in short:
                yield ReportBlock(*cell[1:], "cell", borrowed=borrowed)

    def _lists(self, block: ReportBlock) -> bool:
        """Whether a block among the sources is one of them, and no claim that happens to stand there."""
        marks = [mark for mark in self.scan(block.start, block.end).marks if mark.urls]
        if not marks or block.kind == "definition":
            return bool(marks)
        bare = [mark for mark in marks if _ADDRESS.match(self.prose, mark.start)]
        named = [mark for mark in marks if mark.words]
        if block.kind == "entry":
            return bool(block.number or bare or named)
        first, last = marks[0], marks[-1]
        begins = not WORD.search(self.prose, block.start, first.start) and first in (*bare, *named)
        return begins or (last in bare and not WORD.search(self.prose, last.end, block.end))

    def scan(self, start: int, end: int) -> ReferenceScan:
        """What stands between two places."""
        return ReferenceScan(self.text, self.prose, start, end, self.sources)


def _is_bare(scan: ReferenceScan, said: str) -> bool:
    """Whether a cell holds marks and nothing besides."""
    return bool(scan.marks) and (not WORD.search(said) or all(mark.words == said for mark in scan.marks))


def lists_sources(heading: str) -> bool:
    """Whether what stands under a heading lists sources, as it says."""
    return _LISTING.fullmatch(" ".join(re.sub(r"[*_`#\\]", "", heading).split())) is not None


def _prose(text: str) -> str:
    """The text with code as NULs, comments as U+0001, and fenced code and frontmatter blank; every place stays."""
    document = Document("-", text)
    prose, plain = unify_line_ends(document.prose), unify_line_ends(text)
    front = document.frontmatter
    gaps = [(fence.start, fence.end, " ") for fence in fences(plain, front.end if front else 0)]
    if front is not None and is_frontmatter(plain, front):
        gaps.append((0, (plain.find("\n", front.end) + 1) or len(plain), " "))
    at = 0
    while (at := prose.find(_COMMENT, at)) >= 0:
        end = prose.find("-->", at + len(_COMMENT))
        if end < 0:
            break
        gaps.append((at, end + 3, "\x01"))
        at = end + 3
    blanks = ((start, end, re.sub(r"[^\n]", fill, plain[start:end])) for start, end, fill in sorted(gaps))
    return replace_spans(prose, blanks)


def is_frontmatter(text: str, front: Span) -> bool:
    """Whether what stands between two rules is frontmatter, and not a text."""
    return all(_YAML.match(line) for line in text[front.start : front.end].split("\n"))


def _cells(prose: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The number of each column that is not empty, and where its cell begins and ends."""
    for number, (first, last) in enumerate(split_row(prose, start, end)):
        if prose[first:last].strip():
            yield number, first, last


def _put(found: dict[str, tuple[str, ...]], name: str, urls: tuple[str, ...]) -> None:
    found[name] = urls if found.get(name, urls) == urls else ()

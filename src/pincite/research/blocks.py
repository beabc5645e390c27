"""A report in blocks: paragraphs, items, cells and entries, without code; and the list of its own sources."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ..document import Document
from ..markup import fences, unified
from .marks import Mark, Scan, addresses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..model import Span

_LEAD = re.compile(r"(?:[ \t>]++|(?:[-*+•]|(?P<number>[0-9]{1,9})[.)])(?=[ \t])|\[[ xX]\](?=[ \t]))*+")
_HEADING = re.compile(r"[ \t>]*#{1,6}(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"[ \t>]*(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(r"[ \t>]*(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})\Z")
_DELIMITER = re.compile(r"[ \t>]*+\|?+[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?+[ \t]*+\Z")
_PIPE = re.compile(r"(?<!\\)\|")
_DEFINITION = re.compile(r"[ \t>]{0,12}\[(?P<label>\^?[^\[\]\n]{1,100})\]:[ \t]*(?P<target>[^\n]*)\Z")
_NUMBERED = re.compile(r"(?:\\?\[\^?([0-9]{1,4})\\?\]|\(([0-9]{1,4})\)|([0-9]{1,4})[.)])")
_LISTING = re.compile(
    r"(?:[0-9.]+ )?(?:list of |all )?(?:sources|references|citations|bibliography|works cited|footnotes|endnotes|links"
    r"|literature|further reading|grounded claims)(?: (?:cited|used|and (?:sources|references|notes|links)))?\W*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"<?https?://|\(?(?:sources?\s*:\s*)?https?://", re.IGNORECASE)
_COMMENT = "<!--"
_CALLOUT = re.compile(r"\[![A-Za-z][\w-]{0,40}\][+-]?[ \t]*")
_WORDS_IN_HEADING = 4
_LONGEST_HEADING = 200
_MOST_BORROWED = 50
STOPS = ".!?…。！？"
"""What ends a sentence."""
FULL_STOPS = (".", "!", "。", "！")
"""What makes a sentence of a heading."""
_STOPPING = tuple(STOPS)
CLOSING = ")]}\"'”’»*_~ \t"
"""What may stand behind its stop."""
WORD = re.compile(r"[^\W_]+(?:[.,'’-][^\W_]+)*")
_YAML = re.compile(r"\s*+(?:[\w-]{1,60}:(?:\s|\Z)|-\s|\#|[\]}])|[ \t]+\S|\s*+\Z")


class Block(Struct):
    """A stretch of a report in which sentences stand."""

    start: int
    end: int
    kind: str = "text"
    """`text`, `cell`, `row` and `head` (of a table), `entry` (of a list) or `definition`."""
    listing: bool = False
    number: int = 0
    depth: int = 0
    """Of block quotes."""
    borrowed: tuple[Mark, ...] = ()
    """The marks of those cells of the row that hold nothing else."""


class Blocks:
    """The blocks of one report; its text and its prose have the same places, code is blank in the prose."""

    def __init__(self, text: str, titles: Iterable[tuple[str, str]] = ()) -> None:
        self.prose = _prose(text)
        self.blocks: list[Block] = []
        self._open: Block | None = None
        self._listing = False
        self._table = False
        self._item = False
        self._counter = 0
        self._leads: list[tuple[int, int]] = []
        """Where lines within a block begin with the marks of a quote."""
        self._lines()
        self.text, self.prose = self._unmarked(text), self._unmarked(self.prose)
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
            return
        heading = _HEADING.match(line)
        if heading is not None:
            self._close()
            self._section(line[heading.end() :])
            self._stopped(line, at, heading.end())
            return
        callout = _CALLOUT.match(line, begin) if ">" in line[:begin] else None
        if callout is not None:
            # The title of a callout is a line of its own.
            self._close()
            if callout.end() < len(line):
                self._start(at + callout.end(), at + len(line), "text", line[:begin].count(">"))
                self._close()
            return
        if self._open is not None and self._underlined(line):
            return
        if _DELIMITER.match(line) and "|" in line and self._open is not None:
            self._head_of_table()
            return
        if _RULE.match(line):
            self._close()
            return
        if line.startswith(("    ", "\t")) and after_blank and not self._item:
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
        elif marked or (self._listing and _NUMBERED.match(line, begin)):
            self._item = marked or self._item
            self._start(at + begin, end, "entry", depth)
            if self._open is not None:
                self._open.number = self._numbered(number, line, begin)
        elif self._open is not None and self._open.kind != "row" and depth <= self._open.depth:
            self._open.end = end
            if depth:
                self._leads.append((at, at + begin))
        else:
            self._item = self._item and (not after_blank or line.startswith((" ", "\t")))
            self._start(at + begin, end, "text", depth)
        if self._open is not None and self._open.kind != "row":
            self._table = False

    def _unmarked(self, text: str) -> str:
        """A text of this length without the marks of quotes that lines within a block begin with."""
        pieces: list[str] = []
        at = 0
        for start, end in self._leads:
            pieces += text[at:start], " " * (end - start)
            at = end
        return "".join([*pieces, text[at:]])

    def _numbered(self, number: str | None, line: str, begin: int) -> int:
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
        self._open = Block(start, end, kind, self._listing, depth=depth)

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

    def _stopped(self, line: str, at: int, begin: int) -> None:
        """A heading that ends with a stop is a sentence in large letters."""
        end = at + len(line.rstrip("# \t"))
        said = self._seen(at + begin, end)
        if said.endswith(FULL_STOPS) and len(WORD.findall(said)) >= _WORDS_IN_HEADING:
            self.blocks.append(Block(at + begin, end))

    def _seen(self, start: int, end: int) -> str:
        """What a reader sees between two places, without what may stand behind a stop."""
        return Scan(self.prose, self.prose, start, end, {}).read(start, end).rstrip(CLOSING)

    def _underlined(self, line: str) -> bool:
        """Whether a line makes a heading of the one before it. A sentence does not become one by being underlined."""
        block = self._open
        if block is None or not _UNDERLINE.match(line) or block.kind != "text":
            return False
        above = self.prose[block.start : block.end]
        if "\n" in above or len(above) > _LONGEST_HEADING or self._seen(block.start, block.end).endswith(_STOPPING):
            self._close()
            return True
        self._open = None
        self._section(above)
        return True

    def _head_of_table(self) -> None:
        """The line above the dashes names the columns."""
        block, self._open = self._open, None
        if block is not None:
            cut = self.prose.rfind("\n", block.start, block.end)
            if cut >= 0:
                self.blocks.append(Block(block.start, cut, block.kind, block.listing))
            self.blocks.append(Block(cut + 1 if cut >= 0 else block.start, block.end, "head"))
        self._table = True

    def _sources(self) -> dict[str, tuple[str, ...]]:
        """The report's own sources, by the names it gives them; one that has two meanings has none."""
        found: dict[str, tuple[str, ...]] = {}
        entries = [(block, self._definition(block)) for block in self.blocks if block.kind == "definition"]
        for block, label in entries:
            urls = addresses(self.text, self.prose, block.start, block.end, {})
            _put(found, label, tuple(urls))
        defined = dict(found)
        for block in self.blocks:
            if not block.listing or block.kind == "definition":
                continue
            scan = Scan(self.text, self.prose, block.start, block.end, defined)
            urls = [url for mark in scan.marks for url in mark.urls]
            if urls and block.number:
                _put(found, str(block.number), tuple(urls[:1]))
            for mark in scan.marks:
                if mark.words and mark.urls:
                    _put(found, f"title:{' '.join(mark.words.split()).casefold()}", mark.urls)
        return {name: urls for name, urls in found.items() if urls}

    def _definition(self, block: Block) -> str:
        match = _DEFINITION.match(self.prose[block.start : block.end].partition("\n")[0])
        return " ".join(match["label"].split()).casefold() if match else ""

    def _parts(self, block: Block) -> Iterator[Block]:
        """The cells of a row; every other block as it is, unless it only lists a source."""
        if (block.listing or block.kind == "definition") and self._lists(block):
            return
        if block.kind == "definition":
            colon = self.prose.index("]:", block.start) + 2
            yield Block(colon, block.end)
            return
        if block.kind not in ("row", "head"):
            yield block
            return
        cells = list(_cells(self.prose, block.start, block.end))
        if block.kind == "head":
            # The names of columns claim nothing; a sentence among them does.
            cells = [cell for cell in cells if (self.scan(*cell).read(*cell).rstrip(CLOSING)[-1:] or "x") in STOPS]
        bare = {cell for cell in cells if self._is_bare(*cell)}
        # Each cell gets all of them: without a bound, one long row would cost as much as a long report squared.
        found = (mark for cell in cells if cell in bare for mark in self.scan(*cell).marks)
        borrowed = tuple(islice(found, _MOST_BORROWED))
        for cell in cells:
            if cell not in bare:
                yield Block(*cell, "cell", borrowed=borrowed)

    def _lists(self, block: Block) -> bool:
        """Whether a block among the sources is one of them, and no claim that happens to stand there."""
        marks = [mark for mark in self.scan(block.start, block.end).marks if mark.urls]
        if not marks or block.kind in ("row", "definition"):
            return bool(marks)
        bare = [mark for mark in marks if _ADDRESS.match(self.prose, mark.start)]
        named = [mark for mark in marks if mark.words]
        if block.kind == "entry":
            return bool(block.number or bare or named)
        first, last = marks[0], marks[-1]
        begins = not WORD.search(self.prose, block.start, first.start) and first in (*bare, *named)
        return begins or (last in bare and not WORD.search(self.prose, last.end, block.end))

    def scan(self, start: int, end: int) -> Scan:
        """What stands between two places."""
        return Scan(self.text, self.prose, start, end, self.sources)

    def _is_bare(self, start: int, end: int) -> bool:
        scan = self.scan(start, end)
        said = scan.read(start, end)
        return bool(scan.marks) and (not WORD.search(said) or all(mark.words == said for mark in scan.marks))


def lists_sources(heading: str) -> bool:
    """Whether what stands under a heading lists sources, as it says."""
    return _LISTING.fullmatch(" ".join(re.sub(r"[*_`#\\]", "", heading).split())) is not None


def _prose(text: str) -> str:
    """The text with code as NULs, comments as U+0001, and fenced code and frontmatter blank; every place stays."""
    document = Document("-", text)
    prose, plain = unified(document.prose), unified(text)
    front = document.frontmatter
    gaps = [(fence.start, fence.end, " ") for fence in fences(plain, front.end if front else 0)]
    if front is not None and _is_yaml(plain, front):
        gaps.append((0, (plain.find("\n", front.end) + 1) or len(plain), " "))
    at = 0
    while (at := prose.find(_COMMENT, at)) >= 0:
        end = prose.find("-->", at + len(_COMMENT))
        if end < 0:
            break
        gaps.append((at, end + 3, "\x01"))
        at = end + 3
    pieces: list[str] = []
    at = 0
    for start, end, fill in sorted(gaps):
        if start >= at:
            pieces += prose[at:start], re.sub(r"[^\n]", fill, plain[start:end])
            at = end
    return "".join([*pieces, prose[at:]])


def _is_yaml(text: str, front: Span) -> bool:
    """Whether what stands between two rules is frontmatter, and not a text."""
    return all(_YAML.match(line) for line in text[front.start : front.end].split("\n"))


def _cells(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for pipe in [*_PIPE.finditer(prose, start, end), None]:
        stop = pipe.start() if pipe else end
        if prose[at:stop].strip():
            yield at, stop
        at = pipe.end() if pipe else end


def _put(found: dict[str, tuple[str, ...]], name: str, urls: tuple[str, ...]) -> None:
    found[name] = urls if found.get(name, urls) == urls else ()

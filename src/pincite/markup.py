"""The little of markdown that citations need: where code is, and where frontmatter is.

A full parser costs seventy times the reading of the file, so this looks at fences and backtick runs only,
and at backticks only in the paragraph that is asked about. Offsets count code points, and whoever asks has turned every
line end into LF without changing a length: see `unified`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .model import Span

# Repeats are possessive: a line of nothing but quote marks is read once, not in every way it could be divided.
_MARKS = r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])(?=[ \t])[ \t>]*+)*+"
_FENCE = re.compile(rf"^({_MARKS})(`{{3,}}|~{{3,}})([^\n]*)$", re.MULTILINE)
_LIST = re.compile(r"([-*+]|\d{1,9}[.)])[ \t]")
_INDENT = re.compile(r"[ \t>]*+")
_TICKS = re.compile(r"`+")
# Lines that stand alone (blank, heading, underline or rule), and lines that begin something (list item, table row).
_EDGE = re.compile(
    r"[ \t>]*+(?:($|\#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$|(?:\*[ \t]*+){3,}$|(?:_[ \t]*+){3,}$)"
    r"|[-*+][ \t]|\d{1,9}[.)][ \t]|\|)",
    re.MULTILINE,
)
_OPEN = re.compile(r"---[ \t]*(\r\n|\r|\n)")
_CLOSE = re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_LOOK_BACK = 200
_ATTRIBUTION = re.compile(r"(?:\A|[\r\n])> ?[—–-]{1,2} \Z")
_LONGEST_ATTRIBUTION = 6


class Region(Struct, frozen=True, gc=False):
    """A stretch of code: `start` and `end` take in the fence or backticks, `inner` what is between them."""

    start: int
    end: int
    inner: Span
    fenced: bool


class Paragraph(Struct, frozen=True, gc=False):
    """A stretch of text that backticks pair up in, with its code spans in order."""

    start: int
    end: int
    spans: list[Region]


def frontmatter_span(text: str) -> Span | None:
    """The text between an opening `---` on the first line and the next `---` (or `...`) line."""
    opening = _OPEN.match(text)
    if opening is None:
        return None
    closing = _CLOSE.search(text, opening.end() - 1)
    return Span(opening.end(), closing.start() + 1) if closing else None


def ends_block_quote(text: str, at: int) -> bool:
    """Whether what stands at an offset says where the block quote above is from: `> — ` alone is before it."""
    return text[at - 1 : at] == " " and _ATTRIBUTION.search(text, max(0, at - _LONGEST_ATTRIBUTION), at) is not None


def unified(text: str) -> str:
    """The text with every line end an LF, each code point where it was."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def fences(text: str, start: int = 0) -> list[Region]:
    """Fenced blocks: opened by three or more of a kind, closed by as many alone, or where what holds them ends."""
    if "```" not in text and "~~~" not in text:
        return []
    text = unified(text)
    found: list[Region] = []
    opened: re.Match[str] | None = None
    holders = _Holders(text, start, found)
    until = 0
    """Where the block quote or list item ends that the open fence stands in."""
    for match in _FENCE.finditer(text, start):
        marks, ticks, info = match.groups()
        if opened is not None and match.start() >= until:
            found.append(Region(opened.start(), until, Span(opened.end(), until), True))
            opened = None
        if opened is None:
            # A backtick fence cannot have backticks in its info string: that is a code span.
            if ticks[0] == "~" or "`" not in info:
                opened = match
                until = holders.end(match)
        elif (
            ticks[0] == opened[2][0]
            and len(ticks) >= len(opened[2])
            and not info.strip()
            and _same_depth(marks, opened[1])
        ):
            found.append(Region(opened.start(), match.end(), Span(opened.end(), match.start()), True))
            opened = None
    if opened is not None:
        found.append(Region(opened.start(), until, Span(opened.end(), until), True))
    return found


def _same_depth(closing: str, opening: str) -> bool:
    """Whether a closing fence is in the same block quote as the opening one, and in no list item of its own."""
    return not _LIST.search(closing) and closing.count(">") == opening.count(">")


class _Holders:
    """The block quotes and list items that fences stand in. What was found for one fence serves its neighbours."""

    def __init__(self, text: str, floor: int, before: list[Region]) -> None:
        self._text = text
        self._floor = floor
        self._before = before
        self._ends: dict[tuple[int, int], int] = {}
        self._columns: dict[int, tuple[str, int]] = {}

    def end(self, fence: re.Match[str]) -> int:
        """Where the quote or item ends that an opening fence stands in; the end of the text where in neither."""
        marks = fence[1]
        if not marks:
            return len(self._text)
        depth = marks.count(">")
        column = self._column(fence)
        self._columns[fence.start()] = marks, column
        # Fences of one depth and indent share their holder: it is walked once, however many stand in it.
        if self._ends.get((depth, column), 0) > fence.end():
            return self._ends[depth, column]
        end = self._ends[depth, column] = _holder_walk(self._text, fence.end() + 1, depth, column)
        return end

    def _column(self, fence: re.Match[str]) -> int:
        """How far the content of the list item is indented that a fence stands in; 0 outside lists."""
        text, floor, before = self._text, self._floor, self._before
        marks = fence[1].rpartition(">")[2].expandtabs(4)
        if marks.strip():
            # The fence follows the item's own mark.
            return len(marks)
        width = len(marks)
        at = fence.start() if width > 1 else floor
        last = len(before) - 1
        for _ in range(_LOOK_BACK):
            if last >= 0 and at <= before[last].end + 1:
                # What looks like a list inside a fence is code; the line that opens it may be an item's first.
                known = self._columns.get(before[last].start)
                if known is not None and known[0] == fence[1]:
                    return known[1]
                at = min(at, before[last].inner.start + 1)
                last -= 1
            if at <= floor:
                return 0
            line = text.rfind("\n", floor, at - 1) + 1 or floor
            indent = _indent(text, line, at)
            if indent < at - 1:
                here = len(text[line:indent].rpartition(">")[2].expandtabs(4))
                if here < width:
                    item = _LIST.match(text, indent, at)
                    if item is not None:
                        content = here + len(item[0])
                        return content if content <= width else 0
                    if here == 0:
                        return 0
            at = line
        return 0


def _holder_walk(text: str, at: int, depth: int, column: int) -> int:
    """The start of the first line with fewer quote marks or less indent; the end of the text where there is none."""
    while at < len(text):
        indent = _indent(text, at, len(text))
        levels = text[at:indent].split(">")
        if len(levels) <= depth:
            return at
        blank = len(levels) == depth + 1 and (indent == len(text) or text[indent] == "\n")
        if column and not blank and len(levels[depth].expandtabs(4)) < column:
            return at
        at = text.find("\n", at) + 1 or len(text)
    return len(text)


def paragraph(text: str, offset: int, start: int, end: int) -> Paragraph:
    """The paragraph around an offset with its code spans, looking no further than `start` and `end`."""
    begin = _begin(text, offset, start)
    stop = _stop(text, offset, end)
    return Paragraph(begin, stop, _spans(text, begin, stop))


def _begin(text: str, offset: int, start: int) -> int:
    line = text.rfind("\n", start, offset) + 1 or start
    while line > start:
        edge = _EDGE.match(text, line)
        if edge is not None:
            break
        above = text.rfind("\n", start, line - 1) + 1 or start
        alone = _EDGE.match(text, above)
        if (alone is not None and alone[1] is not None) or _opens_quote(text, above, line):
            break
        line = above
    return line


def _stop(text: str, offset: int, end: int) -> int:
    line = text.rfind("\n", 0, offset) + 1
    edge = _EDGE.match(text, line)
    alone = edge is not None and edge[1] is not None
    while True:
        below = text.find("\n", max(line, offset), end) + 1
        if not below or below >= end:
            return end
        if alone or _EDGE.match(text, below) is not None or _opens_quote(text, line, below):
            return below
        line, alone = below, False


def _opens_quote(text: str, line: int, below: int) -> bool:
    """Whether a block quote begins between two lines."""
    end = len(text)
    return text.find(">", below, _indent(text, below, end)) >= 0 and text.find(">", line, _indent(text, line, end)) < 0


def _indent(text: str, at: int, end: int) -> int:
    """Where the white space and quote marks end that a line begins with."""
    match = _INDENT.match(text, at, end)
    return match.end() if match else at


def _spans(text: str, begin: int, stop: int) -> list[Region]:
    """Pair the backtick runs of one paragraph, each with the next of its length."""
    runs = [run.span() for run in _TICKS.finditer(text, begin, stop)]
    later: dict[int, list[tuple[int, int]]] = {}
    for run in reversed(runs):
        later.setdefault(run[1] - run[0], []).append(run)
    found: list[Region] = []
    at = begin
    for start, end in runs:
        if start < at:
            continue
        # A backslash takes the first backtick out of an opening run; inside code it means nothing.
        first = start + 1 if is_escaped(text, start, at) else start
        same = later.get(end - first)
        # What lies behind never matters again, so popping keeps the whole pass linear.
        while same and same[-1][0] <= start:
            same.pop()
        if same and first < end:
            closing = same[-1]
            found.append(Region(first, closing[1], Span(end, closing[0]), False))
            at = closing[1]
    return found


def is_escaped(text: str, at: int, floor: int) -> bool:
    """Whether the character at an offset has an odd number of backslashes before it, counted down to `floor`."""
    start = at
    while start > floor and text[start - 1] == "\\":
        start -= 1
    return bool((at - start) % 2)

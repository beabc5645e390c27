"""The little of markdown that citations need: where code is, and where frontmatter is.

A full parser costs seventy times the reading of the file, so this looks at fences and backtick runs only,
and at backticks only in the paragraph that is asked about. Offsets count code points, and the caller has turned every
line end into LF without changing a length: see `unify_line_ends`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

# Repeats are possessive: a line of nothing but quote marks is read once, not in every way it could be divided.
_MARKS = r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])(?=[ \t])[ \t>]*+)*+"
_FENCE = re.compile(rf"^({_MARKS})(`{{3,}}|~{{3,}})([^\n]*)$", re.MULTILINE)
_LIST = re.compile(r"([-*+]|\d{1,9}[.)])[ \t]")
_INDENT = re.compile(r"[ \t>]*+")
_TICKS = re.compile(r"`+")
# Lines that stand alone (blank, heading, underline or rule), and lines that begin something (list item, table row).
_EDGE = re.compile(
    # Examples: `## `, `- `, `1. `, `| `.
    r"""
    [ \t>]*+(?:($|\#{1,6}(?:[ \t]|$)|=+[ \t]*$|-+[ \t]*$|(?:\*[ \t]*+){3,}$|(?:_[ \t]*+){3,}$)
    |[-*+][ \t]|\d{1,9}[.)][ \t]|\|)
    """,
    re.MULTILINE | re.VERBOSE,
)
_OPEN = re.compile(r"---[ \t]*(\r\n|\r|\n)")
_CLOSE = re.compile(r"[\r\n](?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_LOOK_BACK = 200
_TOO_DEEP = 4
"""Columns of indent from which on a fence is none."""
_HTML = re.compile(
    r"^ {0,3}<(?:(pre|script|style|textarea)(?=[\s>])|(!--)"
    r"|/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer"
    r"|form|h[1-6]|header|hr|html|iframe|legend|li|main|menu|nav|ol|optgroup|option|p|section|summary|table|tbody|td"
    r"|tfoot|th|thead|title|tr|ul)(?=[\s/>]))",
    re.MULTILINE | re.IGNORECASE,
)
_HTML_CLOSE = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_BLANK = re.compile(r"\n[ \t]*(?=\n|\Z)")
_ATTRIBUTION = re.compile(r"(?:\A|[\r\n])> ?[—–-]{1,2} \Z")
_LONGEST_ATTRIBUTION = 6


class CodeRegion(Struct, frozen=True, gc=False):
    """A stretch of code: `start` and `end` take in the fence or backticks, `inner` what is between them."""

    start: int
    end: int
    inner: Span
    fenced: bool
    unclosed: bool = False
    """Whether nothing ends a fence but the end of the text."""


class Regions:
    """Stretches of code in order, a few bytes for each: a document may hold millions."""

    __slots__ = ("_ends", "_fenced", "_inner_ends", "_inner_starts", "starts", "unclosed")

    def __init__(self, fenced: bool) -> None:
        from array import array

        self._fenced = fenced
        self.unclosed = False
        """Whether nothing ends the last one but the end of the text."""
        self.starts = array("I")
        self._ends, self._inner_starts, self._inner_ends = array("I"), array("I"), array("I")

    def add(self, start: int, end: int, inner_start: int, inner_end: int) -> None:
        """One more, behind the others."""
        self.starts.append(start)
        self._ends.append(end)
        self._inner_starts.append(inner_start)
        self._inner_ends.append(inner_end)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, at: int) -> CodeRegion:
        inner = Span(self._inner_starts[at], self._inner_ends[at])
        unclosed = self.unclosed and at in (-1, len(self.starts) - 1)
        return CodeRegion(self.starts[at], self._ends[at], inner, self._fenced, unclosed)

    def __iter__(self) -> Iterator[CodeRegion]:
        return map(self.__getitem__, range(len(self)))

    def at(self, offset: int) -> CodeRegion | None:
        """The one around an offset."""
        index = bisect_right(self.starts, offset) - 1
        return self[index] if index >= 0 and offset < self._ends[index] else None


class Paragraph(Struct, frozen=True):
    """A stretch of text that backticks pair up in, with its code spans in order."""

    start: int
    end: int
    spans: Regions


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


def unify_line_ends(text: str) -> str:
    """The text with every line end an LF, each code point where it was."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def fences(text: str, start: int = 0) -> Regions:
    """Fenced blocks: opened by three or more of a kind, closed by as many alone, or where what holds them ends."""
    found = Regions(True)
    if "```" not in text and "~~~" not in text:
        return found
    text = unify_line_ends(text)
    opened: re.Match[str] | None = None
    holders = _Holders(text, start, found)
    html = _Html(text, start)
    for match in _FENCE.finditer(text, start):
        marks, ticks, info = match.groups()
        if opened is not None and (until := holders.end_before(match.start())) >= 0:
            found.add(opened.start(), until, opened.end(), until)
            opened = None
        if opened is None:
            # A backtick fence cannot have backticks in its info string: that is a code span.
            if (ticks[0] == "~" or "`" not in info) and not html.holds(match.start(), found):
                holders.enter(match)
                # What is indented by four columns where it stands is text of a paragraph, or code without a fence.
                opened = match if holders.indent(match) < _TOO_DEEP else None
        elif (
            holders.indent(match, opened) < _TOO_DEEP
            and ticks[0] == opened[2][0]
            and len(ticks) >= len(opened[2])
            and not info.strip()
            # In the same block quote, and in no list item of its own.
            and not _LIST.search(marks)
            and marks.count(">") == opened[1].count(">")
        ):
            found.add(opened.start(), match.end(), opened.end(), match.start())
            opened = None
    if opened is not None:
        until = holders.end_before(len(text))
        until = until if until >= 0 else len(text)
        found.add(opened.start(), until, opened.end(), until)
        found.unclosed = until >= len(text)
    return found


class _Html:
    """The blocks of HTML at the margin: in them three backticks are no fence."""

    def __init__(self, text: str, start: int) -> None:
        self._text = text
        self._starts = _HTML.finditer(text, start) if "<" in text else iter(())
        self._next = next(self._starts, None)
        self._until = start

    def holds(self, at: int, fences: Regions) -> bool:
        """Whether an offset lies in such a block; offsets ascend, and what looks like one inside a fence is code."""
        behind = fences[-1].end if fences else 0
        while self._next is not None and self._next.start() < at:
            begin = self._next.start()
            if begin >= max(self._until, behind):
                self._until = self._end(self._next)
            self._next = next(self._starts, None)
        return at < self._until

    def _end(self, block: re.Match[str]) -> int:
        text = self._text
        if block[1]:
            closing = _HTML_CLOSE.search(text, block.end())
            return closing.end() if closing else len(text)
        if block[2]:
            end = text.find("-->", block.end())
            return end + 3 if end >= 0 else len(text)
        blank = _BLANK.search(text, block.end())
        return blank.start() + 1 if blank else len(text)


class _Holders:
    """The block quotes and list items that fences stand in."""

    def __init__(self, text: str, floor: int, before: Regions) -> None:
        self._text = text
        self._floor = floor
        self._before = before
        self._columns: dict[int, tuple[str, int]] = {}
        self._depth = self._column_now = self._walked = 0

    def enter(self, fence: re.Match[str]) -> None:
        """Look at what holds an opening fence."""
        marks = fence[1]
        self._depth = marks.count(">")
        self._column_now = self._column(fence) if marks else 0
        self._walked = fence.end() + 1
        if marks:
            self._columns[fence.start()] = marks, self._column_now
            if len(self._columns) > 4 * _LOOK_BACK:
                # No fence looks back further.
                self._columns = dict(list(self._columns.items())[-2 * _LOOK_BACK :])

    def end_before(self, stop: int) -> int:
        """Where the quote or item of the open fence ends, at `stop` at the latest; -1 where it goes on there.

        Every line is looked at once, however many fences there are.
        """
        text, depth, column, at = self._text, self._depth, self._column_now, self._walked
        if not depth and not column:
            return -1
        while at <= stop and at < len(text):
            indent = _indent(text, at, len(text))
            levels = text[at:indent].split(">")
            if len(levels) <= depth:
                return at
            blank = len(levels) == depth + 1 and (indent == len(text) or text[indent] == "\n")
            if column and not blank and len(levels[depth].expandtabs(4)) < column:
                return at
            at = text.find("\n", at) + 1 or len(text)
        self._walked = at
        return -1

    def indent(self, fence: re.Match[str], opened: re.Match[str] | None = None) -> int:
        """How far a fence is indented from where the content of its quote or item begins; of a closing fence, from
        where that of the opening one does."""
        marks = fence[1].rpartition(">")[2].expandtabs(4)
        if opened is None and marks.strip():
            # After an item's own mark up to four columns belong to the mark; more make indented code.
            spaces = len(marks) - len(marks.rstrip())
            return spaces - 1 if spaces > _TOO_DEEP else 0
        column = self._columns.get((opened or fence).start(), ("", 0))[1]
        quoted = 1 if ">" in fence[1] and marks.startswith(" ") else 0
        return max(0, len(marks) - max(column, quoted))

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


def _spans(text: str, begin: int, stop: int) -> Regions:
    """Pair the backtick runs of one paragraph, each with the next of its length."""
    found = Regions(False)
    left: dict[int, int] = {}
    """How many runs of each length are still to come: a run is looked for only where there is one."""
    for run in _TICKS.finditer(text, begin, stop):
        size = run.end() - run.start()
        left[size] = left.get(size, 0) + 1
    at = begin
    for run in _TICKS.finditer(text, begin, stop):
        start, end = run.span()
        left[end - start] -= 1
        if start < at:
            continue
        # A backslash takes the first backtick out of an opening run; inside code it means nothing.
        first = start + 1 if is_escaped(text, start, at) else start
        if first < end and left.get(end - first):
            for closing in _TICKS.finditer(text, end, stop):
                if closing.end() - closing.start() == end - first:
                    found.add(first, closing.end(), end, closing.start())
                    at = closing.end()
                    break
    return found


def is_escaped(text: str, at: int, floor: int) -> bool:
    """Whether the character at an offset has an odd number of backslashes before it, counted down to `floor`."""
    start = at
    while start > floor and text[start - 1] == "\\":
        start -= 1
    return bool((at - start) % 2)

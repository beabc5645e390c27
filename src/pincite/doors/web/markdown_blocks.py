"""Markdown as HTML of our own making: each element is one of a few, and citations are marked."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from ...text.lines import find_starts
from .citation_marks import CitationMark, mark_text
from .markdown_inline import MOST_NESTING, InlineWriter, MarkdownReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from markdown_it.token import Token

_LOWEST_HEADING = 6
_MOST_BLOCK = 128 * 1024
"""Code points of one block; a longer one, which a single line may be, is shown as it is written."""
_MOST_DEFINITIONS = 5000
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[^\n]+$", re.MULTILINE)
"""Example: `[gauge]: src/gauge.py#L3`."""
_PLAIN_TAGS = frozenset(("p", "ul", "ol", "li", "blockquote", "thead", "tbody", "tr"))
_ALIGNED = {"text-align:left": "left", "text-align:right": "right", "text-align:center": "center"}

Piece = tuple[int, int, int]
"""Text that is the same in a block and in its source: its offsets in both, and its length."""


def read_definitions(reader: MarkdownReader, text: str) -> dict[str, Any]:
    """The addresses that a document defines for its links; a part of it uses those of other parts."""
    found = [match[0] for match, _ in zip(_DEFINITION.finditer(text), range(_MOST_DEFINITIONS), strict=False)]
    env: dict[str, Any] = {}
    reader.block.parse("\n\n".join(found), reader, env, [])
    return dict(env.get("references", {}))


class MarkdownWriter:
    """Turns Markdown into HTML. `marks` are in order, and have their places in the text."""

    def __init__(
        self,
        reader: MarkdownReader,
        text: str,
        marks: Sequence[CitationMark],
        references: dict[str, Any],
        find_page: Callable[[str], str],
    ) -> None:
        self._reader = reader
        self._text = text
        self._marks = marks
        self._mark_starts = [mark.start for mark in marks]
        self._env: dict[str, Any] = {"references": dict(references)}
        self._inline = InlineWriter(reader, self._env, find_page)
        self._lines = text.split("\n")
        self._starts = find_starts(self._lines)
        self._placed: set[str] = set()
        self._pieces: list[str] = []
        self._row = 0, 0
        """Where the next cell of a row may begin, and where the row ends."""
        self._is_header = False
        """Whether the cell that is open is a header."""
        self._first_line = 1

    def write(self, first_line: int = 1) -> str:
        """The HTML; `first_line` is the number of the text's first line, by which tables are named."""
        self._first_line = first_line
        tokens: list[Token] = []
        self._reader.block.parse(self._text, self._reader, self._env, tokens)
        line = 0
        for block in _split_blocks(tokens):
            begin, end = block[0].map or (line, line)
            self._write_unseen(line, begin)
            is_long = self._starts[end] - self._starts[begin] > _MOST_BLOCK
            if is_long or any(token.level >= MOST_NESTING - 2 for token in block):
                self._write_plain(begin, end)
            else:
                self._write_block(block)
            self._add_asides(self._marks_between(begin, end))
            line = max(line, end)
        self._write_unseen(line, len(self._lines))
        self._add_asides(self._marks)
        return "".join(self._pieces)

    def _write_unseen(self, begin: int, end: int) -> None:
        """Lines of which Markdown shows nothing: definitions of links, in which citations may stand."""
        while begin < end and not self._lines[begin].strip():
            begin += 1
        if begin < end:
            self._write_plain(begin, end)

    def _write_plain(self, begin: int, end: int) -> None:
        """Lines as they are written."""
        start, stop = self._starts[begin], self._starts[end] - 1
        marks = self._marks_between(begin, end)
        self._placed.update(mark.id for mark in marks)
        text = mark_text(self._text[start:stop], marks, start)
        self._pieces.append(f'<pre class="plain">{text}</pre>\n')

    def _add_asides(self, marks: Sequence[CitationMark]) -> None:
        """Those of some marks that have no place in the blocks that were written."""
        left = [mark for mark in marks if mark.id not in self._placed]
        self._placed.update(mark.id for mark in left)
        if left:
            self._pieces.append(f'<p class="asides">{" ".join(mark.aside() for mark in left)}</p>')

    def _marks_between(self, begin: int, end: int) -> Sequence[CitationMark]:
        first = bisect_left(self._mark_starts, self._starts[begin])
        return self._marks[first : bisect_left(self._mark_starts, self._starts[end])]

    def _write_block(self, block: Sequence[Token]) -> None:
        for at, token in enumerate(block):
            match token.type:
                case "inline":
                    self._write_inline(token, block[at - 1].type in ("th_open", "td_open"))
                case "fence" | "code_block":
                    self._write_code(token)
                case "hr":
                    self._pieces.append("<hr>\n")
                case _:
                    self._write_tag(token, block[at + 1] if at + 1 < len(block) else token)

    def _write_tag(self, token: Token, following: Token) -> None:
        """The beginning or the end of an element."""
        is_end = token.nesting < 0
        if token.tag in _PLAIN_TAGS:
            if token.type == "tr_open" and token.map:
                self._row = self._starts[token.map[0]], self._starts[token.map[0] + 1] - 1
            if token.hidden:
                self._pieces.append("\n" if is_end else "")
                return
            number = token.attrs.get("start") if token.tag == "ol" else None
            start = f' start="{int(number)}"' if number is not None else ""
            self._pieces.append(f"</{token.tag}>\n" if is_end else f"<{token.tag}{start}>")
        elif token.tag in ("th", "td"):
            # A header without words is none.
            tag = "td" if token.tag == "td" or not (is_end or following.content) else "th"
            if is_end:
                tag = "th" if self._is_header else "td"
            else:
                self._is_header = tag == "th"
            side = _ALIGNED.get(str(token.attrs.get("style", "")), "")
            scope = ' scope="col"' if tag == "th" else ""
            kind = f' class="{side}"' if side else ""
            self._pieces.append(f"</{tag}>" if is_end else f"<{tag}{scope}{kind}>")
        elif token.tag == "table":
            number = self._first_line + (token.map[0] if token.map else 0)
            label = f"Table in line {number}"
            opened = f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>\n'
            self._pieces.append("</table></div>\n" if is_end else opened)
        elif token.type in ("heading_open", "heading_close"):
            # The page has a heading of its own above those of the document.
            level = min(int(token.tag[1:]) + 1, _LOWEST_HEADING)
            self._pieces.append(f"</h{level}>\n" if is_end else f"<h{level}>")

    def _write_inline(self, token: Token, is_cell: bool) -> None:
        begin, end = token.map or (0, 0)
        if not self._marks_between(begin, end):
            self._pieces.append(self._inline.write(token.content, ()))
            return
        pieces = list(self._align_cell(token.content) if is_cell else self._align_lines(token.content, begin))
        marks = self._take(pieces, len(token.content))
        self._pieces.append(self._inline.write(token.content, marks))

    def _write_code(self, token: Token) -> None:
        begin = (token.map or (0, 0))[0] + (token.type == "fence")
        marks = self._take(list(self._align_lines(token.content, begin)), len(token.content))
        self._pieces.append(f"<pre><code>{mark_text(token.content, marks)}</code></pre>\n")

    def _take(self, pieces: Sequence[Piece], length: int) -> list[CitationMark]:
        """The marks that begin in a block, with their places in it; those of no length have none."""
        found: list[CitationMark] = []
        sources = [source for source, _, _ in pieces]
        if not pieces:
            return found
        last = pieces[-1][0] + pieces[-1][2]
        first = bisect_left(self._mark_starts, sources[0])
        for mark in self._marks[first : bisect_left(self._mark_starts, last)]:
            source, at, size = pieces[bisect_right(sources, mark.start) - 1]
            if mark.start >= source + size or mark.id in self._placed or mark.end <= mark.start:
                continue
            start = at + mark.start - source
            source, at, size = pieces[bisect_left(sources, mark.end) - 1]
            end = min(at + min(mark.end - source, size), length)
            if start < end:
                found.append(mark.move(start, end))
                self._placed.add(mark.id)
        return found

    def _align_lines(self, content: str, line: int) -> Iterator[Piece]:
        """Where the lines of a block stand in the source: each is the end of its line there, or within it."""
        at = 0
        for text in content.split("\n"):
            if line >= len(self._lines):
                return
            bare = text.rstrip()
            found = self._lines[line].rfind(bare) if bare else -1
            if found >= 0:
                yield self._starts[line] + found, at, len(bare)
            at += len(text) + 1
            line += 1

    def _align_cell(self, content: str) -> Iterator[Piece]:
        """The same for a cell of a table, in which `\\|` stands for a bar."""
        at = 0
        begin, end = self._row
        for text in content.split("|"):
            found = self._text.find(text, begin, end) if text else -1
            if found >= 0:
                yield found, at, len(text)
                begin = found + len(text)
            at += len(text) + 1
        self._row = begin, end


def _split_blocks(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The tokens of each block that stands in no other."""
    begin = 0
    for at, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            yield tokens[begin : at + 1]
            begin = at + 1

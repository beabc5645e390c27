"""A document that was read: its text, its lines, and which parts of it are code."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from ..core.model import Span
from .instruction_files import is_instruction_file
from .lines import join, packed_line_starts, position
from .markdown import CodeRegion, Paragraph, Regions, fences, frontmatter_span, paragraph, unify_line_ends
from .notebook import NOTEBOOK, read_as_text
from .shown_code import RST, choose_code_finder
from .source_comments import find_family

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MARKDOWN = (".md", ".markdown", ".mdx", ".mdc")
MEMORIES = ".serena/memories"
# A code span on one line, or a fence at the margin; neither with a backtick inside.
_SIMPLE_CODE = re.compile(r"`(?:[^`\n]+`(?!`)|``(?<=\n```)[^`\n]*\n(?:[^`]*\n)?```[ \t]*(?![^\n]))")
_LARGE = 1 << 20
_MOST_PIECES = 4096


def is_in_memories(path: str, folder: str) -> bool:
    """Whether a document lies in the folder where every markdown file is a memory."""
    return f"/{folder.strip('/')}/" in f"/{path}"


class Document:
    """One text with its path from the root. What costs time is computed when first asked for."""

    def __init__(self, path: str, text: str, reads_code: bool = False, memories: str = MEMORIES, top: str = "") -> None:
        self.path = path
        self.written = text
        """The text of the file. That of a notebook is read without what is not in its markdown cells."""
        self.text = read_as_text(path, text)
        self.top = top
        """The root's absolute path, below which an absolute path in the document can be read; empty where unknown."""
        self.memories = memories
        """The folder in which every markdown document is a memory."""
        self.offers_edits = True
        """Whether findings about lines that moved say how to rewrite the citation."""
        self.blob = ""
        """The id git gives to the text, once computed."""
        self.reads_code = reads_code
        """Whether code is text like any other, so that citations in it count."""
        self.instructions: tuple[str, ...] = ()
        """Patterns of the settings for instruction files, beside those that are known by their names."""
        self.mirrored: Callable[[str], bool] | None = None
        """Says of `owner/name` whether that repository is at hand; None where no other one is."""
        self._paragraph: Paragraph | None = None
        self._line = 0, 0, ""

    def reread(self, text: str, reads_code: bool) -> Document:
        """The same document with another text."""
        other = type(self)(self.path, text, reads_code, self.memories, self.top)
        other.instructions = self.instructions
        other.mirrored = self.mirrored
        return other

    @property
    def is_instruction(self) -> bool:
        """Whether it says how to work in this repository."""
        return is_instruction_file(self.path, self.instructions)

    @property
    def folder(self) -> str:
        """The document's folder from the root, without a trailing slash; empty at the root."""
        return self.path.rpartition("/")[0]

    def below(self, path: str) -> str:
        """An absolute path as one from the root; as it is where it does not lie below the root."""
        top = self.top.rstrip("/") + "/"
        return join("", path[len(top) :]) if self.top and path.startswith(top) and len(path) > len(top) else path

    @property
    def is_markdown(self) -> bool:
        """Whether fences and backticks mean code here; standard input is taken for markdown."""
        return self.path.lower().endswith(MARKDOWN) or self.path == "-"

    @property
    def is_rst(self) -> bool:
        """Whether this is reStructuredText, which has literals in place of code."""
        return self.path.lower().endswith(RST)

    @cached_property
    def is_source(self) -> bool:
        """Whether this is source code, of which only comments and docstrings are prose."""
        return find_family(self.path) != ""

    @property
    def has_marked_prose(self) -> bool:
        """Whether prose stands between marks (comments, strings), which no edit may close."""
        return self.is_source or self.path.lower().endswith(NOTEBOOK)

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset of each line's first code point."""
        return packed_line_starts(self.text)

    @cached_property
    def has_returns(self) -> bool:
        """Whether lines may end in anything but a line feed."""
        return "\r" in self.text

    @cached_property
    def frontmatter(self) -> Span | None:
        """The YAML between the opening and closing `---`, if the document begins with such a block."""
        return None if self.is_source else frontmatter_span(self.text)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, 1-based, in code points."""
        return position(self.starts, offset)

    def line_of(self, offset: int) -> str:
        """The whole line that holds an offset, without its end; of one line, one copy however often it is asked for."""
        start, end, line = self._line
        if not start <= offset < end:
            row = bisect_right(self.starts, offset) - 1
            start = self.starts[row]
            line = self.written[start : self.starts[row + 1] if row + 1 < len(self.starts) else None].rstrip("\r\n")
            self._line = start, start + len(line), line
        return line

    @cached_property
    def prose(self) -> str:
        """The text with NULs where code is: every offset means the same place in both."""
        text = self.text
        if self.reads_code:
            return text
        if self._shown is not None:
            return _blank_spans(text, sorted((one.start, one.end) for regions in self._shown for one in regions))
        if not self._has_code:
            return text
        if self._simple_prose:
            return self._simple_prose
        return _blank_spans(text, ((region.start, region.end) for region in self.code_regions()))

    @cached_property
    def _simple_prose(self) -> str:
        """The same where every backtick belongs to a span on its line or to a fence at the margin that is closed, so
        that it does not matter which lines make a paragraph; else empty."""
        text = self.text
        if "\r" in text or text.startswith("---") or "~~~" in text or "\\`" in text:
            return ""
        pieces = text.split("`") if len(text) <= _LARGE else []
        code = pieces[1::2]
        if len(pieces) % 2 and "" not in pieces and "\n" not in "".join(code):
            pieces[1::2] = ["\0" * len(piece) for piece in code]
            return "\0".join(pieces)
        bare = _blank_spans(text, (match.span() for match in _SIMPLE_CODE.finditer(text)))
        return bare if "`" not in bare else ""

    def code_regions(self) -> Iterator[CodeRegion]:
        """All code, in order: fenced blocks and code spans."""
        known = self._fences
        number = at = 0
        while (at := self.text.find("`", at)) >= 0:
            region = self.code_at(at)
            if region is None:
                at += 1
                continue
            at = max(at + 1, region.end)
            if region.fenced:
                continue
            while number < len(known) and known.starts[number] < region.start:
                yield known[number]
                number += 1
            yield region
        while number < len(known):
            yield known[number]
            number += 1

    def code_at(self, offset: int) -> CodeRegion | None:
        """The block or span of code around an offset; none where code is read. In source code that is all but comments,
        and backticks mark no code: in a comment they stand around names and citations alike."""
        if self.reads_code:
            return None
        if self._shown is not None:
            blocks, spans = self._shown
            return blocks.at(offset) or spans.at(offset)
        if not self._has_code:
            return None
        near = self._paragraph
        if near is None or not near.start <= offset < near.end:
            front = self.frontmatter
            if front is not None and offset < front.end:
                return None
            fence = self._fences.at(offset)
            if fence is not None:
                return fence
            near = self._paragraph = self._find_paragraph(offset, near)
        return near.spans.at(offset)

    @cached_property
    def _has_code(self) -> bool:
        """Whether there is anything that could be code."""
        return self.is_markdown and ("`" in self.text or "~~~" in self.text)

    @cached_property
    def _shown(self) -> tuple[Regions, Regions] | None:
        """Blocks and spans of code, where the markup is not markdown's."""
        find = choose_code_finder(self.path)
        return find(self.written) if find is not None else None

    @cached_property
    def _unified(self) -> str:
        return unify_line_ends(self.text)

    @cached_property
    def _fences(self) -> Regions:
        front = self.frontmatter
        return fences(self._unified, front.end if front is not None else 0) if self._has_code else Regions(True)

    @property
    def unclosed(self) -> CodeRegion | None:
        """The fence that nothing closes, if there is one: it takes in the rest of the text."""
        if "<" not in self.text and self._has_code and self._simple_prose:
            # Without HTML, in which three backticks may be text.
            return None
        last = self._fences[-1] if self._fences else None
        return last if last is not None and last.unclosed else None

    def _find_paragraph(self, offset: int, near: Paragraph | None) -> Paragraph:
        """The paragraph around an offset outside fences; offsets mostly ascend, so the last found bounds the next."""
        known = self._fences
        after = bisect_right(known.starts, offset)
        start = known[after - 1].end if after else 0
        end = known.starts[after] if after < len(known) else len(self.text)
        if near is not None and start < near.end <= offset:
            start = near.end
        return paragraph(self._unified, offset, start, end)


def _blank_spans(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with NULs in some places, put together in pieces that are few."""
    done: list[str] = []
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += text[at:start], "\0" * (end - start)
        at = end
        if len(pieces) > _MOST_PIECES:
            done.append("".join(pieces))
            pieces.clear()
    return "".join((*done, *pieces, text[at:])) if at else text

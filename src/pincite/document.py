"""A document that was read: its text, its lines, and which parts of it are code."""

from __future__ import annotations

from bisect import bisect_right

from .markup import Region, code_span_at, fences, frontmatter_span
from .model import Span
from .text import line_starts, position

MARKDOWN = (".md", ".markdown", ".mdx", ".mdc")


class Document:
    """One text with its path from the root. What costs time is computed when first asked for."""

    __slots__ = ("_fences", "_frontmatter", "_starts", "path", "reads_code", "text")

    def __init__(self, path: str, text: str, reads_code: bool = False) -> None:
        self.path = path
        self.text = text
        self.reads_code = reads_code
        """Whether code is text like any other, so that citations in it count."""
        self._starts: list[int] | None = None
        self._fences: list[Region] | None = None
        self._frontmatter: tuple[Span | None] | None = None

    @property
    def folder(self) -> str:
        """The document's folder from the root, without a trailing slash; empty at the root."""
        return self.path.rpartition("/")[0]

    @property
    def is_markdown(self) -> bool:
        """Whether fences and backticks mean code here; standard input is taken for markdown."""
        return self.path.endswith(MARKDOWN) or self.path == "-"

    @property
    def starts(self) -> list[int]:
        """The offset of each line's first code point."""
        if self._starts is None:
            self._starts = line_starts(self.text)
        return self._starts

    @property
    def frontmatter(self) -> Span | None:
        """The YAML between the opening and closing `---`, if the document begins with such a block."""
        if self._frontmatter is None:
            self._frontmatter = (frontmatter_span(self.text),)
        return self._frontmatter[0]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, 1-based, in code points."""
        return position(self.starts, offset)

    def line_of(self, offset: int) -> str:
        """The whole line that holds an offset, without its end."""
        row = bisect_right(self.starts, offset) - 1
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)
        return self.text[self.starts[row] : end].rstrip("\r\n")

    def code_at(self, offset: int) -> Region | None:
        """The fenced block or code span around an offset; only markdown has them, and none where code is read."""
        if self.reads_code:
            return None
        if self._fences is None:
            self._fences = fences(self.text) if self.is_markdown else []
        start, end = 0, len(self.text)
        for fence in self._fences:
            if offset < fence.start:
                end = fence.start
                break
            if offset < fence.end:
                return fence
            start = fence.end
        if not self.is_markdown:
            return None
        return code_span_at(self.text, offset, start, end)

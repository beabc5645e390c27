"""Which lines and places of a document are running text: no heading, link, comment, tag, frontmatter, literal block."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from .lines import line_starts, position
from .markdown import fences, frontmatter_span, unify_line_ends
from .rst import LIST_ITEM, find_lines_without_prose, measure_indent

if TYPE_CHECKING:
    from .document import Document

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DEEP = 4
"""Columns from which a line of markdown is code."""
_REACH = 400
"""How far before and after a place a bracket or tag around it is looked for."""
_LINES_BACK = 40
_LONGEST = 1000
"""Of lines longer than this, only what is near a place is looked at."""
_TITLE = re.compile(
    # Examples: `## `, `[^1]:`, `- [x] `, `.. figure::`.
    r"""
    [ \t>]*+(?:\#{1,6}(?:[ \t]|\Z)|={1,6}[ \t]|\[\^[^\]\n]{1,60}\]:|(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]
    |\.\.[ \t]++(?!(?:note|warning|tip|hint
    |important|caution|attention|danger|error|seealso|version\w{1,10}|deprecated)::))
    """,
    re.VERBOSE,
)
# A heading of another markup is underlined; the line of dashes below a table's head holds bars or several words.
_UNDERLINE = re.compile(r"[ \t>]*+([=\-~^\"'*+#`:._])\1{2,}[ \t]*\Z")
_TICKS = re.compile("`+")
_ITEM = re.compile(r"[ \t>]*+(?:[-*+•]|\d{1,9}[.)]|#\.|\w[.)])[ \t]")
_INDENT = re.compile(r"[ \t]*")
_DEFINITION = re.compile(r"^[ \t>]{0,8}\[([^\[\]\n]{1,80})\]:[ \t]*\S", re.MULTILINE)
_DELIMITED = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,}|```)[ \t]*(?:\w*)$", re.MULTILINE)
_ORG = re.compile(r"^[ \t]*#\+(begin|end)_(?:src|example|export|comment)\b[^\n]*$", re.MULTILINE | re.IGNORECASE)


def find_literal_lines(text: str, path: str) -> frozenset[int]:
    """The numbers of the lines, from 1, that show something rather than say it; none for what is not prose."""
    name = path.lower()
    if name.endswith((".rst", ".rest")):
        return frozenset(find_lines_without_prose(unify_line_ends(text)))
    if name.endswith((".md", ".markdown", ".mdx", ".mdc", ".mdown", ".mkd", ".qmd", ".rmd")) or name == "-":
        return frozenset(_literal_of_markdown(unify_line_ends(text)))
    return frozenset()


def _literal_of_markdown(text: str) -> set[int]:
    """Front matter, comments of HTML, fenced and indented code."""
    starts = line_starts(text)
    front = frontmatter_span(text)
    floor = front.end if front is not None else 0
    spans = [(0, floor + 1)] if front is not None else []
    spans += [(fence.start, fence.end) for fence in fences(text, floor)]
    spans += [match.span() for match in _COMMENT.finditer(text)]
    found: set[int] = set()
    for start, end in spans:
        found.update(range(position(starts, start)[0], position(starts, max(start, end - 1))[0] + 1))
    blank, listed, code = True, False, False
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            blank = True
            continue
        deep = measure_indent(line) >= _DEEP
        if not deep:
            # What is indented below an item belongs to it.
            listed = LIST_ITEM.match(line) is not None or (listed and line[:1] in " \t" and not blank)
            code = False
        elif (code or (blank and not listed)) and number not in found:
            found.add(number)
            code = True
        blank = False
    return found


class ProseSpans:
    """Running text of one document. What a question costs is bounded; the whole text is looked at once, when asked."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._prose = document.prose
        self._blocks: list[tuple[int, int]] | None = None
        self._labels: frozenset[str] | None = None
        self._suffix = document.path.rpartition(".")[2]

    def holds(self, start: int, end: int) -> bool:
        """Whether the words between two places are running text."""
        matter = self._document.frontmatter
        if matter is not None and start < matter.end:
            return False
        return not (
            self._in_block(start) or self._in_title(start, end) or self._in_link(start, end) or self._in_markup(start)
        )

    def is_defined(self, label: str) -> bool:
        """Whether a reference `[label]` is a link here: somewhere stands `[label]: address`."""
        if self._labels is None:
            defined = _DEFINITION.findall(self._document.text) if "]:" in self._document.text else ()
            self._labels = frozenset(name.strip().casefold() for name in defined)
        return label.casefold() in self._labels

    def line(self, offset: int) -> tuple[int, int]:
        """Where the line that holds an offset begins and ends; of a very long one, what is near."""
        floor, ceiling = max(0, offset - _LONGEST), min(len(self._prose), offset + _LONGEST)
        end = self._prose.find("\n", offset, ceiling)
        return max(floor, self._prose.rfind("\n", floor, offset) + 1), ceiling if end < 0 else end

    def _in_title(self, start: int, end: int) -> bool:
        first, _ = self.line(start)
        _, last = self.line(end)
        if last - first >= _LONGEST:
            return False
        if _TITLE.match(self._prose, first, last) or (self._suffix == "org" and self._prose.startswith("*", first)):
            return True
        below = self._prose[last + 1 : last + 200].partition("\n")[0]
        if below and _UNDERLINE.match(below):
            # A heading's line is alone, or below a line like the one under it.
            return True
        return self._is_indented_code(first)

    def _is_indented_code(self, first: int) -> bool:
        """Whether a line is indented as code is, and no list holds it."""
        width = self._width(first)
        if width < 4 or not self._document.is_markdown:
            return False
        if _ITEM.match(self._prose, first, first + 80):
            return False
        at, blank = first, False
        for _ in range(_LINES_BACK):
            if at == 0:
                return True
            at, _ = self.line(at - 1)
            if self._prose[at : at + 1] in ("\n", "\r") or not self._prose[at : at + 80].strip():
                blank = True
            elif _ITEM.match(self._prose, at, at + 80):
                return False
            elif self._width(at) < 4:
                # Text that goes on without a blank line is no code, however far it is indented.
                return blank
        return blank

    def _width(self, at: int) -> int:
        indent = _INDENT.match(self._prose, at, at + 80)
        return len(indent[0].expandtabs(4)) if indent else 0

    def _in_link(self, start: int, end: int) -> bool:
        """Whether square brackets around the place make it the text of a link, or what follows a link's text."""
        prose = self._prose
        floor = max(prose.rfind("\n\n", max(0, start - _REACH), start) + 1, start - _REACH, 0)
        before = prose[floor:start]
        opening = before.rfind("[")
        if opening > before.rfind("]"):
            closing = prose.find("]", end, end + _REACH)
            if closing >= 0 and prose[closing + 1 : closing + 2] in ("(", "[", ":", "{"):
                return True
            if before[opening - 1 : opening] == "[" or before[opening : opening + 2] == "[^":
                return True
        target = before.rfind("](")
        return target >= 0 and ")" not in before[target:]

    def _in_markup(self, start: int) -> bool:
        """Whether a tag or comment is open at a place, or, outside markdown, a backtick of its line."""
        prose = self._prose
        window = prose[max(0, start - _REACH) : start]
        opening = window.rfind("<")
        if opening > window.rfind(">") and (
            window[opening + 1 : opening + 2].isalpha() or window[opening + 1 :][:1] in "/!"
        ):
            return True
        if not self._document.is_markdown:
            first, _ = self.line(start)
            if len(_TICKS.findall(prose, first, start)) % 2:
                return True
            # Two words of a role may stand on two lines.
            above = prose[max(0, start - 120) : start].rfind("`")
            if above >= 0 and prose.find(">`", start, start + 120) >= 0 and prose.rfind("`_", start - 120, start) < 0:
                return "`" not in prose[start : prose.find(">`", start, start + 120)]
        return False

    def _in_block(self, offset: int) -> bool:
        if self._blocks is None:
            self._blocks = sorted([*_comments(self._prose), *self._literals()])
        row = bisect_right(self._blocks, (offset, len(self._prose) + 1)) - 1
        # Blocks may lie in one another: a comment that a literal block holds ends before it.
        return any(start <= offset < end for start, end in self._blocks[max(0, row - 1) : row + 1])

    def _literals(self) -> list[tuple[int, int]]:
        if self._suffix == "rst" or self._suffix == "txt":
            return _rest_literals(self._document.text)
        if self._suffix == "adoc":
            return _find_delimited_blocks(self._prose)
        if self._suffix == "org":
            marks = [(match.start(), match[1].lower()) for match in _ORG.finditer(self._prose)]
            return [(at, marks[i + 1][0]) for i, (at, kind) in enumerate(marks[:-1]) if kind == "begin"]
        return []


def _comments(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    at = 0
    while (at := text.find("<!--", at)) >= 0:
        end = text.find("-->", at)
        end = len(text) if end < 0 else end
        found.append((at, end))
        at = end
    return found


def _rest_literals(text: str) -> list[tuple[int, int]]:
    """The lines of reStructuredText that show something rather than say it."""
    text = unify_line_ends(text)
    numbers = find_lines_without_prose(text)
    starts = line_starts(text) if numbers else []
    return [(starts[number - 1], starts[number] if number < len(starts) else len(text)) for number in sorted(numbers)]


def _find_delimited_blocks(text: str) -> list[tuple[int, int]]:
    """Blocks between two equal lines of dashes, dots or slashes."""
    found: list[tuple[int, int]] = []
    opened: re.Match[str] | None = None
    for match in _DELIMITED.finditer(text):
        if opened is None:
            opened = match
        elif match[1] == opened[1]:
            found.append((opened.start(), match.end()))
            opened = None
    return found

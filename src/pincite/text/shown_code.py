"""Which parts of a document are code, in markup other than markdown: source code, LaTeX, AsciiDoc, org, rst.

Each finder gives two lists, in order and disjoint: blocks, which are shown whole and cite nothing, and spans within a
line, which cite where they hold nothing but the citation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .markdown import Regions, unify_line_ends
from .notebook import NOTEBOOK, find_markdown_cells, join_cell
from .source_comments import find_commentary, find_family

if TYPE_CHECKING:
    from collections.abc import Callable

    Code = tuple[Regions, Regions]

TEX = (".tex", ".ltx", ".latex")
ASCIIDOC = (".adoc", ".asciidoc")
ORG = (".org",)
RST = (".rst", ".rest")

# An environment that shows its text, a comment, or words between two equal signs: `\verb|a.py:12|`.
_TEX_CODE = re.compile(
    r"""
      \\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment|filecontents\*?)\}(?s:.*?)
        (?:\\end\{(?P=name)\}|\Z)
    | \\(?:verb\*?|lstinline(?:\[[^\]\n]{0,200}\])?)(?P<sign>[^\w\s*{\[\\%])(?P<inner>[^\n]{0,200}?)(?P=sign)
    | \\(?s:.)                                                          # \% is no comment
    | (?P<remark>%[^\n]*+)
    """,
    re.VERBOSE,
)
_ASCIIDOC_MARK = re.compile(r"^(-{4,}|\.{4,}|\+{4,}|/{4,}|```)[ \t]*\w*[ \t]*$|^//(?!/)[^\n]*$", re.MULTILINE)
# A block, a literal line or a comment, or words between two equal signs: `=a.py:12=`, `~a.py:12~`.
_ORG_CODE = re.compile(
    r"""
      ^[ \t]*\#\+begin_(?P<name>src|example|export|comment)\b(?s:.*?)(?:^[ \t]*\#\+end_(?P=name)\b[^\n]*$|\Z)
    | ^[ \t]*[:\#][ ][^\n]*$
    | (?P<sign>[=~])(?:(?<=[\s({'"-].)|(?<=^.))(?P<inner>\S(?:[^\n]{0,300}?\S)??)(?P=sign)(?=[\s)}'".,;:!?\[-]|\Z)
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)


def choose_code_finder(path: str) -> Callable[[str], Code] | None:
    """What finds the code of a document; None for markdown, which has a reader of its own, and for plain text."""
    if find_family(path):
        return lambda text: _find_around(path, text)
    name = path.lower()
    if name.endswith(NOTEBOOK):
        return _find_in_notebook
    if name.endswith(RST):
        return _find_in_rst
    if name.endswith(TEX):
        return lambda text: _find(_TEX_CODE, text)
    if name.endswith(ASCIIDOC):
        return _find_in_asciidoc
    return (lambda text: _find(_ORG_CODE, text)) if name.endswith(ORG) else None


def _find_in_rst(text: str) -> Code:
    """Literal blocks and inline literals."""
    from .rst import find_literals

    blocks, spans = Regions(True), Regions(False)
    for one in find_literals(unify_line_ends(text)):
        (blocks if one.fenced else spans).add(one.start, one.end, one.inner.start, one.inner.end)
    return blocks, spans


def _find(pattern: re.Pattern[str], text: str) -> Code:
    """The code that a pattern finds: with a group `inner` a span, else a block."""
    blocks, spans = Regions(True), Regions(False)
    for match in pattern.finditer(unify_line_ends(text)):
        kind = match.lastgroup
        if kind is None and match[0][:1] == "\\":
            continue
        start, end = match.span()
        if "inner" in pattern.groupindex and match["inner"] is not None:
            spans.add(start, end, *match.span("inner"))
        else:
            blocks.add(start, end, start, end)
    return blocks, spans


def _find_in_asciidoc(text: str) -> Code:
    """Blocks between two equal lines, and comments; what nothing closes reaches to the end."""
    text = unify_line_ends(text)
    blocks = Regions(True)
    opened: re.Match[str] | None = None
    for match in _ASCIIDOC_MARK.finditer(text):
        if opened is not None:
            if match[1] == opened[1]:
                blocks.add(opened.start(), match.end(), opened.end(), match.start())
                opened = None
        elif match[1] is None:
            blocks.add(*match.span(), *match.span())
        elif not _is_underline(text, match):
            opened = match
    if opened is not None:
        blocks.add(opened.start(), len(text), opened.end(), len(text))
    return blocks, Regions(False)


def _is_underline(text: str, match: re.Match[str]) -> bool:
    """Whether a line of dashes or pluses is as long as the line above, and makes a title of it."""
    end = max(0, match.start() - 1)
    above = text[max(text.rfind("\n", 0, end) + 1, end - 200) : end].strip()
    return match[1][0] in "-+" and bool(above) and abs(len(above) - len(match[1])) <= 1 and above[0] not in ".["


def _find_in_notebook(written: str) -> Code:
    """All that is no text of a markdown cell, and the code that such a cell shows."""
    from .document import Document

    blocks, spans = Regions(True), Regions(False)
    at = 0
    for cell in find_markdown_cells(written):
        markdown, places = join_cell(written, cell)
        if not places:
            continue
        if places[0] > at:
            blocks.add(at, places[0], at, places[0])
        at = places[-1] + 1
        for region in Document("cell.md", markdown).code_regions():
            inner = region.inner
            ends = places[region.start], places[region.end - 1] + 1
            if region.fenced or inner.end <= inner.start:
                blocks.add(*ends, *ends)
            else:
                spans.add(*ends, places[inner.start], places[inner.end - 1] + 1)
    if at < len(written):
        blocks.add(at, len(written), at, len(written))
    return blocks, spans


def _find_around(path: str, text: str) -> Code:
    """What is between the comments of a source file."""
    blocks = Regions(True)
    at = 0
    for comment in find_commentary(path, text):
        if comment.start > at:
            blocks.add(at, comment.start, at, comment.start)
        at = comment.end
    if at < len(text):
        blocks.add(at, len(text), at, len(text))
    return blocks, Regions(False)

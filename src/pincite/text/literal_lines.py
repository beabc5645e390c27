"""Lines of a document that are shown and not said: literal blocks, code, comments, front matter."""

from __future__ import annotations

import re

from .lines import line_starts, position
from .markdown import fences, frontmatter_span, unify_line_ends

_BODY = re.compile(
    r"[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|raw|prompt|doctest|testcode"
    r"|testoutput|testsetup|testcleanup|ipython|graphviz|digraph|graph|productionlist|highlight|uml|plantuml|mermaid|csv-table"
    r"|tabularcolumns|jupyter-execute|console|command-output|program-output|autofunction|autoclass|automodule|toctree)::"
)
"""Directives whose body is no prose."""
_DIRECTIVE = re.compile(r"[ \t]*\.\. (?:\|[^|\n]+\| )?[\w:+.-]+::")
_EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]|\Z)")
_TARGET = re.compile(r"[ \t]*\.\. (?:_|\[)")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_DEEP = 4
"""Columns from which a line of markdown is code."""


def find_literal_lines(text: str, path: str) -> frozenset[int]:
    """The numbers of the lines, from 1, that show something rather than say it; none for what is not prose."""
    name = path.lower()
    if name.endswith((".rst", ".rest")):
        return frozenset(find_literal_lines_of_rst(unify_line_ends(text)))
    if name.endswith((".md", ".markdown", ".mdx", ".mdc", ".mdown", ".mkd", ".qmd", ".rmd")) or name == "-":
        return frozenset(_literal_of_markdown(unify_line_ends(text)))
    return frozenset()


def _indent(line: str) -> int:
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def find_literal_lines_of_rst(text: str) -> set[int]:
    """Literal blocks, bodies of directives that show code, comments, and doctest blocks."""
    found: set[int] = set()
    floor: int | None = None
    """The column beyond which everything is literal, while a block is open."""
    begun = False
    quoted = ""
    doctest = False
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare:
            doctest, quoted = False, "" if begun else quoted
            continue
        if floor is not None:
            if _indent(line) > floor:
                found.add(number)
                begun = True
                continue
            if not begun and quoted == "?" and not bare[0].isalnum() and not _EXPLICIT.match(line):
                # A literal block may be quoted instead of indented.
                quoted = bare[0]
            floor = None
        if quoted not in ("", "?") and bare[0] == quoted:
            found.add(number)
            begun = True
            continue
        quoted = ""
        if doctest or bare.startswith(">>> "):
            doctest = True
            found.add(number)
            continue
        if _BODY.match(line) or (_EXPLICIT.match(line) and not _DIRECTIVE.match(line) and not _TARGET.match(line)):
            found.add(number)
            floor, begun = _indent(line), False
        elif bare.endswith("::") and not _EXPLICIT.match(line):
            item = _ITEM.match(line)
            # Below an item, what goes on at its own text is prose again.
            floor, begun, quoted = _indent(line) if item is None else len(item[0].expandtabs(8)), False, "?"
    return found


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
        deep = _indent(line) >= _DEEP
        if not deep:
            # What is indented below an item belongs to it.
            listed = _ITEM.match(line) is not None or (listed and line[:1] in " \t" and not blank)
            code = False
        elif (code or (blank and not listed)) and number not in found:
            found.add(number)
            code = True
        blank = False
    return found

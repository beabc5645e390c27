"""The little of reStructuredText that citations need: which lines and words are literal.

Every line is looked at once. Offsets count code points, and every line end is an LF: see `unify_line_ends`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Span
from .lines import line_starts
from .markdown import CodeRegion

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = re.compile(
    r"[ \t]*\.\. (?:code|code-block|sourcecode|parsed-literal|literalinclude|math|raw|prompt|doctest|testcode"
    r"|testoutput|testsetup|testcleanup|ipython|graphviz|digraph|graph|productionlist|highlight|uml|plantuml|mermaid"
    r"|jupyter-execute|console|command-output|program-output)::"
)
"""Directives whose body is shown as it is, or made into something else."""
_LISTED = re.compile(r"[ \t]*\.\. (?:csv-table|tabularcolumns|autofunction|autoclass|automodule|toctree)::")
"""Directives whose body is neither literal nor prose."""
_DIRECTIVE = re.compile(r"[ \t]*\.\. (?:\|[^|\n]+\| )?[\w:+.-]+::")
_EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]|\Z)")
_TARGET = re.compile(r"[ \t]*\.\. (?:_|\[)")
LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])[ \t]")
_OPENING = re.compile(r"(?<![`\\\w])``(?!\s)")
_CLOSING = re.compile(r"(?<![\s\\])``(?!`)")
_BLANK = re.compile(r"\n[ \t]*\n")


def measure_indent(line: str) -> int:
    """The column at which a line begins."""
    expanded = line.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def find_lines_without_prose(text: str) -> set[int]:
    """Literal lines, from 1, and those of comments, tables of values and lists of documents."""
    return _find_lines(text, True)


def find_literals(text: str) -> list[CodeRegion]:
    """Literal blocks, which count as fenced, and inline literals, in order."""
    if "::" not in text and "``" not in text and ">>> " not in text:
        return []
    found: list[CodeRegion] = []
    at = 0
    for block in _join_lines(text, sorted(_find_lines(text, False))):
        found += _find_inline(text, at, block.start)
        found.append(CodeRegion(block.start, block.end, block, True))
        at = block.end
    return [*found, *_find_inline(text, at, len(text))]


def _find_lines(text: str, silent: bool) -> set[int]:
    """Literal blocks, bodies of directives that show code, doctest blocks; with `silent` what else is no prose."""
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
            if measure_indent(line) > floor:
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
        explicit = _EXPLICIT.match(line) is not None
        comment = explicit and not _DIRECTIVE.match(line) and not _TARGET.match(line)
        if _SHOWN.match(line) or (silent and (comment or _LISTED.match(line))):
            found.add(number)
            floor, begun = measure_indent(line), False
        elif bare.endswith("::") and not explicit and (len(bare) == 2 or bare.strip(":")):
            item = LIST_ITEM.match(line)
            # Below an item, what goes on at its own text is prose again.
            floor, begun, quoted = measure_indent(line) if item is None else len(item[0].expandtabs(8)), False, "?"
    return found


def _join_lines(text: str, numbers: list[int]) -> Iterator[Span]:
    """Runs of lines as spans, without the last line end."""
    starts = [*line_starts(text), len(text) + 1] if numbers else []
    at = 0
    while at < len(numbers):
        first = numbers[at]
        while at + 1 < len(numbers) and numbers[at + 1] == numbers[at] + 1:
            at += 1
        yield Span(starts[first - 1], min(starts[numbers[at]] - 1, len(text)))
        at += 1


def _find_inline(text: str, start: int, end: int) -> Iterator[CodeRegion]:
    """Inline literals between two offsets; none goes over a blank line."""
    at = start
    closing = blank = start
    """Where the next one may end, and where the next blank line is: both are looked for once."""
    while (opening := _OPENING.search(text, at, end)) is not None:
        at = opening.end()
        if closing <= at:
            closing = _find_from(_CLOSING, text, at + 1, end)
        if blank < at:
            blank = _find_from(_BLANK, text, at, end)
        if closing < min(blank, end):
            yield CodeRegion(opening.start(), closing + 2, Span(at, closing), False)
            at = closing + 2


def _find_from(form: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Where something stands next; the end where it does not."""
    match = form.search(text, start, end)
    return match.start() if match is not None else end

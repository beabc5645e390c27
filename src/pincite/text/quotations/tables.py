"""Tables with a column of quotations: what stands in its cells is quoted, with or without quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

# The line below the heads of a table, in Markdown and in Org.
_RULE = re.compile(r"^[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:[|+][ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$", re.MULTILINE)
_HEAD = re.compile(
    r"\b(?:quot(?:e|es|ed|ation|ations)|verbatim|excerpts?|extracts?|zitate?|wortlaut|citation[ \t]textuelle|extraits?"
    r"|cita[ \t]textual|citas?|citaç(?:ão|ões)|citazion[ei]|citat|citaat|cytat)\b|引用|引文|原文|原话|인용",
    re.IGNORECASE,
)
_NO_HEAD = re.compile(r"\b(?:count|number|no|status|id|ids|source|page|pages|date|checked|length|from|by)\b", re.I)
"""What makes the head of a column one of something else: `Quote ID`, `Quote source`."""
_BAR = re.compile(r"(?<!\\)\|")
_TABLE = re.compile(r"<table\b(?:(?!</table)[^\0])++", re.IGNORECASE)
_ROW = re.compile(r"<tr\b(?:(?!</?tr\b)[^\0])++", re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b[^<>]{0,300}>((?:(?!</?t[dh]\b)[^\0])*+)", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,300}>")
_MOST_ROWS = 20_000

Row = tuple[int, int, list[tuple[int, int]]]
"""Where a row begins and ends, and its cells that hold quotations."""


class QuotationTable(NamedTuple):
    """The rows of a table below its heads, and which of its columns hold quotations."""

    start: int
    end: int
    columns: tuple[int, ...]


def find_tables(text: str) -> list[QuotationTable]:
    """The tables that have a column of quotations."""
    found: list[QuotationTable] = []
    if "|" not in text or "--" not in text:
        return found
    for rule in _RULE.finditer(text):
        if "|" not in rule[0] or rule.start() < 2 or (found and rule.start() < found[-1].end):
            continue
        above = text.rfind("\n", 0, rule.start() - 1) + 1
        heads = split_row(text, above, rule.start() - 1)
        columns = tuple(at for at, (start, end) in enumerate(heads) if _is_quoting(text[start:end]))
        if columns:
            found.append(QuotationTable(rule.end() + 1, _end(text, rule.end() + 1), columns))
    return found


def find_tagged_rows(text: str) -> list[Row]:
    """The rows of HTML tables that have a column of quotations, with their cells of that column."""
    found: list[Row] = []
    if _TABLE.search(text) is None:
        return found
    for table in _TABLE.finditer(text):
        columns: tuple[int, ...] = ()
        for row in _ROW.finditer(text, table.start(), table.end()):
            cells = [cell.span(1) for cell in _CELL.finditer(text, *row.span())]
            if columns:
                found.append((*row.span(), [cells[column] for column in columns if column < len(cells)]))
            else:
                heads = [_TAG.sub(" ", text[start:end]) for start, end in cells]
                columns = tuple(at for at, head in enumerate(heads) if _is_quoting(head))
                if not columns:
                    break
    return found


def _is_quoting(head: str) -> bool:
    return _HEAD.search(head) is not None and _NO_HEAD.search(head) is None


def _end(text: str, at: int) -> int:
    """Where the rows end: at a line without a bar."""
    for _ in range(_MOST_ROWS):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if "|" not in text[at:stop] or stop == len(text):
            return stop if "|" in text[at:stop] else at
        at = stop + 1
    return at


def split_row(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Where the cells of a row begin and end; bars at its ends part nothing."""
    while start < end and text[start] in " \t>":
        start += 1
    while end > start and text[end - 1] in " \t\r":
        end -= 1
    start += text[start : start + 1] == "|"
    end -= end > start and text[end - 1] == "|" and text[end - 2 : end - 1] != "\\"
    cells: list[tuple[int, int]] = []
    for bar in _BAR.finditer(text, start, end):
        cells.append((start, bar.start()))
        start = bar.end()
    return [*cells, (start, end)]


def find_cells(tables: list[QuotationTable], text: str, at: int) -> Row | None:
    """The row that holds a place, where it begins and ends, and those of its cells that hold quotations."""
    row = bisect_right(tables, (at, len(text) + 1)) - 1
    if row < 0 or not tables[row].start <= at < tables[row].end:
        return None
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    cells = split_row(text, start, end)
    return start, end, [cells[column] for column in tables[row].columns if column < len(cells)]

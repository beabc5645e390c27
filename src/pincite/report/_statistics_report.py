"""Statistics as a report: tables for people, an object of the schema `pincite.statistics/1` for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..safe.escape import json_text
from ..text.lines import format_count
from ._problems import blocks, inert
from ._statistics import Statistics
from .json import format_summary
from .text import TextReporter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..core.model import Report, Summary
    from . import Options
    from ._statistics import RankedRow

SCHEMA = "pincite.statistics/1"
_ROWS = 10
"""Rows of a table, where `--limit` says nothing else."""
_COLUMNS = ("errors", "warnings", "notes", "repairable")


class TextStatistics(TextReporter):
    """Counts, and ends as the text report does."""

    def document(self, report: Report) -> None:
        """Count the document's findings."""
        for block in blocks(report):
            self._statistics.count(block)

    def close(self, summary: Summary) -> None:
        """Print the tables, then the summary."""
        if not (self._options.quiet and not summary.exit_code):
            tables = (
                ("check", self._statistics.checks()),
                ("document", self._statistics.documents()),
                ("folder", self._statistics.folders()),
            )
            for noun, rows in tables:
                if rows:
                    self._write("".join(f"{line}\n" for line in self._table(noun, rows)) + "\n")
        super().close(summary)

    def _table(self, noun: str, rows: list[RankedRow]) -> Iterator[str]:
        limit = _ROWS if self._options.limit is None else self._options.limit
        shown = rows[:limit] if limit else rows
        widths = [max(len(name), *(len(f"{getattr(row, name):,}") for _, row in shown)) for name in _COLUMNS]
        heads = [f"{name:>{width}}" for name, width in zip(_COLUMNS, widths, strict=True)]
        yield self._paint("  ".join([*heads, noun]), "bold")
        for key, row in shown:
            cells = [f"{getattr(row, name):>{width},}" for name, width in zip(_COLUMNS, widths, strict=True)]
            yield "  ".join([*cells, inert(key)])
        if len(shown) < len(rows):
            yield f"… and {format_count(len(rows) - len(shown), f'more {noun}')}: `--limit 0` shows all"


class JsonStatistics:
    """One object with every row."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._version = options.version
        self._statistics = Statistics()

    def document(self, report: Report) -> None:
        """Count the document's findings."""
        self._statistics.see(report)

    def close(self, summary: Summary) -> None:
        """Write the object, one row a line."""
        head = f'{{"schema":"{SCHEMA}","version":{json_text(self._version)},\n'
        self._write(f'{head}"summary":{json_text(format_summary(summary))}')
        tables = (
            ("checks", "check", self._statistics.checks()),
            ("documents", "document", self._statistics.documents()),
            ("folders", "folder", self._statistics.folders()),
        )
        for name, noun, rows in tables:
            lines = ",".join(f"\n{json_text(_row(noun, key, row))}" for key, row in rows)
            self._write(f',\n"{name}":[{lines}' + ("\n]" if rows else "]"))
        self._write("}\n")


def _row(noun: str, key: str, row: Any) -> dict[str, Any]:
    return {noun: key, "findings": row.findings, **{name: getattr(row, name) for name in _COLUMNS}}

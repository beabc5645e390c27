"""For pull-request comments and job summaries: the totals and a table of problems, the gravest first.

Everything quoted stands in HTML `<code>` with its characters escaped, so that no cell can break the table, mention a
person or load an image. A comment holds 65,536 characters: rows beyond 60,000, or beyond `--limit`, are counted, not
printed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..core.model import Severity
from ..safe.escape import escape_text
from ..text.lines import format_count
from ._problems import ReportedProblem, blocks, format_citation, format_repair, gravity, is_unchecked
from ._words import asides, headline, hiding, mark, promise

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.model import Report, Summary
    from . import Options

NEEDS_ALL = False

BUDGET = 60_000

_CELL_CHARS = 200
# ASCII punctuation with a meaning in Markdown or HTML, and what becomes a link without any.
_SPECIAL = re.compile(r"[!-'*<>-@\[-`{-~]|(?<=:)//|www\.", re.IGNORECASE)
_PARTED = frozenset("@#")
_SYMBOLS = {Severity.ERROR: "✗", Severity.WARNING: "⚠", Severity.NOTE: "•"}


class MarkdownReporter:
    """Keeps as many rows as a comment can hold, the gravest, and writes all at the end."""

    def __init__(self, write: Callable[[str], object], options: Options) -> None:
        self._write = write
        self._fix = options.fix
        self._rows: dict[tuple[int, int], list[str]] = {}
        self._sizes: dict[tuple[int, int], int] = {}
        self._limit = options.limit
        self._problems = 0

    def document(self, report: Report) -> None:
        """Take in the document's problems."""
        for block in blocks(report):
            if is_unchecked(block[0]):
                continue
            self._problems += 1
            key = gravity(block[0])
            size = self._sizes.get(key, 0)
            if size < BUDGET:
                row = _row(block)
                self._rows.setdefault(key, []).append(row)
                self._sizes[key] = size + len(row)

    def close(self, summary: Summary) -> None:
        """Write the comment."""
        lines = [f"### {mark(summary)} pincite: {headline(summary)}", ""]
        extra = asides(summary)
        if extra:
            lines += [f"{extra[:1].upper()}{extra[1:]}.", ""]
        if hidden := hiding(summary):
            lines += [f"⚠ {_prose(hidden)}.", ""]
        rows = [row for key in sorted(self._rows) for row in self._rows[key]]
        if rows:
            lines += ["| | Place | Citation | What was found |", "|---|---|---|---|"]
            shown_rows = _within(rows[: self._limit or None], BUDGET)
            lines += [*rows[:shown_rows], ""]
            if shown_rows < self._problems:
                lines += [f"… and {format_count(self._problems - shown_rows, 'problem')} more.", ""]
        if summary.fixable:
            lines += [f"{promise(summary, _code(self._fix))}.", ""]
        if summary.drift:
            lines += [f"Not compared with history: {_prose(summary.drift)}", ""]
        self._write("\n".join(lines))


def _within(rows: list[str], budget: int) -> int:
    """How many rows fit."""
    for number, row in enumerate(rows):
        budget -= len(row) + 1
        if budget < 0:
            return number
    return len(rows)


def _row(block: tuple[ReportedProblem, ...]) -> str:
    first = block[0]
    place = _code(f"{first.document}:{first.line}" if first.line else first.document)
    found = "<br>".join(
        f"{_prose(problem.message)} ({_code(problem.check)})"
        + (f"<br>fix: {_code(format_repair(problem))}" if problem.edit is not None else "")
        for problem in block
    )
    quoted = _code(format_citation(first)) if first.raw else ""
    return f"| {_SYMBOLS[first.severity]} {first.label} | {place} | {quoted} | {found} |"


def _code(text: str) -> str:
    return f"<code>{escape_markdown(escape_text(text, _CELL_CHARS))}</code>"


def _prose(text: str) -> str:
    return escape_markdown(escape_text(text, 2 * _CELL_CHARS))


def escape_markdown(text: str) -> str:
    """Special characters as numeric entities; an empty comment parts what GitHub would take for a mention."""
    return _SPECIAL.sub(_entity, text)


def _entity(match: re.Match[str]) -> str:
    coded = "".join(f"&#{ord(char)};" for char in match[0])
    return f"{coded}<!-- -->" if match[0] in _PARTED else coded


Reporter = MarkdownReporter

"""The dialogue of `pincite fix --interactive`: one change after the other, old and new evidence beside each other."""

from __future__ import annotations

import re
import sys
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import click

from ...engine.repair.patch import changed_lines
from ...safe.escape import escape_text
from ...text.terminal.cells import join_cells, lay
from .kit import paint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...engine.repair.dry_run import OfferedEdit
    from ...engine.repair.fix import DocumentFixes

    Cell = tuple[str, bool]
    """What one column shows, and whether it differs from the other side."""

WIDE = 100
"""From so many columns on, two texts stand side by side."""
_MOST_LINES = 12
_MOST_CHARS = 2000
_MOST_WORDS = 240
_PATIENCE = 20
_KEYS = {"yes": "y", "no": "n", "all": "a", "done": "d", "quit": "q", "help": "?"}
_WORD = re.compile(r"(?:\w[\u0300-\u036f\u200d\ufe0f]*)+|\s+|[^\w\s][\u0300-\u036f\u200d\ufe0f]*")
_HELP = (
    "y - make this change",
    "n - leave it",
    "a - make this one and all that are safe in this document; those that need a reader are still shown",
    "d - leave this one and all that follow in this document",
    "q - stop; what was agreed to in this document is written",
    "? - this list",
)


class EndOfAnswers(Exception):
    """The user no longer answers."""


class Dialogue:
    """Asks about changes. `answer` gives one key at a time and raises EndOfAnswers; `out` takes text."""

    def __init__(self, answer: Callable[[], str], out: Callable[[str], object], width: int, color: bool) -> None:
        self._answer = answer
        self._out = out
        self._width = max(20, width)
        self._color = color
        self.stopped = False
        """Whether the user wants to be asked no more."""

    def choose(self, offers: DocumentFixes) -> list[OfferedEdit]:
        """The changes to one document that are agreed to."""
        agreed: list[OfferedEdit] = []
        all_safe = False
        text = offers.text
        for number, change in enumerate(offers.changes, 1):
            if all_safe and change.safe:
                agreed.append(change)
                continue
            key = ""
            for candidate in (change, *_find_others(offers, change)):
                for row in self._rows(offers.document, text, candidate):
                    self._out(row + "\n")
                key = self._ask(f"Change it ({number} of {len(offers.changes)})? [y,n,a,d,q,?] ")
                self._out("\n")
                if key in ("y", "a"):
                    agreed.append(candidate)
                    all_safe = all_safe or key == "a"
                if key != "n":
                    break
            if key in ("d", "q"):
                self.stopped = key == "q"
                break
        return agreed

    def _ask(self, prompt: str) -> str:
        for _ in range(_PATIENCE):
            self._out(paint(prompt, "1", self._color))
            key = self._answer()
            self._out(key + "\n")
            if key in ("y", "n", "a", "d", "q"):
                return key
            for row in _HELP:
                self._out(paint(row, "2", self._color) + "\n")
        raise EndOfAnswers

    def _rows(self, document: str, text: str, change: OfferedEdit) -> Iterator[str]:
        """One change as it is shown: what it does to the document, why, and what was and is cited."""
        finding = change.finding
        reader = "" if change.safe else " (needs a reader)"
        yield paint(escape_text(f"{document}:{change.verdict.line}"), "1", self._color) + reader
        yield escape_text(f"{finding.check}: {finding.message}")
        before, after = changed_lines(text, change.edit)
        yield from _show_stacked(before, after, self._width, self._color)
        then, now = finding.then, finding.now or (finding.then if finding.place is not None else ())
        if not then and not now:
            return
        place = _place_of(change)
        if then == now:
            yield paint(f"the evidence, unchanged{place}:", "2", self._color)
            yield from _render_rows(_rows_of(_words(then), set()), " ", "", self._width, False)
        elif self._width >= WIDE:
            yield from show_side_by_side(then, now, self._width, self._color, ("then", "now" + place))
        else:
            yield paint(f"the evidence then (-) and now (+){place}:", "2", self._color)
            yield from _show_stacked(then, now, self._width, self._color)


def _find_others(offers: DocumentFixes, change: OfferedEdit) -> list[OfferedEdit]:
    """The other places that the same citation may be given: where its lines went, and the lines of its sentence."""
    withheld = (one.change for one in offers.left)
    return [other for other in withheld if other.verdict is change.verdict and other.edit.span == change.edit.span]


def show_side_by_side(
    then: Sequence[str], now: Sequence[str], width: int, color: bool, heads: tuple[str, str] = ("then", "now")
) -> list[str]:
    """Two texts in two columns, in the colours of a diff where they differ."""
    half = (width - 3) // 2
    left, right = mark_differences(then, now)
    rows = [f"{escape_text(heads[0], half):<{half}} │ {escape_text(heads[1], half)}"]
    for number in range(max(len(left), len(right))):
        parts = [_wrap_row(side[number], half) if number < len(side) else [] for side in (left, right)]
        for at in range(max(len(parts[0]), len(parts[1]), 1)):
            old, new = (part[at] if at < len(part) else [] for part in parts)
            gap = " " * (half - len(old))
            rows.append((_render_cells(old, "31", color) + gap + " │ " + _render_cells(new, "32", color)).rstrip())
    for side in (then, now):
        if len(side) > _MOST_LINES:
            rows.append(f"… {len(side) - _MOST_LINES} more lines {'then' if side is then else 'now'}")
    return rows


def mark_differences(then: Sequence[str], now: Sequence[str]) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """The rows of two texts, cell by cell, each with whether its word differs from the other text."""
    old, new = (_words(lines) for lines in (then, now))
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    gone, come = set(range(head, len(old) - tail)), set(range(head, len(new) - tail))
    if max(len(gone), len(come)) <= _MOST_WORDS:
        inner = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
        for block in inner.get_matching_blocks():
            gone -= set(range(head + block.a, head + block.a + block.size))
            come -= set(range(head + block.b, head + block.b + block.size))
    return _rows_of(old, gone), _rows_of(new, come)


def _words(lines: Sequence[str]) -> list[str]:
    words: list[str] = []
    for line in lines[:_MOST_LINES]:
        words += [*_WORD.findall(line[:_MOST_CHARS].expandtabs(4)), "\n"]
    return words


def _rows_of(words: Sequence[str], different: set[int]) -> list[list[Cell]]:
    rows: list[list[Cell]] = [[]]
    for number, word in enumerate(words):
        if word == "\n":
            rows.append([])
            continue
        cells: list[str] = []
        lay(cells, 0, escape_text(word))
        rows[-1] += [(cell, number in different) for cell in cells]
    return rows[:-1] or rows


def _show_stacked(then: Sequence[str], now: Sequence[str], width: int, color: bool) -> Iterator[str]:
    """Two texts one above the other, as a diff shows them."""
    for sign, code, rows in zip("-+", ("31", "32"), mark_differences(then, now), strict=True):
        yield from _render_rows(rows, paint(sign, code, color), code, width, color)


def _render_rows(rows: list[list[Cell]], head: str, code: str, width: int, color: bool) -> Iterator[str]:
    for row in rows:
        for part in _wrap_row(row, width - 2) or [[]]:
            yield f"{head} {_render_cells(part, code, color)}".rstrip()


def _wrap_row(row: list[Cell], width: int) -> list[list[Cell]]:
    """A row in parts that fit, no wide character split."""
    parts: list[list[Cell]] = []
    while row:
        end = width
        while 1 < end < len(row) and not row[end][0]:
            end -= 1
        parts.append(row[:end])
        row = row[end:]
    return parts


def _render_cells(cells: Sequence[Cell], code: str, color: bool) -> str:
    """Cells as text, those that differ in a colour."""
    runs: list[tuple[bool, list[str]]] = []
    for cell, differs in cells:
        # The further columns of a wide character belong to it.
        if not runs or (differs != runs[-1][0] and cell):
            runs.append((differs, []))
        runs[-1][1].append(cell)
    return "".join(paint(join_cells(run), f"{code};1", differs and color) for differs, run in runs)


def _place_of(change: OfferedEdit) -> str:
    place = change.finding.place
    if place is None or not place.path:
        return ""
    path = escape_text(place.path)
    return f" in {path}" if place.lines is None else f" at {path}:{place.lines.text}"


def choose_answer_source() -> Callable[[], str]:
    """Where answers come from: single keys of a terminal, or the lines that are piped in."""
    return _Keys().next if sys.stdin is not None and sys.stdin.isatty() else _line


class _Keys:
    """Keys as they are pressed; several may arrive at once."""

    def __init__(self) -> None:
        self._waiting = ""

    def next(self) -> str:
        """One key."""
        while not self._waiting:
            sys.stdout.flush()
            try:
                pressed = click.getchar()
            except EOFError:
                raise EndOfAnswers from None
            if not pressed:
                raise EndOfAnswers
            # A key that sends a sequence is none of ours.
            self._waiting = "?" if pressed.startswith("\x1b") else pressed.strip().lower()
        key, self._waiting = self._waiting[0], self._waiting[1:]
        return key if key.isascii() and key.isprintable() else "?"


def _line() -> str:
    """The next line of standard input as a key; what is none is a question."""
    sys.stdout.flush()
    data = sys.stdin.buffer.readline(256) if sys.stdin is not None else b""
    if not data:
        raise EndOfAnswers
    rest = data
    while rest and not rest.endswith(b"\n"):
        rest = sys.stdin.buffer.readline(65536)
    word = data.decode("ascii", "ignore").strip().lower()
    return _KEYS.get(word, word if len(word) == 1 else "?")

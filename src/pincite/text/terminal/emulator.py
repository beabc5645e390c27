"""A terminal on paper: what a stream of text and controls leaves behind.

The page has no width (nothing wraps) and no height (nothing is lost at its top). What a terminal would forget is kept:
clearing the screen begins a new page below the old one. A cleared or left alternate screen is forgotten, as there.
A command string (title, hyperlink, …) ends with BEL or ST on its own line, a DCS with ST on any; one that does not
hides nothing but its introducer. Scroll margins and the line-drawing character set are not followed.

Work and memory stay in proportion to the input: whatever costs more than its own bytes (padding, inserting, erasing to
the left) is paid from an allowance of `_BASE + _SHARE * len(input)` steps. Once that is spent, padding closes up and
the rest of these operations do nothing. No real program comes near it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .cells import BLANK, cut, join_cells, lay, settle, tab_at

if TYPE_CHECKING:
    from collections.abc import Callable

_REACH = 10_000
"""How far one movement goes beyond the last row or the end of a row."""
_BASE = 1 << 20
_SHARE = 64
_COLUMN, _ROW = 8, 64  # what a blank column and a blank row cost

_CONTROL = re.compile("[\0-\x08\n-\x1f\x7f-\x9f]")
_UNDECODED = re.compile("[\udc80-\udcff]")
_STRING = "\x1b[]X^_k][^\x07\n\x18\x1a\x1b]*(?:\x07|\x1b\\\\)"
_DCS = re.compile("\x1bP[^\x18\x1a\x1b]*\x1b\\\\")
# At the end of a row, where ESC[K erases nothing either.
_UNSEEN = re.compile(f"\x1b\\[(?:[0-9;:]*m|0?K|\\?25[hl])|\x1b\\([AB]|{_STRING}")
_TOKEN = re.compile(f"[^\0-\x1f\x7f-\x9f]+|\x1b\\[[0-?]*[ -/]*[@-~]?|{_STRING}|\x1b[ -/]*[0-~]?|[\0-\x1f\x7f-\x9f]")


def emulated_lines(data: bytes) -> list[str]:
    """The lines that output of any kind leaves on the screen; a pure function of the bytes."""
    text = data.decode(errors="surrogateescape")
    if "\x1bP" in text:
        text = _DCS.sub("\x18", text)  # CAN: does nothing itself, and still breaks off what stood before
    screen = _Screen(_BASE + _SHARE * len(data))
    screen.play(text)
    lines = screen.lines()
    if not text.isascii() and _UNDECODED.search(text):
        lines = [_UNDECODED.sub(_escape_byte, line) for line in lines]
    return lines


def _escape_byte(match: re.Match[str]) -> str:
    return f"\\x{ord(match[0]) - 0xDC00:02x}"


def _render_plain_line(line: str) -> str | None:
    """What a line leaves on an empty row, or None when it does more than append to it."""
    if not _CONTROL.search(line):
        return line
    line = _UNSEEN.sub("", line).strip("\r")
    return None if _CONTROL.search(line) else line


class _Screen:
    """A page of rows and a cursor. A row is text as it was appended, or a list of cells once the cursor went back.

    A cell holds one character with its marks; the further columns of a wide character or a tab hold "".
    """

    __slots__ = ("allowance", "behind", "col", "ended", "homed", "last", "row", "rows", "saved", "top")

    def __init__(self, allowance: int) -> None:
        self.allowance = allowance
        self.behind: tuple[list[str | list[str]], int, int, int, int, tuple[int, int]] | None = None
        self.last = ""
        self._begin()

    def _begin(self) -> None:
        self.rows: list[str | list[str]] = []
        self.top = self.row = self.col = 0
        self.ended = 0  # rows above this one were ended by a line feed
        self.saved = (0, 0)  # from the top of the page
        self.homed = False  # the cursor is where ESC[H put it

    def play(self, text: str) -> None:
        """Do what the text says."""
        pieces = text.split("\n")
        rest = pieces.pop()
        for piece in pieces:
            if self.row == len(self.rows) and not self.col and (line := _render_plain_line(piece)) is not None:
                self.rows.append(line)
                self.row += 1
                self.ended = self.row
                self.homed = False
            else:
                self._obey(piece)
                self._feed()
        self._obey(rest)

    def lines(self) -> list[str]:
        """The page from its first row on; of an alternate screen that was never left, after the page behind it."""
        self._trim()
        shown = [row if isinstance(row, str) and row != BLANK else join_cells(row) for row in self.rows]
        if self.behind:
            self._leave()
            return self.lines() + shown
        return shown

    def _obey(self, piece: str) -> None:
        for token in _TOKEN.findall(piece):
            first = token[0]
            if first > "\x9f" or " " <= first < "\x7f":
                self._put(token)
            elif first == "\x1b":
                if token[1:2] == "[":
                    self._control(token[2:-1], token[-1])
                elif len(token) == 2 and (action := _ESCAPES.get(token[1])):
                    action(self)
            elif first == "\r":
                self.col = 0
            elif first == "\b":
                self.col = max(0, self.col - 1)
            elif first == "\t":
                self._tab()
            elif first in "\v\f":
                self._feed()

    def _control(self, given: str, final: str) -> None:
        """One CSI sequence; what is unknown or incomplete does nothing."""
        if given.startswith("?"):
            if final in "hl" and not {"47", "1047", "1049"}.isdisjoint(given[1:].split(";")):
                (self._enter if final == "h" else self._leave)()
        elif given and (given[0] >= "<" or given[-1] < "0"):
            return  # Other private sequences, and those with intermediate characters.
        elif final in _MOVES:
            self._go(*_MOVES[final](self, _number(given)))
        elif final in "Hf":
            down, _, right = given.partition(";")
            self._go(self.top + _number(down) - 1, _number(right) - 1)
            self.homed = self.row == self.top and not self.col
        elif final in _EDITS:
            _EDITS[final](self, min(_number(given), _REACH))
        elif final in "JK":
            (self._erase_page if final == "J" else self._erase_line)(given)
        elif final in "su" and not given:
            (self._save if final == "s" else self._restore)()

    def _pay(self, steps: int) -> bool:
        """Whether the allowance covers this many steps more."""
        if steps > self.allowance:
            return False
        self.allowance -= steps
        return True

    # Where the cursor is, and the cells under it.

    def _go(self, row: int, col: int) -> None:
        self.homed = False
        self.row = max(self.top, min(row, len(self.rows) - 1 + _REACH))
        if col > _REACH:
            col = min(col, _REACH + (len(self._cells(self.row)) if self.row < len(self.rows) else 0))
        self.col = max(0, col)

    def _save(self) -> None:
        self.saved = (self.row - self.top, self.col)

    def _restore(self) -> None:
        self._go(self.top + self.saved[0], self.saved[1])

    def _cells(self, row: int) -> list[str]:
        cells = self.rows[row]
        if isinstance(cells, str):
            text, cells = cells, []
            for index, piece in enumerate(text.split("\t")):
                if index:
                    cells += tab_at(len(cells))
                lay(cells, len(cells), piece)
            self.rows[row] = cells
        return cells

    def _reach(self) -> None:
        """Make the cursor's row exist."""
        missing = self.row + 1 - len(self.rows)
        if missing > 1 and not self._pay((missing - 1) * _ROW):
            self.row -= missing - 1
            missing = 1
        if missing > 0:
            self.rows += [""] * missing

    def _reach_cells(self) -> list[str]:
        """The cells of the cursor's row, up to the cursor at least."""
        if self.row >= len(self.rows):
            self._reach()
        cells = self._cells(self.row)
        gap = self.col - len(cells)
        if gap > 0:
            if self._pay(gap * _COLUMN):
                cells += BLANK * gap
            else:
                self.col = len(cells)
        return cells

    def _under(self) -> list[str] | None:
        """The cells of the cursor's row if any of them is at the cursor or after it."""
        if self.row < len(self.rows):
            cells = self._cells(self.row)
            if self.col < len(cells):
                return cells
        return None

    # What moves the cursor by writing.

    def _put(self, text: str) -> None:
        self.homed = False
        cells = self._reach_cells()
        self.col = lay(cells, self.col, text)
        self.last = text[-1]

    def _repeat(self, count: int) -> None:
        if self.last and self._pay(count * _COLUMN):
            self._put(self.last * count)

    def _tab(self) -> None:
        self.homed = False
        if self._under():
            self.col += 8 - self.col % 8
        else:
            cells = self._reach_cells()
            cells += tab_at(self.col)
            self.col = len(cells)

    def _index(self) -> None:
        """One row down, ending this one."""
        self.homed = False
        self._reach()
        if self.rows[self.row] in (BLANK, [BLANK]):
            self.rows[self.row] = ""  # A row that was erased and then ended is a blank line.
        self.row += 1
        self.ended = max(self.ended, self.row)

    def _feed(self) -> None:
        self._index()
        self.col = 0

    def _reverse_index(self) -> None:
        if self.row == self.top:
            self._scroll_down(1)
        else:
            self._go(self.row - 1, self.col)

    # Erasing, inserting, deleting.

    def _erase_line(self, given: str) -> None:
        how = _number(given, 0)
        if self.row >= len(self.rows) or how > 2:
            return
        cells = self._cells(self.row)
        if how == 0:
            cut(cells, self.col)
            del cells[self.col :]
        elif how == 1:
            self._erase(cells, 0, self.col + 1)
        else:
            cells.clear()
        if not cells:
            cells.append(BLANK)

    def _erase(self, cells: list[str], start: int, end: int) -> None:
        end = min(end, len(cells))
        if start < end and self._pay(end - start):
            cut(cells, start)
            cut(cells, end)
            cells[start:end] = BLANK * (end - start)

    def _erase_page(self, given: str) -> None:
        how = _number(given, 0)
        if how == 2 or (how == 0 and self.homed):
            self._new_page()
        elif how == 0:
            self._erase_line("0")
            del self.rows[self.row + 1 :]
            self.ended = min(self.ended, self.row + 1)
        elif how == 1:
            above = min(self.row, len(self.rows)) - self.top
            if above > 0 and self._pay(above * _ROW):
                self.rows[self.top : self.top + above] = [BLANK] * above
            self._erase_line("1")

    def _new_page(self) -> None:
        """Clear the screen: what it showed stays above; an alternate screen keeps nothing."""
        if self.behind:
            self.rows, self.ended = [], 0
        else:
            self._trim()
        self.top = self.row = len(self.rows)

    def _trim(self) -> None:
        """Drop the rows at the end that are blank and that no line feed ended, or that were erased since."""
        rows = self.rows
        while len(rows) > self.top:
            if any(cell != BLANK for cell in rows[-1]) or (not rows[-1] and len(rows) <= self.ended):
                break
            rows.pop()
        self.ended = min(self.ended, len(rows))

    def _reset(self) -> None:
        self._leave()
        self._new_page()
        self.col, self.saved = 0, (0, 0)

    def _insert_cells(self, count: int) -> None:
        if (cells := self._under()) and self._pay(2 * (len(cells) - self.col) + count * _COLUMN):
            settle(cells, self.col)
            cells[self.col : self.col] = BLANK * count

    def _delete_cells(self, count: int) -> None:
        if (cells := self._under()) and self._pay(2 * (len(cells) - self.col)):
            settle(cells, self.col)
            cut(cells, self.col + count)
            del cells[self.col : self.col + count]

    def _erase_cells(self, count: int) -> None:
        if cells := self._under():
            self._erase(cells, self.col, self.col + count)

    def _insert_rows(self, count: int) -> None:
        self._push_rows(self.row, count)
        self.col = 0

    def _push_rows(self, at: int, count: int) -> None:
        below = len(self.rows) - at
        if below > 0 and self._pay(below + count * _ROW):
            self.rows[at:at] = [BLANK] * count
            if self.ended > at:
                self.ended += count

    def _delete_rows(self, count: int) -> None:
        below = len(self.rows) - self.row
        if below > 0 and self._pay(below):
            del self.rows[self.row : self.row + count]
            if self.ended > self.row:
                self.ended = max(self.row, self.ended - count)
        self.col = 0

    def _scroll_up(self, count: int) -> None:
        count = min(count, max(0, len(self.rows) - self.top))
        self.top += count
        self.row += count

    def _scroll_down(self, count: int) -> None:
        self._push_rows(self.top, count)

    # The alternate screen.

    def _enter(self) -> None:
        if not self.behind:
            self.behind = (self.rows, self.top, self.row, self.col, self.ended, self.saved)
            self._begin()

    def _leave(self) -> None:
        if self.behind:
            self.rows, self.top, self.row, self.col, self.ended, self.saved = self.behind
            self.behind, self.homed = None, False


_MOVES: dict[str, Callable[[_Screen, int], tuple[int, int]]] = {
    "A": lambda screen, n: (screen.row - n, screen.col),
    "B": lambda screen, n: (screen.row + n, screen.col),
    "C": lambda screen, n: (screen.row, screen.col + n),
    "D": lambda screen, n: (screen.row, screen.col - n),
    "E": lambda screen, n: (screen.row + n, 0),
    "F": lambda screen, n: (screen.row - n, 0),
    "G": lambda screen, n: (screen.row, n - 1),
    "d": lambda screen, n: (screen.top + n - 1, screen.col),
}
_MOVES.update({"a": _MOVES["C"], "e": _MOVES["B"], "`": _MOVES["G"]})
_EDITS: dict[str, Callable[[_Screen, int], None]] = {
    "@": _Screen._insert_cells,
    "P": _Screen._delete_cells,
    "X": _Screen._erase_cells,
    "L": _Screen._insert_rows,
    "M": _Screen._delete_rows,
    "S": _Screen._scroll_up,
    "T": _Screen._scroll_down,
    "b": _Screen._repeat,
}
_ESCAPES: dict[str, Callable[[_Screen], None]] = {
    "7": _Screen._save,
    "8": _Screen._restore,
    "D": _Screen._index,
    "E": _Screen._feed,
    "M": _Screen._reverse_index,
    "c": _Screen._reset,
}


def _number(given: str, default: int = 1) -> int:
    """The first parameter; of a movement or a count, a missing one or zero is one."""
    digits = given.partition(";")[0].lstrip("0")
    return min(int(digits[:7]), 999_999) if digits.isdigit() else default

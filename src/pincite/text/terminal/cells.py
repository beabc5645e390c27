"""The cells of one row: a character with its marks in each, and "" for the further columns of a wide one or a tab."""

from __future__ import annotations

import re
from functools import lru_cache

BLANK = "\0"
"""An unprinted cell; NUL itself is never printed."""
_MARKS = 64  # code points in one cell; a mark beyond them gets a cell of its own
_JOINER = "\u200d"
_PARTED = re.compile("[^\0-\u02ff\u0370-\u0482\u2010-\u2027\u2190-\u2319\u2500-\u25fc\udc80-\udcff]")
"""What may take no column of its own, or more than one."""


def tab_at(column: int) -> list[str]:
    """The cells of a tab that begins at this column."""
    return ["\t"] + [""] * (7 - column % 8)


def join_cells(cells: list[str] | str) -> str:
    """The text of a row, without the unprinted blanks at its end."""
    return "".join(cells).rstrip(BLANK).replace(BLANK, " ")


def cut(cells: list[str], at: int) -> None:
    """Blank the wide character or tab that has columns on both sides of this one's left edge."""
    if at < len(cells) and not cells[at]:
        start, end = at, at + 1
        while not cells[start]:
            start -= 1
        while end < len(cells) and not cells[end]:
            end += 1
        cells[start:end] = BLANK * (end - start)


def settle(cells: list[str], at: int) -> None:
    """Prepare the cells from a column on for being shifted: their tabs become the blanks they showed as."""
    cut(cells, at)
    if "\t" not in cells[at:]:
        return
    tab = False
    for index in range(at, len(cells)):
        tab = cells[index] == "\t" or (tab and not cells[index])
        if tab:
            cells[index] = BLANK


def lay(cells: list[str], at: int, text: str) -> int:
    """Write text over the cells from a column on, at most their end; gives the column after it."""
    if not _PARTED.search(text):
        end = at + len(text)
        if at < len(cells):
            cut(cells, at)
            cut(cells, end)
        cells[at:end] = text
        return end
    for character in text:
        width = _columns(character)
        if at and (not width or character >= "\u2600") and _attach_to_previous(cells, at, character, width):
            continue
        end = at + (width or 1)
        if at < len(cells):
            cut(cells, at)
            cut(cells, end)
        cells[at:end] = (character, "")[: width or 1]
        at = end
    return at


def _attach_to_previous(cells: list[str], at: int, character: str, width: int) -> bool:
    """Whether the character went to the one before it: a mark, or what follows a joiner."""
    while not cells[at - 1]:
        at -= 1
    base = cells[at - 1]
    if base in (BLANK, "\t") or len(base) >= _MARKS or (width and base[-1] != _JOINER):
        return False
    cells[at - 1] = base + character
    return True


@lru_cache(4096)
def _columns(character: str) -> int:
    """How many columns a character takes: none for marks and joiners, two for wide ones."""
    if character < "\u0300":
        return 1
    from unicodedata import category, east_asian_width

    kind = category(character)
    if kind in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    if kind == "Cn":  # Tables differ about what is not assigned yet; where only wide characters are, it will be wide.
        return 2 if "\U0001f300" <= character <= "\U0001faff" or "\U00020000" <= character <= "\U0003ffff" else 1
    return 2 if east_asian_width(character) in "WF" else 1

"""Tells which digits of a page stand raised: references, signs of footnotes and exponents, which are no digits of the
word or number that they hang on.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Seat = tuple[float, float, float, float]
    """The size of a character's type, its left and its right, and how low its type reaches."""
    Seats = Callable[[int], Seat | None]
    """The seat of the character at a place in the text; None where unknown."""
    Feet = Callable[[int], float]
    """The height of the line that it stands on."""

_NUMBER = re.compile("[0-9]+(?:[.,][0-9]+)*")
_SMALLER = 0.85
_HIGHER = 0.15
_BLANK = 0.12
_MINUS = "-\u2010\u2012\u2013\u2212"
_BETWEEN = re.compile(f"[{_MINUS},;] ?")
_BREAK = re.compile("\r?\n *")
_ALONE = re.compile("\n[0-9]{1,3}(?=[\r\n ])")
_OPENS = frozenset("([{<=/+~$#*^_\\@\u201c\u2018\u00ab\u20ac\u00a3")
_RAISED = str.maketrans("0123456789+" + _MINUS, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺" + "⁻" * len(_MINUS))


def may_be_raised(text: str, lines: int, pieces: int) -> bool:
    """Whether a page may have raised digits at all: each is a piece of its own, so there are more of these than lines,
    or the extractor has taken it for a line."""
    return pieces > lines or _ALONE.search(text) is not None


def mark_raised_digits(text: str, seats: Seats, feet: Feet) -> str:
    """The text with its raised digits written as such, character for character; few places are asked for.

    A space or a line end that the extractor saw beside them and that is none becomes NUL.
    """
    page = _Page(text, seats, feet)
    for found in _NUMBER.finditer(text):
        page.take(*found.span())
    if not page.changes:
        return text
    signs = list(text)
    for at, sign in page.changes.items():
        signs[at] = sign
    return "".join(signs)


class _Page:
    """What of a page is to be written in another way."""

    def __init__(self, text: str, seats: Seats, feet: Feet) -> None:
        self.changes: dict[int, str] = {}
        self._text, self._seats, self._feet = text, seats, feet
        self._ended = self._held = -9
        """Where the last raised number ended, and what it hangs on."""
        self._usual = (0.0, 0.0)
        """How large and how low the last number was that is not raised: so are those that stand beside it."""

    def take(self, first: int, end: int) -> None:
        """Look at one number."""
        text = self._text
        last = self._seats(end - 1)
        if last is None or (last[0], last[3]) == self._usual:
            return
        at = self._base(first, end)
        base = self._seats(at) if at >= 0 else None
        if base is None:
            return
        if not self._above(last, end - 1, at, base):
            if last[0] >= _SMALLER * base[0]:
                self._usual = last[0], last[3]
            return
        begin = end - 1
        for place in range(end - 2, first - 1, -1):
            if text[place] not in ".,":
                if not self._above(self._seats(place), place, at, base):
                    break
                begin = place
        for place in range(begin, end):
            if text[place] not in ".,":
                self.changes[place] = text[place].translate(_RAISED)
        if begin == first and at < first - 1 and at != self._held:
            self._join(first, base)
        after = text[end : end + 1]
        if (
            after
            and after in "+" + _MINUS
            and not text[end + 1 : end + 2].isalnum()
            and self._above(self._seats(end), end, at, base)
        ):
            self.changes[end] = after.translate(_RAISED)
            end += 1
        self._ended, self._held = end, at
        broken = _BREAK.match(text, end)
        if broken is not None:
            self._mend(end, broken.end(), at, base)

    def _base(self, first: int, end: int) -> int:
        """What a number may hang on, whole or in part; -1 where there is nothing of the kind."""
        text = self._text
        if first - self._ended <= 2 and _BETWEEN.fullmatch(text, self._ended, first):
            return self._held
        if first - 2 in self.changes:
            # What stands before is raised itself.
            return self._held
        before = text[first - 1] if first else "\n"
        if before == "\n" and self._continues(first):
            return first - 2 - (text[first - 2] == "\r")
        if before in " -\u2010\u2012\u2013\u2212" and first > 1 and not text[first - 2].isspace():
            return first - 2
        if before.isspace() or before in _OPENS or before in "\x02\ufffe":
            return first if end - first > 1 else -1
        return first - 1

    def _above(self, seat: Seat | None, at: int, base_at: int, base: Seat) -> bool:
        """Whether something is smaller than its base and clearly above its foot, though on the same line."""
        if seat is None or not seat[0] < _SMALLER * base[0]:
            return False
        return _HIGHER * base[0] < self._feet(at) - self._feet(base_at) < base[0]

    def _continues(self, first: int) -> bool:
        """Whether a number goes on right behind what stands at the end of the line before."""
        at = first - 2 - (self._text[first - 2 : first - 1] == "\r")
        if at < 0 or self._text[at].isspace():
            return False
        base, seat = self._seats(at), self._seats(first)
        return base is not None and seat is not None and abs(seat[1] - base[2]) < 2 * _BLANK * base[0]

    def _join(self, first: int, base: Seat) -> None:
        """Settle what stands between a base and a raised number: a raised minus, or space where there may be none."""
        before = self._text[first - 1]
        if before not in " \n":
            self.changes[first - 1] = "⁻"
            return
        if before == "\n":
            self.changes |= dict.fromkeys(range(first - 1 - (self._text[first - 2] == "\r"), first), "\0")
            return
        seat = self._seats(first)
        if seat is not None and seat[1] - base[2] < _BLANK * base[0]:
            self.changes[first - 1] = "\0"

    def _mend(self, end: int, after: int, at: int, base: Seat) -> None:
        """Take a line's end away that is none: the extractor takes a single sign above the line for one."""
        sign, follows = self._seats(end - 1), self._seats(after)
        if sign is None or follows is None:
            return
        gap = follows[1] - sign[2]
        if abs(self._feet(after) - self._feet(at)) < _HIGHER * base[0] and -base[0] < gap < base[0]:
            ended = self._text.index("\n", end)
            self.changes |= dict.fromkeys(range(end, ended + 1), "\0")
            if gap > _BLANK * base[0] and after == ended + 1:
                self.changes[ended] = " "

"""Private keys in a stream: a block of lines of which only the first and the last may be shown."""

from __future__ import annotations

import re

MOST_LINES = 400
_FIRST_BODY = 16
_BEGIN = re.compile(rb"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}")
_AFTER = re.compile(rb"""(?:\\{1,2}[nr]|["'`,;+)\\]|[ \t])*+\r?(?=\n|\Z)""")
_INLINE = re.compile(rb"(?:[ \t]|\\{1,2}[nr]){0,4}([A-Za-z0-9+/=](?:[A-Za-z0-9+/=]|\\{1,2}[nr]|[ \t](?! )){15,24576}+)")
_BODY = re.compile(rb"""[ \t]*["'`]?([A-Za-z0-9+/=]*+)(?:\\{1,2}[nr])*["'`]?[ \t,;+)\\]*\r?\Z""")
_HEADER = re.compile(rb"[ \t]*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ")

Spans = list[tuple[int, int]]


class PrivateKeys:
    """Follows private key blocks from line to line, across blocks of bytes."""

    def __init__(self) -> None:
        self._left = 0
        self._prefix = b""
        self._started = False

    @property
    def open(self) -> bool:
        """Whether the last line seen is inside a key."""
        return self._left > 0

    @property
    def memory(self) -> tuple[object, ...]:
        """How much of a key may follow; the same for all that are in none."""
        return (self._left, self._prefix, self._started) if self._left else (0, b"", False)

    @memory.setter
    def memory(self, memory: tuple[int, bytes, bool]) -> None:
        self._left, self._prefix, self._started = memory

    def spans(self, window: bytes, begin: int, opened: list[int]) -> Spans:
        """What to hide in whole lines from `begin` on; `opened` are the places of `PRIVATE KEY`, in order."""
        found: Spans = []
        at = self._body(window, begin, found) if self._left else begin
        for place in opened:
            if place < at and place >= begin:
                continue
            end = self._opening(window, place)
            if not end:
                continue
            inline = _INLINE.match(window, end)
            if inline is not None:
                found.append(inline.span(1))
                at = inline.end()
            elif _AFTER.match(window, end):
                line = window.rfind(b"\n", 0, place) + 1
                self._prefix = window[line : window.rfind(b"-----BEGIN ", line, place)]
                self._left, self._started = MOST_LINES, False
                stop = window.find(b"\n", end)
                at = self._body(window, max(stop + 1, begin), found) if stop >= 0 else len(window)
        return found

    def piece(self, window: bytes, begin: int, opened: list[int]) -> Spans:
        """The same for a piece of a line that has no end yet."""
        found: Spans = []
        if self._left:
            if _BODY.match(window, begin):
                found.append((begin, len(window)))
            else:
                self._left = 0
        for place in opened:
            end = self._opening(window, place)
            inline = _INLINE.match(window, end) if end else None
            if inline is not None:
                found.append(inline.span(1))
        return found

    @staticmethod
    def _opening(window: bytes, place: int) -> int:
        """Where a BEGIN line's dashes end, if `PRIVATE KEY` at `place` is part of one; else 0."""
        start = window.rfind(b"-----BEGIN ", max(0, place - 60), place)
        if start < 0 or _BEGIN.fullmatch(window, start, place) is None:
            return 0
        end = place + len(b"PRIVATE KEY")
        end += 6 if window.startswith(b" BLOCK", end) else 0
        return end + 5 if window.startswith(b"-----", end) else 0

    def _body(self, window: bytes, at: int, found: Spans) -> int:
        """Hides lines from `at` until the key ends or the window does; where it stopped."""
        size = len(window)
        while at < size and self._left:
            stop = window.find(b"\n", at)
            stop = size if stop < 0 else stop
            body = self._line(window, at, stop)
            if body is None:
                self._left = 0
                return at
            if body[1] > body[0]:
                self._started = True
                found.append(body)
            self._left -= 1
            at = stop + 1
        return min(at, size)

    def _line(self, window: bytes, at: int, stop: int) -> tuple[int, int] | None:
        """The secret part of one line, empty in a header or a blank line; None where the key is over."""
        if window[at:stop].strip() in (b"", self._prefix.strip()):
            return at, at
        # What stood before BEGIN, an indentation, a plus sign, a time, stands before each line, or before none.
        for start in dict.fromkeys((min(at + len(self._prefix), stop), at)):
            match = _BODY.match(window[start:stop])
            if match is not None:
                first, last = match.span(1)
                if last - first >= _FIRST_BODY or (self._started and first < last):
                    return start + first, start + last
            elif _HEADER.match(window, start, stop):
                return start, start
        return None

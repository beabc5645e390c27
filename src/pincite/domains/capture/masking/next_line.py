"""Values that stand on the line after their key, as a printer of JSON or YAML breaks it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .plausibility import is_machine_made

if TYPE_CHECKING:
    from .credential_kinds import CredentialShape

Opened = tuple["CredentialShape", re.Match[bytes]]
"""A key at the end of its line, with the shape that found it."""
_LINES = {b"": 1, b"|": 1, b">": 1, b"[": 32, b"{": 4}
"""How many lines may follow, by what opens the value: nothing, a block of YAML, a list, an object."""
LONE = rb"[A-Za-z0-9+/_.~!#$%^*@-]{6,512}+={0,2}[ \t]{0,8}+\r?(?:\n|\Z)"
"""One word alone on its line."""
_LONE = re.compile(LONE)
_BEFORE = 64
_INDENTED = 64
_LONGEST = 4096


class NextLineReader:
    """Reads a line that follows a key as though it stood beside it; remembers the key from block to block."""

    def __init__(self) -> None:
        self._left = 0
        self._form = b""
        self._head = b""
        self._at = 0
        self._shape: CredentialShape | None = None

    @property
    def open(self) -> bool:
        """Whether the next line may hold a value."""
        return self._left > 0

    @property
    def memory(self) -> tuple[object, ...]:
        """What is awaited; the same for all that await nothing."""
        return (self._left, self._form, self._head, self._at, self._shape) if self._left else (0, b"", b"", 0, None)

    @memory.setter
    def memory(self, memory: tuple[int, bytes, bytes, int, CredentialShape | None]) -> None:
        self._left, self._form, self._head, self._at, self._shape = memory

    def forget(self) -> None:
        """What comes next is no whole line."""
        self._left = 0

    def spans(self, block: bytes, begin: int, opened: list[Opened]) -> list[tuple[int, int, str]]:
        """What to hide in whole lines from `begin` on."""
        found: list[tuple[int, int, str]] = []
        at = begin
        for shape, match in sorted(opened, key=lambda pair: pair[1].start()):
            line = block.rfind(b"\n", 0, match.start()) + 1
            self._read(block, at, line, found)
            form = match["open"].strip()[:1]
            stop = block.find(b"\n", match.end())
            stop = len(block) if stop < 0 else stop + 1
            if self._left and not form:
                # Whether it opens anything may not be known yet; what is awaited already goes first.
                if at <= line:
                    self._read(block, line, stop, found)
                    at = stop
                if self._left:
                    continue
            self._shape, self._form, self._left = shape, form, _LINES[form]
            start = max(0, match.start() - _BEFORE)
            self._at = match.start() - start
            self._head = block[start : match.start("open")] + (b"{" if self._form == b"{" else b"")
            at = stop
        self._read(block, at, len(block), found)
        return found

    def _read(self, block: bytes, at: int, end: int, found: list[tuple[int, int, str]]) -> None:
        """Hides values in the lines from `at` to `end`, as long as some are awaited."""
        while self._left and at < end:
            stop = block.find(b"\n", at, end)
            stop = end if stop < 0 else stop
            line = block[at : min(stop, at + _LONGEST)]
            first = len(line) - len(line.lstrip(b" \t"))
            self._left -= 1
            if first > _INDENTED and not self._form:
                self._left = 0
            else:
                self._line(line[first:].rstrip(), at + first, found)
            at = stop + 1

    def _begins(self, line: bytes) -> bool:
        """Whether a value begins here: a quote, or a word alone on its line that a machine made."""
        if line[:1] in (b'"', b"'"):
            return True
        return not self._form and _LONE.fullmatch(line) is not None and is_machine_made(line)

    def _line(self, line: bytes, place: int, found: list[tuple[int, int, str]]) -> None:
        if self._shape is None or (self._form in (b"", b"[") and not self._begins(line)):
            self._left = 0
            return
        text = self._head + line
        match = self._shape.match(text, self._at)
        if match is not None and match.lastgroup != "open":
            moved = place - len(self._head)
            for start, end in self._shape.spans(match):
                if start >= len(self._head):
                    found.append((start + moved, end + moved, self._shape.name))
                elif end > len(self._head):
                    found.append((place, end + moved, self._shape.name))
        if self._form == b"{":
            # What was read is kept short: members before the value are few and small.
            self._head = text if len(text) < _BEFORE * 4 and match is None else self._head
            self._left = 0 if match is not None or b"}" in line else self._left

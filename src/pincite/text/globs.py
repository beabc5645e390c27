"""Shell patterns (`*`, `?`, `[a-z]`; `*` also matches `/`), many at once and in linear time.

All patterns are one automaton whose states are the bits of one integer. A character of a path costs a shift and two
masks over that integer, whatever the patterns hold: nothing is ever tried again, and a thousand patterns cost little
more than one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_KEPT_FOLDERS = 256
"""Paths come sorted: the state at their common folder is worth keeping, and not for ever."""
_KEPT_MASKS = 512
"""Few alphabets are larger, and each mask has a bit for every character of every pattern."""


class Patterns:
    """Whether a path, or a folder that it lies in, matches one of some patterns; a last slash means folders.

    State j of a pattern says that its first j parts have matched; a part is anything but `*`, which lets a state stay
    where it is. All bits lie in a row, and no part leads from the last state of one pattern to the first of the next.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._literals: dict[str, list[int]] = {}
        self._sets: dict[str, tuple[Callable[[str], object], list[int]]] = {}
        self._masks: dict[str, int] = {}
        begin, end, folder_end, stay, anything = [], [], [], [], []
        bit = 0
        for pattern in patterns:
            begin.append(bit)
            for part in _parts(pattern.rstrip("/")):
                if part == "*":
                    stay.append(bit)
                    continue
                bit += 1
                if part == "?":
                    anything.append(bit)
                elif len(part) == 1:
                    self._literals.setdefault(part, []).append(bit)
                else:
                    if part not in self._sets:
                        self._sets[part] = _compile_set(part), []
                    self._sets[part][1].append(bit)
            folder_end.append(bit)
            if pattern[-1:] != "/":
                end.append(bit)
            bit += 1
        self._size = bit
        self._begin, self._end, self._folder_end, self._stay, self._anything = (
            self._bits(places) for places in (begin, end, folder_end, stay, anything)
        )
        self._enter = lru_cache(_KEPT_FOLDERS)(self._enter_folder)

    def match(self, path: str) -> bool:
        """Whether the whole path matches."""
        return bool(self._walk(self._begin, path) & self._end)

    def match_within(self, path: str) -> bool:
        """Whether the path matches, or a folder above it, as `docs` takes in `docs/a.md`."""
        folder, slash, name = path.rpartition("/")
        state = self._enter(folder) if slash else self._begin
        return state < 0 or bool(self._walk(state, name) & self._end)

    def _enter_folder(self, folder: str) -> int:
        """The state after a folder and its slash; negative where it or a folder above it matches."""
        state = self._begin
        for name in folder.split("/"):
            state = self._walk(state, name)
            if state & self._folder_end:
                return -1
            state = self._walk(state, "/")
        return state

    def _walk(self, state: int, text: str) -> int:
        stay, masks = self._stay, self._masks
        for char in text:
            mask = masks.get(char)
            if mask is None:
                if len(masks) >= _KEPT_MASKS:
                    masks.clear()
                mask = masks[char] = self._mask(char)
            state = state << 1 & mask | state & stay
            if not state:
                break
        return state

    def _mask(self, char: str) -> int:
        """The states that a character leads to."""
        places = list(self._literals.get(char, ()))
        for holds, there in self._sets.values():
            if holds(char):
                places += there
        return self._bits(places) | self._anything if places else self._anything

    def _bits(self, places: list[int]) -> int:
        held = bytearray(self._size // 8 + 1)
        for place in places:
            held[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(held, "little")


def _parts(pattern: str) -> list[str]:
    """The parts of a pattern: `*`, `?`, a set such as `[a-z]`, or a character."""
    parts: list[str] = []
    at = 0
    closed = True
    while at < len(pattern):
        char = pattern[at]
        end = _set_end(pattern, at) if char == "[" and closed else -1
        # Without a bracket that closes it one stands for itself, and so do all after it.
        closed = closed and (char != "[" or end > 0)
        if end > 0:
            parts.append(pattern[at:end])
            at = end
            continue
        if char != "*" or parts[-1:] != ["*"]:
            parts.append(char)
        at += 1
    return parts


def _set_end(pattern: str, at: int) -> int:
    """Where the set that begins at an opening bracket ends; -1 where nothing closes it."""
    start = at + 1
    if pattern[start : start + 1] == "!":
        start += 1
    return pattern.find("]", start + 1) + 1 or -1


def _compile_set(written: str) -> Callable[[str], object]:
    """Whether a set, given with its brackets, holds a character."""
    import re
    from fnmatch import translate

    return re.compile(translate(written)).match

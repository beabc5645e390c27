"""Tells where the extractor may have missed a space: in words that no other place has, made of two that others have.

The child that reads PDFs imports it by its bare name: it may import nothing of pincite. It only names places; how far
the letters are separated decides.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LETTERS = re.compile(r"[^\W\d_]{2,40}")
_STOP = re.compile(r"[.,;:!?)\]”’](?=[^\W\d_])")
_MOST_WORDS = 200_000
_MOST_PLACES = 2000


def _is_behind_letter(text: str, at: int) -> bool:
    return text[max(0, at - 1) : at].isalpha()


class Vocabulary:
    """The words of the pages that were read so far."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._single: set[str] = set()
        """Those that were looked at already and are not made of two."""
        self._tokens: set[str] = set()
        """What stands between spaces on pages on which nothing was missed."""

    def find_missed(self, text: str, is_apart: Callable[[int], bool]) -> list[int]:
        """The letters behind which a space is missing, as `is_apart` says; few are asked for."""
        tokens = set(text.split()) - self._tokens
        if not tokens:
            return []
        new = " ".join(tokens)
        words = set(_LETTERS.findall(new))
        if len(self._known) < _MOST_WORDS:
            self._known |= words
        places = self._within(text, words - self._single)
        if _STOP.search(new) is not None:
            places += [(found.start(), "") for found in _STOP.finditer(text) if _is_behind_letter(text, found.start())]
        missed: list[int] = []
        parted: set[str] = set()
        for at, word in places[:_MOST_PLACES]:
            if is_apart(at):
                missed.append(at)
                parted.add(word)
        if len(self._single) < _MOST_WORDS and len(places) <= _MOST_PLACES:
            self._single |= words - parted
        if not missed and len(self._tokens) < _MOST_WORDS and len(places) <= _MOST_PLACES:
            self._tokens |= tokens
        return missed

    def _within(self, text: str, words: set[str]) -> list[tuple[int, str]]:
        """The letters of a text at which one of these words may be two."""
        joints = {word: places for word in words if (places := self._joints(word))}
        if not joints:
            return []
        return [
            (found.start() + at - 1, found[0])
            for found in _LETTERS.finditer(text)
            if found[0] in joints
            for at in joints[found[0]]
        ]

    def _joints(self, word: str) -> list[int]:
        """Where a word may be two: both are known, or one that is not short is."""
        known, size = self._known, len(word)
        return [
            at
            for at in range(2, size - 1)
            if (word[:at] in known and (at > 2 or word[at:] in known)) or (size - at > 2 and word[at:] in known)
        ]

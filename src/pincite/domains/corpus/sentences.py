"""Sentences in passages of a size to read at a glance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.sentences import LONGEST, split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LONGEST", "PASSAGE", "join_lines", "split_passages", "split_sentences", "windows"]

PASSAGE = 600
"""About how many characters a passage has."""

_SPACE = re.compile(r"\s+")
_SOFT = re.compile("(?:\u00ad|\x02|\ufffe)[^\\S\n]*\n\\s*")


def split_passages(text: str) -> list[str]:
    """The text in passages of whole sentences; each begins with the last sentence of the one before."""
    found: list[str] = []
    spans = list(split_sentences(text))
    first = 0
    while first < len(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= PASSAGE:
            last += 1
        found.append(text[spans[first][0] : spans[last][1]])
        if last + 1 >= len(spans):
            break
        first = last if last > first else last + 1
    return found


def windows(text: str, most: int = 3) -> Iterator[list[tuple[int, int]]]:
    """Every run of up to `most` sentences, by where each begins and ends; single ones first."""
    spans = list(split_sentences(text))
    for size in range(1, most + 1):
        for at in range(len(spans) - size + 1):
            yield spans[at : at + size]


def join_lines(text: str) -> str:
    """A stretch of a page on one line: line ends folded, words that a line end parted put together."""
    return _SPACE.sub(" ", _SOFT.sub(_join_hyphenated, text)).strip()


def _join_hyphenated(match: re.Match[str]) -> str:
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return "" if before.isalpha() and after.islower() else "-"

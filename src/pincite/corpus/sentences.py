"""Running text in sentences, and sentences in passages of a size to read at a glance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..claims import ABBREVIATED

if TYPE_CHECKING:
    from collections.abc import Iterator

PASSAGE = 600
"""About how many characters a passage has."""
LONGEST = 1200
"""A sentence that runs on is cut here."""

_STOP = re.compile(r"[.!?…]+[\"'”’»)\]]{0,4}(?=\s)|[。！？]+[」』”）]{0,4}|\n[^\S\n]*\n")
_NEXT = re.compile(r"\s*[\"'“‘(\[]{0,2}([a-zà-öø-ÿ,;])")
# A numbered heading, or a line of capitals, is no part of the sentence below it.
_HEADING = re.compile(
    r"(?:[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}\.?|[IVX]{1,4}\.)[^\S\n]+[A-Z][^\n]{1,60}(?<![.,;:])|[A-Z][A-Z ]{3,60}"
)
_WELL_KNOWN = re.compile(
    r"(?:abstract|introduction|background|related work|methods?|materials and methods|results|results and discussion"
    r"|discussion|conclusions?|limitations|acknowledge?ments|references|evaluation|experiments)",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
_SOFT = re.compile("(?:\u00ad|\x02|\ufffe)[^\\S\n]*\n\\s*")


def split_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends; white space around it is left out."""
    for begin, end in _blocks(text):
        at = begin
        for stop in _STOP.finditer(text, begin, end):
            if stop[0][0] in ".…" and not _ends(text, at, stop):
                continue
            yield from _cut(text, at, stop.end())
            at = stop.end()
        yield from _cut(text, at, end)


def passages(text: str) -> list[str]:
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


def readable(text: str) -> str:
    """A stretch of a page on one line: line ends folded, words that a line end parted put together."""
    return _SPACE.sub(" ", _SOFT.sub(_joined, text)).strip()


def _joined(match: re.Match[str]) -> str:
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return "" if before.isalpha() and after.islower() else "-"


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between headings."""
    at = begin = 0
    for line in text.split("\n"):
        end = at + len(line)
        bare = line.strip()
        if len(bare) < 80 and (_HEADING.fullmatch(bare) or _WELL_KNOWN.fullmatch(bare)):
            yield begin, at
            yield at, end
            begin = end
        at = end + 1
    yield begin, len(text)


def _ends(text: str, begin: int, stop: re.Match[str]) -> bool:
    """Whether a full stop ends its sentence."""
    if _NEXT.match(text, stop.end()):
        return False
    return ABBREVIATED.search(text, max(begin, stop.start() - 8), stop.start() + 1) is None


def _cut(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    while end - begin > LONGEST:
        space = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
        middle = space if space > 0 else begin + LONGEST
        yield begin, middle
        begin = middle + 1 if space > 0 else middle
    if begin < end:
        yield begin, end

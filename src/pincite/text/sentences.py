"""Running text in sentences: a stop ends one unless what is before it is cut short or what follows goes on.

Four others look for the ends of sentences, each for its own reason: `cited_sentence` goes back from a citation, in a
bounded window of marked-up text; `quotations.stops` is one pattern that is searched between a quote and its citation;
`judge.tokens` breaks between words that it has already read; and answers of models have sentences glued together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .cited_sentence import ABBREVIATED

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1200
"""A sentence that runs on is cut here."""

# A run of stops is read once, whole: one that nothing follows must not cost its length at each of its stops.
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]{0,4}+(?=\s)|[。！？]++[」』”）]{0,4}+|\n[^\S\n]*+\n")
_CLOSING = "\"'”’»"
"""Behind them what is said may go on: “Is it?” he asked."""
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


def split_sentences(text: str, longest: int = LONGEST) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text begins and ends, cut where longer than `longest`, without white space around."""
    for begin, end in _blocks(text):
        at = begin
        for stop in _STOP.finditer(text, begin, end):
            if (stop[0][0] in ".…" or stop[0][-1] in _CLOSING) and not _ends(text, at, stop):
                continue
            yield from _cut(text, at, stop.end(), longest)
            at = stop.end()
        yield from _cut(text, at, end, longest)


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
    """Whether a stop ends its sentence."""
    if _NEXT.match(text, stop.end()):
        return False
    return ABBREVIATED.search(text, max(begin, stop.start() - 8), stop.start() + 1) is None


def _cut(text: str, begin: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    while end - begin > longest:
        space = text.rfind(" ", begin + longest // 2, begin + longest)
        middle = space if space > 0 else begin + longest
        yield begin, middle
        begin = middle + 1 if space > 0 else middle
    if begin < end:
        yield begin, end

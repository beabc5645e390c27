"""Reference marks in square brackets, `[12]` and `[3, 5-7]`: the paper's own, which a quote may have or leave out."""

from __future__ import annotations

import re

from ..text.unspaced_scripts import LETTERS

MARK = "reference mark"
"""What was folded where a quote leaves one out."""
_MARK = re.compile(r"\s?\[([1-9][0-9]{0,2}(?:\s?[,;–-]\s?[1-9][0-9]{0,2}){0,20})\]")
# What a mark hangs on: a word, or the end of a clause. Behind anything else it is an index, an interval or a list.
_HOLDER = re.compile(rf"(?:([^\W\d_]{{3,40}})|[{LETTERS}]|[^\W_][)\]]?[.,;:!?]|\w%|[)”’\"'」』])\Z")
_COUNTED = frozenset(
    "range ranges interval intervals between within from over index indices list array tuple vector sequence set"
    " value values axis shape size dimension dimensions row rows column columns equals are into with and the than"
    " segment domain bounds".split()
)
_REACH = 44


def find_marks(text: str) -> list[re.Match[str]]:
    """The marks of a text that surely are references, each with the white space before it."""
    if "[" not in text:
        return []
    found: list[re.Match[str]] = []
    until = -1
    for mark in _MARK.finditer(text):
        start, end = mark.span()
        goes_on = text[end : end + 1] in ("(", "[") and not _MARK.match(text, end)
        if not goes_on and (start == until or _hangs(text, start)):
            found.append(mark)
            until = end
    return found


def _hangs(text: str, start: int) -> bool:
    holder = _HOLDER.search(text, max(0, start - _REACH), start)
    return holder is not None and (holder[1] or "").lower() not in _COUNTED


def without_marks(text: str) -> tuple[str, list[tuple[int, str]]]:
    """A text without its reference marks, and which stood at which character of it."""
    pieces: list[str] = []
    places: list[tuple[int, str]] = []
    at = size = 0
    for mark in find_marks(text):
        # The ends of lines stay, so that lines can be counted.
        pieces += (text[at : mark.start()], kept := "\n" * mark[0].count("\n"))
        size += mark.start() - at + len(kept)
        places.append((size, "".join(mark[1].split())))
        at = mark.end()
    return ("".join([*pieces, text[at:]]), places) if places else (text, [])

"""reStructuredText: titles underlined, or over- and underlined; levels in the order in which their marks appear."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...text.markdown import unify_line_ends
from .cut import DEEPEST, cut, sections, shown_title
from .model import DocumentReading, Heading

if TYPE_CHECKING:
    from .cut import Section

NAME = "rst"
ENDINGS = (".rst", ".rest")

_MARKS = re.compile(r"\n([!-/:-@\[-`{-~])\1*+[ \t]*+(?![^\n])")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_ENOUGH = 4
"""A line of so many marks is an underline even where the title is longer."""


def outline(text: str, path: str = "") -> list[Heading]:
    """The section titles, in order."""
    return [heading for heading, _ in _titles(unify_line_ends(text))]


def read(text: str, path: str = "") -> DocumentReading:
    """The passages of a document; indented lines are never titles."""
    whole = unify_line_ends(text)
    parts: list[Section] = sections(_titles(whole), 0)
    return DocumentReading(text, tuple(cut(whole, parts, len(text))))


def _titles(text: str) -> list[tuple[Heading, int]]:
    """Titles with the offsets of what follows them."""
    found: list[tuple[Heading, int]] = []
    levels: dict[tuple[str, bool], int] = {}
    floor = 0
    """What lies before belongs to a title already."""
    over = (-1, -1, "")
    """The last line of marks that was no underline: start, end and mark."""
    for match in _MARKS.finditer("\n" + text):
        # Searched is a text with one more line end before it, so that the offset of that line end is the line's start.
        start, end, mark = match.start(), match.end() - 1, match[1]
        title = text.rfind("\n", floor, start - 1) + 1 if start - 1 > floor else start
        title = title or floor
        words = text[title : start - 1].rstrip() if start > title else ""
        above = over[1] + 1 == title and over[2] == mark and over[0] >= 0
        width = len(text[start:end].rstrip())
        if (
            not words.strip(" \t" + words[:1] if words[:1] in _PUNCTUATION else None)
            or (width < _ENOUGH and width < len(words))
            or not (above or _stands_alone(text, title, floor, words))
        ):
            over = (start, end, mark)
            continue
        level = levels.setdefault((mark, above), min(len(levels) + 1, DEEPEST))
        floor = min(end + 1, len(text))
        name = shown_title(words)
        found.append((Heading(over[0] if above else title, level, name), floor))
        over = (-1, -1, "")
    return found


def _stands_alone(text: str, title: int, floor: int, words: str) -> bool:
    """Whether a line is a paragraph of its own that begins at the margin."""
    if words[0].isspace():
        return False
    if title <= floor:
        return True
    above = text.rfind("\n", floor, title - 1) + 1 or floor
    return not text[above : title - 1].strip()

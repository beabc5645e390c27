"""Heads of pages for tests: lines with the size of their type, one below the other."""

from __future__ import annotations

from pincite.papers.model import HeadLine

BODY = (
    "the limits of the method are shown to be those of the data, and it is open whether they can be had",
    "for all of them which is why we do not say more about it in this section of the paper than this",
)


def page(*lines: tuple[int, str], body: int = 100) -> tuple[HeadLine, ...]:
    """Lines of (size, text), centred, then an abstract with running text."""
    found, top = [], 700
    for size, text in (*lines, (120, "Abstract"), *((body, row) for row in BODY * 6)):
        top += round(size * 1.3)
        width = len(text) * size // 2
        bold = int(text.startswith("*"))
        found.append(HeadLine(size, max(0, 3000 - width // 2), top, 3000 + width // 2, bold, text.removeprefix("*")))
    return tuple(found)

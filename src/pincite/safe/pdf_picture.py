"""A page of a PDF as a picture, with words marked on it: drawn by a child process as confined as the one that reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ..core.limits import LIMITS, Limits
from .pdf import PdfTrouble, decode_answer, make_command, run_reader

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_WORDS = 20
_LONGEST = 20_000
"""Characters of words that are looked for on a page; a page has fewer."""
_FRAME = 64 * 1024


class PagePicture(msgspec.Struct, frozen=True, array_like=True):
    """A page as it looks."""

    png: bytes
    width: int
    height: int
    pages: int
    """How many the file has."""
    edges: tuple[int, ...] = ()
    """Left, top, right and bottom of each marked place, in pixels, one after the other."""

    @property
    def marks(self) -> list[tuple[int, int, int, int]]:
        """The marked places."""
        edges = self.edges
        return [(edges[at], edges[at + 1], edges[at + 2], edges[at + 3]) for at in range(0, len(edges) - 3, 4)]


def draw_page(data: bytes, page: int, words: Sequence[str] = (), limits: Limits = LIMITS) -> PagePicture:
    """A page, counted from 0, with the words marked that stand on it; raises PdfTrouble.

    Words are looked for without regard to case, white space, hyphens and ligatures.
    """
    bounds = (limits.pdf_memory, limits.picture_seconds, limits.pdf_pages)
    size = (max(0, page), limits.picture_width, limits.picture_pixels)
    command = make_command("pdf_picture_child.py", data, (*bounds, *size), limits)
    sought = "\0".join(one[:_LONGEST].replace("\0", "") for one in words[:_MOST_WORDS]).encode("utf-8", "ignore")
    given = len(sought).to_bytes(4, "big") + sought + data
    try:
        # What cannot be made smaller takes three bytes a pixel.
        answer = run_reader(command, given, limits.picture_seconds, 4 * limits.picture_pixels + _FRAME, limits)
    except OverflowError:
        raise PdfTrouble("crashed", "its reader's answer is broken") from None
    picture = decode_answer(answer, PagePicture, limits)
    if not picture.png.startswith(b"\x89PNG") or len(picture.edges) % 4:
        raise PdfTrouble("crashed", "its reader's answer is broken")
    return picture

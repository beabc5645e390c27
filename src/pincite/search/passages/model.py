"""What a document is to a reader: its text, its headings, and the passages it falls into."""

from __future__ import annotations

from msgspec import Struct


class Heading(Struct, frozen=True, gc=False):
    """A line that names what follows: a heading of prose, or a definition in code."""

    start: int
    """The offset of its first line, in code points."""
    level: int
    """1 is outermost; a heading ends the reach of those of its level and deeper."""
    title: str
    """Its words on one line, inline markup as it is written."""


class Passage(Struct, frozen=True, gc=False):
    """A stretch of a document that says one thing. Offsets are code points, half open; lines count from 1."""

    start: int
    end: int
    first: int
    last: int
    """The last line, included."""
    headings: tuple[str, ...] = ()
    """Where it stands, the outermost heading first."""
    page: int = 0
    """The page of a PDF, counted from 1; 0 where there are no pages."""


class DocumentReading(Struct, frozen=True):
    """A document taken in: passages ascend, do not overlap, and leave nothing out that a reader sees."""

    text: str
    """What offsets count in: the source itself, or for a PDF the text of its pages, joined by form feeds."""
    passages: tuple[Passage, ...]
    title: str = ""
    """What the document says it is called (front matter, `<title>`, PDF information); empty where it does not."""
    pieces: tuple[tuple[int, int, str], ...] | None = None
    """For HTML: the source span of every visible piece and its words; None where the source is what a reader sees."""
    is_named: bool = True
    """Whether its passages are found by its title, its file name and their headings too."""

    def text_between(self, start: int, end: int) -> str:
        """What a reader sees between two offsets."""
        if self.pieces is None:
            return self.text[start:end]
        from bisect import bisect_right

        # The last piece that begins before may reach in; a reference such as `&amp;` is seen whole or not at all.
        at = max(bisect_right(self.pieces, (start,)) - 1, 0)
        words = []
        for first, last, seen in self.pieces[at : bisect_right(self.pieces, (end,))]:
            if first >= start and last <= end:
                words.append(seen)
            elif last - first == len(seen):
                words.append(seen[max(start - first, 0) : max(end - first, 0)])
        return "".join(words).strip()

"""The nouns of a corpus: a paper, what its file says about it, and what its PDF holds."""

from __future__ import annotations

from msgspec import Struct

from ..core.model import Span


class Section(Struct, frozen=True):
    """A section with the pages it spans, as declared: `3-7`, `12` or `iv-x`."""

    name: str
    pages: str = ""


class KeyQuote(Struct, frozen=True):
    """A quote that the corpus file keeps, and whether it was found on its page."""

    quote: str
    page: str = ""
    """As printed; empty where none is given."""
    section: str = ""
    validated: bool = False
    validation_date: str = ""
    validator: str = ""
    span: Span | None = None
    """Where it stands in the corpus file."""


class PaperProblem(Struct, frozen=True):
    """Something in a corpus file that cannot be what it should be."""

    line: int
    field: str
    message: str
    """Names the field, the value, and what was expected."""


class Paper(Struct, frozen=True, kw_only=True):
    """What is known about one source that may be cited. Empty means not said."""

    id: str
    """`REF-043`, or the key of a bibliography."""
    path: str = ""
    """The file it was read from, from the root."""
    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    doi: str = ""
    url: str = ""
    total_pages: int | None = None
    page_range: str = ""
    """`81-97`: the pages as printed, where they do not run from 1."""
    sections: tuple[Section, ...] = ()
    key_quotes: tuple[KeyQuote, ...] = ()
    pdf: str = ""
    """The PDF as declared, relative to the folder of `path`; empty where none is declared."""
    files: tuple[str, ...] = ()
    """The other PDFs that an entry of a bibliography names, relative or absolute, as `attached_pdfs` reads them."""
    relevance: str = ""
    problems: tuple[PaperProblem, ...] = ()
    unsure: tuple[str, ...] = ()
    """Fields that a program read and that a person still has to look at."""


class OutlineEntry(Struct, frozen=True, array_like=True):
    """One entry of a PDF's outline."""

    level: int
    """0 at the top."""
    title: str
    page: int
    """Counted from 0."""


class HeadLine(Struct, frozen=True, array_like=True):
    """A piece of a line on the first page of a PDF, with its type; measures are tenths of a point."""

    size: int
    left: int
    top: int
    """From the upper edge of the page to the foot of the line."""
    right: int
    bold: int
    text: str
    """U+001F stands for raised signs."""


class PdfText(Struct, frozen=True, array_like=True):
    """What a PDF holds, as far as it concerns citations."""

    pages: tuple[str, ...]
    """The text of each page; lines end in LF; a line-end hyphen is kept as U+00AD before the LF."""
    labels: tuple[str, ...] = ()
    """What each page is called; empty where the file does not say."""
    outline: tuple[OutlineEntry, ...] = ()
    title: str = ""
    authors: str = ""
    """As the file's own metadata says."""
    created: str = ""
    """The file's creation date in ISO form; empty where unknown."""
    head: tuple[HeadLine, ...] = ()
    """The lines of the first page from the top, as far as a title may stand there."""
    boxes: tuple[bytes, ...] = ()
    """Where the lines of each page stand: left, right, foot and size of type of each in tenths of a point, as 16-bit
    numbers. The size is 0 where nothing is known of a line, and -1 where it does not run level. Empty for a page of
    which nothing is known."""

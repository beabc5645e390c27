"""The nouns of a web page: its text, and what it says about itself."""

from __future__ import annotations

from msgspec import Struct

LAST_CHANGE = "(last change)"
"""How the place of a date ends that is not the day of publication."""


class PageStatement(Struct, frozen=True):
    """Something a page says of itself, and where it says so."""

    value: str
    place: str
    """Such as `JSON-LD author`, `meta citation_author`, `byline`."""


class Page(Struct, frozen=True):
    """A page as its reader sees it."""

    kind: str
    """`html`, `text` or `pdf`."""
    texts: tuple[str, ...]
    """The visible text: one piece, or one for each page of a PDF."""
    marks: tuple[tuple[int, int, str], ...] = ()
    """What a quote may leave out of the first text, in order: from, to, and `reference mark` or the like."""
    title: str = ""
    author: PageStatement | None = None
    """The person or organisation that the page's metadata names."""
    author_confirmed: PageStatement | None = None
    """A second place, on the page, that confirms the author."""
    published: PageStatement | None = None
    """The date as `YYYY-MM-DD`."""
    date_unsure: str = ""
    """Why the date is not certain, such as two places that disagree; empty where nothing speaks against it."""
    date_other: str = ""
    """The other day, where two places disagree."""
    site: PageStatement | None = None
    """The name of the site or publisher, as the page gives it."""
    references: int | None = None
    """How many sources it refers to; None where that is unknown."""
    references_from: str = ""
    """Where they were counted."""
    boxes: tuple[bytes, ...] = ()
    """Where the lines of each page of a PDF stand, as its reader says; empty for anything else."""
    needs_script: bool = False
    """Whether the text appears only in a browser that runs scripts."""
    signed_kind: str = ""
    """`technical`, `blog`, `forum` or empty: what the page looks like where its host is unknown."""

    @property
    def changed_last(self) -> bool:
        """Whether the date is that of the last change, because the page names no other."""
        return self.published is not None and self.published.place.endswith(LAST_CHANGE)

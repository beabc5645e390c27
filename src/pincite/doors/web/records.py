"""What pages are made of and what their JSON says: the nouns that more than one page uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

PER_PAGE = 100
"""Rows of a page, unless the page says otherwise."""


class Paging(Struct, frozen=True):
    """Which part of a list a page shows."""

    page: int
    pages: int
    per_page: int
    total: int
    previous: int | None = None
    """The page before; none before the first."""
    next: int | None = None
    """The page after; none after the last."""

    @property
    def start(self) -> int:
        """How many rows come before."""
        return (self.page - 1) * self.per_page


class CitationRow(Struct, frozen=True, gc=False):
    """One citation of a document, and what is true of it."""

    id: str
    """Stays the same while the document keeps the citation, wherever its lines move."""
    document: str
    line: int
    column: int
    raw: str
    """The citation as it is written."""
    shown: str
    """The citation for readers: its path and lines where it has them, on one line."""
    outcome: str
    """As reports spell it; `malformed` for text that cannot be read as a citation."""
    severity: str
    """The loudest of its findings; empty where it has none."""
    checks: tuple[str, ...]
    message: str
    """What its gravest finding says; empty where it has none."""
    dialect: str
    scheme: str
    source: str
    """The path, address or key of what is cited."""
    fixable: bool
    """Whether `fix` would correct it without a reader."""
    accepted: str
    """Why a reader accepted it; empty where none did."""
    fingerprints: tuple[str, ...]
    """The names that a baseline has for its findings."""


class DocumentRow(Struct, frozen=True, gc=False):
    """A document in numbers."""

    document: str
    citations: int
    outcomes: dict[str, int]
    worst: str
    """The gravest outcome among its citations; `holds` where all hold, `unreadable` where it was not checked."""
    error: str = ""
    """Why it could not be read."""


class ErrorRecord(Struct, frozen=True):
    """What went wrong with a request."""

    status: int
    error: str
    """The message that the command line would print."""
    exit_code: int = 2
    """What the command line would end with."""


class Upload(Struct, frozen=True):
    """A file that was sent along: in JSON its data is base64."""

    name: str
    data: bytes


class Redirect(Struct, frozen=True):
    """What an action answers where a page shows the outcome: in HTML the browser goes there, JSON names it."""

    location: str


def cut_page(rows: Sequence[T], page: int, per_page: int = PER_PAGE) -> tuple[Sequence[T], Paging]:
    """The rows of one page; a page beyond the last is the last."""
    paging = make_paging(page, len(rows), per_page)
    return rows[paging.start : paging.start + per_page], paging


def make_paging(page: int, total: int, per_page: int = PER_PAGE) -> Paging:
    """Which part of a list a page shows; a page beyond the last is the last."""
    pages = max(1, -(-total // per_page))
    page = min(max(1, page), pages)
    return Paging(page, pages, per_page, total, page - 1 if page > 1 else None, page + 1 if page < pages else None)

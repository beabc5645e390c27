"""Whether two entries are the same work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fields import fold_text
from .people import part_name

if TYPE_CHECKING:
    from .model import Paper


def are_parts(one: Paper, other: Paper) -> bool:
    """Whether two papers with one DOI are parts of it: chapters of a book with titles and pages of their own."""
    if not (one.title and other.title and one.page_range and other.page_range):
        return False
    return fold_text(one.title) != fold_text(other.title) and one.page_range != other.page_range


def find_shared(one: Paper, other: Paper) -> tuple[str, ...]:
    """What two papers share that are probably one work: the title, and the authors and the year as far as both say.

    None where the titles differ, or the authors, or the years. A list of authors may name fewer than the other one.
    """
    if not one.title or not other.title or fold_text(one.title) != fold_text(other.title):
        return ()
    ours, theirs = ({fold_text(part_name(name).family) for name in paper.authors} - {""} for paper in (one, other))
    if (one.year and other.year and one.year != other.year) or not (ours <= theirs or theirs <= ours):
        return ()
    authors = ("authors",) if ours and theirs else ()
    return ("title", *authors, *(("year",) if one.year and other.year else ()))

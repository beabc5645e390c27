"""Title, authors and year of a paper: what its first page says, held against what the file says of itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..fields import fold_text, split_authors
from .authors import Authors, find_authors
from .lines import words_in
from .names import is_name
from .title import Title, find_title, is_junk_title
from .year import find_year

if TYPE_CHECKING:
    from ..model import PdfText

_LONGEST_TITLE = 300
_NO_AUTHOR = re.compile(
    r"(?:anonymous|unknown|authors?|admin(?:istrator)?|user|root|owner|\(?unspecified\)?|[\W\d_]*)", re.IGNORECASE
)
# Covers that repositories put before a paper name its authors, but not always all of them.
_COVER = re.compile(
    r"researchgate\.net/publication|jstor\.org/stable|stable url|citeseerx|made this article openly", re.I
)


_COVERED = 2000


class PaperHead(Struct, frozen=True):
    """What is known of a paper from its PDF alone."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    unsure: tuple[str, ...] = ()
    """Which of the three rest on one weak witness."""


def read_head(pdf: PdfText, stem: str) -> PaperHead:
    """Title, authors and year; what two witnesses agree on, or the page says plainly, is sure."""
    said = " ".join(pdf.title.split())[:_LONGEST_TITLE]
    said = "" if is_junk_title(said) else said
    title = find_title(pdf.head, said, stem, pdf.pages)
    page = pdf.pages[0] if pdf.pages else ""
    found = find_authors(pdf.head, title, words_in(pdf.pages[:3]))
    if found.sure and _may_be_other(found, title, page):
        found = Authors(found.names, False)
    authors = _authors(found, pdf.authors, page)
    year = find_year(pdf.pages, pdf.created, stem)
    text, sure = _title(title, said, authors)
    doubtful = {
        "title": bool(text) and not sure,
        "authors": bool(authors.names) and not authors.sure,
        "year": bool(year.text) and not year.sure,
    }
    return PaperHead(text, authors.names, year.text, tuple(name for name, weak in doubtful.items() if weak))


def _title(title: Title, said: str, authors: Authors) -> tuple[str, bool]:
    """The title, and whether it is sure: by its type, or since names stand right below it."""
    followed = title.sound and authors.sure and " " in title.text
    if title.sure or followed:
        return title.text[:_LONGEST_TITLE], True
    return said or title.text[:_LONGEST_TITLE], False


def _may_be_other(found: Authors, title: Title, page: str) -> bool:
    """Whether what reads like names may be none: one alone below a doubtful title, or companies on a cover."""
    if len(found.names) == 1 and not title.sure and not found.placed:
        return True
    # On this cover each name or group of names is followed by where they work.
    return "www.usenix.org/conference" in page[:_COVERED] and not found.inline


def _authors(found: Authors, said: str, page: str) -> Authors:
    """The names on the page, or those of the file where the page has them too and more of them."""
    if _COVER.search(page[:_COVERED]):
        found = Authors(found.names, False)
    names = [name for name in split_authors(" ".join(said.split())) if not _NO_AUTHOR.fullmatch(name)]
    if not names or not all(map(is_name, names)):
        return found
    ours, theirs = {fold_text(name) for name in found.names}, {fold_text(name) for name in names}
    letters = fold_text(page)
    standing = all(name in letters for name in theirs)
    if ours == theirs or (standing and theirs > ours) or (standing and not found.sure and len(theirs) >= len(ours)):
        return Authors(tuple(names), standing)
    return found if found.names else Authors(tuple(names), False)

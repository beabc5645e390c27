"""Whether a cited page exists.

A paper's page range decides before its number of pages, and that before the labels and pages of its PDF. What none of
them can tell is not known, which is neither right nor wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .printed_pages import describe, find_numbering, page_key
from .ranges import normal_ranges, parse_ranges

if TYPE_CHECKING:
    from .model import Paper, PdfText
    from .ranges import PageRange

UNKNOWN = (None, "")


def page_known(paper: Paper, pdf: PdfText | None, page: str) -> tuple[bool | None, str]:
    """Whether a page, or all of a range, exists in a paper, and what it was held against; (None, "") if unknown."""
    asked = parse_ranges(page)
    declared = parse_ranges(paper.page_range)
    if asked and declared:
        ends = [(part.series, end) for part in asked for end in (part.first, part.last)]
        inside = all(any(one.holds(*end) for one in declared) for end in ends)
        return inside, f"{normal_ranges(paper.page_range)} range"
    counted = bool(asked) and all(not part.style for part in asked)
    if counted and paper.total_pages is not None and paper.total_pages > 0:
        return _counts(asked, paper.total_pages), f"document has {_pages(paper.total_pages)}"
    if pdf is None or not pdf.pages:
        return UNKNOWN
    return _in_pdf(pdf, page, asked, counted)


def _in_pdf(pdf: PdfText, page: str, asked: tuple[PageRange, ...], counted: bool) -> tuple[bool | None, str]:
    names = find_numbering("", pdf)
    total = len(pdf.pages)
    ends = [(part.series, number) for part in asked for number in (part.first, part.last)]
    found = page_key(page) in names.places or (bool(ends) and all(end in names.places for end in ends))
    if names.how == "labels":
        return (found, _describe_labels(names.names)) if asked or found else UNKNOWN
    if not counted:
        return UNKNOWN
    if names.how != "printed":
        return _counts(asked, total), f"PDF has {_pages(total)}"
    if found:
        return True, _describe_labels(names.names)
    # The author may have counted the pages instead of reading their numbers.
    return UNKNOWN if _counts(asked, total) else (False, _describe_labels(names.names))


def _describe_labels(names: tuple[str, ...]) -> str:
    return f"PDF pages are labelled {describe(names)}"


def _counts(asked: tuple[PageRange, ...], total: int) -> bool:
    return all(part.first >= 1 and part.last <= total for part in asked)


def _pages(number: int) -> str:
    return f"{number} page" if number == 1 else f"{number} pages"

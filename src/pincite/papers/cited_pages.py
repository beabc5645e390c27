"""The pages of a paper that a citation names, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text.lines import split_lines
from .printed_pages import pdf_indexes, printed_page

if TYPE_CHECKING:
    from ..core.model import Citation
    from .evidence import PaperEvidence

_MOST_PAGES = 20


def cited_pages(cited: Citation, evidence: PaperEvidence) -> list[tuple[str, int, list[str]]]:
    """The cited pages: as printed, as counted in the PDF, and their lines."""
    paper, pdf = evidence.paper, evidence.reader.pdf(evidence.paper)
    if pdf is None or cited.pages is None:
        return []
    first = pdf_indexes(paper, pdf, cited.pages.first)
    last = pdf_indexes(paper, pdf, cited.pages.last)
    if not first:
        return []
    indexes = range(first[0], min(last[-1] if last else first[0], first[0] + _MOST_PAGES) + 1)
    # A hyphen at a line's end is kept as a mark of its own; people know it as a hyphen.
    return [
        (printed_page(paper, pdf, index), index + 1, split_lines(pdf.pages[index].replace("\xad\n", "-\n")))
        for index in indexes
        if index < len(pdf.pages)
    ]

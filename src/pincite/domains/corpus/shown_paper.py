"""The evidence behind a citation of a paper: what is known of it, and the cited page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...papers.cited_pages import cited_pages
from ...papers.sections import sections_at
from ...safe.escape import escape_text
from ...text.lines import format_count
from ...text.terminal.colors import paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...core.model import Citation
    from ...papers.evidence import PaperEvidence


def text(cited: Citation, evidence: PaperEvidence, color: bool) -> Iterator[str]:
    """The rows for people."""
    paper = evidence.paper
    head = f"{paper.id}: {escape_text(paper.title) or 'untitled'}"
    yield paint(head, "1", color)
    about = ", ".join(part for part in ("; ".join(paper.authors), paper.year, paper.doi or paper.url) if part)
    if about:
        yield f"  {escape_text(about)}"
    yield f"  {escape_text(paper.path)}, sha256 {evidence.digest[:12]}"
    if cited.pages is None:
        pages = paper.page_range or (format_count(paper.total_pages, "page") if paper.total_pages else "")
        if pages:
            yield f"  {pages if ' ' in pages else f'pages {pages}'}"
        yield from (f"  {section.pages:>9}  {escape_text(section.name)}" for section in paper.sections)
        return
    found = cited_pages(cited, evidence)
    for printed, number, lines in found:
        where = "; ".join(sections_at(paper, evidence.reader.pdf(paper), printed))
        yield f"page {printed} (page {number} of the PDF{f', {escape_text(where)}' if where else ''})"
        yield from (f"  │ {escape_text(line)}" for line in lines)
    if not found:
        why = evidence.reader.trouble(paper) or f"the PDF has no page {cited.pages.first}"
        yield f"page {cited.pages.first} cannot be shown: {escape_text(why)}"
        for kept in paper.key_quotes:
            if kept.page in (cited.pages.first, cited.pages.last):
                yield f"  kept from page {kept.page}: “{escape_text(kept.quote)}”"


def fields(cited: Citation, evidence: PaperEvidence) -> dict[str, object]:
    """What is known of the paper, and the cited pages, for programs."""
    pages = [{"page": page, "pdf": number, "text": lines} for page, number, lines in cited_pages(cited, evidence)]
    said = {name: getattr(evidence.paper, name) for name in "id path title authors year doi url".split()}
    return {**said, "pages": pages}

"""`search`: passages that fit a query, each with a citation and a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...core.model import Lines
from ...domains.retrieval.passage_search import PassageSearcher, find_densest_lines, format_hit_place
from ...engine.read_receipts import ReadReceipt
from ...safe.escape import escape_text
from ...text.lines import format_count, split_lines
from .jobs import JobResult

if TYPE_CHECKING:
    from ...domains.retrieval.passage_search import FoundPassages
    from ...search.model import Citation, SearchHit
    from .jobs import Job
    from .workspace import Workspace

_MOST_LINES = 12
"""Lines of a passage that an answer shows."""
_WIDEST = 200
_WITHOUT_LINES = "inline"
"""The style for passages that have pages, not lines."""


def search_passages(workspace: Workspace, job: Job, query: str, limit: int, path: str) -> JobResult:
    """Search, after the index was brought up to date."""
    notes: list[str] = []
    project = workspace.open()
    with PassageSearcher(project, "bracket", note=notes.append) as searcher:
        searcher.update(job.step)
        found = searcher.search(query, limit, path)
        for hit, citation in zip(found.hits, found.citations, strict=True):
            _add_hit(workspace, job, searcher, found, hit, citation)
        notes += searcher.list_notes()
    rows = [workspace.conceal(note) for note in notes]
    if not found.hits:
        rows.insert(0, "nothing found; other words may stand there: search for names, or for rarer words")
    return JobResult("\n".join(rows))


def _add_hit(
    workspace: Workspace, job: Job, searcher: PassageSearcher, found: FoundPassages, hit: SearchHit, citation: Citation
) -> None:
    """Keep a passage: its place, its lines with their numbers, its citation and its receipt.

    Of a long passage the lines that fit the query best are shown, and only what is shown is cited and has a receipt.
    """
    passage = split_lines(hit.chunk.content.expandtabs(4))
    start = find_densest_lines(passage, found.finder, _MOST_LINES)
    shown = passage[start : start + _MOST_LINES]
    left = len(passage) - len(shown)
    first = citation.line_number
    if first is not None and left:
        citation = replace(citation, line_number=first + start, end_line=first + start + len(shown) - 1)
    written = searcher.cite(citation) if first is not None else searcher.cite(citation, _WITHOUT_LINES)
    place, path = format_hit_place(citation), citation.relative_path or citation.document_path
    above = " › ".join(escape_text(title, 80) for title in hit.chunk.headings)
    rows = [f"{escape_text(place)}  {above}".rstrip()]
    rows += [f"  {row}" for row in _number_lines(shown, citation.line_number)]
    rows += [f"  … {format_count(left, 'more line')} of the passage"] if left else []
    rows.append(f"  cite {escape_text(written)}")
    fields: dict[str, Any] = {
        "path": escape_text(path),
        "citation": escape_text(written),
        "text": escape_passage("\n".join(shown)),
    }
    if citation.line_number is not None:
        lines = Lines(citation.line_number, citation.end_line or citation.line_number)
        receipt = workspace.receipts.mint(ReadReceipt(path, hit.document.digest, lines))
        rows.append(f"  receipt {receipt} for lines {lines.text}")
        fields |= {"lines": [lines.first, lines.last], "receipt": receipt}
    elif citation.page is not None:
        fields["page"] = citation.page
    job.add("\n".join(rows), fields)


def _number_lines(lines: list[str], first: int | None) -> list[str]:
    """Lines with their numbers, where these are known."""
    numbered = [(f"{first + at} │ " if first is not None else "│ ") for at in range(len(lines))]
    width = max(map(len, numbered), default=0)
    return [f"{number:>{width}}{escape_text(line, _WIDEST)}" for number, line in zip(numbered, lines, strict=True)]


def escape_passage(text: str) -> str:
    """The text of a passage for programs: its lines stay lines, and nothing else invisible is left."""
    return "\n".join(escape_text(line, 2000) for line in split_lines(text.expandtabs(4)))

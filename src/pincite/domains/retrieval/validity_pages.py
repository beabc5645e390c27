"""Whether passages of a PDF still stand on their pages. Offsets count in the text of pages joined by form feeds."""

from __future__ import annotations

from hashlib import sha256

from msgspec.structs import replace

from ...core.errors import Missing, Refused
from ...safe.escape import escape_text
from ...search.model import Citation, Status, Validation
from .differences import find_once, find_replacement, has_cut_word, make_unified_diff, stands_whole
from .validity import how_it_moved, missing, move_to_document, stale, unreadable, without_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .documents import CitedDocuments, Opening


class _Pages:
    """A PDF whose text is taken out when its digest does not settle the matter."""

    def __init__(self, path: str, sources: CitedDocuments, opening: Opening) -> None:
        self._limits = sources.limits
        self._path = path
        self._data, info = sources.take(path, opening, sources.limits.pdf_bytes)
        self.modified = max(info.st_mtime, info.st_ctime)
        self.digest = sha256(self._data).hexdigest()
        self._text: str | Refused | None = None

    @property
    def text(self) -> str:
        """All pages; raises Refused."""
        if self._text is None:
            from ...search.document_text import take_in

            try:
                self._text = take_in(self._path, self._data, self._limits).text
            except Refused as refused:
                # It may have taken a minute to fail: once is enough for all its citations.
                self._text = refused
        if isinstance(self._text, Refused):
            raise self._text
        return self._text


def examine_pages(
    citations: Sequence[Citation], sources: CitedDocuments, opening: Opening, finder: Callable[[Citation], str | None]
) -> list[Validation]:
    """What became of citations of one PDF."""
    try:
        pages = _Pages(citations[0].document_path, sources, opening)
    except Missing:
        return [
            missing(citation, lambda one: _follow_document(one, sources, opening, finder)) for citation in citations
        ]
    except Refused as refused:
        return [unreadable(citation, refused) for citation in citations]
    answers = []
    for citation in citations:
        try:
            answers.append(_compare_citation(citation, pages))
        except Refused as refused:
            answers.append(unreadable(citation, refused))
    return answers


def _compare_citation(citation: Citation, pages: _Pages) -> Validation:
    valid = Validation(citation=citation, status=Status.VALID)
    if citation.document_digest and citation.document_digest == pages.digest:
        return valid
    words = citation.text
    if not words:
        return without_words(citation, pages.modified)
    text = pages.text
    start = citation.start_offset
    end = start + len(words)
    if (
        start >= 0
        and citation.end_offset == end
        and text.startswith(words, start)
        and not has_cut_word(text, start, end)
    ):
        return valid
    if citation.page is not None and _stands_on(text, citation.page, words):
        return valid
    once = find_once(text, words)
    if once is not None and not has_cut_word(text, *once):
        now = _move_citation(citation, pages, *once)
        if now.page == citation.page:
            return valid
        return stale(citation, how_it_moved(citation, now), now=now)
    begin, stop, kept = find_replacement(text, words, start if start >= 0 else 0)
    reason = "the passage changed" if kept else "the passage is no longer there"
    return stale(
        citation, reason, make_unified_diff(words, text[begin:stop], escape_text(citation.document_path), 1, 1)
    )


def _stands_on(text: str, page: int, words: str) -> bool:
    """Whether the words stand on a page, wherever its lines are broken: other readers of PDFs break them elsewhere."""
    pages = text.split("\f")
    folded = " ".join(words.split())
    return 0 < page <= len(pages) and bool(folded) and stands_whole(" ".join(pages[page - 1].split()), folded)


def _move_citation(citation: Citation, pages: _Pages, start: int, end: int) -> Citation:
    page = pages.text.count("\f", 0, start) + 1
    return replace(citation, start_offset=start, end_offset=end, page=page, document_digest=pages.digest)


def _follow_document(
    citation: Citation, sources: CitedDocuments, opening: Opening, finder: Callable[[Citation], str | None]
) -> Citation | None:
    """The citation where the finder says the PDF went, if the passage stands there word for word."""
    path = finder(citation)
    if not path or not isinstance(path, str):
        return None
    try:
        pages = _Pages(path, sources, opening)
        there = move_to_document(citation, path, sources)
        if citation.document_digest and citation.document_digest == pages.digest:
            return there
        once = find_once(pages.text, citation.text) if citation.text else None
    except Refused:
        return None
    return None if once is None or has_cut_word(pages.text, *once) else _move_citation(there, pages, *once)

"""Whether cited passages still stand where they were cited: content decides, time only where there is no content."""

from __future__ import annotations

from datetime import UTC

from msgspec.structs import replace

from ...core.errors import Missing, Refused
from ...safe.escape import escape_text
from ...search.model import EPOCH, Citation, Status, Validation
from .differences import (
    find_once,
    find_replacement,
    has_cut_word,
    make_unified_diff,
    stands_whole,
    widen_to_words,
)
from .documents import CitedDocument, CitedPages, is_pdf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .documents import CitedDocuments, LazyRoot

_VALID = Status.VALID
_SAME_DOCUMENT = "the document is the one that was indexed; the words are the index's own"


def examine(
    citations: Sequence[Citation], sources: CitedDocuments, opening: LazyRoot, finder: Callable[[Citation], str | None]
) -> list[Validation]:
    """What became of citations of one document."""
    path = citations[0].document_path
    try:
        source = CitedPages(path, sources, opening) if is_pdf(path) else sources.get(path, opening)
    except Missing:
        return [
            _report_missing(citation, _follow_document(citation, sources, opening, finder)) for citation in citations
        ]
    except Refused as refused:
        return [_report_unreadable(citation, refused) for citation in citations]
    answers = []
    for citation in citations:
        try:
            if isinstance(source, CitedPages):
                answers.append(_compare_with_pages(citation, source))
            else:
                answers.append(_compare_with_document(citation, source))
        except Refused as refused:
            answers.append(_report_unreadable(citation, refused))
    return answers


def _compare_with_document(citation: Citation, source: CitedDocument) -> Validation:
    """What became of a citation of a document that can be read."""
    words = citation.text
    start, end = citation.start_offset, citation.end_offset
    if not words and start >= 0 and not start <= end <= source.length:
        return _stale(citation, f"the document ends at offset {source.length}, and the passage was not kept")
    holds = bool(words) and source.holds(words, start, end)
    if holds and not has_cut_word(source.text, start, end):
        return Validation(citation=citation, status=_VALID)
    if _is_same_document(citation, source):
        # An index may keep what a reader sees instead of what the source says; the same bytes show the same.
        return Validation(citation=citation, status=_VALID, reason="" if holds or not words else _SAME_DOCUMENT)
    if not words:
        return _judge_by_time(citation, source.modified)
    if holds:
        # It ends in `10` and the document has `100` there: the old text was not kept.
        diff = _make_diff(citation, source, *widen_to_words(source.text, start, end))
        return _stale(citation, "the document changed, and a word at an edge of the passage may have grown", diff)
    if start < 0 and stands_whole(source.text, words):
        return Validation(citation=citation, status=_VALID)
    return _compare_with_html(citation, source) or _report_changed(citation, source)


def _compare_with_pages(citation: Citation, source: CitedPages) -> Validation:
    """What became of a citation of a PDF."""
    valid = Validation(citation=citation, status=_VALID)
    words, start = citation.text, citation.start_offset
    if _is_same_document(citation, source):
        return valid
    if not words:
        return _judge_by_time(citation, source.modified)
    text, end = source.text, start + len(words)
    here = start >= 0 and citation.end_offset == end and text.startswith(words, start)
    if here and not has_cut_word(text, start, end):
        return valid
    if citation.page is not None and _stands_on_page(text, citation.page, words):
        return valid
    once = find_once(text, words)
    if once is not None and not has_cut_word(text, *once):
        now = _move_citation(citation, source, *once)
        return valid if now.page == citation.page else _stale(citation, _describe_move(citation, now), now=now)
    begin, stop, kept = find_replacement(text, words, max(start, 0))
    reason = "the passage changed" if kept else "the passage is no longer there"
    return _stale(citation, reason, _make_diff(citation, source, begin, stop))


def _stands_on_page(text: str, page: int, words: str) -> bool:
    """Whether the words stand on a page, wherever its lines are broken: other readers of PDFs break them elsewhere."""
    pages = text.split("\f")
    folded = " ".join(words.split())
    return 0 < page <= len(pages) and bool(folded) and stands_whole(" ".join(pages[page - 1].split()), folded)


def _compare_with_html(citation: Citation, source: CitedDocument) -> Validation | None:
    """The answer where the passage is what a reader sees of HTML; None where it is not, or this is none."""
    from ...search.passages.html import ENDINGS

    if not citation.document_path.lower().endswith(ENDINGS):
        return None
    try:
        reading = source.reading
    except Refused:
        return None
    if reading.text_between(citation.start_offset, citation.end_offset) == citation.text:
        return Validation(citation=citation, status=_VALID)
    spans = [
        (each.start, each.end)
        for each in reading.passages
        if reading.text_between(each.start, each.end) == citation.text
    ]
    if len(spans) != 1:
        return None
    now = replace(_move_citation(citation, source, *spans[0]), text=citation.text)
    return _stale(citation, _describe_move(citation, now), now=now)


def _judge_by_time(citation: Citation, modified: float) -> Validation:
    """The answer where neither the passage was kept nor its document is, byte for byte, the one that was cited."""
    if citation.document_digest:
        return _stale(citation, "the document changed, and the passage was not kept: whether it changed is not known")
    # A citation made by hand may not say when its document was indexed.
    indexed = citation.indexed_at or EPOCH
    indexed = indexed if indexed.tzinfo else indexed.replace(tzinfo=UTC)
    if modified < indexed.timestamp():
        return Validation(citation=citation, status=_VALID)
    when = "at an unknown time" if indexed == EPOCH else f"{indexed:%Y-%m-%d %H:%M:%S} UTC"
    return _stale(
        citation,
        f"the document was modified after it was indexed ({when}), and neither the passage nor a digest was kept: "
        "whether it changed is not known",
    )


def _report_changed(citation: Citation, source: CitedDocument) -> Validation:
    """The answer where the passage is not at its place: where it went, or what took its place."""
    words = citation.text
    once = find_once(source.text, words)
    is_part = once is not None and has_cut_word(source.text, *once)
    if once is not None and not is_part:
        now = _move_citation(citation, source, *once)
        if now.text != words:
            return _stale(citation, f"only its line ends changed; it stands on {_describe_place(now)}", now=now)
        return _stale(citation, _describe_move(citation, now), now=now)
    start, end, kept = find_replacement(source.text, words, citation.start_offset)
    if is_part:
        reason = "the passage is no longer at its place, and its letters stand only inside longer words"
    elif words in source.text:
        reason = "the passage is no longer at its place, and its words stand in several others"
    elif kept:
        reason = "the passage changed"
    else:
        reason = "the passage is no longer there, and nothing like it stands at its place"
    return _stale(citation, reason, _make_diff(citation, source, start, end))


def _make_diff(citation: Citation, source: CitedDocument | CitedPages, start: int, end: int) -> str:
    """The passage and the stretch that took its place."""
    line = source.places(start, end).get("line_number", 1)
    then, path = citation.line_number or line, escape_text(citation.document_path)
    return make_unified_diff(citation.text, source.text[start:end], path, then, line)


def _report_unreadable(citation: Citation, refused: Refused) -> Validation:
    """The answer where a document is there and its text cannot be had."""
    reason = f"cannot read {escape_text(citation.document_path)}: {refused}"
    return Validation(citation=citation, status=Status.ERROR, reason=reason)


def _report_missing(citation: Citation, now: Citation | None) -> Validation:
    """The answer where there is no document; `now` is where the passage stands, if that is known."""
    reason = f"there is no file {escape_text(citation.document_path)}"
    if now is not None:
        reason += f"; the passage stands in {escape_text(now.document_path)}"
        if now.line_number is not None or now.page is not None:
            reason += f", {_describe_place(now)}"
    return Validation(citation=citation, status=Status.MISSING, reason=reason, now=now)


def _stale(citation: Citation, reason: str, diff: str = "", now: Citation | None = None) -> Validation:
    """The answer where the passage is not there as it was cited."""
    return Validation(citation=citation, status=Status.STALE, reason=reason, diff=diff, now=now)


def _describe_move(citation: Citation, now: Citation) -> str:
    """From where to where, in words."""
    before, after = _describe_place(citation), _describe_place(now)
    if citation.line_number is None and citation.page is None:
        return f"moved to {after}"
    if before == after:
        return f"moved within {after}, from offset {citation.start_offset} to offset {now.start_offset}"
    return f"moved from {before} to {after}"


def _describe_place(citation: Citation) -> str:
    """`line 42` or `page 7`."""
    if citation.line_number is not None:
        return f"line {citation.line_number}"
    return f"page {citation.page}" if citation.page is not None else f"offset {citation.start_offset}"


def _is_same_document(citation: Citation, source: CitedDocument | CitedPages) -> bool:
    return bool(citation.document_digest) and citation.document_digest == source.digest


def _move_citation(citation: Citation, source: CitedDocument | CitedPages, start: int, end: int) -> Citation:
    """The same citation at another place of a document as it is now."""
    return replace(
        citation,
        start_offset=start,
        end_offset=end,
        text=source.text[start:end],
        document_digest=source.digest,
        **source.places(start, end),
    )


def _follow_document(
    citation: Citation, sources: CitedDocuments, opening: LazyRoot, finder: Callable[[Citation], str | None]
) -> Citation | None:
    """The citation where the finder says the document went, if the passage stands there word for word."""
    path = finder(citation)
    if not path or not isinstance(path, str):
        return None
    words, start, end = citation.text, citation.start_offset, citation.end_offset
    name = path.rpartition("/")[2]
    # A title that was the file's name follows the name.
    title = name if citation.document_title == citation.file_name else citation.document_title
    there = replace(citation, document_path=path, document_title=title, relative_path=sources.relative(path))
    try:
        paged = is_pdf(citation.document_path)
        source = CitedPages(path, sources, opening) if paged else sources.get(path, opening)
        same = _is_same_document(citation, source)
        if same and paged:
            return there
        if not words:
            inside = same and 0 <= start <= end <= len(source.text)
            return _move_citation(there, source, start, end) if inside else None
        here = start >= 0 and source.text.startswith(words, start)
        once = (start, start + len(words)) if here else find_once(source.text, words)
        if once is None or (has_cut_word(source.text, *once) and not same):
            return None
        return _move_citation(there, source, *once)
    except Refused:
        return None

"""Whether cited passages still stand where they were cited: content decides, time only where there is no content."""

from __future__ import annotations

from datetime import UTC

from msgspec.structs import replace

from ...core.errors import Missing, Refused
from ...safe.escape import escape_text
from ...search.model import EPOCH, Citation, Status, Validation
from .documents import CitedDocument, is_pdf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .documents import CitedDocuments, Opening

_VALID = Status.VALID
_SAME_DOCUMENT = "the document is the one that was indexed; the words are the index's own"


def examine(
    citations: Sequence[Citation], sources: CitedDocuments, opening: Opening, finder: Callable[[Citation], str | None]
) -> list[Validation]:
    """What became of citations of one document."""
    path = citations[0].document_path
    if is_pdf(path):
        from .validity_pages import examine_pages

        return examine_pages(citations, sources, opening, finder)
    try:
        source = sources.get(path, opening)
    except Missing:
        return [
            missing(citation, lambda one: _follow_document(one, sources, opening, finder)) for citation in citations
        ]
    except Refused as refused:
        return [unreadable(citation, refused) for citation in citations]
    return [_compare_citation(citation, source) for citation in citations]


def unreadable(citation: Citation, refused: Refused) -> Validation:
    """The answer where a document is there and its text cannot be had."""
    reason = f"cannot read {escape_text(citation.document_path)}: {refused}"
    return Validation(citation=citation, status=Status.ERROR, reason=reason)


def missing(citation: Citation, look: Callable[[Citation], Citation | None]) -> Validation:
    """The answer where there is no document; `look` tells where the passage stands now."""
    reason = f"there is no file {escape_text(citation.document_path)}"
    now = look(citation)
    if now is not None:
        reason += f"; the passage stands in {escape_text(now.document_path)}"
        if now.line_number is not None or now.page is not None:
            reason += f", {describe_place(now)}"
    return Validation(citation=citation, status=Status.MISSING, reason=reason, now=now)


def describe_place(citation: Citation) -> str:
    """`line 42` or `page 7`."""
    if citation.line_number is not None:
        return f"line {citation.line_number}"
    return f"page {citation.page}" if citation.page is not None else f"offset {citation.start_offset}"


def stale(citation: Citation, reason: str, diff: str = "", now: Citation | None = None) -> Validation:
    """The answer where the passage is not there as it was cited."""
    return Validation(citation=citation, status=Status.STALE, reason=reason, diff=diff, now=now)


def _compare_citation(citation: Citation, source: CitedDocument) -> Validation:
    """What became of a citation of a document that can be read."""
    words = citation.text
    if not words:
        return _without_words(citation, source)
    start, end = citation.start_offset, citation.end_offset
    holds = source.holds(words, start, end)
    if holds and not source.cuts(start, end):
        return Validation(citation=citation, status=_VALID)
    if citation.document_digest and citation.document_digest == source.digest:
        # An index may keep what a reader sees instead of what the source says; the same bytes show the same.
        return Validation(citation=citation, status=_VALID, reason="" if holds else _SAME_DOCUMENT)
    if holds:
        return _report_grown_word(citation, source)
    if start < 0 and _stands_whole(source, words):
        return Validation(citation=citation, status=_VALID)
    answer = _held_against_html(citation, source)
    if answer is not None:
        return answer
    return _report_changed(citation, source)


def _report_grown_word(citation: Citation, source: CitedDocument) -> Validation:
    """The answer where the passage ends in `10` and the document has `100` there: the old text was not kept."""
    from .differences import make_unified_diff, widen_to_words

    start, end = widen_to_words(source.text, citation.start_offset, citation.end_offset)
    line = source.lines.line(start)
    first = citation.line_number or line
    diff = make_unified_diff(citation.text, source.text[start:end], escape_text(citation.document_path), first, line)
    return stale(citation, "the document changed, and a word at an edge of the passage may have grown", diff)


def _stands_whole(source: CitedDocument, words: str) -> bool:
    from .differences import stands_whole

    return stands_whole(source.text, words)


def _without_words(citation: Citation, source: CitedDocument) -> Validation:
    """What became of a citation that does not say what the passage was."""
    start, end = citation.start_offset, citation.end_offset
    if start >= 0 and not start <= end <= source.length:
        return stale(citation, f"the document ends at offset {source.length}, and the passage was not kept")
    if citation.document_digest and citation.document_digest == source.digest:
        return Validation(citation=citation, status=_VALID)
    return without_words(citation, source.modified)


def without_words(citation: Citation, modified: float) -> Validation:
    """The answer where neither the passage was kept nor its document is, byte for byte, the one that was cited."""
    if citation.document_digest:
        return stale(citation, "the document changed, and the passage was not kept: whether it changed is not known")
    # A citation made by hand may not say when its document was indexed.
    indexed = citation.indexed_at or EPOCH
    indexed = indexed if indexed.tzinfo else indexed.replace(tzinfo=UTC)
    if modified < indexed.timestamp():
        return Validation(citation=citation, status=_VALID)
    when = "at an unknown time" if indexed == EPOCH else f"{indexed:%Y-%m-%d %H:%M:%S} UTC"
    return stale(
        citation,
        f"the document was modified after it was indexed ({when}), and neither the passage nor a digest was kept: "
        "whether it changed is not known",
    )


def _report_changed(citation: Citation, source: CitedDocument) -> Validation:
    """The answer where the passage is not at its place: where it went, or what took its place."""
    from .differences import find_once, find_replacement, has_cut_word, make_unified_diff

    words = citation.text
    once = find_once(source.text, words)
    is_part = once is not None and has_cut_word(source.text, *once)
    if once is not None and not is_part:
        start, end = once
        now = move_citation(citation, source, start, end)
        if source.text[start:end] != words:
            return stale(citation, f"only its line ends changed; it stands on {describe_place(now)}", now=now)
        return stale(citation, how_it_moved(citation, now), now=now)
    start, end, kept = find_replacement(source.text, words, citation.start_offset)
    line = source.lines.line(start)
    diff = make_unified_diff(
        words, source.text[start:end], escape_text(citation.document_path), citation.line_number or line, line
    )
    if is_part:
        reason = "the passage is no longer at its place, and its letters stand only inside longer words"
    elif words in source.text:
        reason = "the passage is no longer at its place, and its words stand in several others"
    elif kept:
        reason = "the passage changed"
    else:
        reason = "the passage is no longer there, and nothing like it stands at its place"
    return stale(citation, reason, diff)


def how_it_moved(citation: Citation, now: Citation) -> str:
    """From where to where, in words."""
    before, after = describe_place(citation), describe_place(now)
    if citation.line_number is None and citation.page is None:
        return f"moved to {after}"
    if before == after:
        return f"moved within {after}, from offset {citation.start_offset} to offset {now.start_offset}"
    return f"moved from {before} to {after}"


def move_citation(citation: Citation, source: CitedDocument, start: int, end: int) -> Citation:
    """The same citation at another place of a document as it is now."""
    return replace(
        citation,
        start_offset=start,
        end_offset=end,
        line_number=source.lines.line(start),
        end_line=source.lines.line(max(start, end - 1)),
        text=source.text[start:end],
        document_digest=source.digest,
    )


def move_to_document(citation: Citation, path: str, sources: CitedDocuments) -> Citation:
    """The same citation in another document; a title that was the file's name follows the name."""
    name = path.rpartition("/")[2]
    title = name if citation.document_title == citation.file_name else citation.document_title
    return replace(citation, document_path=path, document_title=title, relative_path=sources.relative(path))


def _follow_document(
    citation: Citation, sources: CitedDocuments, opening: Opening, finder: Callable[[Citation], str | None]
) -> Citation | None:
    """The citation where the finder says the document went, if the passage stands there word for word."""
    path = finder(citation)
    if not path or not isinstance(path, str):
        return None
    try:
        source = sources.get(path, opening)
    except Refused:
        return None
    there = move_to_document(citation, path, sources)
    words, start, end = citation.text, citation.start_offset, citation.end_offset
    same = bool(citation.document_digest) and citation.document_digest == source.digest
    if words:
        from .differences import find_once, has_cut_word

        here = start >= 0 and source.text[start : start + len(words)] == words
        once = (start, start + len(words)) if here else find_once(source.text, words)
        return (
            None
            if once is None or (has_cut_word(source.text, *once) and not same)
            else move_citation(there, source, *once)
        )
    return move_citation(there, source, start, end) if same and 0 <= start <= end <= source.length else None


def _held_against_html(citation: Citation, source: CitedDocument) -> Validation | None:
    """The answer where the passage is what a reader sees of HTML; None where it is not, or this is none."""
    from ...search.passages.html import ENDINGS

    if not citation.document_path.lower().endswith(ENDINGS):
        return None
    try:
        reading = source.reading
    except Refused:
        return None
    if reading.between(citation.start_offset, citation.end_offset) == citation.text:
        return Validation(citation=citation, status=_VALID)
    spans = [
        (each.start, each.end) for each in reading.passages if reading.between(each.start, each.end) == citation.text
    ]
    if len(spans) != 1:
        return None
    now = replace(move_citation(citation, source, *spans[0]), text=citation.text)
    return stale(citation, how_it_moved(citation, now), now=now)

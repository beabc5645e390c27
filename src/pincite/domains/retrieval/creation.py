"""From a hit to its citation: the lines, the words and the digest, as far as the document can be read."""

from __future__ import annotations

from time import perf_counter
from uuid import UUID

from ...core.errors import Missing, Refused
from ...search.line_offsets import LONG
from ...search.model import CODE_POINTS, Citation, SearchHit
from .documents import CitedDocument, CitedDocuments, LazyRoot, is_pdf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...search.model import Chunk, SourceDocument
    from .log import Journal

UNKNOWN = -1
"""The offset of a passage whose place is not known."""
_NO_LINES = Refused("a PDF has pages and no lines")
_NONE = Citation(chunk_id=UUID(int=0), document_path="", document_title="", start_offset=UNKNOWN, end_offset=UNKNOWN)
"""Where no citation was made yet."""


class CitationCreator:
    """Creates citations from the documents of a service, and warns where one stays without a line."""

    __slots__ = ("_journal", "_sources")

    def __init__(self, sources: CitedDocuments, journal: Journal) -> None:
        self._sources = sources
        self._journal = journal

    def create(self, hits: Sequence[SearchHit], by_path: dict[object, list[int]]) -> list[Citation]:
        """The citations of hits whose places are given by document."""
        made: list[Citation] = [_NONE] * len(hits)
        cite = self._tell if self._journal.loud else self._cite
        with self._sources.opening() as opening:
            for path, places in by_path.items():
                if not isinstance(path, str):
                    error = TypeError(f"file_path: expected a string, not {type(path).__name__}")
                    self._note_failure(hits[places[0]], error)
                    raise error
                cite(hits, places, self._look(path, opening), made)
        return made

    def line(self, path: str, offset: int) -> int | None:
        """The line of an offset in a document; None with a warning where there is none."""
        with self._sources.opening() as opening:
            source = self._look(path, opening)
        line = self._line(source, path, offset)
        if line is not None:
            self._journal.log("line", file_path=path, line_number=line, offset=offset)
        return line

    def _look(self, path: str, opening: LazyRoot) -> CitedDocument | Refused:
        """The document at a path, or why there is none."""
        if is_pdf(path):
            return _NO_LINES
        try:
            return self._sources.get(path, opening)
        except Refused as refused:
            return refused

    def _tell(
        self, hits: Sequence[SearchHit], places: list[int], source: CitedDocument | Refused, made: list[Citation]
    ) -> None:
        """Create citations one by one, and log what is done."""
        for at in places:
            started = perf_counter()
            chunk_id, path = hits[at].chunk.id, hits[at].document.file_path
            self._journal.log("creating", chunk_id=chunk_id, document_path=path)
            self._cite(hits, [at], source, made)
            line = made[at].line_number
            if line is not None:
                self._journal.log("line", file_path=path, line_number=line, offset=made[at].start_offset)
            self._journal.log(
                "created",
                chunk_id=chunk_id,
                document_path=path,
                document_title=made[at].document_title,
                line_number=line,
                elapsed_ms=(perf_counter() - started) * 1000,
            )

    def _cite(
        self, hits: Sequence[SearchHit], places: list[int], source: CitedDocument | Refused, made: list[Citation]
    ) -> None:
        """Put the citations of those hits that are in this document into their places."""
        at = places[0]
        try:
            if not isinstance(source, CitedDocument):
                for at in places:
                    made[at] = self._cite_unread(hits[at], source)
                return
            if len(places) > 1 and source.is_first_look():
                # Ascending, lines are counted on from one passage to the next; what is out of order uses the index.
                for at in self._cite_ascending(hits, _ascending(hits, places), source, made):
                    made[at] = self._cite_read(hits[at], source)
                return
            for at in places:
                made[at] = self._cite_read(hits[at], source)
        except Exception as error:
            self._note_failure(hits[at], error)
            raise

    def _note_failure(self, hit: SearchHit, error: Exception) -> None:
        """Log that a hit is not what it says it is."""
        chunk_id = getattr(getattr(hit, "chunk", None), "id", None)
        self._journal.log("not created", chunk_id=chunk_id, error_message=str(error))

    def _cite_ascending(
        self, hits: Sequence[SearchHit], places: list[int], source: CitedDocument, made: list[Citation]
    ) -> Iterator[int]:
        """Put the citations of plain hits into their places; gives the places of those that need a closer look."""
        count, length, relative = source.text.count, source.length, source.relative
        counted, line = 0, 1
        for at in places:
            hit = hits[at]
            chunk, document = hit.chunk, hit.document
            start, end, text, digest = chunk.start_offset, chunk.end_offset, chunk.content, document.digest
            if (
                not (text and digest and counted <= start < end <= length)
                or end - start > LONG
                or chunk.unit != CODE_POINTS
            ):
                yield at
                continue
            line += count("\n", counted, start)
            counted = start
            last = line + count("\n", start, end - 1)
            made[at] = _make_citation(hit, start, end, line, last, relative, text, digest)

    def _cite_read(self, hit: SearchHit, source: CitedDocument) -> Citation:
        """The citation of a hit in a document that was read."""
        chunk = hit.chunk
        document = hit.document
        start = chunk.start_offset
        end = chunk.end_offset
        line: int | None
        last: int | None
        if chunk.unit != CODE_POINTS:
            start, end = self._convert_offsets(chunk, document, source)
        if 0 <= start < end <= source.length:
            line, last = source.lines.span(start, end)
        else:
            line, last = self._odd_lines(chunk, document, start, end, source)
        text = chunk.content
        digest = document.digest
        if not text or not digest:
            text, digest = _words(text, digest, start, end, source)
        return _make_citation(hit, start, end, line, last, source.relative, text, digest)

    def _cite_unread(self, hit: SearchHit, refused: Refused) -> Citation:
        """The citation of a hit in a document that gives no lines."""
        chunk, path = hit.chunk, hit.document.file_path
        start, end = chunk.start_offset, chunk.end_offset
        if isinstance(refused, Missing):
            self._journal.log("not found", file_path=path, offset=start)
        elif refused is not _NO_LINES or chunk.page is None:
            self._journal.log("no line", file_path=path, offset=start, error_message=str(refused))
        if chunk.unit != CODE_POINTS:
            # Without the text there is no telling which code point is meant.
            start = end = UNKNOWN
        relative = None if refused.kind == "path-blocked" else self._sources.relative(path)
        return _make_citation(hit, start, end, None, None, relative, chunk.content, hit.document.digest)

    def _convert_offsets(self, chunk: Chunk, document: SourceDocument, source: CitedDocument) -> tuple[int, int]:
        """The offsets of a chunk in code points; unknown, with a warning, where there is no such place."""
        offsets = (chunk.start_offset, chunk.end_offset)
        start, end = (source.offsets.to_code_points(offset, chunk.unit) for offset in offsets)
        if start is not None and end is not None:
            return start, end
        reason = f"no character of the document begins there, counted in {chunk.unit}"
        offset = offsets[start is not None]
        self._journal.log("no line", file_path=document.file_path, offset=offset, error_message=reason)
        return UNKNOWN, UNKNOWN

    def _odd_lines(
        self, chunk: Chunk, document: SourceDocument, start: int, end: int, source: CitedDocument
    ) -> tuple[int | None, int | None]:
        """First and last line of a passage that is empty or does not lie in the document."""
        path = document.file_path
        if start == UNKNOWN and chunk.unit != CODE_POINTS:
            # It was reported when the offsets were converted.
            return None, None
        if end < start:
            reason = "the passage ends before it begins"
            self._journal.log("no line", file_path=path, offset=start, error_message=reason)
            return None, None
        line = self._line(source, path, start)
        if line is not None and end > source.length:
            self._journal.log("too far", file_path=path, offset=end, length=source.length)
            return line, None
        return line, line

    def _line(self, source: CitedDocument | Refused, path: str, offset: int) -> int | None:
        """The line of any offset in any document; None with a warning where there is none."""
        if isinstance(source, Missing):
            self._journal.log("not found", file_path=path, offset=offset)
        elif not isinstance(source, CitedDocument):
            self._journal.log("no line", file_path=path, offset=offset, error_message=str(source))
        elif offset < 0:
            self._journal.log("no line", file_path=path, offset=offset, error_message="an offset is never negative")
        elif offset >= source.length:
            self._journal.log("too far", file_path=path, offset=offset, length=source.length)
        else:
            return source.lines.line(offset)
        return None


def _make_citation(
    hit: SearchHit,
    start: int,
    end: int,
    line: int | None,
    last: int | None,
    relative: str | None,
    text: str,
    digest: str,
) -> Citation:
    chunk, document = hit.chunk, hit.document
    return Citation(
        chunk_id=chunk.id,
        document_path=document.file_path,
        document_title=document.title or document.file_path.rpartition("/")[2],
        start_offset=start,
        end_offset=end,
        heading=chunk.heading or (chunk.headings[-1] if chunk.headings else None),
        line_number=line,
        indexed_at=document.indexed_at,
        relative_path=relative,
        end_line=last,
        page=chunk.page,
        text=text,
        document_digest=digest,
    )


def _ascending(hits: Sequence[SearchHit], places: list[int]) -> list[int]:
    """The places by the offsets of their hits, as they are where those do not compare."""
    try:
        starts = [hits[at].chunk.start_offset for at in places]
        order = sorted(range(len(places)), key=starts.__getitem__)
        return [places[number] for number in order]
    except TypeError:
        return places


def _words(text: str, digest: str, start: int, end: int, source: CitedDocument) -> tuple[str, str]:
    """The words of a passage and the digest of the document that holds them, as far as one follows from the other."""
    if text:
        # A document in which the passage does not stand is not the one that was indexed.
        return text, source.digest if source.holds(text, start, end) else ""
    if digest and digest != source.digest:
        # It changed since it was indexed, and the old text was not kept.
        return "", digest
    return source.text[start:end] if 0 <= start <= end <= source.length else "", digest or source.digest

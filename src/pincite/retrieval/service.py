"""The citation service: from what was found to where it stands, how that is written, and whether it still holds."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from os import fspath
from time import perf_counter
from uuid import UUID

from .. import styles
from ..errors import Missing, Refused
from ..limits import LIMITS, Limits
from .events import Events
from .journal import Journal
from .model import CODE_POINTS, Citation, CitationCreated, CitationMissing, CitationStale, CitationStyle, SearchHit
from .model import Status as _Status
from .sources import Opening, Source, Sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike
    from typing import Literal

    from .events import Handler
    from .journal import AnyLogger
    from .model import Chunk, SourceDocument, Validation

    Finder = Callable[[Citation], str | None]

UNKNOWN = -1
"""The offset of a passage whose place is not known."""
_INLINE, _FOOTNOTE, _MARKDOWN = CitationStyle.INLINE, CitationStyle.FOOTNOTE, CitationStyle.MARKDOWN
_STYLES = {style.value: style for style in CitationStyle}
_SHORT = 8
_REMEMBERED = 1024
"""Of how many documents the spelling is kept: what has to be escaped is the same for all their citations."""


class CitationService:
    """Creates, writes and checks citations. Documents are read below `root` alone, where one is given.

    `formatting="path-only"` writes the path of a citation and nothing else, whatever the style. `finder` is asked where
    a document went that is no longer there. Safe to use from several threads.
    """

    def __init__(
        self,
        root: str | PathLike[str] | None = None,
        *,
        formatting: Literal["full", "path-only"] = "full",
        parallel: int = 4,
        finder: Finder | None = None,
        logger: AnyLogger | None = None,
        limits: Limits = LIMITS,
    ) -> None:
        if formatting not in ("full", "path-only"):
            raise ValueError(f"formatting: {formatting!r} is no such capability; expected 'full' or 'path-only'")
        if parallel < 1:
            raise ValueError(f"parallel: {parallel} documents at once are none; expected 1 or more")
        self.formatting = formatting
        self.parallel = parallel
        self._finder = finder
        self._journal = Journal(logger)
        self._events = Events(self._journal)
        self._sources = Sources(root, limits)

    def subscribe(self, handler: Handler, *kinds: type) -> Callable[[], None]:
        """Have `handler` called with every event of these kinds (all where none is named); call the answer to stop."""
        return self._events.subscribe(handler, kinds)

    # Creating

    def create_citation(self, hit: SearchHit) -> Citation:
        """The citation of a hit, with the line it begins on where the document can be read; raises TypeError alone."""
        if not isinstance(hit, SearchHit):
            raise TypeError(f"hit: expected a SearchHit, not {type(hit).__name__}")
        return self._create((hit,), {hit.document.file_path: [0]})[0]

    def create_citations(self, hits: Iterable[SearchHit]) -> tuple[Citation, ...]:
        """The citations of hits, in their order; every document is looked at once."""
        given = list(hits)
        by_path: dict[str, list[int]] = {}
        for at, hit in enumerate(given):
            if not isinstance(hit, SearchHit):
                raise TypeError(f"hits[{at}]: expected a SearchHit, not {type(hit).__name__}")
            path = hit.document.file_path
            if path in by_path:
                by_path[path].append(at)
            else:
                by_path[path] = [at]
        return tuple(self._create(given, by_path))

    def _create(self, hits: Sequence[SearchHit], by_path: dict[str, list[int]]) -> list[Citation]:
        """The citations of hits whose places are given by document."""
        made: list[Citation] = [_NONE] * len(hits)
        cite = self._tell if self._journal.loud else self._cite
        with self._sources.opening() as opening:
            for path, places in by_path.items():
                cite(hits, places, self._look(path, opening), made)
        if self._events.wanted:
            for citation in made:
                self._events.publish(CitationCreated(citation, datetime.now(UTC)))
        return made

    def calculate_line_number(self, path: str | PathLike[str], offset: int) -> int | None:
        """The line, from 1, on which the code point at `offset` stands; None with a warning where there is none."""
        name = fspath(path)
        with self._sources.opening() as opening:
            source = self._look(name, opening)
        line = self._line(source, name, offset)
        if line is not None:
            self._journal.calculated(name, line, offset)
        return line

    def _look(self, path: str, opening: Opening) -> Source | Refused:
        """The document at a path, or why there is none."""
        if _is_pdf(path):
            return _NO_LINES
        try:
            return self._sources.get(path, opening)
        except Refused as refused:
            return refused

    def _tell(
        self, hits: Sequence[SearchHit], places: list[int], source: Source | Refused, made: list[Citation]
    ) -> None:
        """Create citations one by one, and log what is done."""
        for at in places:
            started = perf_counter()
            self._journal.creating(hits[at])
            self._cite(hits, [at], source, made)
            citation = made[at]
            if citation.line_number is not None:
                self._journal.calculated(citation.document_path, citation.line_number, citation.start_offset)
            self._journal.created(citation, (perf_counter() - started) * 1000)

    def _cite(
        self, hits: Sequence[SearchHit], places: list[int], source: Source | Refused, made: list[Citation]
    ) -> None:
        """Put the citations of those hits that are in this document into their places."""
        at = places[0]
        try:
            if not isinstance(source, Source):
                for at in places:
                    made[at] = self._cite_unread(hits[at].chunk, hits[at].document, source)
                return
            running = source.running() if len(places) > 1 else None
            if running is not None:
                places = sorted(places, key=lambda at: hits[at].chunk.start_offset)
            lines_of = source.lines.span if running is None else running.span
            for at in places:
                made[at] = self._cite_read(hits[at], source, lines_of)
        except Exception as error:
            self._journal.not_created(hits[at], error)
            raise

    def _cite_read(self, hit: SearchHit, source: Source, lines_of: Callable[[int, int], tuple[int, int]]) -> Citation:
        """The citation of a hit in a document that was read."""
        chunk = hit.chunk
        document = hit.document
        start = chunk.start_offset
        end = chunk.end_offset
        line: int | None
        last: int | None
        if chunk.unit != CODE_POINTS:
            start, end = self._converted(chunk, document, source)
        if 0 <= start < end <= source.length:
            line, last = lines_of(start, end)
        else:
            line, last = self._odd_lines(chunk, document, start, end, source)
        text = chunk.content
        digest = document.digest
        if not text or not digest:
            text, digest = _words(text, digest, start, end, source)
        return Citation(
            chunk_id=chunk.id,
            document_path=document.file_path,
            document_title=document.title or source.name,
            start_offset=start,
            end_offset=end,
            heading=chunk.heading or (chunk.headings[-1] if chunk.headings else None),
            line_number=line,
            indexed_at=document.indexed_at,
            relative_path=source.relative,
            end_line=last,
            page=chunk.page,
            text=text,
            document_digest=digest,
        )

    def _cite_unread(self, chunk: Chunk, document: SourceDocument, refused: Refused) -> Citation:
        """The citation of a hit in a document that gives no lines."""
        path, start, end = document.file_path, chunk.start_offset, chunk.end_offset
        if isinstance(refused, Missing):
            self._journal.not_found(path, start)
        elif refused is not _NO_LINES or chunk.page is None:
            self._journal.no_line(path, start, str(refused))
        if chunk.unit != CODE_POINTS:
            # Without the text there is no telling which code point is meant.
            start = end = UNKNOWN
        return Citation(
            chunk_id=chunk.id,
            document_path=path,
            document_title=document.title or path.rpartition("/")[2],
            start_offset=start,
            end_offset=end,
            heading=chunk.heading or (chunk.headings[-1] if chunk.headings else None),
            indexed_at=document.indexed_at,
            relative_path=None if refused.kind == "path-blocked" else self._sources.relative(path),
            page=chunk.page,
            text=chunk.content,
            document_digest=document.digest,
        )

    def _converted(self, chunk: Chunk, document: SourceDocument, source: Source) -> tuple[int, int]:
        """The offsets of a chunk in code points; unknown, with a warning, where there is no such place."""
        found = []
        for offset in (chunk.start_offset, chunk.end_offset):
            place = source.offsets.to_code_points(offset, chunk.unit)
            if place is None:
                reason = f"no character of the document begins there, counted in {chunk.unit}"
                self._journal.no_line(document.file_path, offset, reason)
                return UNKNOWN, UNKNOWN
            found.append(place)
        return found[0], found[1]

    def _odd_lines(
        self, chunk: Chunk, document: SourceDocument, start: int, end: int, source: Source
    ) -> tuple[int | None, int | None]:
        """First and last line of a passage that is empty or does not lie in the document."""
        path = document.file_path
        if start == UNKNOWN and chunk.unit != CODE_POINTS:
            # It was told when the offsets were converted.
            return None, None
        if end < start:
            self._journal.no_line(path, start, "the passage ends before it begins")
            return None, None
        line = self._line(source, path, start)
        if line is not None and end > source.length:
            self._journal.too_far(path, end, source.length)
            return line, None
        return line, line

    def _line(self, source: Source | Refused, path: str, offset: int) -> int | None:
        """The line of any offset in any document; None with a warning where there is none."""
        if isinstance(source, Missing):
            self._journal.not_found(path, offset)
        elif not isinstance(source, Source):
            self._journal.no_line(path, offset, str(source))
        elif offset < 0:
            self._journal.no_line(path, offset, "an offset is never negative")
        elif offset >= source.length:
            self._journal.too_far(path, offset, source.length)
        else:
            return source.lines.line(offset)
        return None

    # Writing

    def format_citation(self, citation: Citation, style: CitationStyle | str) -> str:
        """The citation in a style, given as such or by its name; raises ValueError for one that is not known."""
        return self._format(citation, style, "")

    def format_citations(self, citations: Iterable[Citation], style: CitationStyle | str) -> tuple[str, ...]:
        """Citations of one document, in their order, with footnote labels that tell different passages apart."""
        given = tuple(citations)
        return tuple([self._format(*each) for each in zip(given, [style] * len(given), labels(given), strict=True)])

    def labels(self, citations: Iterable[Citation]) -> tuple[str, ...]:
        """The footnote label of each citation: 8 hex digits of its passage's id, more where two passages share them."""
        return labels(tuple(citations))

    def _format(self, citation: Citation, style: CitationStyle | str, label: str) -> str:
        if not isinstance(citation, Citation):
            raise TypeError(f"citation: expected a Citation, not {type(citation).__name__}")
        if isinstance(style, str):
            style = _STYLES.get(style) or style
        if self._journal.debugging:
            self._journal.formatting(citation, str(getattr(style, "value", style)))
        path = citation.document_path
        if self.formatting == "path-only" and isinstance(style, CitationStyle):
            return path
        if style is _INLINE:
            return _inline(path, citation.heading)
        line = citation.line_number
        if line is not None and line <= 0:
            line = None
        if style is _FOOTNOTE:
            written = f"[^{label or f'{citation.chunk_id.int >> 96:08x}'}]: {_footnote_path(path)}"
            return written if line is None else f"{written}:{line}"
        if style is _MARKDOWN:
            written = _link(citation.document_title, path)
            return written if line is None else f"{written[:-1]}#L{line})"
        raise ValueError(f"style: {style!r} is not known; expected {', '.join(_STYLES)}")

    # Checking

    async def validate_citation(self, citation: Citation) -> bool:
        """Whether the passage still stands as it was cited."""
        return (await self.validate(citation)).ok

    async def validate(self, citation: Citation) -> Validation:
        """What became of a citation; the document is read beside the event loop."""
        return (await self.validate_all((citation,)))[0]

    async def validate_all(self, citations: Iterable[Citation]) -> tuple[Validation, ...]:
        """What became of each citation, in their order; `parallel` documents at once, each read once."""
        from asyncio import TaskGroup, get_running_loop

        given = tuple(citations)
        waiting = iter(_grouped(given))
        found: dict[int, Validation] = {}
        loop = get_running_loop()

        async def work() -> None:
            for places in waiting:
                answers = await loop.run_in_executor(None, self._examine, [given[at] for at in places])
                for at, answer in zip(places, answers, strict=True):
                    found[at] = answer
                    self._announce(answer)

        async with TaskGroup() as group:
            for _ in range(min(self.parallel, len(given))):
                group.create_task(work())
        return tuple([found[at] for at in range(len(given))])

    def check(self, citation: Citation) -> Validation:
        """What became of a citation, without an event loop."""
        return self.check_all((citation,))[0]

    def check_all(self, citations: Iterable[Citation]) -> tuple[Validation, ...]:
        """What became of each citation, in their order, without an event loop; each document is read once."""
        given = tuple(citations)
        found: dict[int, Validation] = {}
        for places in _grouped(given):
            for at, answer in zip(places, self._examine([given[at] for at in places]), strict=True):
                found[at] = answer
        answers = tuple([found[at] for at in range(len(given))])
        if self._events.wanted:
            for answer in answers:
                self._announce(answer)
        return answers

    def _examine(self, citations: Sequence[Citation]) -> list[Validation]:
        """What became of citations of one document."""
        from .validity import examine

        with self._sources.opening() as opening:
            return examine(citations, self._sources, opening, self._find)

    def _find(self, citation: Citation) -> str | None:
        """Where the finder says that a document went; None where it cannot tell or fails."""
        if self._finder is None:
            return None
        try:
            return self._finder(citation)
        except Exception as error:
            self._journal.finder_failed(citation.document_path, error)
            return None

    def _announce(self, answer: Validation) -> None:
        if answer.status is _Status.STALE:
            self._events.publish(CitationStale(answer, datetime.now(UTC)))
        elif answer.status is _Status.MISSING:
            self._events.publish(CitationMissing(answer, datetime.now(UTC)))


_NO_LINES = Refused("a PDF has pages and no lines")
_NONE = Citation(chunk_id=UUID(int=0), document_path="", document_title="", start_offset=UNKNOWN, end_offset=UNKNOWN)
"""Where no citation was made yet."""


@lru_cache(_REMEMBERED)
def _inline(path: str, heading: str | None) -> str:
    return styles.inline(path.rpartition("/")[2], heading)


@lru_cache(_REMEMBERED)
def _footnote_path(path: str) -> str:
    return styles.footnote_path(path)


@lru_cache(_REMEMBERED)
def _link(title: str, path: str) -> str:
    return styles.link(title, path, None)


def labels(citations: Sequence[Citation]) -> tuple[str, ...]:
    """For each citation the first hex digits of its passage's id: 8, or as many as tell it from the others."""
    from itertools import pairwise

    names = [citation.chunk_id.hex for citation in citations]
    lengths = dict.fromkeys(names, _SHORT)
    if len({name[:_SHORT] for name in lengths}) < len(lengths):
        for one, other in pairwise(sorted(lengths)):
            needed = next(at for at in range(len(one)) if one[at] != other[at]) + 1
            lengths[one] = max(lengths[one], needed)
            lengths[other] = max(lengths[other], needed)
    return tuple([name[: lengths[name]] for name in names])


def _words(text: str, digest: str, start: int, end: int, source: Source) -> tuple[str, str]:
    """The words of a passage and the digest of the document that holds them, as far as one follows from the other."""
    inside = 0 <= start <= end <= source.length
    if text:
        # A document in which the passage does not stand is not the one that was indexed.
        return text, source.digest if inside and source.text[start:end] == text else ""
    if digest and digest != source.digest:
        # It changed since it was indexed, and nobody kept what stood there.
        return "", digest
    return source.text[start:end] if inside else "", digest or source.digest


def _grouped(citations: Sequence[Citation]) -> list[list[int]]:
    """The places of citations of the same document."""
    by_path: dict[str, list[int]] = {}
    for at, citation in enumerate(citations):
        if not isinstance(citation, Citation):
            raise TypeError(f"citations[{at}]: expected a Citation, not {type(citation).__name__}")
        by_path.setdefault(citation.document_path, []).append(at)
    return list(by_path.values())


def _is_pdf(path: str) -> bool:
    return path[-4:].lower() == ".pdf"

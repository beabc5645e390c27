"""An engine for texts that are tried out: of a document it follows only the citations that an edit can matter to."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...core.errors import Refused
from ...core.model import Report, Span, Verdict
from ...dialects import get_capabilities
from ...search.claims.claim import ABOVE, BELOW, PARAGRAPH_ABOVE, may_introduce
from ...text.document import Document
from ...text.lines import line_starts, position
from ...text.markdown import ends_block_quote
from ..drift.quotes import MOST_LINES
from ..drift.sentence import read_sentence
from ..pipeline import Engine
from .edits import apply_edits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ...core.model import Citation, Edit


class TouchedLines:
    """What some edits can matter to: the lines they rewrite, and citations whose sentence reads otherwise with them.

    What history knows of a citation it knows by the text of its line. So an edit of another line changes neither the
    witness of a citation nor what is found from there; it may change what the sentence around the citation says.
    """

    def __init__(self, document: str, text: str, edits: Sequence[Edit]) -> None:
        starts = line_starts(text)
        lines: set[int] = set()
        self._all = False
        """Whether edits add or remove lines: then no line is known by its number."""
        for edit in edits:
            span = edit.span
            lines.update(range(position(starts, span.start)[0], position(starts, span.end)[0] + 1))
            self._all |= len(line_starts(text[span.start : span.end])) != len(line_starts(edit.replacement))
        self._lines = sorted(lines)
        self._old, self._new = Document(document, text), Document(document, apply_edits(text, edits))
        self._introducing = [] if self._all else [line for line in self._lines if self._may_introduce(line)]
        """Those that can matter to citations far below them: headings, and what introduces a list."""
        self._known: dict[tuple[int, int], bool] = {}

    def concern(self, document: Document, citation: Citation) -> bool:
        """Whether some of the edits can change what is found about a citation of the document, in one of its texts."""
        if self._all:
            return True
        line, column = document.position(citation.span.start)
        last = document.position(max(citation.span.start, citation.span.end - 1))[0]
        if self._has(line, last):
            return True
        quotes = get_capabilities(citation.dialect).ends_block_quotes and self._has(line - MOST_LINES, line)
        if quotes and ends_block_quote(document.text, citation.span.start):
            # What is quoted above such a citation is held against the lines that it cites.
            return True
        near = self._has(line - PARAGRAPH_ABOVE, last + BELOW)
        if citation.lines is None or not (near or _has_between(self._introducing, line - ABOVE, line)):
            return False
        if (line, column) not in self._known:
            length = citation.span.end - citation.span.start
            self._known[line, column] = self._reads_otherwise(citation, line, column, length)
        return self._known[line, column]

    def _may_introduce(self, line: int) -> bool:
        texts = (document.line_of(document.starts[line - 1]) for document in (self._old, self._new))
        return any(may_introduce(self._old.path, text) for text in texts)

    def _has(self, first: int, last: int) -> bool:
        """Whether an edit rewrites one of these lines."""
        return _has_between(self._lines, first, last)

    def _reads_otherwise(self, citation: Citation, line: int, column: int, length: int) -> bool:
        """Whether the sentence of a citation on an unchanged line says something else once all edits are made."""
        found = []
        for document in (self._old, self._new):
            start = document.starts[line - 1] + column - 1
            found.append(read_sentence(document, replace(citation, span=Span(start, start + length))))
        return found[0] != found[1]


def _has_between(lines: Sequence[int], first: int, last: int) -> bool:
    """Whether one of some lines, which are in order, is among others."""
    at = bisect_left(lines, first)
    return at < len(lines) and lines[at] <= last


class DraftEngine(Engine):
    """Judges a text as other engines do, and fewer of its citations where that is all that is asked for."""

    def learn_from(self, other: Engine) -> None:
        """Use the files that another engine has read, and what its judge of sentences knows of them."""
        self.share(other.world)
        self._sentences = other._sentences

    def check_touched(self, path: str, data: bytes, touched: TouchedLines, edits: bool = True) -> Iterable[Report]:
        """What `draft_parts` gives; of citations that are not touched, only what is said without following them."""
        if self._has_records(path):
            return self.draft_parts(path, data, edits)
        if self._follower is not None and self._follower.history is not None:
            self._follower.history.draft = path
        return self._check_touched(path, data, touched, edits)

    def check_some(self, places: Mapping[str, Collection[tuple[int, int]]]) -> Iterator[Report]:
        """The verdicts on the citations of some documents that begin at the given lines and columns.

        History is asked about all of them at once. A document that cannot be read is left out.
        """
        waiting = []
        root = self.world.root
        for path, wanted in places.items():
            try:
                found = self.examine(path, root.read(path, root.limits.document_bytes))
            except Refused:
                continue
            position = found.document.position
            if not self._has_records(path):
                found.rows = [row for row in found.rows if position(row.citation.span.start) in wanted]
            waiting.append(found)
        if self._follower is not None:
            self._follower.look_ahead([(found.document, found.rows) for found in waiting], self.world)
        yield from map(self.conclude, waiting)

    def _has_records(self, path: str) -> bool:
        """Whether citations of a document were locked or accepted: then all of them are matched with that at once."""
        return self._follower is not None and self._follower.has_records(path)

    def _check_touched(self, path: str, data: bytes, touched: TouchedLines, edits: bool) -> Iterator[Report]:
        for found in self.examine_parts(path, data):
            document, rows = found.document, found.rows
            document.offers_edits = edits
            found.rows = [row for row in rows if touched.concern(document, row.citation)]
            followed = {id(row) for row in found.rows}
            report = self.conclude(found)
            verdicts = iter(report.verdicts)
            report.verdicts = tuple(
                [
                    next(verdicts)
                    if id(row) in followed
                    else Verdict(row.citation, *document.position(row.citation.span.start), row.findings)
                    for row in rows
                    if id(row) not in found.others
                ]
            )
            yield report

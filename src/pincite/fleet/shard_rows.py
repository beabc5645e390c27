"""Reports of a run as rows: one for every citation, counted as the summary of the run counts them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..safe.escape import whole
from .shard_records import MALFORMED, MALFORMED_CHECK, MOST_TEXT, ShardRow, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core.model import Defect, Report, Verdict


class RowMaker:
    """Makes rows of one run; the parts of a document come one after the other."""

    def __init__(self, place: str) -> None:
        """`place` is where the files lie now, which no row may tell."""
        self._place = place.rstrip("/") + "/"
        self._seen: Counter[str] = Counter()
        """How often each citation stood in the document so far."""

    def make(self, report: Report) -> Iterator[ShardRow]:
        """The rows of a report."""
        document = shorten(whole(report.document), 1000)
        for verdict in report.verdicts:
            yield self._make_row(document, verdict)
        for defect in report.malformed:
            yield self._make_malformed(document, defect)
        if not report.more:
            self._seen.clear()

    def _make_row(self, document: str, verdict: Verdict) -> ShardRow:
        citation = verdict.citation
        written = shorten(whole(citation.raw))
        every = (*verdict.findings, *verdict.silenced)
        if not every:
            return ShardRow(document, verdict.line, written, self._count(written), citation.dialect, 0, "", "")
        # Of several findings the one that decides is told, the first of those that are as bad.
        worst = max(every, key=lambda finding: finding.outcome)
        return ShardRow(
            document,
            verdict.line,
            written,
            self._count(written),
            citation.dialect,
            int(worst.outcome),
            worst.check,
            self.clean(worst.message),
            int(verdict.severity) if verdict.findings else -1,
        )

    def _make_malformed(self, document: str, defect: Defect) -> ShardRow:
        malformed = defect.malformed
        written, reason = shorten(whole(malformed.raw)), self.clean(malformed.reason)
        number = self._count(written)
        return ShardRow(
            document, defect.line, written, number, malformed.dialect, MALFORMED, MALFORMED_CHECK, reason, 2
        )

    def clean(self, text: str, most: int = MOST_TEXT) -> str:
        """A text that can be sent, of bounded length and without the place of this moment."""
        text = whole(text.replace(self._place, ""))
        return text if len(text) <= most else f"{text[: most - 1]}…"

    def _count(self, written: str) -> int:
        number = self._seen[written]
        self._seen[written] += 1
        return number

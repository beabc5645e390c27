"""Blocks: documents that wait for one question to history."""

from collections.abc import Iterator

from ..checks import CheckedCitation
from ..core.model import Report
from ..text.evidence import Evidence
from .document_parts import is_plain
from .drift.follow import Follower
from .pipeline import Engine, VerifiedDocument

_MOST_WAITING = 1000
_MOST_ROWS = 16_000
"""Citations that may wait for one question to history."""
_GONE = VerifiedDocument.of(Report(""))


class DocumentBatch:
    """Documents that wait until history, where there is one, is worth asking about all of them at once."""

    def __init__(self, engine: Engine, follower: Follower) -> None:
        self._engine = engine
        self._follower = follower
        self._waiting: list[VerifiedDocument] = []
        self._sources: set[int] = set()
        self._bytes = self._rows = 0
        self._held = self._compared = 0
        """What holds, and was compared with history, in parts of a document that had nothing to say."""

    def add(self, path: str, data: bytes) -> Iterator[tuple[Report, tuple[str, ...]]]:
        """Examine one more document; one of many citations is reported in parts, after all that waited."""
        self._bytes += len(data)
        for found in self._engine.examine_parts(path, data):
            self._waiting.append(found)
            self._rows += len(found.rows)
            if self._follower.history is not None:
                self._weigh(found.rows)
            if found.report.more:
                yield from self.conclude()

    def _weigh(self, rows: list[CheckedCitation]) -> None:
        for row in rows:
            evidence = row.evidence
            if isinstance(evidence, Evidence) and id(evidence.data) not in self._sources:
                self._sources.add(id(evidence.data))
                self._bytes += len(evidence.data)

    def put(self, report: Report) -> None:
        """Let a report that depends on nothing wait for its turn."""
        self._waiting.append(VerifiedDocument.of(report))

    def is_full(self) -> bool:
        """Whether enough documents or citations wait, or so much text that it would fill memory."""
        if self._follower.history is None:
            return True
        most = self._engine.world.root.limits.waiting_bytes
        return len(self._waiting) >= _MOST_WAITING or self._rows >= _MOST_ROWS or self._bytes > most

    def conclude(self) -> Iterator[tuple[Report, tuple[str, ...]]]:
        """The reports in order, with the keys each depended on; the block is empty afterwards."""
        waiting, self._waiting, self._sources, self._bytes, self._rows = self._waiting, [], set(), 0, 0
        self._follower.look_ahead([(found.document, found.rows) for found in waiting], self._engine.world)
        for at, found in enumerate(waiting):
            waiting[at] = _GONE
            report, touched = self._engine.conclude(found), found.touched
            del found
            report.held += self._held
            report.compared += self._compared
            counts_only = report.more and is_plain(report)
            self._held, self._compared = (report.held, report.compared) if counts_only else (0, 0)
            if not counts_only:
                yield report, () if report.more else tuple(touched)

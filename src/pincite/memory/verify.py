"""Verifying memories: every citation through the shared engine, the answer in this domain's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..extract.memory import as_citation
from ..model import Obstacle, Severity
from ..pipeline import Engine
from .model import Result, Stale

if TYPE_CHECKING:
    from ..document import Document
    from ..head import Entry
    from ..safe.files import Root
    from .model import Memory


class Verifier:
    """Verifies memories one after the other; what they cite is read once."""

    def __init__(self, root: Root) -> None:
        self._engine = Engine(root)

    def verify(self, memory: Memory) -> Result:
        """What is true of a memory's citations; its confidence is the share that holds, as stated where it has none."""
        if memory.head is None or memory.document is None:
            return Result(memory.id, memory.key, (), memory.confidence)
        stale: list[Stale] = []
        warnings = list(memory.head.warnings)
        holds: list[bool] = []
        for entry in memory.head.citations:
            reason = self._verify_entry(memory.document, entry, warnings)
            holds.append(reason is None)
            if reason is not None:
                stale.append(Stale(entry.path, entry.line, entry.snippet, reason))
        confidence = sum(holds) / len(holds) if holds else memory.confidence
        return Result(memory.id, memory.key, tuple(holds), confidence, tuple(stale), tuple(warnings))

    def _verify_entry(self, document: Document, entry: Entry, warnings: list[str]) -> str | None:
        """Why a citation is stale, or None; what is only doubtful becomes a warning."""
        citation = as_citation(document.text, entry)
        settled = self._engine.settle(document, citation)
        if settled is None:
            settled = citation, Obstacle("file-not-found", entry.path)
        reason = None
        for finding in self._engine.verify(document, *settled):
            # Without a line a file only has to exist: a snippet that could not be looked for is a mere warning.
            doubtful = entry.line is None and finding.check == "file-unreadable"
            if finding.severity is Severity.ERROR and not doubtful:
                reason = reason or finding.message
            elif finding.severity >= Severity.WARNING:
                target = entry.path if entry.line is None else f"{entry.path}:{entry.line}"
                warnings.append(f"{target}: {finding.message}")
        return reason

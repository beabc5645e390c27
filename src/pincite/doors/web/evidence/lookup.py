"""One citation with all that its evidence is looked up by: the project, an engine, its document, its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ....core.errors import Refused, Unreadable
from ....text.document import Document
from ....text.lines import decode

if TYPE_CHECKING:
    from ....core.model import Finding, Place, Verdict
    from ....engine.pipeline import Engine
    from ....project.project import Project
    from ..records import CitationRow


class EvidenceLookup(NamedTuple):
    """What the modules of this room are given."""

    project: Project
    engine: Engine
    document: Document
    row: CitationRow
    verdict: Verdict

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them, also those that are not reported."""
        return (*self.verdict.findings, *self.verdict.silenced)

    @property
    def place(self) -> Place | None:
        """Where a finding says that the cited text stands now."""
        return next((one.place for one in self.findings if one.place is not None), None)

    @property
    def is_current(self) -> bool:
        """Whether the document still has the citation where the verdict says."""
        span = self.verdict.citation.span
        return self.document.text[span.start : span.end] == self.verdict.citation.raw


def read_document(project: Project, engine: Engine, path: str) -> Document:
    """A document as the engine reads it; one without text where it cannot be read any more."""
    try:
        text = decode(engine.world.read_document(path))
    except (Refused, Unreadable):
        text = ""
    config = project.config
    document = Document(path, text, config.in_code, config.memories, project.root.path)
    document.instructions = config.instructions
    return document

"""Where the citations of a document lead, in the tree as it is or as it will be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..core.errors import Refused
from ..core.model import Citation, Obstacle, SourceRef, Span
from ..dialects import extract
from ..text.document import Document
from ..text.lines import decode, join
from .acceptance import name_place
from .resolution import THERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..checks import CheckedCitation
    from .pipeline import Engine

_SCHEMES = frozenset(("file", "section", "symbol", "path", "permalink", "target"))
"""Sources that are files of the work tree."""


class LedCitation(Struct, frozen=True, gc=False):
    """A citation that leads to a file or folder."""

    citation: Citation
    cited: str
    """The path, as the citation has it; through a link it is another one than the file's own."""
    place: str
    """The path of the file or folder itself."""
    target: str
    """The cited place, as records of acceptances and of the lock have it."""

    @property
    def selectors(self) -> tuple[object, ...]:
        """What it cites there."""
        one = self.citation
        name = one.source.key.partition("::")[2] if one.source.scheme == "symbol" else ""
        return one.dialect, one.source.scheme, one.lines, one.section, name


class LedDocument:
    """A text under the name of a document, with its citations read and settled in one tree."""

    def __init__(self, engine: Engine, path: str, data: bytes) -> None:
        config = engine.config
        self.document = Document(path, decode(data), config.in_code, config.memories, engine.world.root.path)
        self.document.instructions = config.instructions
        self.rows = engine.examine(path, data).rows
        self.led = [one for row in self.rows if (one := _lead(engine, row)) is not None]
        self._engine = engine
        self._written: dict[Span, Citation] | None = None

    def list_ambiguous(self, after: Callable[[str], str]) -> list[CheckedCitation]:
        """The citations that fit several files, of which one changes its name."""
        return [
            row
            for row in self.rows
            if isinstance(row.evidence, Obstacle)
            and row.evidence.kind == "file-ambiguous"
            and any(after(path) != path for path in row.evidence.paths)
        ]

    def by_start(self) -> dict[int, LedCitation]:
        """The citations by where they begin."""
        return {one.citation.span.start: one for one in self.led}

    def count(self) -> int:
        """How many citations are written, whether or not they lead anywhere."""
        return len(self._extract())

    def find_written(self, span: Span) -> Citation | None:
        """The citation that is written there, as it is before one of its readings is chosen."""
        return self._extract().get(span)

    def _extract(self) -> dict[Span, Citation]:
        if self._written is None:
            items = extract(self.document, self._engine.dialects)
            self._written = {item.span: item for item in items if isinstance(item, Citation)}
        return self._written


def choose_reading(settled: Citation, written: Citation, elsewhere: Citation) -> Citation:
    """A citation as it is read in a document of another name, in the reading that was meant.

    `written` is how it is read before the rename, `elsewhere` how afterwards, neither with a choice made between the
    path from the root and that from the document's folder.
    """
    second = bool(written.alternate) and settled.source.key == written.alternate != written.source.key
    if second and elsewhere.alternate:
        return replace(elsewhere, source=SourceRef(elsewhere.source.scheme, elsewhere.alternate))
    return elsewhere


def _lead(engine: Engine, row: CheckedCitation) -> LedCitation | None:
    """Where a citation leads; None where that is no file of the work tree."""
    citation, evidence = row.citation, row.evidence
    if citation.source.scheme not in _SCHEMES:
        return None
    if not isinstance(evidence, Obstacle):
        key = evidence.source.key if evidence.source.scheme in ("file", "path") else ""
    elif evidence.kind in THERE:
        key = citation.source.key.partition("::")[0]
        key = key.partition("@")[2].partition(":")[2] if citation.source.scheme == "permalink" else key
    else:
        return None
    key = join("", key) if key else ""
    try:
        return LedCitation(citation, key, engine.world.root.locate(key), name_place(row)) if key else None
    except Refused:
        return None

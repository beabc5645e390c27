"""The evidence behind one citation that was typed, with what the checks say of it: what `pincite show` prints."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..core.errors import UsageError
from ..core.model import Citation, Finding, Lines, Obstacle, Outcome, SourceRef, Span
from ..safe.escape import escape_text
from ..text.document import Document
from ..text.evidence import Evidence, SymbolEvidence
from .drift.follow import Follower
from .pipeline import Engine

if TYPE_CHECKING:
    from ..project.project import Project
    from ..safe.files import Root

CONTEXT = 3
"""Lines that are shown before and after the cited ones."""
_TYPED = re.compile(r"\s*([0-9a-f]{6,64})(?:(?::|†L?|#L)(\d{1,9})(?:[-–]L?(\d{1,9}))?)?\s*\Z", re.IGNORECASE)


class ShownEvidence(Struct, frozen=True):
    """A citation, the evidence behind it or why there is none, and what is wrong with it."""

    citation: Citation
    evidence: Evidence | Obstacle
    findings: tuple[Finding, ...]


def open_evidence_engine(project: Project) -> Engine:
    """An engine that finds evidence for `find_evidence`; close it after the evidence was shown."""
    return Engine(project.root, project.config, project.git, Follower())


def find_evidence(engine: Engine, text: str) -> ShownEvidence:
    """The evidence behind a citation written as in a document, or behind a path; raises UsageError where it is none."""
    document, found = _read_citation(engine, text)
    if found is None:
        raise UsageError(f"{text}: not a citation; write it as in a document, for example src/app.py:12")
    evidence = engine.world.find(found)
    if (found.alternate and isinstance(evidence, Obstacle)) or (evidence is None and engine.world.others is not None):
        settled = engine.settle(found, None)
        found, evidence = settled if settled is not None else (found, evidence)
    if evidence is None:
        if found.source.scheme in ("ref", "bibliography"):
            raise UsageError(f"{text}: there is no corpus here; `pincite corpus add` begins one")
        raise UsageError(f"{text}: points into another repository")
    if isinstance(evidence, SymbolEvidence):
        found = replace(found, lines=evidence.cited)
    # Where a citation stands in its document does not matter for one that was typed.
    findings = tuple(item for item in engine.verify(document, found, evidence) if item.outcome > Outcome.HOLDS)
    return ShownEvidence(found, evidence, findings)


def bound_excerpt(cited: Lines, total: int, before: int, after: int) -> Lines:
    """The lines that an excerpt shows: the cited ones with their neighbours, as far as they exist."""
    return Lines(max(1, cited.first - before), min(total, cited.last + after))


def list_excerpt(citation: Citation, evidence: Evidence, before: int, after: int) -> list[tuple[str, bool]]:
    """The lines of a file with their neighbours as rows, and of each row whether it counts; the first is the head."""
    if citation.lines is None:
        return [(f"{escape_text(citation.source.key)}: the file exists; no lines are cited", True)]
    lines, (first, last) = evidence.lines, (citation.lines.first, citation.lines.last)
    shown = bound_excerpt(citation.lines, len(lines), before, after)
    which = f"line{'s' * (first != last)} {citation.lines.text}"
    rows = [(f"{escape_text(evidence.source.key)}, {which} of {len(lines)}, sha256 {evidence.digest[:12]}", True)]
    for number in range(shown.first, shown.last + 1):
        cited = first <= number <= last
        row = f"{'>' if cited else ' '} {number:{len(str(shown.last))}} │ {escape_text(lines[number - 1])}"
        rows.append((row, cited))
    return rows


def _read_citation(engine: Engine, text: str) -> tuple[Document, Citation | None]:
    """The first citation in an argument; a bare path counts as one."""
    from ..dialects import extract

    document = Document("-", text, top=engine.world.root.path)
    if engine.world.others is not None:
        document.mirrored = engine.world.others.has
    if (chunk := _parse_typed_id(text, engine.world.root)) is not None:
        return document, chunk
    for item in extract(document, engine.dialects):
        if isinstance(item, Citation):
            return document, item
        raise UsageError(f"{item.raw}: malformed: {item.reason}")
    if "path:" in text:
        # A memory's citation, as it stands in the list or between braces.
        rows = "\n".join(f"    {row.strip()}" for row in text.strip().removeprefix("-").splitlines())
        document = Document("memory.md", f"---\ncitations:\n  - {rows.lstrip()}\n---\n")
        for item in extract(document, engine.dialects):
            if isinstance(item, Citation):
                return document, item
    if text.strip() and engine.world.root.is_file(text):
        return document, Citation("path-line", Span(0, len(text)), text, SourceRef("file", text))
    return document, None


def _parse_typed_id(text: str, root: Root) -> Citation | None:
    """An id of captured output as people type it, with or without lines; None for anything else and for a file."""
    match = _TYPED.match(text)
    if match is None or root.is_file(text) or root.is_file(match[1]):
        return None
    lines = Lines(int(match[2]), int(match[3] or match[2])) if match[2] else None
    if lines is not None and lines.last < lines.first:
        raise UsageError(f"{text}: the range ends before it starts")
    return Citation("bracket", Span(0, len(text)), text, SourceRef("chunk", match[1].lower()), lines)

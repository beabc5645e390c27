"""From a citation in a buffer to its evidence: the file, the lines, the page."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Lines, Obstacle
from ...engine.drift.follow import Follower
from ...engine.pipeline import Engine
from ...papers.cited_pages import cited_pages
from ...papers.evidence import PaperEvidence
from ...text.document import Document
from ...text.evidence import SymbolEvidence
from ...text.lines import decode, line_starts, position

if TYPE_CHECKING:
    from ...core.model import Citation, Verdict
    from ...project.project import Project
    from ...text.evidence import Evidence

_MOST_HEADED = 40
"""Lines that are taken for the beginning of a section."""


class CitedPage(Struct, frozen=True):
    """A page of a paper: what is printed on it as its number, and its lines."""

    page: str
    lines: tuple[str, ...]


class CitedEvidence(Struct, frozen=True):
    """What a citation leads to now."""

    path: str
    """The file, from the root; empty where it is none of the work tree."""
    lines: Lines | None
    text: tuple[str, ...] = ()
    """The cited lines."""
    title: str = ""
    """The title of a paper."""
    pages: tuple[CitedPage, ...] = ()


def read_document(project: Project, key: str, text: str) -> Document:
    """A buffer as the engine reads documents."""
    config = project.config
    document = Document(key, text, config.in_code, config.memories, project.root.path)
    document.instructions = config.instructions
    return document


def find_evidence(project: Project, document: Document, verdict: Verdict) -> CitedEvidence | None:
    """What a citation leads to; None where there is nothing to be seen."""
    with closing(Engine(project.root, project.config, project.git, Follower())) as engine:
        settled = engine.settle(verdict.citation, document)
        citation, evidence = settled or (verdict.citation, None)
        if evidence is None or isinstance(evidence, Obstacle):
            return None
        if isinstance(evidence, PaperEvidence):
            return _describe_paper(citation, evidence)
        path = _find_file(project, evidence)
        lines = citation.lines
        if isinstance(evidence, SymbolEvidence):
            lines = evidence.cited
        elif lines is None and citation.section and evidence.data:
            lines = _find_section(path, evidence, citation.section)
        return CitedEvidence(path, lines, tuple(evidence.block(lines)) if lines is not None else ())


def _describe_paper(citation: Citation, evidence: PaperEvidence) -> CitedEvidence:
    paper = evidence.paper
    pages = tuple(CitedPage(page, tuple(lines)) for page, _, lines in cited_pages(citation, evidence))
    about = ", ".join(part for part in ("; ".join(paper.authors), paper.year) if part)
    title = f"{paper.id}: {paper.title or 'untitled'}" + (f" ({about})" if about else "")
    return CitedEvidence(paper.path, None, (), title, pages)


def _find_file(project: Project, evidence: Evidence) -> str:
    """The file of the work tree that evidence was read from; empty where it comes from elsewhere."""
    key = evidence.source.key
    return key if evidence.source.scheme == "file" and project.root.is_file(key) else ""


def _find_section(path: str, evidence: Evidence, title: str) -> Lines | None:
    """The lines of a section from its heading on; None where no heading reads like that."""
    from ...search import passages

    kind = passages.find_kind(path)
    if kind is None or kind in passages.WITHOUT_HEADINGS:
        return None
    text = decode(evidence.data)
    starts = line_starts(text)
    rows = [(position(starts, one.start)[0], one.title) for one in passages.outline(kind, text, path)]
    wanted = _fold(title)
    first = next((row for row, name in rows if _fold(name) == wanted), 0)
    if not first:
        return None
    last = min((row for row, _ in rows if row > first), default=len(evidence.lines) + 1) - 1
    return Lines(first, max(first, min(last, first + _MOST_HEADED - 1)))


def _fold(title: str) -> str:
    return " ".join(title.casefold().split())

"""From a citation in a buffer to its evidence: the file, the lines, the page."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Lines, Obstacle
from ...engine.cited_lines import find_cited_lines
from ...engine.drift.follow import Follower
from ...engine.pipeline import Engine
from ...papers.cited_pages import cited_pages
from ...papers.evidence import PaperEvidence
from ...text.document import Document

if TYPE_CHECKING:
    from ...core.model import Citation, Verdict
    from ...project.project import Project
    from ...text.evidence import Evidence


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
    name: str = ""
    """What a file is called that is none of the work tree: one of a commit, or of another repository."""


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
        lines = find_cited_lines(citation, evidence)
        name = evidence.source.key if evidence.source.scheme in ("mirror", "permalink") else ""
        return CitedEvidence(path, lines, tuple(evidence.block(lines)) if lines is not None else (), name=name)


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

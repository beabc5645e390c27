"""From a citation to its evidence: which module of this room shows it."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....checks import passage_line
from ....core.model import Obstacle
from ....dialects import get_capabilities
from ....engine.shown_evidence import open_evidence_engine
from ....papers.evidence import PaperEvidence
from ....safe.escape import escape_text
from .absence import show_absence, show_nothing
from .code import show_lines
from .findings import list_findings
from .lookup import EvidenceLookup, read_document
from .output import show_output
from .paper import show_paper
from .passage import show_passage

if TYPE_CHECKING:
    from ..records import CitationRow
    from ..site import Site
    from .view import EvidenceCandidate, EvidenceView


def load_evidence(site: Site, row: CitationRow, page: int = 0) -> EvidenceView:
    """The evidence behind a citation as it is now; of a paper the given page, counted from 1, else the cited one."""
    verdict = site.documents.verdict(row)
    if verdict is None:
        reason = row.message or "this text cannot be read as a citation"
        return show_nothing(row.id, f"There is no evidence to look for: {reason}")
    with site.open() as project, closing(open_evidence_engine(project)) as engine:
        document = read_document(project, engine, row.document)
        lookup = EvidenceLookup(project, engine, document, row, verdict)
        view = replace(_find_view(site, lookup, page), findings=list_findings(project, document, verdict))
    return _link_cited_files(site, view)


def _link_cited_files(site: Site, view: EvidenceView) -> EvidenceView:
    """The view with those paths alone that have a page: what some document cites."""

    def keep(path: str) -> str:
        return path if path and site.documents.citing.find(path) else ""

    def link(candidates: tuple[EvidenceCandidate, ...]) -> tuple[EvidenceCandidate, ...]:
        return tuple(replace(one, path=keep(one.path)) for one in candidates)

    findings = tuple(replace(one, candidates=link(one.candidates)) for one in view.findings)
    return replace(view, path=keep(view.path), candidates=link(view.candidates), findings=findings)


def _find_view(site: Site, lookup: EvidenceLookup, page: int) -> EvidenceView:
    settled = lookup.engine.settle(lookup.verdict.citation, lookup.document)
    if settled is None:
        # A file that is gone is a citation by what history knows of it: the checks have said so.
        said = next((one for one in lookup.findings), None)
        obstacle = Obstacle("file-not-found", lookup.verdict.citation.source.key)
        view = show_absence(lookup, lookup.verdict.citation, obstacle)
        return replace(view, statement=escape_text(said.message)) if said is not None else view
    citation, evidence = settled
    if isinstance(evidence, Obstacle):
        return show_absence(lookup, citation, evidence)
    if isinstance(evidence, PaperEvidence):
        return show_paper(site, lookup, citation, evidence, page)
    if evidence.record is not None:
        return show_output(lookup, citation, evidence, evidence.record)
    if get_capabilities(citation.dialect).names_passages:
        line = passage_line(citation, evidence)
        if line is not None:
            return show_passage(lookup.row.id, evidence.source.key, evidence, line)
    return show_lines(lookup, citation, evidence)

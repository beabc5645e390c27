"""The citation of a passage in every style there is, or why a style cannot write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError
from ...safe.escape import escape_text
from ...write.cite.cited_place import CitePlaceRequest, cite_place
from ...write.cite.model import STYLES
from ...write.cite.proof import Proof
from ...write.passage_citations import STYLES as PASSAGE_STYLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...domains.retrieval.passage_search import PassageSearcher
    from ...project.project import Project
    from ...search.model import Citation


class StyledCitation(Struct, frozen=True):
    """A citation in one style."""

    style: str
    text: str
    """Empty where the style cannot write it."""
    refusal: str
    """Why it cannot; empty where it can."""


def write_styles(searcher: PassageSearcher, citation: Citation) -> tuple[StyledCitation, ...]:
    """A passage cited in every style: those of lines first, which were read back and hold, then those of passages."""
    found = _write_line_styles(searcher.index.project, citation) if citation.line_number is not None else []
    known = {one.style for one in found}
    for style in (*PASSAGE_STYLES, *searcher.index.config.retrieval.templates):
        if style not in known:
            found.append(_write_style(style, lambda style: searcher.write(citation, style)))
    return tuple(found)


def _write_line_styles(project: Project, citation: Citation) -> list[StyledCitation]:
    first, last = citation.line_number, citation.end_line or citation.line_number
    target = f"{citation.relative_path or citation.document_path}#L{first}-L{last}"
    proof = Proof(project.root, project.config, project.git)
    try:
        return [
            _write_style(style, lambda style: cite_place(project, proof, CitePlaceRequest(target, style)).text)
            for style in STYLES
        ]
    finally:
        proof.close()


def _write_style(style: str, write: Callable[[str], str]) -> StyledCitation:
    try:
        return StyledCitation(style, write(style), "")
    except PinciteError as error:
        return StyledCitation(style, "", escape_text(str(error)))

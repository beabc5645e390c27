"""What a user says of a paper: it is held to the forms of its fields, and counts before what a PDF says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import asdict, replace

from ...core.errors import UsageError
from ...papers.fields import WANTED, normal_doi, normal_url, normal_year
from ...papers.model import Paper
from .pdf_metadata import still_open, tidy

if TYPE_CHECKING:
    from .add import Draft


def describe_paper(
    title: str = "",
    url: str = "",
    relevance: str = "",
    authors: tuple[str, ...] = (),
    year: str = "",
    doi: str = "",
    option: str = "--",
) -> Paper:
    """A paper without an id; raises UsageError for a field that cannot mean anything, named with `option` before it."""
    for name, text, normal, wanted in (
        ("url", url, normal_url(url), WANTED["url"]),
        ("year", year, normal_year(year), WANTED["year"]),
        ("doi", doi, normal_doi(doi), WANTED["doi"]),
        ("title", title, tidy(title), "words"),
    ):
        if text and not normal:
            raise UsageError(f"{option}{name} {text}: expected {wanted}")
    return Paper(
        id="",
        title=tidy(title),
        authors=tuple(tidy(name) for said in authors for name in said.split(";") if tidy(name)),
        year=normal_year(year),
        doi=normal_doi(doi),
        url=normal_url(url),
        relevance=tidy(relevance),
    )


def apply_given(draft: Draft, given: Paper) -> Draft:
    """A draft with what the user says; what is said is not unsure any more."""
    said = {name: value for name, value in asdict(given).items() if value}
    unsure = tuple(name for name in draft.paper.unsure if name not in said)
    paper = replace(draft.paper, **said | {"unsure": unsure})
    return replace(draft, paper=paper, remarks=still_open(draft.remarks, given))


def show_example_citation(paper: Paper) -> str:
    """How a paper is cited, with its first page where it has pages."""
    first = paper.page_range.partition("-")[0] if paper.page_range else "1" if paper.total_pages else ""
    return f"[{paper.id}, p.{first}]" if first else f"[{paper.id}]"

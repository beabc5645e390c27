"""A PDF is sent, what would be added is shown and can be corrected, and only then is it written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ....core.errors import PinciteError, UsageError
from ....domains.corpus.add import AddedPaper, Adder, Duplicate, pdf_draft
from ....domains.corpus.given_paper import apply_given, describe_paper, show_example_citation
from ....domains.corpus.opening import open_corpus_of
from ....domains.corpus.pdf_metadata import tidy
from ....text.lines import can_encode
from ..records import Redirect, Upload
from ..routes import MEGABYTE, ActionRoute, NotFound, PageRoute, Refusal
from ..staged_papers import StagedPapers

if TYPE_CHECKING:
    from ....domains.corpus.add import Draft
    from ....papers.model import Paper
    from ..routes import PageContext
    from ..site import Site

_KEPT = "staged_papers"
_PDF_START = b"%PDF-"
_MOST_JUNK = 1024
"""Bytes that readers of PDFs allow before the first line of one."""
_LONGEST_NAME = 120
_LONGEST_FIELD = 2000


class UploadForm(Struct, frozen=True, forbid_unknown_fields=True):
    """A PDF."""

    pdf: tuple[Upload, ...] = ()


class PaperFields(Struct, frozen=True, forbid_unknown_fields=True):
    """What a reader says of a PDF that was sent; a field that is not given is as the PDF says."""

    key: str
    """Names the PDF that was sent."""
    id: str = ""
    """The id of the paper; empty for the next one."""
    title: str | None = None
    authors: str | None = None
    """Parted by `;`."""
    year: str | None = None
    doi: str | None = None
    relevance: str = ""
    sure: bool = False
    """Whether the reader has looked at the fields, also at those that the PDF does not say plainly."""


class StagedPaper(Struct, frozen=True):
    """What would be added."""

    key: str
    name: str
    """The name of the file that was sent."""
    size: int
    pages: int
    id: str
    given_id: str
    """The id that was asked for."""
    title: str
    authors: str
    year: str
    doi: str
    relevance: str
    unsure: tuple[str, ...]
    """Fields that a person still has to look at."""
    files: tuple[str, ...]
    """What would be written."""
    text: str
    """The corpus file."""
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]
    refusal: str
    """Why it cannot be added so; empty where it can."""


class AddedToCorpus(Struct, frozen=True):
    """What was written."""

    id: str
    title: str
    files: tuple[str, ...]
    remarks: tuple[str, ...]
    warnings: tuple[str, ...]
    example: str
    """How to cite it."""


def stage_paper(context: PageContext, form: UploadForm) -> Redirect:
    """Read a PDF in a process of its own, and keep it until it is confirmed; nothing is written."""
    if not form.pdf:
        raise Refusal(422, "choose a PDF first")
    if len(form.pdf) > 1:
        raise Refusal(422, "one PDF at a time; add the others afterwards")
    sent = form.pdf[0]
    if not sent.data:
        raise Refusal(422, "the file is empty; choose a PDF")
    if _PDF_START not in sent.data[:_MOST_JUNK]:
        raise Refusal(415, "the file is no PDF: it does not begin as one does")
    try:
        draft = pdf_draft(name_upload(sent.name), sent.data)
    except PinciteError as error:
        raise Refusal(422, f"the PDF cannot be read: {context.site.describe_error(error)}") from None
    with context.site.open() as project, open_corpus_of(project) as corpus:
        # Refuse here what could never be added, before a reader fills in a form.
        _plan(Adder(project.root, corpus), draft, "")
    key = _get_staged(context.site).add(draft)
    return Redirect(context.links.page("staged_paper", key=key))


def show_staged(context: PageContext, query: PaperFields) -> StagedPaper:
    """What would be written, with the fields as they are given."""
    draft = _find_draft(context.site, query.key)
    refusal = ""
    added: AddedPaper | None = None
    try:
        given = _apply_fields(draft, query)
        with context.site.open() as project, open_corpus_of(project) as corpus:
            added = _plan(Adder(project.root, corpus), given, query.id)
    except (Refusal, UsageError) as error:
        given, refusal = draft, str(error)
    paper = given.paper
    return StagedPaper(
        query.key,
        draft.origin,
        len(draft.pdf),
        paper.total_pages or 0,
        added.paper.id if added is not None else "",
        query.id,
        query.title if query.title is not None else paper.title,
        query.authors if query.authors is not None else "; ".join(paper.authors),
        query.year if query.year is not None else paper.year,
        query.doi if query.doi is not None else paper.doi,
        query.relevance,
        paper.unsure,
        added.files if added is not None else (),
        added.text if added is not None else "",
        added.remarks if added is not None else given.remarks,
        added.warnings if added is not None else (),
        refusal,
    )


def add_staged(context: PageContext, form: PaperFields) -> AddedToCorpus:
    """Write the paper into the corpus, which is begun where there is none."""
    site = context.site
    draft = _apply_fields(_find_draft(site, form.key), form)
    with site.writing, site.open() as project, open_corpus_of(project) as corpus:
        added = _plan(Adder(project.root, corpus), draft, form.id, write=True)
    _get_staged(site).drop(form.key)
    site.look_again()
    paper = added.paper
    return AddedToCorpus(
        paper.id, paper.title, added.files, added.remarks, added.warnings, show_example_citation(paper)
    )


def name_upload(name: str) -> str:
    """The name of a file that was sent: its last part, on one line and not too long."""
    last = tidy(name.replace("\\", "/").rpartition("/")[2])
    stem, _, ending = last.rpartition(".")
    return f"{(stem or ending)[:_LONGEST_NAME]}.pdf" if last.strip(".") else "paper.pdf"


def _plan(adder: Adder, draft: Draft, identity: str, write: bool = False) -> AddedPaper:
    try:
        return adder.add(draft, identity.strip(), write)
    except Duplicate as error:
        raise Refusal(409, f"not added: {error}") from None


def _apply_fields(draft: Draft, given: PaperFields) -> Draft:
    """A draft with what the reader changed; what was left as it is stays unsure unless they say that it is right."""
    paper = draft.paper
    before = {"title": paper.title, "authors": "; ".join(paper.authors), "year": paper.year, "doi": paper.doi}
    said = {name: before[name] if getattr(given, name) is None else getattr(given, name).strip() for name in before}
    for name, text in (*said.items(), ("relevance", given.relevance)):
        if len(text) > _LONGEST_FIELD:
            raise UsageError(f"{name}: longer than {_LONGEST_FIELD} characters; shorten it")
        if not can_encode(text):
            raise UsageError(f"{name}: holds characters that are no text")
    if not tidy(said["title"]):
        raise UsageError("title: expected words; a paper has to have one")
    emptied = {name: () if name == "authors" else "" for name, text in said.items() if before[name] and not text}
    if emptied:
        unsure = tuple(name for name in paper.unsure if name not in emptied)
        draft = replace(draft, paper=replace(paper, unsure=unsure, **emptied))
    fields = {name: text for name, text in said.items() if given.sure or text != before[name]}
    return apply_given(draft, _describe_fields(fields, given.relevance))


def _describe_fields(fields: dict[str, str], relevance: str) -> Paper:
    authors = (fields["authors"],) if fields.get("authors") else ()
    return describe_paper(
        fields.get("title", ""),
        relevance=relevance,
        authors=authors,
        year=fields.get("year", ""),
        doi=fields.get("doi", ""),
        option="",
    )


def _find_draft(site: Site, key: str) -> Draft:
    draft = _get_staged(site).find(key)
    if draft is None:
        raise NotFound("no such PDF: it was added already, or others were sent since; send it again")
    return draft


def _get_staged(site: Site) -> StagedPapers:
    staged: StagedPapers = site.kept.setdefault(_KEPT, StagedPapers())
    return staged


PAGES = (
    PageRoute(
        "staged_paper",
        "/corpus/add/{key}",
        "What would be added of a PDF that was sent",
        PaperFields,
        StagedPaper,
        show_staged,
        "staged_paper.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute(
        "stage_paper",
        "/corpus/add",
        "Send a PDF, to see what would be added",
        UploadForm,
        Redirect,
        stage_paper,
        most_bytes=64 * MEGABYTE,
    ),
    ActionRoute(
        "add_paper",
        "/corpus/add/{key}",
        "Add a PDF that was sent to the corpus",
        PaperFields,
        AddedToCorpus,
        add_staged,
        "added_paper.html",
    ),
)

"""What the corpus holds: its papers in a list, and all that is known of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import PinciteError, UsageError
from ...core.model import SourceRef
from ...papers.corpus_file import ID
from ...papers.evidence import PaperEvidence
from ...papers.model import Section
from ...papers.printed_pages import page_known, pdf_indexes
from ...papers.sections import sections_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...sources import Corpus


class NoSuchPaper(PinciteError):
    """There is no such paper, or it has no such page."""

    exit_code = 1


class PaperRow(Struct, frozen=True):
    """One paper in a list."""

    id: str
    year: str
    title: str
    pages: int | None
    page_range: str
    pdf: str | None
    """Its key; null where there is none."""
    quotes: int
    """Key quotes."""
    validated: int
    """Key quotes that were found on their page."""
    path: str
    problem: str = ""
    """Why it cannot be cited."""
    unsure: tuple[str, ...] = ()
    """Fields that a person still has to look at."""
    paper: str = ""
    """Of an entry of a bibliography: the paper of the corpus that has its DOI."""


class KeyQuoteRow(Struct, frozen=True):
    """A key quote."""

    quote: str
    page: str
    section: str
    validated: bool
    validation_date: str
    validator: str


class PaperDetails(Struct, frozen=True):
    """All that is known of one paper."""

    id: str
    path: str
    title: str
    authors: tuple[str, ...]
    year: str
    doi: str
    url: str
    relevance: str
    total_pages: int | None
    page_range: str
    sections: tuple[Section, ...]
    key_quotes: tuple[KeyQuoteRow, ...]
    pdf: str | None
    pdf_pages: int | None
    """How many pages the PDF has; null where it could not be read."""
    pdf_trouble: str
    """Why it could not be read."""
    problems: tuple[str, ...]
    digest: str
    """SHA-256 of the corpus file, or of the bibliography."""
    unsure: tuple[str, ...] = ()
    """Fields that a person still has to look at."""
    paper: str = ""
    """Of an entry of a bibliography: the paper of the corpus that has its DOI."""


class PageText(Struct, frozen=True):
    """The text of a page as the PDF has it."""

    id: str
    page: str
    valid: bool | None
    """Whether the paper has such a page; null where that is not known."""
    sections: tuple[str, ...]
    file: str
    indexes: tuple[int, ...]
    """Which pages of the file it is, counted from 1."""
    text: str


def rows(corpus: Corpus, ids: Sequence[str] | None = None) -> Iterator[PaperRow]:
    """Every id that has a corpus file, or these, in order; those that cannot be cited with the reason."""
    for identity in corpus.ids if ids is None else ids:
        found = corpus.find(identity)
        if not isinstance(found, PaperEvidence):
            yield PaperRow(identity, "", "", None, "", None, 0, 0, corpus.files(identity)[0], found.detail)
            continue
        paper = found.paper
        done = sum(kept.validated for kept in paper.key_quotes)
        pdf = corpus.pdf_key(paper) or None
        yield PaperRow(
            *(identity, paper.year, paper.title, paper.total_pages, paper.page_range, pdf),
            *(len(paper.key_quotes), done, paper.path, "", paper.unsure),
        )


def entry_rows(corpus: Corpus) -> Iterator[PaperRow]:
    """Every entry of the bibliographies, by its key."""
    for entry in corpus.list_entries():
        pdf = corpus.pdf_key(entry) or None
        yield PaperRow(
            *(f"@{entry.id}", entry.year, entry.title, entry.total_pages, entry.page_range, pdf, 0, 0, entry.path),
            paper=corpus.find_linked_paper(entry),
        )


def get_paper(corpus: Corpus, identity: str) -> PaperEvidence:
    """The paper with an id, however its letters are written, or the entry of a bibliography with a key, also as `@key`.

    Raises NotThere, or UsageError where the paper is in disorder.
    """
    name = identity.strip()
    identity = name.upper()
    entry = None if corpus.files(identity) else _find_entry(corpus, name.removeprefix("@"))
    found = entry if entry is not None else corpus.find(identity)
    if not isinstance(found, PaperEvidence):
        if found.kind != "not-in-corpus":
            raise UsageError(found.detail)
        where = f"paper in {corpus.folder}" if ID.fullmatch(identity) else "paper or entry of a bibliography"
        raise NoSuchPaper(f"{name}: no such {where}; `pincite corpus list` names those there are")
    return found


def _find_entry(corpus: Corpus, name: str) -> PaperEvidence | None:
    """The entry of a bibliography with a key; None where there is none."""
    entry = next((one for one in corpus.list_entries() if one.id == name), None)
    held = corpus.entries(entry.path) if entry is not None else ""
    if entry is None or isinstance(held, str):
        return None
    return PaperEvidence(SourceRef("bibliography", name), b"", entry, corpus, held.digest)


def show(corpus: Corpus, identity: str) -> PaperDetails:
    """All that is known of a paper or an entry; raises what `get_paper` raises."""
    found = get_paper(corpus, identity)
    paper = found.paper
    name = f"@{paper.id}" if found.source.scheme == "bibliography" else paper.id
    key = corpus.pdf_key(paper) or None
    pdf = corpus.pdf(paper) if key else None
    return PaperDetails(
        *(name, paper.path, paper.title, paper.authors, paper.year, paper.doi, paper.url, paper.relevance),
        *(paper.total_pages, paper.page_range),
        paper.sections,
        tuple(
            KeyQuoteRow(one.quote, one.page, one.section, one.validated, one.validation_date, one.validator)
            for one in paper.key_quotes
        ),
        key,
        len(pdf.pages) if pdf is not None else None,
        corpus.trouble(paper) if key else "",
        tuple(f"line {problem.line}: {problem.message}" for problem in paper.problems),
        found.digest,
        paper.unsure,
        corpus.find_linked_paper(paper) if name != paper.id else "",
    )


def show_page(corpus: Corpus, identity: str, page: str) -> PageText:
    """The text of a page, named as it is printed; raises NotThere where there is none."""
    paper = get_paper(corpus, identity).paper
    pdf = corpus.pdf(paper)
    if pdf is None:
        raise NoSuchPaper(f"{paper.id}: no text of its pages can be had: {corpus.trouble(paper)}")
    valid, held = page_known(paper, pdf, page)
    indexes = pdf_indexes(paper, pdf, page)
    if not indexes:
        why = f" ({held})" if held else ""
        raise NoSuchPaper(f"{paper.id}: there is no page {page} in its PDF{why}")
    text = "\n\f\n".join(pdf.pages[at] for at in indexes)
    sections = sections_at(paper, pdf, page)
    return PageText(paper.id, page, valid, sections, corpus.pdf_key(paper), tuple(at + 1 for at in indexes), text)

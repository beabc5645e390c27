"""Is the corpus itself in order? Everything in it that would make a check of citations say too much or too little."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.libraries import is_missing_library
from ...papers.corpus_file import paper_id
from ...papers.evidence import PaperEvidence
from ...papers.fields import fold_text
from ...papers.ids import EXPECTED
from ...papers.legibility import describe_faults
from ...papers.printed_pages import find_numbering, page_known
from ...papers.ranges import parse_ranges
from ...papers.same_work import are_parts, find_shared
from ...text.lines import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...papers.model import Paper
    from ...safe.files import Root
    from ...sources import Corpus

ERROR, WARNING, UNREADABLE = "error", "warning", "unreadable"
_MEANT = re.compile(r"ref[-_ ]?[0-9].*\.(?:md|pdf)", re.IGNORECASE | re.DOTALL)


class Fault(Struct, frozen=True):
    """Something that is not as it should be."""

    path: str
    line: int
    """0 where it is no matter of a line."""
    field: str
    severity: str
    """`error`, `warning`, or `unreadable` where something could not be looked at."""
    message: str


class CorpusCheck(Struct, frozen=True):
    """What looking at a whole corpus showed."""

    folder: str
    papers: int
    pdfs: int
    """How many of the papers have a PDF that could be read."""
    quotes: int
    validated: int
    faults: tuple[Fault, ...]

    def exit_code(self, strict: bool = False) -> int:
        """0 in order, 1 something is wrong, 2 something could not be read."""
        kinds = {fault.severity for fault in self.faults}
        if UNREADABLE in kinds:
            return 2
        return int(ERROR in kinds or (strict and WARNING in kinds))


def check(root: Root, corpus: Corpus) -> CorpusCheck:
    """Look at every file of a corpus."""
    faults: list[Fault] = []
    papers: list[Paper] = []
    pdfs = 0
    for identity in corpus.ids:
        found = corpus.find(identity)
        if isinstance(found, PaperEvidence):
            papers.append(found.paper)
            faults += _of_paper(corpus, found.paper)
            pdfs += corpus.pdf(found.paper) is not None
        elif found.kind == "paper-ambiguous":
            first = corpus.files(identity)[0]
            faults.append(
                Fault(first, 0, "id", ERROR, f"two files for {identity}: {found.detail}; give one another id")
            )
        else:
            key = corpus.files(identity)[0]
            faults.append(Fault(key, 0, "", UNREADABLE, found.detail.removeprefix(f"{key}: ")))
    faults += _of_names(root, corpus)
    faults += _of_doubles(papers)
    faults += _of_same_works(papers)
    faults += _of_same_files(corpus, papers)
    for key in corpus.bibliographies():
        faults += _of_bibliography(corpus, key)
    quotes = [kept for paper in papers for kept in paper.key_quotes]
    done = sum(kept.validated for kept in quotes)
    return CorpusCheck(corpus.folder, len(papers), pdfs, len(quotes), done, tuple(faults))


def _of_paper(corpus: Corpus, paper: Paper) -> Iterator[Fault]:
    """What is wrong with one paper: its file, its PDF, and whether the two fit."""
    for problem in paper.problems:
        yield Fault(paper.path, problem.line, problem.field, ERROR, problem.message)
    if not paper.title:
        yield Fault(paper.path, 0, "title", WARNING, "title: none is given")
    if paper.unsure:
        message = (
            f"unsure: {', '.join(paper.unsure)}: look at the paper, correct what is wrong, and take it off this list"
        )
        yield Fault(paper.path, 0, "unsure", WARNING, message)
    yield from _of_pages(paper)
    key = corpus.pdf_key(paper)
    pdf = corpus.pdf(paper) if key else None
    if key and pdf is None:
        trouble = corpus.trouble(paper).removeprefix(f"{key}: ")
        kind = WARNING if is_missing_library(trouble) else UNREADABLE
        yield Fault(key, 0, "pdf", kind, f"{paper.id}: the PDF cannot be read: {trouble}")
    if pdf is not None:
        count = len(pdf.pages)
        if unreadable := describe_faults(pdf.pages):
            yield Fault(key, 0, "pdf", WARNING, f"{paper.id}: {unreadable}")
        if paper.total_pages is not None and paper.total_pages != count:
            message = f"total_pages: expected {count} as in {key}, got {paper.total_pages}"
            yield Fault(paper.path, 0, "total_pages", ERROR, message)
        if paper.page_range and not find_numbering(paper.page_range, pdf).how:
            message = (
                f"page_range: {paper.page_range} does not fit {key}, which has {format_count(count, 'page')}"
                " and no such numbers on them: quotes cannot be looked up by page"
            )
            yield Fault(paper.path, 0, "page_range", ERROR, message)
    said = [(f"sections[{at}].pages", one.pages, f" ({one.name}) are") for at, one in enumerate(paper.sections)]
    said += [(f"key_quotes[{at}].page", one.page, " is") for at, one in enumerate(paper.key_quotes)]
    for field, pages, be in said:
        known, held = page_known(paper, pdf, pages) if pages else (None, "")
        if known is False:
            yield Fault(paper.path, 0, field, ERROR, f"{field}: {pages}{be} not in the paper ({held})")
    open_ = sum(not kept.validated for kept in paper.key_quotes)
    if open_:
        message = f"key_quotes: {open_} of {len(paper.key_quotes)} not validated; see `pincite corpus pages {paper.id}`"
        yield Fault(paper.path, 0, "key_quotes", WARNING, message)


def _of_pages(paper: Paper) -> Iterator[Fault]:
    ranges = parse_ranges(paper.page_range) if paper.page_range else ()
    size = sum(part.size for part in ranges)
    if ranges and paper.total_pages is not None and size != paper.total_pages:
        message = (
            f"page_range: {paper.page_range} spans {format_count(size, 'page')}, total_pages is {paper.total_pages}"
        )
        yield Fault(paper.path, 0, "page_range", ERROR, message)


def _of_names(root: Root, corpus: Corpus) -> Iterator[Fault]:
    """Files that look like papers and are none."""
    for name in root.names(corpus.folder) if corpus.folder else ():
        key = f"{corpus.folder}/{name}"
        identity = paper_id(name)
        if identity is None or not name.lower().endswith((".md", ".pdf")):
            if _MEANT.fullmatch(name):
                message = f"not counted as a paper: an id is {EXPECTED}; then follows - or the ending"
                yield Fault(key, 0, "id", ERROR, message)
        elif not corpus.files(identity):
            message = f"there is no corpus file for {identity}; `pincite corpus add` this PDF to write one"
            yield Fault(key, 0, "id", WARNING, message)


def _of_doubles(papers: list[Paper]) -> Iterator[Fault]:
    """Papers that are in the corpus twice."""
    seen: dict[str, list[Paper]] = {}
    for paper in papers:
        if paper.doi:
            known = seen.setdefault(paper.doi, [])
            first = next((one for one in known if not are_parts(one, paper)), None)
            known.append(paper)
            if first is not None:
                message = f"doi: {paper.doi} is also that of {first.id} ({first.path})"
                yield Fault(paper.path, 0, "doi", ERROR, message)


def _of_same_works(papers: list[Paper]) -> Iterator[Fault]:
    """Papers that are probably in the corpus twice; a preprint has another DOI than what came of it."""
    seen: dict[str, list[Paper]] = {}
    for paper in papers:
        known = seen.setdefault(fold_text(paper.title), []) if paper.title else []
        for one in known:
            shared = find_shared(one, paper)
            if len(shared) > 1 and not (one.doi and paper.doi):
                message = f"title: {one.id} ({one.path}) has the same {', '.join(shared)}; is it the same paper?"
                yield Fault(paper.path, 0, "title", WARNING, message)
                break
        known.append(paper)


def _of_same_files(corpus: Corpus, papers: list[Paper]) -> Iterator[Fault]:
    """PDFs that were put into the corpus twice."""
    seen: dict[str, tuple[str, str]] = {}
    for paper in papers:
        key, digest = corpus.file_digest(paper)
        if key:
            other, first = seen.setdefault(digest, (paper.id, key))
            if first != key:
                yield Fault(key, 0, "pdf", WARNING, f"{paper.id}: it is the same file as {first}, the PDF of {other}")


def _of_bibliography(corpus: Corpus, key: str) -> Iterator[Fault]:
    found = corpus.entries(key)
    if isinstance(found, str):
        yield Fault(key, 0, "", UNREADABLE, found.removeprefix(f"{key}: "))
        return
    for problem in found.problems:
        yield Fault(key, problem.line, problem.field, ERROR, problem.message)

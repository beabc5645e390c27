"""New papers for the corpus: from PDFs, bibliographies or a title, each with an id of its own, none twice."""

from __future__ import annotations

import re
from contextlib import nullcontext
from hashlib import sha256
from posixpath import relpath
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import PinciteError, Refused, UsageError
from ...core.limits import LIMITS
from ...papers.corpus_file import ID, paper_id
from ...papers.corpus_file_writer import next_id, render_paper, slug
from ...papers.evidence import PaperEvidence
from ...papers.fields import fold_text
from ...papers.ids import EXPECTED, HIGHEST
from ...papers.legibility import find_page_fault
from ...papers.model import Paper
from ...papers.same_work import are_parts, find_shared
from ...safe.write import alone_in, create_together
from ...safe.write import replace as replace_file
from .pdf_metadata import from_pdf, still_open, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...papers.model import PdfText
    from ...safe.files import Root
    from ...sources import Corpus

_RECOGNISED = "its text was recognised by OCR and may hold errors: a quote that is refused may be genuine"
_SAME_PLACE = re.compile(r"https?://(?:www\.)?|/+(?=[?#]|\Z)|#.*\Z", re.IGNORECASE)


class Draft(Struct, frozen=True):
    """A paper that is to be added; it has no id yet."""

    origin: str
    """Where it is from: the file, or what was said on the command line."""
    paper: Paper
    pdf: bytes = b""
    link: str = ""
    """Where the PDF lies, from the root, where it is not to be copied."""
    remarks: tuple[str, ...] = ()
    original: bytes = b""
    """The PDF before its text was recognised; empty where that was not done."""


class AddedPaper(Struct, frozen=True):
    """A paper with its place in the corpus."""

    paper: Paper
    text: str
    """The corpus file."""
    files: tuple[str, ...]
    """What was written, or would be, from the root."""
    remarks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """Papers of the corpus that may be the same work."""


class Duplicate(PinciteError):
    """The paper is in the corpus already."""

    exit_code = 1


def pdf_draft(origin: str, data: bytes, cache: bool = True, link: str = "", ocr: bool = False) -> Draft:
    """A draft from a PDF, with its text recognised where `ocr` asks for it; raises PdfTrouble or UsageError."""
    from ...store.pdf_texts import text_of

    stem = origin.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]
    text = text_of(data, cache)
    before = [find_page_fault(page) for page in text.pages]
    faults = {*before} - {""} if ocr else set()
    if not faults:
        return Draft(origin, *_describe_pdf(text, stem, data, link))
    from ...safe.pdf import recognise_text

    made = recognise_text(data, anew=faults != {"no-text"})
    read = text_of(made, cache)
    if [find_page_fault(page) for page in read.pages] == before:
        # Nothing was gained: the PDF stays as it is.
        return Draft(origin, *_describe_pdf(text, stem, data, link, recognised=True))
    draft = Draft(origin, *_describe_pdf(read, stem, made, link, recognised=True))
    return replace(draft, remarks=(*draft.remarks, _RECOGNISED), original=data)


def _describe_pdf(
    text: PdfText, stem: str, data: bytes, link: str, recognised: bool = False
) -> tuple[Paper, bytes, str, tuple[str, ...]]:
    paper, remarks = from_pdf(text, stem, recognised)
    return paper, data, link, remarks


def metadata_drafts(origin: str, data: bytes) -> list[Draft]:
    """A draft for every entry of a bibliography or of a DOI's metadata; raises UsageError where there is none."""
    from ...papers.bibliography import read_bibliography, read_metadata

    name = origin.replace("\\", "/").rpartition("/")[2]
    entries = read_metadata(name, data)
    read = read_bibliography(name, data)
    if not entries:
        why = f" ({read.problems[0].message})" if read.problems else ""
        raise UsageError(
            f"{origin}: no entry found{why}; give a PDF, .bib, RIS, CSL-JSON, Crossref, DataCite or arXiv file"
        )
    drafts = []
    for entry in entries:
        # The key and the file of an entry mean something only beside the bibliography.
        remarks = tuple(problem.message for problem in entry.problems)
        drafts.append(
            Draft(f"{origin}: {entry.id}", replace(entry, id="", path="", pdf="", problems=()), remarks=remarks)
        )
    if read.entries:
        # What is no entry, or one that was there before, is left out: not without a word.
        left_out = (f"left out: {origin}:{problem.line}: {problem.message}" for problem in read.problems)
        drafts[-1] = replace(drafts[-1], remarks=(*drafts[-1].remarks, *left_out))
    return drafts


def with_pdf(draft: Draft, pdf: Draft) -> Draft:
    """A draft with a PDF; what was said about the paper counts before what the PDF says."""
    said = {
        name: getattr(draft.paper, name) or getattr(pdf.paper, name)
        for name in ("title", "authors", "year", "doi", "page_range", "sections")
    }
    unsure = tuple(name for name in pdf.paper.unsure if not getattr(draft.paper, name))
    paper = replace(draft.paper, total_pages=pdf.paper.total_pages, unsure=unsure, **said)
    remarks = (*draft.remarks, *still_open(pdf.remarks, draft.paper))
    return Draft(draft.origin, paper, pdf.pdf, pdf.link, remarks)


class Adder:
    """Adds papers to one corpus. It knows what is there, and what it added itself."""

    def __init__(self, root: Root, corpus: Corpus) -> None:
        self._root = root
        self._corpus = corpus
        self._folder = corpus.folder
        self._taken: set[str] = set()
        self._dois: dict[str, list[Paper]] = {}
        self._titles: dict[str, dict[str, Paper]] = {}
        self._urls: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        """Of PDFs that this one added."""
        for found in corpus.papers():
            self._know(found.paper)
        self._taken.update(corpus.ids)

    def _know(self, paper: Paper) -> None:
        if paper.doi:
            self._dois.setdefault(paper.doi, []).append(paper)
        if paper.title:
            self._titles.setdefault(fold_text(paper.title), {})[paper.id] = paper
        if paper.url:
            self._urls.setdefault(_same_place(paper.url), f"{paper.id} ({paper.path})")

    def add(self, draft: Draft, identity: str = "", write: bool = True) -> AddedPaper:
        """Add a paper under a given id or the next one; raises Duplicate, or Refused where it cannot be written."""
        with alone_in(self._root, self._folder) if write else nullcontext():
            # Another process may have added papers meanwhile.
            for found in self._corpus.look_again():
                self._know(found.paper)
            replaced = self._with_text(draft, identity, write)
            if replaced is not None:
                return replaced
            added, data = self._plan_paper(draft, identity)
            if write:
                files = [(added.files[0].rpartition("/")[2], added.text.encode())]
                if data:
                    files.insert(0, (added.files[1].rpartition("/")[2], data))
                create_together(self._root, self._folder, files)
        paper = added.paper
        self._taken.add(paper.id)
        self._know(paper)
        if draft.pdf:
            self._digests[sha256(draft.pdf).hexdigest()] = f"{paper.id} ({paper.path})"
        return added

    def _plan_paper(self, draft: Draft, identity: str) -> tuple[AddedPaper, bytes]:
        """The paper with its id and files, and the bytes of its PDF where that is to be copied."""
        paper, remarks = draft.paper, list(draft.remarks)
        names = tuple(filter(None, map(tidy, paper.authors)))
        paper = replace(paper, title=tidy(paper.title), authors=names, relevance=tidy(paper.relevance))
        for known in self._dois.get(paper.doi, ()) if paper.doi else ():
            # The chapters of a book may share its DOI.
            if not are_parts(known, paper):
                where = f"{known.id} ({known.path})"
                raise Duplicate(f"{draft.origin}: the corpus has DOI {paper.doi} already: {where}")
        if paper.url and _same_place(paper.url) in self._urls:
            remarks.append(f"{self._urls[_same_place(paper.url)]} has the same address")
        adopted = self._same_pdf(draft)
        identity = self._identity(identity, adopted, draft.origin)
        stem = adopted.rpartition(".")[0].rpartition("/")[2] if adopted else f"{identity}-{slug(paper.title)}"
        key = f"{self._folder}/{stem}.md" if self._folder else f"{stem}.md"
        copied = bool(draft.pdf) and not draft.link and not adopted
        link = relpath(draft.link, self._folder or ".") if draft.link and not adopted else ""
        paper = replace(paper, id=identity, path=key, pdf=link)
        files = (key, key.removesuffix(".md") + ".pdf") if copied else (key,)
        added = AddedPaper(paper, render_paper(paper), files, tuple(remarks), tuple(self._warnings(paper)))
        return added, draft.pdf if copied else b""

    def _warnings(self, paper: Paper) -> Iterator[str]:
        """Papers that are probably the same work: which of them is right only a person can say."""
        for known in self._titles.get(fold_text(paper.title), {}).values():
            shared = find_shared(known, paper)
            if shared:
                *most, last = shared
                what = f"{', '.join(most)} and {last}" if most else last
                yield f"{known.id} ({known.path}) has the same {what}; if it is the same paper, keep one of the two"

    def _identity(self, wanted: str, adopted: str, origin: str) -> str:
        names = self._root.names(self._folder) if self._folder else []
        files = {identity: name for name in names if name.endswith(".md") and (identity := paper_id(name))}
        own = paper_id(adopted) if adopted else None
        if wanted:
            if not ID.fullmatch(wanted):
                raise UsageError(f"{wanted}: an id is {EXPECTED}, like REF-050")
            if own is not None and own != wanted:
                raise Duplicate(f"{origin}: the corpus has this PDF already, as {adopted}; use --id {own}")
            if wanted in files or wanted in self._taken:
                raise Duplicate(f"{origin}: the corpus has {wanted} already: {files.get(wanted, wanted)}")
            return wanted
        if own is not None:
            return own
        pdfs = (identity for name in names if (identity := paper_id(name)))
        found = next_id({*files, *pdfs, *self._taken})
        if found is None:
            raise UsageError(f"every id after the highest is used up (REF-{HIGHEST}); choose a free one with --id")
        return found

    def _with_text(self, draft: Draft, identity: str, write: bool) -> AddedPaper | None:
        """The paper that has this PDF already, now with the text that was recognised; None where there is none."""
        if not draft.original:
            return None
        for key, owner in self._same_files(draft.original):
            found = self._corpus.find(owner) if owner else None
            if not isinstance(found, PaperEvidence) or key.rpartition("/")[0] != self._folder:
                continue
            if identity and identity != owner:
                raise Duplicate(f"{draft.origin}: the corpus has this PDF already: {owner} ({key})")
            if write:
                replace_file(self._root, key, draft.original, draft.pdf)
            return AddedPaper(found.paper, "", (key,), (f"{_RECOGNISED}; what {found.paper.path} says is as it was",))
        return None

    def _same_pdf(self, draft: Draft) -> str:
        """A PDF in the corpus folder that is the same and waits for its corpus file; raises Duplicate for others."""
        if not draft.pdf:
            return ""
        digest = sha256(draft.pdf).hexdigest()
        if digest in self._digests:
            raise Duplicate(f"{draft.origin}: the corpus has this PDF already: {self._digests[digest]}")
        for key, owner in self._same_files(draft.pdf):
            if owner:
                raise Duplicate(f"{draft.origin}: the corpus has this PDF already: {owner} ({key})")
            if paper_id(key) is not None:
                return key
        return ""

    def _same_files(self, data: bytes) -> Iterator[tuple[str, str]]:
        """Every PDF of the corpus with these bytes, with the paper it belongs to, if any."""
        digest = sha256(data).hexdigest()
        for key, owner in self._pdfs(len(data)):
            try:
                if sha256(self._root.read(key, LIMITS.pdf_bytes)).hexdigest() == digest:
                    yield key, owner
            except Refused:
                continue

    def _pdfs(self, size: int) -> Iterator[tuple[str, str]]:
        """Every PDF of the corpus that has as many bytes, with the paper it belongs to, if any."""
        owners: dict[str, str] = {}
        for found in self._corpus.papers():
            key = self._corpus.pdf_key(found.paper)
            if key:
                owners.setdefault(key, found.paper.id)
        names = self._root.names(self._folder) if self._folder else []
        inside = (f"{self._folder}/{name}" for name in names if name.lower().endswith(".pdf"))
        for key in dict.fromkeys((*owners, *inside)):
            info = self._root.stat(key)
            if info is not None and info.st_size == size:
                identity = paper_id(key)
                ambiguous = identity is not None and len(self._corpus.files(identity)) > 0
                yield key, owners.get(key, "") or (identity if ambiguous and identity else "")


def _same_place(url: str) -> str:
    """An address as it is compared: however it is reached, and whatever part of the page is meant."""
    return _SAME_PLACE.sub("", url).casefold()

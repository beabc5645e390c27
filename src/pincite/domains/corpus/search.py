"""Searching the papers: an index kept up to date finds passages, and each is read again before it is given out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Unreadable
from ...papers.corpus_file import paper_id
from ...papers.evidence import PaperEvidence
from ...papers.model import Paper
from ...papers.printed_pages import page_known, pdf_indexes, printed_page
from ...papers.ranges import CITED
from ...papers.sections import sections_at
from ...search.refresh import IndexUpdate
from ...search.search import PassageSearch
from ...sources import BIBLIOGRAPHIES
from ...store.database import Damaged, StoreTrouble
from ...store.search_index import PAPERS, IndexStore
from ...text.lines import decode
from .paper_pieces import ABOUT, QUOTE, TEXT, PaperPiece, entry_pieces, file_pieces, pdf_pieces, read_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ...core.limits import Limits
    from ...papers.model import PdfText
    from ...safe.files import Root
    from ...search.passages.model import DocumentReading
    from ...sources import Corpus

Made = TypeVar("Made")
_PAGE = re.compile(f"{CITED}(?:-{CITED})?")
# A name comes from anyone's PDF; what would end or extend the brackets, or read as something else, stays out of them.
_SECTION = re.compile(r"[\w .&'’/+-]{1,80}")


class PaperPassage(Struct, frozen=True):
    """A passage of a paper, as it stands now, and how to cite it."""

    ref: str
    title: str
    kind: str
    """`text` of the PDF, `quote` that the corpus file keeps, `notes` in it, or `about`: title and relevance."""
    text: str
    page: str
    """As printed; empty where it is not known."""
    section: str
    file: str
    """Where the words stand, from the root."""
    citation: str
    score: float
    page_valid: bool | None = None


class PaperLibrary:
    """The papers of a corpus with an index over them; use it as a context."""

    def __init__(self, corpus: Corpus, root: Root, entries: bool = False) -> None:
        self.corpus = corpus
        self._entries = entries
        """Whether entries of bibliographies are given out as well; they have no id to cite with a receipt."""
        self.root = root
        self.troubles: list[str] = []
        """Papers whose text could not be searched, and why."""
        self._files: dict[str, list[Paper]] = {}
        """The papers that a file belongs to: with no more than id, path and PDF, but for entries of bibliographies."""
        self._asked: PassageSearch | None = None
        """None until the index is up to date."""
        try:
            self.index = IndexStore.make(root, PAPERS)
        except StoreTrouble:
            self.index = IndexStore.in_memory()

    def __enter__(self) -> PaperLibrary:
        return self

    def __exit__(self, *_: object) -> None:
        self.index.close()

    def search(self, query: str, limit: int) -> list[PaperPassage]:
        """The passages that fit the query best, the best first; any text is a query."""
        found: list[PaperPassage] = []
        for hit in self._ask(lambda index: index.candidates(query, limit * 2)):
            kind, page, section = hit.kept.headings
            for paper in self._papers(hit.document.path, section):
                if kind == QUOTE and self.corpus.pdf(paper) is not None:
                    # The paper itself is at hand: it says on which page the words stand, whatever the file keeps.
                    continue
                piece = PaperPiece(kind, hit.text, hit.kept.page - 1, page, section if kind == QUOTE else "")
                found.append(self.place(paper, piece, hit.document.path, hit.score))
        return found[:limit]

    def count_words(self, words: Mapping[str, str]) -> tuple[int, dict[str, int]]:
        """How many passages there are, and how many of them have each word, by the term that it is given for."""

        def count(index: PassageSearch) -> tuple[int, dict[str, int]]:
            store = index.store
            return store.counts()[1], {term: store.count_matches(f'text : "{word}"') for term, word in words.items()}

        return self._ask(count)

    def _papers(self, path: str, key: str) -> Iterator[Paper]:
        """The papers that a file belongs to, as they are now; of a bibliography the entry with a key."""
        if path.lower().endswith(BIBLIOGRAPHIES):
            listed = self.corpus.entries(path)
            owners = [] if isinstance(listed, str) else [one for one in listed.papers.values() if one.id == key]
        else:
            owners = self._files.get(path, [])
        for owner in owners:
            found = owner if _is_entry(owner) else self.corpus.find(owner.id)
            if isinstance(found, PaperEvidence):
                yield found.paper
            elif isinstance(found, Paper) and self._entries:
                yield found

    def refresh(self) -> None:
        """Bring the index up to date with the files; only what changed is read."""
        self._ask(lambda _: None)

    def _ask(self, work: Callable[[PassageSearch], Made]) -> Made:
        """What is asked of the index; of another one where it cannot be used."""
        try:
            return work(self._up_to_date())
        except StoreTrouble as trouble:
            damaged = isinstance(trouble, Damaged)
            self.index.close()
            self.index = self.index.anew(self.root) if damaged else IndexStore.in_memory()
            self._asked = None
        return work(self._up_to_date())

    def _up_to_date(self) -> PassageSearch:
        if self._asked is None:
            with self.index.refreshing(self.root):
                self._update()
            self._asked = PassageSearch(self.root, self.index, read=self._read)
        return self._asked

    def _update(self) -> None:
        self.troubles = []
        update = IndexUpdate(self.index, self.root, self._read)
        update.clear_worn()
        files: dict[str, str] = {}
        for identity in self.corpus.ids:
            first, *others = self.corpus.files(identity)
            if others:
                self.troubles.append(f"{identity}: there are several files for it ({', '.join((first, *others))})")
            else:
                files[first] = identity
        update.take([*files, *self.corpus.bibliographies()])
        # Beside each corpus file the index keeps which PDF it names: none is read for that.
        named = {path: known.title for path, known in self.index.list_documents().items() if not known.trouble}
        papers = [Paper(id=files[path], path=path, pdf=named[path]) for path in files if path in named]
        entries = (one for key in self.corpus.bibliographies() for one in self._list_entries(key))
        self._files = {paper.path: [paper] for paper in papers}
        pdfs: dict[str, list[Paper]] = {}
        for paper in (*papers, *entries):
            pdf = self.corpus.pdf_key(paper)
            if pdf and self.root.is_file(pdf):
                pdfs.setdefault(pdf, []).append(paper)
            elif pdf and not _is_entry(paper):
                self.troubles.append(f"{paper.id}: {self.corpus.trouble(paper)}")
        self._files |= pdfs
        there = {*files, *self.corpus.bibliographies(), *pdfs}
        update.take(list(pdfs), [path for path in update.known if path not in there])
        for path, reason in update.skipped:
            ids = [files[path]] if path in files else [_name(paper) for paper in pdfs.get(path, ())]
            self.troubles += [f"{name}: {reason}" for name in ids] or [reason]

    def _list_entries(self, key: str) -> list[Paper]:
        """The entries of a bibliography that no paper of the corpus is."""
        listed = self.corpus.entries(key)
        return (
            []
            if isinstance(listed, str)
            else [one for one in listed.papers.values() if not self.corpus.find_linked_paper(one)]
        )

    def _read(self, path: str, data: bytes, _limits: Limits) -> DocumentReading:
        """A file of the corpus in pieces; raises Unreadable."""
        if path.lower().endswith(BIBLIOGRAPHIES):
            listed = self.corpus.entries(path)
            if isinstance(listed, str):
                raise Unreadable(listed)
            return read_pieces(entry_pieces(list(listed.papers.values())))
        if path.endswith(".md"):
            found = self.corpus.find(paper_id(path) or "")
            if not isinstance(found, PaperEvidence):
                raise Unreadable(found.detail)
            return read_pieces(file_pieces(found.paper, decode(found.data)), found.paper.pdf)
        owner = self._files[path][0]
        pdf = self.corpus.pdf(owner)
        if pdf is None:
            raise Unreadable(self.corpus.trouble(owner))
        return read_pieces(pdf_pieces(pdf))

    def file_digest(self, found: PaperPassage) -> str:
        """SHA-256 of the file that a passage was read from, as it was then."""
        evidence = self.corpus.find(found.ref)
        if not isinstance(evidence, PaperEvidence):
            return ""
        return evidence.digest if found.file == evidence.paper.path else self.corpus.file_digest(evidence.paper)[1]

    def place(self, paper: Paper, piece: PaperPiece, key: str, score: float) -> PaperPassage:
        """A piece with its page, its section and its citation; a page that the paper does not have is not cited."""
        pdf = self.corpus.pdf(paper) if piece.kind == TEXT else None
        page = printed_page(paper, pdf, piece.index) if piece.kind == TEXT else piece.page
        valid = page_known(paper, pdf, page)[0] if page else None
        if valid is False:
            page = ""
        section = piece.section or section_at(paper, pdf, page, piece)
        return self.add_citation(
            PaperPassage(_name(paper), paper.title, piece.kind, piece.text, page, section, key, "", score, valid)
        )

    def narrow(self, paper: Paper, found: PaperPassage, words: str, score: float) -> PaperPassage:
        """A part of what was found on a page, with the section that this part stands in."""
        pdf = self.corpus.pdf(paper) if found.kind == TEXT and found.page else None
        section = found.section
        if pdf is not None:
            index = next(iter(pdf_indexes(paper, pdf, found.page)), -1)
            section = section_at(paper, pdf, found.page, PaperPiece(TEXT, words, index))
        return self.add_citation(replace(found, text=words, section=section, score=score))

    def add_citation(self, found: PaperPassage) -> PaperPassage:
        """The same with the citation that its page and section call for."""
        section = found.section if found.kind != ABOUT else ""
        return replace(found, citation=citation_of(self.corpus.allowed, found.ref, found.page, section))


def _is_entry(paper: Paper) -> bool:
    """Whether a paper is an entry of a bibliography."""
    return paper.path.lower().endswith(BIBLIOGRAPHIES)


def _name(paper: Paper) -> str:
    return f"@{paper.id}" if _is_entry(paper) else paper.id


def section_at(paper: Paper, pdf: PdfText | None, page: str, piece: PaperPiece) -> str:
    """The section a piece belongs to; empty where several could be it."""
    names = sections_at(paper, pdf, page) if page and piece.kind in (TEXT, QUOTE) else ()
    if len(names) < 2 or pdf is None or not 0 <= piece.index < len(pdf.pages):
        return names[0] if len(names) == 1 else ""
    # Sections meet on this page: the last heading above the piece tells, or else the one that began before the page.
    text = " ".join(pdf.pages[piece.index].split()).casefold()
    at = text.find(" ".join(piece.text.split()).casefold()[:80])
    heads = {name: " ".join(name.split()).casefold() for name in names}
    # A piece may begin with the heading itself.
    above = {name: text.rfind(head, 0, max(at, 0) + len(head)) for name, head in heads.items()}
    begun = [name for name in names if above[name] >= 0]
    if at >= 0 and begun:
        return max(begun, key=lambda name: above[name])
    earlier = [name for name in names if heads[name] not in text]
    return earlier[0] if len(earlier) == 1 else ""


def citation_of(allowed: frozenset[str], ref: str, page: str, section: str = "") -> str:
    """A citation in the most precise form that is allowed and that its words fit into."""
    if ref.startswith("@"):
        return f"[{ref}, {'pp' if '-' in page else 'p'}. {page}]" if _PAGE.fullmatch(page) else f"[{ref}]"
    if "page" in allowed and _PAGE.fullmatch(page):
        return f"[{ref}, {'pp' if '-' in page else 'p'}.{page}]"
    if "section" in allowed and _SECTION.fullmatch(section):
        return f"[{ref}, Section {section}]"
    return f"[{ref}]" if "bracket" in allowed or "parenthesis" not in allowed else f"({ref})"

"""Searching the papers: an index kept up to date finds passages, and each is read again before it is given out."""

from __future__ import annotations

import re
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.libraries import is_missing_library
from ...core.limits import LIMITS
from ...papers.evidence import PaperEvidence
from ...papers.model import Paper
from ...papers.page_range import page_known
from ...papers.printed_pages import pdf_indexes, printed_page
from ...papers.ranges import CITED
from ...papers.sections import sections_at
from ...sources import BIBLIOGRAPHIES
from ...store.cache_folder import name_root
from ...store.paper_passages import IndexTrouble, PaperHit, PaperSource, Passages
from ...text.lines import decode
from .paper_pieces import ABOUT, QUOTE, TEXT, PaperPiece, file_pieces, pdf_pieces
from .terms import keep_content_terms, terms

if TYPE_CHECKING:
    from ...papers.model import PdfText
    from ...safe.files import Root
    from ...sources import Corpus

_SETTLED = 2.0
"""Seconds after which a file's status tells whether it changed."""
_LONGEST_QUERY = 20_000
_ENTRIES = "@"
"""Begins the names of entries of bibliographies, and is that of a whole one in the index."""
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

    def __init__(self, corpus: Corpus, root: Root, cache: bool = True, entries: bool = False) -> None:
        self.corpus = corpus
        self._entries = entries
        """Whether entries of bibliographies are given out as well; they have no id to cite with a receipt."""
        self.root = root
        self.troubles: list[str] = []
        """Papers whose text could not be searched, and why."""
        self._cache = cache
        self._pieces: dict[tuple[str, str], list[PaperPiece]] = {}
        self._place = f"{name_root(root)}\0{corpus.folder}"
        self.index = Passages.open(self._place, cache)
        self._fresh = False

    def __enter__(self) -> PaperLibrary:
        return self

    def __exit__(self, *error: object) -> None:
        self.index.__exit__(*error)

    def search(self, query: str, limit: int) -> list[PaperPassage]:
        """The passages that fit the query best, the best first; any text is a query."""
        every = terms(query[:_LONGEST_QUERY])
        wanted = keep_content_terms(every) or list(dict.fromkeys(every))
        return self.find(wanted, limit)

    def find(self, wanted: list[str], limit: int) -> list[PaperPassage]:
        """The passages that share most with the terms."""
        found: list[PaperPassage] = []
        sought = set(wanted)
        for hit in self._hits(wanted, limit * 2):
            paper, ordinal = self._hit(hit)
            if paper is None:
                continue
            pieces = self._read(paper, hit.key)
            # The index only hints; what counts is that the passage stands there now.
            if ordinal >= len(pieces):
                continue
            if pieces[ordinal].kind == QUOTE and self.corpus.pdf(paper) is not None:
                # The paper itself is at hand: it says on which page the words stand, whatever the file keeps.
                continue
            if not sought.isdisjoint(terms(pieces[ordinal].text)):
                found.append(self.place(paper, pieces[ordinal], hit.key, hit.score))
                if len(found) == limit:
                    break
        return found

    def counts(self, wanted: list[str]) -> tuple[int, dict[str, int]]:
        """How many passages there are, and how many of them have each term."""
        self.refresh()
        return self.index.counts(wanted)

    def _hits(self, wanted: list[str], limit: int) -> list[PaperHit]:
        self.refresh()
        try:
            return self.index.search(wanted, limit)
        except IndexTrouble as trouble:
            self._start_over(trouble)
            return self.index.search(wanted, limit)

    def refresh(self) -> None:
        """Bring the index up to date with the files; only what changed is read."""
        if self._fresh:
            return
        try:
            self._update()
        except IndexTrouble as trouble:
            self._start_over(trouble)
        self._fresh = True

    def _start_over(self, trouble: IndexTrouble) -> None:
        """Do without the index that is kept: build one in memory."""
        if trouble.busy:
            self.index.__exit__()
        else:
            self.index.discard()
        self.troubles = []
        self.index = Passages.open(self._place, cache=False)
        self._update()

    def _update(self) -> None:
        known = self.index.sources()
        seen: set[tuple[str, str]] = set()
        with self.index.changing():
            for identity in self.corpus.ids:
                files = self.corpus.files(identity)
                if len(files) != 1:
                    self.troubles.append(f"{identity}: there are several files for it ({', '.join(files)})")
                    continue
                for key in self._update_paper(identity, files[0], known):
                    seen.add((identity, key))
            for key in self.corpus.bibliographies():
                seen.update(self._update_entries(key, known))
            for paper, key in known.keys() - seen:
                self.index.drop(paper, key)

    def _update_entries(self, key: str, known: dict[tuple[str, str], PaperSource]) -> list[tuple[str, str]]:
        """Bring a bibliography up to date: one passage for each entry, and the PDFs that entries have."""
        listed = self.corpus.entries(key)
        if isinstance(listed, str):
            self.troubles.append(listed)
            return []
        held = known.get((_ENTRIES, key))
        if held is None or held.digest != listed.digest:
            self.index.put(
                PaperSource(_ENTRIES, key, "", listed.digest), [terms(_about(one)) for one in listed.papers.values()]
            )
        seen = [(_ENTRIES, key)]
        for entry in listed.papers.values():
            pdf = self.corpus.pdf_key(entry)
            if pdf and not self.corpus.linked(entry) and self.root.is_file(pdf):
                self._update_pdf(replace(entry, id=f"@{entry.id}"), pdf, known.get((f"@{entry.id}", pdf)), entry)
                seen.append((f"@{entry.id}", pdf))
        return seen

    def _update_paper(self, identity: str, key: str, known: dict[tuple[str, str], PaperSource]) -> list[str]:
        """Bring one paper up to date; gives the files that it consists of."""
        mark = self._mark(key)
        held = known.get((identity, key))
        if held is not None and mark and held.mark == mark:
            paper = Paper(id=identity, path=key, pdf=held.note)
        else:
            found = self.corpus.find(identity)
            if not isinstance(found, PaperEvidence):
                self.troubles.append(f"{identity}: {found.detail}")
                return []
            paper = found.paper
            source = PaperSource(identity, key, mark, found.digest, paper.pdf)
            if held is not None and held.digest == source.digest:
                self.index.renew(source)
            else:
                pieces = file_pieces(paper, decode(found.data))
                self.index.put(source, [terms(piece.text) for piece in pieces])
        pdf = self.corpus.pdf_key(paper)
        if pdf:
            self._update_pdf(paper, pdf, known.get((identity, pdf)))
        return [key, pdf] if pdf else [key]

    def _update_pdf(self, paper: Paper, key: str, held: PaperSource | None, entry: Paper | None = None) -> None:
        mark = self._mark(key)
        if held is not None and mark and held.mark == mark:
            if held.note:
                self.troubles.append(f"{paper.id}: {held.note}")
            return
        digest = self._digest(key)
        if held is not None and digest and held.digest == digest and not held.note:
            self.index.renew(PaperSource(paper.id, key, mark, digest))
            return
        pdf = self.corpus.pdf(entry or paper)
        trouble = self.corpus.trouble(entry or paper)
        if trouble:
            self.troubles.append(f"{paper.id}: {trouble}")
            # An extractor may be installed any time; the file is then worth another look.
            mark = "" if is_missing_library(trouble) else mark
        pieces = pdf_pieces(pdf) if pdf is not None else []
        self.index.put(PaperSource(paper.id, key, mark, digest, trouble), [terms(piece.text) for piece in pieces])

    def seen(self, found: PaperPassage) -> str:
        """SHA-256 of the file that a passage was read from, as it was then."""
        evidence = self.corpus.find(found.ref)
        if not isinstance(evidence, PaperEvidence):
            return ""
        return evidence.digest if found.file == evidence.paper.path else self.corpus.seen(evidence.paper)[1]

    def _digest(self, key: str) -> str:
        """SHA-256 of a file; empty where it cannot be read."""
        try:
            return sha256(self.root.read(key, LIMITS.pdf_bytes)).hexdigest()
        except Refused:
            return ""

    def _mark(self, key: str) -> str:
        """A file's status, which changes when the file does; empty where it is too fresh to tell."""
        info = self.root.stat(key)
        if info is None or time() - max(info.st_mtime, info.st_ctime) < _SETTLED:
            return ""
        return f"{info.st_size}:{info.st_mtime_ns}:{info.st_ctime_ns}:{info.st_ino}"

    def _hit(self, hit: PaperHit) -> tuple[Paper | None, int]:
        """The paper that a passage belongs to, and which of its passages it is."""
        if not hit.paper.startswith(_ENTRIES):
            return self._paper(hit.paper), hit.ordinal
        if not self._entries:
            return None, 0
        if hit.paper == _ENTRIES:
            listed = self.corpus.entries(hit.key)
            entries = [] if isinstance(listed, str) else list(listed.papers.values())
            return (entries[hit.ordinal] if hit.ordinal < len(entries) else None), 0
        return next((one for one in self.corpus.listed() if one.id == hit.paper[1:]), None), hit.ordinal

    def _paper(self, identity: str) -> Paper | None:
        found = self.corpus.find(identity)
        return found.paper if isinstance(found, PaperEvidence) else None

    def _read(self, paper: Paper, key: str) -> list[PaperPiece]:
        """The pieces of a file as it is now."""
        known = self._pieces.get((paper.id, key))
        if known is None:
            if len(self._pieces) >= 64:
                self._pieces.clear()
            known = self._pieces[paper.id, key] = self._pieces_of(paper, key)
        return known

    def _pieces_of(self, paper: Paper, key: str) -> list[PaperPiece]:
        if key == paper.path and key.lower().endswith(BIBLIOGRAPHIES):
            return [PaperPiece(ABOUT, _about(paper))]
        if key == paper.path:
            found = self.corpus.find(paper.id)
            return file_pieces(paper, decode(found.data)) if isinstance(found, PaperEvidence) else []
        pdf = self.corpus.pdf(paper) if key == self.corpus.pdf_key(paper) else None
        return pdf_pieces(pdf) if pdf is not None else []

    def place(self, paper: Paper, piece: PaperPiece, key: str, score: float) -> PaperPassage:
        """A piece with its page, its section and its citation; a page that the paper does not have is not cited."""
        pdf = self.corpus.pdf(paper) if piece.kind == TEXT else None
        page = printed_page(paper, pdf, piece.index) if piece.kind == TEXT else piece.page
        valid = page_known(paper, pdf, page)[0] if page else None
        if valid is False:
            page = ""
        section = piece.section or section_at(paper, pdf, page, piece)
        name = f"@{paper.id}" if paper.path.lower().endswith(BIBLIOGRAPHIES) else paper.id
        return self.cited(PaperPassage(name, paper.title, piece.kind, piece.text, page, section, key, "", score, valid))

    def narrow(self, paper: Paper, found: PaperPassage, words: str, score: float) -> PaperPassage:
        """A part of what was found on a page, with the section that this part stands in."""
        pdf = self.corpus.pdf(paper) if found.kind == TEXT and found.page else None
        section = found.section
        if pdf is not None:
            index = next(iter(pdf_indexes(paper, pdf, found.page)), -1)
            section = section_at(paper, pdf, found.page, PaperPiece(TEXT, words, index))
        return self.cited(replace(found, text=words, section=section, score=score))

    def cited(self, found: PaperPassage) -> PaperPassage:
        """The same with the citation that its page and section call for."""
        section = found.section if found.kind != ABOUT else ""
        return replace(found, citation=citation_of(self.corpus.allowed, found.ref, found.page, section))


def _about(entry: Paper) -> str:
    """What of an entry is searched."""
    return "\n".join(part for part in (entry.title, "; ".join(entry.authors), entry.year) if part)


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
    if ref.startswith(_ENTRIES):
        return f"[{ref}, {'pp' if '-' in page else 'p'}. {page}]" if _PAGE.fullmatch(page) else f"[{ref}]"
    if "page" in allowed and _PAGE.fullmatch(page):
        return f"[{ref}, {'pp' if '-' in page else 'p'}.{page}]"
    if "section" in allowed and _SECTION.fullmatch(section):
        return f"[{ref}, Section {section}]"
    return f"[{ref}]" if "bracket" in allowed or "parenthesis" not in allowed else f"({ref})"

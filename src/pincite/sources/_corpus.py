"""The papers that may be cited: a folder of corpus files, bibliographies, and the texts behind them.

Everything is looked up when it is asked for: a citation of an id costs the names in the folder, a page the corpus file,
a quote the PDF.
"""

from __future__ import annotations

from functools import cache, cached_property
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING

from ..core.errors import PinciteError, Refused
from ..core.limits import LIMITS
from ..core.model import Obstacle, Severity, SourceRef
from ..papers.evidence import PaperEvidence
from ..papers.ids import id_order
from ..project.policy import get_policy
from ..safe.git_names import has_git_name
from ..store import UNSETTLED
from ..text.lines import decode, join
from . import BIBLIOGRAPHIES
from ._entry_pdfs import EntryPdfs
from ._linked_papers import BibliographyList, by_doi, read_entries, same_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..core.model import Citation
    from ..papers.model import Paper, PdfText
    from ..project.config import CorpusSettings
    from ..quotes.letter_filter import GramFilter, SoughtRuns
    from ..quotes.lookup import QuotePassage, QuoteSource
    from ..store.paper_filters import PaperFilters
    from ..store.receipts import Receipts
    from . import World

_SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}
_PATIENCE = 60.0
"""Seconds that one run spends on reading other papers for words that are not in the cited one."""


def _why(error: Refused, missing: str = "no such file") -> str:
    """Why a file was not read, where it is named already."""
    return {"file-not-found": missing, "path-blocked": "it lies outside the root"}.get(error.kind) or str(error)


class Corpus:
    """What may be cited below one root. Also the reader of every paper it gives out."""

    def __init__(self, world: World, settings: CorpusSettings) -> None:
        self._world = world
        self._settings = settings
        self.policy = get_policy(world.root, settings.policy)
        self.folder = (settings.path or self.policy.corpus_path).strip("/")
        self.pages = self.policy.pages
        self.allowed = self.policy.allowed
        self.receipts = settings.require_receipts
        self.closed = self._why_closed()
        """Why the content of the folder is unknown; empty where it was looked into, or there is none."""
        self._names = world.root.names(self.folder) if self.folder and not self.closed else []
        self.exists = bool(self._names) or world.root.stat(self.folder) is not None
        self._files: dict[str, list[str]] = {}
        """Ids to their corpus files."""
        self._pdfs: dict[str, list[str]] = {}
        self._list()
        self._papers: dict[str, PaperEvidence | Obstacle] = {}
        self._texts: dict[str, tuple[PdfText | None, str]] = {}
        """What was read of each PDF, or why it was not."""
        self._digests: dict[str, str] = {}
        self._sources: dict[str, QuoteSource] = {}
        self.entries = cache(self._read_entries)
        self._until = 0.0
        self.partial = False
        """Whether time was up before every paper was looked through for words that are not in the cited one."""

    def _why_closed(self) -> str:
        if has_git_name(self.folder):
            return f"{self.folder}: is no place for a corpus: it is git's own folder"
        try:
            if self.folder:
                self._world.root.folder(self.folder)
        except Refused as error:
            if error.kind != "file-not-found":
                return f"{self.folder}: the corpus cannot be read: {_why(error)}"
        return ""

    def _list(self) -> None:
        from ..papers.corpus_file import paper_id

        for name in self._names:
            identity = paper_id(name)
            if identity is not None:
                kind = self._files if name.endswith(".md") else self._pdfs if name.lower().endswith(".pdf") else None
                if kind is not None:
                    kind.setdefault(identity, []).append(join(self.folder, name))

    def look_again(self) -> list[PaperEvidence]:
        """List the folder anew, where others may have added papers; gives those that are new and can be read."""
        known = set(self._files)
        self._names = self._world.root.names(self.folder) if self.folder else []
        self._files, self._pdfs = {}, {}
        self._list()
        new = [self.find(identity) for identity in self.ids if identity not in known]
        return [found for found in new if isinstance(found, PaperEvidence)]

    @property
    def ids(self) -> tuple[str, ...]:
        """Every id that has a corpus file, in order."""
        return tuple(sorted(self._files, key=id_order))

    def files(self, identity: str) -> tuple[str, ...]:
        """The corpus files of an id: one, none, or more than there may be."""
        return tuple(self._files.get(identity, ()))

    def find(self, identity: str) -> PaperEvidence | Obstacle:
        """The paper with that id, or why it may not be cited."""
        self._world.touched[self.folder] = None
        files = self._files.get(identity)
        if not files:
            return Obstacle("paper-unreadable", self.closed) if self.closed else self._missing(identity)
        for key in files:
            self._world.touched[key] = None
        known = self._papers.get(identity)
        if known is None:
            known = self._papers[identity] = self._read(identity, files)
        return known

    def _read(self, identity: str, files: list[str]) -> PaperEvidence | Obstacle:
        from ..papers.corpus_file import read_paper

        if len(files) > 1:
            return Obstacle("paper-ambiguous", " and ".join(files))
        key = files[0]
        try:
            data = self._world.root.read(key, self._world.root.limits.document_bytes)
            paper = read_paper(key, decode(data))
        except Refused as error:
            return Obstacle("paper-unreadable", f"{key}: {_why(error, 'it is no regular file')}")
        return PaperEvidence(SourceRef("ref", identity), data, paper, self)

    def _missing(self, identity: str) -> Obstacle:
        policy = self.policy
        detail = f"{policy.violation['message']}: {identity}. {policy.violation['action']}"
        return Obstacle("not-in-corpus", detail, _SEVERITIES[policy.severity])

    def entry(self, citation: Citation, files: Iterable[str]) -> PaperEvidence | Obstacle | None:
        """The entry a key names in the bibliographies in force; None where the words are no citation after all."""
        name = citation.source.key
        trouble: list[str] = []
        any_read = False
        for key in files:
            self._world.touched[key] = None
            listed = self.entries(key)
            if isinstance(listed, str):
                trouble.append(listed)
                continue
            if not listed.papers and listed.problems:
                trouble.append(f"{key}: {listed.problems[0].message}")
                continue
            any_read = True
            paper = listed.papers.get(name)
            if paper is not None:
                identity = f"{key}#{name}"
                known = self._papers.get(identity)
                if known is None:
                    source = SourceRef("bibliography", name)
                    known = self._papers[identity] = PaperEvidence(source, b"", paper, self, listed.digest)
                return known
        if citation.tentative or not (any_read or trouble):
            return None
        if trouble:
            return Obstacle("paper-unreadable", "; ".join(trouble))
        return self._missing(f"@{name}") if self.policy.whitelist else None

    def bibliographies(self) -> tuple[str, ...]:
        """Those the settings name, and those in the corpus folder."""
        there = (join(self.folder, name) for name in self._names if name.lower().endswith(BIBLIOGRAPHIES))
        return tuple(dict.fromkeys((*self._settings.bibliography, *there)))

    def _read_entries(self, key: str) -> BibliographyList | str:
        """What a bibliography holds, and what is wrong in it; or why it cannot be read."""
        try:
            return read_entries(self._world.root, key)
        except Refused as error:
            return f"{key}: {_why(error)}"

    def list_entries(self) -> Iterator[Paper]:
        """Every entry of the bibliographies in force for all documents; of two with one key the first."""
        found: dict[str, Paper] = {}
        for held in map(self.entries, self.bibliographies()):
            for name, paper in held.papers.items() if not isinstance(held, str) else ():
                found.setdefault(name, paper)
        yield from found.values()

    def find_linked_paper(self, entry: Paper) -> str:
        """The id of the paper that an entry is, by its DOI; empty where there is none, or more than one."""
        return same_work(entry, self._by_doi)

    @cached_property
    def _by_doi(self) -> dict[str, list[Paper]]:
        return by_doi(self.papers())

    @cached_property
    def _entry_pdfs(self) -> EntryPdfs:
        def has_entry(path: str, name: str) -> bool:
            listed = self.entries(path)
            return isinstance(listed, BibliographyList) and name in listed.papers

        return EntryPdfs(self._world.root, self.folder, self._settings.library, has_entry)

    def _entry_pdf(self, entry: Paper) -> str:
        """Where the PDF of an entry is: its own, else that of the paper with its DOI, else what it names in vain."""
        known = self._entry_pdfs.find(entry)
        self._world.touched.update(dict.fromkeys(known.looked))
        if known.key or known.trouble:
            return known.key
        found = self.find(identity) if (identity := self.find_linked_paper(entry)) else None
        linked = self.pdf_key(found.paper) if isinstance(found, PaperEvidence) else ""
        return linked or (join(entry.path.rpartition("/")[0], entry.pdf) if entry.pdf else "")

    def pdf_key(self, paper: Paper) -> str:
        """Where the paper's PDF is: the declared file, else the one beside it of the same name, else of the same id."""
        if paper.path.lower().endswith(BIBLIOGRAPHIES):
            return self._entry_pdf(paper)
        if paper.pdf:
            return join(paper.path.rpartition("/")[0], paper.pdf)
        return self._beside(paper.id, paper.path)

    def _beside(self, identity: str, path: str) -> str:
        """The PDF that belongs to a corpus file by its name; empty where there is none, or more than one."""
        beside = self._pdfs.get(identity, [])
        stem = path.rpartition(".")[0]
        exact = [key for key in beside if key.rpartition(".")[0] == stem]
        return exact[0] if exact else beside[0] if len(beside) == 1 else ""

    def pdf(self, paper: Paper) -> PdfText | None:
        """What the paper's PDF holds; None where there is none to read."""
        return self._text(paper)[0]

    def trouble(self, paper: Paper) -> str:
        """Why there is no text of the paper to look into; empty where there is."""
        return self._text(paper)[1]

    def _text(self, paper: Paper) -> tuple[PdfText | None, str]:
        key = self.pdf_key(paper)
        if not key:
            own = self._entry_pdfs.find(paper).trouble if paper.path.lower().endswith(BIBLIOGRAPHIES) else ""
            return None, own or f"there is no PDF beside {paper.path}"
        self._world.touched[key] = None
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = self._extract(key)
        return known

    def _extract(self, key: str) -> tuple[PdfText | None, str]:
        from ..store.pdf_texts import text_of

        try:
            data = self._entry_pdfs.read(key, LIMITS.pdf_bytes)
        except Refused as error:
            return None, f"{key}: {_why(error)}"
        self._digests[key] = sha256(data).hexdigest()
        try:
            return text_of(data, self._world.cache), ""
        except PinciteError as error:
            return None, f"{key}: {error}"

    def pdf_data(self, paper: Paper) -> bytes:
        """The bytes of the paper's PDF, empty where it has none; raises Refused."""
        key = self.pdf_key(paper)
        return self._entry_pdfs.read(key, LIMITS.pdf_bytes) if key else b""

    def file_digest(self, paper: Paper) -> tuple[str, str]:
        """The PDF that was read and the SHA-256 of its bytes; empty where none was."""
        key = self.pdf_key(paper)
        return (key, self._digests[key]) if self._texts.get(key, (None, ""))[0] is not None else ("", "")

    def words(self, paper: Paper) -> QuoteSource | None:
        """The paper's text by page; None where there is none."""
        from ..quotes.lookup import QuoteSource

        text = self.pdf(paper)
        if text is None:
            return None
        key = self.pdf_key(paper)
        known = self._sources.get(key)
        if known is None:
            if len(self._sources) >= 8:
                # Folded texts are large; citations of one paper cluster.
                self._sources.clear()
            known = self._sources[key] = QuoteSource(text.pages, text.boxes, may_be_damaged=True)
        return known

    def papers(self) -> Iterator[PaperEvidence]:
        """Every paper of the corpus that can be read, in order of id."""
        for identity in self.ids:
            found = self.find(identity)
            if isinstance(found, PaperEvidence):
                yield found

    def elsewhere(self, paper: Paper, quote: str) -> tuple[Paper, QuotePassage, str] | None:
        """Another paper that holds the quote word for word, where, and on which printed page."""
        from ..quotes.letter_filter import sought_runs

        sought = sought_runs(quote)
        try:
            for identity in self.ids:
                if identity != paper.id and self._may_hold(identity, sought, self._filters):
                    found = self._look_into(identity, quote)
                    if found is not None:
                        return found
        finally:
            self._filters.save()
        return None

    @cached_property
    def _filters(self) -> PaperFilters:
        from ..store.paper_filters import PaperFilters

        return PaperFilters(self._world.root, self._world.cache)

    def _look_into(self, identity: str, quote: str) -> tuple[Paper, QuotePassage, str] | None:
        """Where a paper holds the quote word for word, and on which printed page; None where it does not."""
        from ..papers.printed_pages import printed_page
        from ..quotes.lookup import QuoteSource

        other = self.find(identity)
        if isinstance(other, Obstacle):
            return None
        there = other.paper
        source = self.words(there)
        look = source.verbatim(quote) if source is not None else None
        if look is not None:
            return there, look.passages[0], printed_page(there, self.pdf(there), look.passages[0].page)
        for kept in there.key_quotes if source is None else ():
            look = QuoteSource((kept.quote,)).verbatim(quote)
            if look is not None:
                return there, look.passages[0], kept.page
        return None

    def _may_hold(self, identity: str, sought: SoughtRuns, filters: PaperFilters) -> bool:
        """Whether a paper may hold a quote; what decided it is watched, since a no is part of the answer too."""
        from ..quotes.letter_filter import may_hold
        from ..safe.pdf import extractor_version

        path = self._files[identity][0]
        self._world.touched.update(dict.fromkeys(self._files[identity]))
        known = filters.find(path)
        if known is not None and known.extractor == extractor_version():
            pdf = known.pdf if known.declared else self._beside(identity, path)
            if pdf == known.pdf:
                self._world.touched.update(dict.fromkeys(filter(None, (pdf,))))
                return may_hold(known.words, sought)
        self._until = self._until or monotonic() + _PATIENCE
        if monotonic() > self._until:
            self.partial = True
            # What was read meanwhile is kept: the next run gets further.
            self._world.touched[UNSETTLED] = None
            return False
        other = self.find(identity)
        return not isinstance(other, Obstacle) and may_hold(self._make_filter(other.paper, filters), sought)

    def _make_filter(self, paper: Paper, filters: PaperFilters) -> GramFilter:
        """Read a paper for its filter, and keep that."""
        from ..quotes.fold import key_of
        from ..quotes.letter_filter import make_filter
        from ..quotes.lookup import QuoteSource
        from ..safe.pdf import extractor_version
        from ..store.paper_filters import PaperFilter

        key = self.pdf_key(paper)
        marks = filters.take_marks(paper.path, key)
        pdf = self.pdf(paper)
        if pdf is not None:
            words = make_filter(layer.key for layer in QuoteSource(pdf.pages).layers)
            # A thousand texts would fill memory; the few that may hold the words are read again.
            self._texts.pop(key, None)
        else:
            words = make_filter(key_of(kept.quote) for kept in paper.key_quotes)
        filters.add(paper.path, PaperFilter(key, bool(paper.pdf), marks, extractor_version(), words))
        return words

    def close(self) -> None:
        """Let go of folders outside of the root; those that are asked for again are opened again."""
        if "_entry_pdfs" in self.__dict__:
            self.__dict__.pop("_entry_pdfs").close()

    def receipt(self, paper: Paper, citation: Citation) -> str:
        """Empty where a receipt for the citation is at hand, else what is missing."""
        if citation.source.scheme == "bibliography":
            return "entries of a bibliography get none; add the paper with `pincite corpus add` and cite it by its id"
        pdf = self.pdf_key(paper)
        self._world.touched.update(dict.fromkeys(filter(None, (self._settings.receipts, pdf))))
        return self._receipts.missing(paper, citation, pdf)

    @cached_property
    def _receipts(self) -> Receipts:
        from ..store.receipts import Receipts

        return Receipts(self._world.root, self._settings.receipts)

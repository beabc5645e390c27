"""The whole picture: every document that cites papers, which papers are cited, and whether pages and quotes hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...core.errors import Refused
from ...core.model import Report
from ...engine.pipeline import Engine
from ...papers.evidence import PaperEvidence
from ...papers.ids import id_order
from .entries import CitationTally
from .paper_status import PaperStatus, paper_status
from .validation import ValidatedDocument, Validator, only_papers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...project.config import Config
    from ...safe.files import Root
    from ...safe.git import Git
    from ...sources import Corpus
    from .validation import DetailedResult


class UnlistedPaper(Struct):
    """A paper that is cited and not in the corpus."""

    ref_id: str
    citations: int = 0
    documents: list[str] = []


class Coverage(Struct, frozen=True):
    """The papers of the corpus, and which of them are cited."""

    papers: tuple[str, ...]
    cited: tuple[str, ...]
    never_cited: tuple[str, ...]
    absent: tuple[UnlistedPaper, ...]
    """In order of first citation."""
    entries: int = 0
    """How many entries the bibliographies hold."""
    entries_cited: tuple[str, ...] = ()


class Counts(Struct):
    """How many of something hold, do not hold, or could not be checked."""

    valid: int = 0
    invalid: int = 0
    unchecked: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.valid + self.invalid + self.unchecked

    def add(self, known: bool | None) -> None:
        """Count one more."""
        if known is None:
            self.unchecked += 1
        elif known:
            self.valid += 1
        else:
            self.invalid += 1


class CorpusAudit(Struct, frozen=True):
    """What an audit found."""

    date: str
    auditor: str
    looked_at: int
    """How many documents were searched for citations."""
    documents: tuple[ValidatedDocument, ...]
    """Those with citations, and those that could not be read."""
    coverage: Coverage
    pages: Counts
    """Of citations with a page."""
    quotes: Counts
    """Of citations beside a quote."""
    key_quotes: Counts
    """Of quotes that corpus files keep."""
    papers: tuple[PaperStatus, ...]
    broken: tuple[tuple[str, str], ...] = ()
    """Papers of the corpus that cannot be read, and why."""
    reports: tuple[Report, ...] = ()
    """The same in the words of every other check, where that was asked for; corpus files among them."""

    @property
    def details(self) -> Iterator[DetailedResult]:
        """Every citation, in order."""
        return (detail for document in self.documents for detail in document.details)

    @property
    def tally(self) -> CitationTally:
        """All citations of all documents."""
        return CitationTally().count(self.details)

    def exit_code(self, strict: bool) -> int:
        """2 where a document could not be read, 1 where something does not hold, else 0."""
        if any(document.error for document in self.documents):
            return 2
        tally = self.tally
        worst = max((paper.severity for paper in self.papers), default=0)
        if tally.errors or worst == 2 or self.broken:
            return 1
        return int(strict and bool(tally.warnings or worst))


def open_validator(root: Root, config: Config, git: Callable[[], Git | None]) -> Validator:
    """A validator of the citations of papers below a root; every citation is wanted, also those that hold."""
    from ...engine.drift.follow import Follower

    return Validator(Engine(root, only_papers(config), git, Follower(), every=True, corpus=True))


def validate_key(validator: Validator, key: str) -> ValidatedDocument:
    """Validate the document at a key; what cannot be read is an error of the document."""
    root = validator.engine.world.root
    try:
        data = root.read(key, root.limits.document_bytes)
    except Refused as error:
        words = {"file-not-found": "no such file", "path-blocked": "it lies outside the root"}
        return ValidatedDocument(key, (), words.get(error.kind) or str(error))
    return validator.validate(key, data)


def audit(
    validator: Validator,
    keys: Sequence[str],
    date: str,
    auditor: str,
    whole: bool = True,
    reports: bool = False,
    step: Callable[[int, int], None] | None = None,
) -> CorpusAudit:
    """Validate documents and sum up; uncited papers are looked into only in an audit of the whole project."""
    corpus = validator.corpus
    documents: list[ValidatedDocument] = []
    kept: list[Report] = []
    for number, key in enumerate(keys):
        found = validate_key(validator, key)
        if reports:
            kept.append(found.report or Report(key, error=found.error))
        found = without_own(found, corpus)
        if found.details or found.error:
            documents.append(replace(found, report=None))
        if step is not None:
            step(number + 1, len(keys))
    pages, quotes = Counts(), Counts()
    for detail in (detail for document in documents for detail in document.details):
        citation, checks = detail.citation, detail.result.checks
        if citation is not None and checks.in_corpus:
            if citation.pages is not None:
                pages.add(checks.page_valid)
            if citation.quote is not None:
                quotes.add(checks.quote_verified)
    coverage = _coverage(documents, corpus)
    statuses, broken = _papers(validator, corpus.ids if whole else coverage.cited)
    key_quotes = Counts()
    for status in statuses:
        for quote in status.quotes:
            key_quotes.add(quote.detail.result.checks.quote_verified)
    return CorpusAudit(
        date,
        auditor,
        len(keys),
        tuple(documents),
        coverage,
        pages,
        quotes,
        key_quotes,
        tuple(statuses),
        tuple(broken),
        tuple(kept),
    )


def without_own(found: ValidatedDocument, corpus: Corpus) -> ValidatedDocument:
    """A corpus file without what it says of its own paper: that is reported with the paper."""
    from ...papers.corpus_file import paper_id

    own = paper_id(found.document)
    if own is None or found.document not in corpus.files(own):
        return found
    return replace(found, details=tuple(one for one in found.details if one.result.ref_id != own))


def _coverage(documents: Iterable[ValidatedDocument], corpus: Corpus) -> Coverage:
    cited: dict[str, None] = {}
    keys: dict[str, None] = {}
    absent: dict[str, UnlistedPaper] = {}
    for document in documents:
        for detail in document.details:
            known, name = detail.result.checks.in_corpus, detail.result.ref_id
            if known:
                (keys if name.startswith("@") else cited)[name] = None
            elif any(one.check == "not-in-corpus" for one in detail.findings):
                found = absent.setdefault(name, UnlistedPaper(name))
                found.citations += 1
                if document.document not in found.documents[-1:]:
                    found.documents.append(document.document)
    papers = corpus.ids
    entries = 0
    for key in corpus.bibliographies():
        held = corpus.entries(key)
        entries += 0 if isinstance(held, str) else len(held.papers)
    never = tuple(name for name in papers if name not in cited)
    return Coverage(
        papers, tuple(sorted(cited, key=id_order)), never, tuple(absent.values()), entries, tuple(sorted(keys))
    )


def _papers(validator: Validator, ids: Iterable[str]) -> tuple[list[PaperStatus], list[tuple[str, str]]]:
    statuses: list[PaperStatus] = []
    broken: list[tuple[str, str]] = []
    for identity in ids:
        found = validator.corpus.find(identity)
        if isinstance(found, PaperEvidence):
            statuses.append(paper_status(validator, found))
        elif found.kind != "not-in-corpus":
            broken.append((identity, found.detail))
    return statuses, broken


def is_wrong(details: Iterable[DetailedResult], strict: bool) -> bool:
    """Whether a run over these citations fails."""
    tally = CitationTally().count(details)
    return bool(tally.errors or (strict and tally.warnings))


def absent_ones(document: ValidatedDocument) -> tuple[DetailedResult, ...]:
    """The citations of a document that the corpus does not hold: absent, malformed, or of a form that names nothing."""
    return tuple(one for one in document.details if one.result.checks.in_corpus is not True and one.result.issues)

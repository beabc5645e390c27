"""The citations of a document in the corpus's own words: valid, invalid or warning, with four checks and the issues.

The engine decides; this only says it in the vocabulary of `citation_validation_result`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ... import checks as verify
from ...core.model import Citation, Finding, Obstacle, Report, Severity, Span
from ...dialects.key_quote import make_citation
from ...engine.pipeline import Engine, VerifiedDocument
from ...papers.corpus_file import paper_id
from ...papers.evidence import PaperEvidence
from ...text.document import Document
from ...text.ignore_comments import OPENER, ignores
from ...text.lines import decode

if TYPE_CHECKING:
    from ...checks import PaperFacts
    from ...core.model import Malformed
    from ...project.config import Config
    from ...text.evidence import Evidence

DIALECTS = ("ref", "key", "tex-cite", "key-quote", "habit")
VALID, INVALID, WARNING = "valid", "invalid", "warning"


class Checks(Struct, frozen=True):
    """True, false, or None where it was not or could not be checked."""

    in_corpus: bool | None = None
    page_valid: bool | None = None
    section_consistent: bool | None = None
    quote_verified: bool | None = None


class Issue(Struct, frozen=True):
    """One thing that is wrong, and what to do about it."""

    severity: str
    message: str
    suggestion: str


class CitationResult(Struct, frozen=True):
    """What is true of one citation. The first four fields are the documented shape; the others say where it stands."""

    ref_id: str
    status: str
    checks: Checks
    issues: tuple[Issue, ...]
    citation: str
    """As it is written, in brackets."""
    document: str
    line: int
    column: int


class DetailedResult(Struct, frozen=True):
    """A result with what a report says beside it."""

    result: CitationResult
    span: Span
    findings: tuple[Finding, ...] = ()
    answer: PaperFacts | None = None
    recommendation: str = ""
    """What to do, as one line of the report's recommendations; empty where there is nothing to do."""
    citation: Citation | None = None
    """None where it is malformed."""


class ValidatedDocument(Struct, frozen=True):
    """All citations of one document, in order."""

    document: str
    details: tuple[DetailedResult, ...] = ()
    error: str = ""
    """Why the document could not be read."""
    report: Report | None = None
    """The same in the words of every other check."""

    @property
    def results(self) -> tuple[CitationResult, ...]:
        """The documented shape."""
        return tuple(detail.result for detail in self.details)


_SUGGESTIONS = {
    "not-in-corpus": ("", "Remove or add {id} to corpus"),
    "corpus-not-found": ("Create the corpus, or name its folder in the settings", "Create the corpus"),
    "paper-ambiguous": ("Give one of the files another id", "Give {id} one corpus file"),
    "paper-unreadable": ("Correct the file", "Correct the corpus file of {id}"),
    "malformed-citation": ("Write REF- and three digits (more from REF-1000 on), with p.XX for pages", "Correct {id}"),
    "page-out-of-range": ("Verify correct page number", "Correct {id} page number"),
    "page-unchecked": ("Record total_pages or page_range in the corpus file", ""),
    "section-mismatch": ("Verify section reference", "Verify {id} section reference"),
    "section-unknown": ("Verify section reference", "Verify {id} section reference"),
    "section-unchecked": ("Record the sections in the corpus file", ""),
    "quote-elsewhere": ("Correct the page number", "Correct {id} page number"),
    "quote-altered": ("Quote what the paper says", "Correct the quote from {id}"),
    "quote-stitched": ("Quote the pieces separately, each with its page", "Quote the pieces from {id} separately"),
    "quote-misattributed": ("Cite the paper that says it", "Attribute the quote from {id} to its paper"),
    "quote-not-found": ("Remove the quote, or find its source", "Remove or replace the quote from {id}"),
    "quote-unchecked": ("Put the PDF beside the corpus file", ""),
    "forbidden-format": ("Cite by id, as [REF-043, p.15]", "Replace {id} by a citation of the corpus"),
    "format-not-allowed": ("Write it in an allowed form", "Write {id} in an allowed form"),
    "receipt-missing": ("Retrieve it with `pincite corpus cite`", "Retrieve {id} before citing it"),
}
_ABSENT = ("not-in-corpus", "forbidden-format")


class Validator:
    """Validates the citations of one document after the other against the corpus."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.corpus = engine.world.enforce_corpus()

    def validate(self, path: str, data: bytes) -> ValidatedDocument:
        """Every citation of the document, the engine's findings put into the corpus's words."""
        found = self.engine.examine(path, data)
        report = self.engine.conclude(found)
        silent = _find_silenced(report)
        details = [self._detail(found, row, silent) for row in found.rows]
        loud = {defect.malformed.span.start for defect in report.malformed}
        details += [self._report_malformed(found, item) for item in found.defects if item.span.start in loud]
        details.sort(key=lambda detail: detail.span.start)
        return ValidatedDocument(path, tuple(details), report.error, report)

    def key_quotes(self, evidence: PaperEvidence) -> tuple[DetailedResult, ...]:
        """The quotes that a paper's own file keeps, each judged as a citation of the paper; in the file's order."""
        paper = evidence.paper
        document = Document(paper.path, decode(evidence.data))
        found = VerifiedDocument(
            document, Report(paper.path), [], [], ignores(document) if OPENER in evidence.data else None
        )
        for kept in paper.key_quotes:
            citation = make_citation(paper.id, kept, document.text)
            findings = self.engine.verify(document, citation, evidence)
            found.rows.append(verify.CheckedCitation(citation, evidence, tuple(findings)))
        silent = _find_silenced(self.engine.conclude(found))
        return tuple(self._detail(found, row, silent) for row in found.rows)

    def _detail(
        self,
        found: VerifiedDocument,
        row: verify.CheckedCitation,
        silent: set[tuple[int, str]],
    ) -> DetailedResult:
        citation, evidence = row.citation, row.evidence
        findings = tuple(one for one in row.findings if (citation.span.start, one.check) not in silent)
        answer = None if isinstance(evidence, Obstacle) else verify.assess(citation, evidence)
        checks = _checks(evidence, answer)
        name = _name(citation)
        issues = tuple(self._issue(one) for one in findings)
        worst = max((finding.severity for finding in findings), default=Severity.NOTE)
        status = INVALID if worst is Severity.ERROR else WARNING if worst is Severity.WARNING else VALID
        line, column = found.document.position(citation.span.start)
        result = CitationResult(
            name, status, checks, issues, _format_citation(citation), found.document.path, line, column
        )
        suggestions = (_SUGGESTIONS.get(one.check, ("", ""))[1].replace("{id}", name) for one in findings)
        advice = next(filter(None, suggestions), "")
        return DetailedResult(result, citation.span, findings, answer, advice, citation)

    def _report_malformed(self, found: VerifiedDocument, item: Malformed) -> DetailedResult:
        line, column = found.document.position(item.span.start)
        own = paper_id(found.document.path) if item.dialect == "key-quote" else None
        # A field of a corpus file says something of its own paper, and is no citation.
        name, check = (own, "paper-unreadable") if own is not None else (item.raw, "malformed-citation")
        suggestion, advice = _SUGGESTIONS[check]
        issue = Issue("error", item.reason, suggestion)
        result = CitationResult(name, INVALID, Checks(), (issue,), item.raw, found.document.path, line, column)
        return DetailedResult(result, item.span, (), None, advice.replace("{id}", name))

    def _issue(self, finding: Finding) -> Issue:
        if finding.check == "not-in-corpus":
            said = self.corpus.policy.violation
            return Issue(said["severity"], said["message"], said["action"])
        return Issue(finding.severity.label, finding.message, _SUGGESTIONS.get(finding.check, ("", ""))[0])


def only_papers(config: Config) -> Config:
    """The settings with nothing but citations of papers to read."""
    from msgspec.structs import replace

    return replace(config, dialects=DIALECTS)


def _find_silenced(report: Report) -> set[tuple[int, str]]:
    """Which findings a comment or a setting keeps from being reported, by where their citation begins."""
    return {(verdict.citation.span.start, one.check) for verdict in report.verdicts for one in verdict.silenced}


def _checks(evidence: Evidence | Obstacle, answer: PaperFacts | None) -> Checks:
    if isinstance(evidence, Obstacle):
        return Checks(False if evidence.kind in _ABSENT else None)
    in_corpus = True if isinstance(evidence, PaperEvidence) else None
    if answer is None:
        return Checks(in_corpus)
    section = False if not answer.section_known else answer.section_consistent
    return Checks(in_corpus, answer.page_valid, section, answer.quote_verified)


def _name(citation: Citation) -> str:
    """What a citation cites: the id, the key, or the words themselves where they name nothing."""
    source = citation.source
    if source.scheme == "habit":
        return citation.raw
    return f"@{source.key}" if source.scheme == "bibliography" else source.key


def _format_citation(citation: Citation) -> str:
    """The citation as a report writes it: in brackets, also where it is one of a row or stands in the text."""
    raw = " ".join(citation.raw.split())
    if citation.dialect == "key-quote":
        pages = citation.pages
        return f"[{citation.source.key}, p.{pages.first}]" if pages is not None else f"[{citation.source.key}]"
    return raw if raw[:1] in "[(" or citation.source.scheme == "habit" else f"[{raw}]"

"""The nouns of a research workflow: what each stage hands to the next, field by field, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...core.errors import PinciteError
from ...core.model import Severity
from ...judge.model import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE_TYPES = ("primary", "secondary", "tertiary")
CONFIDENCES = ("high", "medium")
CHECKS = ("url_reachable", "quote_found", "quote_verbatim", "author_verified", "has_references")
"""What a citation has to pass to be validated."""
LONGEST_QUOTE = 150
"""Words of a quote."""
MOST_SENTENCES = 3
"""Sentences of a quote."""
LOWEST_CREDIBILITY = 5
"""Sources below this are rejected."""

SEARCH, EXTRACT, VALIDATE, GROUND = "search-agent", "citation-extractor", "source-validator", "claim-grounding-mapper"
STAGES = (SEARCH, EXTRACT, VALIDATE, GROUND)
"""The stages in order, by the names of their files in `.research/TOPIC/agent-outputs`."""
KEYS = {SEARCH: "results", EXTRACT: "extracted_citations", VALIDATE: "validated_citations", GROUND: "grounded_claims"}
"""Under which key a stage's file keeps its list."""
MADE = "made"
"""Under which key a file says what it was made from."""


class SearchResult(Struct, frozen=True):
    """A page that a search found."""

    result_id: int
    title: str
    url: str
    snippet: str
    source_type: str
    accessed_date: str


class _QuotedPage(Struct, frozen=True):
    claim: str
    quote: str
    source_url: str
    source_type: str
    page_title: str
    accessed_date: str


class ExtractedCitation(_QuotedPage, frozen=True):
    """A statement, and the words of a page that are said to support it."""

    confidence: str | None = None
    """What the input already says of the claim; never raised by us."""
    section: str | None = None
    """The heading of the report under which the claim belongs."""


class Details(Struct, frozen=True):
    """What was checked: true, false, or null where it is unknown."""

    url_reachable: bool | None = None
    quote_found: bool | None = None
    quote_verbatim: bool | None = None
    publication_date: str | None = None
    author: str | None = None
    author_verified: bool | None = None
    has_references: bool | None = None


class SeenEvidence(Struct, frozen=True, omit_defaults=True):
    """On what a validation rests, so that it can be repeated and understood."""

    availability: str = ""
    """`snapshot`, `archived` (the page is gone, its snapshot is not) or `unavailable`."""
    final_url: str = ""
    status: int = 0
    retrieved: str = ""
    """When the page was fetched, in UTC."""
    snapshot: str = ""
    """The file with the page, from the topic's folder."""
    digest: str = ""
    """`sha256:` and the digest of the answer's body."""
    saved: str = ""
    """Of a page that a person saved and handed over: the file, its form, and what names the day. It was not fetched."""
    folded: tuple[str, ...] = ()
    """What had to be folded for the quote to be verbatim."""
    before: str = ""
    """What stands on the page before the quote: the beginning of its sentence, and sentences before that."""
    after: str = ""
    """What stands on the page behind the quote: the rest of its sentence, and sentences after that."""
    nearest: str = ""
    """The passage nearest to a quote that is not verbatim."""
    edits: tuple[str, ...] = ()
    """What the quote changed in that passage."""
    page: int = 0
    """The page of a PDF, counted from 1."""
    credibility: tuple[str, ...] = ()
    """The arithmetic, one line each."""
    reasons: dict[str, str] = field(default_factory=dict)
    """Why each check has its result."""
    required: tuple[str, ...] = ()
    """The checks that were required, where they are not all of them."""
    attested: str = ""
    """Who vouches for the author, and when."""
    warnings: tuple[str, ...] = ()


class ValidatedCitation(_QuotedPage, frozen=True):
    """An extracted citation after its source was looked at."""

    validated: bool
    credibility_score: int
    validation_details: Details
    rejection_reason: str | None
    confidence: str | None = None
    section: str | None = None
    evidence: SeenEvidence = SeenEvidence()


class GroundedClaim(Struct, frozen=True):
    """A claim, and the citation it rests on."""

    claim_id: int
    claim: str
    citation_id: int
    citation_url: str
    citation_quote: str
    confidence: str
    given_confidence: str | None = None
    """What the input said."""
    section: str | None = None
    judge: str = ""
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()
    attested: str = ""
    """Who vouches for it, and when."""


class RejectedClaim(Struct, frozen=True):
    """A claim that no citation carries."""

    rejected_id: int
    """By which it can be accepted by a person who read it."""
    claim: str
    verdict: str
    """`contradicted`, `not shown` (needs a reader) or `not validated`."""
    citation_id: int = 0
    citation_url: str = ""
    citation_quote: str = ""
    given_confidence: str | None = None
    section: str | None = None
    judge: str = ""
    score: float = 0.0
    reasons: tuple[Reason, ...] = ()


class StageProblem(Struct, frozen=True):
    """A rule that a stage file breaks: where, what, and what to do about it."""

    rule: str
    """The rule's name, such as `not-https`."""
    file: str
    """From the root."""
    path: str
    """Inside the file, such as `results[2].url`; empty for the file itself."""
    line: int
    message: str
    remedy: str
    severity: Severity = Severity.ERROR


class Aborted(PinciteError):
    """A threshold was missed; nothing was written. Names the stage, the number and the remedy."""

    exit_code = 1

    def __init__(self, stage: str, found: str, needed: str, remedy: str) -> None:
        super().__init__(f"{stage}: {found}; {needed}. {remedy}")
        self.stage = stage
        self.found = found
        self.needed = needed
        self.remedy = remedy
        self.result: object = None
        """What the stage had found when it gave up, for those who want to see why."""


class StageInputError(Aborted):
    """The input of a stage breaks rules; `problems` names them one by one."""

    def __init__(self, stage: str, problems: Sequence[StageProblem]) -> None:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        where = f"{first.file}:{first.line}: {first.path}: " if first.path else f"{first.file}: "
        super().__init__(stage, f"{where}{first.message}{more}", "its input has to follow every rule", first.remedy)
        self.problems = tuple(problems)


class MissingStageFile(Aborted):
    """There is no file for a stage to start from."""

    exit_code = 2

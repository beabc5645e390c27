"""A citation policy: what a project demands of its citations, in the shape of the published schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import UNSET, Struct, UnsetType, convert, field

from ...text.lines import join
from .schema import defaults

if TYPE_CHECKING:
    from collections.abc import Callable

_Part = TypeVar("_Part", bound=Struct)

ALLOWED = {
    "[ref-xxx]": "bracket",
    "(ref-xxx)": "parenthesis",
    "[ref-xxx,p.xx]": "page",
    "[ref-xxx,sectionx]": "section",
}
"""The forms of citations that a policy can allow, by `format_key` of how it writes them."""
FORBIDDEN = {
    "(smithetal.,2023)": "author-year-parenthesis",
    "[1]": "numeric",
    "author(year)": "author-year-narrative",
    "anynon-corpusreference": "any-other",
}
"""The forms that a policy can forbid; `any-other` is the whitelist itself."""
SEVERITIES = {
    **dict.fromkeys(("critical", "error", "high"), "error"),
    **dict.fromkeys(("warning", "medium"), "warning"),
    **dict.fromkeys(("info", "low", "note"), "note"),
}
"""What the severity of a violation means for a report."""


def format_key(written: str) -> str:
    """How a format is looked up: spaces and case do not count."""
    return "".join(written.split()).lower()


class PolicyStep(Struct, frozen=True, omit_defaults=True):
    """One step on the way to a citation."""

    step: int | UnsetType = UNSET
    action: str = ""
    validation: str = ""


class CorpusExpansion(Struct, frozen=True):
    """What happens where the corpus holds no source."""

    when_source_not_found: str
    addition_command: str


class RetrievalFirstPolicy(Struct, frozen=True):
    """Nothing is cited before it was retrieved."""

    enabled: bool
    policy_statement: str
    prohibited_actions: tuple[str, ...]
    required_workflow: tuple[PolicyStep, ...]
    corpus_expansion_protocol: CorpusExpansion


class AgentLevel(Struct, frozen=True):
    """The whitelist while an agent writes."""

    description: str
    rules: tuple[str, ...]


class OnViolation(Struct, frozen=True):
    """What is said of a citation that is not in the corpus."""

    severity: str
    message: str
    action: str


class ValidationLevel(Struct, frozen=True):
    """The whitelist when documents are checked."""

    description: str
    check_pattern: str
    on_violation: OnViolation


class CommitLevel(Struct, frozen=True):
    """The whitelist when a change is committed."""

    description: str
    enabled: bool | UnsetType = UNSET
    """Unset where the policy does not say."""
    script: str | UnsetType = UNSET


class EnforcementLevels(Struct, frozen=True):
    """Where the whitelist is enforced."""

    agent_level: AgentLevel
    validation_level: ValidationLevel
    commit_level: CommitLevel


class WhitelistEnforcement(Struct, frozen=True):
    """Only what is in the corpus may be cited."""

    enabled: bool
    corpus_path: str
    whitelist_principle: str
    enforcement_levels: EnforcementLevels
    allowed_citation_formats: tuple[str, ...]
    forbidden_citation_formats: tuple[str, ...]


class SectionPages(Struct, frozen=True, omit_defaults=True):
    """A section and the pages it spans."""

    name: str = ""
    pages: str = ""


class DocumentMetadata(Struct, frozen=True, omit_defaults=True):
    """What a policy says about the pages of papers; papers themselves say it in their own files."""

    total_pages: int | UnsetType = UNSET
    page_range: str = ""
    sections: tuple[SectionPages, ...] = ()


class KeyQuoteMetadata(Struct, frozen=True, omit_defaults=True):
    """What a policy says about quotes; papers themselves say it in their own files."""

    validated: bool
    quote: str = ""
    page: int | UnsetType = UNSET
    section: str = ""
    validation_date: str = ""
    validator: str = ""


class PolicyRule(Struct, frozen=True):
    """One rule of page validation, in words and as a formula."""

    description: str
    rule: str


class ValidationRules(Struct, frozen=True):
    """What a cited place obeys."""

    page_existence: PolicyRule
    section_consistency: PolicyRule
    quote_verification: PolicyRule


class AutomatedCheck(Struct, frozen=True, omit_defaults=True):
    """One check, and whether a program does it."""

    check: str = ""
    automated: bool | UnsetType = UNSET


class ValidationWorkflow(Struct, frozen=True):
    """How a paper in the corpus is validated."""

    manual_checklist: tuple[str, ...]
    automated_checks: tuple[AutomatedCheck, ...]


class PageValidation(Struct, frozen=True):
    """A cited page exists, belongs to the cited section, and holds the quoted words."""

    enabled: bool
    document_metadata_schema: DocumentMetadata
    key_quote_schema: KeyQuoteMetadata
    validation_rules: ValidationRules
    validation_workflow: ValidationWorkflow


def policy_defaults() -> dict[str, dict[str, object]]:
    """The defaults of every section, without the one whose absence means something: is there a commit level?"""
    whole: dict[str, dict[str, object]] = defaults()
    whole["whitelist_enforcement"]["enforcement_levels"]["commit_level"].pop("enabled")  # type: ignore[index]
    return whole


def _section(name: str, kind: type[_Part]) -> Callable[[], _Part]:
    """What makes a section in which everything is default."""
    return lambda: convert(policy_defaults()[name], kind)


class Policy(Struct, frozen=True):
    """What a project demands of its citations; without arguments, the defaults."""

    version: str = "1.0.0"
    retrieval_first_policy: RetrievalFirstPolicy = field(
        default_factory=_section("retrieval_first_policy", RetrievalFirstPolicy)
    )
    whitelist_enforcement: WhitelistEnforcement = field(
        default_factory=_section("whitelist_enforcement", WhitelistEnforcement)
    )
    page_validation: PageValidation = field(default_factory=_section("page_validation", PageValidation))

    @property
    def corpus_path(self) -> str:
        """The folder of the corpus from the root, without a slash at its end; `.` for the root itself."""
        return join("", self.whitelist_enforcement.corpus_path) or "."

    @property
    def whitelist(self) -> bool:
        """Whether only papers of the corpus may be cited."""
        return self.whitelist_enforcement.enabled

    @property
    def pages(self) -> bool:
        """Whether pages, sections and quotes are checked."""
        return self.page_validation.enabled

    @property
    def retrieval_first(self) -> bool:
        """Whether a source must be retrieved before it is cited."""
        return self.retrieval_first_policy.enabled

    @property
    def commit_level(self) -> bool | None:
        """Whether commits are held to the whitelist; None where the policy does not say."""
        said = self.whitelist_enforcement.enforcement_levels.commit_level.enabled
        return None if isinstance(said, UnsetType) else said

    @property
    def allowed(self) -> frozenset[str]:
        """The names of the forms in which a citation may be written."""
        return _forms(self.whitelist_enforcement.allowed_citation_formats, ALLOWED)

    @property
    def forbidden(self) -> frozenset[str]:
        """The names of the forms that are reported wherever they stand."""
        return _forms(self.whitelist_enforcement.forbidden_citation_formats, FORBIDDEN)

    @property
    def severity(self) -> str:
        """How a violation is reported: `error`, `warning` or `note`."""
        return SEVERITIES.get(self._on_violation.severity.strip().lower(), "error")

    @property
    def violation_message(self) -> str:
        """What is reported of a citation that is not in the corpus."""
        return self._on_violation.message

    @property
    def violation_action(self) -> str:
        """What to do about such a citation."""
        return self._on_violation.action

    @property
    def _on_violation(self) -> OnViolation:
        return self.whitelist_enforcement.enforcement_levels.validation_level.on_violation


def _forms(written: tuple[str, ...], known: dict[str, str]) -> frozenset[str]:
    return frozenset(known[key] for key in map(format_key, written) if key in known)

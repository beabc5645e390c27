"""What a report says of the citations of one document: entries, counts and recommendations, whatever the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Severity
from ...papers.sections import same_section
from .validation import INVALID, VALID, WARNING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...core.model import Citation
    from .validation import DetailedResult

MARKS = {VALID: "✓", WARNING: "⚠", INVALID: "✗"}
WORDS = {VALID: "Valid", WARNING: "Warning", INVALID: "Error"}
_ACTION = "Remove citation or add source to corpus first"
"""What to do about a paper that is not in the corpus, where the project does not say anything else."""
_PLACES = 20
_SWITCHED_OFF = "the policy switches page validation off"
# Those that the lines about pages, sections and quotes tell already.
_TOLD = ("page-", "section-", "quote-")


class CitationEntry(Struct, frozen=True):
    """One citation with what is true of it, however often it stands in the document."""

    status: str
    citation: str
    lines: tuple[tuple[str, str], ...]
    """What was asked, and the answer: `Page valid`, `Yes (1-24 range)`."""
    places: tuple[int, ...] = ()
    """The lines of the document that it stands on."""

    @property
    def shown_places(self) -> str:
        """The first of these lines."""
        return ", ".join(map(str, self.places[:_PLACES])) + (" …" if len(self.places) > _PLACES else "")

    @property
    def mark(self) -> str:
        """`✓`, `⚠` or `✗`."""
        return MARKS[self.status]

    @property
    def word(self) -> str:
        """`Valid`, `Warning` or `Error`."""
        return WORDS[self.status]


class CitationTally(Struct):
    """How many citations there are of each kind; reports name the numbers as the fields are named."""

    total: int = 0
    valid: int = 0
    warnings: int = 0
    errors: int = 0

    def count(self, details: Iterable[DetailedResult]) -> CitationTally:
        """The same with these added."""
        for detail in details:
            status = detail.result.status
            self.total += 1
            self.valid += status == VALID
            self.warnings += status == WARNING
            self.errors += status == INVALID
        return self


def entries(details: Iterable[DetailedResult]) -> list[CitationEntry]:
    """One entry for equal citations of which the same is true, in order of first occurrence."""
    found: dict[tuple[str, str, tuple[tuple[str, str], ...]], list[int]] = {}
    for detail in details:
        key = detail.result.status, detail.result.citation, tuple(answers(detail))
        found.setdefault(key, []).append(detail.result.line)
    return [CitationEntry(*key, tuple(dict.fromkeys(places))) for key, places in found.items()]


def recommendations(details: Iterable[DetailedResult]) -> list[str]:
    """What to do, each thing once: what errors call for first, then the rest."""
    errors: dict[str, None] = {}
    others: dict[str, None] = {}
    for detail in details:
        if detail.recommendation:
            (errors if detail.result.status == INVALID else others)[detail.recommendation] = None
    return [*errors, *(advice for advice in others if advice not in errors)]


def answers(detail: DetailedResult) -> Iterator[tuple[str, str]]:
    """Each thing that was asked about a citation, with its answer, and what to do."""
    checks = detail.result.checks
    yield "In corpus", _in_corpus(detail)
    if detail.citation is not None and checks.in_corpus:
        page = _page(detail, detail.citation)
        if page:
            yield "Page valid", page
        section = _section(detail, detail.citation)
        if section:
            yield "Section consistent", section
        quote = _quote(detail, detail.citation)
        if quote:
            yield "Quote verified", quote
        for finding in detail.findings:
            if finding.check == "receipt-missing":
                yield "Retrieved", f"No ({finding.message})"
            elif finding.check == "format-not-allowed":
                yield "Format allowed", f"No ({finding.message})"
            elif not finding.check.startswith(_TOLD):
                yield "Issue", finding.message
    yield from (("Action", action) for action in dict.fromkeys(_actions(detail)))


def _in_corpus(detail: DetailedResult) -> str:
    known = detail.result.checks.in_corpus
    if known:
        return "Yes"
    if known is None:
        reason = next((issue.message for issue in detail.result.issues), "")
        reason = reason.removeprefix(f"{detail.result.ref_id} is not checked: ")
        return f"Not checked ({reason})" if reason else "Not checked"
    return "No"


def _page(detail: DetailedResult, citation: Citation) -> str:
    if citation.pages is None:
        return ""
    answer = detail.answer
    if answer is None:
        return f"Not checked ({_SWITCHED_OFF})"
    if answer.page_valid is None:
        return f"Not checked (nothing says which pages {detail.result.ref_id} has)"
    if answer.page_valid:
        return f"Yes ({answer.held_against})" if answer.held_against.endswith(" range") else "Yes"
    return f"No ({answer.held_against})"


def _section(detail: DetailedResult, citation: Citation) -> str:
    answer = detail.answer
    if answer is None:
        return f"Not checked ({_SWITCHED_OFF})" if citation.section else ""
    if not answer.section_known:
        return f"No ({detail.result.ref_id} has no section {citation.section})"
    if answer.section_consistent is None:
        return f"Not checked ({answer.section_note})" if answer.section_note else ""
    if answer.section_consistent:
        cited, there = answer.section_cited, answer.sections_there
        # Several sections may meet on a page: the cited one is reported.
        return f"Yes ({next((name for name in there if same_section(cited, name)), there[0] if there else cited)})"
    return f"No (cited as {answer.section_cited}, actually {' or '.join(answer.sections_there)})"


def _quote(detail: DetailedResult, citation: Citation) -> str:
    answer = detail.answer
    if citation.quote is None:
        return ""
    if answer is None:
        return f"Not checked ({_SWITCHED_OFF})"
    if answer.quote_verified is None:
        return f"Not checked ({answer.quote_note})" if answer.quote_kind else ""
    if answer.quote_verified:
        standing = [page for page in answer.right_pages if page]
        return f"Yes (page {standing[0]})" if standing else "Yes"
    said = next((one.message for one in detail.findings if one.check.startswith("quote-")), answer.quote_kind)
    if said.startswith("The quote is not ") and ": " in said:
        # The line says so already.
        said = said.partition(": ")[2]
    return f"No ({said[:1].lower()}{said[1:]})"


def _actions(detail: DetailedResult) -> Iterator[str]:
    """What to do at once; about a section, only a reader can tell."""
    if detail.citation is None:
        yield from (issue.suggestion for issue in detail.result.issues if issue.suggestion)
        return
    for finding, issue in zip(detail.findings, detail.result.issues, strict=True):
        if finding.severity > Severity.NOTE and not finding.check.startswith("section-"):
            if finding.check == "not-in-corpus" and issue.suggestion == _ACTION:
                yield f"Remove citation or add {detail.result.ref_id} to corpus"
            elif issue.suggestion:
                yield issue.suggestion

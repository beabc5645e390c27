"""
The quoted snippet is not on the cited line.

Why: the line changed, or the number is off. The snippet is what the author saw; it is compared exactly, as a part of
the line that does not cut a number: `retry = 3` is not on a line that says `retry = 30`.

Example: `Snippet mismatch at line 42. Expected 'retry = 3', got 'retry = 5'`.

Remedy: read the line again. If the claim is not true any more, correct it; if it is, update `snippet` and `line`, which
`pincite fix --interactive` does where it is known what the words became.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from ...core.limits import LIMITS
from ...core.model import Citation, Finding, Lines, Outcome, Severity
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.lines import shorten
from ...text.snippets import has_snippet
from ..wording import NewPlace, format_line_range, format_place

OUTCOME = Outcome.MISMATCH
SEVERITY = Severity.ERROR


def check(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Report a snippet that its line does not hold."""
    quote, lines = citation.quote, citation.lines
    if quote is None or lines is None:
        return None
    actual = evidence.lines[lines.first - 1]
    if has_snippet(quote.exact, actual):
        return None
    message = f"Snippet mismatch at line {lines.first}. Expected '{_cut(quote.exact)}', got '{_cut(actual)}'"
    return Finding("snippet-mismatch", OUTCOME, SEVERITY, message)


def add_places(finding: Finding, places: Sequence[Lines]) -> Finding:
    """The same, with the several lines on which the snippet stands."""
    return replace(finding, detail=f"the snippet stands on lines {', '.join(str(place.first) for place in places)}")


def add_new_words(citation: Citation, finding: Finding, words: str, meaning: bool, to: NewPlace) -> Finding:
    """The same, with what the snippet reads now; `meaning` says that a number or a negation changed."""
    place, was = to.place, citation.quote.exact if citation.quote is not None else ""
    where = format_place(place) if place.path != citation.source.key else f"line {format_line_range(place.lines)}"
    hint = "; a number or a negation changed" if meaning else ""
    detail = finding.detail or f"it reads differently on {where} now{hint}"
    now = (shorten(words, LIMITS.shown_chars),)
    return replace(finding, detail=detail, edit=to.edit, then=(was,), now=now, place=place)


def _cut(text: str) -> str:
    """A line as it is quoted: of a file that is one line, every citation would repeat all of it."""
    return text if len(text) <= LIMITS.shown_chars else f"{text[: LIMITS.shown_chars]}…"

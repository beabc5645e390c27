"""What is said of checked answers: rows for people, fields for programs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from ....text.lines import format_count, shorten
from .model import BlockRange, Chars

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .model import AnswerReport, CitationCheck

MOST_SHOWN = 300
"""Characters of a quotation that a row holds."""
_COLORS = {"holds": "32", "unchecked": "33", "moved": "33", "mismatch": "31", "missing": "31"}


def list_rows(report: AnswerReport, every: bool) -> Iterator[tuple[str, str]]:
    """A report for people: lines, and the colour of each; what holds only where `every` is asked for."""
    if report.error:
        yield f"{report.source}: unreadable", "31"
        yield f"  {report.error}", ""
        yield "", ""
        return
    for defect in report.defects:
        yield f"{report.source}: defect  {defect.path or '(the response)'}  {defect.kind}", "31"
        yield f"  {defect.message}", ""
        yield "", ""
    for checked in report.citations:
        if checked.outcome or every:
            label = checked.outcome.label
            yield f"{report.source}: {label}  {checked.citation.path}", _COLORS.get(label, "31")
            yield from ((f"  {row}", "") for row in _details(report, checked))
            yield "", ""
    for sentence in report.uncited:
        yield f"{report.source}: uncited  line {sentence.line} of the answer, character {sentence.start}", "33"
        yield f"  {sentence.text}", ""
        yield "", ""


def _details(report: AnswerReport, checked: CitationCheck) -> Iterator[str]:
    yield checked.message
    claim = checked.claim
    cited = checked.citation.quote or (report.text[claim.start : claim.end] if claim is not None else "")
    if checked.diff is not None:
        yield f"  cited  {checked.diff[0]}"
        yield f"  there  {checked.diff[1]}"
    elif cited:
        yield f"  {'cited ' if checked.citation.quote else 'answer'} {shorten(' '.join(cited.split()), MOST_SHOWN)}"
    if checked.nearest is not None and checked.diff is None:
        yield f"  nearest  {checked.nearest.label}  {checked.nearest.text}"
    if checked.changes:
        yield f"  {checked.changes}"
    yield from (f"  note: {note}" for note in checked.notes)
    if checked.remedy:
        yield f"  remedy: {checked.remedy}"


def count_outcomes(reports: Sequence[AnswerReport]) -> dict[str, Any]:
    """The answers in numbers: citations by outcome, and what else was found."""
    outcomes = dict.fromkeys(("holds", "moved", "mismatch", "missing", "unchecked"), 0)
    for report in reports:
        for checked in report.citations:
            outcomes[checked.outcome.label] = outcomes.get(checked.outcome.label, 0) + 1
    return {
        "answers": len(reports),
        "citations": sum(len(report.citations) for report in reports),
        "outcomes": outcomes,
        "defects": sum(len(report.defects) for report in reports),
        "uncited": sum(len(report.uncited) for report in reports),
        "unreadable": sum(bool(report.error) for report in reports),
    }


def summarize(reports: Sequence[AnswerReport], code: int) -> str:
    """The answers in one line."""
    counts = count_outcomes(reports)
    outcomes: dict[str, int] = counts["outcomes"]
    parts = [
        f"{number} {'hold' if label == 'holds' and number != 1 else label}"
        for label, number in outcomes.items()
        if number
    ]
    for noun, name in (("defect", "defects"), ("uncited sentence", "uncited")):
        parts += [format_count(counts[name], noun)] if counts[name] else []
    parts += [f"{counts['unreadable']} unreadable"] if counts["unreadable"] else []
    told = f": {', '.join(parts)}" if parts else ""
    doubtful = outcomes["unchecked"] or counts["uncited"]
    mark = "✗" if code else "⚠" if doubtful else "✓" if outcomes["holds"] else "–"
    return f"{mark} {format_count(counts['citations'], 'citation')} in {format_count(len(reports), 'answer')}{told}"


def make_fields(report: AnswerReport) -> dict[str, Any]:
    """A report for programs."""
    return {
        "source": report.source,
        "provider": report.provider or None,
        "error": report.error or None,
        "text": report.text,
        "citations": [_citation(checked) for checked in report.citations],
        "defects": report.defects,
        "uncited": report.uncited,
    }


def _citation(checked: CitationCheck) -> dict[str, Any]:
    citation = checked.citation
    place: dict[str, Any] | None = None
    if citation.place is not None:
        kinds = {Chars: "characters", BlockRange: "blocks"}
        start, end = (getattr(citation.place, name) for name in type(citation.place).__struct_fields__)
        place = {"kind": kinds.get(type(citation.place), "pages"), "start": start, "end": end}
    seen = None if checked.seen is None else asdict(checked.seen)
    if seen is not None:
        when = datetime.fromtimestamp(seen["retrieved"], UTC).isoformat(timespec="seconds")
        seen["retrieved"] = when.replace("+00:00", "Z")
    return {
        "path": citation.path,
        "outcome": checked.outcome.label,
        "message": checked.message,
        "span": citation.span,
        "claim": checked.claim,
        "quote": citation.quote or None,
        "document": {name: None if value == "" else value for name, value in asdict(citation.document).items()},
        "place": place,
        "place_held": checked.place_held,
        "where": checked.where,
        "nearest": checked.nearest,
        "diff": None if checked.diff is None else {"cited": checked.diff[0], "there": checked.diff[1]},
        "changes": checked.changes or None,
        "notes": checked.notes,
        "remedy": checked.remedy or None,
        "seen": seen,
    }

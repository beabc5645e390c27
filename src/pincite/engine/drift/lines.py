"""What became of cited lines, as a finding: unchanged, moved, edited, deleted, ambiguous, and the edit that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ... import checks, history
from ...core.limits import LIMITS
from ...core.model import Edit, Finding, Lines, Place, Safety, Severity
from ...dialects import get_dialect
from ...history.likeness import says, touches_meaning
from ...text.lines import format_count, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Citation
    from ...text.document import Document
    from ...text.evidence import Evidence

PAST_END = ("line-out-of-range", "range-past-end")
_LONGEST_DIFF = 400
_SHOWN = 12
_SAYS_ENOUGH = 8
"""Letters and digits from which lines are known by their own words."""


class Standing(Struct, frozen=True):
    """Where cited lines stand now, by all that history knows."""

    path: str
    lines: Lines
    text: list[str]
    columns: tuple[int, int] | None = None
    """The part of the first and last line that was cited, if a part was."""
    loose: bool = False
    """Whether it is a single line that may have been left behind by what it stood for."""


class Sighting(Struct, frozen=True):
    """What the author of a citation saw, and what is known of where it went."""

    then: list[str]
    """The cited file as it was."""
    since: str
    """`since 1f0c9ae, when it was cited`."""
    standing: Standing | None = None
    traced: bool = False
    """Whether history was asked: without a standing it is gone then."""


def find_drift(
    document: Document, citation: Citation, evidence: Evidence, path: str, seen: Sighting, findings: list[Finding]
) -> Finding | None:
    """What happened to the cited lines of a file between then and now; None where nothing did."""
    lines = citation.lines
    if lines is None or lines.first < 1:
        return None
    before = seen.then[lines.first - 1 : lines.last]
    after = evidence.block(lines)
    if before == after:
        return make_reworded_finding(citation, evidence, seen) if citation.dialect == "footnote" else None
    if not before:
        # What was cited was not there then; that it is there now shows nothing.
        when = seen.since.removeprefix("since ")
        message = f"Line {lines.first} was not there {'when' if when.startswith('it ') else 'in'} {when}"
        return None if findings else checks.finding("drift-unknown", message)
    past_end = any(finding.check in PAST_END for finding in findings)
    if lines.last > len(seen.then):
        # A range that ran past the end when it was cited: only what there was can be compared, none of it followed.
        same = past_end or after[: len(before)] == before
        return None if same else checks.finding("lines-edited", f"Edited {seen.since}", diff(before, after))
    plain = history.find_plainly(seen.then, lines, evidence.lines)
    if plain is not None:
        return _make_shifted_finding(document, citation, path, plain, before, seen)
    # What history knows comes before what merely reads the same: that may be another's.
    if seen.standing is not None:
        return _report_standing(document, citation, path, seen, seen.standing, before)
    if seen.traced and not past_end:
        return make_deleted_finding(before, seen.since)
    found = history.find_block(seen.then, lines, evidence.lines)
    if found.certain is not None and not seen.traced:
        return _make_shifted_finding(document, citation, path, found.certain, before, seen)
    if past_end:
        return None
    if found.places and not found.certain:
        places = "\n".join(f"  {path}:{format_line_range(place)}" for place in found.places)
        return checks.finding("lines-ambiguous", f"Changed {seen.since}; the old text stands at several places", places)
    if history.was_deleted(seen.then, lines, evidence.lines):
        return make_deleted_finding(before, seen.since)
    return make_edited_finding(before, after, seen.since)


def _make_shifted_finding(
    document: Document, citation: Citation, path: str, lines: Lines, before: list[str], seen: Sighting
) -> Finding:
    """The same lines at another place of their file."""
    message = f"Moved to L{format_line_range(lines, 'L')}, unchanged {seen.since}"
    return make_moved_finding(document, citation, "lines-moved", message, Place(path, lines), before)


def _report_standing(
    document: Document, citation: Citation, path: str, seen: Sighting, standing: Standing, before: list[str]
) -> Finding | None:
    """What history shows: the same lines at another place, or others in their place."""
    place = Place(standing.path, standing.lines)
    elsewhere = standing.path != path
    where = (
        f"{standing.path}:{format_line_range(standing.lines)}"
        if elsewhere
        else f"L{format_line_range(standing.lines, 'L')}"
    )
    at_home = not elsewhere and standing.lines == citation.lines
    if strip_white_space(before) == strip_white_space(standing.text) and not at_home:
        same = "unchanged" if before == standing.text else "unchanged but for white space"
        message = f"Moved to {where}, {same} {seen.since}"
        finding = make_moved_finding(document, citation, "lines-moved", message, place, before)
        if before != standing.text:
            # White space may be all the difference between two words, or between two branches.
            finding = replace(finding, now=shorten_lines(standing.text))
        # A bracket or `else:` is recognised by its neighbours alone: somebody should look.
        doubtful = before != standing.text or standing.loose or not says(before, _SAYS_ENOUGH)
        return replace(finding, edit=for_a_reader(finding.edit)) if doubtful else finding
    finding = make_edited_finding(before, standing.text, seen.since)
    if at_home:
        return finding
    message = f"Edited {seen.since}, and stands at {where} now"
    edit = for_a_reader(get_dialect(citation.dialect).repoint(document, citation, place))
    return replace(finding, message=message, edit=edit, place=place)


def strip_white_space(lines: Sequence[str]) -> list[str]:
    """Lines without their white space."""
    return ["".join(line.split()) for line in lines]


def make_deleted_finding(before: list[str], since: str) -> Finding:
    """What was cited and stands nowhere any more."""
    gone = format_first_rows([f"-{line}" for line in before])
    return replace(checks.finding("lines-deleted", f"Deleted {since}", gone), then=shorten_lines(before))


def make_edited_finding(before: list[str], after: list[str], since: str) -> Finding:
    """What was cited, beside what stands in its place."""
    finding = checks.finding("lines-edited", f"Edited {since}", diff(before, after))
    return replace(finding, then=shorten_lines(before), now=shorten_lines(after))


def make_reworded_finding(citation: Citation, evidence: Evidence, seen: Sighting) -> Finding | None:
    """What happened to a passage that its id named then and names no longer: its first line alone is what it was."""
    lines = checks.passage_then(citation, evidence, seen.then)
    if lines is None or citation.lines is None:
        return None
    before = seen.then[lines.first - 1 : lines.last]
    first = citation.lines.first
    after = evidence.block(Lines(first, first + len(before) - 1))
    return checks.finding("lines-edited", f"The passage was edited {seen.since}", diff(before, after))


def make_moved_finding(
    document: Document,
    citation: Citation,
    check: str,
    message: str,
    place: Place,
    then: list[str],
    was: Finding | None = None,
) -> Finding:
    """A moved finding with its edit; for dialects whose own rules call this stale it stays an error."""
    dialect = get_dialect(citation.dialect)
    finding = checks.finding(check, message)
    severity = Severity.ERROR if getattr(dialect, "MOVED_IS_STALE", False) else finding.severity
    edit = dialect.repoint(document, citation, place) if document.offers_edits else None
    detail = was.detail if was else ""
    return replace(finding, severity=severity, edit=edit, detail=detail, then=shorten_lines(then), place=place)


def add_requote_edit(document: Document, citation: Citation, finding: Finding, place: Place, words: str) -> Finding:
    """A snippet whose words were edited, with what they are now; a reader has to agree."""
    resnip = getattr(get_dialect(citation.dialect), "resnip", None)
    if resnip is None or citation.quote is None or not words.strip():
        return finding
    edit = for_a_reader(resnip(document, citation, place, words))
    if edit is None:
        return finding
    where = (
        f"{place.path}:{format_line_range(place.lines)}"
        if place.path != citation.source.key
        else f"line {format_line_range(place.lines)}"
    )
    hint = "; a number or a negation changed" if touches_meaning(citation.quote.exact, words) else ""
    detail = f"it reads differently on {where} now{hint}"
    then, now = (citation.quote.exact,), (shorten(words, LIMITS.shown_chars),)
    return replace(finding, detail=finding.detail or detail, edit=edit, then=then, now=now, place=place)


def for_a_reader(edit: Edit | None) -> Edit | None:
    """An edit that is not made before somebody read the evidence."""
    return None if edit is None else Edit(edit.span, edit.replacement, Safety.UNSAFE)


def shorten_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """The first of some lines, cut to what can be looked at."""
    return tuple(shorten(line, LIMITS.shown_chars) for line in lines[:_SHOWN])


def format_line_range(lines: Lines | None, prefix: str = "") -> str:
    """`12`, or `12-34`."""
    if lines is None:
        return ""
    return f"{lines.first}" if lines.first == lines.last else f"{lines.first}-{prefix}{lines.last}"


def diff(before: Sequence[str], after: Sequence[str]) -> str:
    """A short unified diff of the cited lines."""
    from difflib import unified_diff

    old, new = ([shorten(line, LIMITS.shown_chars) for line in lines[:_LONGEST_DIFF]] for lines in (before, after))
    rows = list(unified_diff(old, new, lineterm="", n=1))[2:] or ["  (the difference is further along the lines)"]
    return format_first_rows([row for row in rows if not row.startswith("@@")])


def format_first_rows(rows: Sequence[str]) -> str:
    """The first of some rows, each cut to what can be looked at; the others are counted."""
    more = len(rows) - LIMITS.diff_lines
    kept = [shorten(row, LIMITS.shown_chars) for row in rows[: LIMITS.diff_lines]]
    return "\n".join(kept + ([f"… {format_count(more, 'more line')}"] if more > 0 else []))

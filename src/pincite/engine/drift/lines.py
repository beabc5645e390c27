"""What became of cited lines: unchanged, moved, edited, deleted, ambiguous; and the edit that follows them."""

from collections.abc import Sequence

from msgspec import Struct

from ... import checks, history
from ...checks.lines import drift_unknown, lines_ambiguous, lines_deleted, lines_edited, lines_moved, snippet_mismatch
from ...checks.wording import NewPlace, diff
from ...core.model import Citation, Edit, Finding, Lines, Place, Safety, Severity
from ...dialects import get_capabilities, get_dialect
from ...history.edited_in_place import ALIKE
from ...history.likeness import likeness, says, touches_meaning
from ...history.range_ends import find_remains, has_outgrown
from ...text.document import Document
from ...text.evidence import Evidence

PAST_END = ("line-out-of-range", "range-past-end")
_SAYS_ENOUGH = 8
"""Letters and digits from which lines are known by their own words."""
_MOST_REMAINS = 3
_ONE_IN = 5
"""Of so many lines one must be like what stands in its place, for all of them to have been edited there."""


class CurrentLines(Struct, frozen=True):
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
    standing: CurrentLines | None = None
    traced: bool = False
    """Whether history was asked: without a standing it is gone then."""
    undecided: bool = False
    """Whether history was asked and could not tell where it went."""


def find_drift(
    document: Document, citation: Citation, evidence: Evidence, path: str, seen: Sighting, findings: Sequence[Finding]
) -> Finding | None:
    """What happened to the cited lines of a file between then and now; None where nothing did."""
    lines = citation.lines
    if lines is None or lines.first < 1:
        return None
    before = seen.then[lines.first - 1 : lines.last]
    after = evidence.block(lines)
    if before == after:
        named = get_capabilities(citation.dialect).names_passages
        return _find_reworded_passage(citation, evidence, seen) if named else None
    if not before:
        # What was cited was not there then; that it is there now shows nothing.
        return None if findings else drift_unknown.make_finding_without_line(lines.first, seen.since)
    past_end = any(finding.check in PAST_END for finding in findings)
    if lines.last > len(seen.then):
        # A range that ran past the end when it was cited: only what there was can be compared, none of it followed.
        same = past_end or after[: len(before)] == before
        return None if same else lines_edited.make_finding_without_lines(seen.since, diff(before, after))
    plain = history.find_plainly(seen.then, lines, evidence.lines)
    if plain is not None:
        return _report_shift(document, citation, path, plain, before, seen)
    # What history knows comes before what merely reads the same: that may be another's.
    if seen.standing is not None:
        return _report_standing(document, citation, path, seen, seen.standing, before)
    if seen.traced and not past_end:
        left = _list_remains(path, find_remains(seen.then, evidence.lines, lines.first - 1, lines.last))
        if left:
            return lines_edited.make_finding_beyond_recognition(before, seen.since, left)
        return lines_deleted.make_finding(before, seen.since)
    found = history.find_block(seen.then, lines, evidence.lines)
    if found.certain is not None and not seen.traced:
        return _report_shift(document, citation, path, found.certain, before, seen)
    if past_end:
        return None
    if found.places and not found.certain:
        return lines_ambiguous.make_finding([Place(path, place) for place in found.places], seen.since)
    if history.was_deleted(seen.then, lines, evidence.lines):
        return lines_deleted.make_finding(before, seen.since)
    left = _list_remains(path, find_remains(seen.then, evidence.lines, lines.first - 1, lines.last))
    if seen.undecided and (left or not _is_edited_in_place(before, after)):
        return lines_edited.make_finding_beyond_recognition(before, seen.since, left)
    return lines_edited.make_finding(before, after, seen.since)


def _report_shift(
    document: Document, citation: Citation, path: str, lines: Lines, before: list[str], seen: Sighting
) -> Finding:
    """The same lines at another place of their file."""
    to = find_new_place(document, citation, Place(path, lines))
    return lines_moved.make_finding(path, before, before, seen.since, to)


def _report_standing(
    document: Document, citation: Citation, path: str, seen: Sighting, standing: CurrentLines, before: list[str]
) -> Finding:
    """What history shows: the same lines at another place, or others in their place."""
    place, after = Place(standing.path, standing.lines), standing.text
    if has_outgrown(before, after):
        left = _list_remains(standing.path, find_remains(before, after), standing.lines.first)
        return lines_edited.make_finding_beyond_recognition(before, seen.since, left)
    if standing.path == path and standing.lines == citation.lines:
        return lines_edited.make_finding(before, after, seen.since)
    if not _read_alike(before, after):
        to = find_new_place(document, citation, place, True)
        return lines_edited.make_finding_elsewhere(path, before, after, seen.since, to)
    # A bracket or `else:` is recognised by its neighbours alone: a person should look.
    doubtful = before != after or standing.loose or not says(before, _SAYS_ENOUGH)
    to = find_new_place(document, citation, place, doubtful)
    return lines_moved.make_finding(path, before, after, seen.since, to)


def _list_remains(path: str, stretches: Sequence[tuple[int, int]], first: int = 1) -> list[Place]:
    """The longest stretches of lines, in order, in a text of which the first line has that number."""
    longest = sorted(stretches, key=lambda stretch: stretch[0] - stretch[1])[:_MOST_REMAINS]
    return [Place(path, Lines(first + start, first + end)) for start, end in sorted(longest)]


def _is_edited_in_place(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether enough of what stands where lines stood is like them, or they say too little to deny it."""
    if len(before) == 1:
        # One line that history lost may stand elsewhere as it was.
        return True
    pairs = zip(strip_white_space(before), strip_white_space(after), strict=False)
    telling = [likeness(*pair) for pair in pairs if says(pair[:1], _SAYS_ENOUGH)]
    return sum(rate >= ALIKE for rate in telling) * _ONE_IN >= len(telling)


def replace_range_findings(findings: Sequence[Finding], became: Finding) -> tuple[Finding, ...]:
    """What became of the cited lines, in place of what was said of their range."""
    kept = [found for found in findings if found.check not in PAST_END and found.check != "blank-range"]
    return (*kept, became)


def _read_alike(before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether lines differ in white space at most."""
    if len(before) != len(after):
        return False
    pairs = (pair for pair in zip(before, after, strict=True) if pair[0] != pair[1])
    return all("".join(one.split()) == "".join(other.split()) for one, other in pairs)


def strip_white_space(lines: Sequence[str]) -> list[str]:
    """Lines without their white space."""
    return ["".join(line.split()) for line in lines]


def _find_reworded_passage(citation: Citation, evidence: Evidence, seen: Sighting) -> Finding | None:
    """What happened to a passage that its id named then and names no longer: its first line alone is what it was."""
    lines = checks.passage_then(citation, evidence, seen.then)
    if lines is None or citation.lines is None:
        return None
    before = seen.then[lines.first - 1 : lines.last]
    first = citation.lines.first
    after = evidence.block(Lines(first, first + len(before) - 1))
    return lines_edited.make_passage_finding(before, after, seen.since)


def find_new_place(document: Document, citation: Citation, place: Place, for_reader: bool = False) -> NewPlace:
    """A place with the edit that leads there; for dialects whose own rules call this stale, moving is an error.

    An edit that is `for_reader` is not made before a person read the evidence.
    """
    edit = get_dialect(citation.dialect).repoint(document, citation, place) if document.offers_edits else None
    stale = get_capabilities(citation.dialect).moved_is_stale
    return NewPlace(place, leave_to_reader(edit) if for_reader else edit, Severity.ERROR if stale else None)


def add_requote_edit(document: Document, citation: Citation, finding: Finding, place: Place, words: str) -> Finding:
    """A snippet whose words were edited, with what they are now; a reader has to agree."""
    resnip = getattr(get_dialect(citation.dialect), "resnip", None)
    if resnip is None or citation.quote is None or not words.strip():
        return finding
    edit = leave_to_reader(resnip(document, citation, place, words))
    if edit is None:
        return finding
    meaning = touches_meaning(citation.quote.exact, words)
    return snippet_mismatch.add_new_words(citation, finding, words, meaning, NewPlace(place, edit))


def leave_to_reader(edit: Edit | None) -> Edit | None:
    """An edit that is not made before a person read the evidence."""
    return None if edit is None else Edit(edit.span, edit.replacement, Safety.UNSAFE)

"""What became of cited text since it was locked: found by the lines that were kept, without history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import history
from ...checks.lines import lines_ambiguous, lines_deleted, lines_edited, lines_moved
from ...checks.wording import SINCE_LOCKED
from ...core.model import Place
from ...history.likeness import weight
from ...history.line_matching import find_occurrences
from ...history.model import CitedPassage, TraceResult
from ...text.evidence import Evidence
from ...text.lines import join
from .lines import PAST_END, find_new_place, replace_range_findings

if TYPE_CHECKING:
    from ...checks import CheckedCitation
    from ...core.model import Citation, Finding
    from ...store.lock_entry import LockedLines
    from ...text.document import Document

_SAYS_ENOUGH = 8


def hold_against(document: Document, row: CheckedCitation, locked: LockedLines) -> None:
    """Compare a citation with what was locked; what became of it replaces what is said of its lines."""
    citation, evidence, findings = row.citation, row.evidence, row.findings
    if not isinstance(evidence, Evidence) or citation.lines is None or locked.is_same(evidence.block(citation.lines)):
        return
    text = locked.text_in(evidence.lines)
    if text:
        passage = CitedPassage(locked.lines, text, locked.before, locked.after, citation.source.key)
        finding = _became(document, citation, evidence, passage)
    else:
        finding = lines_edited.make_finding_without_lines(SINCE_LOCKED)
    past_end = any(found.check in PAST_END for found in findings)
    if finding.place is None and past_end:
        return
    row.findings = replace_range_findings(findings, finding)


def _became(document: Document, citation: Citation, evidence: Evidence, passage: CitedPassage) -> Finding:
    """What the words of a passage and those around them tell."""
    path, now, before = join("", evidence.source.key), evidence.lines, list(passage.text)
    answer = history.find_passage(passage, now)
    lines = answer.lines
    equal = [one for place in answer.candidates if (one := place.lines) and now[one.first - 1 : one.last] == before]
    if len(equal) > 1:
        return lines_ambiguous.make_finding([Place(path, one) for one in equal], SINCE_LOCKED)
    if lines is None and _closed_up(passage, now):
        return lines_deleted.make_finding(before, SINCE_LOCKED)
    if lines is None or lines == citation.lines:
        return lines_edited.make_finding(before, evidence.block(citation.lines or passage.lines), SINCE_LOCKED)
    place = Place(path, lines)
    if answer.became is TraceResult.MOVED:
        to = find_new_place(document, citation, place, not _stands_whole(passage, now))
        return lines_moved.make_finding(path, before, before, SINCE_LOCKED, to)
    to = find_new_place(document, citation, place, True)
    return lines_edited.make_finding_elsewhere(path, before, now[lines.first - 1 : lines.last], SINCE_LOCKED, to)


def _closed_up(passage: CitedPassage, now: list[str]) -> bool:
    """Whether what stood above and below follows each other directly now."""
    around = [*passage.before, *passage.after]
    both = bool(passage.before and passage.after)
    return both and sum(map(weight, around)) > _SAYS_ENOUGH and len(find_occurrences(around, now)) == 1


def _stands_whole(passage: CitedPassage, now: list[str]) -> bool:
    """Whether the passage stands once with all that was seen around it; alone it may be another of its kind."""
    window = [*passage.before, *passage.text, *passage.after]
    # At the top or the end of a file there is nothing on one side; what was seen has to say something.
    seen = [sum(map(weight, side)) for side in (passage.before, passage.after) if side]
    return bool(seen) and min(seen) > 0 and len(find_occurrences(window, now)) == 1

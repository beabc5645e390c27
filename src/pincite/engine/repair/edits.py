"""Edits to text: apply those that fit together, touch nothing else."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ...core.model import Citation, Edit, Finding, Span


def fitting(length: int, edits: Iterable[Edit]) -> list[Edit]:
    """The edits that can all be made to a text of that length, in order; of overlapping ones the first stays."""
    kept: list[Edit] = []
    at = 0
    for edit in sorted(edits, key=_place):
        if at <= edit.span.start <= edit.span.end <= length:
            kept.append(edit)
            at = edit.span.end
    return kept


def fit_between(length: int, made: Sequence[Edit], edits: Iterable[Edit]) -> list[Edit]:
    """The same for further edits, beside those that are made anyway: these are in order and fit together."""
    starts = [edit.span.start for edit in made]
    kept: list[Edit] = []
    at = 0
    for edit in sorted(edits, key=_place):
        after = bisect_right(starts, edit.span.start)
        first = max(at, made[after - 1].span.end if after else 0)
        last = starts[after] if after < len(starts) else length
        if first <= edit.span.start <= edit.span.end <= last:
            kept.append(edit)
            at = edit.span.end
    return kept


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with every edit made; of overlapping ones the first in the text wins."""
    pieces: list[str] = []
    at = 0
    for edit in fitting(len(text), edits):
        pieces += (text[at : edit.span.start], edit.replacement)
        at = edit.span.end
    return "".join((*pieces, text[at:]))


class SpanMap:
    """Where spans of a text stand once edits were made to it; both come in order, and the edits fit together.

    An edit inside a span, or all of it, makes the span longer or shorter; what is put in right before it moves it.
    """

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._at = self._shift = 0

    def move(self, span: Span) -> Span:
        """Where the next span stands."""
        edits = self._edits
        while self._at < len(edits) and edits[self._at].span.end <= span.start:
            self._pass()
        start = span.start + self._shift
        while self._at < len(edits) and edits[self._at].span.start < span.end and edits[self._at].span.end <= span.end:
            self._pass()
        return Span(start, span.end + self._shift)

    def _pass(self) -> None:
        edit = self._edits[self._at]
        self._shift += len(edit.replacement) - (edit.span.end - edit.span.start)
        self._at += 1


def without_blank(citation: Citation, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings without edits that would lead to lines with nothing on them: such a citation would not hold."""
    lines = citation.lines
    if lines is None or all(finding.edit is None for finding in findings):
        return findings
    size = lines.last - lines.first + 1
    return tuple(
        replace(finding, edit=None)
        if len(finding.then) == size and not any(map(str.strip, (*finding.then, *finding.now)))
        else finding
        for finding in findings
    )


def _place(edit: Edit) -> tuple[int, int]:
    return edit.span.start, edit.span.end

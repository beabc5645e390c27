"""Edits to text: apply those that fit together, touch nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..model import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import Citation, Edit, Finding


def fitting(length: int, edits: Iterable[Edit]) -> list[Edit]:
    """The edits that can all be made to a text of that length, in order; of overlapping ones the first stays."""
    kept: list[Edit] = []
    at = 0
    for edit in sorted(edits, key=_place):
        if at <= edit.span.start <= edit.span.end <= length:
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


def moved_spans(spans: Sequence[Span], edits: Sequence[Edit]) -> list[Span]:
    """Where spans of a text stand once edits were made to it; both are in order, and the edits fit together.

    An edit inside a span, or all of it, makes the span longer or shorter; what is put in right before it moves it.
    """
    moved: list[Span] = []
    at = shift = 0
    for span in spans:
        while at < len(edits) and edits[at].span.end <= span.start:
            shift += _growth(edits[at])
            at += 1
        start = span.start + shift
        while at < len(edits) and edits[at].span.start < span.end and edits[at].span.end <= span.end:
            shift += _growth(edits[at])
            at += 1
        moved.append(Span(start, span.end + shift))
    return moved


def without_blank(citation: Citation, findings: list[Finding]) -> list[Finding]:
    """The findings without edits that would lead to lines with nothing on them: such a citation would not hold."""
    lines = citation.lines
    if lines is None or all(finding.edit is None for finding in findings):
        return findings
    size = lines.last - lines.first + 1
    return [
        replace(finding, edit=None)
        if len(finding.then) == size and not any(map(str.strip, (*finding.then, *finding.now)))
        else finding
        for finding in findings
    ]


def _growth(edit: Edit) -> int:
    return len(edit.replacement) - (edit.span.end - edit.span.start)


def _place(edit: Edit) -> tuple[int, int]:
    return edit.span.start, edit.span.end

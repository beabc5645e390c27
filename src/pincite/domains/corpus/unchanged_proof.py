"""Whether edits leave every other citation as it was read: the proof is to read the edited text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from ...core.model import Citation
from ...dialects import dialects, extract
from ...engine.repair.edits import apply_edits
from ...text.document import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...core.model import Edit, Malformed

    Cut = tuple[Edit, tuple[int, ...]]
    Read = dict[int, Citation | Malformed]

_ROUNDS = 6


def keep_harmless_cuts(path: str, text: str, cuts: Sequence[Cut], corrections: Sequence[Edit]) -> list[Cut]:
    """Those of the cuts that change nothing about what stays: neither what it cites nor what it quotes."""
    before = extract(Document(path, text), dialects())
    cuts = list(cuts)
    for _ in range(_ROUNDS):
        changed = _find_changed_citations(path, text, before, [edit for edit, _ in cuts], corrections)
        if not changed:
            return cuts
        cuts = without_nearest(cuts, changed)
    return []


def _find_changed_citations(
    path: str,
    text: str,
    before: Sequence[Citation | Malformed],
    cuts: Sequence[Edit],
    corrections: Sequence[Edit],
) -> list[int]:
    """The places, in the old text, of citations that are not read as they were."""
    if not cuts:
        return []
    edits = sorted([*cuts, *corrections], key=lambda edit: edit.span.start)
    shift = Shift(edits)
    after = extract(Document(path, apply_edits(text, edits)), dialects())
    found: Read = {item.span.start: item for item in after}
    gone = sorted((edit.span.start, edit.span.end) for edit in cuts)
    turned = sorted(edit.span.start for edit in corrections)
    changed: list[int] = []
    for item in before:
        row = bisect_right(gone, (item.span.start, len(text) + 1)) - 1
        if row >= 0 and item.span.end <= gone[row][1]:
            continue
        start = shift.forth(item.span.start)
        # Brackets belong to the last one of a row.
        now = found.pop(start, None) or found.pop(start - 1, None)
        at = bisect_left(turned, item.span.start)
        paged = at < len(turned) and turned[at] < item.span.end
        if now is None or _make_comparison_key(now, paged) != _make_comparison_key(item, paged):
            changed.append(item.span.start)
    return changed + [shift.back(start) for start in found]


class Shift:
    """Where a place of the old text is in the new one, and back."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._ends = [edit.span.end for edit in edits]
        lengths = (len(edit.replacement) - (edit.span.end - edit.span.start) for edit in edits)
        self._by = [0, *accumulate(lengths)]
        self._news = [end + self._by[at + 1] for at, end in enumerate(self._ends)]

    def forth(self, place: int) -> int:
        """A place of the old text in the new one."""
        return place + self._by[bisect_right(self._ends, place)]

    def back(self, place: int) -> int:
        """A place of the new text in the old one."""
        return place - self._by[bisect_right(self._news, place)]


def _make_comparison_key(item: Citation | Malformed, paged: bool) -> tuple[object, ...]:
    """What is read of a citation, its brackets aside; without the page where that is corrected."""
    if not isinstance(item, Citation):
        return item.dialect, item.raw.strip("[]()"), item.reason
    pages = None if paged else item.pages
    # An id counts with and without brackets; a key outside of them may be a user name.
    tentative = item.tentative and item.dialect != "ref"
    return tentative, item.dialect, item.source, item.lines, item.quote, item.alternate, item.section, pages


def without_nearest(cuts: Sequence[Cut], places: Sequence[int]) -> list[Cut]:
    """The cuts without the nearest one of each place."""
    cuts = sorted(cuts, key=lambda cut: cut[0].span.start)
    starts = [edit.span.start for edit, _ in cuts]
    dropped: set[int] = set()
    for place in places:
        at = bisect_left(starts, place)
        near = [number for number in (at - 1, at) if 0 <= number < len(cuts)]
        dropped.add(min(near, key=lambda number: abs(starts[number] - place)))
    return [cut for number, cut in enumerate(cuts) if number not in dropped]

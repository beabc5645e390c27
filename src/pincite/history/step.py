"""What one change of a file did to a region of it.

Unchanged lines carry the region with them. Where lines of it were replaced, the answer is looked for inside the hunk
that replaced them and nowhere else; only an exact copy that the change itself put in may stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct

from .changed_lines import ChangedLines
from .edited_in_place import agreeing, settle_edits, stays_alike
from .fragment import carry_fragment
from .likeness import count_common, says, weight
from .line_matching import NEIGHBOURS as _NEIGHBOURS
from .line_matching import Window, count_same_neighbours, find_occurrences, match_lines, slide_inserted_runs
from .range_ends import RangeEnds, find_closing_line, has_outgrown

_LEAST_WORDS = 4
"""Letters and digits below which a line is never looked for elsewhere."""
_LEAST_PART = 3
"""The same for a part of a line that is looked for in its hunk."""
_PART = 0.3
"""How much of a line must have gone along with a part of it."""
_STANDS_ALONE = 12
"""Letters and digits below which lines are not recognised elsewhere without one of their neighbours."""
_SPAN = 24
"""Characters that most lines have."""
_FEW = 8
"""Lines that are passed one by one."""
_ONE_QUOTE = bytes.maketrans(b"'`", b'""')


class TextRegion(Struct, frozen=True, gc=False):
    """A stretch of a text: lines from 0, both ends included, and columns where only parts of them are meant."""

    first: int
    last: int
    left: int = -1
    """Offset in the first line; -1 where whole lines are meant."""
    right: int = -1
    """Offset after the end in the last line."""


UNDECIDED = TextRegion(-1, -1)
"""Stands for: two places are as likely."""


class FileVersion:
    """One version of a file, and what its lines are compared by. Cut up only where that is asked for."""

    def __init__(self, text: str) -> None:
        text = text if "\r" not in text else text.replace("\r\n", "\n")
        self.is_plain = "\r" not in text
        """Whether git counts its lines as we do: it knows no other line end than that of Unix."""
        self.whole = "\n" + (text if self.is_plain else text.replace("\r", "\n"))
        """All lines as one text, each with a line end before and after it."""
        if self.whole[-1] != "\n":
            self.whole += "\n"

    @classmethod
    def of(cls, lines: Sequence[str]) -> FileVersion:
        """The text of lines without their ends."""
        return cls("".join([f"{line}\n" for line in lines]))

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their ends."""
        return _split(self.whole)

    @cached_property
    def keys(self) -> list[str]:
        """The lines without spaces and tabs."""
        return _split(_remove_blanks(self.whole, None))

    @cached_property
    def soft(self) -> list[str]:
        """The same with one kind of quotes and no comma or semicolon at the end: formatters change them by the
        thousand."""
        return _split(_remove_blanks(self.whole, _ONE_QUOTE).replace(";\n", "\n").replace(",\n", "\n"))

    @cached_property
    def telling(self) -> frozenset[str]:
        """What its lines say, in the manner of `soft`, brackets and the like left out."""
        return frozenset(key for key in self.soft if len(key) > 2)

    @cached_property
    def where(self) -> dict[str, list[int]]:
        """The numbers of the lines that read so, in the manner of `soft`."""
        places: dict[str, list[int]] = {}
        for at, key in enumerate(self.soft):
            places.setdefault(key, []).append(at)
        return places

    @cached_property
    def size(self) -> int:
        """How many lines there are."""
        return self.whole.count("\n") - 1

    def cut(self, pieces: Iterable[tuple[int, int]]) -> str:
        """Some stretches of lines, each by its first and its end, in order; the text is not cut into lines for them."""
        found, line, at = [], 0, 1
        for first, end in pieces:
            start = self._skip(at, min(first, self.size) - line)
            at = self._skip(start, min(end, self.size) - min(first, self.size))
            found.append(self.whole[start:at])
            line = min(end, self.size)
        return "".join(found)

    def window(self, region: TextRegion, radius: int) -> str:
        """The region with some lines above and below, in the manner of `whole`."""
        return "\n" + self.cut([(max(0, region.first - radius), region.last + 1 + radius)])

    def _skip(self, at: int, lines: int) -> int:
        """The offset so many lines behind another: line ends are counted in large pieces, and found only at last."""
        span = _SPAN * lines
        while lines > _FEW:
            passed = self.whole.count("\n", at, at + span)
            if passed >= lines:
                span //= 2
                continue
            at, lines = at + span, lines - passed
            span = span * 2 if passed * 2 < lines else max(1, _SPAN * lines)
        for _ in range(lines):
            at = self.whole.index("\n", at) + 1
        return at


class FileStep:
    """One change: two versions of a text and which line of the one is which of the other."""

    def __init__(self, then: FileVersion, now: FileVersion, changed: Sequence[Window] | None = None) -> None:
        """Where it is known what was `changed`, all other lines are the same."""
        self.then = then
        self.now = now
        self._unmoved = match_lines(then.soft, now.soft, changed=changed)
        """The same before lines that were put in were moved to where they most likely begin."""
        self.matches = self._unmoved.copy()
        slide_inserted_runs(self.matches, now.soft, now.lines)
        self._doubted = settle_edits(self.matches, then.soft, now.soft, now.lines)
        """Lines that were edited in their place, or are new text above the old one."""
        self._changed = ChangedLines(then, now, self.matches)
        self._range_ends = RangeEnds(then, now, self.matches, self._changed)

    @cached_property
    def _taken(self) -> set[int]:
        """The new lines that old ones became."""
        return set(self.matches)

    def carry(self, region: TextRegion) -> TextRegion | None:
        """Where a region stands after the change; None where it is gone, UNDECIDED where two places are as likely."""
        if self.is_rivalled(region):
            return UNDECIDED
        first, last = self.matches[region.first], self.matches[region.last]
        if first >= 0 and last - first != region.last - region.first and self._is_split(region):
            first, last = self._unmoved[region.first], self._unmoved[region.last]
            return carry_fragment(self.then.lines, self.now.lines, region, first, last)
        if first >= 0 and last - first == region.last - region.first and self._whole(region, first):
            if self._is_doubtful(region):
                return UNDECIDED
            return carry_fragment(self.then.lines, self.now.lines, region, first, last)
        copied = self.find_copy(region)
        if copied is not None and (edited := self._find_edited_in_place(region, copied)) is not None:
            return edited
        if copied is not None:
            return carry_fragment(self.then.lines, self.now.lines, region, copied, copied + region.last - region.first)
        if self._is_flood(region):
            return UNDECIDED
        found = self._ends(region) or self._changed.find_rewrapped(region.first, region.last)
        if found is None:
            words = self._same_words(region) if region.left >= 0 else None
            # The very lines were put in at several places, or where nothing shows that they are these.
            return UNDECIDED if words is None and self._copies(region) else words
        return self._settle_region(region, found)

    def keeps(self, region: TextRegion) -> bool:
        """Whether all lines of a region are still there, one after the other."""
        first = self.matches[region.first]
        return first >= 0 and (self._whole(region, first) or self._is_split(region))

    def is_rivalled(self, region: TextRegion) -> bool:
        """Whether what a region is matched with may be a copy, and new lines that are like it what it became."""
        if self._doubted and not self._doubted.isdisjoint(range(region.first, region.last + 1)):
            return True
        first, then, now = self.matches[region.first], self.then.soft, self.now.soft
        if first < 0 or not self._whole(region, first) or now.count(then[region.first - 1]) < 2:
            return False
        alike = stays_alike(then, region.first, region.last, now)
        if alike is None or alike == first:
            return False
        if self._taken.issuperset(range(alike, alike + region.last - region.first + 1)):
            return False
        here = agreeing(then, region.first, region.last, now, first)
        return agreeing(then, region.first, region.last, now, alike) >= here

    def _is_flood(self, region: TextRegion) -> bool:
        """Whether so much was replaced around an end of a region that looking through it would be guessing."""
        ends = (region.first, region.last)
        return any(self.matches[at] < 0 and self._changed.is_flood(at) for at in ends)

    def _is_doubtful(self, region: TextRegion) -> bool:
        """Whether the same lines stand elsewhere too, and nothing around them says which they are."""
        end = min(len(self.matches), region.last + 1 + 2 * _NEIGHBOURS)
        around = (*range(max(0, region.first - _NEIGHBOURS), region.first), *range(region.last + 1, end))
        if any(self.matches[at] >= 0 and self.then.keys[at] for at in around[: 2 * _NEIGHBOURS]):
            return False
        block, keys = self.then.keys[region.first : region.last + 1], self.now.keys
        return keys.count(block[0]) > 1 and len(find_occurrences(block, keys)) > 1

    def is_replaced(self, region: TextRegion) -> bool:
        """Whether other lines, blank ones aside, stand where the first one of a region stood."""
        if self.matches[region.first] >= 0:
            return False
        _, _, start, end = self._changed.hunk(region.first)
        return any(self.now.keys[start:end])

    def find_copy(self, region: TextRegion) -> int | None:
        """The one place where the change put the same lines in anew."""
        then, now = self.then.keys, self.now.keys
        found = _best_by_neighbours(then, region, now, self._copies(region))
        if found is None or count_same_neighbours(then, region.first, region.last, now, found, telling=True):
            return found
        block = then[region.first : region.last + 1]
        alone = says(block, _STANDS_ALONE) and len(find_occurrences(block, then)) == 1
        return found if alone else None

    def _find_edited_in_place(self, region: TextRegion, copied: int) -> TextRegion | None:
        """Where a region was edited in its place, although a copy of it stands elsewhere; None where it went there."""
        found = None if self._is_flood(region) else self._ends(region)
        if found is None or found == (copied, copied + region.last - region.first):
            return None
        then, now = self.then.keys, self.now.keys
        here = count_same_neighbours(then, region.first, region.last, now, found[0], found[1], True)
        there = count_same_neighbours(then, region.first, region.last, now, copied, telling=True)
        if here <= there:
            return UNDECIDED if here == there else None
        return self._settle_region(region, found)

    def _copies(self, region: TextRegion) -> list[int]:
        """The places where the change put the same lines in anew."""
        block = self.then.keys[region.first : region.last + 1]
        if not says(block, _LEAST_WORDS):
            return []
        return [at for at in find_occurrences(block, self.now.keys) if at not in self._taken]

    def _same_words(self, region: TextRegion) -> TextRegion | None:
        """The one place in the hunk with the very words that were cited, where their line is no more."""
        if region.first != region.last:
            return None
        low, high, start, end = self._changed.hunk(region.first)
        words = self.then.lines[region.first][region.left : region.right]
        old, new = self.then.lines[low:high], self.now.lines[start:end]
        if weight(words) < _LEAST_PART or sum(line.count(words) for line in old) != 1:
            return None
        places = [(at, line.find(words)) for at, line in enumerate(new, start) for _ in range(line.count(words))]
        if len(places) != 1:
            return None
        at, left = places[0]
        return TextRegion(at, at, left, left + len(words))

    def _whole(self, region: TextRegion, first: int) -> bool:
        """Whether every line between the ends is still there, one after the other."""
        matched = self.matches[region.first : region.last + 1]
        return matched == list(range(first, first + len(matched)))

    def _is_split(self, region: TextRegion) -> bool:
        """Whether a region stays whole, unless lines that were put in beside it are moved into it."""
        kept = min(self.matches[region.first : region.last + 1]) >= 0
        unmoved = self._unmoved[region.first : region.last + 1]
        return kept and unmoved == list(range(unmoved[0], unmoved[0] + len(unmoved)))

    def _ends(self, region: TextRegion) -> tuple[int, int] | None:
        """The new lines that a region became."""
        if region.first == region.last:
            return self._changed.find_line(region.first, region.left >= 0)
        return self._range_ends.find(region.first, region.last)

    def _settle_region(self, region: TextRegion, found: tuple[int, int]) -> TextRegion | None:
        """A region at the new lines that it became, brackets closed; of a part of a line the words that it became."""
        last = find_closing_line(self.then.lines[region.first : region.last + 1], self.now.lines, *found)
        if has_outgrown(self.then.lines[region.first : region.last + 1], self.now.lines[found[0] : last + 1]):
            # Somewhere in there it is, and these lines would not show where.
            return UNDECIDED
        if region.left >= 0 and region.first == region.last:
            words = self.then.lines[region.first][region.left : region.right]
            if not any(words in line for line in self.now.lines[found[0] : last + 1]):
                # The line may have been edited here, and the words have gone along with another part of it.
                same, old = self._same_words(region), self.then.keys[region.first]
                if same is not None and sum(count_common(old, [self.now.keys[same.first]])) >= _PART * len(old):
                    return same
        return carry_fragment(self.then.lines, self.now.lines, region, found[0], last)


def _remove_blanks(whole: str, table: bytes | None) -> str:
    """A text without spaces and tabs; as bytes, which can be rid of them in one go."""
    return whole.encode("utf-8", "surrogatepass").translate(table, b" \t").decode("utf-8", "surrogatepass")


def _split(whole: str) -> list[str]:
    return whole[1:-1].split("\n") if len(whole) > 1 else []


def _best_by_neighbours(then: Sequence[str], region: TextRegion, now: Sequence[str], starts: list[int]) -> int | None:
    """Of several places the one whose neighbouring lines agree best; None where two agree as well."""
    if len(starts) < 2:
        return starts[0] if starts else None
    first, last = region.first, region.last
    scores = sorted(((count_same_neighbours(then, first, last, now, start), start) for start in starts), reverse=True)
    return scores[0][1] if scores[0][0] > scores[1][0] else None

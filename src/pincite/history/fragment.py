"""Parts of lines: where the words between two columns went when their line was edited."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from .likeness import is_keyword, likeness, tokens, weight
from .line_matching import match_lines

if TYPE_CHECKING:
    from .step import TextRegion


def carry_fragment(then: list[str], now: list[str], region: TextRegion, first: int, last: int) -> TextRegion | None:
    """The region at its new lines; None where a part of a line was cited and the new lines do not have it."""
    kind = type(region)
    if region.left < 0:
        return kind(first, last)
    if then[region.first : region.last + 1] == now[first : last + 1]:
        return kind(first, last, region.left, region.right)
    old, starts = _join_lines(then, region.first, region.last)
    new, places = _join_lines(now, first, last)
    low, high = region.left, starts[-1] + region.right
    span = _find_exact_words(old, low, high, new) or _map_changed_words(old, low, high, new)
    if span is None:
        return None
    line = max(at for at, start in enumerate(places) if start <= span[0])
    end = max(at for at, start in enumerate(places) if start < span[1])
    return kind(first + line, first + end, span[0] - places[line], span[1] - places[end])


def _join_lines(lines: list[str], first: int, last: int) -> tuple[str, list[int]]:
    """Some lines as one text, and where each begins in it."""
    block = lines[first : last + 1]
    return "\n".join(block), list(accumulate((len(line) + 1 for line in block[:-1]), initial=0))


def _find_exact_words(old: str, low: int, high: int, new: str) -> tuple[int, int] | None:
    """The same words, if both texts hold them as often."""
    words = old[low:high]
    if weight(words) < 2 or old.count(words) != new.count(words):
        return None
    at = -1
    for _ in range(old.count(words, 0, low) + 1):
        at = new.find(words, at + 1 if at < 0 else at + len(words))
    return (at, at + len(words)) if at >= 0 else None


def _map_changed_words(old: str, low: int, high: int, new: str) -> tuple[int, int] | None:
    """What the words became, found by the words around them that stayed."""
    before, after = tokens(old), tokens(new)
    matches = match_lines([token for _, _, token in before], [token for _, _, token in after])
    inside = [at for at, (start, end, _) in enumerate(before) if start >= low and end <= high]
    if not inside:
        return None
    kept = [matches[at] for at in inside if matches[at] >= 0]
    left = max((matches[at] for at in range(inside[0]) if matches[at] >= 0), default=-1)
    right = min((matches[at] for at in range(inside[-1] + 1, len(before)) if matches[at] >= 0), default=len(after))
    if right - left < 2:
        return None
    start, end = left + 1, right - 1
    if kept and matches[inside[0]] >= 0:
        start = matches[inside[0]]
    if kept and matches[inside[-1]] >= 0:
        end = matches[inside[-1]]
    if start > end:
        return None
    span = after[start][0], after[end][1]
    if not kept:
        was, became = (
            [token for _, _, token in some] for some in (before[inside[0] : inside[-1] + 1], after[start : end + 1])
        )
        if not (_stay_beside(matches, inside, start, end) and _is_renamed(was, became, inside[0] == 0)):
            return None
    share = sum(len(before[at][2]) for at in inside if matches[at] >= 0) / sum(len(before[at][2]) for at in inside)
    same_size = end - start + 1 == len(inside)
    if (
        share < 0.5
        and not same_size
        and likeness(old[low:high].replace(" ", ""), new[slice(*span)].replace(" ", "")) < 0.5
    ):
        return None
    return span


def _stay_beside(matches: list[int], inside: list[int], start: int, end: int) -> bool:
    """Whether the words right before and right after some are still right before and after what took their place."""
    before, after = inside[0] - 1, inside[-1] + 1
    return (before < 0 or matches[before] == start - 1) and (after >= len(matches) or matches[after] == end + 1)


def _is_renamed(old: list[str], new: list[str], leads: bool) -> bool:
    """Whether words that were all replaced may be the same by another name: no sign, and no keyword that leads its
    line, became one."""
    named = [any(word[0].isalnum() or word[0] == "_" for word in words) for words in (old, new)]
    if named[0] != named[1]:
        return False
    return not leads or len(old) > 1 or is_keyword(old[0]) == is_keyword(new[0]) or likeness(old[0], new[0]) >= 0.5

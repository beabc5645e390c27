"""Where the words of a passage went, and what took their place: exact finds first, then a bounded guess."""

from __future__ import annotations

import re
from itertools import takewhile

from ...core.limits import LIMITS
from ...text.lines import shorten, split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SEED, _SHORTEST = 24, 8
_SEEDS = 12
_AROUND = 128 * 1024
"""How far from its old place a changed passage is looked for, in code points."""
_SLACK = 400
"""How much longer what took the place of words may be at either end."""
_COMPARED = 120
"""Most lines that are compared one by one: difflib takes time by the cube of them where many are alike."""
_CONTEXT = 3
_MOST_PLACES = 10_000
"""Most places at which words are looked at for one that is not part of longer ones."""
_MOST_COMPARED = 10_000_000
_LONGEST_WORD = 80
# Letters of scripts that part words by spaces; in the others neighbours tell nothing.
_LETTER = (
    "[^\\W\u0e00-\u10ff\u1780-\u17ff\u1950-\u1aff\u2e80-\uabff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
_INSIDE = re.compile(rf"{_LETTER}(?:{_LETTER}|[\u0300-\u036f])|\d[.,]\d")
_SIGNED = re.compile(r"(?<!\w)[-\u2212]\d")


def find_once(text: str, words: str) -> tuple[int, int] | None:
    """Where the words stand, if in exactly one place; line ends may have become others in the whole of them."""
    if words.isspace():
        return None
    plain = words.replace("\r\n", "\n")
    for form in dict.fromkeys((words, plain, plain.replace("\n", "\r\n"))):
        first = text.find(form)
        if first >= 0:
            return (first, first + len(form)) if text.find(form, first + 1) < 0 else None
    return None


def has_cut_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins or ends inside a word or a number: `10` in `100`, in `10.5` and in `-10`."""
    if start >= end:
        return False
    before, after = text[max(0, start - 2) : start + 2], text[max(0, end - 2) : end + 2]
    at, stop = min(start, 2), min(end, 2)
    return (
        any(match.start() < at < match.end() for match in _overlapping(_INSIDE, before))
        or any(match.start() < at < match.end() for match in _SIGNED.finditer(before))
        or any(match.start() < stop < match.end() for match in _overlapping(_INSIDE, after))
    )


def _overlapping(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return (match for at in range(len(text)) if (match := pattern.match(text, at)) is not None)


def widen_to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch widened to the words it begins and ends in."""
    before = re.search(r"\S*+\Z", text[max(0, start - _LONGEST_WORD) : start])
    after = re.match(r"\S*", text[end : end + _LONGEST_WORD])
    return start - (len(before[0]) if before else 0), end + (len(after[0]) if after else 0)


def stands_whole(text: str, words: str) -> bool:
    """Whether the words stand somewhere without being part of longer ones."""
    at = text.find(words)
    for _ in range(min(_MOST_PLACES, 20 + _MOST_COMPARED // max(1, len(words)))):
        if at < 0:
            return False
        if not has_cut_word(text, at, at + len(words)):
            return True
        at = text.find(words, at + 1)
    return False


def find_replacement(text: str, words: str, start: int) -> tuple[int, int, bool]:
    """The stretch that most likely took the place of the words, and whether it shares any of them.

    Short pieces of the words that stand in exactly one place nearby tell where they went. Without any it is the stretch
    at the same offsets, in whole lines.
    """
    length = len(words)
    start = min(max(start, 0), len(text))
    found = list(_anchors(text, words, start)) if length <= 2 * _AROUND else []
    if found:
        (first_in, first_at), (last_in, last_at) = found[0], found[-1]
        size = _choose_piece_length(length)
        begin, end = first_at, last_at + size
        # Where the very beginning or end did not survive, as many lines are taken as there were.
        if first_in:
            begin = max(begin - first_in - _SLACK, _lines_up(text, begin, words.count("\n", 0, first_in)))
        if last_in + size < length:
            most = last_at + length - last_in + _SLACK
            end = _lines_down(text, end, words.count("\n", last_in + size))
            end = min(most, end if words.endswith("\n") else _line_end(text, end))
        if begin < end <= begin + 3 * length + 2000:
            return begin, end, True
    begin = _line_begin(text, start)
    end = _line_end(text, min(start + length, len(text)))
    return begin, min(end, begin + 3 * length + 2000), False


def _anchors(text: str, words: str, start: int) -> Iterator[tuple[int, int]]:
    """Pieces of the words that stand once in the text around their old place: (offset in the words, in the text)."""
    low = max(0, start - _AROUND)
    near = text[low : start + len(words) + _AROUND]
    size = _choose_piece_length(len(words))
    count = min(_SEEDS, max(1, len(words) // size))
    if len(words) < size:
        return
    after = 0
    for nth in range(count):
        at = (len(words) - size) * nth // max(1, count - 1)
        piece = words[at : at + size]
        if piece.isspace():
            continue
        found = near.find(piece)
        if found >= after and near.find(piece, found + 1) < 0:
            after = found
            yield at, low + found


def _choose_piece_length(length: int) -> int:
    """How long the pieces are by which a passage of this length is looked for."""
    return min(_SEED, max(_SHORTEST, length // 4))


def _lines_up(text: str, offset: int, lines: int) -> int:
    """The beginning of the line that many lines further up."""
    for _ in range(lines):
        offset = max(0, _line_begin(text, offset) - 1)
    return _line_begin(text, offset)


def _lines_down(text: str, offset: int, lines: int) -> int:
    """The offset behind that many line ends."""
    for _ in range(lines):
        offset = text.find("\n", offset) + 1 or len(text)
    return offset


def _line_begin(text: str, offset: int) -> int:
    low = max(0, offset - _AROUND)
    found = text.rfind("\n", low, offset)
    return found + 1 if found >= 0 else low


def _line_end(text: str, offset: int) -> int:
    found = text.find("\n", offset, offset + _AROUND)
    return found if found >= 0 else min(len(text), offset + _AROUND)


def make_unified_diff(then: str, now: str, path: str, first_then: int, first_now: int) -> str:
    """Two versions of a passage as a unified diff with the lines of the document; long ones are cut, and say so."""
    before, after = split_lines(then), split_lines(now)
    rows = [f"--- {path}\tas cited", f"+++ {path}\tnow"]
    for a1, a2, b1, b2, changes in _hunks(before, after):
        rows.append(f"@@ -{first_then + a1},{a2 - a1} +{first_now + b1},{b2 - b1} @@")
        rows += changes
    return "\n".join(rows) + "\n" if len(rows) > 2 else ""


def _hunks(before: list[str], after: list[str]) -> Iterator[tuple[int, int, int, int, list[str]]]:
    """Stretches that differ, with a few lines around them."""
    head = _count_same(before, after)
    tail = _count_same(before[head:][::-1], after[head:][::-1])
    if head == len(before) == len(after):
        return
    top = max(0, head - _CONTEXT)
    a_end, b_end = (max(head, len(lines) - max(0, tail - _CONTEXT)) for lines in (before, after))
    a_lines, b_lines = before[top:a_end], after[top:b_end]
    if len(a_lines) > _COMPARED or len(b_lines) > _COMPARED:
        yield top, a_end, top, b_end, [*_prefix_lines("-", a_lines), *_prefix_lines("+", b_lines)]
        return
    from difflib import SequenceMatcher

    for group in SequenceMatcher(None, a_lines, b_lines, autojunk=False).get_grouped_opcodes(_CONTEXT):
        changes: list[str] = []
        for tag, a1, a2, b1, b2 in group:
            if tag == "equal":
                changes += _prefix_lines(" ", a_lines[a1:a2])
            else:
                changes += [*_prefix_lines("-", a_lines[a1:a2]), *_prefix_lines("+", b_lines[b1:b2])]
        _, a1, _, b1, _ = group[0]
        _, _, a2, _, b2 = group[-1]
        yield top + a1, top + a2, top + b1, top + b2, changes


def _count_same(before: list[str], after: list[str]) -> int:
    """How many lines two lists have in common before they differ."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))


def _prefix_lines(sign: str, lines: list[str]) -> list[str]:
    """Lines with their sign, bounded in number and length."""
    shown = [f"{sign}{shorten(line, LIMITS.shown_chars)}" for line in lines[:_COMPARED]]
    return [*shown, f"{sign}… {len(lines) - _COMPARED} more lines"] if len(lines) > _COMPARED else shown

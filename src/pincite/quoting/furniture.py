"""What stands on a page beside its running text: heads, feet, page numbers, footnotes.

A sentence goes on behind them. They are left out only where that is certain: whole lines at the edge of a page that
recur on other pages, numbers that count with the pages, and footnotes whose mark stands in the text above them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_EDGE = 3
_SHORT_NOTE = 8
_LONGEST_NOTE = 12
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]{3}")
# A line that goes on with a sentence is text, however often it recurs. Some names have no capital.
_RUNS_ON = re.compile(r"\s*(?!arxiv|doi\b|https?:|www\.|pages?\b|pp?\.|vol\b|[^\s/@]*[.@/]\w)[a-zß-öø-ÿ]+\b(?!\.)")
_NUMBER = re.compile(r"\W{0,3}(?:[Pp]age |[Pp]\. ?)?(\d{1,5}|[ivxlcIVXLC]{1,7})(?:(?: of | ?/ ?)\d{1,5})?\W{0,3}")
_NOTE = re.compile(r"\s*(?:(\d{1,3})(?=\s|[.)]\s|[^\W\d_])|([*∗†‡§¶]{1,3})|([¹²³⁴-⁹⁰]{1,3}))\s*\S")
_OPENS = re.compile(r"\s*(?:\d+|[*∗†‡§¶¹²³⁴-⁹⁰]+)[.)]?\s*(?:[^\W\d_a-zà-ÿ]|[“\"‘(]|https?:|www\.)")
_GOES_ON = re.compile(r"[\w*∗†‡]")
_WORD_BEFORE = re.compile(r"(?:[^\W\d_A-Z]{3}|-[^\W\d_A-Z]{2}|[^\W\d_]['’][^\W\d_]{1,2})(?:[.,;:)\]\"'’”]{1,2} ?)?\Z")
_TITLED = re.compile(r"(\d{1,5}) [^\W\d_a-z]\S*(?: \S+){0,6}|[^\W\d_a-z]\S*(?: \S+){0,6} (\d{1,5})")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_OPEN_END = re.compile(r"[^\s.!?:;)\]\"'”’]\s*$")
_SHUT_END = re.compile(r"[.!?)/]\s*$")

Piece = tuple[int, str, list[tuple[int, str]]]
"""A page, a stretch of its running text, and what was left out at which characters of it."""


def running_text(pages: Sequence[str]) -> list[Piece]:
    """The pages without heads, feet and footnotes, in stretches; a page of nothing else gives none."""
    rows = [page.split("\n") for page in pages]
    tops = [_shown(lines)[:_EDGE] for lines in rows]
    feet = [_shown(lines)[::-1][:_EDGE] for lines in rows]
    heads, bottoms = _recurring(rows, tops), _recurring(rows, feet)
    pieces: list[Piece] = []
    waiting: list[str] = []
    number = 0
    for page, lines in enumerate(rows):
        first = _peeled(lines, tops[page], heads, page)
        last = _peeled(lines, feet[page], bottoms, page)
        begin = first + 1 if first is not None else 0
        end = last if last is not None else len(lines)
        if begin > 0:
            waiting.append("running head")
        if begin < end:
            notes = _notes(lines, begin, end, number)
            number = max([number, *(int(found[1]) for at in notes if (found := _NOTE.match(lines[at])) and found[1])])
            stretches, noted = _stretches(lines, begin, end, list(notes))
            for at, after in stretches:
                text, signs = _unsigned(lines, at, after, notes)
                pieces.append((page, text, [(0, kind) for kind in dict.fromkeys(waiting)] + signs))
                waiting = ["footnote"]
            waiting = ["footnote"] if noted else []
        if end < len(lines):
            waiting.append("running head")
    return pieces


def _shown(lines: list[str]) -> list[int]:
    """The lines at both ends that show anything, enough of them to judge the edges."""
    found: list[int] = []
    for order in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        near: list[int] = []
        for at in order:
            if lines[at] and not lines[at].isspace():
                near.append(at)
                if len(near) == _EDGE:
                    break
        found += near
    return sorted(set(found))


def _pattern(line: str) -> str:
    """A line as it recurs: without regard to its numbers; empty where it has no words, or is the rest of a sentence."""
    if len(line) > 300 or not _LETTERS.search(line) or _RUNS_ON.match(line):
        return ""
    return _DIGITS.sub("#", " ".join(line.split())).lower()


def _number(line: str) -> int | None:
    """The page number that is all of this line."""
    found = _NUMBER.fullmatch(line.strip()[:40])
    if not found:
        return None
    if found[1].isdecimal():
        return int(found[1])
    values = [_ROMAN[letter] for letter in found[1].lower()]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _recurring(rows: list[list[str]], edges: list[list[int]]) -> set[str | int]:
    """What recurs at this edge of the pages: patterns of lines, and the distance from page to printed number."""
    seen: Counter[str | int] = Counter()
    for page, places in enumerate(edges):
        lines = rows[page]
        for what in {_pattern(lines[at]) for at in places} - {""}:
            seen[what] += 1
        for shift in {number - page for at in places if (number := _number(lines[at])) is not None}:
            seen[shift] += 1
    return {what for what, count in seen.items() if count > 1}


def _peeled(lines: list[str], places: list[int], recurring: set[str | int], page: int) -> int | None:
    """The innermost line of this edge that belongs to it, counted from the edge inwards without a break."""
    inner = None
    for at in places:
        number = _number(lines[at])
        known = (number is not None and number - page in recurring) or _pattern(lines[at]) in recurring
        if not known and (inner is not None or not _numbered(lines[at], page, recurring)):
            break
        inner = at
    return inner


def _numbered(line: str, page: int, recurring: set[str | int]) -> bool:
    """Whether a line has the number that the pages count by, and a title or a name beside it."""
    found = _TITLED.fullmatch(" ".join(line[:100].split()))
    return found is not None and int(found[1] or found[2]) - page in recurring


def _notes(lines: list[str], begin: int, end: int, before: int) -> dict[int, tuple[int, int, int] | None]:
    """The lines that begin a footnote, and where its sign stands further up: line, first and last character.

    A footnote whose sign cannot be seen needs none in front of its successor, or where it follows that of the page
    before.
    """
    marks = {
        at: mark
        for at in range(begin + 1, end)
        if not lines[at][:1].isalpha() and (mark := _NOTE.match(lines[at])) is not None
    }
    if not marks:
        return {}
    names = {at: mark[1] or mark[2] or mark[3] for at, mark in marks.items()}
    signs = _signs(lines, begin, end, set(names.values()))
    likely: dict[str, int] = {}
    for at, name in names.items():
        # A line of the text may begin with the same number; what is said in a footnote begins as a sentence does.
        if name not in likely or _OPENS.match(lines[at]) or not _OPENS.match(lines[likely[name]]):
            likely[name] = at
    sure = {at: place for name, at in likely.items() if (place := signs.get(name)) is not None and place[0] < at}
    found: dict[int, tuple[int, int, int] | None] = dict(sure)
    order = sorted(likely.values())
    near: tuple[int, int] | None = None
    for at in order:
        number = int(names[at]) if names[at].isdecimal() else -1
        if at not in found and number > 0 and _OPENS.match(lines[at]) and _beside(at, number - 1, near, before):
            found[at] = None
        if at in found:
            near = at, number
    near = None
    for at in reversed(order):
        number = int(names[at]) if names[at].isdecimal() else -1
        if at not in found and number > 0 and _beside(at, number + 1, near, 0):
            found[at] = None
        if at in found:
            near = at, number
    return dict(sorted(found.items()))


def _beside(at: int, number: int, near: tuple[int, int] | None, before: int) -> bool:
    """Whether the footnote of that number is the neighbour, or the last one of the page before."""
    if near is not None and near[1] == number and abs(near[0] - at) <= _LONGEST_NOTE:
        return True
    return 0 < before == number


def _signs(lines: list[str], begin: int, end: int, names: set[str]) -> dict[str, tuple[int, int, int]]:
    """Where signs stand behind a word, as those of footnotes do; of each the first."""
    text = "\n".join(lines[begin:end])
    found: dict[str, tuple[int, int, int]] = {}
    for name in names:
        at = -1
        for _ in range(60):
            at = text.find(name, at + 1)
            if at < 0:
                break
            last = at + len(name)
            if not _GOES_ON.match(text, last) and _WORD_BEFORE.search(text, max(0, at - 6), at):
                row = text.count("\n", 0, at)
                first = at - (text.rfind("\n", 0, at) + 1)
                found[name] = (begin + row, first, first + len(name))
                break
    return found


def _stretches(lines: list[str], begin: int, end: int, notes: list[int]) -> tuple[list[tuple[int, int]], bool]:
    """The running text between two lines, and whether footnotes end it.

    Footnotes below a first column stand in the middle: they are left out where they part a sentence.
    """
    foot = end - max(_SHORT_NOTE, (end - begin) * 3 // 10)
    stop = next((at for at in notes if at >= foot), end)
    stretches: list[tuple[int, int]] = []
    for at in notes:
        if begin < at < stop and _OPEN_END.search(lines[at - 1][-40:]):
            for after in range(at + 1, min(stop, at + _LONGEST_NOTE)):
                if lines[after][:1].islower() and _SHUT_END.search(lines[after - 1][-40:]):
                    stretches.append((begin, at))
                    begin = after
                    break
    return [*stretches, (begin, stop)], stop < end


def _unsigned(
    lines: list[str], begin: int, end: int, notes: dict[int, tuple[int, int, int] | None]
) -> tuple[str, list[tuple[int, str]]]:
    """A stretch of text without the signs of its footnotes, and where they stood."""
    signs = sorted({place for place in notes.values() if place is not None and begin <= place[0] < end})
    if not signs:
        return "\n".join(lines[begin:end]), []
    kept: list[str] = []
    places: list[tuple[int, str]] = []
    size, line, at = 0, begin, 0
    for row, first, last in signs:
        text = "\n".join([*lines[line:row], lines[row][:first]])[at:] if row > line else lines[line][at:first]
        kept.append(text)
        size += len(text)
        places.append((size, "footnote"))
        line, at = row, last
    kept.append("\n".join(lines[line:end])[at:])
    return "".join(kept), places

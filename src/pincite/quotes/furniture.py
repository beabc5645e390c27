"""What stands on a page beside its running text: heads, feet, page numbers, footnotes, reference marks.

A sentence goes on behind them. They are left out only where that is certain: whole lines at the edge of a page that
recur on other pages, numbers that count with the pages, footnotes whose mark stands in the text above them, raised
digits that can be nothing but references, and marks such as `[12]`, which a quote may have or leave out.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING

from ..text.unspaced_scripts import LETTERS
from .fold import RAISED
from .weighty_words import is_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EDGE = 3
_SHORT_NOTE = 8
_LONGEST_NOTE = 12
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]{3}")
# A line that goes on with a sentence is text, however often it recurs. Some names have no capital.
_RUNS_ON = re.compile(r"\s*(?!arxiv|doi\b|https?:|www\.|pages?\b|pp?\.|vol\b|[^\s/@]*[.@/]\w)[a-zß-öø-ÿ]+\b(?!\.)")
_NUMBER = re.compile(r"\W{0,3}(?:[Pp]age |[Pp]\. ?)?(\d{1,5}|[ivxlcIVXLC]{1,7})(?:(?: of | ?/ ?)\d{1,5})?\W{0,3}")
_NOTE = re.compile(r"\s*(?:(\d{1,3})(?=\s|[.)]\s|[^\W\d_⁰¹²³⁴-⁹])|([*∗†‡§¶]{1,3})|([¹²³⁴-⁹⁰]{1,3}))\s*\S")
_OPENS = re.compile(r"\s*(?:\d+|[*∗†‡§¶¹²³⁴-⁹⁰]+)[.)]?\s*(?:[^\W\d_a-zà-ÿ⁰¹²³⁴-⁹]|[“\"‘(]|https?:|www\.)")
_SAYS = re.compile(r"\s*(?:\d+|[*∗†‡§¶¹²³⁴-⁹⁰]+)[.)]?\s+(?:[^\W\d_a-zà-ÿ]|[“\"‘(]|https?:|www\.|see\b|cf\b|e\.g\.)")
_GOES_ON = re.compile(r"[\w*∗†‡]")
_WORD_BEFORE = re.compile(r"(?:[^\W\d_A-Z]{3}|-[^\W\d_A-Z]{2}|[^\W\d_]['’][^\W\d_]{1,2})(?:[.,;:)\]\"'’”]{1,2} ?)?\Z")
_TITLED = re.compile(r"(?:(\d{1,5}) )?(?:\d{1,2}(?:\.\d{1,2})* )?[^\W\d_a-z]\S*(?: \S+){0,6}?(?: (\d{1,5}))?")
"""A title or a name with the page number on one side of it, perhaps behind the number of a section."""
_ENOUGH = 3
"""Pages on which such numbers must count with the pages to be theirs."""
# A list of references, or a single one; a letter behind it would make it part of a formula.
_REFERENCES = re.compile(
    f"(?<![{RAISED}⁺⁻])[{RAISED}]{{1,4}}(?:(?:, ?|[;\\-‐‑–−⁻])[{RAISED}]{{1,4}}){{0,12}}(?![^\\W_]|[⁺⁻^_])"
)
_ON_WORD = re.compile(
    r"(?<![\w\\^])(?:([^\W\d_]{3,40})|[^\W\d_]{3,40}[-‐‑\u00ad](?:[^\S\n]{0,3}\n)?([^\W\d_]{2})|[^\W\d_]{2,40}['’][^\W\d_]{1,2})[’”\"']?\Z"
)
_ON_STOP = re.compile(r"[^\s.,;:!?][.,;:!?][’”\"']{0,2}\Z|\d ?%\Z")
_ON_BRACKET = re.compile(r"[(\[][^\W\d_][^()\[\]\d+\-−×*/=^|<>·]{0,60}[^\W\d_]{2}[)\]]\Z")
_TO_RAISED = dict(zip(map(ord, "0123456789"), "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))
_POWERS = frozenset("²³")
_RAISABLE = frozenset(
    "sin cos tan cot sec csc sinh cosh tanh log exp lim sup inf max min det var std mol mmol nmol cal kcal rad bar atm"
    " torr lux ohm inch inches foot feet yard yards mile miles meter meters metre metres centimeter centimeters"
    " centimetre centimetres millimeter millimeters millimetre millimetres kilometer kilometers kilometre kilometres"
    " second seconds minute minutes hour hours day days year years pixel pixels voxel voxels degree degrees bit bits"
    " byte bytes unit units alpha beta gamma delta epsilon eta theta lambda rho sigma tau phi chi psi omega kpa mpa khz"
    " mhz ghz ppm ppb".split()
)
"""Functions, units and spelled letters: what may have an exponent like a variable has."""
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_OPEN_END = re.compile(r"[^\s.!?:;)\]\"'”’]\s*$")
_SHUT_END = re.compile(r"[.!?)/]\s*$")

Piece = tuple[int, str, list[tuple[int, str]], int]
"""A page, a stretch of its running text, what was left out at which characters of it, and its first line there."""
MARK = "reference mark"
"""What was folded where a quote leaves one out."""
_MARK = re.compile(r"\s?\[([1-9][0-9]{0,2}(?:\s?[,;–-]\s?[1-9][0-9]{0,2}){0,20})\]")
# What a mark hangs on: a word, or the end of a clause. Behind anything else it is an index, an interval or a list.
_HOLDER = re.compile(rf"(?:([^\W\d_]{{3,40}})|[{LETTERS}]|[^\W_][)\]]?[.,;:!?]|\w%|[)”’\"'」』])\Z")
_COUNTED = frozenset(
    "range ranges interval intervals between within from over index indices list array tuple vector sequence set"
    " value values axis shape size dimension dimensions row rows column columns equals are into with and the than"
    " segment domain bounds".split()
)
_REACH = 44


def running_text(pages: Sequence[str]) -> list[Piece]:
    """The pages without heads, feet and footnotes, in stretches; a page of nothing else gives none."""
    rows = [page.split("\n") for page in pages]
    tops = [_find_edge_lines(lines)[:_EDGE] for lines in rows]
    feet = [_find_edge_lines(lines)[::-1][:_EDGE] for lines in rows]
    heads, bottoms = _recurring(rows, tops), _recurring(rows, feet)
    pieces: list[Piece] = []
    waiting: list[str] = []
    number = 0
    for page, lines in enumerate(rows):
        first = _find_innermost_edge(lines, tops[page], heads, page)
        last = _find_innermost_edge(lines, feet[page], bottoms, page)
        begin = first + 1 if first is not None else 0
        end = last if last is not None else len(lines)
        if begin > 0:
            waiting.append("running head")
        if begin < end:
            notes = _notes(lines, begin, end, number)
            number = max([number, *(int(found[1]) for at in notes if (found := _NOTE.match(lines[at])) and found[1])])
            stretches, noted = _stretches(lines, begin, end, list(notes))
            for at, after in stretches:
                text, signs = _remove_footnote_signs(lines, at, after, notes)
                pieces.append((page, text, [(0, kind) for kind in dict.fromkeys(waiting)] + signs, at))
                waiting = ["footnote"]
            waiting = ["footnote"] if noted else []
        if end < len(lines):
            waiting.append("running head")
    return pieces


def _find_edge_lines(lines: list[str]) -> list[int]:
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


def recurring_pattern(line: str) -> str:
    """A line as it recurs: without regard to its numbers; empty where it has no words, or is the rest of a sentence."""
    if len(line) > 300 or not _LETTERS.search(line) or _RUNS_ON.match(line):
        return ""
    return _DIGITS.sub("#", " ".join(line.split())).lower()


def page_number(line: str) -> int | None:
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
    titled: Counter[int] = Counter()
    for page, places in enumerate(edges):
        lines = rows[page]
        for what in {recurring_pattern(lines[at]) for at in places} - {""}:
            seen[what] += 1
        for shift in {number - page for at in places if (number := page_number(lines[at])) is not None}:
            seen[shift] += 1
        titled.update(_shifts(lines[places[0]], page) if places else ())
    counting = {shift for shift, count in titled.items() if count >= _ENOUGH}
    return {what for what, count in seen.items() if count > 1} | counting


def _find_innermost_edge(lines: list[str], places: list[int], recurring: set[str | int], page: int) -> int | None:
    """The innermost line of this edge that belongs to it, counted from the edge inwards without a break."""
    inner = None
    for at in places:
        number = page_number(lines[at])
        known = (number is not None and number - page in recurring) or recurring_pattern(lines[at]) in recurring
        if not known and (inner is not None or not _has_page_number(lines[at], page, recurring)):
            break
        inner = at
    return inner


def _has_page_number(line: str, page: int, recurring: set[str | int]) -> bool:
    """Whether a line has the number that the pages count by, and a title or a name beside it."""
    return not _shifts(line, page).isdisjoint(recurring)


def _shifts(line: str, page: int) -> set[int]:
    """How far the numbers beside a title are from the number of the page, counted from 0."""
    found = _TITLED.fullmatch(" ".join(line[:100].split()))
    return {int(number) - page for number in found.groups() if number} if found is not None else set()


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
    if sure and _has_excess_references(lines, begin, end, len(names)):
        # Raised references have the number of many a line that begins with one.
        sure = {at: place for at, place in sure.items() if _SAYS.match(lines[at]) and not _counts(lines[at])}
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
    raised = _has_raised(text)
    forms = [(name, name) for name in names]
    # Where both stand there, the raised one is the sign.
    forms += [(name, name.translate(_TO_RAISED)) for name in names if raised and name.isdecimal()]
    for name, form in forms:
        at = -1
        for _ in range(60):
            at = text.find(form, at + 1)
            if at < 0:
                break
            last = at + len(form)
            if not _GOES_ON.match(text, last) and _WORD_BEFORE.search(text, max(0, at - 6), at):
                row = text.count("\n", 0, at)
                first = at - (text.rfind("\n", 0, at) + 1)
                found[name] = (begin + row, first, first + len(form))
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


def _remove_footnote_signs(
    lines: list[str], begin: int, end: int, notes: dict[int, tuple[int, int, int] | None]
) -> tuple[str, list[tuple[int, str]]]:
    """A stretch of text without the signs of its footnotes, and where they stood."""
    text = "\n".join(lines[begin:end])
    signs: list[tuple[int, int, str]] = []
    placed = {place for place in notes.values() if place is not None and begin <= place[0] < end}
    if placed:
        starts = [0, *accumulate(len(line) + 1 for line in lines[begin:end])]
        signs = [(starts[row - begin] + first, starts[row - begin] + last, "footnote") for row, first, last in placed]
    return without_references(text, signs)


def without_references(text: str, signs: Sequence[tuple[int, int, str]] = ()) -> tuple[str, list[tuple[int, str]]]:
    """A text without its raised references and other signs, and where they stood."""
    if _has_raised(text):
        signs = [*signs, *((found.start(), found.end(), "footnote sign") for found in _references(text))]
    kept: list[str] = []
    places: list[tuple[int, str]] = []
    size = at = 0
    for first, last, kind in sorted(signs):
        if last <= at:
            continue
        kept.append(text[at:first])
        size += max(0, first - at)
        places.append((size, kind))
        at = last
    return "".join([*kept, text[at:]]), places


def _has_excess_references(lines: list[str], begin: int, end: int, notes: int) -> bool:
    """Whether more raised numbers stand there than footnotes could have."""
    text = "\n".join(lines[begin:end])
    return _has_raised(text) and sum(1 for _ in _REFERENCES.finditer(text)) > notes * 2


def _counts(line: str) -> bool:
    """Whether a line begins with a number and what is counted."""
    words = line.split(None, 2)
    return len(words) > 1 and words[1] != "A" and is_unit(words[1])


def _has_raised(text: str) -> bool:
    return not text.isascii() and any(sign in text for sign in _TO_RAISED.values())


def _references(text: str) -> Iterator[re.Match[str]]:
    """Raised digits that hang on a word or on the end of a clause, where no exponent can be."""
    for found in _REFERENCES.finditer(text):
        at, run = found.start(), found[0]
        before = text[max(0, at - 70) : at]
        word = _ON_WORD.search(before)
        if word is not None:
            # Raised and lowered digits are letters to the pattern: what they stand in is a formula.
            last = word[1] or word[2] or word[0].strip("’”\"'")[:2]
            power = last.lower() in _RAISABLE or is_unit(last) or (last.isupper() and run in _POWERS)
            if last.isalpha() and (len(run) > 1 or not power):
                yield found
        elif _ON_STOP.search(before) or (run not in _POWERS and _ON_BRACKET.search(before)):
            yield found


def find_marks(text: str) -> list[re.Match[str]]:
    """The marks of a text that surely are references, each with the white space before it."""
    if "[" not in text:
        return []
    found: list[re.Match[str]] = []
    until = -1
    for mark in _MARK.finditer(text):
        start, end = mark.span()
        goes_on = text[end : end + 1] in ("(", "[") and not _MARK.match(text, end)
        if not goes_on and (start == until or _hangs(text, start)):
            found.append(mark)
            until = end
    return found


def _hangs(text: str, start: int) -> bool:
    holder = _HOLDER.search(text, max(0, start - _REACH), start)
    return holder is not None and (holder[1] or "").lower() not in _COUNTED


def without_marks(text: str) -> tuple[str, list[tuple[int, str]]]:
    """A text without its reference marks, and which stood at which character of it."""
    pieces: list[str] = []
    places: list[tuple[int, str]] = []
    at = size = 0
    for mark in find_marks(text):
        # The ends of lines stay, so that lines can be counted.
        pieces += (text[at : mark.start()], kept := "\n" * mark[0].count("\n"))
        size += mark.start() - at + len(kept)
        places.append((size, "".join(mark[1].split())))
        at = mark.end()
    return ("".join([*pieces, text[at:]]), places) if places else (text, [])

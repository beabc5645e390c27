"""Sentences of real papers as an independent extractor gives them: within a block, over a break of columns or pages.

A join is taken only where both lines are lines of the body, the first is full and open, the second goes on in lower
case at the edge of its column, and the two words that meet there, or the word that the hyphen parts, stand together
elsewhere in the same papers.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from poppler_pages import Line, Page, body_height
from quote_cases import CHANGES

_PROSE = re.compile(r"[(\[“\"‘']?[A-Za-z][A-Za-z’'-]*[.,;:)\]”\"’'?!]{0,3}")
_CAPTION = re.compile(r"(?:Fig(?:ure|\.)|Table|TABLE|FIG|Algorithm|Listing|Scheme|Box|Plate|Example|Program)\b")
_SHUT = re.compile(r"[.!?:;][)\]”\"’']*$")
_END = re.compile(r"[.!?][)\]”\"’']*$")
_ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|et al|cf|vs|Fig|Sec|Eq|No|pp|Dr|Mr|St|etc|resp|approx)|\b[A-Z])\.$")
_HYPHEN = re.compile(r"[A-Za-z0-9][-‐\u00ad]$")
_LETTERS = re.compile(r"[a-z]{2,}")
_FURNITURE = re.compile(r"Permission to|Copyright|©|\(c\)|To appear|Proceedings|arXiv", re.IGNORECASE)
# A letter by itself, a space in front of a stop or a sign that no font has: poppler has parted or lost something.
_DAMAGED = re.compile(r"(?:^| )[b-zB-HJ-Z](?: |$)| [.,;:)\]]|[(\[] |[\x00-\x1f|�′]|- ")
_BRACKETS = re.compile(r"\[[^\]]*\]")
_PAIRED = re.compile(r"f[fil]|[ﬀ-ﬄ]")
_FEWEST_PAIRS = 0.01
_SAME = 0.06


class Case(NamedTuple):
    """A quote with where it stands, counted from 0, by which kind of break, and what was done to it."""

    paper: int
    kind: str
    """within, column or page."""
    between: str
    """What stands at the break besides the body: nothing, float, footnote or both."""
    quote: str
    first: int
    last: int
    how: str = ""
    """Empty where it is word for word."""


class Column(NamedTuple):
    """A column of a page: its edges and the lines within, from top to bottom."""

    left: float
    right: float
    lines: list[Line]


class Attested:
    """Which words stand next to each other inside lines, and which words there are."""

    def __init__(self) -> None:
        self.pairs: set[int] = set()
        self.words: set[str] = set()

    def add(self, pages: Sequence[Page]) -> None:
        """Learn the lines of a paper."""
        for page in pages:
            for line in page.lines:
                words = [_bare(word) for word in line.words]
                self.words.update(words[1:-1])
                self.pairs.update(hash(pair) for pair in itertools.pairwise(words))

    def joins(self, before: str, after: str) -> bool:
        """Whether these two may follow one another."""
        if _HYPHEN.search(before):
            return _bare(before[:-1] + after) in self.words or _bare(before[:-1] + "-" + after) in self.words
        return hash((_bare(before), _bare(after))) in self.pairs


def _bare(word: str) -> str:
    return word.strip("()[]“”\"‘’',;:.?!").lower()


def lost_letters(pages: Sequence[Page]) -> bool:
    """Whether the pairs of letters that fonts have signs for are missing from a paper."""
    words = [word for page in pages for line in page.lines for word in line.words]
    return sum(1 for word in words if _PAIRED.search(word)) < _FEWEST_PAIRS * len(words)


def is_prose(words: Sequence[str], share: float) -> bool:
    """Whether so many of the words are plain ones."""
    return sum(1 for word in words if _PROSE.fullmatch(word)) >= share * len(words)


def columns(page: Page, body: float) -> list[Column]:
    """The one or two columns of the body."""
    prose = [line for line in page.lines if abs(line.high - body) <= _SAME * body and len(line.words) >= 4]
    if len(prose) < 12:
        return []
    left, right = min(line.left for line in prose), max(line.right for line in prose)
    middle = (left + right) / 2
    sides: list[list[Line]] = [[], []]
    wide = 0
    for line in prose:
        if line.right < middle + 4:
            sides[0].append(line)
        elif line.left > middle - 4:
            sides[1].append(line)
        else:
            wide += 1
    if min(map(len, sides)) >= 6 and wide < 0.3 * len(prose):
        return [_column(page, side) for side in sides]
    return [_column(page, prose)] if wide > 0.5 * len(prose) else []


def _column(page: Page, prose: list[Line]) -> Column:
    lefts, rights = sorted(round(line.left) for line in prose), sorted(round(line.right) for line in prose)
    left, right = lefts[len(lefts) // 4], rights[len(rights) * 3 // 4]
    inside = [line for line in page.lines if line.left > left - 12 and line.right < right + 12]
    return Column(left, right, sorted(inside, key=lambda line: (line.top, line.left)))


def is_body(line: Line, column: Column, body: float) -> bool:
    """Whether a line looks like one of the running text."""
    broad = column.right - column.left
    return (
        abs(line.high - body) <= _SAME * body
        and len(line.words) >= 4
        and is_prose(line.words, 0.7)
        and line.right - line.left > 0.5 * broad
    )


def foot(column: Column, body: float) -> tuple[list[Line], str] | None:
    """The last lines of the body in a column, where they stop inside a sentence, and what stands below."""
    between = set()
    blocks = _blocks(column)
    for lines in reversed(blocks):
        if _CAPTION.match(lines[0].text):
            between.add("float")
        elif not all(is_body(line, column, body) for line in lines[-2:]) or _FURNITURE.search(lines[0].text):
            small = sum(line.high < body * (1 - _SAME / 2) for line in lines) * 2 > len(lines)
            prose = is_prose([word for line in lines for word in line.words], 0.5)
            recurring = len(lines) == 1 and lines[0].top > column.lines[-1].top - 3
            if not recurring:
                between.add("footnote" if small and prose else "float")
        else:
            last = lines[-1]
            full = last.right > column.right - 0.04 * (column.right - column.left)
            if not full or _SHUT.search(last.text) or len(lines) < 2:
                return None
            return lines, " and ".join(sorted(between))
        if len(between) and sum(len(one) for one in blocks[blocks.index(lines) :]) > 0.6 * len(column.lines):
            return None
    return None


def head(column: Column, body: float) -> tuple[list[Line], str] | None:
    """The first lines of the body in a column, where they go on with a sentence, and what stands above."""
    between = set()
    for at, lines in enumerate(_blocks(column)):
        if _CAPTION.match(lines[0].text):
            between.add("float")
        elif not is_body(lines[0], column, body) or _FURNITURE.search(lines[0].text):
            if at or len(lines) > 1:
                between.add("float")
        else:
            first = lines[0]
            flush = abs(first.left - column.left) < 0.02 * (column.right - column.left)
            if not flush or not _LETTERS.match(first.words[0]) or len(lines) < 2:
                return None
            return lines, " and ".join(sorted(between))
    return None


def _blocks(column: Column) -> list[list[Line]]:
    """The lines of a column, those of one block together."""
    blocks: dict[int, list[Line]] = defaultdict(list)
    for line in column.lines:
        blocks[line.block].append(line)
    return sorted(blocks.values(), key=lambda lines: lines[0].top)


def joined(lines: Sequence[Line], attested: Attested) -> list[str]:
    """The words of lines; hyphens at their ends are left out where the word is known without."""
    words: list[str] = []
    for line in lines:
        for at, word in enumerate(line.words):
            if at == 0 and words and _HYPHEN.search(words[-1]):
                plain = words[-1][:-1] + word
                words[-1] = plain if _bare(plain) in attested.words else words[-1][:-1] + "-" + word
            else:
                words.append(word)
    return words


def _sentence(before: list[str], after: list[str], random: Random) -> list[str] | None:
    """The sentence that goes over a break, or a part of it."""
    start = next((at + 1 for at in range(len(before) - 2, -1, -1) if _ends(before[at])), 0)
    stop = next((at + 1 for at, word in enumerate(after) if _ends(word)), 0)
    first = before[start:] if start and len(before) - start >= 3 else before[-random.randint(5, 14) :]
    second = after[:stop] if stop >= 3 else after[: random.randint(5, 14)]
    first, second = first[-35:], second[:35]
    words = first + second
    if len(first) < 3 or len(second) < 3 or len(words) < 8 or not is_prose(words, 0.85):
        return None
    return words


def _ends(word: str) -> bool:
    return bool(_END.search(word)) and not _ABBREVIATED.search(word)


def make_cases(paper: int, pages: list[Page], attested: Attested, count: int, random: Random) -> Iterator[Case]:
    """Cases of one paper: so many of each kind at most, each with three altered ones."""
    if lost_letters(pages):
        return
    body = body_height(pages)
    found: list[list[tuple[str, str, list[str], int, int, int, int]]] = [[], [], []]
    truth = " ".join(" ".join(joined(page.lines, attested)) for page in pages)
    layouts = [columns(page, body) for page in pages]
    for at, layout in enumerate(layouts):
        found[0] += _within(at, layout, body, attested, random)
        for one, other in itertools.pairwise(layout):
            found[1] += _over("column", one, other, at, at, body, attested, random)
        if layout and at + 1 < len(layouts) and layouts[at + 1]:
            found[2] += _over("page", layout[-1], layouts[at + 1][0], at, at + 1, body, attested, random)
    for kind in found:
        random.shuffle(kind)
        sound = [case for case in kind if not _DAMAGED.search(" ".join(case[2]))]
        for kind_name, between, words, first, last, place, line in map(_without_sign, sound[:count]):
            yield Case(paper, kind_name, between, " ".join(words), first, last)
            for how, changed in _altered(words, place, line, truth, random):
                yield Case(paper, kind_name, between, " ".join(changed), first, last, how)


def _without_sign(
    case: tuple[str, str, list[str], int, int, int, int],
) -> tuple[str, str, list[str], int, int, int, int]:
    """A case without a number in front of its first word: the sign of a note, which poppler parts from its word."""
    kind, between, words, first, last, place, line = case
    if len(words) > 8 and place > 1 and re.fullmatch(r"\d{1,3}", words[0]) and words[1][:1].isupper():
        return kind, between, words[1:], first, last, place - 1, line
    return case


def _within(
    page: int, layout: list[Column], body: float, attested: Attested, random: Random
) -> Iterator[tuple[str, str, list[str], int, int, int, int]]:
    for column in layout:
        for lines in _blocks(column):
            if len(lines) < 4 or not all(is_body(line, column, body) for line in lines[:-1]):
                continue
            words = joined(lines, attested)
            starts = [0, *(at + 1 for at, word in enumerate(words[:-1]) if _ends(word))]
            for start, stop in zip(starts[1:], [*starts[2:], len(words)], strict=False):
                run = words[start:stop][:60]
                if len(run) >= 8 and is_prose(run, 0.85) and _ends(run[-1]):
                    yield "within", "", run, page, page, random.randint(2, len(run) - 3), 0


def _over(
    kind: str,
    one: Column,
    other: Column,
    first: int,
    last: int,
    body: float,
    attested: Attested,
    random: Random,
) -> Iterator[tuple[str, str, list[str], int, int, int, int]]:
    above, below = foot(one, body), head(other, body)
    if above is None or below is None:
        return
    before, after = above[0][-6:], below[0][:6]
    if not attested.joins(before[-1].words[-1], after[0].words[0]):
        return
    words = _sentence(joined(before, attested), joined(after, attested), random)
    if words is None:
        return
    between = " and ".join(sorted({*above[1].split(" and "), *below[1].split(" and ")} - {""}))
    # Join the word that a hyphen parts.
    text = " ".join(words)
    parted = f"{before[-1].words[-1]} {after[0].words[0]}"
    place = text.find(parted)
    if place < 0:
        return
    whole = joined([before[-1], after[0]], attested)[len(before[-1].words) - 1]
    if _HYPHEN.search(before[-1].words[-1]):
        text = text.replace(parted, whole, 1)
    at = len(text[:place].split())
    yield kind, between, text.split(), first, last, at, len(after[0].words)


def _unbracketed(words: Sequence[str]) -> str:
    """The words without what stands in square brackets, which is the quoter's own."""
    return " ".join(_BRACKETS.sub("", " ".join(words)).split())


def _altered(words: list[str], place: int, line: int, truth: str, random: Random) -> Iterator[tuple[str, list[str]]]:
    """Three changed forms: one of the usual, one at the break, and one that skips a line of the body there."""
    ways = list(CHANGES)
    random.shuffle(ways)
    for how, change in ways:
        new = change(words, random)
        if new is not None and " ".join(new) not in truth and _unbracketed(new) != _unbracketed(words):
            yield how, new
            break
    others = [word for word in truth.split(" ")[:20_000] if _LETTERS.fullmatch(word) and len(word) > 3]
    at = min(max(1, place + random.choice((0, 1))), len(words) - 2)
    new = [*words[:at], random.choice(others or ["other"]), *words[at + 1 :]]
    if new != words and " ".join(new) not in truth:
        yield "exchanged", new
    if line and place + 1 + line < len(words) - 3:
        new = words[: place + 1] + words[place + 1 + line :]
        how = "line skipped"
        if " ".join(words).startswith(" ".join(new).rstrip(".,;")):
            return
    else:
        at = min(max(1, place + random.choice((0, 1))), len(words) - 2)
        new, how = words[:at] + words[at + 1 :], "dropped"
    # A quote may leave a reference mark out.
    if _unbracketed(new) == _unbracketed(words):
        return
    if new[at - 1 : at] != new[at : at + 1] and " ".join(new).rstrip(".,;") not in truth:
        yield how, new

"""What the pages of a PDF are called on paper, and which of them a printed page means.

Four witnesses are asked in turn: the labels that the file declares, the paper's declared page range where the PDF has
just as many pages, the numbers printed at the top or foot of the pages, and plain counting. Labels that merely count
from 1 say no more than counting. A PDF may have as many pages as the range only because a cover was put in front of it:
numbers printed on the pages that say so are believed, and where too few say so, or where a page range is declared and
none of the others fits it, the pages have no known names: a wrong page is worse than none.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.lines import shorten
from .ranges import PageRange, normal_ranges, parse_page, parse_ranges

if TYPE_CHECKING:
    from .model import Paper, PdfText

    PageKey = tuple[str, int]

_EDGE = 300
"""How many characters at the top and at the foot of a page are searched for its number."""
_LEAST, _SHARE = 3, 0.6
"""How many pages, and which part of those with text, must show the same numbering."""
_NUMBER = re.compile(r"\W{0,4}([0-9]{1,5})(?![0-9.,:%])|[Pp]age\s{1,3}([0-9]{1,5})(?![0-9])")
_LAST_NUMBER = re.compile(r"(?<![0-9.,:/])([0-9]{1,5})\W{0,4}\Z")
_RUNS = 6
UNKNOWN = (None, "")


class Numbering(Struct, frozen=True):
    """What each page is called, and who says so."""

    names: tuple[str, ...]
    """Empty where a page has no known name."""
    how: str
    """`labels`, `range`, `printed` or `count`; empty where no page has a name."""
    places: dict[PageKey, tuple[int, ...]]
    """Where each name stands, counted from 0."""


def pdf_indexes(paper: Paper, pdf: PdfText | None, page: str) -> tuple[int, ...]:
    """The physical pages, counted from 0, that a printed page or range means; empty where that is not known."""
    if pdf is None or not page:
        return ()
    places = _numbering_of(paper, pdf).places
    # A label may look like a range: in many manuals `3-12` is page 12 of chapter 3.
    named = places.get(page_key(page))
    if named is not None:
        return named
    asked = parse_ranges(page)
    found = {at for key, spots in places.items() if any(part.holds(*key) for part in asked) for at in spots}
    return tuple(sorted(found))


def printed_page(paper: Paper, pdf: PdfText | None, index: int) -> str:
    """What the physical page at an index is called; empty where that is not known."""
    if pdf is None:
        return ""
    names = _numbering_of(paper, pdf).names
    return names[index] if 0 <= index < len(names) else ""


def _numbering_of(paper: Paper, pdf: PdfText) -> Numbering:
    """What the pages are called. Counting tells nothing where the paper is said to have more or fewer pages than that:
    a cover that a publisher put in front shifts them all."""
    found = find_numbering(paper.page_range, pdf)
    if found.how == "count" and paper.total_pages is not None and paper.total_pages != len(pdf.pages):
        return Numbering(("",) * len(pdf.pages), "", {})
    return found


@lru_cache(maxsize=16)
def find_numbering(page_range: str, pdf: PdfText) -> Numbering:
    """What the pages of a PDF are called, given the range that its paper declares (or an empty one)."""
    count = len(pdf.pages)
    ranges = parse_ranges(page_range) if page_range else ()
    labels = declared_labels(pdf)
    if labels:
        places = _places(labels)
        ends = [(part.series, number) for part in ranges for number in (part.first, part.last)]
        if all(end in places for end in ends):
            return Numbering(labels, "labels", places)
    if ranges:
        return _apply_declared_range(pdf, ranges)
    offset = _printed_offset(*_votes(pdf))
    if offset is not None and offset != 1:
        return _make_numbering([str(at + offset) if at + offset > 0 else "" for at in range(count)], "printed")
    return _make_numbering([str(at + 1) for at in range(count)], "count")


def _apply_declared_range(pdf: PdfText, ranges: tuple[PageRange, ...]) -> Numbering:
    """Pages named by the declared range where it has as many and nothing printed speaks against it; else by print."""
    count = len(pdf.pages)
    votes, written = _votes(pdf)
    offset = _printed_offset(votes, written)
    if sum(part.size for part in ranges) != count:
        return _within(offset, ranges, count)
    names = [part.name(number) for part in ranges for number in range(part.first, part.last + 1)]
    expected = {int(name) - at for at, name in enumerate(names) if name.isdecimal()}
    if offset in expected:
        return _make_numbering(names, "range")
    arabic = [(part.first, part.last) for part in ranges if not part.series]
    inside = {shift for shift in votes if any(first < shift + count and shift <= last for first, last in arabic)}
    if offset is not None:
        # Numbers from 1 on that the range does not hold count the pages of this very file, as the range does.
        return (
            _make_numbering(names, "range") if offset == 1 and offset not in inside else _within(offset, ranges, count)
        )
    rival = max((votes[shift] for shift in inside - expected), default=0)
    doubted = rival > max((votes[shift] for shift in expected), default=0) and (rival > 1 or count <= _LEAST)
    return _make_numbering([""] * count, "") if doubted else _make_numbering(names, "range")


def declared_labels(pdf: PdfText) -> tuple[str, ...]:
    """The labels of a PDF where they tell more than counting from 1 would; else none."""
    labels = tuple(label.strip() for label in pdf.labels)
    if len(labels) != len(pdf.pages) or not labels:
        return ()
    if all(label == str(at) for at, label in enumerate(labels, 1)):
        return ()
    # Labels that are mostly empty, or all the same, name no page.
    given = [label for label in labels if label]
    return labels if len(given) * 2 > len(labels) and len(set(given)) > (len(labels) > 1) else ()


def page_key(name: str) -> PageKey:
    """What two spellings of one page have in common."""
    page = parse_page(name)
    return (page.series, page.first) if page is not None else (f"={name.strip().casefold()}", 0)


@lru_cache(maxsize=64)
def describe(names: tuple[str, ...]) -> str:
    """Names of pages in few words: `i-xii, 1-300`."""
    runs: list[str | PageRange] = []
    for name in names:
        page = parse_page(name)
        last = runs[-1] if runs else None
        if page is None:
            if name:
                runs.append(shorten(name, 20))
        elif isinstance(last, PageRange) and last.series == page.series and last.last + 1 == page.first:
            runs[-1] = PageRange(last.style, last.first, page.first)
        else:
            runs.append(page)
    shown = [str(run) for run in runs[:_RUNS]]
    return ", ".join([*shown, "…"] if len(runs) > _RUNS else shown)


def _make_numbering(names: list[str], how: str) -> Numbering:
    return Numbering(tuple(names), how if any(names) else "", _places(names))


def _within(offset: int | None, ranges: tuple[PageRange, ...], count: int) -> Numbering:
    """Pages named by the numbers printed on them, as far as the declared range holds these."""
    if offset is None:
        return _make_numbering([""] * count, "")
    numbers = [at + offset for at in range(count)]
    return _make_numbering([str(n) if any(part.holds("", n) for part in ranges) else "" for n in numbers], "printed")


def _places(names: tuple[str, ...] | list[str]) -> dict[PageKey, tuple[int, ...]]:
    found: dict[PageKey, list[int]] = {}
    for at, name in enumerate(names):
        if name:
            found.setdefault(page_key(name), []).append(at)
    return {key: tuple(spots) for key, spots in found.items()}


def _votes(pdf: PdfText) -> tuple[Counter[int], int]:
    """How many pages show a number that is so much more than their index, and how many have text at all."""
    votes: Counter[int] = Counter()
    written = 0
    for at, text in enumerate(pdf.pages):
        if text and not text.isspace():
            written += 1
            votes.update({number - at for number in edge_numbers(text)})
    return votes, written


def _printed_offset(votes: Counter[int], written: int) -> int | None:
    """What to add to a page's index to get the number printed on it; None where the pages do not agree on one."""
    best = votes.most_common(2)
    if not best or best[0][1] < max(_LEAST, _SHARE * written):
        return None
    return best[0][0] if len(best) == 1 or best[1][1] * 2 <= best[0][1] else None


def edge_numbers(text: str) -> set[int]:
    """Numbers that begin or end one of the outermost lines of a page."""
    head = [line for line in text[:_EDGE].split("\n") if line.strip()][:2]
    foot = [line for line in text[-_EDGE:].split("\n") if line.strip()][-2:]
    found: set[int] = set()
    for line in (*head, *foot):
        first, last = _NUMBER.match(line), _LAST_NUMBER.search(line[-12:])
        if first is not None:
            found.add(int(first[1] or first[2]))
        if last is not None:
            found.add(int(last[1]))
    return found


def page_known(paper: Paper, pdf: PdfText | None, page: str) -> tuple[bool | None, str]:
    """Whether a page, or all of a range, exists in a paper, and what it was held against; (None, "") if unknown.

    A paper's page range decides before its number of pages, and that before the labels and pages of its PDF.
    """
    asked = parse_ranges(page)
    declared = parse_ranges(paper.page_range)
    if asked and declared:
        ends = [(part.series, end) for part in asked for end in (part.first, part.last)]
        inside = all(any(one.holds(*end) for one in declared) for end in ends)
        return inside, f"{normal_ranges(paper.page_range)} range"
    counted = bool(asked) and all(not part.style for part in asked)
    if counted and paper.total_pages is not None and paper.total_pages > 0:
        return _counts(asked, paper.total_pages), f"document has {_pages(paper.total_pages)}"
    if pdf is None or not pdf.pages:
        return UNKNOWN
    return _in_pdf(pdf, page, asked, counted)


def _in_pdf(pdf: PdfText, page: str, asked: tuple[PageRange, ...], counted: bool) -> tuple[bool | None, str]:
    names = find_numbering("", pdf)
    total = len(pdf.pages)
    ends = [(part.series, number) for part in asked for number in (part.first, part.last)]
    found = page_key(page) in names.places or (bool(ends) and all(end in names.places for end in ends))
    if names.how == "labels":
        return (found, _describe_labels(names.names)) if asked or found else UNKNOWN
    if not counted:
        return UNKNOWN
    if names.how != "printed":
        return _counts(asked, total), f"PDF has {_pages(total)}"
    if found:
        return True, _describe_labels(names.names)
    # The author may have counted the pages instead of reading their numbers.
    return UNKNOWN if _counts(asked, total) else (False, _describe_labels(names.names))


def _describe_labels(names: tuple[str, ...]) -> str:
    return f"PDF pages are labelled {describe(names)}"


def _counts(asked: tuple[PageRange, ...], total: int) -> bool:
    return all(part.first >= 1 and part.last <= total for part in asked)


def _pages(number: int) -> str:
    return f"{number} page" if number == 1 else f"{number} pages"

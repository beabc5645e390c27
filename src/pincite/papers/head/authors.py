"""The authors of a paper: the lines of names between its title and what follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from .lines import bare, body_size, is_end, is_prose, plain
from .names import MARK, count_words, is_common, is_never_name, split_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import HeadLine
    from .title import Title

_MOST = 60
_ZONE = 60
_ABOVE = 4
_PLACE = re.compile(
    r"""@ | https?: | www\. | \b[0-9]{4,}\b
    | \b(?: Universi | Univ\b | UNIVERSI | Institut | INSTITUT | Depart | DEPART | Dept | Labor | LABOR | Labs?\b
    | School | SCHOOL
      | College | COLLEGE | Politecnic | POLITECNIC | Hochschule | Scuola | Inc\b | Ltd\b | Corp | GmbH | Research
      | RESEARCH | Center | Centre | Faculty | Fakult
      | Google
      | Microsoft | IBM | Street | Avenue | Road | Box\b | Group\b | Team\b | Company | CNRS | INRIA | USA\b
      | U\.S\.A | UK\b
      | Germany | France | Italy | Canada | China | Japan | Israel | Netherlands | Switzerland | Sweden | India
      | Australia
      | Spain | Science | Engineering | Technolog | Systems\b | Hospital | Academy | Foundation | Association | Society
      | Ministry | Division )""",
    re.VERBOSE,
)
_SKIPPED = re.compile(
    r"""\W{0,9}(?: draft | version | extended | revised
    | (?:first|second|third|preliminary|full|long)\s(?:edition|version)
    | working\spaper | technical\sreport | invited | submitted | to\sappear | appeared | published | received | accepted
    | january | february | march | april | may\s[0-9] | june | july | august | september | october | november | december
    | [0-9]{1,2}\s(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) | \( | \[ | arxiv | doi | http | © | copyright
    | e-?mail | tel | fax | phone | correspond | edited\sby | communicated\sby | member | students? | fellow | original
    | research\s(?:article|paper) | (?:\w{1,20}\s){1,2}track\W{0,9}$ | paper\s(?:id|track) | [0-9]{4}\b
    | [0-9]{1,4}\sauthors )""",
    re.IGNORECASE | re.VERBOSE,
)


_GOES_ON = re.compile(rf"[{MARK}\s]{{0,9}}(?:and|AND|&)\s")


class Authors(Struct, frozen=True):
    """Names as the page has them."""

    names: tuple[str, ...] = ()
    sure: bool = False
    placed: bool = False
    """Whether an address stands with them."""
    inline: bool = False
    """Whether it stands in their line."""


def find_authors(lines: Sequence[HeadLine], title: Title, common: frozenset[str]) -> Authors:
    """The names below a title; `common` are words that the text writes in lower case, which names hardly are."""
    if title.last < 0:
        return Authors()
    found = _read(_zone(lines, title), common)
    if found.names:
        return found
    # Some journals put the names above the title.
    return _read(_above(lines, title), common)


def _read(rows: list[HeadLine], common: frozenset[str]) -> Authors:
    reading = _Reading(common)
    for line in rows:
        reading.take(line)
    return reading.result()


class _Reading:
    """Goes through the lines below a title and keeps what it doubts."""

    def __init__(self, common: frozenset[str]) -> None:
        self._common = common
        self._style: tuple[int, bool] | None = None
        self._names: list[str] = []
        self._doubts = 0
        self._placed = False
        self._inline: bool | None = None
        """Whether addresses stand in the lines of the names; None before the first of these."""
        self._addressed = False
        self._expected = False
        """Whether an `and` stands alone in a line: then another name follows."""
        self._open: HeadLine | None = None
        """An address that ended in a comma."""
        self._pending = 0
        """Lines that are no doubt unless names follow."""

    def take(self, line: HeadLine) -> None:
        """Look at the next line."""
        words = plain(line.text)
        if words.casefold() in ("and", "&", "und", "et"):
            self._expected = True
            return
        continued = self._open is not None and _is_below(self._open, line)
        found, others = self._names_in(line.text)
        place = _is_place(line.text)
        if place and (self._inline is False or not _names_first(found, others, line.text)):
            self._placed = self._addressed = True
            # A list of groups, each with its address, that was not read to its end.
            self._doubts += ";" in line.text and self._inline is True
            self._open = line if words.endswith(",") else None
            return
        if continued and len(found) < 2:
            # An address goes on; a name in it may be one all the same.
            self._doubts += bool(found)
            self._open = line if words.endswith(",") else None
            return
        if not found:
            # Neither a name nor a place; in the type of the names it may be one that was not read.
            unread = not _is_body(words) and (self._style is None or _alike(self._style, line))
            self._pending += unread
            self._doubts += unread and bool(self._names) and not self._placed
            return
        if _SKIPPED.match(words):
            return
        if self._style is None:
            self._style = line.size, bool(line.bold)
        elif not _alike(self._style, line):
            self._pending += 1
            return
        self._doubts += self._pending
        self._pending = 0
        self._placed = self._expected = False
        if "@" not in line.text:
            self._doubts += sum(not _is_place(part) and not _is_body(part) for part in others)
        self._names += found
        if self._inline is None:
            self._inline = place or bool(others)

    def _names_in(self, text: str) -> tuple[list[str], list[str]]:
        """The names of a line and its other parts; where groups have an address each, the names before it."""
        groups = text.split(";")
        if len(groups) > 1 and _is_place(text):
            read = [_group(group) for group in groups if group.strip()]
        else:
            read = [split_names(text)]
        names = [name for part, _ in read for name in part if not is_common(name, self._common)]
        return names, [other for _, part in read for other in part]

    def result(self) -> Authors:
        """The names, sure where nothing is in doubt."""
        unique = list(dict.fromkeys(self._names))
        if not unique or len(unique) > _MOST:
            return Authors()
        doubts = self._doubts + self._expected + (len(unique) != len(self._names))
        doubts += any(count_words(name) > 3 for name in unique)
        # The same people in two scripts.
        doubts += len({_is_latin(name) for name in unique}) > 1
        return Authors(tuple(unique), not doubts, self._addressed, bool(self._inline))


def _is_latin(name: str) -> bool:
    return max(name, default="") < "\u0370"


def _is_body(words: str) -> bool:
    """Whether words that hold no name are an address or a remark: then no name was overlooked."""
    split = words.split()
    if _SKIPPED.match(words) or sum(map(is_never_name, split)) * 2 >= len(split):
        return True
    # KAIST, RedJack, Cloudhawk.io
    return " " not in words and (words.isupper() or "." in words[1:-1] or any(map(str.isupper, words[1:])))


def _is_below(line: HeadLine, other: HeadLine) -> bool:
    """Whether a line stands right below another one, in the same column."""
    across = min(line.right, other.right) - max(line.left, other.left)
    return across > 0 and 0 < other.top - line.top < 2 * line.size


def _group(text: str) -> tuple[list[str], list[str]]:
    """The names that a group begins with; its address follows. A group without a name is a part that was not read."""
    names: list[str] = []
    for part in re.split(r",|\band\b", text):
        found, others = split_names(part)
        if others:
            break
        names += found
    return names, [] if names else [text]


def _zone(lines: Sequence[HeadLine], title: Title) -> list[HeadLine]:
    """The lines from below the title to where the text begins."""
    below = lines[title.last].top
    found: list[HeadLine] = []
    for line in lines[title.last + 1 : title.last + 1 + _ZONE]:
        words = plain(line.text)
        if is_end(words) or (is_prose(words) and not _PLACE.search(words)):
            break
        if line.top > below and sum(map(str.isalpha, words)) > 1:
            found.append(line)
    return _merged(found)


def _above(lines: Sequence[HeadLine], title: Title) -> list[HeadLine]:
    """The lines right above a title that are set like names: as large as the text, smaller than the title."""
    top, size = lines[title.first].top, lines[title.first].size
    near = [line for line in lines[: title.first] if top - _ABOVE * size < line.top < top]
    usual = body_size(lines)
    return _merged([line for line in near if usual <= line.size < size and not _is_banner(line)])


def _is_banner(line: HeadLine) -> bool:
    words = plain(line.text)
    return _SKIPPED.match(words) is not None or sum(map(str.isalpha, words)) < 2 or " editor" in words.casefold()


def _merged(rows: list[HeadLine]) -> list[HeadLine]:
    """The lines, those joined that one list of names runs through."""
    rows = _words_joined(rows)
    done: list[HeadLine] = []
    for line in rows:
        before = done[-1] if done else None
        if before is not None and _is_continued(before, line):
            done[-1] = replace(before, text=f"{before.text} {line.text}", top=line.top)
            continue
        done.append(line)
    return done


def _is_continued(before: HeadLine, line: HeadLine) -> bool:
    """Whether a list of names goes on in the next line."""
    if before.size != line.size or not before.top < line.top < before.top + 2 * line.size:
        return False
    if _ends_in_place(before.text):
        return False
    ends = before.text.rstrip(" " + MARK)
    return ends.endswith((",", "and", "AND", "&", ";")) or _GOES_ON.match(line.text) is not None


def _ends_in_place(text: str) -> bool:
    return _is_place(re.split("[,;]", text.rstrip(" ,;"))[-1])


def _words_joined(rows: list[HeadLine]) -> list[HeadLine]:
    """The lines; where words stand so far apart that each is a piece of its own, they are one line again."""
    done: list[HeadLine] = []
    at = 0
    while at < len(rows):
        row = [rows[at]]
        while at + len(row) < len(rows) and abs(rows[at + len(row)].top - row[0].top) < 0.4 * row[0].size:
            row.append(rows[at + len(row)])
        at += len(row)
        single = sum(" " not in line.text.strip() for line in row)
        if single == len(row) > 1 or (len(row) > 2 and single * 2 >= len(row)):
            text = " ".join(line.text.strip() for line in row)
            row = [replace(row[0], text=text, right=row[-1].right)]
        done += row
    return done


def _is_place(text: str) -> bool:
    return _PLACE.search(text) is not None


def _names_first(names: list[str], others: list[str], text: str) -> bool:
    """Whether a line with a place in it begins with names."""
    if not names or "@" in text[:12]:
        return False
    first = bare(names[0])
    return bare(text).startswith(first) and (len(names) <= 3 or ";" in text) and (bool(others) or ";" in text)


def _alike(style: tuple[int, bool], line: HeadLine) -> bool:
    return abs(line.size - style[0]) <= max(3, style[0] // 25) and bool(line.bold) == style[1]

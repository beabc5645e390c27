"""The authors of a paper: the lines of names between its title and what follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..fields import fold_text
from .lines import body_size, is_end, is_prose, plain
from .names import ACCENTS, MARK, count_words, is_common, is_name, is_never_name, split_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model import HeadLine
    from .title import Title

_MOST = 60
_ZONE = 60
_TIGHT = 1.4
"""How far below each other, in heights of the type, the lines of one name stand."""
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
    found = _read(_select_author_lines(lines, title), common, lines[title.last])
    if found.names:
        return found
    # Some journals put the names above the title.
    return _read(_above(lines, title), common, lines[title.last])


def _read(rows: list[HeadLine], common: frozenset[str], title: HeadLine) -> Authors:
    reading = _Reading(common, title)
    for line in rows:
        reading.take(line)
    return reading.result()


class _Reading:
    """Goes through the lines below a title and keeps what it doubts."""

    def __init__(self, common: frozenset[str], title: HeadLine) -> None:
        self._common = common
        self._title = title.size, bool(title.bold)
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
        self._capitals = False
        """Whether the last line of names began with one in capitals."""

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
        elif not _alike(self._style, line) and not self._is_listed(words, place):
            self._pending += 1
            return
        self._capitals = _begins_in_capitals(words)
        self._doubts += self._pending
        self._pending = 0
        self._placed = self._expected = False
        if "@" not in line.text:
            self._doubts += sum(not _is_place(part) and not _is_body(part) for part in others)
        self._names += found
        self._expected = words.endswith((",", " and"))
        if self._inline is None:
            self._inline = place or bool(others)

    def _is_listed(self, words: str, place: bool) -> bool:
        """Whether a line is one more of `NAME, address`; small capitals give lines of one type several sizes."""
        return place and bool(self._inline) and self._capitals and _begins_in_capitals(words)

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
        doubts += any(count_words(name) > 3 or _is_of_body(name) for name in unique)
        # A last line of the title, set off: no address stands with it.
        doubts += len(unique) == 1 and not self._addressed and self._style == self._title
        # The same people in two scripts.
        doubts += len({_is_latin(name) for name in unique}) > 1
        return Authors(tuple(unique), not doubts, self._addressed, bool(self._inline))


def _is_of_body(name: str) -> bool:
    """Whether a name looks like that of a firm: `FAST Search`; of people only the family name is set in capitals."""
    words = name.split()
    return len(words) > 1 and len(words[0]) > 2 and words[0].isupper() and any(map(str.islower, words[-1]))


def _begins_in_capitals(words: str) -> bool:
    """Whether the first two words are in capitals."""
    first = words.split(",")[0].split()[:2]
    return len(first) == 2 and all(map(str.isupper, first))


def _is_latin(name: str) -> bool:
    return max(name, default="") < "\u0370"


def _is_body(words: str) -> bool:
    """Whether words that hold no name are an address or a remark: then no name was overlooked."""
    split = words.split()
    if _SKIPPED.match(words) or sum(map(is_never_name, split)) * 2 >= len(split):
        return True
    if all(word.isupper() and (len(word) > 4 or any(map(str.isdigit, word))) for word in split):
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


def _select_author_lines(lines: Sequence[HeadLine], title: Title) -> list[HeadLine]:
    """The lines from below the title to where the text begins."""
    below = lines[title.last].top
    found: list[HeadLine] = []
    for line in lines[title.last + 1 : title.last + 1 + _ZONE]:
        words = plain(line.text)
        if is_end(words) or (is_prose(words) and not _PLACE.search(words)):
            break
        if line.top > below and sum(map(str.isalpha, words)) > 1:
            found.append(line)
    return _merge_name_lines(found)


def _above(lines: Sequence[HeadLine], title: Title) -> list[HeadLine]:
    """The lines right above a title that are set like names: as large as the text, smaller than the title."""
    top, size = lines[title.first].top, lines[title.first].size
    near = [line for line in lines[: title.first] if top - _ABOVE * size < line.top < top]
    usual = body_size(lines)
    return _merge_name_lines([line for line in near if usual <= line.size < size])


def _merge_name_lines(rows: list[HeadLine]) -> list[HeadLine]:
    """The lines, those joined that one list of names runs through."""
    rows = _join_spaced_words(_parts_joined(rows))
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
    if not before.top < line.top < before.top + 2 * line.size or _ends_in_place(before.text):
        return False
    ends = before.text.rstrip(" " + MARK)
    if before.size != line.size:
        # Small capitals give lines of one type several sizes.
        near = 0.75 * before.size < line.size < 1.3 * before.size and before.bold == line.bold
        first = re.split(r"[,;]|\band\b", plain(line.text))[0].strip()
        return near and ends.endswith((",", " and", "&")) and is_name(first)
    return (
        ends.endswith((",", "and", "AND", "&", ";"))
        or _GOES_ON.match(line.text) is not None
        or _is_name_continued(before, line)
    )


def _is_name_continued(before: HeadLine, line: HeadLine) -> bool:
    """Whether the last name of a list goes on in the next line: `…, and Jane` above `Doe`."""
    names, others = split_names(before.text)
    first = re.split(r"[,;]|\band\b", plain(line.text))[0].strip()
    if not names or len(others) != 1 or not is_name(f"{others[0]} {first}") or before.bold != line.bold:
        return False
    # `…, Jane` above `A. Doe`
    short = " " not in first or re.match(r"[^\W\d_]\.\s", first) is not None
    return plain(before.text).endswith(others[0]) and " " not in others[0] and short


def _ends_in_place(text: str) -> bool:
    return _is_place(re.split("[,;]", text.rstrip(" ,;"))[-1])


def _join_spaced_words(rows: list[HeadLine]) -> list[HeadLine]:
    """The lines; where words stand so far from each other that each is a piece of its own, they are one line again."""
    done: list[HeadLine] = []
    at = 0
    while at < len(rows):
        row = [rows[at]]
        while at + len(row) < len(rows) and abs(rows[at + len(row)].top - row[0].top) < 0.4 * row[0].size:
            row.append(rows[at + len(row)])
        at += len(row)
        row = _accents_joined(row)
        single = sum(" " not in line.text.strip() for line in row)
        if single == len(row) > 1 or (len(row) > 2 and single * 2 >= len(row)):
            text = " ".join(line.text.strip() for line in row)
            row = [replace(row[0], text=text, right=row[-1].right)]
        done += row
    return done


def _parts_joined(rows: list[HeadLine]) -> list[HeadLine]:
    """The lines; a name that goes on in the line below it, in its column, is one again: `Rachel Selina`, `Doe`."""
    styles = {(row.size, bool(row.bold)) for row in rows if _is_place(row.text)}
    done: list[HeadLine] = []
    for line in rows:
        word = plain(line.text)
        at = next((at for at, above in enumerate(done) if " " not in word and _is_parted(above, line, styles)), -1)
        if at >= 0:
            above = done[at].text.rstrip(" " + MARK)
            done[at] = replace(done[at], text=f"{above}{'' if above.endswith('-') else ' '}{line.text}")
        else:
            done.append(line)
    return done


def _is_parted(above: HeadLine, line: HeadLine, styles: set[tuple[int, bool]]) -> bool:
    """Whether the word of a line is the rest of the name above; `styles` are the types that addresses are set in."""
    if (above.size, bool(above.bold)) != (line.size, bool(line.bold)) or not _is_below(above, line):
        return False
    if line.top - above.top > _TIGHT * line.size:
        return False
    text, word = plain(above.text), plain(line.text)
    if text.endswith("-"):
        return is_name(text + word)
    names, others = split_names(above.text)
    # Where an address may be set like the names, one word below a name is a firm or a town.
    return (line.size, bool(line.bold)) not in styles and len(names) == 1 and not others and is_name(f"{text} {word}")


def _accents_joined(row: list[HeadLine]) -> list[HeadLine]:
    """The pieces of one line; one that begins with an accent goes on with the word before: `Emin Gun`, `¨  Sirer`."""
    done: list[HeadLine] = []
    for line in row:
        if done and line.text[:1] in ACCENTS and line.left <= done[-1].right + line.size:
            text = f"{done[-1].text.rstrip()} {line.text[1:].strip()}"
            done[-1] = replace(done[-1], text=text, right=line.right)
        else:
            done.append(line)
    return done


def _is_place(text: str) -> bool:
    return _PLACE.search(text) is not None


def _names_first(names: list[str], others: list[str], text: str) -> bool:
    """Whether a line with a place in it begins with names."""
    if not names or "@" in text[:12]:
        return False
    if not fold_text(text).startswith(fold_text(names[0])) or not (others or ";" in text):
        return False
    # Many names are a list where the one address follows the last of them.
    return len(names) <= 3 or ";" in text or fold_text(text).endswith(fold_text(names[-1]) + fold_text("".join(others)))


def _alike(style: tuple[int, bool], line: HeadLine) -> bool:
    return abs(line.size - style[0]) <= max(3, style[0] // 25) and bool(line.bold) == style[1]

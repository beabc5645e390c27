"""The year of a paper: from the lines of its first page that say when and where it appeared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .lines import is_prose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Y = r"(?<![0-9.,/-])((?:19[3-9]|20[0-4])[0-9])(?![0-9]|\.[0-9])"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?|spring|summer|fall|autumn|winter)"
)
# arXiv:1706.03762v5, arXiv:math/0405482v2
_ARXIV = re.compile(r"arxiv:\s?(?:[a-z-]{1,20}(?:\.[a-z]{2})?/)?([0-9]{2})([0-9]{2})[0-9.]{3,6}", re.IGNORECASE)
# Copyright 2003 ACM, (c) by the authors, 2014
_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|copyright|c○|c⃝)\W{{0,6}}(?:\w{{1,30}}(?:\ \w{{1,30}}){{0,5}}?)?[^\n0-9]{{0,50}}{_Y}", re.IGNORECASE
)
_COPYRIGHT_AFTER = re.compile(rf"{_Y}\W{{0,3}}(?:©|copyright)", re.IGNORECASE)
# A lost sign: "c 2009 Cambridge University Press".
_COPYRIGHT_LOST = re.compile(
    # Example: `c 2010 ACM`.
    rf"""
    (?:^|\s)[c0○]\s?{_Y}[ ,]{{1,3}}(?=ACM|IEEE|Cambridge|Springer|Elsevier|Kluwer|Wiley|Academic|Association|Oxford
    |The|Published|by|$)
    """,
    re.MULTILINE | re.VERBOSE,
)
# 0-89791-987-4/98/0006...$5.00, 978-1-4503-0050-6/10/06
_CODE = re.compile(
    # Examples: `0730-0301/2008/03`, `978-1-60558-111-8/08/06`.
    r"""
    (?:97[89][0-9-]{10,16}|[0-9]{4}-[0-9]{3}[0-9X]|[0-9X-]{12,18})\s?/\s?([0-9]{2}|(?:19
    |20)[0-9]{2})\s?/\s?[0-9]{2,4}
    |/([0-9]{2})(?:/[0-9]{4})?\s?(?:\.{2,3}|…)?\s?[$(]\s?[0-9]|[0-9]/([0-9]{2})/[0-9]{4}\b
    """,
    re.VERBOSE,
)
_MEETING = re.compile(
    r"""\b(?:proceedings|proc\.|conference|symposium|workshop|congress|annual\ meeting|usenix|ieee|acm|icml|neurips|nips
    |iclr|aaai|ijcai|acl|emnlp|naacl|cvpr|iccv|eccv|sosp|osdi|nsdi|sigcomm|sigmod|vldb|pldi|popl|icfp|oopsla|asplos|isca|micro
    |hpca|eurosys|ccs|ndss|kdd|www|chi|uist|podc|stoc|focs|soda|hotos|hotnets|socc|cidr|pods|icde|ecoop|cgo|pact|lics|esop
    |sigplan|siggraph|atc|hotcloud|middleware|spaa|ppopp|dsn|infocom|imc|pepm|ismm|padl|csf)\b""",
    re.IGNORECASE | re.VERBOSE,
)
# SOSP '03, POPL’82
_MEETING_SHORT = re.compile(r"\b[A-Z][A-Za-z]{1,11}\s?[’'‘`]\s?([0-9]{2})\b(?!\s?(?:pt|s\b))")
# Vol. 3, No. 1; 17(1): 11-27; 321 (2004)
_VOLUME = re.compile(
    # Examples: `Vol. 12`, `27 (2009)`.
    r"""
    \b(?:vol(?:ume|\.)?|no\.|number|issue|pp\.|pages)\s?[0-9]|[0-9]{1,4}\s?\([0-9-]{1,7}\)\s?:
    |\b[0-9]{1,4}\s?\((?:19|20)[0-9]{2}\)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EVENTS = re.compile(
    # Example: `Received 3 May 2010`.
    rf"""
    \b(published(?:\ online)?|available\ online|first\ published|accepted|revised|received|submitted|presented)\b
    [^\n]{{0,60}}?{_Y}
    """,
    re.IGNORECASE | re.VERBOSE,
)
# A line that is a date and nothing else: March 17, 1993; Draft: 16 February 2009; May-2011
_DATE_LINE = re.compile(
    rf"""\W{{0,9}}(?:draft(?:\ of)?|version(?:\ of)?|revised|dated?|this\ version|last\ (?:revised|updated)
      |first\ draft)?
    \W{{0,9}}
    (?: {_MONTH}\.?[\s-](?:[0-9]{{1,2}}(?:st|nd|rd|th)?(?:\s?[-–]\s?[0-9]{{1,2}})?,?\s)?
      | [0-9]{{1,2}}(?:st|nd|rd|th)?\s{_MONTH}\.?,?\s | [0-9]{{1,2}}[/.-][0-9]{{1,2}}[/.-] )?
    {_Y}\W{{0,9}}""",
    re.IGNORECASE | re.VERBOSE,
)
_MONTH_YEAR = re.compile(
    rf"\b{_MONTH}\.?(?:\s[0-9]{{1,2}}(?:\s?[-–]\s?(?:{_MONTH}\s)?[0-9]{{1,2}})?)?,?\s{_Y}", re.IGNORECASE
)
# Lines about another time: of an earlier version, of a grant, of the copy at hand.
_EARLIER = re.compile(
    r"\b(?:earlier|previous|preliminary|version of this|portions|parts of this|based on|also (?:appear|available)"
    r"|supported|grant|contract|funded|since|reprint|originally|visited|accessed|download|retrieved|uploaded|printed on"
    r"|subject classification)",
    re.IGNORECASE,
)
_ANY = re.compile(_Y)
_REFERENCES = re.compile(
    # Examples: `7. References`, `R E F E R E N C E S`.
    r"""
    ^[^\w\n]{0,9}(?:[0-9]{1,2}\.?\ )?(?:references|bibliography|r\ ?e\ ?f\ ?e\ ?r\ ?e\ ?n\ ?c\ ?e\ ?s
    |literature\ cited|works\ cited)[^\w\n]{0,9}$
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_ARXIV_NAME = re.compile(r"(?<![0-9.])([0-9]{2})([0-9]{2})\.[0-9]{4,5}(?:v[0-9]{1,2})?(?![0-9.])")
_NAMED_YEAR = re.compile(r"(?<![0-9])((?:19[5-9]|20[0-4])[0-9])(?![0-9])")
_AT_END = re.compile(rf"^{_Y}|{_Y}\W{{0,9}}$")
_HEADING = 80
_RUNNING = 4
_LINE = 300
_TOP, _FOOT = 8, 12
"""Lines at the head and the foot of a page, where journals name the issue."""
_EARLY, _EARLIEST = "09", "06"
_LATEST = 2040
_TEXT = 12_000
_CITED = 60_000
_WEIGHTS = {
    **dict.fromkeys(("arxiv", "copyright", "code", "meeting", "published", "date"), 2.0),
    "volume": 5.0,
    "short": 1.6,
    "online": 1.5,
    "heading": 1.5,
    "accepted": 1.4,
    "name": 1.2,
    "month": 0.9,
    "received": 0.8,
}
"""How much each kind of line is worth; two is enough to state a year."""
_ENOUGH, _AHEAD, _SUPPORT = 2.0, 0.8, 0.6
_HISTORY = frozenset(("published", "online", "accepted", "received"))


class Year(Struct, frozen=True):
    """A year, and whether it may be stated."""

    text: str = ""
    sure: bool = False


def find_year(pages: Sequence[str], created: str, stem: str = "") -> Year:
    """The year that the first page names; the date of the file and the references only confirm or contradict."""
    if not pages:
        return Year()
    votes: dict[int, dict[str, float]] = {}
    first = pages[0][:_TEXT]
    listed = _REFERENCES.search(first)
    if listed is not None:
        # A short paper has its references on its first page.
        first = first[: listed.start()]
    for kind, year in (*_witnesses(first), *_running(pages[1:_RUNNING]), *_of_name(stem)):
        votes.setdefault(year, {})[kind] = _WEIGHTS[kind]
    made = int(created[:4]) if created[:4].isdigit() else 0
    cited = latest_cited(pages, made)
    if not votes:
        return _by_file(created, made, cited)
    scores = {
        year: _score(kinds) + _SUPPORT * sum(witness in (year, year - 1) for witness in (made, cited))
        for year, kinds in votes.items()
    }
    best = max(scores, key=lambda year: (scores[year], year))
    rest = max((score for year, score in scores.items() if year != best), default=0.0)
    sound = best >= cited - 1 if cited else True
    # A file is made before its paper is printed by a year at most.
    timely = not made or best <= made + 1
    return Year(str(best), scores[best] >= _ENOUGH and sound and timely and scores[best] - rest >= _AHEAD)


def _score(kinds: dict[str, float]) -> float:
    """What the lines are worth together; those that tell of one history count once."""
    told = [weight for kind, weight in kinds.items() if kind in _HISTORY]
    return sum(weight for kind, weight in kinds.items() if kind not in _HISTORY) + max(told, default=0.0)


def _by_file(created: str, made: int, cited: int) -> Year:
    """What the date of the file and the latest reference say together, where the page says nothing.

    A file that was made late in a year may belong to a paper of the next one.
    """
    if not made or not cited or not cited <= made <= cited + 2:
        return Year()
    month = created[5:7]
    return Year(str(made), "01" <= month <= (_EARLY if made == cited else _EARLIEST if made == cited + 1 else ""))


def _witnesses(page: str) -> Iterator[tuple[str, int]]:
    for found in _ARXIV.finditer(page):
        short = int(found[1])
        year = 1900 + short if short > 90 else 2000 + short
        if 1 <= int(found[2]) <= 12 and 1991 <= year <= 2045:
            yield "arxiv", year
    for pattern in (_COPYRIGHT, _COPYRIGHT_AFTER, _COPYRIGHT_LOST):
        for found in pattern.finditer(page):
            yield "copyright", int(found[1])
    for found in _CODE.finditer(page):
        yield "code", _whole(found[1] or found[2] or found[3])
    rows = [row for row in page.split("\n") if row.strip()]
    for at, row in enumerate(rows):
        line = row[:_LINE]
        if any(char.isdigit() for char in line) and not _EARLIER.search(line):
            at_edge = at < _TOP or at >= len(rows) - _FOOT
            yield from _of_line(line, at_edge)


def _running(pages: Sequence[str]) -> Iterator[tuple[str, int]]:
    """What the running heads and feet of the next pages say, where two of them say the same."""
    seen: dict[tuple[str, int], int] = {}
    for page in pages:
        rows = [row[:_LINE] for row in page[:_TEXT].split("\n") if row.strip()]
        lines = {row for row in (*rows[:2], *rows[-2:]) if not is_prose(row)}
        for witness in {witness for row in lines for witness in _of_line(row, True)}:
            if witness[0] in ("volume", "meeting", "short"):
                seen[witness] = seen.get(witness, 0) + 1
    yield from (witness for witness, count in seen.items() if count > 1)


def _of_name(stem: str) -> Iterator[tuple[str, int]]:
    """What the name of the file says: the id that arXiv gave it, or a year."""
    found = _ARXIV_NAME.search(stem)
    if found is not None and 1 <= int(found[2]) <= 12:
        yield "arxiv", 2000 + int(found[1])
        return
    years = {int(year) for year in _NAMED_YEAR.findall(stem)}
    if len(years) == 1:
        yield "name", years.pop()


def _of_line(line: str, at_edge: bool) -> Iterator[tuple[str, int]]:
    years = {int(found) for found in _ANY.findall(line)}
    for event, year in _EVENTS.findall(line):
        yield _event_kind(event.lower()), int(year)
    if _EVENTS.search(line) and not (_MEETING.search(line) and len(years) == 1):
        return
    if len(years) == 1:
        (year,) = years
        if _VOLUME.search(line) and at_edge and not is_prose(line):
            # The issue that a paper is in decides, even where it was online the year before.
            yield "volume", year
        elif _MEETING.search(line) and not is_prose(line):
            yield "meeting", year
        elif _DATE_LINE.fullmatch(line.strip()):
            yield "date", year
        elif at_edge and len(line) < _HEADING and not is_prose(line) and _AT_END.search(line.strip()):
            yield "heading", year
        elif _MONTH_YEAR.search(line):
            yield "month", year
    for found in _MEETING_SHORT.finditer(line):
        year = _whole(found[1])
        if not years or years == {year}:
            yield "short", year


def _event_kind(event: str) -> str:
    if "online" in event:
        return "online"
    if event in ("published", "first published"):
        return "published"
    return "accepted" if event in ("accepted", "presented") else "received"


def latest_cited(pages: Sequence[str], made: int = 0) -> int:
    """The latest year among the references, up to the one after the file was made; 0 where they are not found."""
    for at in range(len(pages) - 1, -1, -1):
        starts = [found.end() for found in _REFERENCES.finditer(pages[at])]
        if starts:
            text = (pages[at][starts[-1] :] + "\n".join(pages[at + 1 : at + 6]))[:_CITED]
            years = sorted(year for year in map(int, _ANY.findall(text)) if year <= (made or _LATEST) + 1)
            return years[-1] if len(years) > 2 else 0
    return 0


def _whole(text: str) -> int:
    short = int(text)
    return short if short > 999 else 1900 + short if short > 45 else 2000 + short

"""Dates as pages write them: only those that name one day, and only one way to read them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

DAY_FIRST, MONTH_FIRST = "day first", "month first"
"""How `03/04/2020` is to be read; without one of them it is no day."""
_LONGEST = 100
_LONGEST_TEXT = 20_000
_YEAR = r"(?:19|20)\d\d"
_NAME = r"[^\W\d_]{3,12}"
_ORDINAL = r"(?:st|nd|rd|th|er|º|ª|°|\.º)?"
_OF = r"(?:of|de|di|del|d[’'])"
_ISO = r"(?P<y>(?:1[5-9]|2[01])\d\d)(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})(?![\d/-]|\.\d)"
_COMPACT = r"(?P<y2>(?:19|20)\d\d)(?P<m2>[01]\d)(?P<d2>[0-3]\d)(?!\d)"
_NAMED = (
    rf"(?P<d3>\d{{1,2}}){_ORDINAL}(?:[ ]{_OF})?[ .,/-]{{1,2}}(?P<m3>{_NAME})\b\.?,?(?:[ ]{_OF}l?)?[ ,./-]{{1,2}}"
    rf"(?P<y3>{_YEAR})(?!\d)"
)
_MONTH_FIRST = rf"(?P<m4>{_NAME})\b\.?[ ]{{1,2}}(?P<d4>\d{{1,2}}){_ORDINAL}\.?,?[ ]{{1,2}}(?P<y4>{_YEAR})(?!\d)"
_UNIX = (
    rf"(?P<m8>{_NAME})[ ]{{1,2}}(?P<d8>\d{{1,2}})[ ]\d\d:\d\d(?::\d\d)?(?:[ ][A-Z0-9:+-]{{1,9}})?[ ]"
    rf"(?P<y8>{_YEAR})(?!\d)"
)
_YEAR_FIRST = rf"(?P<y6>{_YEAR})\.?[ -](?P<m6>{_NAME})\b\.?[ -](?P<d6>\d{{1,2}})(?!\d)"
_EASTERN = (
    rf"(?P<y7>{_YEAR})[ ]?(?:年|년|\.[ ])[ ]?(?P<m7>\d{{1,2}})[ ]?(?:月|월|\.[ ])[ ]?"
    r"(?P<d7>\d{1,2})[ ]?(?:日|일|号|\.)?(?!\d)"
)
_NUMBERS = rf"(?P<a>\d{{1,2}})(?P<sep2>[/.-][ ]?|[ ]\|[ ])(?P<b>\d{{1,2}})(?P=sep2)(?P<y5>{_YEAR}|\d\d)(?![\d/-]|\.\d)"
_WEEKDAY = r"(?:[^\W\d_]{2,12}(?:-feira)?[.,]{0,2}[ ]{1,2}(?:den[ ]|le[ ]|el[ ])?)?"
_WHOLE = re.compile(
    # Examples: `2023-11-03T08:00`, `Friday, 3 November 2023`.
    rf"""
    (?:{_EASTERN}|{_ISO}|{_COMPACT}|{_WEEKDAY}(?:{_NAMED}|{_MONTH_FIRST}|{_UNIX}|{_NUMBERS})|{_YEAR_FIRST})
    (?=\Z|[Tt ,;:(|·•.–—-])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WITHIN = re.compile(
    # Inline pieces stand close together: `Jo Doe3.11.2023`.
    # Examples: `3 November 2023`, `2023-11-03`.
    rf"""
    (?:(?<![^\W_])|(?<=[^\W\d_]{{2}})(?=\d))(?<![/.@#:-])(?<!\d[, ])
    (?:{_EASTERN}|{_ISO}|{_NAMED}|{_MONTH_FIRST}|{_YEAR_FIRST}|{_NUMBERS})
    """,
    re.IGNORECASE | re.VERBOSE,
)
_PLAIN = re.compile(r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)(?=\Z|[T ])")
# A pattern that begins with a digit is searched for much faster than one that begins with a choice.
_SEEN = re.compile(r"\d(?:(?<=1)9\d\d|(?<=2)0\d\d|\d?[./-]\d\d?[./-]\d\d)")
_IN_NUMBERS = re.compile(r"\d{1,2}(?:[/.-][ ]?|[ ]\|[ ])\d{1,2}(?:[/.-][ ]?|[ ]\|[ ])\d\d")
_ONLY_NUMBERS = re.compile(_NUMBERS)
_JOINING = frozenset("of de di del dell do da d l".split())
_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = " \xa0\t\n,./|·-–’'"
_BESIDE = 22
_TIMED = re.compile(
    r"[T ](?P<hour>\d\d):?(?P<minute>\d\d)[\d:.]{0,16} ?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d)?", re.IGNORECASE
)
_GROUPS = [(f"y{number}", f"m{number}", f"d{number}") for number in ("7", "", "2", "3", "4", "6", "8")]
_GLUED = frozenset("0123456789/.-")
_SECONDS = re.compile(r"1[0-9]{9}(?:[0-9]{3})?")
_EARLIEST_TWO = 70
_BEFORE_YEAR, _AFTER_YEAR = 32, 20
"""How far the rest of a date is from its year, in signs."""
# One row for each month: full names, the forms they have after a day, and what they are cut down to. Names that are
# different months in two languages (listopad, srpanj) have the month of the larger one.
_ROWS = (
    "january jan januar jänner jaenner janvier janv enero ene gennaio gen januari janeiro stycznia styczeń sty stycz"
    " января январь янв січня січень січ ocak oca leden ledna led januára január ianuarie ian tammikuuta tammikuu"
    " tammi januara gener ιανουαρίου ιαν януари يناير siječnja jaanuar sausio janvāris janvārī",
    "february feb februar feber février fevrier févr fevr fév febrero febbraio febbr februari fevereiro fev lutego"
    " luty lut февраля февраль фев февр лютого лютий лют şubat subat şub únor února unora febru februára február"
    " febr februarie helmikuuta helmikuu helmi februara febrer φεβρουαρίου φεβ февруари فبراير veljače veebruar",
    "march mar märz maerz mrz mär mars marzo marz maart mrt março marco marca marzec марта март мар березня березень"
    " бер mart březen března brezna bře március marec martie maaliskuuta maaliskuu maalis marts març μαρτίου μαρ"
    " مارس ožujka",
    "april apr avril avr abril abr aprile kwietnia kwiecień kwi апреля апрель апр квітня квітень квіт nisan nis"
    " duben dubna dub április ápr aprilie huhtikuuta huhtikuu huhti aprila apríla απριλίου απρ април أبريل ابريل"
    " travnja",
    "may mai mayo maggio mag mei maio maja maj мая май травня травень трав mayıs mayis květen května kvetna kvě"
    " május máj mája toukokuuta toukokuu touko maig μαΐου μαϊου μαι مايو svibnja",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze июня июнь июн червня червень черв haziran haz"
    " červen června cervna čvn június jún júna iunie iun kesäkuuta kesäkuu kesä juna juny ιουνίου ιουν юни يونيو"
    " lipnja",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip июля июль июл липня липень лип temmuz tem"
    " červenec července cervence čvc július júl júla iulie iul heinäkuuta heinäkuu heinä jula juliol ιουλίου ιουλ"
    " юли يوليو srpnja",
    "august aug août aout agosto ago augustus sierpnia sierpień sie августа август авг серпня серпень серп ağustos"
    " agustos ağu srpen srpna srp augusztus augusta elokuuta elokuu elo avgusta agost αυγούστου αυγ أغسطس اغسطس"
    " kolovoza",
    "september sept sep septembre septiembre setiembre settembre sett set setembro września wrzesień wrz сентября"
    " сентябрь сен сент вересня вересень вер eylül eylul eyl září zari szeptember szept septembra septembrie"
    " syyskuuta syyskuu syys setembre σεπτεμβρίου σεπ септември سبتمبر rujna",
    "october oct oktober okt octobre octubre ottobre ott outubro out października październik paź pazdziernika"
    " октября октябрь окт жовтня жовтень жовт ekim eki říjen října rijna október októbra octombrie lokakuuta lokakuu"
    " loka oktobra οκτωβρίου οκτ октомври أكتوبر اكتوبر",
    "november nov novembre noviembre novembro listopada listopad lis ноября ноябрь ноя нояб листопада лист kasım"
    " kasim kas listopadu novembra noiembrie noi marraskuuta marraskuu marras νοεμβρίου νοε ноември نوفمبر studenoga",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro grudnia grudzień gru декабря"
    " декабрь дек грудня грудень груд aralık aralik ara prosinec prosince pro decembra decembrie joulukuuta joulukuu"
    " joulu desember des desembre δεκεμβρίου δεκ декември ديسمبر prosinca",
)
_MONTHS = {name: number for number, names in enumerate(_ROWS, 1) for name in names.split()}
"""Numbers of months by their names in lower case; `text.number_words` has those of English alone."""


class Day(Struct, frozen=True):
    """A day, and those beside it that it is in other time zones."""

    iso: str
    """`YYYY-MM-DD`, as written."""
    others: tuple[str, ...] = ()
    """The day before or after, where the text has the time and another time zone would have that day."""


def read_date(text: str, order: str = "") -> str:
    """The day that a text begins with as `YYYY-MM-DD`; empty where it is none, or could be two."""
    found = _WHOLE.match(" ".join(text[:_LONGEST].split()))
    return _day(found, order) if found is not None else ""


def read_day(text: str, order: str = "") -> Day | None:
    """The same with the days that it may be elsewhere."""
    line = " ".join(text[:_LONGEST].split())
    found = _PLAIN.match(line) or _WHOLE.match(line)
    day = _day(found, order) if found is not None else ""
    if found is None or not day:
        return None
    timed = _TIMED.match(line, found.end())
    if timed is None or (timed["hour"], timed["minute"]) == ("00", "00"):
        return Day(day)
    hour = int(timed["hour"])
    others = [add_days(day, step) for step, there in ((-1, hour < 12), (1, hour >= 10)) if there]
    return Day(day, tuple(filter(None, others)))


def read_seconds(text: str) -> str:
    """The day of a moment in seconds or milliseconds since 1970; empty where the text is none."""
    if _SECONDS.fullmatch(text.strip()) is None:
        return ""
    return datetime.fromtimestamp(int(text.strip()[:10]), UTC).date().isoformat()


def dates_within(text: str, order: str = "") -> Iterator[tuple[str, int, int]]:
    """The days that a text names, and where each of them begins and ends in the text with single spaces."""
    if not has_date(text):
        return
    line = " ".join(text[:_LONGEST_TEXT].split())
    at = 0
    for seen in _SEEN.finditer(line):
        # Looking around what may be a year is many times faster than looking everywhere.
        if not _may_date(line, seen):
            continue
        while found := _WITHIN.search(line, max(at, seen.start() - _BEFORE_YEAR), seen.end() + _AFTER_YEAR):
            at = found.end()
            day = _day(found, order)
            if day:
                yield day, found.start(), found.end()


def _may_date(text: str, seen: re.Match[str]) -> bool:
    """Whether a day or the name of a month stands beside what may be a year; most years stand in sentences."""
    start, end = seen.span()
    if end - start != 4 or not seen[0].isdecimal():
        return True
    near = text[max(0, start - _BESIDE) : start].rstrip(_SIGNS)
    if near and near[-1].isalpha():
        word = _LAST_WORD.search(near)
        if word is not None and word[0].lower() in _JOINING:
            near = near[: word.start()].rstrip(_SIGNS)
            word = _LAST_WORD.search(near)
        if word is not None and (_names_month(word[0]) or near[: word.start()][-1:].isdecimal()):
            return True
    if near and near[-1].isdecimal():
        return True
    rest = text[end : end + _BESIDE].lstrip(_SIGNS)
    if not rest or rest[0].isdecimal():
        return bool(rest)
    word = _WORD.match(rest)
    return word is not None and (rest[0] in "年년" or _names_month(word[0]))


def _names_month(word: str) -> bool:
    """Whether a word may be the name of a month; the end of another may stick to it, as in `Jo DoeMay`."""
    return word.lower() in _MONTHS or not (word.islower() or word.istitle() or word.isupper())


def has_date(text: str) -> bool:
    """Whether a text has anything that may be the year of a date, or a date in numbers."""
    return _SEEN.search(text) is not None


def lines_with_date(text: str) -> Iterator[str]:
    """The lines of a text that may have a date; one search over all of it is faster than one for each line."""
    at = 0
    for seen in _SEEN.finditer(text):
        if seen.start() < at or not _may_date(text, seen):
            continue
        start = text.rfind("\n", at, seen.start()) + 1 or at
        end = text.find("\n", seen.end())
        at = end if end >= 0 else len(text)
        yield text[start:at]


def order_in(text: str) -> str:
    """How a text writes days in numbers: by those that can be read one way only; empty where they do not tell."""
    orders = set()
    text = text[:_LONGEST_TEXT]
    for seen in _IN_NUMBERS.finditer(text):
        found = _ONLY_NUMBERS.match(text, seen.start())
        if found is None or text[seen.start() - 1 : seen.start()] in _GLUED:
            continue
        first, second = int(found["a"]), int(found["b"])
        if first > 12 >= second:
            orders.add(DAY_FIRST)
        elif second > 12 >= first:
            orders.add(MONTH_FIRST)
    return orders.pop() if len(orders) == 1 else ""


def _day(found: re.Match[str], order: str) -> str:
    given = found.groupdict()
    for y, m, d in _GROUPS:
        if given.get(y):
            month = given[m]
            number = int(month) if month.isdecimal() else _MONTHS.get(month.lower(), 0)
            return _valid(int(given[y]), number, int(given[d]))
    if given.get("y5"):
        first, second, year = int(given["a"]), int(given["b"]), int(given["y5"])
        dotted = given["sep2"].startswith(".")
        if len(given["y5"]) == 2:
            # Two digits are a year only where the order is known: 03/04/05 says nothing.
            if not order:
                return ""
            year += 2000 if year < _EARLIEST_TWO else 1900
        if first > 12 or first == second:
            return _valid(year, second, first)
        if second > 12:
            return _valid(year, first, second)
        # Both can be months: only the page can tell. With dots the month is never first.
        if order == MONTH_FIRST and not dotted:
            return _valid(year, first, second)
        return _valid(year, second, first) if order == DAY_FIRST else ""
    return ""


def add_days(day: str, step: int) -> str:
    """The day so many days after one as `YYYY-MM-DD`; empty where it is none."""
    try:
        return (date.fromisoformat(day) + timedelta(days=step)).isoformat()
    except (OverflowError, ValueError):
        return ""


def _valid(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""

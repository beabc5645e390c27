"""Figures: those a sentence claims, those lines of output show, and whether one stands for the other.

On the claim's side only what is plainly a quantity counts: names, versions, dates, places and settings are left out. On
the side of the evidence every reading of every digit counts, so that doubt never raises an alarm.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from ...text.number_words import MONTHS, NUMBER_WORDS, UP_TO_TWELVE
from ._counted import compares, find_kind, is_difference, read_counts

_NUMBER = r"[0-9]{1,30}(?:[.,'’_][0-9]{1,30})*+(?:[eE][+-]?[0-9]{1,3})?"
_WORD = re.compile(r"[^\s—;()\[\]{}\"“”«»|]+")
_TRIM = "*_'‘’`.,:!?…"
_FIGURE = re.compile(rf"([~≈∼]|[<>≤≥]=?)?[-−+±]?({_NUMBER})([%‰×]|[A-Za-zµμ]{{1,4}})?\Z")
_PAIR = re.compile(rf"({_NUMBER})/({_NUMBER})\Z")
_GROUP = re.compile(r"[0-9]{3}\Z")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:([.,'’_])[0-9]{3})(?:\1[0-9]{3})*\Z")
_POINT = re.compile(r"[0-9]+(?:[,'’_][0-9]{3})*\.[0-9]+\Z")
_COMMA = re.compile(r"[0-9]+(?:[.'’][0-9]{3})*,[0-9]+\Z")
_SCIENTIFIC = re.compile(r"([0-9]+(?:\.[0-9]+)?)[eE]([+-]?[0-9]{1,3})\Z")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}\Z")
_SMALL_WORD = re.compile(r"[a-z]")

_SHOWN = re.compile(r"[0-9]+(?:[.,'’_][0-9]+)*+(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?")
_SPACED = re.compile(r"(?<![0-9])[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+(?![0-9])")
_CLOCK = re.compile(r"(?<![0-9])([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9](?:\.[0-9]{1,9})?))?")
_SPENT = re.compile(r"(?<![0-9])(?:([0-9]{1,5})h ?)?([0-9]{1,5})m ?([0-9]{1,2}(?:\.[0-9]{1,9})?)s")
_SPELT_OUT = re.compile(rf"\b(?:{'|'.join(UP_TO_TWELVE)})\b", re.IGNORECASE)

_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_SECONDS = (1e-9, 1e-6, 1e-3, 1.0, 60.0, 3600.0)
_BYTES = (1.0, 1e3, 1e6, 1e9, 1e12, 2.0**10, 2.0**20, 2.0**30, 2.0**40)
_COUNTS = (1.0, 1e3, 1e6, 1e9)
# A unit: how much one of it is, and the sizes in which output may show the same quantity.
_UNITS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {
    "%": ((1.0,), (1.0, 100.0)),
    "‰": ((1.0,), (1.0, 1000.0)),
    **dict.fromkeys(("percent", "pct"), ((1.0,), (1.0, 100.0))),
    **dict.fromkeys(("ns", "nanoseconds"), ((1e-9,), _SECONDS)),
    **dict.fromkeys(("µs", "μs", "us", "microseconds"), ((1e-6,), _SECONDS)),
    **dict.fromkeys(("ms", "msec", "millisecond", "milliseconds"), ((1e-3,), _SECONDS)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ((1.0,), _SECONDS)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ((60.0,), _SECONDS)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), ((3600.0,), _SECONDS)),
    **dict.fromkeys(("b", "byte", "bytes"), ((1.0, 1e9), _BYTES)),
    **dict.fromkeys(("kb", "kib", "kilobytes"), ((1e3, 2.0**10), _BYTES)),
    **dict.fromkeys(("mb", "mib", "megabytes"), ((1e6, 2.0**20), _BYTES)),
    **dict.fromkeys(("gb", "gib", "gigabytes"), ((1e9, 2.0**30), _BYTES)),
    **dict.fromkeys(("tb", "tib", "terabytes"), ((1e12, 2.0**40), _BYTES)),
    **dict.fromkeys(("k", "thousand"), ((1e3,), _COUNTS)),
    "m": ((60.0, 1e6), (*_SECONDS, 1e3, 1e6)),
    **dict.fromkeys(("million", "mio"), ((1e6,), _COUNTS)),
    **dict.fromkeys(("billion", "bn"), ((1e9,), _COUNTS)),
    **dict.fromkeys(("x", "×", "fps", "hz", "khz", "mhz", "ghz", "px"), ((1.0,), (1.0,))),
}
_FAMILIES = {
    unit: "time" if sizes is _SECONDS else "bytes" if sizes is _BYTES else "share"
    for unit, (_, sizes) in _UNITS.items()
    if sizes is _SECONDS or sizes is _BYTES or unit in ("%", "percent", "pct")
}
_KNOWN = "|".join(sorted((re.escape(one) for one in _UNITS if one not in ("m", "b", "k")), key=len, reverse=True))
_WITH_UNIT = re.compile(rf"[ \t]?({_KNOWN})(?![A-Za-z0-9µμ])", re.IGNORECASE)
# Words before a number that make it a name: a place, a version, a setting, a code.
_LABELS = frozenset(
    "line lines row rows column col step steps phase phases section sections sec table tables figure figures fig issue "
    "issues task tasks rfc pep chapter chapters page pages part parts item items version versions ver level stage day "
    "week sprint milestone appendix example iteration attempt run job build port ports pid uid rule option note "
    "question seed id no number nr type class group commit revision rev bug ticket epic story node gpu shard thread "
    "worker candidate variant experiment trial epoch layer round chunk test case exit exits exited code codes status "
    "rc signal errno error http pr prs mr gh # first last top next previous past bottom every".split()
)
_NAMES = frozenset(
    "python cpython pypy pytest node node.js nodejs java jdk openjdk ruby go golang rust npm pnpm yarn pip gcc g++ "
    "clang llvm cmake ubuntu debian alpine fedora centos rhel macos windows linux kernel postgres postgresql mysql "
    "mariadb sqlite redis django flask fastapi react vue angular typescript javascript kubernetes docker php chrome "
    "chromium firefox safari ios android .net dotnet c++ c es ecmascript openssl git cuda numpy pandas torch pytorch "
    "tensorflow ruff mypy swift kotlin scala elixir erlang haskell ghc lua bash zsh tls ssl utf iso sha ipv".split()
)
_BOUNDS = frozenset("over above under below within beyond exceeds than least most max maximum minimum".split())
_ABOUT = frozenset("~ ≈ about around approximately approx roughly nearly almost circa ca some".split())
_SPANNING = frozenset("to through until - –".split())
_LINKING = _SPANNING | frozenset("and or & , /".split())
_ENDING_IN_S = frozenset("class exits status is was".split())
_HOUR = frozenset("am pm a.m p.m o'clock o’clock utc gmt uhr".split())
_ENDS = frozenset("with was is of = :".split())
_BY = ("with", "using", "on", "across")
_WHEN = ("in", "since", "until", "during", "year")
_SETTING = frozenset("worker workers thread threads core cores cpu cpus jobs processes machines nodes shards".split())


class Figure(Struct, frozen=True):
    """A quantity that a sentence claims."""

    raw: str
    readings: tuple[tuple[float, float], ...]
    """What output may show for it: each from a smallest to a largest value."""
    implied: bool = False
    """True where output says it by not saying anything: none, or all in a hundred."""
    parts: tuple[Figure, ...] = ()
    """The same digits as numbers side by side."""
    amounts: tuple[tuple[str, float, float], ...] = ()
    """With a unit: of which family, and from how much to how much of its smallest unit."""
    kind: str = ""
    """What it counts, where it counts what passed, failed, and so on."""
    compared: bool = False
    """Whether it says by how much something differs: `5 points lower`."""


class ShownFigures:
    """The figures of some lines."""

    __slots__ = ("_amounts", "_bare", "_counts", "_every", "_measured", "compares", "raw")

    def __init__(self, lines: Iterable[str]) -> None:
        bare: set[float] = set()
        measured: set[float] = set()
        amounts: dict[str, set[float]] = {}
        raw: dict[str, None] = {}
        self._counts: dict[str, list[float]] = {}
        self._measured: dict[str, set[str]] = {}
        """For each family of units, the words of the lines that show a figure of it."""
        self.compares = False
        """Whether a line compares: by a word, a sign or a ratio."""
        count = 0
        for line in lines:
            self.compares = self.compares or compares(line)
            count += bool(line and not line.isspace())
            for match in _SHOWN.finditer(line):
                raw[match[0]] = None
                unit = _WITH_UNIT.match(line, match.end())
                family = _FAMILIES.get(unit[1].lower(), "") if unit is not None else ""
                if unit is None or not family:
                    bare.update(_parse_liberally(match[0]))
                    continue
                values = set(_parse_liberally(match[0]))
                measured |= values
                sizes = _UNITS[unit[1].lower()][0]
                amounts.setdefault(family, set()).update(value * size for value in values for size in sizes)
                self._measured.setdefault(family, set()).update(_LONG_WORD.findall(line.lower()))
            bare.update(_other_readings(line))
            for kind, number in read_counts(line):
                self._counts.setdefault(kind, []).append(number)
        self.raw = tuple(raw)
        """As they are written, each once, in order."""
        # An enumeration may be counted.
        bare.add(float(count))
        self._bare = sorted(bare)
        self._every = sorted(bare | measured)
        self._amounts = {family: sorted(values) for family, values in amounts.items()}

    def has(self, figure: Figure) -> bool:
        """Whether one of the figures can be meant by a claimed one."""
        if any(_is_between(self._amounts.get(family, []), low, high) for family, low, high in figure.amounts):
            return True
        # A figure with another unit is another figure.
        values = self._bare if figure.amounts else self._every
        if any(_is_between(values, low, high) for low, high in figure.readings):
            return True
        return bool(figure.parts) and all(map(self.has, figure.parts))

    def counts(self, kind: str) -> list[float]:
        """How many are said to have passed, failed, and so on."""
        return self._counts.get(kind, [])

    def measures(self, figure: Figure, words: Iterable[str]) -> bool:
        """Whether a line that has one of these words shows a figure of the same family of units."""
        families = {family for family, _, _ in figure.amounts}
        return any(not self._measured.get(family, set()).isdisjoint(words) for family in families)


def _is_between(values: list[float], low: float, high: float) -> bool:
    at = bisect_left(values, low)
    return at < len(values) and values[at] <= high


def find_missing(text: str, places: list[ShownFigures]) -> list[str]:
    """The figures of a claim that none of the places shows, or that they show of something else."""
    words = set(_LONG_WORD.findall(text.lower()))
    lacking = [figure for figure in find_claimed_figures(text) if not _is_shown(figure, words, places)]
    return [f"{figure.raw} (as a difference)" if figure.compared else figure.raw for figure in lacking]


def _is_shown(figure: Figure, words: set[str], places: list[ShownFigures]) -> bool:
    if figure.compared and not any(place.compares for place in places):
        # The lines show a value, and not by how much it differs from another.
        return False
    counted = [number for place in places for number in place.counts(figure.kind)] if figure.kind else []
    if counted:
        # What several runs show may be added up.
        sums = [*counted, sum(counted)]
        return any(low <= number <= high for number in sums for low, high in figure.readings)
    if any(place.has(figure) for place in places):
        return True
    return figure.implied and not (
        figure.readings[0][0] <= 0 and any(place.measures(figure, words) for place in places)
    )


def find_claimed_figures(text: str) -> list[Figure]:
    """The quantities that a sentence claims."""
    return list(_Sentence(text).figures())


class _Sentence:
    """The words of a claim, read from the first to the last."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = list(_WORD.finditer(text))
        self.spans = [word.span() for word in found]
        self.words = [word[0].strip(_TRIM) if len(word[0]) > 1 else word[0] for word in found]
        self.lower = [word.lower() for word in self.words]

    def figures(self) -> Iterator[Figure]:
        """Every figure that no other word explains as something else."""
        labelled = ""
        at = 0
        while at < len(self.words):
            word = self.words[at]
            pair = _PAIR.match(word)
            match = _FIGURE.match(word)
            if pair is not None:
                if word != "24/7" and self._before(at) not in _LABELS:
                    yield from (_make_figure(part, part, "", False) for part in pair.groups() if _parse_readings(part))
            elif match is None:
                labelled = labelled if self.lower[at] in _LINKING else ""
            elif (kind := self._kind(at, match[2], match[3] or "", labelled)) != "figure":
                labelled = kind
            else:
                labelled = ""
                taken, figure = self._read(at, match)
                at += taken
                if figure is not None:
                    yield figure
            at += 1

    def _before(self, at: int, steps: int = 1) -> str:
        return self.lower[at - steps] if at >= steps else ""

    def _after(self, at: int) -> str:
        return self.lower[at + 1] if at + 1 < len(self.lower) else ""

    def _kind(self, at: int, number: str, unit: str, labelled: str) -> str:
        """`figure`, or as what else the number at a place is to be read."""
        before, after = self._before(at), self._after(at)
        if (
            labelled == "labels"
            or (labelled == "label" and before in _SPANNING)
            or (labelled == "name" and "." in number and not unit)
        ):
            return labelled
        if unit and unit.lower() not in _UNITS:
            return "word"
        if before in _NAMES or self._is_versioned(at, number, unit or after):
            return "name"
        if before in _LABELS or before.startswith("-") or (before in _ENDS and self._before(at, 2) in _LABELS):
            return "labels" if before.endswith("s") and before not in _ENDING_IN_S else "label"
        if {before, after, self._before(at, 2)} & MONTHS.keys() and not unit:
            return "date"
        if after in _HOUR or self._is_enclosed(at) or (after in _SETTING and before in _BY):
            return "aside"
        if _YEAR.match(number) and before in _WHEN and (self._is_ended(at) or not _SMALL_WORD.match(after)):
            return "date"
        return "figure"

    def _is_versioned(self, at: int, number: str, unit: str) -> bool:
        """Whether a capitalised word inside the sentence directly before makes it a version."""
        if at < 2 or unit in _UNITS or not self.words[at - 1][:1].isupper():
            return False
        gap = self.text[self.spans[at - 1][0] + len(self.words[at - 1]) : self.spans[at][0]]
        return gap.isspace() and ("." in number or self._is_ended(at))

    def _is_ended(self, at: int) -> bool:
        """Whether no word follows directly: what follows is a mark, or nothing."""
        return at + 1 == len(self.words) or self.text[self.spans[at][1] - 1] in ".,:!?"

    def _is_enclosed(self, at: int) -> bool:
        """Whether it stands alone in brackets: a footnote, a year, a place in an enumeration."""
        start, end = self.spans[at]
        return self.text[start - 1 : start] in ("(", "[") and self.text[end : end + 1] in (")", "]") and start > 0

    def _read(self, at: int, match: re.Match[str]) -> tuple[int, Figure | None]:
        """The figure at a place, and how many words after the first belong to it."""
        mark, number, unit = match.groups()
        before = self._before(at)
        if (mark and mark[0] in "<>≤≥") or before in _BOUNDS or (before == "to" and self._before(at, 2) == "up"):
            # A bound is true of many figures, and none of them need be the bound.
            return 0, None
        about = bool(mark) or before in _ABOUT
        taken = 0
        if not unit and re.fullmatch("[0-9]{1,3}", number) and self.text[self.spans[at][1] - 1].isdigit():
            while at + taken + 1 < len(self.words) and _GROUP.match(self.words[at + taken + 1]):
                taken += 1
        digits = "".join([number, *self.words[at + 1 : at + 1 + taken]])
        following = self._after(at + taken)
        unit = (unit or (following if following in _UNITS else "")).lower()
        shown = " ".join([number, *self.words[at + 1 : at + 1 + taken]])
        if not _parse_readings(digits):
            return taken, None
        figure = _make_figure(shown, digits, unit, about)
        if not unit and before not in ("of", "/"):
            figure = replace(figure, kind=find_kind(self.text, self.spans[at][0], self.spans[at + taken][1]))
        figure = replace(figure, compared=is_difference(self.lower[at + taken + 1 : at + taken + 4]))
        if taken and " 0" not in shown:
            # They may be numbers side by side just as well.
            parts = tuple(_make_figure(part, part, unit, about) for part in shown.split(" "))
            figure = replace(figure, implied=False, parts=parts)
        return taken, figure


def _make_figure(shown: str, number: str, unit: str, about: bool) -> Figure:
    """A number with its unit as the values that may be shown for it."""
    readings: list[tuple[float, float]] = []
    measured: list[tuple[str, float, float]] = []
    family = _FAMILIES.get(unit, "")
    amounts, sizes = _UNITS.get(unit, ((1.0,), (1.0,)))
    for value, places in _parse_readings(number):
        rounded = places > 0 or about or unit in _UNITS
        slack = max(0.5 * 10.0**-places, 0.1 * value if about else 0.0) if rounded else 0.0
        if family:
            low, high = (value - slack) * (1 - 1e-9), (value + slack) * (1 + 1e-9)
            measured += [(family, low * amount, high * amount) for amount in amounts]
        for size in {amount / size for amount in amounts for size in sizes}:
            low, high = (value - slack) * size, (value + slack) * size
            readings.append((low * (1 - 1e-9), high * (1 + 1e-9)) if slack else (value, value))
    whole = {value for value, _ in _parse_readings(number)}
    implied = whole == {0.0} or (whole == {100.0} and unit in ("%", "percent", "pct"))
    return Figure(
        shown + (unit if unit in ("%", "‰") else ""), tuple(dict.fromkeys(readings)), implied, (), tuple(measured)
    )


def _parse_readings(number: str) -> tuple[tuple[float, int], ...]:
    """What a number may mean, each with its decimal places; nothing where it is a version or a list."""
    if number.isdigit():
        return ((float(number), 0),)
    found: list[tuple[float, int]] = []
    if match := _SCIENTIFIC.match(number):
        places = len(match[1].partition(".")[2]) - int(match[2])
        return ((float(number), min(max(places, -300), 300)),)
    if _THOUSANDS.match(number) or "_" in number.replace(".", "", 1):
        bare = re.sub(r"[.,'’_]", "", number)
        found.append((float(bare), 0))
    if _POINT.match(number):
        bare = re.sub(r"[,'’_]", "", number)
        found.append((float(bare), len(bare.partition(".")[2])))
    if _COMMA.match(number) and not number.endswith(",000"):
        bare = re.sub(r"[.'’]", "", number).replace(",", ".")
        found.append((float(bare), len(bare.partition(".")[2])))
    return tuple(found)


def _parse_liberally(number: str) -> Iterator[float]:
    """Every value a number in output may have, and its parts where it may be a list or a version."""
    known = _parse_readings(number)
    for value, _ in known:
        yield value
    if not known or ("." not in number and not _THOUSANDS.match(number)):
        for part in re.split(r"[.,'’_eE+-]+", number):
            if part:
                yield float(part)


def _other_readings(line: str) -> Iterator[float]:
    """Numbers grouped by spaces, clocks and durations in seconds, and small numbers in words."""
    for spaced in _SPACED.findall(line):
        yield float(re.sub(r"[^0-9]", "", spaced))
    if ":" in line:
        for first, second, third in _CLOCK.findall(line):
            yield int(first) * 60.0 + int(second) if not third else (int(first) * 60 + int(second)) * 60 + float(third)
    if "m" in line:
        for hours, minutes, seconds in _SPENT.findall(line):
            yield int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    for word in _SPELT_OUT.findall(line):
        yield float(NUMBER_WORDS[word.lower()])

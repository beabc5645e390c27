"""The numbers of an answer, held against those of a source by what they are worth, and by the words beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ....judge.lexicon import make_word_set
from ....judge.tokens import scan
from ....text.cjk_numbers import separate_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ....judge.numbers import JudgeToken

MOST_READ = 2_000_000
"""Of how many characters of a document numbers are listed."""
_PIECE = 50_000
_KINDS = ("n", "o", "d")
_UNSAID = frozenset(("1", "#1", "#2"))
"""`one`, `first` and `second` are too often words to be missed as numbers."""
_DIGIT = re.compile(r"\d")
_BEFORE = 40
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?")
_HALF_DAY = 12
# Words in front of a number that let it be a rounded one or a bound.
_LOOSE = re.compile(
    # Examples: `more than `, `≈`.
    r"""
    (?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|over|under|up\ to|below
    |above
    |at\ least|at\ most|(?:more|less|fewer|greater|higher|lower)\ than|just\ (?:over|under))|[~≈<>≤≥])\s*\Z
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_GLUED = re.compile(r"(?<![\w.,/-])([0-9][0-9.,]{0,30}(?<=[0-9]))([A-Za-z\u00c0-\u052f]{3,60})(?![\w-])")
_DOZEN = re.compile(r"\b(half[ \t]+a|a|one|two|three|four|five|six)[ \t]+dozen\b(?![ \t]+s\b)", re.IGNORECASE)
_DOZENS = dict(
    pair.split("/")
    for pair in (
        "a/twelve one/twelve two/twenty-four three/thirty-six four/forty-eight five/sixty six/seventy-two"
    ).split()
)
_NEAR = 0.15
"""How far a rounded number may be from the one it stands for."""
_SIDES = (
    (make_word_set("under below"), make_word_set("over above exceeding"), 1),
    (make_word_set("fewer less"), make_word_set("more"), 2),
    (make_word_set("fell falls fall down decreased decrease decreases declined decline dropped drop shrank lower"),
     make_word_set("rose rises rise up increased increase increases grew grows growth climbed gained higher"), 5),
    (make_word_set("lost loses lose loss losses"),
     make_word_set("earned earns earn made profit profits gained won"), 5),
    (make_word_set("before"), make_word_set("after"), 1),
)  # fmt: skip
"""Words before or behind a number that say the opposite of each other, and how far from it they may stand."""
_SKIPPED = frozenset("a an the just about than by to of some $ € £ age well".split())
_TOKEN = re.compile(r"[^\W\d_]+|[$€£]")
_HALVES = re.compile(r"\b([0-9]{1,2}(?::[0-9]{2})?)[ \t]?([ap])\.?m\b", re.IGNORECASE)
_DENYING = frozenset("not no never neither nor without".split())
_MOST_PLACES = 12
"""At how many places of a number in the source its surroundings are compared."""
_CLAUSE = re.compile(r"[.;!?\n](?=\s|\Z)")


class Figures:
    """The numbers of a text: whether it gives one."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._units: dict[float, set[str]] = {}
        self._lows: set[str] = set()
        self._dates: list[tuple[int, int, int]] = []
        self._clocks: set[str] = set()
        left = MOST_READ
        for text in texts:
            for piece in _pieces(text[:left]):
                for token in read_figures(piece):
                    self._add(token)
            left -= len(text)
            if left <= 0:
                break
        self._values = sorted(self._units)

    def _add(self, token: JudgeToken) -> None:
        self._lows |= {token.low, token.alt} if token.alt else {token.low}
        clock = _CLOCK.fullmatch(token.text)
        if clock is not None:
            hours = int(clock[1])
            self._clocks.add(f"{hours - _HALF_DAY if hours > _HALF_DAY else hours}:{clock[2]}")
            self._units.setdefault(float(hours % _HALF_DAY or _HALF_DAY), set()).add("")
        if token.kind == "n":
            self._units.setdefault(token.value, set()).add(token.unit)
        elif token.kind == "d":
            self._dates.append(token.date)
            self._units.setdefault(float(token.date[0]), set()).add("")

    def gives(self, token: JudgeToken, lead: str = "") -> bool:
        """Whether the text has this number; where the words before it say so, also one that it rounds or bounds."""
        if token.low in self._lows or (token.alt and token.alt in self._lows):
            return True
        if token.kind == "d":
            if token.date[1:] == (0, 0):
                return float(token.date[0]) in self._units
            return any(
                all(not ours or ours == theirs for ours, theirs in zip(token.date, one, strict=True))
                for one in self._dates
            )
        clock = _CLOCK.fullmatch(token.text)
        if clock is not None:
            # 21:00 may be written as 9 pm, or as nine in the evening.
            hours, minutes = int(clock[1]), clock[2]
            hour = hours - _HALF_DAY if hours > _HALF_DAY else hours
            return f"{hour}:{minutes}" in self._clocks or (
                minutes == "00" and {hour, hours} & self._units.keys() != set()
            )
        if token.kind != "n":
            return False
        if self._has_unit(token, token.value):
            return True
        if not _LOOSE.search(lead):
            return False
        size = abs(token.value) * _NEAR
        return any(abs(value - token.value) <= size and self._has_unit(token, value) for value in self._values)

    def _has_unit(self, token: JudgeToken, value: float) -> bool:
        units = self._units.get(value)
        return units is not None and (not token.unit or "" in units or token.unit in units or "deg" in units)


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces of bounded size that end where a line does, or at a space: no number is cut."""
    at = 0
    while at < len(text):
        end = at + _PIECE
        if end < len(text):
            end = max(text.rfind("\n", at, end), 0) or max(text.rfind(" ", at, end), 0) or end
        yield text[at:end]
        at = max(end, at + 1)


def separate_figures(text: str) -> str:
    """A text with its numbers separated from tags and from letters that are no unit, and dozens as numbers.

    Separating twice changes nothing more; the places of figures count in the separated text.
    """
    text = _GLUED.sub(r"\1 \2", separate_numbers(_TAG.sub(" ", text)))
    return _DOZEN.sub(_write_dozen, text)


def _write_dozen(match: re.Match[str]) -> str:
    # A dozen is rarely counted to the last one.
    return f"about {_DOZENS.get(match[1].lower(), 'six')}"


def read_figures(text: str) -> list[JudgeToken]:
    """The numbers, places in a row and dates of a text."""
    tokens, _ = scan(separate_figures(text))
    return [
        token
        for token in tokens
        if (token.kind in _KINDS and token.low not in _UNSAID) or _CLOCK.fullmatch(token.text) is not None
    ]


def find_lacking(claim: str, *given: Figures) -> list[JudgeToken]:
    """The numbers of a claim that none of some texts gives, as they come."""
    claim = separate_figures(claim)
    return [
        token
        for token in read_figures(claim)
        if not any(figures.gives(token, claim[max(0, token.start - _BEFORE) : token.start]) for figures in given)
    ]


def is_in_digits(token: JudgeToken) -> bool:
    """Whether a number is written as one; `three` may be counted from what a source lists."""
    return _DIGIT.search(token.text) is not None


def differ(one: str, other: str, lead: str = "") -> bool:
    """Whether two texts that stand in each other's place give different numbers; the lead stands before the first."""
    one, other = separate_figures(one), separate_figures(other)
    ours, theirs = ([token for token in scan(text)[0] if token.kind in _KINDS] for text in (one, other))
    if not ours or [token.low for token in ours] == [token.low for token in theirs]:
        return False
    return len(ours) != len(theirs) or not all(
        Figures((token.text,)).gives(mine, lead + one[: mine.start]) for mine, token in zip(ours, theirs, strict=True)
    )


def name_figures(tokens: Sequence[JudgeToken]) -> str:
    """Some numbers for a message."""
    return ", ".join(dict.fromkeys(token.text for token in tokens[:3]))


def find_opposite(statement: str, passage: str) -> str:
    """What a number of a statement is said to be, and in the passage the opposite; empty where nothing is."""
    statement, passage = separate_figures(statement), separate_figures(passage)
    halves = {(hour, half.lower()) for hour, half in _HALVES.findall(passage)}
    for hour, half in _HALVES.findall(statement):
        other = "p" if half.lower() == "a" else "a"
        if (hour, other) in halves and (hour, half.lower()) not in halves:
            return f"it says {hour} {other}m, the answer {hour} {half.lower()}m"
    theirs: dict[str, list[tuple[list[str], list[str]]]] = {}
    for token in read_figures(passage):
        theirs.setdefault(token.low, []).append(_beside(passage, token.start, token.end))
    for token in read_figures(statement):
        places = theirs.get(token.low, [])
        if len(places) > _MOST_PLACES:
            continue
        ours = _sides(*_beside(statement, token.start, token.end))
        for at, side, word in ours:
            facing = [[one for one in _sides(*place) if one[0] == at] for place in places]
            if facing and all(one and all(other[1] != side for other in one) for one in facing):
                return f"it says “{facing[0][0][2]}” of {token.text}, the answer “{word}”"
    return ""


def _beside(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """The words of its clause before a number, the nearest first, and those behind it."""
    before = _CLAUSE.split(text[max(0, start - 80) : start])[-1]
    after = _CLAUSE.split(text[end : end + 60])[0]
    return [word.lower() for word in _TOKEN.findall(before)][::-1], [word.lower() for word in _TOKEN.findall(after)]


def _sides(before: list[str], after: list[str]) -> list[tuple[int, bool, str]]:
    near = [word for word in before if word not in _SKIPPED]
    if not _DENYING.isdisjoint(near[:6]) or not _DENYING.isdisjoint(after[:3]):
        return []
    found: list[tuple[int, bool, str]] = []
    for at, (low, high, reach) in enumerate(_SIDES):
        words = near[:reach] if reach < 3 else [*near[:reach], *after[:3]]
        found += [(at, word in high, word) for word in words if word in low or word in high][:1]
    return found

"""Names of an answer that stand where its source has another: `Rutherford discovered` for `Marie Curie discovered`.

That the source has the name elsewhere does not help: there it says something else of it.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ....judge.lexicon import FUNCTION
from ....text.sentences import split_sentences
from .figures import read_figures
from .names import COMMON, fold_forms, split_runs

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W\d_]+")
_ANY_WORD = re.compile(r"[^\W_]+")
_START = re.compile(r"(?:\A|[.!?:;•|“\"‘(\[—–\n])[\s*_'\"“‘(\[-]{0,8}\Z")
_ARTICLES = frozenset("the a an this that its their his her our".split())
_AGENT = "by"
_ROLES = frozenset(
    "in at on of from to for with by between against near under over into onto about after before during than like as "
    "through across behind via without within".split()
)
_LIGHT = frozenset(
    "first also then later once only just even had has have been was were is are be being did do does".split()
)
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_ALIAS = re.compile(
    r"[\s,(—–\"“”‘’:=/-]*(?:(?:aka|a\.k\.a\.|also|better|formerly|previously|originally|now|today|later|then|known|called"
    r"|named|renamed|as|or|born|née|the|is|was|became|short|for|i\.e\.|stage|name|under|to|whose|real|alias|nickname"
    r"|nicknamed|dubbed|rebranded|itself|himself|herself)\b[\s,(—–\"“”‘’:=-]*){0,6}",
    re.IGNORECASE,
)
_LONGEST_ALIAS = 60
_STEM = 5
_LONG = 4
_SHORTEST = 3
_COVERED = 0.6
"""The share of a statement's other words that a sentence has where both state the same of their names."""
_FEWEST_SHARED = 2
_LONGEST = 2_000
"""Characters of a sentence beyond which it is not compared word by word."""
_MOST_SENTENCES = 200


class Swap(Struct, frozen=True):
    """A name of an answer, and the one in its place in the source."""

    said: str
    there: str
    sentence: str
    is_sure: bool
    """False where one of them may describe what the other one names: `the Chancellor`."""


class _Name(Struct, frozen=True):
    """A name in a sentence, and what stands around it."""

    text: str
    words: frozenset[str]
    initials: str
    role: str
    """The preposition before it."""
    has_article: bool
    before: str
    after: str


class _Sentence:
    """The names of a sentence, and its other words that say something."""

    def __init__(self, text: str, names: frozenset[str]) -> None:
        self.text = text
        words = list(_WORD.finditer(text))
        self.names = [name for run in split_runs(text, words) if (name := _name(text, run, names)) is not None]
        self.forms = frozenset(form for word in words for form in fold_forms(word[0]))
        self.stems = frozenset(form[:_STEM] for form in self.forms)
        own = {form for name in self.names for form in name.words}
        self.rest = frozenset(
            form[:_STEM]
            for word in words
            if len(word[0]) >= _SHORTEST and (form := next(fold_forms(word[0]))) not in FUNCTION | _LIGHT | own
        ) | frozenset(token.low for token in read_figures(text))

    def has(self, name: _Name) -> bool:
        """Whether a sentence has a word of a name, its initials, or what it is the initials of."""
        if not name.words.isdisjoint(self.forms) or any(form[:_LONG] in self._beginnings for form in name.words):
            return True
        if name.initials in self.forms or any(one.initials in name.words for one in self.names):
            return True
        return any(_is_short_for(name, one) or _is_short_for(one, name) for one in self.names)

    @property
    def _beginnings(self) -> set[str]:
        return {form[:_LONG] for one in self.names for form in one.words if len(form) >= _LONG}


def _is_short_for(short: _Name, name: _Name) -> bool:
    """Whether a name in capitals is made of letters of another, in their order: `TN` of `Tennessee`."""
    letters = short.text.removesuffix("s")
    if not letters.isupper() or not 2 <= len(letters) <= _LONG:
        return False
    rest = iter(name.text.upper())
    return letters[0] == name.text[0].upper() and all(letter in rest for letter in letters)


def list_capitalised(texts: Iterable[str]) -> frozenset[str]:
    """The words that texts write with a capital inside a sentence: names even where they begin one."""
    return frozenset(
        form
        for text in texts
        for word in _WORD.finditer(text)
        if word[0][0].isupper() and not _START.search(text[max(0, word.start() - 10) : word.start()])
        for form in fold_forms(word[0])
    )


def find_swap(statement: str, passage: str, document: Iterable[str] = ()) -> Swap | None:
    """The first name of a statement in whose place a sentence of the passage has another; None where there is none."""
    if len(statement) > _LONGEST:
        return None
    texts = (statement, passage)
    names = list_capitalised(texts)
    ours = _Sentence(statement, names)
    if not ours.names:
        return None
    spans = islice(split_sentences(passage), _MOST_SENTENCES)
    theirs = [_Sentence(passage[start:end], names) for start, end in spans if end - start <= _LONGEST]
    for name in ours.names:
        sharing = [one for one in theirs if _measure_coverage(ours, one) >= _COVERED]
        if any(one.has(name) for one in sharing):
            continue
        for one in sharing:
            other = next(
                (other for other in one.names if not ours.has(other) and _is_swapped(ours, name, one, other)), None
            )
            if other is not None and not any(_is_alias(text, name, other) for text in (*texts, *document)):
                return Swap(name.text, other.text, one.text, name.has_article == other.has_article)
    return None


def _measure_coverage(ours: _Sentence, theirs: _Sentence) -> float:
    shared = len(ours.rest & (theirs.stems | theirs.rest))
    return shared / len(ours.rest) if shared >= _FEWEST_SHARED else 0.0


def _is_swapped(ours: _Sentence, name: _Name, theirs: _Sentence, other: _Name) -> bool:
    """Whether two names stand in each other's place: beside the same word, or in sentences that else say the same."""
    # Active and passive voice change the role.
    has_voices = {name.role, other.role} == {"", _AGENT}
    if name.role != other.role and not has_voices:
        return False
    if not has_voices and ((name.after and name.after == other.after) or (name.before and name.before == other.before)):
        return True
    said, there = ours.rest - theirs.stems - theirs.rest, theirs.rest - ours.stems - ours.rest
    return said <= {name.after, name.before} and there <= {other.after, other.before}


def _is_alias(text: str, name: _Name, other: _Name) -> bool:
    """Whether a text says that two names are of the same: `Stefani Germanotta, known as Lady Gaga`."""
    for first, second in ((name.text, other.text), (other.text, name.text)):
        at = text.find(first)
        for _ in range(_MOST_SENTENCES):
            if at < 0:
                break
            end = at + len(first)
            then = text.find(second, end, end + _LONGEST_ALIAS + len(second))
            if then >= 0 and _ALIAS.fullmatch(text, end, then):
                return True
            at = text.find(first, end)
    return False


def _name(text: str, run: list[re.Match[str]], names: frozenset[str]) -> _Name | None:
    """A run of capitalised words as a name; None where it is a mere word that begins a sentence."""
    known = [word for word in run if word[0].casefold() not in COMMON or word[0].casefold() in _WEEKDAYS]
    if not known or (len(known) == 1 and len(known[0][0]) < 2):
        return None
    start, end = run[0].start(), run[-1].end()
    begins = _START.search(text[max(0, known[0].start() - 10) : known[0].start()]) is not None
    if begins and len(known) == 1 and names.isdisjoint(fold_forms(known[0][0])):
        return None
    before = [word.casefold() for word in _ANY_WORD.findall(text[max(0, start - 80) : start])][::-1]
    after = [word.casefold() for word in _ANY_WORD.findall(text[end : end + 80])]
    articles = 0
    while articles < len(before) and before[articles] in _ARTICLES:
        articles += 1
    role = before[articles] if articles < len(before) and before[articles] in _ROLES else ""
    return _Name(
        text[start:end],
        frozenset(form for word in known for form in fold_forms(word[0])),
        "".join(word[0][0] for word in run).casefold(),
        role,
        articles > 0,
        _neighbour(before[articles + bool(role) :]),
        _neighbour(after),
    )


def _neighbour(words: list[str]) -> str:
    """The nearest of some words that says something; where none does, the nearest."""
    words = [word for word in words[:4] if word != "s"]
    full = (word for word in words if word not in FUNCTION and word not in _LIGHT and not word.endswith("ly"))
    return next(full, next(iter(words), ""))[:_STEM]

"""Names of an answer that its source has nowhere, or that stand where it has another.

`Rutherford discovered` stands for `Marie Curie discovered`. That the source has the name elsewhere does not help: there
it says something else of it.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from ....judge.lexicon import ARTICLES, FUNCTION, make_word_set
from ....text.number_words import MONTH_NAMES, WEEKDAYS
from ....text.sentences import split_sentences
from .figures import MOST_READ, read_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_](?=\.))*")
_RUN_MARK = re.compile(r"(?:[ \t]+(?:of|the|and|for|de|van|von)){0,2}[ \t]+\Z|-\Z")
_START = re.compile(r"(?:[.!?:;•|“\"‘(\[—–])[\s*_'\"“‘(\[]*\Z")
_LABEL = re.compile(r"[^:.]{1,60}:\s")
_ENGLISH = re.compile(r"\b(?:the|of|by|is|are|and|to|at|with|from|has|had|were|for|a|founded)\b")
_OTHER = re.compile(r"\b(?:der|die|das|und|ist|wurde|ein|eine|nicht|dem|des|el|los|las|le|les|est|och|het|een)\b")
# Capitalised, and no names of what a source speaks of.
COMMON = frozenset((*WEEKDAYS, *MONTH_NAMES)) | make_word_set(
    "mr mrs ms dr prof professor sir lord lady president captain minister "
    "doctor section table figure chapter page appendix document source report article part step note english "
    "french german spanish italian dutch danish swedish norwegian greek swiss welsh irish scottish british "
    "american european asian african chinese japanese russian polish turkish portuguese internet web earth god"
)
_DEMONYM = re.compile(r"(?:ish|an|ese|ic|i)\Z")
_LONG = 4
_ALIKE = 0.4
"""The share of a statement's other long words that a source has where both are in one language and of one subject."""
_TITLED = 0.6
_PLAIN_WORD = re.compile(r"[^\W\d_]+")
_ANY_WORD = re.compile(r"[^\W_]+")
_NAME_START = re.compile(r"(?:\A|[.!?:;•|“\"‘(\[—–\n])[\s*_'\"“‘(\[-]{0,8}\Z")
_LEADS = ARTICLES | make_word_set("this that its their his her our")
_AGENT = "by"
_ROLES = make_word_set(
    "in at on of from to for with by between against near under over into onto about after before during than like as "
    "through across behind via without within"
)
_LIGHT = make_word_set(
    "first also then later once only just even had has have been was were is are be being did do does"
)
_ALIAS = re.compile(
    # Example: `, also known as `.
    r"""
    [\s,(—–"“”‘’:=/-]*(?:(?:aka|a\.k\.a\.|also|better|formerly|previously|originally|now|today|later|then|known
    |called
    |named|renamed|as|or|born|née|the|is|was|became|short|for|i\.e\.|stage|name|under|to|whose|real|alias|nickname
    |nicknamed|dubbed|rebranded|itself|himself|herself)\b[\s,(—–"“”‘’:=-]*){0,6}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_LONGEST_ALIAS = 60
_STEM = 5
_SHORTEST = 3
_COVERED = 0.6
"""The share of a statement's other words that a sentence has where both state the same of their names."""
_FEWEST_SHARED = 2
_LONGEST = 2_000
"""Characters of a sentence beyond which it is not compared word by word."""
_MOST_SENTENCES = 200


def fold_words(texts: Iterable[str]) -> frozenset[str] | None:
    """The words of a text as names are compared; None where it is too long to say that something is nowhere in it."""
    found: set[str] = set()
    left = MOST_READ
    for text in texts:
        left -= len(text)
        if left < 0:
            return None
        for word in _WORD.findall(text):
            forms = tuple(fold_forms(word))
            found.update(forms)
            if len(word) > _LONG:
                # How it begins, so that `Germany` is found by `German` without reading all words again.
                found.add("^" + forms[0][:_LONG])
                if _DEMONYM.search(forms[0]):
                    found.add("~" + forms[0][:_LONG])
    return frozenset(found)


def fold_forms(word: str) -> Iterator[str]:
    """A word as names are compared, first as it is, then without the ending of a plural."""
    bare = unicodedata.normalize("NFKD", word).casefold().replace(".", "")
    bare = "".join(sign for sign in bare if not unicodedata.combining(sign))
    yield bare
    if len(bare) > _LONG - 1 and bare.endswith("s"):
        yield bare[:-1]
    if bare.endswith("ies"):
        yield bare[:-3] + "y"


def find_strange_names(statement: str, *known: frozenset[str]) -> list[str]:
    """The names in a statement of which none of the known words is a form."""
    words = list(_WORD.finditer(statement))
    long = [word for word in words if len(word[0]) >= _LONG]
    upper = [word for word in long if word[0][0].isupper()]
    if not upper or len(upper) > _TITLED * len(long) + 1 or not _ENGLISH.search(statement) or _OTHER.search(statement):
        return []
    plain = [word for word in long if not word[0][0].isupper()]
    shared = sum(1 for word in plain if _is_known(fold_forms(word[0]), known))
    if not plain or shared < _ALIKE * len(plain):
        return []
    label = _LABEL.match(statement)
    found: list[str] = []
    for run in split_runs(statement, words):
        if _is_known(["".join(word[0][0] for word in run).casefold()], known):
            continue
        for at, word in enumerate(run):
            before = statement[max(0, word.start() - 12) : word.start()]
            starts = (word.start() < 12 and not before.strip(" *_'\"")) or _START.search(before) is not None
            if (starts and (at or len(run) == 1 or _may_be_role(word[0]))) or (label and word.end() < label.end()):
                continue
            if _is_name(word[0]) and not _is_known((*fold_forms(word[0]), _beginning(word[0])), known):
                found.append(word[0])
    return found


def split_runs(statement: str, words: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Capitalised words that follow each other: `Maria Alvarez`, `University of Oslo`."""
    run: list[re.Match[str]] = []
    for word in words:
        if not word[0][0].isupper() or (word[0].casefold() in FUNCTION and not word[0].isupper()):
            continue
        if run and not _RUN_MARK.fullmatch(statement, run[-1].end(), word.start()):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _is_name(word: str) -> bool:
    return len(word) > 2 and not word.isupper() and word.casefold() not in COMMON


def _may_be_role(word: str) -> bool:
    """Whether a word in front of a name may be a title, rather than a part of the name."""
    return re.search(r"(?:er|or|ist|ent|ant|man|ess|ian|ing|ed|ly)\Z", word) is not None


def _is_known(forms: Iterable[str], known: tuple[frozenset[str], ...]) -> bool:
    return any(form in words for form in forms for words in known)


def _beginning(word: str) -> str:
    """What a text has that speaks of the same country: `Germany` for `German`, and the other way round."""
    low = next(iter(fold_forms(word)))
    return ("^" if _DEMONYM.search(low) else "~") + low[:_LONG]


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
        words = list(_PLAIN_WORD.finditer(text))
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
        beginnings = {form[:_LONG] for one in self.names for form in one.words if len(form) >= _LONG}
        if not name.words.isdisjoint(self.forms) or any(form[:_LONG] in beginnings for form in name.words):
            return True
        if name.initials in self.forms or any(one.initials in name.words for one in self.names):
            return True
        return any(_is_short_for(name, one) or _is_short_for(one, name) for one in self.names)


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
        for word in _PLAIN_WORD.finditer(text)
        if word[0][0].isupper() and not _NAME_START.search(text[max(0, word.start() - 10) : word.start()])
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
        shared = [len(ours.rest & (one.stems | one.rest)) for one in theirs]
        least = max(_FEWEST_SHARED, _COVERED * len(ours.rest))
        sharing = [one for one, many in zip(theirs, shared, strict=True) if many >= least]
        if any(one.has(name) for one in sharing):
            continue
        for one in sharing:
            other = next(
                (other for other in one.names if not ours.has(other) and _is_swapped(ours, name, one, other)), None
            )
            if other is not None and not any(_is_alias(text, name, other) for text in (*texts, *document)):
                return Swap(name.text, other.text, one.text, name.has_article == other.has_article)
    return None


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
    known = [word for word in run if word[0].casefold() not in COMMON or word[0].casefold() in WEEKDAYS]
    if not known or (len(known) == 1 and len(known[0][0]) < 2):
        return None
    start, end = run[0].start(), run[-1].end()
    begins = _NAME_START.search(text[max(0, known[0].start() - 10) : known[0].start()]) is not None
    if begins and len(known) == 1 and names.isdisjoint(fold_forms(known[0][0])):
        return None
    before = [word.casefold() for word in _ANY_WORD.findall(text[max(0, start - 80) : start])][::-1]
    after = [word.casefold() for word in _ANY_WORD.findall(text[end : end + 80])]
    articles = 0
    while articles < len(before) and before[articles] in _LEADS:
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

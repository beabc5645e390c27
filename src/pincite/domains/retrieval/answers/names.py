"""Names of an answer that its source has nowhere, and words beside a number that say the opposite of the source's."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from ....judge.lexicon import FUNCTION
from ....text.number_words import MONTH_NAMES, WEEKDAYS
from .figures import MOST_READ, read_figures, separate_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_](?=\.))*")
_RUN_MARK = re.compile(r"(?:[ \t]+(?:of|the|and|for|de|van|von)){0,2}[ \t]+\Z|-\Z")
_START = re.compile(r"(?:[.!?:;•|“\"‘(\[—–])[\s*_'\"“‘(\[]*\Z")
_LABEL = re.compile(r"[^:.]{1,60}:\s")
_ENGLISH = re.compile(r"\b(?:the|of|by|is|are|and|to|at|with|from|has|had|were|for|a|founded)\b")
_OTHER = re.compile(r"\b(?:der|die|das|und|ist|wurde|ein|eine|nicht|dem|des|el|los|las|le|les|est|och|het|een)\b")
# Capitalised, and no names of what a source speaks of.
COMMON = frozenset((*WEEKDAYS, *MONTH_NAMES)) | frozenset(
    "mr mrs ms dr prof professor sir lord lady president captain minister "
    "doctor section table figure chapter page appendix document source report article part step note english "
    "french german spanish italian dutch danish swedish norwegian greek swiss welsh irish scottish british "
    "american european asian african chinese japanese russian polish turkish portuguese internet web earth god".split()
)
_DEMONYM = re.compile(r"(?:ish|an|ese|ic|i)\Z")
_LONG = 4
_ALIKE = 0.4
"""The share of a statement's other long words that a source has where both are in one language and of one subject."""
_TITLED = 0.6


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
            starts = not statement[: word.start()].strip(" *_'\"") if word.start() < 12 else False
            starts = (
                starts
                or _START.search(statement[max(0, word.start() - 12) : word.start()] if word.start() else "")
                is not None
            )
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


_SIDES = (
    (frozenset("under below".split()), frozenset("over above exceeding".split()), 1),
    (frozenset("fewer less".split()), frozenset(("more",)), 2),
    (
        frozenset(
            "fell falls fall down decreased decrease decreases declined decline dropped drop shrank lower".split()
        ),
        frozenset("rose rises rise up increased increase increases grew grows growth climbed gained higher".split()),
        5,
    ),
    (
        frozenset("lost loses lose loss losses".split()),
        frozenset("earned earns earn made profit profits gained won".split()),
        5,
    ),
    (frozenset(("before",)), frozenset(("after",)), 1),
)
_SKIPPED = frozenset("a an the just about than by to of some $ € £ age well".split())
_TOKEN = re.compile(r"[^\W\d_]+|[$€£]")
_HALVES = re.compile(r"\b([0-9]{1,2}(?::[0-9]{2})?)[ \t]?([ap])\.?m\b", re.IGNORECASE)
_DENYING = frozenset("not no never neither nor without".split())
_MOST_PLACES = 12
"""At how many places of a number in the source its surroundings are compared."""
_CLAUSE = re.compile(r"[.;!?\n](?=\s|\Z)")


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
        found += [(at, word in high, word) for word in words[:] if word in low or word in high][:1]
    return found

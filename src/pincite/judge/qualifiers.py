"""Words before another one, and phrases, that say how far it is so: `acting director`, `nearly full`, `on paper`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .containment import key
from .lexicon import FUNCTION, HEDGES
from .model import NOT_SHOWN, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

_LIMITS = frozenset(
    "nearly almost fake former ex deputy partially partly planned alleged proposed semi would acting vice assistant "
    "unofficial draft interim provisional tentative attempted failed unsuccessful aspiring prospective pseudo mock "
    "counterfeit unfinished mostly largely virtually practically potential suspected supposed honorary imitation "
    "hypothetical purported presumed abandoned cancelled canceled quasi nominally ostensibly seemingly barely "
    "apparent".split()
)
"""Before a word, these take something from it."""
_NOT_BEFORE = frozenset("to of by in on at from with for than as that".split())
_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "on paper|in theory|in principle|at best|at worst|at times|on average|in part|for the most part|for now|"
        "for the time being|legend has it|so the story goes|in his view|in her view|in their view|in my view|"
        "in our view|give or take|apart from|aside from|all but|with the exception|some say|it is said|"
        "it was claimed|to some extent|up to a point|in name only|more or less|in most cases|in some cases"
    ).split("|")
)
_OPENERS = HEDGES | frozenset("ideally formerly sometimes officially nominally legally untreated unofficially".split())
_INVERTED = frozenset("had were should".split())
_WISHED = frozenset("would could might".split())


def _spans(*tokens: JudgeToken) -> tuple[tuple[int, int], ...]:
    return tuple((token.start, token.end) for token in tokens)


def dropped_limit(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """A word or phrase that limits what the claim says without it."""
    said = {token.low for token in claim}
    keys = {key(token) for token in claim if token.low not in FUNCTION}
    for at, token in enumerate(sentence[:-1]):
        past = token.low in ("former", "ex") and not said.isdisjoint(("was", "were", "had"))
        if (
            token.low in _LIMITS
            and not past
            and token.low not in said
            and key(token) not in keys
            and said.isdisjoint(HEDGES)
        ):
            following = sentence[at + 1]
            if following.low not in _NOT_BEFORE and key(following) in keys:
                text = f"the quote says “{token.text} {following.text}”, the claim does not"
                return NOT_SHOWN, Reason("limit-dropped", text, _spans(token, following))
    limited = not said.isdisjoint(HEDGES) or not said.isdisjoint(_LIMITS)
    return (None if limited else _phrase(sentence, said)) or _opener(sentence, said)


def _phrase(sentence: Sequence[JudgeToken], said: set[str]) -> tuple[str, Reason] | None:
    lows = [token.low for token in sentence]
    for at, low in enumerate(lows):
        for phrase in _BY_FIRST.get(low, ()):
            if tuple(lows[at : at + len(phrase)]) == phrase and not said.issuperset(phrase):
                words = sentence[at : at + len(phrase)]
                text = f"the quote says “{' '.join(token.text for token in words)}”, the claim does not"
                return NOT_SHOWN, Reason("limit-dropped", text, _spans(words[0], words[-1]))
    return None


def _opener(sentence: Sequence[JudgeToken], said: set[str]) -> tuple[str, Reason] | None:
    """`Ideally, …` and `Had the levee held, …`."""
    first = sentence[0]
    bounded = first.low in _OPENERS and len(sentence) > 1 and "," in sentence[1].lead and said.isdisjoint(_OPENERS)
    unreal = first.low in _INVERTED and any(token.low in _WISHED for token in sentence) and said.isdisjoint(_WISHED)
    if not bounded and not unreal:
        return None
    return NOT_SHOWN, Reason(
        "limit-dropped", f"the quote begins with “{first.text}”, the claim does not", _spans(first)
    )


_BY_FIRST: dict[str, list[tuple[str, ...]]] = {}
for _one in _PHRASES:
    _BY_FIRST.setdefault(_one[0], []).append(_one)

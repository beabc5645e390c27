"""An adverbial moved from the front of a sentence to its end: `By default, it listens`, `It listens by default`.

Nothing else may differ, and the sentence has to be of one clause without `not`, `all` or their like: there, the place
of an adverbial decides what it belongs to. From the end to the front only a few may go that belong to nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import AUXILIARIES, DETERMINERS, DOWNWARD, EMBEDDING, HEDGES, PREPOSITIONS, SPEECH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

_OPENING = PREPOSITIONS | frozenset("before when if after while because once".split())
_LONGEST = 9
_WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_OF_THE_WHOLE = frozenset(
    (
        "by default|at present|as a rule|by law|in practice|on average|in principle|for now|at first|in general|"
        "at the time|at the moment|at noon|at midnight"
    ).split("|")
)
"""At the end of a sentence, these belong to all of it."""
_PARTING = (
    SPEECH
    | HEDGES
    | (DOWNWARD - frozenset(("both",)))
    | (EMBEDDING - frozenset(("can",)))
    | frozenset(
        "that which who whom whose where why how while because although though but and or nor so if some any several "
        "until till since after when most few".split()
    )
)
_NOT_MOVED = frozenset("only even just also too still yet again almost nearly not never then now already".split())


def _lows(tokens: Sequence[JudgeToken]) -> list[str]:
    return [token.low for token in tokens]


def _one_clause(tokens: Sequence[JudgeToken]) -> bool:
    """Whether these words are one plain clause."""
    if any("," in token.lead or ";" in token.lead or ":" in token.lead for token in tokens[1:]):
        return False
    parting = (at for at, token in enumerate(tokens) if token.low in _PARTING)
    return all(_takes_object(tokens, at) for at in parting) and sum(t.low in AUXILIARIES for t in tokens) <= 2


def _takes_object(tokens: Sequence[JudgeToken], at: int) -> bool:
    """Whether a verb that may tell of what others say ends the clause with an object: `heard the appeal`."""
    verb = tokens[at].low in SPEECH or tokens[at].low in EMBEDDING
    return verb and at + 3 == len(tokens) and at > 0 and tokens[at + 1].low in DETERMINERS


def _front(tokens: Sequence[JudgeToken]) -> int:
    """How many words before the first comma are an adverbial; without a comma, only a weekday or a span of time is."""
    if not tokens or tokens[0].low not in _OPENING:
        return 0
    for at in range(1, min(len(tokens), _LONGEST + 1)):
        if "," in tokens[at].lead:
            return at if tokens[at].lead.strip() == "," else 0
        if tokens[at].lead.strip():
            return 0
    if len(tokens) > 3 and tokens[0].low in ("on", "in") and tokens[1].low in _WEEKDAYS:
        return 2
    timed = len(tokens) > 3 and tokens[0].low == "for" and tokens[1].kind == "n" and tokens[1].unit in ("s", "mo")
    return 2 if timed else 0


def move_front(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken] | None:
    """The claim with an adverbial where the quote has it; None where more than its place differs."""
    if len(claim) != len(quote) or not claim:
        return None
    size = _front(quote)
    if size and size < len(quote):
        moved, rest = _lows(quote[:size]), quote[size:]
        if not _whole(quote[:size]) or not _one_clause(rest):
            return None
        at = len(rest)
        ours = _lows(claim)
        while at > 0:
            if ours == [*_lows(rest[:at]), *moved, *_lows(rest[at:])]:
                # Before the end, only a time may follow it: `abolished in Finland in 2006`.
                return list(quote) if at == len(rest) or _is_time(rest[at:]) else None
            at -= 1
        return None
    size = _front(claim)
    if (
        size
        and " ".join(_lows(claim[:size])) in _OF_THE_WHOLE
        and _lows(claim)
        == [
            *_lows(quote[-size:]),
            *_lows(quote[:-size]),
        ]
    ):
        return list(quote) if _one_clause(quote[:-size]) else None
    return None


def _whole(front: Sequence[JudgeToken]) -> bool:
    """Whether an adverbial says no more than when, where, how or on what condition."""
    return not any(token.low in SPEECH or token.low in HEDGES or token.low in DOWNWARD - _CLAUSAL for token in front)


_CLAUSAL = frozenset("if when before first last next half second".split())


def _is_time(tokens: Sequence[JudgeToken]) -> bool:
    return len(tokens) == 2 and tokens[0].low in ("in", "on", "since") and (tokens[1].kind == "d" or tokens[1].is_year)


def move_adverb(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken] | None:
    """`Was lowered slowly` for `was slowly lowered`: a verb and the adverb beside it."""
    if len(claim) != len(quote):
        return None
    differ = [at for at, (one, two) in enumerate(zip(claim, quote, strict=True)) if one.low != two.low]
    if len(differ) != 2 or differ[1] != differ[0] + 1:
        return None
    first, second = differ
    if claim[first].low != quote[second].low or claim[second].low != quote[first].low:
        return None
    pair = (claim[first].low, claim[second].low)
    adverbs = [word for word in pair if word.endswith("ly") and len(word) > 4]
    verbs = [word for word in pair if word.endswith(("ed", "en", "wn", "ing"))]
    if (
        len(adverbs) != 1
        or len(verbs) != 1
        or adverbs[0] in HEDGES
        or adverbs[0] in DOWNWARD
        or adverbs[0] in _NOT_MOVED
    ):
        return None
    helped = first > 0 and claim[first - 1].low in AUXILIARIES
    return list(quote) if helped and not any(token.low in DOWNWARD for token in quote) else None

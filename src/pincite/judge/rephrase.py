"""The claim in the quote's own turn of phrase, where both turns say the same: `the profit of the company`.

Each turn is known again by what stands around it in both, so that nothing but the turn differs there. What is exchanged
besides (who owns what, which clause a time belongs to) finds no counterpart and is left as it is.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from ..text.number_words import WEEKDAYS
from .lexicon import (
    AUXILIARIES,
    DETERMINERS,
    DOWNWARD,
    EMBEDDING,
    FUNCTION,
    HEDGES,
    NEGATIONS,
    PREPOSITIONS,
    SPEECH,
    make_word_set,
)
from .scope import has_mark_before
from .tokens import WordSentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .numbers import JudgeToken

_MOST_OWNERS = 12
"""Genitives of a sentence that are tried."""
_LONGEST_OWNED, _LONGEST_OWNER = 3, 4
# `The minister's criticism` is hers, `the criticism of the minister` may be another's: what is done may be done to one.
_DONE = re.compile(r"(?:[ts]ion|ment|ing|ism)s?$")
_NOT_DONE = make_word_set(
    "population position location station decision opinion government department apartment parliament building nation "
    "region religion tradition mission section constitution institution attention intention ambition reputation "
    "condition function edition version generation foundation tension dimension division session profession permission "
    "passion vision environment element moment monument document instrument basement pavement movement settlement "
    "equipment statement argument commitment achievement retirement meaning beginning ending opening founding ceiling "
    "wing evening mechanism organism capitalism expansion evolution completion liquidation"
)
_ALSO_DONE = make_word_set(
    "attack murder arrest defeat support fear love hatred hate abuse loss study review rape search pursuit neglect "
    "blame praise choice change use distrust mistrust critic fall release capture rescue sale purchase trial denial "
    "refusal betrayal portrayal removal approval dismissal appraisal disposal coverage torture seizure acceptance "
    "avoidance guidance care help cost control call demand request search pardon threat"
)
_BEFORE_TIMES = make_word_set("in on by since during")
_TIME_PARTS = make_word_set("early late mid the")
_CLAUSES = (
    NEGATIONS
    | SPEECH
    | EMBEDDING
    | make_word_set(
        "that which who whom whose when while because although though but after since where why how as than and or nor "
        "so if only"
    )
)
"""With one of these in it, a sentence may have two clauses, or a time may bound what it says of none."""
_FOREMOST = make_word_set("all every each most first last")
_RELATIVES = make_word_set("which that who")
_MEANT = make_word_set("those something anything everything everyone anyone nothing ones")
"""Besides what is named, these may have a clause that says which are meant."""
_OTHER_WORDS = make_word_set("re un")
"""Before a hyphen these make another word: `re-signed`, `resigned`."""
_SHORTEST = 5
_SHORT = 4
_OPENING = PREPOSITIONS | make_word_set("before when if after while because once")
_LONGEST_FRONT = 9
_OF_THE_WHOLE = tuple(
    phrase.split()
    for phrase in (
        "by default|at present|as a rule|by law|in practice|on average|in principle|for now|at first|in general|"
        "at the time|at the moment|at noon|at midnight"
    ).split("|")
)
"""At the end of a sentence, these belong to all of it."""
_FRONTED = make_word_set("if when before first last next half second")
_PARTING = (SPEECH | HEDGES | DOWNWARD | EMBEDDING) - make_word_set("both can") | make_word_set(
    "that which who whom whose where why how while because although though but and or nor so if some any several "
    "until till since after when most few"
)
_NOT_MOVED = make_word_set("only even just also too still yet again almost nearly not never then now already")


def rephrase(claim: WordSentence, quote: WordSentence) -> WordSentence | None:
    """The claim with each turn of phrase as the quote has it; None where there is nothing to turn."""
    words = list(claim.tokens)
    for turn in (_rephrase_hyphens, _rephrase_initials, _rephrase_relatives, _rephrase_genitives, _rephrase_times):
        words = turn(words, quote.tokens)
    if words == claim.tokens:
        words = _move_front(words, quote.tokens) or _move_adverb(words, quote.tokens) or words
    return None if words == claim.tokens else WordSentence(words, claim.tail)


def _lows(tokens: Sequence[JudgeToken]) -> list[str]:
    return [token.low for token in tokens]


def _rephrase_hyphens(claim: list[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken]:
    """`Cooperate` for `co-operate`, and the other way round."""
    if not any(token.lead == "-" for token in (*claim, *quote)):
        return claim
    whole = {token.low: token for token in quote if token.kind == "w" and len(token.low) >= _SHORTEST}
    pairs = {one + two: pair for one, two, pair in _find_hyphen_pairs(quote)}
    joined = {
        id(pair[0]): (whole[one + two], pair) for one, two, pair in _find_hyphen_pairs(claim) if one + two in whole
    }
    out: list[JudgeToken] = []
    passed: JudgeToken | None = None
    for token in claim:
        if token is passed:
            continue
        if id(token) in joined:
            one, (_, passed) = joined[id(token)]
            out.append(one)
        elif token.low in pairs and token.low not in whole:
            out += pairs[token.low]
        else:
            out.append(token)
    return out


def _find_hyphen_pairs(tokens: Sequence[JudgeToken]) -> Iterator[tuple[str, str, tuple[JudgeToken, JudgeToken]]]:
    for before, token in pairwise(tokens):
        if token.lead == "-" and before.kind == token.kind == "w" and before.low not in _OTHER_WORDS:
            yield before.low, token.low, (before, token)


def _rephrase_initials(claim: list[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken]:
    """`WHO` for `World Health Organization (WHO)`."""
    for at, token in enumerate(quote):
        if not at or not token.lead.endswith("(") or not token.text.isupper() or not 1 < len(token.text) < 7:
            continue
        closed = at + 1 == len(quote) or quote[at + 1].lead.startswith(")")
        first = _spelled_out(quote, at, token.text)
        places = [place for place, own in enumerate(claim) if own.text == token.text]
        if closed and first is not None and places and "(" not in claim[places[0]].lead:
            claim = [*claim[: places[0]], *quote[first:at], *claim[places[0] + 1 :]]
    return claim


def _spelled_out(quote: Sequence[JudgeToken], end: int, letters: str) -> int | None:
    """Where the name begins whose first letters these are; it ends before `end`."""
    at, left = end, len(letters)
    while at > 0 and left:
        at -= 1
        token = quote[at]
        if token.text[0] == letters[left - 1]:
            left -= 1
        elif token.low not in ("of", "for", "and", "the", "on", "in"):
            return None
        if at < end - 1 and has_mark_before(quote[at + 1]):
            return None
    return at if not left else None


def _rephrase_relatives(claim: list[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken]:
    """`The law which bans` for `the law that bans`."""
    places = {
        (before.low, after.low): token
        for before, token, after in zip(quote, quote[1:], quote[2:], strict=False)
        if token.low in _RELATIVES
        and not has_mark_before(token)
        and (before.low in _MEANT or (before.low not in FUNCTION and before.low not in SPEECH))
    }
    if not places:
        return claim
    out = list(claim)
    for at in range(1, len(claim) - 1):
        own = claim[at]
        other = places.get((claim[at - 1].low, claim[at + 1].low))
        if other is not None and own.low in _RELATIVES and own.low != other.low and not has_mark_before(own):
            out[at] = other
    return out


def _rephrase_genitives(claim: list[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken]:
    """`The profit of the company` for `the company's profit`, and the other way round."""
    known = set(_lows(claim))
    tried = 0
    for at, token in enumerate(quote):
        if token.low not in ("'s", "of") or tried >= _MOST_OWNERS:
            continue
        turns = _rephrase_possessive(quote, at, known) if token.low == "'s" else _rephrase_of_phrase(quote, at, known)
        tried += 1
        for first, end, other in turns:
            lows = _lows(claim)
            found = _find(lows, other)
            if found is not None and _fits(lows, found, found + len(other), quote, first, end):
                claim = [*claim[:found], *quote[first:end], *claim[found + len(other) :]]
                break
    return claim


def _rephrase_possessive(quote: Sequence[JudgeToken], at: int, known: set[str]) -> Iterator[tuple[int, int, list[str]]]:
    """`The company's profit` as `the profit of the company`: where it stands, and the other way to say it."""
    for size in range(1, _LONGEST_OWNER + 1):
        first = at - size
        if first < 0 or not _content(quote[first:at], known):
            break
        start = first - 1 if first and quote[first - 1].low in DETERMINERS else first
        if start == first and first and quote[first - 1].low not in FUNCTION:
            continue
        for end in range(at + 2, min(at + 2 + _LONGEST_OWNED, len(quote) + 1)):
            if not _content(quote[at + 1 : end], known):
                break
            if not _is_done(quote[end - 1].low):
                yield start, end, ["the", *_lows(quote[at + 1 : end]), "of", *_lows(quote[start:at])]


def _rephrase_of_phrase(quote: Sequence[JudgeToken], at: int, known: set[str]) -> Iterator[tuple[int, int, list[str]]]:
    """`The profit of the company` as `the company's profit`."""
    for size in range(1, _LONGEST_OWNED + 1):
        first = at - size
        if first < 1 or not _content(quote[first:at], known):
            break
        if quote[first - 1].low != "the" or _is_done(quote[at - 1].low):
            continue
        inner = at + 2 if at + 1 < len(quote) and quote[at + 1].low in DETERMINERS else at + 1
        for end in range(inner + 1, min(inner + 1 + _LONGEST_OWNER, len(quote) + 1)):
            if not _content(quote[inner:end], known):
                break
            yield first - 1, end, [*_lows(quote[at + 1 : end]), "'s", *_lows(quote[first:at])]


def _content(tokens: Sequence[JudgeToken], known: set[str]) -> bool:
    """Whether all of these are words of the claim that have a content of their own, with no mark between them."""
    return all(token.kind == "w" and token.low not in FUNCTION and token.low in known for token in tokens) and not any(
        has_mark_before(token) for token in tokens[1:]
    )


def _is_done(word: str) -> bool:
    return word in _ALSO_DONE or (word not in _NOT_DONE and _DONE.search(word) is not None)


def _find(lows: list[str], wanted: list[str]) -> int | None:
    size = len(wanted)
    return next((at for at in range(len(lows) - size + 1) if lows[at : at + size] == wanted), None)


def _fits(lows: Sequence[str], first: int, end: int, quote: Sequence[JudgeToken], start: int, stop: int) -> bool:
    """Whether the same word, or none, stands before and behind both turns."""
    before = lows[first - 1] if first else ""
    after = lows[end] if end < len(lows) else ""
    return before == (quote[start - 1].low if start else "") and after == (quote[stop].low if stop < len(quote) else "")


def _rephrase_times(claim: list[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken]:
    """`In 2019 they met` for `They met in 2019`, in a sentence of one clause."""
    front = _count_time(quote)
    if front and len(claim) > front and _lows(claim[-front:]) == _lows(quote[:front]):
        return [*quote[:front], *claim[:-front]] if _is_plain_clause(quote[front:]) else claim
    front = _count_time(claim)
    if front and len(quote) > front and _lows(quote[-front:]) == _lows(claim[:front]):
        return [*claim[front:], *quote[-front:]] if _has_one_verb(quote[:-front]) else claim
    return claim


def _count_time(tokens: Sequence[JudgeToken]) -> int:
    """How many words at the beginning are a time (`in early 2019`, `on Monday`); 0 where none is."""
    if not tokens or tokens[0].low not in _BEFORE_TIMES:
        return 0
    place = next((at for at in range(1, len(tokens)) if tokens[at].low not in _TIME_PARTS), 0)
    token = tokens[place]
    return place + 1 if token.kind == "d" or token.is_year or token.low in WEEKDAYS else 0


def _has_one_verb(tokens: Sequence[JudgeToken]) -> bool:
    """Whether a time behind these words can only be that of their one verb; hardly anything passes.

    A time at the end may belong to the last thing named: `cleared of an assault in 2006`.
    """
    for at, token in enumerate(tokens):
        after = tokens[at + 1] if at + 1 < len(tokens) else None
        if token.low in _CLAUSES or token.kind == "d" or token.low in WEEKDAYS or (at and has_mark_before(token)):
            return False
        if token.low == "to" and (after is None or not (after.low in DETERMINERS or after.text[:1].isupper())):
            return False
        if not _plain(tokens, at):
            return False
    # `They met the man accused in 2006`
    accused = _acts(tokens[-1]) and len(tokens) > _SHORT and tokens[-2].low not in AUXILIARIES
    return not accused and sum(_acts(token) for token in tokens) <= 1


def _plain(tokens: Sequence[JudgeToken], at: int) -> bool:
    """Whether a word can neither be a second verb nor begin what a time behind it may belong to."""
    token = tokens[at]
    if token.low in _FOREMOST or (token.low.endswith("ing") and len(token.low) > _SHORTEST):
        return False
    if token.low not in PREPOSITIONS or token.low == "by" or not at:
        return True
    if any(other.low in AUXILIARIES for other in tokens[at + 1 :]):
        return True
    return _acts(tokens[at - 1]) and at + 2 == len(tokens) and tokens[-1].text[:1].isupper()


def _acts(token: JudgeToken) -> bool:
    """Whether a word looks like a verb that something was done with."""
    return token.low.endswith("ed") and len(token.low) > _SHORT


def _move_front(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken] | None:
    """`It listens by default` for `By default, it listens`; None where more than the place of an adverbial differs.

    The sentence has to be of one clause without `not`, `all` or their like: there, the place of an adverbial decides
    what it belongs to. From the end to the front only a few may go that belong to nothing else.
    """
    if len(claim) != len(quote) or not claim:
        return None
    ours, theirs = _lows(claim), _lows(quote)
    size = _count_front(quote)
    if size:
        rest, own = quote[size:], theirs[size:]
        if not _bounds_only(quote[:size]) or not _is_plain_clause(rest):
            return None
        for at in range(len(rest), 0, -1):
            if ours == [*own[:at], *theirs[:size], *own[at:]]:
                # Before the end, only a time may follow it: `abolished in Finland in 2006`.
                return list(quote) if at == len(rest) or _is_time(rest[at:]) else None
        return None
    size = _count_front(claim)
    moved = size and ours[:size] in _OF_THE_WHOLE and ours == [*theirs[-size:], *theirs[:-size]]
    return list(quote) if moved and _is_plain_clause(quote[:-size]) else None


def _count_front(tokens: Sequence[JudgeToken]) -> int:
    """How many words before the first comma are an adverbial; without a comma, only a weekday or a span of time is."""
    if not tokens or tokens[0].low not in _OPENING:
        return 0
    for at in range(1, min(len(tokens), _LONGEST_FRONT + 1)):
        if tokens[at].lead.strip():
            return at if tokens[at].lead.strip() == "," else 0
    if len(tokens) < _SHORT:
        return 0
    dated = tokens[0].low in ("on", "in") and tokens[1].low in WEEKDAYS
    timed = tokens[0].low == "for" and tokens[1].kind == "n" and tokens[1].unit in ("s", "mo")
    return 2 if dated or timed else 0


def _bounds_only(front: Sequence[JudgeToken]) -> bool:
    """Whether an adverbial says no more than when, where, how or on what condition."""
    return (SPEECH | HEDGES | (DOWNWARD - _FRONTED)).isdisjoint(_lows(front))


def _is_plain_clause(tokens: Sequence[JudgeToken]) -> bool:
    """Whether these words are one plain clause."""
    if any(mark in token.lead for token in tokens[1:] for mark in ",;:"):
        return False
    parting = (at for at, token in enumerate(tokens) if token.low in _PARTING)
    return all(_takes_object(tokens, at) for at in parting) and sum(t.low in AUXILIARIES for t in tokens) <= 2


def _takes_object(tokens: Sequence[JudgeToken], at: int) -> bool:
    """Whether a verb that may tell of what others say ends the clause with an object: `heard the appeal`."""
    verb = tokens[at].low in SPEECH or tokens[at].low in EMBEDDING
    return verb and at + 3 == len(tokens) and at > 0 and tokens[at + 1].low in DETERMINERS


def _is_time(tokens: Sequence[JudgeToken]) -> bool:
    return len(tokens) == 2 and tokens[0].low in ("in", "on", "since") and (tokens[1].kind == "d" or tokens[1].is_year)


def _move_adverb(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> list[JudgeToken] | None:
    """`Was lowered slowly` for `was slowly lowered`: a verb and the adverb beside it."""
    ours, theirs = _lows(claim), _lows(quote)
    differ = [at for at, (one, two) in enumerate(zip(ours, theirs, strict=False)) if one != two]
    if len(ours) != len(theirs) or len(differ) != 2:
        return None
    first, second = differ
    pair = ours[first : second + 1]
    if len(pair) != 2 or pair != theirs[first : second + 1][::-1]:
        return None
    adverbs = [word for word in pair if word.endswith("ly") and len(word) > _SHORT]
    verbs = [word for word in pair if word.endswith(("ed", "en", "wn", "ing"))]
    if len(adverbs) != 1 or len(verbs) != 1 or adverbs[0] in HEDGES | DOWNWARD | _NOT_MOVED:
        return None
    return list(quote) if first and ours[first - 1] in AUXILIARIES and DOWNWARD.isdisjoint(theirs) else None

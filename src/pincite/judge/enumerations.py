"""`Supports 4 languages` where the quote names them: the items of an enumeration, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .comparison import align
from .gate import Gate, adjective
from .lexicon import FUNCTION, HEDGES, LISTED, make_word_set
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken
    from .tokens import WordSentence

_FEWEST, _MOST = 2, 30
_LONGEST_ITEM = 4
_LONGEST_NOUN = 3
_PLURALS = make_word_set("people men women children persons data media")
_OPEN = HEDGES | make_word_set(
    "soon eventually later planned upcoming future experimental experimentally partial half some earlier optionally "
    "optional badly poorly formerly once"
)
"""An item with one of these may not be one."""
_MORE = make_word_set("also too well additionally furthermore moreover besides another other others more plus further")
"""In the next sentence, these go on with an enumeration."""
_INSIDE = make_word_set("of the a an")


class CountedItems(Struct, frozen=True):
    """What the claim counts, and what the quote enumerates."""

    said: JudgeToken
    noun: str
    items: tuple[tuple[JudgeToken, ...], ...]


def _find_claimed_count(claim: list[JudgeToken]) -> int | None:
    """Where the claim's number stands, if the claim ends in a number of things."""
    for at in range(len(claim) - 2, max(1, len(claim) - 2 - _LONGEST_NOUN), -1):
        token = claim[at]
        if token.kind == "n":
            whole = not token.unit and token.value == int(token.value) and _FEWEST <= token.value <= _MOST
            noun = claim[at + 1 :]
            plain = all(word.kind == "w" and word.low not in FUNCTION and not has_mark_before(word) for word in noun)
            plural = noun[-1].low in _PLURALS or (noun[-1].low.endswith("s") and not noun[-1].text[:1].isupper())
            return at if whole and plain and plural else None
    return None


def _parse_enumeration(sentence: list[JudgeToken], first: int) -> tuple[tuple[JudgeToken, ...], ...] | None:
    """The items from here to the sentence's end; None where it is no closed enumeration."""
    items: list[list[JudgeToken]] = [[]]
    joined = False
    for index in range(first, len(sentence)):
        token = sentence[index]
        low = token.low
        if low in LISTED or low in _OPEN or low in ("or", "nor", "not") or token.kind in ("n", "o", "d"):
            return None
        if low == "and":
            joined = True
            if items[-1]:
                items.append([])
            continue
        if index > first and has_mark_before(token) and items[-1]:
            if "," not in token.lead or joined:
                return None
            items.append([])
        if low in FUNCTION and not (low in _INSIDE and len(low) > 1):
            return None
        items[-1].append(token)
    named = [item for item in items if item]
    if not joined or len(named) != len(items) or len(named) < _FEWEST:
        return None
    # One thing described at length is no item; neither is the same thing twice.
    if any(len(item) > _LONGEST_ITEM for item in named) or len({item[0].low for item in named}) != len(named):
        return None
    # Two plain words are as often one thing: `research and development`.
    if len(named) == _FEWEST and any(item[-1].text.islower() for item in named):
        return None
    return tuple(tuple(item) for item in named)


def can_continue_enumeration(quote: Sequence[WordSentence], index: int) -> bool:
    """Whether this sentence of the quote may go on with the enumeration of the one before."""
    return index < len(quote) and any(token.low in _MORE for token in quote[index].tokens)


def count(claim: WordSentence, sentence: WordSentence) -> CountedItems | None:
    """The claim's count against the sentence's enumeration, if that is what they are."""
    at = _find_claimed_count(claim.tokens)
    if at is None or sentence.asks:
        return None
    # What describes the things has to be in the quote; what names their kind is the claim's word.
    there = {token.low for token in sentence.tokens}
    told = [token for token in claim.tokens[at + 1 : -1] if adjective(token) or "-" in token.lead]
    if any(token.low not in there for token in told):
        return None
    gate = Gate(sentence, claim)
    found: dict[int, tuple[tuple[JudgeToken, ...], ...]] = {}

    def may_end(place: int) -> bool:
        items = _parse_enumeration(sentence.tokens, place + 1)
        if items is not None:
            found[place] = items
        return items is not None

    aligned = align(claim.tokens[:at], sentence.tokens, gate.may_start, gate.may_skip, may_end, gate.may_add)
    if aligned is None:
        return None
    last = max(aligned.places)
    # The verb must be there: a subject alone, or a preposition, opens no list of what is counted.
    if sum(place >= 0 for place in aligned.places) < _FEWEST or sentence.tokens[last].low in FUNCTION:
        return None
    noun = " ".join(token.text for token in claim.tokens[at + 1 :])
    return CountedItems(claim.tokens[at], noun, found[last])

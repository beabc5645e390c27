"""The same words put together otherwise: another preposition, a word that only looks alike, two clauses made one."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise, product, zip_longest
from typing import TYPE_CHECKING

from ..text.stems import base
from .comparison import Finding, doubt
from .lexicon import AUXILIARIES, DETERMINERS, FUNCTION, PRONOUNS, TEMPORAL
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Comparison
    from .numbers import JudgeToken

_EXCLUDING = frozenset(
    frozenset(pair.split())
    for pair in (
        "for against|from to|from till|from into|within after|within before|till after|before after|during after|"
        "during before|with without|with against|over under|above below|above under|below over|near in|near on|near at|"
        "inside outside|in outside|toward from|towards from|towards away|up down|since till|since before|on under|on "
        "off|on below|on behind|by to|by for|by against|onto off|beyond within|am pm|behind front|behind before|after "
        "till|in behind|into through|under beside|between outside|across along|against to|from for"
    ).split("|")
)
"""Prepositions of which one is said instead of the other."""
_LONGEST = 3
_TURNING = frozenset("but while whereas although though yet".split())
_ANAPHORS = frozenset(
    "one ones then it they that this these those he she him her them did does do so such both".split()
)
_RELATIVES = frozenset("who which that".split())
_LINKS = frozenset("is was are were as of".split())
_SAME_KIND = re.compile(r"(?:ic|ical|ally|ly|ed|ing|s|es|'s)$")
_FEWEST = 2


def find_exchanged_preposition(pair: Comparison) -> Finding | None:
    """`against the newspaper` for `for the newspaper`, `6 am` for `6 pm`."""
    for slot in pair.slots:
        if min(len(slot.said), len(slot.seen)) != 1 or max(len(slot.said), len(slot.seen)) > _LONGEST:
            continue
        for said, seen in product(slot.said, slot.seen):
            if frozenset((said.low, seen.low)) in _EXCLUDING:
                text = f"the claim says “{said.text}” where the quote says “{seen.text}”"
                return doubt("preposition-exchanged", text, seen)
    return None


def find_lookalike(pair: Comparison) -> Finding | None:
    """`The police changed` for `The policy changed`: one word that shares no more than its beginning."""
    if any(slot.said for slot in pair.slots):
        return None
    there: dict[str, list[JudgeToken]] = {}
    for token, word in zip(pair.sentence, pair.sentence_keys, strict=True):
        there.setdefault(word, []).append(token)
    other = [
        (token, there[word][0])
        for token, word in zip(pair.claim, pair.claim_keys, strict=True)
        if token.kind == "w" and word in there and not any(_is_form(token, seen) for seen in there[word])
    ]
    if len(other) != 1:
        return None
    said, seen = other[0]
    return doubt("word-exchanged", f"the claim says “{said.text}” where the quote says “{seen.text}”", seen)


def _is_form(one: JudgeToken, two: JudgeToken) -> bool:
    """Whether two words are forms or spellings of one, or differ only as `historic` and `historically` do."""
    if base(one.low) == base(two.low) or one.low in (two.low, two.alt) or (one.alt and one.alt in (two.low, two.alt)):
        return True
    if one.text[:1].isupper() and two.text[:1].isupper() and one.low[:4] == two.low[:4]:
        # `Iran` and `Iranian`
        return min(len(one.low), len(two.low)) + 4 >= max(len(one.low), len(two.low))
    return _SAME_KIND.sub("", base(one.low)) == _SAME_KIND.sub("", base(two.low))


def _cuts(sentence: Sequence[JudgeToken]) -> list[int]:
    """Where another clause begins: at `but` and its like, at a semicolon, at `and` before a subject of its own."""
    out = []
    for at, (token, following) in enumerate(zip_longest(sentence[1:], sentence[2:]), 1):
        own = token.low == "and" and has_mark_before(token) and following is not None and _opens(following)
        if ";" in token.lead or token.low in _TURNING or own:
            out.append(at)
    return out


def _opens(token: JudgeToken) -> bool:
    """Whether a subject may begin here."""
    return token.low in DETERMINERS or token.low in PRONOUNS or token.text[:1].isupper()


def find_mixed_clauses(pair: Comparison) -> Finding | None:
    """`Smith was convicted of fraud` for `acquitted of fraud but convicted of perjury`."""
    sentence, places = pair.sentence, pair.places
    cuts = _cuts(sentence)
    if not cuts or not _TURNING.isdisjoint(pair.said):
        return None
    subject = next((at for at, token in enumerate(sentence) if token.low in AUXILIARIES), 0)
    parts = [
        bisect_right(cuts, place)
        for place in places
        if place >= cuts[0] or (place >= subject and not _says_where(sentence, place))
    ]
    if len(parts) < _FEWEST or len(set(parts)) == 1:
        return None
    last = max(parts)
    start, end = [*cuts, len(sentence)][last - 1 : last + 1]
    if _elliptic(sentence[start:end]):
        return None
    if sentence[start].low == "and" and sum(part != last for part in parts) == 1:
        # `and the Ganges through Varanasi`: one verb serves both.
        return None
    falls = any(one > two for one, two in pairwise(parts))
    if not falls and not _of_another(sentence, start, end, places):
        return None
    return doubt("clauses-mixed", "the claim puts together what the quote says in two clauses", sentence[start])


def _says_where(sentence: Sequence[JudgeToken], at: int) -> bool:
    """Whether a word of the first clause may hold for the next as well: a time or a place."""
    token, before = sentence[at], sentence[at - 1].low if at else ""
    named = before in ("in", "at", "on") and (token.text[:1].isupper() or token.kind in ("n", "d"))
    return named or token.kind == "d" or token.low in TEMPORAL or token.low in ("last", "next")


def _elliptic(clause: Sequence[JudgeToken]) -> bool:
    """Whether a clause takes a word from the one before: `the video shows a grey one`, `since then 20`."""
    if sum(token.low not in FUNCTION for token in clause) < _FEWEST:
        return True
    for at, token in enumerate(clause):
        after = clause[at + 1] if at + 1 < len(clause) else None
        if token.low in _ANAPHORS and at:
            return True
        if token.kind == "n" and not token.unit and token.value < 1000 and (after is None or after.low in FUNCTION):
            return True
    return False


def _of_another(sentence: Sequence[JudgeToken], start: int, end: int, places: list[int]) -> bool:
    """Whether a clause has a subject of its own that the claim leaves out, while it takes what is said of it."""
    first = start + 1 if sentence[start].low in _TURNING or sentence[start].low == "and" else start
    if first >= end or not _opens(sentence[first]):
        return False
    content = [at for at in range(first, end) if sentence[at].low not in FUNCTION]
    return len(content) > _FEWEST and not any(at in places for at in content[:_FEWEST])


def find_relative_subject(pair: Comparison) -> Finding | None:
    """`Marie Dubois won gold` for `Marie Dubois trained the swimmer who won gold`."""
    sentence, places = pair.sentence, pair.places
    if not places or not _RELATIVES.isdisjoint(pair.said):
        return None
    for at in range(2, len(sentence) - 1):
        named = sentence[at - 1]
        if sentence[at].low not in ("who", "which") or pair.sentence_keys[at - 1] in pair.content:
            continue
        inner = [place for place in places if place > at]
        verb = next((place for place in range(at + 1, len(sentence)) if sentence[place].low not in FUNCTION), -1)
        # What stands before and is the claim's subject, and not what the clause speaks of.
        if places[0] >= at - 1 or verb not in inner or named.low in FUNCTION:
            continue
        if any(t.low in _LINKS or has_mark_before(t) for t in sentence[places[0] + 1 : at]):
            continue
        if all(place > at or place < at - 1 for place in places) and len(inner) + 1 >= len(places) - 1:
            return doubt("clauses-mixed", f"the quote says it of “{named.text}”", named)
    return None

"""The same words in another relation: before for in, by for to, second for first, half for a third, B hired A."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from ..text.stems import stem
from .align import covers
from .containment import key
from .lexicon import AUXILIARIES, FREE, FUNCTION
from .model import CONTRADICTED, NOT_SHOWN, Reason
from .scope import is_superlative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

_BOUNDS = frozenset("before after till".split())
_WHEN = _BOUNDS | frozenset("in on at during".split())
_STEPS = frozenset("to by from".split())
_MUTUAL = frozenset(
    "and or with met meet meets married marry between versus vs like equal equals same resemble resembles differ "
    "differs different similar border borders touch touches plus both each other neither nor".split()
)
_SHARES = {
    word: share
    for share, row in ((2.0, "double doubles doubled twice"), (3.0, "triple triples tripled thrice"),
                       (4.0, "quadruple quadrupled"), (0.5, "half halve halves halved"),
                       (0.25, "quarter quarters quartered"), (0.33, "third thirds"))
    for word in row.split()
}  # fmt: skip
_VERSIONS = frozenset("version versions release releases v section chapter edition level revision build".split())
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ed|en|wn|nt|ght|ld|de|st|ok|ne|ng|ung|et|ut|id|ad)$")
_PARTING = frozenset("and but while whereas".split())
_PIVOTS = frozenset(
    stem(word)
    for word in (
        "because after before than exceed exceeds outnumber follow precede cause causes replace replaced beat defeat "
        "defeated acquired sued hired surpass surpasses overtook outperform outperforms"
    ).split()
)
"""Around these, what stands left and what stands right is not the same thing."""
_NEAR = 3
_MOST = 20
"""Places of one word that are looked at."""
_SEVERAL = frozenset("among 1 some".split())
_ALMOST = frozenset("nearly almost virtually practically".split())
_RANKS = {
    word: rank
    for rank, row in enumerate(("either some part half", "several many", "most", "all every each both whole entire"), 1)
    for word in row.split()
}
"""How much of something a word speaks of."""


def _spans(*tokens: JudgeToken) -> tuple[tuple[int, int], ...]:
    return tuple((token.start, token.end) for token in tokens)


def find_preposition_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`in 2003` for `before 2003`, `to 20 ms` for `by 20 ms`."""
    dates = [place for place, other in enumerate(sentence) if other.kind == "d"]
    numbers: dict[str, list[int]] = {}
    for place, other in enumerate(sentence):
        if other.kind == "n":
            numbers.setdefault(other.low, []).append(place)
    for at, token in enumerate(claim):
        if token.kind not in ("n", "d"):
            continue
        places = numbers.get(token.low, []) + [place for place in dates if covers(token, sentence[place])]
        if len(places) != 1 or not at or not places[0]:
            continue
        ours, theirs = claim[at - 1], sentence[places[0] - 1]
        if theirs.low == ours.low or {ours.low, theirs.low} == {"before", "till"}:
            continue
        bounds = {ours.low, theirs.low} <= _WHEN and not _BOUNDS.isdisjoint((ours.low, theirs.low))
        if bounds or {ours.low, theirs.low} <= _STEPS:
            number = sentence[places[0]]
            text = f"the claim says “{ours.text} {token.text}”, the quote “{theirs.text} {number.text}”"
            return CONTRADICTED, Reason("relation-conflict", text, _spans(theirs, number))
    return None


def _pairs(tokens: Sequence[JudgeToken]) -> dict[tuple[str, str], int]:
    """Numbers that stand together as a score or vote: 51 to 49, 3-1, 3:2."""
    out = {}
    numbers = [at for at, token in enumerate(tokens) if token.kind == "n"]
    for left, right in pairwise(numbers):
        joined = right == left + 2 and tokens[left + 1].low == "to" and tokens[max(0, left - 1)].low != "from"
        if joined or (right == left + 1 and tokens[right].lead.strip() in (":", "/", "-", "–")):
            out[tokens[left].low, tokens[right].low] = left
    return out


def find_reordered_numbers(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`51 to 49` for `49 to 51`."""
    said, seen = _pairs(claim), _pairs(sentence)
    for (one, two), at in said.items():
        if one != two and (one, two) not in seen and (two, one) in seen:
            place = seen[two, one]
            text = f"the claim has {claim[at].text} first, the quote {sentence[place].text}"
            return CONTRADICTED, Reason("number-conflict", text, _spans(sentence[place]))
    return None


def _share(token: JudgeToken, following: str) -> float:
    if token.kind == "o":
        return {3.0: 0.33, 4.0: 0.25}.get(token.value, 0.0) if following == "of" else 0.0
    return _SHARES.get(token.low, 0.0)


def find_share_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`half of` for `a third of`, `tripled` for `doubled`."""
    ours, theirs = (
        {
            share: token
            for at, token in enumerate(side)
            if (share := _share(token, side[at + 1].low if at + 1 < len(side) else ""))
        }
        for side in (claim, sentence)
    )
    for share, token in ours.items():
        rivals = [other for value, other in theirs.items() if value != share]
        if share not in theirs and rivals and not any(other.unit == "%" for other in sentence):
            text = f"the claim says “{token.text}”, the quote “{rivals[0].text}”"
            return CONTRADICTED, Reason("number-conflict", text, _spans(rivals[0]))
    return None


def find_rank_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`the largest` for `the second largest` or `one of the largest`, `the first` for `the second`."""
    said = {token.low for token in claim}
    lower: dict[str, Reason | None] = {}
    for at, token in enumerate(sentence):
        if token.low in said and (is_superlative(token) or token.low == "#1"):
            lessened = _find_lowered_rank(sentence, at, said)
            lower[token.low] = lessened if lower.get(token.low, lessened) is not None else None
        elif token.kind == "o" and token.low not in said and "#1" in said and at + 1 < len(sentence):
            places = [index for index, other in enumerate(claim) if other.low == "#1"]
            same = any(index + 1 < len(claim) and claim[index + 1].low == sentence[at + 1].low for index in places)
            if same and not any(other.low == "#1" for other in sentence):
                text = f"the claim says “{claim[places[0]].text}”, the quote “{token.text}”"
                return CONTRADICTED, Reason("rank-conflict", text, _spans(token))
    # Said once without reserve, it may be that which the claim repeats.
    found = next((reason for reason in lower.values() if reason is not None), None)
    return None if found is None else (NOT_SHOWN, found)


def _find_lowered_rank(sentence: Sequence[JudgeToken], at: int, said: set[str]) -> Reason | None:
    """What the quote says before the highest rank to make it a lower one."""
    token, before = sentence[at], sentence[max(0, at - 1)]
    if before.kind == "o" and before.low not in said and before is not token:
        text = f"the quote says “{before.text} {token.text}”, the claim does not"
        return Reason("rank-conflict", text, _spans(before, token))
    lows = [other.low for other in sentence[max(0, at - _NEAR) : at]]
    if ("among" in lows or ("of" in lows and "1" in lows)) and not said & _SEVERAL:
        text = f"the quote says that it is one of several, the claim that it is “{token.text}”"
        return Reason("rank-conflict", text, _spans(token))
    return None


def find_range_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`4` for `4 to 8`: one end of a range."""
    given = {token.low for token in claim}
    times = Counter(token.low for token in sentence)
    for at, token in enumerate(sentence):
        if token.kind != "n" or token.low not in given or at + 2 >= len(sentence) or sentence[at + 2].kind != "n":
            continue
        end, before = sentence[at + 2], sentence[at - 1].low if at else ""
        spread = sentence[at + 1].low == "to" and before not in _STEPS
        year = not token.unit and 1000 <= token.value < 2100
        if year or not (spread or (before == "between" and sentence[at + 1].low == "and")):
            continue
        if token.value < end.value and end.low not in given and times[token.low] == 1:
            text = f"the quote gives a range up to {end.text}, the claim only {token.text}"
            return NOT_SHOWN, Reason("range-conflict", text, _spans(token, end))
    return None


def find_quantity_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`several` or `both` for `one of`, `the whole` for `part of`, `every` for `nearly every`."""
    top = max((_RANKS.get(token.low, 0) for token in sentence), default=0)
    said = {token.low for token in claim}
    if not any(_RANKS.get(word, 0) > 1 for word in said):
        return None
    places: dict[str, list[int]] = {}
    for at, token in enumerate(sentence):
        places.setdefault(key(token), []).append(at)
    for at, token in enumerate(claim):
        rank = _RANKS.get(token.low, 0)
        noun = next((t for t in claim[at + 1 : at + 1 + _NEAR] if t.low not in FUNCTION), None)
        if rank <= 1 or noun is None:
            continue
        for place in places.get(key(noun), ())[:_MOST]:
            before = sentence[max(0, place - 1 - _NEAR) : place]
            less = next((t for t in before if (t.low in _RANKS or t.low == "1") and _RANKS.get(t.low, 1) < rank), None)
            if less is not None and top < rank and less.low not in said:
                text = f"the claim says “{token.text}”, the quote only “{less.text}”"
                return NOT_SHOWN, Reason("stronger-quantifier", text, _spans(less))
            almost = next((t for t in before if t.low in _ALMOST and t.low not in said), None)
            if almost is not None and any(t.low == token.low for t in before):
                text = f"the quote says “{almost.text} {token.text.lower()}”, the claim does not"
                return NOT_SHOWN, Reason("stronger-quantifier", text, _spans(almost))
    return None


def find_version_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`Version 3.1` for `Version 3.10`: of equal value, and not the same."""
    for at, token in enumerate(claim):
        if token.kind != "n" or token.unit or not at:
            continue
        before = claim[at - 1]
        if before.low not in _VERSIONS and not (before.kind == "w" and before.text[:1].isupper()):
            continue
        rivals = [other for other in sentence if other.kind == "n" and other.value == token.value and not other.unit]
        if rivals and all(other.low != token.low for other in rivals):
            text = f"the claim says “{before.text} {token.text}”, the quote {rivals[0].text}"
            return CONTRADICTED, Reason("number-conflict", text, _spans(rivals[0]))
    return None


def find_swapped_words(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """Two words that stand in each other's place: `exports exceeded imports`, `insomnia causes depression`."""
    ours = [token for token in claim if token.low not in FREE]
    theirs = [token for token in sentence if token.low not in FREE]
    if len(ours) != len(theirs):
        return None
    moved = [at for at, (one, two) in enumerate(zip(ours, theirs, strict=True)) if key(one) != key(two)]
    if len(moved) != 2 or key(ours[moved[0]]) != key(theirs[moved[1]]) or key(ours[moved[1]]) != key(theirs[moved[0]]):
        return None
    between = [token.low for token in ours[moved[0] + 1 : moved[1]]]
    if not _MUTUAL.isdisjoint(between) or any(ours[at].low in FUNCTION for at in moved):
        return None
    if all(
        word in FUNCTION and word not in ("than", "to", "from", "over", "under", "above", "below", "'s", "of")
        for word in between
    ):
        return None
    first, second = theirs[moved[0]], theirs[moved[1]]
    text = f"the quote has “{first.text}” and “{second.text}” the other way round"
    return NOT_SHOWN, Reason("roles-exchanged", text, _spans(first, second))


def _passive(tokens: Sequence[JudgeToken]) -> tuple[str, str, str] | None:
    """Who suffers, what is done, and by whom."""
    for at in range(2, len(tokens) - 1):
        verb = tokens[at - 1]
        if tokens[at].low != "by" or _PARTICIPLE.match(verb.low) is None:
            continue
        helped = [back for back in range(max(1, at - 1 - _NEAR), at - 1) if tokens[back].low in AUXILIARIES]
        agent = next((t for t in tokens[at + 1 : at + 1 + _NEAR] if t.low not in FUNCTION), None)
        if helped and agent is not None:
            return key(tokens[helped[0] - 1]), key(verb), key(agent)
    return None


def find_voice_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`A sued B` for `A was sued by B`, and the reverse."""
    said, seen = _passive(claim), _passive(sentence)
    if (said is None) == (seen is None):
        return None
    passive, active = (said, sentence) if said is not None else (seen, claim)
    if passive is None:
        return None
    sufferer, verb, agent = passive
    keys = [key(token) for token in active]
    for at, word in enumerate(keys):
        if word == verb and 0 < at < len(keys) - 1 and keys[at - 1] == sufferer:
            after = keys[at + 1 : at + 2 + _NEAR]
            if active[at - 1].low not in AUXILIARIES and agent in after and "by" not in keys[at + 1 :]:
                text = "what one of them does is done by the other"
                return NOT_SHOWN, Reason("roles-exchanged", text, _spans(*sentence[:1]))
    return None


def find_reversed_cause(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`Exports fell because jobs were lost` for `Jobs were lost because exports fell`."""
    if any(token.low == "by" for token in claim) != any(token.low == "by" for token in sentence):
        return None
    for pivot in _PIVOTS & {key(token) for token in claim} & {key(token) for token in sentence}:
        sides = []
        for tokens in (claim, sentence):
            at = next(place for place, token in enumerate(tokens) if key(token) == pivot)
            halves = tokens[:at], tokens[at + 1 :]
            sides.append([{key(token) for token in half if token.low not in FUNCTION} for half in halves])
        (ours_left, ours_right), (left, right) = sides
        both = left & right
        crossed = (ours_left & right) - both, (ours_right & left) - both
        straight = ((ours_left & left) | (ours_right & right)) - both
        if all(crossed) and not straight:
            text = "what stands on one side in the quote stands on the other in the claim"
            return NOT_SHOWN, Reason("roles-exchanged", text, _spans(*sentence[:1]))
    return None


def _single(sentence: Sequence[JudgeToken]) -> dict[str, int]:
    """Each word of a sentence with its place; -1 for one that it has more than once."""
    found: dict[str, int] = {}
    for at, token in enumerate(sentence):
        found[key(token)] = -1 if key(token) in found else at
    return found


def find_misplaced_number(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`closed in 2004` for `closed in 1998 and reopened in 2004`: a number from another part of the sentence."""
    cuts = [at for at, token in enumerate(sentence) if at and (token.low in _PARTING or ";" in token.lead)]
    if not cuts or any(token.low in _PARTING for token in claim):
        return None
    at_key = _single(sentence)
    own = {key(token) for token in claim}
    words = [token for token in claim if token.low not in FUNCTION and at_key.get(key(token), -1) >= 0]
    for before, token in pairwise(words):
        if token.kind not in ("n", "d"):
            continue
        first, second = at_key[key(before)], at_key[key(token)]
        parts = [bisect_right(cuts, place) for place in (first, second)]
        if parts[0] == parts[1]:
            continue
        rivals = [at for at, other in enumerate(sentence) if other.kind == token.kind and at != second]
        nearer = [at for at in rivals if bisect_right(cuts, at) == parts[0] and key(sentence[at]) not in own]
        if nearer:
            text = f"the quote says “{before.text}” with {sentence[nearer[0]].text}, not with {token.text}"
            return CONTRADICTED, Reason("number-conflict", text, _spans(sentence[nearer[0]]))
    return None


def find_relation_conflict(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """The first relation between the same words that differs."""
    return (
        find_preposition_conflict(claim, sentence)
        or find_reordered_numbers(claim, sentence)
        or find_share_conflict(claim, sentence)
        or find_rank_conflict(claim, sentence)
        or find_range_conflict(claim, sentence)
        or find_quantity_conflict(claim, sentence)
        or find_version_conflict(claim, sentence)
        or find_misplaced_number(claim, sentence)
        or find_reversed_cause(claim, sentence)
        or find_swapped_words(claim, sentence)
        or find_voice_conflict(claim, sentence)
    )

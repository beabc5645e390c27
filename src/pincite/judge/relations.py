"""The same words in another relation: before for in, by for to, second for first, half for a third, B hired A."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from ..text.stems import stem
from .comparison import Finding, contradict, doubt
from .containment import key
from .lexicon import AUXILIARIES, FUNCTION, make_word_set
from .number_bounds import is_range
from .numbers import covers
from .scope import is_superlative

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Comparison
    from .numbers import JudgeToken

_BOUNDS = make_word_set("before after till")
_WHEN = _BOUNDS | make_word_set("in on at during")
_STEPS = make_word_set("to by from")
_MUTUAL = make_word_set(
    "and or with met meet meets married marry between versus vs like equal equals same resemble resembles differ "
    "differs different similar border borders touch touches plus both each other neither nor"
)
_SHARES = {
    word: share
    for share, row in ((2.0, "double doubles doubled twice"), (3.0, "triple triples tripled thrice"),
                       (4.0, "quadruple quadrupled"), (0.5, "half halve halves halved"),
                       (0.25, "quarter quarters quartered"), (0.33, "third thirds"))
    for word in row.split()
}  # fmt: skip
_DIRECTED = make_word_set("than to from over under above below 's of")
_VERSIONS = make_word_set("version versions release releases v section chapter edition level revision build")
_PARTICIPLE = re.compile(r"[a-z]{2,}(?:ed|en|wn|nt|ght|ld|de|st|ok|ne|ng|ung|et|ut|id|ad)$")
_PARTING = make_word_set("and but while whereas")
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
_SEVERAL = make_word_set("among 1 some")
_ALMOST = make_word_set("nearly almost virtually practically")
_RANKS = {
    word: rank
    for rank, row in enumerate(("either some part half", "several many", "most", "all every each both whole entire"), 1)
    for word in row.split()
}
"""How much of something a word speaks of."""


def find_preposition_conflict(pair: Comparison) -> Finding | None:
    """`in 2003` for `before 2003`, `to 20 ms` for `by 20 ms`."""
    for at, token in enumerate(pair.claim):
        if token.kind not in ("n", "d"):
            continue
        places = [
            place
            for place, other in enumerate(pair.sentence)
            if (other.kind == "n" and other.low == token.low) or (other.kind == "d" and covers(token, other))
        ]
        if len(places) != 1 or not at or not places[0]:
            continue
        ours, theirs, number = pair.claim[at - 1], pair.sentence[places[0] - 1], pair.sentence[places[0]]
        words = {ours.low, theirs.low}
        if len(words) == 1 or words == {"before", "till"}:
            continue
        if (words <= _WHEN and not _BOUNDS.isdisjoint(words)) or words <= _STEPS:
            text = f"the claim says “{ours.text} {token.text}”, the quote “{theirs.text} {number.text}”"
            return contradict("relation-conflict", text, theirs, number)
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


def find_reordered_numbers(pair: Comparison) -> Finding | None:
    """`51 to 49` for `49 to 51`."""
    seen = _pairs(pair.sentence)
    for (one, two), at in _pairs(pair.claim).items():
        if one != two and (one, two) not in seen and (two, one) in seen:
            other = pair.sentence[seen[two, one]]
            return contradict(
                "number-conflict", f"the claim has {pair.claim[at].text} first, the quote {other.text}", other
            )
    return None


def _share(token: JudgeToken, following: str) -> float:
    if token.kind == "o":
        return {3.0: 0.33, 4.0: 0.25}.get(token.value, 0.0) if following == "of" else 0.0
    return _SHARES.get(token.low, 0.0)


def find_share_conflict(pair: Comparison) -> Finding | None:
    """`half of` for `a third of`, `tripled` for `doubled`."""
    ours, theirs = (
        {
            share: token
            for token, following in zip_longest(side, side[1:])
            if (share := _share(token, following.low if following else ""))
        }
        for side in (pair.claim, pair.sentence)
    )
    for share, token in ours.items():
        rivals = [other for value, other in theirs.items() if value != share]
        if share not in theirs and rivals and not any(other.unit == "%" for other in pair.sentence):
            text = f"the claim says “{token.text}”, the quote “{rivals[0].text}”"
            return contradict("number-conflict", text, rivals[0])
    return None


def find_rank_conflict(pair: Comparison) -> Finding | None:
    """`the largest` for `the second largest` or `one of the largest`, `the first` for `the second`."""
    lower: dict[str, Finding | None] = {}
    followed = {two.low for one, two in pairwise(pair.claim) if one.low == "#1"}
    for at, token in enumerate(pair.sentence):
        if token.low in pair.said and (is_superlative(token) or token.low == "#1"):
            lessened = _find_lowered_rank(pair, at)
            lower[token.low] = lessened if lower.get(token.low, lessened) is not None else None
            continue
        second = token.kind == "o" and token.low not in pair.said and at + 1 < len(pair.sentence)
        if second and pair.sentence[at + 1].low in followed and all(other.low != "#1" for other in pair.sentence):
            first = next(other for other in pair.claim if other.low == "#1")
            return contradict("rank-conflict", f"the claim says “{first.text}”, the quote “{token.text}”", token)
    # Said once without reserve, it may be that which the claim repeats.
    return next(filter(None, lower.values()), None)


def _find_lowered_rank(pair: Comparison, at: int) -> Finding | None:
    """What the quote says before the highest rank to make it a lower one."""
    token, before = pair.sentence[at], pair.sentence[max(0, at - 1)]
    if before.kind == "o" and before.low not in pair.said and before is not token:
        text = f"the quote says “{before.text} {token.text}”, the claim does not"
        return doubt("rank-conflict", text, before, token)
    lows = [other.low for other in pair.sentence[max(0, at - _NEAR) : at]]
    if ("among" in lows or ("of" in lows and "1" in lows)) and not pair.said & _SEVERAL:
        text = f"the quote says that it is one of several, the claim that it is “{token.text}”"
        return doubt("rank-conflict", text, token)
    return None


def find_range_conflict(pair: Comparison) -> Finding | None:
    """`4` for `4 to 8`: one end of a range."""
    times = Counter(token.low for token in pair.sentence)
    for at, (token, joint, end) in enumerate(zip(pair.sentence, pair.sentence[1:], pair.sentence[2:], strict=False)):
        if token.kind != "n" or token.low not in pair.said or end.kind != "n" or token.is_year:
            continue
        before = pair.sentence[at - 1].low if at else ""
        if not is_range(before, joint):
            continue
        if token.value < end.value and end.low not in pair.said and times[token.low] == 1:
            text = f"the quote gives a range up to {end.text}, the claim only {token.text}"
            return doubt("range-conflict", text, token, end)
    return None


def find_quantity_conflict(pair: Comparison) -> Finding | None:
    """`several` or `both` for `one of`, `the whole` for `part of`, `every` for `nearly every`."""
    top = max((_RANKS.get(token.low, 0) for token in pair.sentence), default=0)
    for at, token in enumerate(pair.claim):
        rank = _RANKS.get(token.low, 0)
        noun = next((t for t in pair.claim[at + 1 : at + 1 + _NEAR] if t.low not in FUNCTION), None)
        if rank <= 1 or noun is None:
            continue
        places = [place for place, word in enumerate(pair.sentence_keys) if word == key(noun)]
        for place in places[:_MOST]:
            before = pair.sentence[max(0, place - 1 - _NEAR) : place]
            less = next((t for t in before if (t.low in _RANKS or t.low == "1") and _RANKS.get(t.low, 1) < rank), None)
            if less is not None and top < rank and less.low not in pair.said:
                text = f"the claim says “{token.text}”, the quote only “{less.text}”"
                return doubt("stronger-quantifier", text, less)
            almost = next((t for t in before if t.low in _ALMOST and t.low not in pair.said), None)
            if almost is not None and any(t.low == token.low for t in before):
                text = f"the quote says “{almost.text} {token.text.lower()}”, the claim does not"
                return doubt("stronger-quantifier", text, almost)
    return None


def find_version_conflict(pair: Comparison) -> Finding | None:
    """`Version 3.1` for `Version 3.10`: of equal value, and not the same."""
    for before, token in pairwise(pair.claim):
        named = before.low in _VERSIONS or (before.kind == "w" and before.text[:1].isupper())
        if token.kind != "n" or token.unit or not named:
            continue
        rivals = [one for one in pair.sentence if one.kind == "n" and one.value == token.value and not one.unit]
        if rivals and all(other.low != token.low for other in rivals):
            text = f"the claim says “{before.text} {token.text}”, the quote {rivals[0].text}"
            return contradict("number-conflict", text, rivals[0])
    return None


def find_swapped_words(pair: Comparison) -> Finding | None:
    """Two words that stand in each other's place: `exports exceeded imports`, `insomnia causes depression`."""
    ours, theirs = pair.ours, pair.theirs
    if len(ours) != len(theirs):
        return None
    moved = [at for at, (one, two) in enumerate(zip(ours, theirs, strict=True)) if key(one) != key(two)]
    if len(moved) != 2 or key(ours[moved[0]]) != key(theirs[moved[1]]) or key(ours[moved[1]]) != key(theirs[moved[0]]):
        return None
    between = [token.low for token in ours[moved[0] + 1 : moved[1]]]
    if not _MUTUAL.isdisjoint(between) or any(ours[at].low in FUNCTION for at in moved):
        return None
    if all(word in FUNCTION and word not in _DIRECTED for word in between):
        return None
    first, second = theirs[moved[0]], theirs[moved[1]]
    text = f"the quote has “{first.text}” and “{second.text}” the other way round"
    return doubt("roles-exchanged", text, first, second)


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


def find_voice_conflict(pair: Comparison) -> Finding | None:
    """`A sued B` for `A was sued by B`, and the reverse."""
    said, seen = _passive(pair.claim), _passive(pair.sentence)
    passive, active, keys = said or seen, pair.claim, pair.claim_keys
    if passive is None or (said and seen):
        return None
    if said is not None:
        active, keys = pair.sentence, pair.sentence_keys
    sufferer, verb, agent = passive
    for at in range(1, len(keys) - 1):
        acts = keys[at - 1 : at + 1] == [sufferer, verb] and active[at - 1].low not in AUXILIARIES
        if acts and agent in keys[at + 1 : at + 2 + _NEAR] and "by" not in keys[at + 1 :]:
            return doubt("roles-exchanged", "what one of them does is done by the other", pair.sentence[0])
    return None


def find_reversed_cause(pair: Comparison) -> Finding | None:
    """`Exports fell because jobs were lost` for `Jobs were lost because exports fell`."""
    if ("by" in pair.said) != any(token.low == "by" for token in pair.sentence):
        return None
    for pivot in _PIVOTS & pair.keys & set(pair.sentence_keys):
        sides = []
        for tokens, keys in ((pair.claim, pair.claim_keys), (pair.sentence, pair.sentence_keys)):
            at = keys.index(pivot)
            halves = tokens[:at], tokens[at + 1 :]
            sides.append([{key(token) for token in half if token.low not in FUNCTION} for half in halves])
        (ours_left, ours_right), (left, right) = sides
        both = left & right
        crossed = (ours_left & right) - both, (ours_right & left) - both
        straight = ((ours_left & left) | (ours_right & right)) - both
        if all(crossed) and not straight:
            text = "what stands on one side in the quote stands on the other in the claim"
            return doubt("roles-exchanged", text, pair.sentence[0])
    return None


def find_misplaced_number(pair: Comparison) -> Finding | None:
    """`closed in 2004` for `closed in 1998 and reopened in 2004`: a number from another part of the sentence."""
    cuts = [at for at, token in enumerate(pair.sentence) if at and (token.low in _PARTING or ";" in token.lead)]
    if not cuts or not _PARTING.isdisjoint(pair.said):
        return None
    words = [token for token in pair.claim if token.low not in FUNCTION and pair.single.get(key(token), -1) >= 0]
    for before, token in pairwise(words):
        if token.kind not in ("n", "d"):
            continue
        second = pair.single[key(token)]
        part = bisect_right(cuts, pair.single[key(before)])
        if part == bisect_right(cuts, second):
            continue
        for at, other in enumerate(pair.sentence):
            rival = other.kind == token.kind and at != second and pair.sentence_keys[at] not in pair.keys
            if rival and bisect_right(cuts, at) == part:
                text = f"the quote says “{before.text}” with {other.text}, not with {token.text}"
                return contradict("number-conflict", text, other)
    return None


RELATIONS = (
    find_preposition_conflict,
    find_reordered_numbers,
    find_share_conflict,
    find_rank_conflict,
    find_range_conflict,
    find_quantity_conflict,
    find_version_conflict,
    find_misplaced_number,
    find_reversed_cause,
    find_swapped_words,
    find_voice_conflict,
)
"""The relations between the same words that are compared, in this order."""

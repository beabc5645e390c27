"""Whether claim and quote say yes and no alike: `not`, `failed to`, `non-toxic`, opposites, and two that cancel."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .comparison import Finding, contradict
from .containment import key
from .lexicon import AUXILIARIES, FUNCTION, NEGATIONS, make_word_set
from .scope import has_mark_before
from .synonyms import OPPOSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .comparison import Comparison
    from .numbers import JudgeToken

_BEFORE, _AFTER = 2, 4
"""A negation counts where a word of the claim stands so far before or after it."""
_UNDOING = make_word_set(
    "fail fails failed failing refuse refuses refused refusing decline declines declined declining neglect neglects "
    "neglected cease ceases ceased"
)
"""Before `to`, these say that it did not happen."""
_DENYING = make_word_set("lack lacks lacked lacking unlikely deny denies denied doubt doubts doubted")
_PARTING = make_word_set("but whereas while although though")
_LACKING = make_word_set("support evidence effect impact doubt difference change chance hope benefit")
_EXCEPTING = make_word_set("except excluding falsely mistakenly")
"""In a quote, these deny what follows."""
_UNTRUE = make_word_set("false untrue myth myths hoax")
_DESCRIBING = make_word_set("false untrue")
_HEADINGS = _UNTRUE | make_word_set("fiction wrong misconception incorrect")
"""`Myth: …`"""
_PHRASES = frozenset((("anything", "but"), ("far", "from"), ("yet", "to"), ("wrong", "to")))
_PREFIXES = ("un", "non", "dis", "in", "im", "ir", "il", "mis")
_ADJECTIVE = re.compile(r"(?:ble|[ae]nt|[ae]nce|[ae]ncy|al|ar|ate|ect|ete|ite|ive|ous|ity|ure|mal|per|ly)$")
_NOT_OPPOSED = make_word_set("cover covers covered play plays played close closes closed charge charged course")
_SWITCHED = (("up", "down"), ("en", "dis"), ("in", "out"), ("over", "under"), ("in", "ex"))
_SHORTEST, _SHORTEST_ROOT = 4, 5
_INTERRUPTED = 8
"""Words over which `failed`, cut off by a comma, still looks for its `to`."""
_REMARK = 4
"""Words of a remark within which its denial stands."""
_REMARKING = make_word_set("which who whose where not")
_PLAINLY = make_word_set("no not without")
_ADJACENT = 2
"""Words over which `not` turns an opposite round."""


def find_denials(tokens: Sequence[JudgeToken]) -> list[int]:
    """Where a sentence says no: by a negation, or by a word that undoes what follows."""
    out = [0] if tokens[0].low in _HEADINGS and ":" in _lead(tokens, 1) else []
    for at, token in enumerate(tokens):
        low = token.low
        following = tokens[at + 1].low if at + 1 < len(tokens) else ""
        before = tokens[at - 1].low if at else ""
        later = any(other.low == "to" for other in tokens[at + 1 : at + 1 + _INTERRUPTED]) and "," in _lead(
            tokens, at + 1
        )
        undone = (low in _UNDOING and (following == "to" or later)) or (low == "non" and "-" in _lead(tokens, at + 1))
        scant = low == "little" and before != "a" and following in _LACKING
        untrue = low in _UNTRUE and (before in AUXILIARIES or (before == "a" and low not in _DESCRIBING))
        if low in NEGATIONS or low in _DENYING or (low, following) in _PHRASES or undone or untrue or scant:
            out.append(at)
    return out


def _lead(tokens: Sequence[JudgeToken], at: int) -> str:
    return tokens[at].lead if at < len(tokens) else ""


def opposed_forms(word: str) -> Iterator[str]:
    """What a word becomes, or was, when made its opposite: `insoluble`, `download`, `harmless`."""
    if word in _NOT_OPPOSED:
        return
    for prefix in _PREFIXES:
        if _takes(prefix, word):
            yield prefix + word
        if word.startswith(prefix) and _takes(prefix, word[len(prefix) :]):
            yield word[len(prefix) :]
    for left, right in _SWITCHED:
        for first, second in ((left, right), (right, left)):
            if word.startswith(first) and len(word) >= len(first) + _SHORTEST:
                yield second + word[len(first) :]
    for ending, other in (("ful", "less"), ("less", "ful")):
        if word.endswith(ending) and len(word) > _SHORTEST_ROOT:
            yield word[: -len(ending)] + other


def _takes(prefix: str, root: str) -> bool:
    """Whether a prefix denies this root: `invalid`, and not `improve`."""
    if len(root) < _SHORTEST or root in _NOT_OPPOSED:
        return False
    return prefix[0] != "i" or (len(root) >= _SHORTEST_ROOT and _ADJECTIVE.search(root) is not None)


def _find_opposite_pair(pair: Comparison) -> tuple[int, int] | None:
    """A word of the claim and the word of the sentence that is its opposite."""
    words: dict[str, int] = {}
    for at, token in enumerate(pair.sentence):
        words.setdefault(token.low, at)
    stems = {word: at for at, word in enumerate(pair.sentence_keys) if pair.sentence[at].low not in FUNCTION}
    for index, (token, held) in enumerate(zip(pair.claim, pair.held, strict=True)):
        if token.low in words or token.kind != "w":
            continue
        tried: list[tuple[Iterable[str], dict[str, int], int]] = [(OPPOSED.get(token.low, ()), words, 0)]
        if token.low not in FUNCTION:
            tried.append((opposed_forms(token.low), words, 0))
            if held < 0.5:
                stemmed = pair.claim_keys[index]
                tried.insert(1, (OPPOSED.get(stemmed, ()), stems, 0))
                tried.append((opposed_forms(stemmed), stems, _SHORTEST))
        for others, there, length in tried:
            for other in others:
                if other in there and len(other) > length and (there is stems or other not in pair.said):
                    return index, there[other]
    return None


def _are_sides_swapped(pair: Comparison, opposites: tuple[int, int]) -> bool:
    """Whether opposites say the same because their sides are exchanged: `A is better than B`, `B is worse than A`."""
    sides = []
    for tokens, opposite in zip((pair.claim, pair.sentence), opposites, strict=True):
        than = next((at for at, token in enumerate(tokens) if token.low == "than"), -1)
        if than < opposite:
            return False
        sides.append([{key(t) for t in half if t.low not in FUNCTION} for half in (tokens[:opposite], tokens[than:])])
    (left, right), (first, second) = sides
    return bool(left & second - first) and bool(right & first - second)


def _find_past_conflict(pair: Comparison) -> Finding | None:
    """What the claim says of today and the quote of the past: `used to make`."""
    for at in range(1, len(pair.sentence) - 2):
        before, used, to, verb = pair.sentence[at - 1 : at + 3]
        if (used.low, to.low) != ("used", "to") or before.low in AUXILIARIES or "used" in pair.said:
            continue
        if pair.said & {verb.low, verb.low + "s", verb.low + "es"}:
            verdict, reason = contradict("no-longer", "the quote says “used to”, the claim says it of today")
            return verdict, replace(reason, spans=((used.start, to.end),))
    return None


def _beside_the_point(sentence: Sequence[JudgeToken], at: int, places: frozenset[int], whole: bool) -> bool:
    """Whether a denial stands in a remark of which the claim has nothing: `, not to older ones`."""
    first = at
    while first > max(0, at - _REMARK) and not has_mark_before(sentence[first]):
        first -= 1
    if sentence[first].low != "not" and not whole:
        return False
    if not first or sentence[first].low not in _REMARKING or sentence[at].low not in _PLAINLY:
        return False
    end = at + 1
    while end < len(sentence) and not has_mark_before(sentence[end]):
        end += 1
    return end > at + 1 and not any(place in places for place in range(first, end))


def _of_another_part(parts: Sequence[int], at: int, places: frozenset[int]) -> bool:
    """Whether the part of the sentence with the denial shares no more than its subject with the claim."""
    here = [place for place in places if parts[place] == parts[at]]
    if len(here) > 1 or not here or here[0] > at:
        return False
    rest = [parts[place] for place in places if parts[place] != parts[at]]
    return any(rest.count(part) > 1 for part in set(rest))


def find_polarity_conflict(pair: Comparison) -> Finding | None:
    """A negation, or an opposite, on one side only; one of each may cancel the other."""
    claim, sentence = pair.claim, pair.sentence
    opposites = _find_opposite_pair(pair)
    shared = frozenset(pair.shared) | ({opposites[1]} if opposites is not None else set())
    said = find_denials(claim)
    # To which part of the sentence each word belongs: `but`, `whereas` and a semicolon begin another.
    parts = list(accumulate(int(token.low in _PARTING or ";" in token.lead) for token in sentence))
    whole = pair.content.issubset(pair.sentence_keys)
    denials = find_denials(sentence)
    seen = [
        at
        for at in denials
        if any(
            at + step in shared and parts[at + step] == parts[at]
            for step in range(-min(at, _BEFORE), min(_AFTER + 1, len(parts) - at))
        )
        and not _beside_the_point(sentence, at, shared, whole)
        and not _of_another_part(parts, at, shared)
    ]
    # Denials of a whole `that` clause: `it is not the case, as some wrote, that …`, `no study has shown that …`.
    clause = next((at for at in range(1, min(shared, default=0)) if sentence[at].low == "that"), 0)
    seen += find_denials(sentence[:clause]) if clause else []
    # What is excepted is denied; what it is excepted from is not.
    if pair.said.isdisjoint(_EXCEPTING):
        excepting = [at for at, token in enumerate(sentence) if token.low in _EXCEPTING]
        seen += [at for at in excepting if any(at + step in shared for step in range(1, _AFTER))]
    if opposites is not None and bool(said) != bool(seen):
        at, negated = (opposites[0], said) if said else (opposites[1], seen)
        if any(0 < at - place <= _ADJACENT for place in negated):
            return None
    if said and not seen:
        # `than those who did not`: said of nothing that both name, and said by both.
        words_denied = {claim[at].low for at in said}
        seen = [at for at in denials if sentence[at].low in words_denied]
    if said and not seen:
        return contradict("negation", f"the claim says “{claim[said[0]].text}”, the quote does not")
    if seen and not said:
        token = sentence[seen[0]]
        return contradict("negation", f"the quote says “{token.text}”, the claim does not", token)
    if opposites is None or _are_sides_swapped(pair, opposites):
        return _find_past_conflict(pair)
    token, other = claim[opposites[0]], sentence[opposites[1]]
    return contradict("opposite", f"the claim says “{token.text}”, the quote “{other.text}”", other)

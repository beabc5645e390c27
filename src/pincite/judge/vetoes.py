"""What speaks against a claim although its words are there: a number, a `not`, an opposite, `only`, exchanged names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ..text.stems import are_stems_related
from .comparison import Finding, contradict, doubt
from .containment import key
from .exchanges import (
    find_exchanged_preposition,
    find_exchanged_word,
    find_lookalike,
    find_mixed_clauses,
    find_relative_subject,
)
from .lexicon import AUXILIARIES, FUNCTION, make_word_set
from .number_bounds import find_dropped_bound, find_number_outside, is_bounded
from .numbers import covers
from .omissions import find_dropped_limit, find_dropped_reserve
from .polarity import find_polarity_conflict
from .relations import RELATIONS
from .scope import find_single_change, has_mark_before
from .synonyms import ALIKE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Comparison
    from .numbers import JudgeToken

_ONLY = make_word_set("only sole solely just exclusively alone")
_SOLELY = make_word_set("only solely exclusively")
_EACH = make_word_set("all every always everyone everything each")
_AS_STRONG = _EACH | make_word_set("any entire whole no never")
_MUTUAL = make_word_set("and with met meet meets married marry between versus vs or like")
_LONGEST_NAME = 4
_JOINED = 3
"""Words of `in Besut, Croydon`."""
_BETWEEN = make_word_set("and but while whereas")
_FULL = 4
"""Words that a clause has at least."""
_RANK = {
    word: rank
    for rank, row in enumerate(
        (
            "some sometimes occasionally",
            "several",
            "many often frequently",
            "most usually mostly generally",
            "all always",
        ),
        1,
    )
    for word in row.split()
}
"""How much a quantifier says."""
_WHERE = make_word_set("in at from near of to")
_UNSAID = frozenset(("1", "#1"))
"""`one` and `first` are too often words to be missed as numbers."""
_ANY = frozenset(("", "deg"))
"""Units that may be any other."""


def find_number_conflict(pair: Comparison) -> Finding | None:
    """A number, amount or date of the claim that the quote does not give."""
    sentences = [sentence.tokens for sentence in pair.quote]
    given = [token for tokens in sentences for token in tokens if token.kind in ("n", "o", "d")]
    lows = {token.low for token in given} | {token.alt for token in given if token.alt}
    words = {token.low for tokens in sentences for token in tokens}
    for at, token in enumerate(pair.claim):
        bounded = is_bounded(pair.claim, at)
        if bounded and (beyond := find_number_outside(pair.claim, at, sentences)) is not None:
            text = f"the claim bounds it by {token.text}, the quote says {beyond.text}"
            return contradict("number-conflict", text, beyond)
        if token.kind not in ("n", "o", "d") or token.low in lows or token.low in _UNSAID or token.alt in lows:
            continue
        before = pair.claim[at - 1]
        if at and token.lead == "-" and before.kind == "w" and before.text[:1].isupper() and before.low not in words:
            # The quote does not have the name of `COVID-19` at all; that is weighed with the words.
            continue
        if any(covers(token, other) if other.kind == "d" else _same_amount(token, other) for other in given):
            continue
        here = [other for other in pair.sentence if other.kind == token.kind and other.low not in _UNSAID]
        for other in here:
            if token.kind == "n" and other.value == token.value:
                text = f"the claim says {token.text}, the quote {other.text}: the units differ"
                return contradict("unit-conflict", text, other)
        rivals = [other for other in here if _are_rival_numbers(token, other)][:3]
        if rivals and not bounded:
            text = f"the claim says {token.text}, the quote {' and '.join(other.text for other in rivals)}"
            return contradict("number-conflict", text, *rivals)
        return doubt("number-missing", f"the quote does not give {token.text}")
    return None


def _same_amount(token: JudgeToken, other: JudgeToken) -> bool:
    """Whether two numbers are one, as far as units are said."""
    units = {token.unit, other.unit}
    return token.kind == other.kind == "n" and token.value == other.value and (len(units) == 1 or bool(units & _ANY))


def _are_rival_numbers(token: JudgeToken, other: JudgeToken) -> bool:
    """Whether two numbers are of one kind, so that one is said instead of the other."""
    if token.kind == "d":
        # A date may be finer or coarser; it is a rival where what both give differs.
        return any(mine and theirs and mine != theirs for mine, theirs in zip(token.date, other.date, strict=True))
    return token.kind == "o" or token.unit == other.unit


def find_added_quantifier(pair: Comparison) -> Finding | None:
    """An `only` or `all` that the quote does not say."""
    there = {token.low for sentence in pair.quote for token in sentence.tokens}
    alone = next((token for token in pair.claim if token.low in _SOLELY), None)
    if alone is not None and _ONLY.isdisjoint(there):
        return contradict("only-added", f"the claim says “{alone.text}”, the quote does not")
    every = pair.said & _EACH
    if every and _AS_STRONG.isdisjoint(there):
        return doubt("stronger-quantifier", f"the claim says “{min(every)}”, the quote does not")
    return None


def _is_name(token: JudgeToken) -> bool:
    return token.text[:1].isupper() and token.low not in FUNCTION


def find_exchanged_names(pair: Comparison) -> Finding | None:
    """Two names that stand in the other order around the same words."""
    order = [token.low for token in pair.sentence]
    if ("by" in pair.said) != ("by" in order):
        return None
    named = [
        (at, token)
        for at, token in enumerate(pair.claim)
        if token.kind == "w" and _is_name(token) and order.count(token.low) == 1
    ]
    for (left, first), (right, second) in pairwise(named):
        between = [token.low for token in pair.claim[left + 1 : right]]
        one, two = order.index(first.low), order.index(second.low)
        if one <= two or not between or not _MUTUAL.isdisjoint(between) or between[0] in AUXILIARIES:
            continue
        middle = order[two + 1 : one]
        content = [word for word in between if word not in FUNCTION]
        if "of" in between or "of" in middle or not _MUTUAL.isdisjoint(middle):
            continue
        if content and all(word in middle for word in content):
            text = f"the quote has “{second.text}” and “{first.text}” the other way round"
            return doubt("roles-exchanged", text, pair.sentence[two], pair.sentence[one])
    return None


def find_replaced_name(pair: Comparison, clause: Sequence[JudgeToken] = ()) -> Finding | None:
    """One name, or a weaker quantifier, in the place of another in a sentence or clause that is otherwise the claim."""
    claim, sentence = pair.claim, clause or pair.sentence
    ours, theirs, _ = find_single_change(claim, sentence)
    if not ours or not theirs or max(len(ours), len(theirs)) > _LONGEST_NAME:
        return None
    said, seen = [claim[at] for at in ours], [sentence[at] for at in theirs]
    single = len(said) == len(seen) == 1
    if single and _RANK.get(said[0].low, 0) > _RANK.get(seen[0].low, 9):
        text = f"the claim says “{said[0].text}”, the quote only “{seen[0].text}”"
        return doubt("stronger-quantifier", text, *seen)
    if not all(map(_is_name, said + seen)) or (single and _akin(key(said[0]), key(seen[0]))):
        return None
    mine, other = (" ".join(token.text for token in side) for side in (said, seen))
    if _initials(mine) == other.lower() or _initials(other) == mine.lower():
        return None
    return contradict("name-conflict", f"the claim says “{mine}”, the quote “{other}”", *seen)


def find_joined_names(pair: Comparison) -> Finding | None:
    """`Besut, Croydon` for `Besut, Terengganu and … Croydon`: two names made one that the quote keeps separate."""
    if len(pair.claim) < _JOINED or "and" in pair.said or "or" in pair.said:
        return None
    where, before, token = pair.claim[-_JOINED:]
    together = token.lead.strip() == "," and before.text[:1].isupper() and token.text[:1].isupper()
    order = [one.low for one in pair.sentence]
    if not together or where.low not in _WHERE or order.count(before.low) != 1 or order.count(token.low) != 1:
        return None
    first, second = order.index(before.low), order.index(token.low)
    if second == first + 1:
        return None
    text = f"the quote does not have “{before.text}, {token.text}” together"
    return doubt("names-joined", text, pair.sentence[first], pair.sentence[second])


def find_clause_name(pair: Comparison) -> Finding | None:
    """A claim made from two clauses of a sentence: one of them says it of another subject."""
    if not _BETWEEN.isdisjoint(pair.said):
        return None
    words = pair.sentence
    cuts = [0, *(at for at, token in enumerate(words) if at and (token.low in _BETWEEN or has_mark_before(token)))]
    clauses = [words[first + (words[first].low in _BETWEEN) : end] for first, end in pairwise([*cuts, len(words)])]
    clauses = [clause for clause in clauses if clause]
    # A list, or one verb with two subjects, is not two clauses.
    if len(clauses) < 2 or any(len(clause) < _FULL for clause in clauses):
        return None
    found = (find_replaced_name(pair, clause) for clause in clauses)
    return next((one for one in found if one is not None and one[1].rule == "name-conflict"), None)


def _akin(one: str, two: str) -> bool:
    return one == two or two in ALIKE.get(one, ()) or are_stems_related(one, two)


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()).lower()


def find_permuted_names(pair: Comparison) -> Finding | None:
    """The words of the sentence with its names in other places."""
    if len(pair.ours) != len(pair.theirs):
        return None
    moved = [(one, two) for one, two in zip(pair.ours, pair.theirs, strict=True) if one.low != two.low]
    if not moved or not all(one.text[:1].isupper() and two.text[:1].isupper() for one, two in moved):
        return None
    if sorted(one.low for one, _ in moved) != sorted(two.low for _, two in moved):
        return None
    names = " and ".join(f"“{two.text}”" for _, two in moved[:4])
    return doubt("roles-exchanged", f"the quote has {names} in other places", *(two for _, two in moved))


_RULES = (
    find_number_conflict,
    find_dropped_bound,
    find_polarity_conflict,
    find_added_quantifier,
    find_exchanged_names,
    find_permuted_names,
    find_replaced_name,
    *RELATIONS,
    find_clause_name,
    find_joined_names,
    find_exchanged_preposition,
    find_mixed_clauses,
    find_relative_subject,
    find_dropped_reserve,
    find_dropped_limit,
    find_exchanged_word,
    find_lookalike,
)


def speaks_against(pair: Comparison) -> Finding | None:
    """The first thing that speaks against the claim: the verdict, and why."""
    return next((found for rule in _RULES if (found := rule(pair)) is not None), None)

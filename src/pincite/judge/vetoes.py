"""What speaks against a claim although its words are there: a number, a `not`, an opposite, `only`, exchanged names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ..text.stems import are_stems_related
from .align import covers
from .alignment_slots import compare
from .containment import key
from .lexicon import AUXILIARIES, FREE, FUNCTION
from .model import CONTRADICTED, NOT_SHOWN, Reason
from .number_bounds import find_dropped_bound, find_number_outside, is_bounded
from .omissions import find_dropped_reserve
from .polarity import find_polarity_conflict
from .qualifiers import dropped_limit
from .recombination import exchanged_preposition, lookalike, mixed_clauses, of_the_relative
from .relations import find_relation_conflict
from .scope import find_single_change, has_mark_before
from .synonyms import ALIKE
from .word_exchanges import find_exchanged_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .containment import Cover
    from .numbers import JudgeToken
    from .tokens import WordSentence

_ONLY = frozenset("only sole solely just exclusively alone".split())
_SOLELY = frozenset("only solely exclusively".split())
_EACH = frozenset("all every always everyone everything each".split())
_AS_STRONG = _EACH | frozenset("any entire whole no never".split())
_MUTUAL = frozenset("and with met meet meets married marry between versus vs or like".split())
_LONGEST_NAME = 4
_BETWEEN = frozenset("and but while whereas".split())
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
_WHERE = frozenset("in at from near of to".split())
_UNSAID = frozenset(("1", "#1"))
"""`one` and `first` are too often words to be missed as numbers."""


def _spans(*tokens: JudgeToken) -> tuple[tuple[int, int], ...]:
    return tuple((token.start, token.end) for token in tokens)


def find_number_conflict(
    claim: Sequence[JudgeToken], quote: Sequence[WordSentence], best: Sequence[JudgeToken]
) -> tuple[str, Reason] | None:
    """A number, amount or date of the claim that the quote does not give."""
    given = [token for sentence in quote for token in sentence.tokens if token.kind in ("n", "o", "d")]
    lows = {token.low for token in given} | {token.alt for token in given if token.alt}
    words = {token.low for sentence in quote for token in sentence.tokens}
    sentences = [sentence.tokens for sentence in quote]
    for at, token in enumerate(claim):
        bounded = is_bounded(claim, at)
        if bounded and (beyond := find_number_outside(claim, at, sentences)) is not None:
            text = f"the claim bounds it by {token.text}, the quote says {beyond.text}"
            return CONTRADICTED, Reason("number-conflict", text, _spans(beyond))
        if token.kind not in ("n", "o", "d") or token.low in lows or token.low in _UNSAID or token.alt in lows:
            continue
        if _of_a_name(claim, at) and claim[at - 1].low not in words:
            # The quote does not have the name at all; that is weighed with the words.
            continue
        if any(covers(token, date) for date in given if date.kind == "d"):
            continue
        if token.kind == "n" and any(_same_amount(token, other) for other in given):
            continue
        here = [other for other in best if other.kind == token.kind and other.low not in _UNSAID]
        for other in here:
            if token.kind == "n" and other.value == token.value:
                text = f"the claim says {token.text}, the quote {other.text}: the units differ"
                return CONTRADICTED, Reason("unit-conflict", text, _spans(other))
        rivals = [other for other in here if _are_rival_numbers(token, other)]
        if rivals and not bounded:
            text = f"the claim says {token.text}, the quote {' and '.join(other.text for other in rivals[:3])}"
            return CONTRADICTED, Reason("number-conflict", text, _spans(*rivals[:3]))
        return NOT_SHOWN, Reason("number-missing", f"the quote does not give {token.text}")
    return None


def _of_a_name(tokens: Sequence[JudgeToken], at: int) -> bool:
    """Whether a number belongs to a name before it: `COVID-19`, `F-16`."""
    return at > 0 and tokens[at].lead == "-" and tokens[at - 1].kind == "w" and tokens[at - 1].text[:1].isupper()


def _same_amount(token: JudgeToken, other: JudgeToken) -> bool:
    """Whether two numbers are one, as far as units are said."""
    if other.kind != "n" or token.value != other.value:
        return False
    return token.unit == other.unit or not token.unit or not other.unit or "deg" in (token.unit, other.unit)


def _are_rival_numbers(token: JudgeToken, other: JudgeToken) -> bool:
    """Whether two numbers are of one kind, so that one is said instead of the other."""
    if token.kind == "d":
        # A date may be finer or coarser; it is a rival where what both give differs.
        return any(mine and theirs and mine != theirs for mine, theirs in zip(token.date, other.date, strict=True))
    return token.kind == "o" or token.unit == other.unit


def find_added_quantifier(claim: Sequence[JudgeToken], quote: Sequence[WordSentence]) -> tuple[str, Reason] | None:
    """An `only` or `all` that the quote does not say."""
    said = {token.low for token in claim}
    there = {token.low for sentence in quote for token in sentence.tokens}
    alone = [token for token in claim if token.low in _SOLELY]
    if alone and _ONLY.isdisjoint(there):
        return CONTRADICTED, Reason("only-added", f"the claim says “{alone[0].text}”, the quote does not")
    every = said & _EACH
    if every and _AS_STRONG.isdisjoint(there):
        return NOT_SHOWN, Reason("stronger-quantifier", f"the claim says “{min(every)}”, the quote does not")
    return None


def _names(tokens: Sequence[JudgeToken]) -> Iterator[tuple[int, JudgeToken]]:
    for index, token in enumerate(tokens):
        if token.kind == "w" and token.text[:1].isupper() and token.low not in FUNCTION:
            yield index, token


def find_exchanged_names(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """Two names that stand in the other order around the same words."""
    order = [token.low for token in sentence]
    named = [(at, token) for at, token in _names(claim) if order.count(token.low) == 1]
    if any(token.low == "by" for token in claim) != ("by" in order):
        return None
    for (left, first), (right, second) in pairwise(named):
        between = [token.low for token in claim[left + 1 : right]]
        one, two = order.index(first.low), order.index(second.low)
        if one <= two or not between or not _MUTUAL.isdisjoint(between) or not AUXILIARIES.isdisjoint(between[:1]):
            continue
        if "of" in between or "of" in order[two + 1 : one]:
            continue
        middle = order[two + 1 : one]
        content = [word for word in between if word not in FUNCTION]
        if content and all(word in middle for word in content) and _MUTUAL.isdisjoint(middle):
            text = f"the quote has “{second.text}” and “{first.text}” the other way round"
            return NOT_SHOWN, Reason("roles-exchanged", text, _spans(sentence[two], sentence[one]))
    return None


def find_replaced_name(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """One name, or a weaker quantifier, in the place of another in a sentence that is otherwise the claim."""
    ours, theirs, _ = find_single_change(claim, sentence)
    if not ours or not theirs or max(len(ours), len(theirs)) > _LONGEST_NAME:
        return None
    said, seen = [claim[at] for at in ours], [sentence[at] for at in theirs]
    if len(said) == len(seen) == 1 and _RANK.get(said[0].low, 0) > _RANK.get(seen[0].low, 9):
        text = f"the claim says “{said[0].text}”, the quote only “{seen[0].text}”"
        return NOT_SHOWN, Reason("stronger-quantifier", text, _spans(*seen))
    if not all(token.text[:1].isupper() and token.low not in FUNCTION for token in said + seen):
        return None
    if len(said) == len(seen) == 1 and _akin(key(said[0]), key(seen[0])):
        return None
    mine, other = (" ".join(token.text for token in side) for side in (said, seen))
    if _initials(mine) == other.lower() or _initials(other) == mine.lower():
        return None
    return CONTRADICTED, Reason("name-conflict", f"the claim says “{mine}”, the quote “{other}”", _spans(*seen))


def find_joined_names(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """`Besut, Croydon` for `Besut, Terengganu and … Croydon`: two names made one that the quote keeps separate."""
    order = [token.low for token in sentence]
    listed = any(token.low in ("and", "or") for token in claim)
    for at, (before, token) in enumerate(pairwise(claim)):
        together = token.lead.strip() == "," and before.text[:1].isupper() and token.text[:1].isupper()
        together = together and at > 0 and claim[at - 1].low in _WHERE and at + 2 == len(claim)
        if listed or not together or order.count(before.low) != 1 or order.count(token.low) != 1:
            continue
        first, second = sentence[order.index(before.low)], sentence[order.index(token.low)]
        if order.index(token.low) != order.index(before.low) + 1:
            text = f"the quote does not have “{before.text}, {token.text}” together"
            return NOT_SHOWN, Reason("names-joined", text, _spans(first, second))
    return None


def find_mixed_clauses(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """A claim made from two clauses of a sentence: one of them says it of another subject."""
    if any(token.low in _BETWEEN for token in claim):
        return None
    cuts = [0, *(at for at, token in enumerate(sentence) if at and (token.low in _BETWEEN or has_mark_before(token)))]
    clauses = []
    for first, end in pairwise([*cuts, len(sentence)]):
        clause = sentence[first:end]
        if clause[0].low in _BETWEEN:
            clause = clause[1:]
        if clause:
            clauses.append(clause)
    # A list, or one verb with two subjects, is not two clauses.
    if len(clauses) < 2 or any(len(clause) < _FULL for clause in clauses):
        return None
    for clause in clauses:
        against = find_replaced_name(claim, clause)
        if against is not None and against[1].rule == "name-conflict":
            return against
    return None


def _akin(one: str, two: str) -> bool:
    return one == two or two in ALIKE.get(one, ()) or are_stems_related(one, two)


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()).lower()


def find_permuted_names(claim: Sequence[JudgeToken], sentence: Sequence[JudgeToken]) -> tuple[str, Reason] | None:
    """The words of the sentence with its names in other places."""
    ours = [token for token in claim if token.low not in FREE]
    theirs = [token for token in sentence if token.low not in FREE]
    if len(ours) != len(theirs):
        return None
    moved = [(one, two) for one, two in zip(ours, theirs, strict=True) if one.low != two.low]
    if not moved or not all(one.text[:1].isupper() and two.text[:1].isupper() for one, two in moved):
        return None
    if sorted(one.low for one, _ in moved) != sorted(two.low for _, two in moved):
        return None
    names = " and ".join(f"“{two.text}”" for _, two in moved[:4])
    return NOT_SHOWN, Reason(
        "roles-exchanged", f"the quote has {names} in other places", _spans(*[t for _, t in moved])
    )


def speaks_against(
    claim: Sequence[JudgeToken], quote: Sequence[WordSentence], cover: Cover
) -> tuple[str, Reason] | None:
    """The first thing that speaks against the claim: the verdict, and why."""
    best = quote[cover.best].tokens
    beside = compare(claim, best)
    return (
        find_number_conflict(claim, quote, best)
        or find_dropped_bound(claim, best)
        or find_polarity_conflict(claim, quote, cover)
        or find_added_quantifier(claim, quote)
        or find_exchanged_names(claim, best)
        or find_permuted_names(claim, best)
        or find_replaced_name(claim, best)
        or find_relation_conflict(claim, best)
        or find_mixed_clauses(claim, best)
        or find_joined_names(claim, best)
        or exchanged_preposition(beside)
        or mixed_clauses(claim, best)
        or of_the_relative(claim, best)
        or find_dropped_reserve(claim, quote[cover.best], quote)
        or dropped_limit(claim, best)
        or find_exchanged_word(beside, best)
        or lookalike(beside, best)
    )

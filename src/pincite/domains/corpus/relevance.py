"""Does a passage say what a claim says? A careful reader's rules of thumb; in doubt the answer is no.

Most of what the claim is about must be in the passage, rare words weighing more than common ones. Numbers, names and
units of the claim must all be there. A passage that negates, reverses, doubts or asks what the claim states is refused.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING

from msgspec import Struct

from .terms import STOP, is_number, keep_content_terms, term_of, terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST = 0.82
"""How much of a claim a passage must hold."""
_LEAST_TOLD = 3
"""A claim of fewer words and numbers that tell something fits too much."""
_TOGETHER = 0.6
"""Which part of the words of a claim must stand in one clause."""
_BORROWED = 0.5
"""What a word counts that stands in the paper's title, not in the passage."""


def _terms_of(words: str) -> frozenset[str]:
    return frozenset(map(term_of, words.split()))


_NEGATIONS = _terms_of(
    "not no non nor never none nobody nothing neither without cannot hardly barely scarcely fail lack unlike"
    " little rare seldom negligible insufficient few"
)
_DOUBTS = _terms_of("whether hypothesize hypothesise hypothesis conjecture speculate contrary unclear")
_MAYBE = _terms_of("may might could would should possible possibly perhaps potentially likely seem")
_REFUSALS = _terms_of("abandon avoid stop refuse reject refute disprove deny oppose against cease discourage abolish")
_HOW_MANY = tuple(
    map(
        _terms_of,
        ("all every always each any entire", "only sole exclusive", "most majority", "few rarely", "half", "no none"),
    )
)
"""Words that say of how many something is true; those of a group say the same."""
_OPPOSITES = tuple(
    _terms_of(pair.replace("/", " "))
    for pair in (
        "positive/negative majority/minority strong/weak long/short large/small high/low fast/slow with/without"
        " maximum/minimum accept/reject enable/prevent support/contradict easy/hard effective/ineffective safe/unsafe"
        " significant/insignificant linear/nonlinear parametric/nonparametric above/below before/after best/worst"
    ).split()
)
_MORE = _terms_of(
    "increase improve rise rose grow grew higher more faster better gain boost enhance raise strengthen accelerate"
    " exceed longer larger stronger greater benefit succeed win won expand"
)
_LESS = _terms_of(
    "decrease reduce reduction decline fall fell worsen degrade degradation harm impair impairment lower less fewer"
    " slower worse lose lost loss shrink drop weaken hinder shorten smaller weaker damage suffer"
)
_PIVOTS = _terms_of(
    "outperform exceed surpass beat cause than precede reduce increase improve predict contain imply affect"
    " require replace prevent follow dominate influence drive before after"
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!\A)\b[A-Z][\w-]*|\b\w*[a-z0-9][A-Z]\w*|\b[A-Z]{2,}\w*|\b[A-Z]+-?[0-9]\w*")
_TURNS = _PIVOTS | _terms_of("find miss ignore detect threaten supply explain support")
"""Words around which a sentence can be turned: who does it stands before them, and whom it befalls behind."""
_SCALES = ("million", "billion", "trillion")
_CLAUSE = re.compile(r"[;:](?=\s)|,?\s(?:whereas|while|but|although|though|however|unlike)\s", re.IGNORECASE)
_BOUNDS = {
    **dict.fromkeys(("more", "greater", "higher", "above", "over", "exceed"), "over"),
    **dict.fromkeys(("less", "fewer", "lower", "below", "under"), "under"),
}
"""Words that make a bound of the number they stand before, some of them with `than`."""
_ASKS = re.compile(r"\?[\"'”’)\]]*\Z")


class ParsedClaim(Struct, frozen=True):
    """The parsed parts of a claim."""

    sequence: tuple[str, ...]
    """All its terms in order."""
    subject: tuple[str, ...]
    """What it is about: content terms, each once, without numbers."""
    numbers: tuple[str, ...]
    names: frozenset[str]
    negated: bool
    pairs: frozenset[tuple[str, ...]]
    """Every number with the term that follows it."""


def read_claim(text: str) -> ParsedClaim:
    """A parsed claim."""
    sequence = _normalize_terms(text)
    told = keep_content_terms(sequence)
    names: set[str] = set()
    for name in _NAME.findall(text.strip()):
        found = keep_content_terms(terms(name))
        names.update(term for term in found if not is_number(term))
    subject = tuple(term for term in told if not is_number(term) and term not in _NEGATIONS)
    return ParsedClaim(
        tuple(sequence),
        subject,
        tuple(dict.fromkeys(term for term in sequence if is_number(term))),
        frozenset(names),
        not _NEGATIONS.isdisjoint(sequence),
        frozenset(tuple(sequence[at : at + 2]) for at, term in enumerate(sequence) if is_number(term)),
    )


def _normalize_terms(text: str) -> list[str]:
    """The terms of a text, bounds of numbers in one form: `more than 15` and `above 15` are `over 15`."""
    made: list[str] = []
    for term in terms(text):
        if is_number(term) and made:
            than = len(made) > 1 and made[-1] == "than"
            word = made[-2] if than else made[-1]
            if word in _BOUNDS and (than or word in ("above", "over", "below", "under", "exceed")):
                del made[-2 if than else -1 :]
                made.append(_BOUNDS[word])
        if term in _SCALES and made and is_number(made[-1]):
            made[-1] += term
        else:
            made.append(term)
    return made


def weigh_terms(total: int, counts: Mapping[str, int]) -> dict[str, float]:
    """How much each term tells, by how few of all passages have it."""
    return {term: log(1 + (total - have + 0.5) / (have + 0.5)) for term, have in counts.items()}


def relevance(claim: ParsedClaim, sentences: Sequence[str], about: Sequence[str], weight: Mapping[str, float]) -> float:
    """How much of the claim these sentences say, 0 to 1; 0 where they say something else.

    `about` are the terms of the paper's title and authors, `weight` what each term tells.
    """
    parts = [_normalize_terms(sentence) for sentence in sentences]
    held = {term for part in parts for term in part}
    whole = sum(weight.get(term, 1.0) for term in claim.subject)
    if len(claim.subject) + len(claim.numbers) < _LEAST_TOLD or not whole or any(map(_ASKS.search, sentences)):
        return 0.0
    # Whether it becomes more or less is looked at separately; by which word that is said does not matter.
    held.update(term for way in (_MORE, _LESS) if not held.isdisjoint(way) for term in way)
    said = sum(weight.get(term, 1.0) for term in claim.subject if term in held)
    said += sum(weight.get(term, 1.0) * _BORROWED for term in claim.subject if term not in held and term in about)
    if said < LEAST * whole or not _goes_the_same_way(claim, parts):
        return 0.0
    clauses = [_normalize_terms(clause) for sentence in sentences for clause in _CLAUSE.split(sentence)]
    first = held.intersection(claim.subject[:2])
    # A passage may leave its subject out; a subject in another clause is not that of this one.
    begin = set(claim.subject[:2])
    fits = (one for one in clauses if not begin.isdisjoint(one) and {*one, *about}.issuperset(first))
    return said / whole if any(_says(claim, clause, about) for clause in fits) else 0.0


def _says(claim: ParsedClaim, there: Sequence[str], about: Sequence[str]) -> bool:
    """Whether a clause says what the claim says: subject and statement must not be in different ones."""
    held = set(there)
    borrowed = {term for at, term in enumerate(about) if (term, *about[at + 1 : at + 2]) in claim.pairs}
    if not held.issuperset(set(claim.numbers) - borrowed) or not (held | set(about)).issuperset(claim.names):
        return False
    shared = held.intersection(claim.subject)
    return len(shared) >= _TOGETHER * len(claim.subject) and not _differs(claim, there, held, borrowed)


def _differs(claim: ParsedClaim, there: Sequence[str], held: set[str], borrowed: set[str]) -> bool:
    """Whether the clause says the contrary of the claim, or something near it."""
    subject = {*claim.subject, *claim.numbers}
    places = [at for at, term in enumerate(there) if term in subject]
    # A negation before or among the words of the claim turns them round; one behind them belongs to something else.
    near = set(there[max(0, places[0] - 5) : places[-1] + 1]) if places else set()
    if claim.negated == near.isdisjoint(_NEGATIONS) or not near.isdisjoint(_DOUBTS):
        return True
    told = set(claim.sequence)
    if told.isdisjoint(_MAYBE) and not near.isdisjoint(_MAYBE):
        return True
    if _is_refused(there, told, subject) or _is_other(claim, there, held) or (told & _PIVOTS) - _MORE - _LESS - held:
        return True
    for pair in _OPPOSITES:
        mine, theirs = told & pair, held & pair
        if len(mine) == 1 and theirs and not theirs >= mine:
            return True
    if not all(_is_quantified(claim.sequence, there, group) for group in _HOW_MANY):
        return True
    return not _numbers_agree(claim, there, borrowed) or _is_reversed(claim, there)


def _is_refused(there: Sequence[str], told: set[str], subject: set[str]) -> bool:
    """Whether what the claim is about is something to be given up: `abandon`, right before it."""
    return any(
        term in _REFUSALS and term not in told and not subject.isdisjoint(there[at + 1 : at + 3])
        for at, term in enumerate(there)
    )


def _is_other(claim: ParsedClaim, there: Sequence[str], held: set[str]) -> bool:
    """Whether something of the claim is of another kind in the clause: `narrative texts`, `expository texts`."""
    for kind, thing in pairwise(claim.sequence):
        if kind in claim.subject and kind not in held and thing in held and thing in claim.subject:
            spots = [at for at, term in enumerate(there) if term == thing and at]
            before = [there[at - 1] for at in spots]
            if before and all(keep_content_terms([term]) and term not in claim.sequence for term in before):
                return True
    return False


def _is_quantified(sequence: Sequence[str], there: Sequence[str], group: frozenset[str]) -> bool:
    """Whether `all`, `most` or `only`, where the claim says it, is said in the clause of the same thing."""
    for at, term in enumerate(sequence):
        if term in group:
            following = keep_content_terms([*sequence[at + 1 : at + 5]])[:1]
            if following and is_number(following[0]):
                continue
            spots = (spot for spot, other in enumerate(there) if other in group)
            if not any(not following or following[0] in there[spot + 1 : spot + 5] for spot in spots):
                return False
    return True


def _goes_the_same_way(claim: ParsedClaim, sentences: Sequence[Sequence[str]]) -> bool:
    """Whether what the claim says to become more, or less, does so in the passage, in one of its sentences."""
    told = set(claim.sequence)
    ways = [way for way in (_MORE, _LESS) if not told.isdisjoint(way)]
    if len(ways) != 1:
        # Where a claim says both, each must be said.
        return all(any(not way.isdisjoint(sentence) for sentence in sentences) for way in ways)
    way, other = ways[0], _LESS if ways[0] is _MORE else _MORE
    others = [term for term in (*claim.subject, *claim.numbers) if term not in way]
    for sentence in sentences:
        held = set(sentence)
        if way.isdisjoint(held) or 2 * len(held.intersection(others)) < len(others):
            continue
        if other.isdisjoint(held) or _is_nearer(claim.sequence, sentence, way, other):
            return True
    return False


def _is_nearer(sequence: Sequence[str], there: Sequence[str], way: frozenset[str], other: frozenset[str]) -> bool:
    """Whether, in a sentence where one thing becomes more and another less, the right one does."""
    at = next(spot for spot, term in enumerate(sequence) if term in way)
    near = keep_content_terms([*sequence[at + 1 :]])[:1] or keep_content_terms([*sequence[:at]])[-1:]
    spots = [spot for spot, term in enumerate(there) if term in near]
    if not spots:
        return False
    apart = {
        group: min(abs(spot - place) for spot in spots for place, term in enumerate(there) if term in group)
        for group in (way, other)
    }
    return apart[way] < apart[other] and apart[way] <= 3


def _numbers_agree(claim: ParsedClaim, there: Sequence[str], borrowed: set[str]) -> bool:
    """Whether each number counts the same, with the same bound, and those of a kind come in the same order."""
    sequence = claim.sequence
    for at, term in enumerate(sequence):
        if not is_number(term) or term in borrowed:
            continue
        counted = sequence[at + 1] if at + 1 < len(sequence) else ""
        spots = [spot for spot, other in enumerate(there) if other == term]
        if not any(
            _find_bound(sequence, at) == _find_bound(there, spot) and _counts_same(counted, there, spot)
            for spot in spots
        ):
            return False
    order: dict[str, list[int]] = {}
    for at, term in enumerate(sequence):
        if is_number(term) and term not in borrowed:
            range_ = at > 0 and sequence[at - 1] in ("from", "to", "between", "and")
            kind = "" if range_ else sequence[at + 1] if at + 1 < len(sequence) else term
            order.setdefault(kind, []).append(there.index(term))
    return all(places == sorted(places) for places in order.values())


def _counts_same(counted: str, there: Sequence[str], spot: int) -> bool:
    """Whether a number is one of the same things: what follows it in the claim stands near it, no number between."""
    if not counted or counted in STOP or is_number(counted):
        return True
    following = there[spot + 1 : spot + 5]
    other = next((at for at, term in enumerate(following) if is_number(term)), len(following))
    if counted == "percent":
        return counted in following[:1]
    if counted in following[:other]:
        return True
    before = [at for at in range(max(0, spot - 2), spot) if there[at] == counted]
    return any(not (at and is_number(there[at - 1])) for at in before)


def _find_bound(sequence: Sequence[str], at: int) -> str:
    """`over` or `under`, `least` or `most` where a number is a bound, else nothing."""
    before = sequence[at - 1] if at else ""
    if before in ("least", "most"):
        return before if at > 1 and sequence[at - 2] == "at" else ""
    return before if before in ("over", "under") else ""


def _is_reversed(claim: ParsedClaim, there: Sequence[str]) -> bool:
    """Whether who does it and to whom it is done changed places."""
    subject = {term for term in claim.sequence if term not in STOP}
    for pivot in _TURNS.intersection(claim.sequence).intersection(there):
        mine, theirs = claim.sequence.index(pivot), there.index(pivot)
        left = subject.intersection(claim.sequence[:mine]) - {pivot}
        right = subject.intersection(claim.sequence[mine + 1 :]) - {pivot}
        before, after = set(there[:theirs]), set(there[theirs + 1 :])
        if _is_passive(claim.sequence, mine) != _is_passive(there, theirs):
            before, after = after, before
        if (left & after) - before and (right & before) - after:
            return True
    return False


def _is_passive(sequence: Sequence[str], at: int) -> bool:
    """Whether who does it follows behind `by`; a number behind it says how much."""
    following = sequence[at + 1 : at + 4]
    where = following.index("by") if "by" in following[:2] else -1
    return where >= 0 and not any(map(is_number, following[where + 1 : where + 2]))

"""Does a passage say what a claim says? A careful reader's rules of thumb; in doubt the answer is no.

Most of what the claim is about must be in the passage, rare words weighing more than common ones. Numbers, names and
units of the claim must all be there. A passage that negates, reverses, doubts or asks what the claim states is refused.
"""

from __future__ import annotations

import re
from math import log
from typing import TYPE_CHECKING

from msgspec import Struct

from .terms import content, is_number, stem, terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LEAST = 0.74
"""How much of a claim a passage must hold."""
_BORROWED = 0.5
"""What a word counts that stands in the paper's title, not in the passage."""
_NEGATIONS = frozenset(
    "not no non nor never none nobody nothing neither without cannot hardly barely scarcely fail lack unlike".split()
)
_DOUBTS = frozenset(
    map(stem, "whether hypothesize hypothesise hypothesis conjecture speculate contrary unclear".split())
)
_ALL = frozenset("all every always each any entire".split())
_ONLY = frozenset(("only", "sole", "exclusiv"))
_OPPOSITES = tuple(
    frozenset(map(stem, pair.split("/")))
    for pair in (
        "increase/decrease increase/reduce increase/decline rise/fall grow/shrink improve/worsen improve/degrade"
        " improve/harm higher/lower high/low more/less more/fewer faster/slower fast/slow better/worse best/worst"
        " above/below gain/loss positive/negative larger/smaller large/small longer/shorter stronger/weaker"
        " strong/weak majority/minority success/failure succeed/fail with/without most/least before/after"
        " maximum/minimum accept/reject enable/prevent support/contradict easy/hard significant/insignificant"
        " effective/ineffective safe/unsafe linear/nonlinear parametric/nonparametric"
    ).split()
)
_PIVOTS = frozenset(
    map(
        stem,
        "outperform exceed surpass beat cause than precede reduce increase improve predict contain imply affect"
        " require replace prevent follow dominate influence drive".split(),
    )
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!\A)\b[A-Z][\w-]*|\b\w*[a-z0-9][A-Z]\w*|\b[A-Z]{2,}\w*|\b[A-Z]+-?[0-9]\w*")
_ASKS = re.compile(r"\?[\"'”’)\]]*\Z")


class Claim(Struct, frozen=True):
    """What a claim says, taken apart."""

    sequence: tuple[str, ...]
    """All its terms in order."""
    subject: tuple[str, ...]
    """What it is about: content terms, each once, without numbers."""
    numbers: tuple[str, ...]
    names: frozenset[str]
    negated: bool


def read_claim(text: str) -> Claim:
    """A claim taken apart."""
    sequence = terms(text)
    told = content(sequence)
    names: set[str] = set()
    for name in _NAME.findall(text.strip()):
        found = content(terms(name))
        names.update(term for term in found if not is_number(term))
    subject = tuple(term for term in told if not is_number(term) and term not in _NEGATIONS)
    return Claim(
        tuple(sequence),
        subject,
        tuple(dict.fromkeys(term for term in sequence if is_number(term))),
        frozenset(names),
        not _NEGATIONS.isdisjoint(sequence),
    )


def weights(total: int, counts: Mapping[str, int]) -> dict[str, float]:
    """How much each term tells, by how few of all passages have it."""
    return {term: log(1 + (total - have + 0.5) / (have + 0.5)) for term, have in counts.items()}


def relevance(claim: Claim, passage: str, about: frozenset[str], weight: Mapping[str, float]) -> float:
    """How much of the claim the passage says, 0 to 1; 0 where it says something else. `about`: terms of the title."""
    there = terms(passage)
    held = set(there)
    whole = sum(weight.get(term, 1.0) for term in claim.subject)
    if len(claim.subject) + len(claim.numbers) < 2 or not whole or _ASKS.search(passage):
        return 0.0
    if not held.issuperset(claim.numbers) or not (held | about).issuperset(claim.names):
        return 0.0
    if _differs(claim, there, held):
        return 0.0
    said = sum(weight.get(term, 1.0) for term in claim.subject if term in held)
    said += sum(weight.get(term, 1.0) * _BORROWED for term in claim.subject if term not in held and term in about)
    return said / whole


def _differs(claim: Claim, there: Sequence[str], held: set[str]) -> bool:
    """Whether the passage says the contrary of the claim, or something near it."""
    subject = {*claim.subject, *claim.numbers}
    places = [at for at, term in enumerate(there) if term in subject]
    if not places:
        return True
    # A negation before or among the words of the claim turns them round; one behind them belongs to something else.
    near = set(there[max(0, places[0] - 5) : places[-1] + 1])
    if claim.negated == near.isdisjoint(_NEGATIONS) or not near.isdisjoint(_DOUBTS):
        return True
    told = set(claim.sequence)
    for group in (_ALL, _ONLY):
        if not told.isdisjoint(group) and held.isdisjoint(group):
            return True
    for pair in _OPPOSITES:
        mine, theirs = told & pair, held & pair
        if len(mine) == 1 and theirs and mine != theirs and not theirs >= mine:
            return True
    return not _units_agree(claim, there) or _is_reversed(claim, there)


def _units_agree(claim: Claim, there: Sequence[str]) -> bool:
    """Whether what each number counts is what it counts in the passage."""
    sequence = claim.sequence
    for at, term in enumerate(sequence[:-1]):
        counted = sequence[at + 1]
        if not is_number(term) or not (content([counted]) or counted == "percent") or is_number(counted):
            continue
        spots = [spot for spot, other in enumerate(there) if other == term]
        if counted == "percent":
            fits = any("percent" in there[spot + 1 : spot + 2] for spot in spots)
        else:
            fits = any(counted in there[max(0, spot - 2) : spot + 5] for spot in spots)
        if not fits:
            return False
    return True


def _is_reversed(claim: Claim, there: Sequence[str]) -> bool:
    """Whether who does it and to whom it is done changed places."""
    subject = {*claim.subject, *claim.numbers}
    for pivot in _PIVOTS.intersection(claim.sequence).intersection(there):
        mine, theirs = claim.sequence.index(pivot), there.index(pivot)
        left = subject.intersection(claim.sequence[:mine]) - {pivot}
        right = subject.intersection(claim.sequence[mine + 1 :]) - {pivot}
        before, after = set(there[:theirs]), set(there[theirs + 1 :])
        straight = len(left & before) + len(right & after)
        crossed = len(left & after) + len(right & before)
        if _is_passive(claim.sequence, mine) != _is_passive(there, theirs):
            straight, crossed = crossed, straight
        if crossed > straight:
            return True
    return False


def _is_passive(sequence: Sequence[str], at: int) -> bool:
    """Whether who does it follows behind `by`; a number behind it says how much."""
    following = sequence[at + 1 : at + 4]
    where = following.index("by") if "by" in following[:2] else -1
    return where >= 0 and not any(map(is_number, following[where + 1 : where + 2]))

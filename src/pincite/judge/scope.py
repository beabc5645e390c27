"""How far `not`, `all`, `than` and `the largest` reach, and what follows from a sentence they stand in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lexicon import AUXILIARIES, FREE, NEGATIONS, PREPOSITIONS, REVERSING, STRONG, UNIVERSAL, WEAK, make_word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken

_MARK = re.compile(r"[,;:—–()\[\]{}…/]|\s-|--")
_FRESH = make_word_set("but while which who where whereas although")
"""After a comma, these begin a clause of its own; `and` and `so` only before one of the next."""
_SUBJECTS = make_word_set("he she it they we i you there this that")
_PHRASE = 8
"""Words over which `the largest` reaches."""
_RESTRICTOR = 6
"""Words over which `every` reaches."""
_SUPERLATIVE = re.compile(r"[a-z]{2,}est$")
_NOT_SUPERLATIVE = make_word_set(
    "west forest interest test guest request protest harvest honest modest contest arrest invest suggest rest nest "
    "chest conquest digest manifest priest quest southwest northwest"
)
_CLAUSES = make_word_set("who because when if that to which since")
_LONGEST_CHANGE = 4


def has_mark_before(token: JudgeToken) -> bool:
    """Whether a mark that parts phrases stands before a word."""
    return token.lead != " " and token.lead != "" and _MARK.search(token.lead) is not None


def is_superlative(token: JudgeToken) -> bool:
    """Whether a word names the extreme of a row."""
    low = token.low
    if low in ("most", "least", "best", "worst"):
        return True
    return low.endswith("est") and low not in _NOT_SUPERLATIVE and _SUPERLATIVE.match(low) is not None


def _fresh(tokens: Sequence[JudgeToken], index: int) -> bool:
    """Whether a clause of its own begins at a word that a mark stands before."""
    token = tokens[index]
    if ";" in token.lead or token.low in _FRESH:
        return True
    after = tokens[index + 1].low if index + 1 < len(tokens) else ""
    return token.low in ("and", "so") and after in _SUBJECTS


def mark_unsafe_scope(tokens: Sequence[JudgeToken], marks: Sequence[bool]) -> list[bool]:
    """Which words stand where a weaker phrase may not follow from a stronger one; wide, for it only forbids."""
    out: list[bool] = []
    share = any(token.unit in ("%", "pp") for token in tokens)
    dark, dim = False, 0
    for index, (token, mark) in enumerate(zip(tokens, marks, strict=True)):
        low = token.low
        if mark and _fresh(tokens, index):
            dark, dim = False, 0
        elif mark or low in AUXILIARIES:
            dim = 0
        out.append(share or dark or dim > 0)
        dim -= 1
        dark = dark or low in STRONG
        if low in WEAK or is_superlative(token) or (low == "of" and index and tokens[index - 1].kind == "n"):
            dim = _PHRASE
    return out


def mark_reversed_scope(tokens: Sequence[JudgeToken]) -> list[bool]:
    """Which words stand where the narrower follows: `no dog` says `no small dog`; strict, for it grants."""
    out: list[bool] = []
    dark, dim = False, 0
    for index, token in enumerate(tokens):
        low, mark = token.low, has_mark_before(token)
        if mark and _fresh(tokens, index):
            dark, dim = False, 0
        elif mark or low in AUXILIARIES:
            dim = 0
        out.append(dark != (dim > 0))
        dim -= 1
        if low in REVERSING and not (low == "few" and index and tokens[index - 1].low == "a"):
            dark = not (low in NEGATIONS and dark)
        if low in UNIVERSAL:
            dim = _RESTRICTOR
    return out


def find_single_change(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> tuple[list[int], list[int], int]:
    """Where claim and sentence differ between the words they begin and end with alike, and how many end them."""
    left = [index for index, token in enumerate(claim) if token.low not in FREE]
    right = [index for index, token in enumerate(quote) if token.low not in FREE]
    most = min(len(left), len(right))
    head = 0
    while head < most and claim[left[head]].low == quote[right[head]].low:
        head += 1
    tail = 0
    while tail < most - head and claim[left[-1 - tail]].low == quote[right[-1 - tail]].low:
        tail += 1
    return left[head : len(left) - tail], right[head : len(right) - tail], tail


def classify_scope_change(claim: Sequence[JudgeToken], quote: Sequence[JudgeToken]) -> tuple[str, list[int]]:
    """`narrower` where the claim only adds words under a negation, `wider` where it only drops some, or nothing."""
    added, dropped, tail = find_single_change(claim, quote)
    if added and not dropped and len(added) <= _LONGEST_CHANGE:
        words = [claim[index].low for index in added]
        if any(word in _CLAUSES or word in REVERSING for word in words):
            return "", []
        dark = mark_reversed_scope(claim)
        if all(dark[index] for index in added) and (tail or words[0] in PREPOSITIONS):
            return "narrower", added
    elif dropped and not added and len(dropped) <= _LONGEST_CHANGE:
        dark = mark_reversed_scope(quote)
        if all(dark[index] for index in dropped):
            return "wider", dropped
    return "", []

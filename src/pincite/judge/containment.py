"""How much of the claim the quote holds at all, whatever the order: enough for `medium`, never for `high`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.stems import are_stems_related, stem
from .lexicon import FUNCTION
from .model import Reason
from .numbers import covers
from .scope import has_mark_before
from .synonyms import ALIKE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .numbers import JudgeToken
    from .tokens import WordSentence

_EVERYWHERE = frozenset("the a of in and is to".split())
_FREQUENT = frozenset("are was for on with that it by as an at from be this have has were not his he or".split())
_ALIKE, _RELATED = 0.8, 0.9
_WINDOW = 4
"""Sentences in a row that may together hold the claim."""
SUBJECTS = frozenset("he she it they this these his her its their".split())
"""Words that stand for what was named before."""
_FORGIVEN = 0.8
_JOINTS = frozenset("and but or which who whose while whereas because although though so then yet".split())
"""Before these a new part of a sentence may begin."""
_FEWEST = 2
"""Words with a content of their own that make a part worth missing."""


class ClaimCoverage(Struct, frozen=True):
    """What of the claim is in the quote."""

    held: list[float]
    """For each word of the claim how well the best sentence holds it, from 0 to 1."""
    anywhere: list[float]
    """The same for the sentences around it."""
    best: int
    """The sentence that holds most."""
    share: float
    """The part of the claim, by weight, that the quote holds."""
    lacking: float
    """The weight of what the best sentence does not hold."""
    subject: int
    """How many words at the claim's beginning a pronoun of the quote may stand for."""


def weight(token: JudgeToken) -> float:
    """How much a word says: next to nothing for the commonest, most for long ones and names."""
    if token.kind != "w":
        return 1.0
    low = token.low
    if low in FUNCTION or low in _EVERYWHERE:
        return 0.1 if low in _EVERYWHERE else 0.4 if low in _FREQUENT else 0.8
    return 0.7 + 0.05 * min(len(low), 9) + (0.1 if token.text[:1].isupper() else 0.0)


def key(token: JudgeToken) -> str:
    """What a word is looked up by."""
    return stem(token.low) if token.kind == "w" else token.low


def _score_token_match(
    token: JudgeToken, stemmed: str, words: frozenset[str], heads: dict[str, list[str]], dates: list[JudgeToken]
) -> float:
    if stemmed in words:
        return 1.0
    if token.kind in ("n", "d", "o"):
        return 1.0 if any(covers(token, date) for date in dates) else 0.0
    alike = ALIKE.get(stemmed)
    if alike is not None and not alike.isdisjoint(words):
        return _ALIKE
    if len(stemmed) > 3:
        for other in heads.get(stemmed[:4], ()):
            if are_stems_related(stemmed, other):
                return _RELATED
    return 0.0


def _initials(sentence: WordSentence) -> list[str]:
    """What is short for names of the sentence: WHO for World Health Organization."""
    out, run = [], ""
    for token in sentence.tokens:
        if token.low in ("of", "the", "and", "for", "a"):
            continue
        if token.text[:1].isupper():
            run += token.text[0].lower()
        else:
            out += _format_initials(run)
            run = ""
    return out + _format_initials(run)


def _format_initials(run: str) -> list[str]:
    """What first letters are written as; two of them only with dots, for otherwise they are a word."""
    return [run] if len(run) > 2 else [f"{run[0]}.{run[1]}."] if len(run) > 1 else []


def cover(
    claim: Sequence[JudgeToken], quote: Sequence[WordSentence], named: frozenset[str] = frozenset()
) -> ClaimCoverage:
    """How the quote's sentences, one by one and a few together, hold the claim; `named` are words just before them."""
    stems = [key(token) for token in claim]
    weights = [weight(token) for token in claim]
    total = sum(weights) or 1.0
    rows: list[list[float]] = []
    for sentence in quote:
        words = frozenset([key(token) for token in sentence.tokens] + _initials(sentence))
        heads: dict[str, list[str]] = {}
        for word in words:
            heads.setdefault(word[:4], []).append(word)
        dates = [token for token in sentence.tokens if token.kind == "d"]
        rows.append(
            [
                _score_token_match(token, stemmed, words, heads, dates)
                for token, stemmed in zip(claim, stems, strict=True)
            ]
        )
    shares = [sum(h * w for h, w in zip(row, weights, strict=True)) / total for row in rows]
    best = max(range(len(rows)), key=lambda index: shares[index])
    anywhere, around = rows[best], shares[best]
    for first in range(max(1, len(rows) - _WINDOW + 1)):
        together = [max(column) for column in zip(*rows[first : first + _WINDOW], strict=True)]
        part = sum(h * w for h, w in zip(together, weights, strict=True)) / total
        if part > around:
            anywhere, around = together, part
    held = rows[best]
    lacking = sum((1 - h) * w for h, w in zip(held, weights, strict=True))
    subject, forgiven = 0, 0.0
    if named and quote[best].tokens[0].low in SUBJECTS:
        while subject < len(claim) and not held[subject] and (subject == 0 or claim[subject].text[:1].isupper()):
            if stems[subject] not in named and claim[subject].low not in FUNCTION:
                break
            forgiven += weights[subject] * _FORGIVEN
            subject += 1
    share = min(1.0, around + forgiven / total)
    return ClaimCoverage(held, anywhere, best, share, lacking - forgiven, subject)


def split_parts(tokens: Sequence[JudgeToken]) -> Iterator[tuple[int, int]]:
    """Where the parts of a sentence begin and end: at marks, and at words that join."""
    first = 0
    for at in range(1, len(tokens)):
        if has_mark_before(tokens[at]) or tokens[at].low in _JOINTS:
            if at > first:
                yield first, at
            first = at
    if first < len(tokens):
        yield first, len(tokens)


def find_unheld_part(claim: Sequence[JudgeToken], seen: ClaimCoverage) -> Reason | None:
    """A part of the claim of which the quote has nothing, while it has the rest."""
    keys = [key(token) for token in claim]
    times = Counter(keys)
    cuts = list(split_parts(claim))
    if len(cuts) < _FEWEST:
        return None
    for first, end in cuts:
        # What the claim says twice, such as its subject, is no content of one part.
        own = [at for at in range(first, end) if claim[at].low not in FUNCTION and times[keys[at]] == 1]
        if len(own) >= _FEWEST and not any(seen.anywhere[at] for at in own[seen.subject if first == 0 else 0 :]):
            words = " ".join(token.text for token in claim[first:end])
            return Reason("part-missing", f"the quote has nothing of “{words}”")
    return None

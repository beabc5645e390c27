"""A claim that says several things: each of them has to be in the quote, not only most of their words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from .containment import key
from .lexicon import FUNCTION
from .model import Reason
from .scope import has_mark_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .containment import Cover
    from .numbers import JudgeToken

_JOINTS = frozenset("and but or which who whose while whereas because although though so then yet".split())
"""Before these a new part of a sentence may begin."""
_FEWEST = 2
"""Words with a content of their own that make a part worth missing."""


def parts(tokens: Sequence[JudgeToken]) -> Iterator[tuple[int, int]]:
    """Where the parts of a sentence begin and end: at marks, and at words that join."""
    first = 0
    for at in range(1, len(tokens)):
        if has_mark_before(tokens[at]) or tokens[at].low in _JOINTS:
            if at > first:
                yield first, at
            first = at
    if first < len(tokens):
        yield first, len(tokens)


def unheld(claim: Sequence[JudgeToken], seen: Cover) -> Reason | None:
    """A part of the claim of which the quote has nothing, while it has the rest."""
    keys = [key(token) for token in claim]
    times = Counter(keys)
    cuts = list(parts(claim))
    if len(cuts) < _FEWEST:
        return None
    for first, end in cuts:
        # What the claim says twice, such as its subject, is no content of one part.
        own = [at for at in range(first, end) if claim[at].low not in FUNCTION and times[keys[at]] == 1]
        if len(own) >= _FEWEST and not any(seen.anywhere[at] for at in own[seen.subject if first == 0 else 0 :]):
            words = " ".join(token.text for token in claim[first:end])
            return Reason("part-missing", f"the quote has nothing of “{words}”")
    return None

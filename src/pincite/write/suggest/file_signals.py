"""What speaks for a file and against it, in numbers, and how likely that makes it the one a sentence is about."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .rank import FileCandidate
    from .terms import Terms

SAYING = ("path", "definition", "one of definitions", "literal", "target", "script")
"""Signs that point at a file by themselves."""
_DATA = (".json", ".yml", ".yaml", ".toml")
_TELLING = 0.5
_SURELY = 0.8
# A logistic regression over what authors of real documents cited: see bench/suggest.py. Rounded: the last digit of a
# weight decides nothing.
_BIAS = -2.75
_WEIGHTS = {
    "definition": 0.55,
    "definitions": 0.2,
    "use": 1.5,
    "target": 0.45,
    "around": 1.55,
    "called": 0.1,
    "margin": 0.25,
    "score": 0.55,
    "elsewhere": -0.1,
    "captured": 0.7,
    "first": 0.35,
    "names": -0.2,
    "share": 0.85,
    "number": 0.9,
    # Rare in what authors cite, so not fitted: a name defined once, at a line with the value that the sentence gives.
    "valued": 1.2,
    "prose": -0.45,
    "data": -0.5,
}


def chance(signs: dict[str, float]) -> float:
    """How likely a file with these signs is the one that is meant, from 0 to 1."""
    total = _BIAS + sum(weight * signs[name] for name, weight in _WEIGHTS.items())
    return 1 / (1 + exp(-total))


def best_of(found: Iterable[FileCandidate]) -> dict[str, float]:
    """What each thing that a sentence names is worth to the file it speaks for most."""
    best: dict[str, float] = {}
    for one in found:
        for kind, term, worth in one.why:
            if kind in SAYING and worth > best.get(term, 0.0):
                best[term] = worth
    return best


def signs_of(
    one: FileCandidate,
    ordered: Sequence[FileCandidate],
    best: dict[str, float],
    terms: Terms,
    said: str,
    is_prose: bool,
) -> dict[str, float]:
    """The signs of a candidate among all those of a sentence, which are ordered by their scores."""
    hits = one.narrowed.hits if one.narrowed is not None else ()
    mine = {term for kind, term, _ in one.why if kind in SAYING}
    first = min(((said.find(term), term) for term in best), default=(0, ""))[1]
    own = sum(worth for kind, _, worth in one.why if kind in SAYING)
    rival = next((other.score for other in ordered if other is not one), None)
    return {
        "definition": min(2.5, one.sum("definition")),
        "definitions": min(2.0, one.sum("one of definitions")),
        "use": min(2.0, one.sum("use")),
        "target": min(1.2, one.sum("target")),
        "around": min(1.5, sum(worth for kind, _, worth in one.why if kind.startswith("around"))),
        "called": one.sum("called"),
        # Against the best of the others: a runner-up has none.
        "margin": (one.score - rival) / max(one.score, 0.1) if rival is not None else 1.0,
        "score": min(one.score, 6.0),
        "elsewhere": min(4.0, float(len(best.keys() - mine))),
        "captured": min(1.0, own / max(sum(best.values()), 0.1)),
        "first": float(first in mine),
        "names": min(4.0, float(sum(weight >= _TELLING for weight in terms.names.values()))),
        "share": sum(hit.kind == "word" for hit in hits) / max(3, len(terms.words)),
        "number": min(1.0, sum(hit.worth for hit in hits if hit.kind == "number")),
        "valued": float(one.narrowed is not None and one.narrowed.valued and one.sum("definition") > _SURELY),
        "prose": float(is_prose),
        "data": float(one.path.endswith(_DATA)),
    }

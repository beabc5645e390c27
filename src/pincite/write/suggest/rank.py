"""Which file a sentence is about: what it names is weighed, and the signs of each file give a chance."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import TYPE_CHECKING

from msgspec import Struct

from ...search.claims.terms import Terms, parts_of, terms_of
from .line_selection import ReadFiles, SelectedLines, TermHit, narrow
from .tree import is_prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .index import NameIndex
    from .model import Unit
    from .tree import CitableFiles

_LOOKED = 6
"""Candidates that are looked into."""
_CHANCE = 0.35
"""Below this share of the best score no file catches up by what the lines say."""
_AROUND = 0.3
"""What a name is worth that stands in the heading, or in the sentence before."""
_LEAST = 0.5
_BEFORE = 600
"""Characters before a sentence that are looked at."""
_SAYING = ("path", "definition", "one of definitions", "literal", "target", "script")
"""Signs that point at a file by themselves."""
_DATA = (".json", ".yml", ".yaml", ".toml")
_TELLING = 0.5
_SURELY = 0.8
_BIAS = -2.75


class FileCandidate(Struct):
    """A file that a sentence may be about, and why."""

    path: str
    score: float = 0.0
    why: list[tuple[str, str, float]] = []
    shared: bool = False
    """Whether the path that was written can mean other files too."""
    narrowed: SelectedLines | None = None
    chance: float = 0.0
    """How likely the sentence is about this file."""

    def add(self, kind: str, term: str, worth: float) -> None:
        """One more sign."""
        if worth > 0:
            self.score += worth
            self.why.append((kind, term, worth))

    @property
    def hits(self) -> tuple[TermHit, ...]:
        """What the best lines hold."""
        return self.narrowed.hits if self.narrowed is not None else ()

    def sum(self, *kinds: str) -> float:
        """What the signs of some kinds are worth together."""
        return sum(worth for kind, _, worth in self.why if kind in kinds)


class _Weigher(Struct):
    """Weighs what one sentence names, file by file."""

    tree: CitableFiles
    index: NameIndex
    document: str
    found: dict[str, FileCandidate] = {}

    def _of(self, path: str) -> FileCandidate:
        return self.found.setdefault(path, FileCandidate(path))

    def weigh(self, terms: Terms, factor: float = 1.0, around: str = "") -> None:
        """Add what is named to the files it leads to."""
        for written in terms.paths:
            meant = self.tree.meant(written, self.document.rpartition("/")[0])
            if 0 < len(meant) < 4:
                worth = 3.0 if "/" in written else 2.4
                for path in meant:
                    if path != self.document:
                        one = self._of(path)
                        if not any(kind == f"{around}path" for kind, _, _ in one.why):
                            one.add(f"{around}path", written, factor * worth / len(meant))
                            one.shared = one.shared or len(meant) > 1
        for name, weight in terms.names.items():
            self._weigh_name(name, weight * factor, around)
        for literal, weight in terms.literals.items():
            held = self.index.literals.get(literal, ())
            if 0 < len(held) < 6:
                for path in held:
                    self._of(path).add(f"{around}literal", literal, factor * weight * 1.3 / len(held))
        for target in terms.targets:
            held = self.index.targets.get(target, ())
            for path in held[:3]:
                self._of(path).add(f"{around}target", target, factor * 1.2 / len(held))
            for path in self.index.scripts.get(target, ())[:3]:
                self._of(path).add(f"{around}script", target, factor * 1.2)

    def _weigh_name(self, name: str, weight: float, around: str) -> None:
        holders = self.index.holders.get(name, ())
        definers = self.index.definers.get(name, {})
        strong = [path for path, sure in definers.items() if sure > 1] or list(definers)
        rarity = self.index.rarity(name)
        kind = "definition" if len(strong) == 1 else "one of definitions"
        for path in strong[:12]:
            self._of(path).add(around + kind, name, weight * (0.6 + 0.4 * rarity) * 1.4 / len(strong) ** 0.8)
        if len(holders) <= 40:
            for path in holders:
                if path not in definers:
                    share = weight * rarity * (0.25 if strong else 0.8) / len(holders) ** 0.5
                    self._of(path).add(f"{around}use", name, share)


def candidates(
    unit: Unit, terms: Terms, document: str, tree: CitableFiles, index: NameIndex, sources: ReadFiles
) -> list[FileCandidate]:
    """The files a sentence may be about, the best first, those looked into that could win."""
    weigher = _Weigher(tree, index, document)
    weigher.weigh(terms)
    if not any(one.score >= _LEAST for one in weigher.found.values()):
        return []
    around = around_of(unit)
    kept = Terms(around.paths, {name: weight for name, weight in around.names.items() if name not in terms.names})
    weigher.weigh(kept, _AROUND, "around ")
    ordered = sorted(weigher.found.values(), key=lambda one: (-one.score, one.path))[:_LOOKED]
    bar = ordered[0].score * _CHANCE
    ordered = [one for one in ordered if one.score >= bar]
    for one in ordered:
        source = sources.get(one.path)
        one.narrowed = narrow(source, terms) if source is not None else None
        if one.narrowed is not None:
            one.add("lines", "", min(1.2, 0.5 * one.narrowed.worth))
        _weigh_path(one, terms)
    ordered.sort(key=lambda one: (-one.score, one.path))
    best = _find_best(weigher.found.values())
    for one in ordered:
        one.chance = _chance(one, ordered, best, terms, unit.text)
    ordered.sort(key=lambda one: (-one.chance, one.path))
    return ordered


def _find_best(found: Iterable[FileCandidate]) -> dict[str, float]:
    """What each thing that a sentence names is worth to the file it speaks for most."""
    best: dict[str, float] = {}
    for one in found:
        for kind, term, worth in one.why:
            if kind in _SAYING and worth > best.get(term, 0.0):
                best[term] = worth
    return best


def _chance(
    one: FileCandidate, ordered: Sequence[FileCandidate], best: dict[str, float], terms: Terms, said: str
) -> float:
    """How likely a candidate is the file that is meant, from 0 to 1, among all those of a sentence by their scores.

    A logistic regression over what authors of real documents cited: see bench/suggest.py. Rounded: the last digit of a
    weight decides nothing.
    """
    mine = {term for kind, term, _ in one.why if kind in _SAYING}
    first = min(((said.find(term), term) for term in best), default=(0, ""))[1]
    own = sum(worth for kind, _, worth in one.why if kind in _SAYING)
    rival = next((other.score for other in ordered if other is not one), None)
    words = sum(hit.kind == "word" for hit in one.hits)
    valued = one.narrowed is not None and one.narrowed.valued and one.sum("definition") > _SURELY
    signs = (
        (0.55, min(2.5, one.sum("definition"))),
        (0.2, min(2.0, one.sum("one of definitions"))),
        (1.5, min(2.0, one.sum("use"))),
        (0.45, min(1.2, one.sum("target"))),
        (1.55, min(1.5, sum(worth for kind, _, worth in one.why if kind.startswith("around")))),
        (0.1, one.sum("called")),
        # Against the best of the others: a runner-up has none.
        (0.25, (one.score - rival) / max(one.score, 0.1) if rival is not None else 1.0),
        (0.55, min(one.score, 6.0)),
        (-0.1, min(4.0, len(best.keys() - mine))),
        (0.7, min(1.0, own / max(sum(best.values()), 0.1))),
        (0.35, first in mine),
        (-0.2, min(4.0, sum(weight >= _TELLING for weight in terms.names.values()))),
        (0.85, words / max(3, len(terms.words))),
        (0.9, min(1.0, sum(hit.worth for hit in one.hits if hit.kind == "number"))),
        # Rare in what authors cite, so not fitted: a name defined once, at a line with the value the sentence gives.
        (1.2, valued),
        (-0.45, is_prose(one.path)),
        (-0.5, one.path.endswith(_DATA)),
    )
    return 1 / (1 + exp(-(_BIAS + sum(weight * sign for weight, sign in signs))))


@lru_cache(4096)
def around_of(unit: Unit) -> Terms:
    """What stands around a sentence and may say what it is about."""
    return terms_of(f"{unit.heading}\n{unit.before[-_BEFORE:]}")


def _weigh_path(one: FileCandidate, terms: Terms) -> None:
    """Words of the sentence in the file's own name."""
    parts = set(parts_of(one.path.rpartition("/")[2].rpartition(".")[0] or one.path))
    shared = parts.intersection(terms.words).union(*(parts.intersection(parts_of(name)) for name in terms.names))
    if shared and parts:
        one.add("called", ", ".join(sorted(shared)), 0.4 * len(shared) / len(parts) + 0.1 * len(shared))

"""Claims made from a text of our own: as it stands, lightly edited, and made false by one small change.

The whole measure is `make bench-judge`; with PINCITE_JUDGE_SETS, a file or folder of pairs, it is taken from those too.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pincite.judge.model import QuotedEvidence
from pincite.judge.offline import Offline

BENCH = Path(__file__).resolve().parents[2] / "bench"
FALSE = (
    *("number", "date", "unit", "negation", "comparative", "quantifier", "only", "name-elsewhere", "name-same-quote"),
    *("role-swap", "cut"),
)


@pytest.fixture(scope="module")
def perturb() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        before = set(sys.modules)
        yield importlib.import_module("perturb")
        for name in set(sys.modules) - before:
            if name.startswith("perturb"):
                del sys.modules[name]


@pytest.fixture(scope="module")
def claims(perturb: ModuleType) -> dict[str, list[tuple[str, str, str]]]:
    """Claim, evidence and the way it was made, by kind."""
    texts = perturb.evidences_of(perturb.TEXT)
    given = os.environ.get("PINCITE_JUDGE_SETS", "")
    for path in sorted(Path(given).glob("*.jsonl")) if os.path.isdir(given) else [Path(given)] if given else []:
        texts += perturb.evidences_of(str(path))[:2000]
    made = perturb.made(texts, seed=1, most=100, every=True)
    return {kind: [(one.claim, one.evidence, one.how) for one in each] for kind, each in made.items()}


def highs(claims: list[tuple[str, str, str]]) -> list[bool]:
    found = Offline().assess_all([(claim, QuotedEvidence(evidence)) for claim, evidence, _ in claims])
    return [one.level == "high" for one in found]


@pytest.mark.parametrize("kind", FALSE)
def test_a_small_change_is_not_taken_for_what_is_stated(
    claims: dict[str, list[tuple[str, str, str]]], kind: str
) -> None:
    assert len(claims[kind]) >= 14
    passed = [claim for claim, high in zip(claims[kind], highs(claims[kind]), strict=True) if high]
    assert len(passed) <= 0.005 * len(claims[kind]), passed


@pytest.mark.parametrize(("kind", "least"), [("verbatim", 0.98), ("light", 0.95)])
def test_what_is_stated_is_high(claims: dict[str, list[tuple[str, str, str]]], kind: str, least: float) -> None:
    answers = highs(claims[kind])
    missed = [(how, claim) for (claim, _, how), high in zip(claims[kind], answers, strict=True) if not high]
    assert sum(answers) >= least * len(answers), missed


def test_the_same_seed_makes_the_same_claims(perturb: ModuleType) -> None:
    texts = perturb.evidences_of(perturb.TEXT)[:6]
    one, other, third = (perturb.made(texts, seed) for seed in (1, 1, 2))
    plain = [[(each.kind, each.claim) for kind in made.values() for each in kind] for made in (one, other, third)]
    assert plain[0] == plain[1]
    assert plain[0] != plain[2]


def test_every_kind_is_made_and_none_stands_in_its_evidence(claims: dict[str, list[tuple[str, str, str]]]) -> None:
    assert set(claims) == {"verbatim", "light", *FALSE}
    for kind in FALSE[:-1]:
        assert [claim for claim, evidence, _ in claims[kind] if claim.rstrip(".").lower() in evidence.lower()] == []
    assert all(claim in evidence for claim, evidence, _ in claims["verbatim"])


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("number", "The bridge cost more than 100 dollars."),
        ("number", "The tower is less than 100 metres tall."),
        ("date", "The house was built before 1950."),
        ("unit", "The race was over in less than 5 minutes."),
    ],
)
def test_what_still_follows_is_no_change(perturb: ModuleType, kind: str, text: str) -> None:
    """More than 200 may be false where there were more than 100; more than 50 is not."""
    upward = "more than" in text
    for seed in range(20):
        for one in perturb.made([text], seed=seed, every=True)[kind]:
            if kind == "unit":
                assert "hours" not in one.claim
                continue
            old, new = (int("".join(sign for sign in claim if sign.isdigit())) for claim in (text, one.claim))
            assert (new > old) is upward

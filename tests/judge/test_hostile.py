"""Claims written to be taken for supported, beside others that are: the first must not pass, the second must."""

from __future__ import annotations

from pathlib import Path

from pincite.judge.offline import Offline

ROWS = [
    [part.strip() for part in f"{line} ".split(" | ")]
    for line in (Path(__file__).parent / "hostile.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
JUDGE = Offline()


def test_few_hostile_claims_are_more_than_low() -> None:
    passed = [row for row in ROWS if JUDGE.assess(row[2], row[1]).level != "low"]
    assert len(ROWS) >= 100
    assert len(passed) <= 0.25 * len(ROWS), passed


def test_no_hostile_claim_is_high() -> None:
    assert [row for row in ROWS if JUDGE.assess(row[2], row[1]).level == "high"] == []


def test_most_true_twins_are_kept() -> None:
    twins = [row for row in ROWS if row[3]]
    kept = [row for row in twins if JUDGE.assess(row[3], row[1]).level != "low"]
    assert len(kept) >= 0.8 * len(twins), [row for row in twins if row not in kept]

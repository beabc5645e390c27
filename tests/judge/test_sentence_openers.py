"""What may stand before a sentence, and what takes something from it."""

from __future__ import annotations

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()
CLAIM = "The bridge is safe."


@pytest.mark.parametrize(
    "opener",
    ["More importantly,", "Still,", "To summarise,", "In addition to this,", "Not surprisingly,", "Secondly,",
     "At the same time,", "It should be noted that", "Despite the rain,"],
)  # fmt: skip
def test_may_go(opener: str) -> None:
    assert JUDGE.assess(CLAIM, f"{opener} the bridge is safe.").level == "high"


@pytest.mark.parametrize(
    "opener",
    ["For a time,", "For now,", "At first,", "Officially,", "Legally,", "In theory,", "By some accounts,", "As a rule,",
     "According to the owner,", "In the other world,", "It should be proved that"],
)  # fmt: skip
def test_may_not_go(opener: str) -> None:
    assert JUDGE.assess(CLAIM, f"{opener} the bridge is safe.").level != "high"


@pytest.mark.parametrize(
    "aside",
    ["which applies only to cars", "which is far from certain", "which is what the forged letter claims",
     "so the story goes", "which holds only in winter"],
)  # fmt: skip
def test_an_aside_that_bounds_or_doubts_may_not_go(aside: str) -> None:
    assert JUDGE.assess(CLAIM, f"The bridge, {aside}, is safe.").level != "high"


@pytest.mark.parametrize("aside", ["for example", "of course", "which people often cross", "which was built in 1932"])
def test_an_aside_that_adds_may_go(aside: str) -> None:
    assert JUDGE.assess(CLAIM, f"The bridge, {aside}, is safe.").level == "high"

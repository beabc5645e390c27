"""Remarks before a sentence and in it: dropped where they only name or lead over, kept where they say whether."""

from __future__ import annotations

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()
CLAIM = "The pump feeds the boiler."
BRIDGE = "The bridge is safe."


@pytest.mark.parametrize(
    "aside",
    ["a Danish model", "also known as the Beast", "which is made of brass", "which stands in the cellar",
     "designed by a local firm", "born of long practice", "the oldest in the plant", "such as this one"],
)  # fmt: skip
def test_a_plain_name_may_go(aside: str) -> None:
    assert JUDGE.assess(CLAIM, f"The pump, {aside}, feeds the boiler.").level == "high"


@pytest.mark.parametrize(
    "aside",
    ["stripped of its valve", "left without power", "sold for scrap in 2010", "overruled by the board", "when primed",
     "once repaired", "while warm", "if primed", "unless blocked", "until replaced", "set to manual", "fully primed",
     "an imaginary device", "a figment of the brochure", "a sham", "later scrapped", "since dismantled",
     "used properly", "given enough pressure", "the engineers joke", "the inspector held", "which was scrapped in May",
     "which was torn down", "after a restart", "being new", "seen in this light", "a forgery of the original"],
)  # fmt: skip
def test_a_condition_or_an_end_may_not_go(aside: str) -> None:
    assert JUDGE.assess(CLAIM, f"The pump, {aside}, feeds the boiler.").level != "high"


@pytest.mark.parametrize(
    "opener",
    ["At night,", "In winter,", "In autumn,", "By day,", "In the evening,", "At dawn,", "On weekdays,", "In July,",
     "During the day,", "In the rainy season,"],
)  # fmt: skip
def test_a_time_that_comes_again_may_not_go(opener: str) -> None:
    assert JUDGE.assess(CLAIM, f"{opener} the pump feeds the boiler.").level != "high"


@pytest.mark.parametrize("opener", ["In conclusion,", "Notably,", "Moreover,"])
def test_a_phrase_that_leads_over_may_go(opener: str) -> None:
    assert JUDGE.assess(CLAIM, f"{opener} the pump feeds the boiler.").level == "high"


@pytest.mark.parametrize("rest", ["pending approval", "while stocks last", "depending on the weather", "barring leaks"])
def test_a_condition_at_the_end_may_not_go(rest: str) -> None:
    assert JUDGE.assess(CLAIM, f"The pump feeds the boiler, {rest}.").level != "high"


@pytest.mark.parametrize(
    "opener",
    ["More importantly,", "Still,", "To summarise,", "In addition to this,", "Not surprisingly,", "Secondly,",
     "At the same time,", "It should be noted that", "Despite the rain,"],
)  # fmt: skip
def test_an_opener_may_go(opener: str) -> None:
    assert JUDGE.assess(BRIDGE, f"{opener} the bridge is safe.").level == "high"


@pytest.mark.parametrize(
    "opener",
    ["For a time,", "For now,", "At first,", "Officially,", "Legally,", "In theory,", "By some accounts,", "As a rule,",
     "According to the owner,", "In the other world,", "It should be proved that"],
)  # fmt: skip
def test_an_opener_may_not_go(opener: str) -> None:
    assert JUDGE.assess(BRIDGE, f"{opener} the bridge is safe.").level != "high"


@pytest.mark.parametrize(
    "aside",
    ["which applies only to cars", "which is far from certain", "which is what the forged letter claims",
     "so the story goes", "which holds only in winter"],
)  # fmt: skip
def test_an_aside_that_bounds_or_doubts_may_not_go(aside: str) -> None:
    assert JUDGE.assess(BRIDGE, f"The bridge, {aside}, is safe.").level != "high"


@pytest.mark.parametrize("aside", ["for example", "of course", "which people often cross", "which was built in 1932"])
def test_an_aside_that_adds_may_go(aside: str) -> None:
    assert JUDGE.assess(BRIDGE, f"The bridge, {aside}, is safe.").level == "high"

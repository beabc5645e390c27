"""A remark between commas: dropped where it only names, kept where it says whether, when or on what terms."""

from __future__ import annotations

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()
CLAIM = "The pump feeds the boiler."


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

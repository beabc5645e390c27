"""Numbers of an answer that stand beside letters and tags without a space."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.model import Outcome

from .test_names import outcome

PUMPS = "Acme sold 412 pumps in 2019."


@pytest.mark.parametrize(
    "answer",
    [
        "アクメは2019年に421台のポンプを販売した。",
        "アクメは２０１９年に４２１台のポンプを販売した。",
        "阿克梅公司在2019年售出421台泵。",
        "Acme는 2019년에 421대의 펌프를 판매했다.",
        "Acme sold <b>421</b> pumps in 2019.",
        "Acme sold 421pumps in 2019.",
        "Acme sold a dozen pumps in 2019.",
        "Acme sold half a dozen pumps in 2019.",
    ],
)
def test_another_number_is_a_mismatch_also_without_a_space(tmp_path: Path, answer: str) -> None:
    assert outcome(tmp_path, PUMPS, answer) is Outcome.MISMATCH


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        (PUMPS, "アクメは2019年に412台のポンプを販売した。"),
        (PUMPS, "Acme는 2019년에 412대의 펌프를 판매했다."),
        (PUMPS, "Acme sold <b>412</b> pumps in 2019."),
        (PUMPS, "Acme sold 412pumps in 2019."),
        ("On 5 March 2019 it had 30,000 users.", "2019年3月5日に3万人のユーザーがいた。"),
        ("The gate closes at 9 pm.", "21時にゲートが閉まる。"),
        ("There are twelve lifts in the hall.", "There are a dozen lifts in the hall."),
        ("There are 13 lifts in the hall.", "There are a dozen lifts in the hall."),
    ],
)
def test_the_same_number_without_a_space_holds(tmp_path: Path, source: str, answer: str) -> None:
    assert outcome(tmp_path, source, answer) is Outcome.HOLDS

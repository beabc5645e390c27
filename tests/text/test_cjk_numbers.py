"""Numbers in text that has no spaces around them."""

from __future__ import annotations

import pytest

from pincite.text.cjk_numbers import separate_counts, separate_numbers


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("アクメは2019年に421台", "アクメは 2019 に 421 台"),
        ("2019年3月5日に３万人", "5 March 2019 に 30000 人"),
        ("3月5日に", "March 5 に"),
        ("21時30分に", "21:30 に"),
        ("第3四半期は45分", "3th 四半期は 45 min"),
        ("3億5000万回", "350000000 回"),
        ("1.5만 명", "15000 명"),
        ("2019년에 421대", "2019 에 421 대"),
        ("13月40日", "13 月 40 日"),
        ("sold 412 pumps", "sold 412 pumps"),
    ],
)
def test_numbers_stand_apart(text: str, words: str) -> None:
    assert separate_numbers(text).split() == words.split()
    assert separate_numbers(separate_numbers(text)).split() == words.split()


@pytest.mark.parametrize(
    ("text", "words"),
    [("421件成功", "421 件成功"), ("10行目", "10行目"), ("ステップ3では", "ステップ3では"), ("3.4秒", "3.4 s")],
)
def test_only_what_counts_or_measures_is_a_count(text: str, words: str) -> None:
    assert separate_counts(text).split() == words.split()

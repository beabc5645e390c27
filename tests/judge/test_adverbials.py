"""An adverbial in another place, where that changes nothing."""

from __future__ import annotations

import pytest

from pincite.judge.offline import Offline

JUDGE = Offline()


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The parser reads UTF-8 by default.", "By default, the parser reads UTF-8."),
        ("By default, the parser reads UTF-8.", "The parser reads UTF-8 by default."),
        ("The ferry leaves at six in summer.", "In summer, the ferry leaves at six."),
        ("The guests left the hall after the speech.", "After the speech, the guests left the hall."),
        ("The mill was sold in Spain in 1911.", "In Spain, the mill was sold in 1911."),
        ("The seat was empty for two years.", "For two years the seat was empty."),
        ("The gate was opened quickly by a guard.", "The gate was quickly opened by a guard."),
        ("The light turns green when the tank is full.", "When the tank is full, the light turns green."),
    ],
)
def test_it_may_move(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level == "high"


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("He said the plant was closed in May.", "In May, he said the plant was closed."),
        ("The ferry does not leave in summer.", "In summer, the ferry does not leave."),
        ("All ships left the port in winter.", "In winter, all ships left the port."),
        ("In Paris, he praised the book on tea.", "He praised the book on tea in Paris."),
        ("The mill was sold and the dam broke in Spain.", "In Spain, the mill was sold and the dam broke."),
        ("The dog that barked slept in the yard.", "In the yard, the dog that barked slept."),
        ("The gate was opened nearly by a guard.", "The gate was nearly opened by a guard."),
    ],
)
def test_it_may_not_move(claim: str, quote: str) -> None:
    assert JUDGE.assess(claim, quote).level != "high"

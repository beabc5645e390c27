"""Enumerations, counted."""

from __future__ import annotations

import pytest

from pincite.judge.enumerations import count
from pincite.judge.tokens import sentences


def counted(claim: str, quote: str) -> bool | None:
    (said,), (sentence,) = sentences(claim), sentences(quote)
    found = count(said, sentence)
    return None if found is None else (found.said.value == len(found.items))


@pytest.mark.parametrize(
    ("claim", "quote", "holds"),
    [
        ("The kit supports 3 systems.", "The kit supports Linux, macOS and Windows.", True),
        ("The kit supports two systems.", "The kit also supports Linux and Windows.", True),
        ("The kit supports 4 systems.", "The kit supports Linux, macOS and Windows.", False),
        ("The kit supports 3 systems.", "The kit supports systems such as Linux, macOS and Windows.", None),
        ("The kit supports 3 systems.", "The kit supports Linux, macOS and others.", None),
        ("The kit supports 3 systems.", "The kit supports Linux, macOS or Windows.", None),
        ("The kit supports 3 systems.", "The kit supports Linux, macOS, and many more.", None),
        ("The kit supports 2 systems.", "The kit may support Linux and Windows.", None),
        ("The kit supports 2 systems.", "The kit supports Linux and Windows in 2 modes.", None),
        ("The kit supports 1 system.", "The kit supports Linux.", None),
        ("Bob supports 2 systems.", "The kit supports Linux and Windows.", None),
        ("The kit supports 2.5 systems.", "The kit supports Linux and Windows.", None),
        ("The kit does not support 2 systems.", "The kit supports Linux and Windows.", None),
    ],
)
def test_counts(claim: str, quote: str, holds: bool | None) -> None:
    assert counted(claim, quote) is holds

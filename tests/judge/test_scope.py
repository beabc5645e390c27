"""What follows from a sentence under `not` and `every`."""

from __future__ import annotations

import pytest

from pincite.judge.scope import classify_scope_change, is_superlative
from pincite.judge.tokens import scan


@pytest.mark.parametrize(
    ("claim", "quote", "change"),
    [
        ("We don't make glaring mistakes.", "We don't make mistakes.", "narrower"),
        ("No small dog barked.", "No dog barked.", "narrower"),
        ("Every honest clerk stayed.", "Every clerk stayed.", "narrower"),
        ("He lives without hot water.", "He lives without water.", "narrower"),
        ("We don't make mistakes.", "We don't make glaring mistakes.", "wider"),
        ("No dog barked.", "No small dog barked.", "wider"),
        ("Every clerk stayed.", "Every honest clerk stayed.", "wider"),
        ("We make glaring mistakes.", "We make mistakes.", ""),
        ("We make mistakes.", "We make glaring mistakes.", ""),
        ("A few small dogs barked.", "A few dogs barked.", ""),
        ("No clerk left without a hat.", "No clerk left without a red hat.", ""),
        ("He did not come because he slept.", "He did not come.", ""),
        ("We don't make mistakes.", "We don't make mistakes.", ""),
        ("They never sold green boats.", "They never built boats.", ""),
    ],
)
def test_narrower_and_wider(claim: str, quote: str, change: str) -> None:
    assert classify_scope_change(scan(claim)[0], scan(quote)[0])[0] == change


@pytest.mark.parametrize(("word", "is_one"), [("largest", True), ("most", True), ("forest", False), ("west", False)])
def test_superlatives(word: str, is_one: bool) -> None:
    assert is_superlative(scan(word)[0][0]) is is_one

"""Where a sentence says no, and which words are each other's opposites."""

from __future__ import annotations

import pytest

from pincite.judge.polarity import find_denials, opposed_forms
from pincite.judge.tokens import scan


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The plan was not approved", "not"),
        ("The board refused to vote", "refused"),
        ("The plan lacks support", "lacks"),
        ("He is anything but calm", "anything"),
        ("The dye is non-toxic", "non"),
        ("That is false", "false"),
        ("Myth: the dye is toxic", "Myth"),
        ("The board refused the offer", ""),
        ("A false alarm rang", ""),
        ("The myth lives on", ""),
        ("The non plus ultra", ""),
    ],
)
def test_where_it_says_no(text: str, word: str) -> None:
    tokens = scan(text)[0]
    assert [tokens[at].text for at in find_denials(tokens)] == ([word] if word else [])


@pytest.mark.parametrize(
    ("one", "other", "are"),
    [
        ("soluble", "insoluble", True),
        ("locked", "unlocked", True),
        ("uploads", "downloads", True),
        ("enabled", "disabled", True),
        ("harmful", "harmless", True),
        ("possible", "impossible", True),
        ("prove", "improve", False),
        ("cover", "discover", False),
        ("tend", "intend", False),
        ("side", "inside", False),
        ("it", "unit", False),
    ],
)
def test_opposites_made_of_one_word(one: str, other: str, are: bool) -> None:
    assert (other in set(opposed_forms(one))) is are
    assert (one in set(opposed_forms(other))) is are

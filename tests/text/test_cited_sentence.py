"""Claims: the sentence before a citation, in its own block, and never more than that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.document import Document
from pincite.text.sentences import REACH, claim_before

CITATION = "【a1b2c3†L1】"


def claim(before: str, floor: int = 0, path: str = "x.md") -> str | None:
    """The claim of a citation that follows the text."""
    text = before + CITATION
    span = claim_before(Document(path, text), len(before), floor)
    return None if span is None else text[span.start : span.end]


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("All pass.", "All pass."),
        ("All pass ", "All pass"),
        ("One fails. All pass. ", "All pass."),
        ("Is it so? Yes! ", "Yes!"),
        ("First line.\nAll pass.\n", "All pass."),
        ("All tests\npass ", "All tests\npass"),
        ("- one\n- All pass ", "All pass"),
        ("1. one\n2. All pass ", "All pass"),
        ("- [x] All pass ", "All pass"),
        ("> quoted\n> All pass ", "quoted\n> All pass"),
        ("# All pass ", "All pass"),
        ("# Title\nAll pass ", "All pass"),
        ("Before.\n\nAll pass ", "All pass"),
        ("| a | All pass ", "All pass"),
        (r"| a | All \| pass ", r"All \| pass"),
        ("All pass (", "All pass"),
        ("**All pass** ", "**All pass"),
        ("**Done.** All pass. ", "All pass."),
        ("It took 3.42 s. ", "It took 3.42 s."),
        ("See e.g. the log. ", "See e.g. the log."),
        ("It took approx. 3 s. ", "It took approx. 3 s."),
        ("Rule No. 5 holds. ", "Rule No. 5 holds."),
        ("It ends with a … and goes on. ", "It ends with a … and goes on."),
        ("これは。二つある。", "二つある。"),
        ("Run `a. B` twice ", "Run `a. B` twice"),
        ("```\ncode. Here\n```\nAll pass ", "All pass"),
        ("`210 passed`\n", "`210 passed`"),
        ("Old.\r\n\r\nAll\r\npass ", "All\r\npass"),
        ("One.<br>All pass ", "All pass"),
        ("All pass <!-- x. Y -->", None),
        ("So.【F:a.py†L1】 All pass ", "All pass"),
        ("So.【abc†L1】", None),
        ("", None),
        ("- ", None),
        ("**", None),
        ("All pass.\n\n", None),
        ("...", None),
    ],
)
def test_the_sentence_before(before: str, found: str | None) -> None:
    assert claim(before) == found


def test_it_never_reaches_beyond_the_floor() -> None:
    assert claim("One fails and all pass ", 10) == "and all pass"


def test_it_reaches_only_so_far() -> None:
    found = claim("word " * 5000)
    assert found is not None
    assert REACH - 10 <= len(found) <= REACH
    assert found.startswith("word ")


def test_a_single_endless_word_is_no_claim() -> None:
    assert claim("x" * (REACH + 1)) is None


def test_in_plain_text_backticks_mean_nothing() -> None:
    assert claim("It is `so. All` pass ", path="x.txt") == "All` pass"


@given(st.text(alphabet="aA1. \n\r|>-`*#【】†!?<br>", max_size=80), st.integers(0, 80))
def test_a_claim_is_a_part_of_what_stands_before(before: str, floor: int) -> None:
    floor = min(floor, len(before))
    span = claim_before(Document("x.md", before + CITATION), len(before), floor)
    assert span is None or floor <= span.start < span.end <= len(before)

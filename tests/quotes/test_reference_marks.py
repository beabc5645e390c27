"""Reference marks in brackets are the paper's: a quote may have them or leave them out, and may not change them."""

from __future__ import annotations

import pytest

from pincite.quotes.furniture import find_marks, without_marks
from pincite.quotes.lookup import QuoteSource, describe

TEXT = (
    "The steady drafts [12, 13] scored higher than others [4]. We reset [the gauge] daily (n = 12) in all plants."
    " Samples¹² were kept cold,³ as before[7]. 样本量不足[3]是主要原因。"
)


@pytest.mark.parametrize(
    "quote",
    [
        "The steady drafts [12, 13] scored higher than others [4]",
        "The steady drafts scored higher than others",
        "The steady drafts [12, 13] scored higher than others. We reset",
        "scored higher than others. We reset [the gauge] daily",
        "drafts … higher than others. We reset",
        "daily (n = 12) in all plants",
        "Samples were kept cold, as before",
        "Samples¹² were kept cold,³ as before[7]",
        "样本量不足是主要原因",
        "样本量不足[3]是主要原因",
    ],
)
def test_marks_stand_or_are_left_out(quote: str) -> None:
    assert QuoteSource((TEXT,)).look(quote).kind == "verbatim"


@pytest.mark.parametrize(
    "quote",
    [
        "The steady drafts [12, 14] scored higher than others",
        "The steady drafts scored higher than others [5]",
        "The steady drafts [9] scored higher than others",
        "The steady drafts scored lower than others [4]",
        "We reset [the meter] daily (n = 12) in all",
        "than others [4]. We reset [the meter]",
        "[the meter] daily (n = 12) in all plants",
        "daily (n = 13) in all plants",
        "daily (m = 12) in all plants",
        "样本量不足[4]是主要原因",
        "样本量充足是主要原因",
    ],
)
def test_what_is_changed_in_the_papers_brackets_is_a_change(quote: str) -> None:
    assert QuoteSource((TEXT,)).look(quote).kind != "verbatim"


def test_what_was_left_out_is_recorded() -> None:
    assert QuoteSource((TEXT,)).look("The steady drafts scored higher than others").folded == ("reference mark",)
    assert "meter is gauge" in describe(QuoteSource((TEXT,)).look("We reset [the meter] daily").edits).replace(
        "“", ""
    ).replace("”", "")


@pytest.mark.parametrize(
    "text", ["values in the range [1, 5] only", "x[1] is first", "weights between [2] and", "f [3](a)", "[1] Smith, A."]
)
def test_indexes_and_intervals_are_no_marks(text: str) -> None:
    assert find_marks(text) == []


def test_marks_in_a_row() -> None:
    assert without_marks("It is known [1][2], they say.[3–5] So.") == (
        "It is known, they say. So.",
        [(11, "1"), (11, "2"), (22, "3–5")],
    )

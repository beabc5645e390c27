"""What the blocks of a page are taken for."""

from __future__ import annotations

import pytest

from pincite.quotes.page_blocks import is_caption


@pytest.mark.parametrize(
    "text",
    [
        "Figure 1: Readings",
        "Fig. 3. The mean",
        "Table 2",
        "TABLE IV",
        "Figure 3(a) Noon",
        "Table A.1 Results",
        "Algorithm 2 Sort",
    ],
)
def test_captions(text: str) -> None:
    assert is_caption(text)


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3 shows that",
        "Table 2 has all of them",
        "Figure 3(a) shows",
        "Figures of speech",
        "Tableau",
        "A Table 3: x",
        "Program",
    ],
)
def test_sentences_about_a_figure_are_no_captions(text: str) -> None:
    assert not is_caption(text)

"""Words that follow one another in the file and not on the page are no quote."""

from __future__ import annotations

from array import array

import pytest

from pincite.quotes.declared_changes import chains
from pincite.quotes.lookup import QuoteSource

Row = tuple[int, int, int, str]
"""Left, size, foot and text of a line."""

WIDE = 2400
LEFT, RIGHT = 540, 3160
FILLER = (
    "We report on what was seen in the plants that took part, and on",
    "what their operators told us about the gauges that they had used",
    "before the change. None of them had been asked about it earlier,",
    "and none had kept more than the daily sheets of the last season.",
    "Readings were taken by hand, at noon and at night, and copied to",
    "the ledger of the plant, where they stayed until the next visit.",
)
OPEN = "The lossy resets were seen in every plant in which the gauge had"
GOES_ON = "been mounted upside down, and in no other. They stopped when all"
NOTICE = "Permission to make digital or hard copies of this work is granted"
PRICE = "for classroom use. Copyright 1997 ACM 0-89791-890-8/97/0005...$3.50"


def body(left: int, top: int, *lines: str, size: int = 100) -> list[Row]:
    """Lines of running text below one another."""
    return [(left, size, top - 120 * at, line) for at, line in enumerate(lines)]


def source(*pages: list[Row]) -> QuoteSource:
    """A paper whose lines stand where they are said to, drawn in this order."""
    texts, boxes = [], []
    for rows in pages:
        texts.append("\n".join(text for *_, text in rows))
        numbers: list[int] = []
        for left, size, foot, text in rows:
            numbers += (left, left + (WIDE if len(text) > 40 else 25 * len(text)), foot, size)
        boxes.append(array("h", numbers).tobytes())
    return QuoteSource(tuple(texts), tuple(boxes), may_be_damaged=True)


FIRST = body(LEFT, 7200, *FILLER, *FILLER[::-1], OPEN)
SECOND = body(RIGHT, 7200, GOES_ON, *FILLER)


@pytest.mark.parametrize(
    ("between", "quote"),
    [
        (body(LEFT, 5000, NOTICE, PRICE, size=80), "in every plant in which the gauge had Permission to make digital"),
        (body(LEFT, 5000, NOTICE, PRICE, size=80), "0-89791-890-8/97/0005...$3.50 been mounted upside down"),
        (
            body(LEFT, 5000, "Figure 2: Readings of three gauges over one day, and their mean."),
            "in every plant in which the gauge had Figure 2: Readings of three gauges",
        ),
        (
            body(LEFT, 5000, "Figure 2: Readings of three gauges over one day, and their mean."),
            "over one day, and their mean. been mounted upside down, and in no other.",
        ),
        (body(LEFT, 3000, "0 500 1000 1500 2000", size=70), "plant in which the gauge had 0 500 1000 1500 2000"),
    ],
)
def test_a_sentence_and_what_the_file_draws_behind_it_are_stitched(between: list[Row], quote: str) -> None:
    paper = source([*FIRST, *between, *SECOND])
    look = paper.look(quote)
    assert look.kind == "stitched"
    assert len(look.passages) == 2
    assert paper.verbatim(quote) is None
    assert paper.look("seen in every plant in which the gauge had been mounted upside down").kind == "verbatim"


def test_a_sentence_and_a_running_head_are_stitched() -> None:
    head = [(LEFT, 100, 7600, "Lossy gauges and their use in eleven plants of the northern valley")]
    ends = (OPEN, "one", "another", "a third")
    paper = source(*([*head, *body(LEFT, 7200, *FILLER, *FILLER[at:], end)] for at, end in enumerate(ends)))
    assert paper.look("every plant in which the gauge had Lossy gauges and their use in eleven").kind == "stitched"
    assert paper.look("Lossy gauges and their use in eleven plants of the northern valley").kind == "verbatim"


def test_an_omission_does_not_hide_the_seam() -> None:
    paper = source([*FIRST, *body(LEFT, 5000, NOTICE, PRICE, size=80), *SECOND])
    assert paper.look("We report on what was seen … which the gauge had Permission to make").kind != "verbatim"


def test_marks_of_references_do_not_hide_the_seam() -> None:
    marked = body(LEFT, 7200, *FILLER, *FILLER[::-1], OPEN.replace("resets were", "resets [7] were"))
    paper = source([*marked, *body(LEFT, 5000, NOTICE, PRICE, size=80), *SECOND])
    assert paper.look("The lossy resets were seen in every plant in which the gauge had").kind == "verbatim"
    assert (
        paper.look("The lossy resets were seen in every plant in which the gauge had Permission to make").kind
        != "verbatim"
    )


def test_two_paragraphs_are_quoted_together() -> None:
    text = [*body(LEFT, 7200, *FILLER), *body(LEFT, 6200, *FILLER[::-1])]
    paper = source([*text, *body(RIGHT, 7200, *FILLER)])
    assert paper.look("where they stayed until the next visit. the ledger of the plant").kind == "verbatim"


def test_a_formula_may_be_quoted_with_its_sentence() -> None:
    text = [*FIRST, (LEFT + 800, 100, 5450, "g = 3r + 1 (7)"), *body(LEFT, 5200, GOES_ON, *FILLER)]
    paper = source([*text, *body(RIGHT, 7200, *FILLER)])
    assert paper.look("every plant in which the gauge had g = 3r + 1 (7) been mounted upside down").kind == "verbatim"


def test_a_caption_may_be_quoted_whatever_stands_inside_it() -> None:
    caption = [
        (LEFT, 100, 5000, "Figure 2: Readings of three gauges over one day, in cubic metres per"),
        (LEFT + 1200, 70, 4940, "∗"),
        (LEFT, 100, 4880, "hour and gauge, at the mean of λ"),
    ]
    paper = source([*FIRST, *caption, *SECOND])
    assert paper.look("Readings of three gauges over one day, in cubic metres per ∗ hour and gauge").kind == "verbatim"


def test_the_dots_of_a_price_are_no_omission() -> None:
    assert not chains("Copyright 1997 ACM 0-89791-890-8/97/0005...$3.50")
    assert chains("the plants paid ... $3.50 for each gauge")

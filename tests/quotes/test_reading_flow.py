"""Sentences that go on in the next column, on the next page, or behind what stands between; and those that do not."""

from __future__ import annotations

from array import array

from hypothesis import given
from hypothesis import strategies as st

from pincite.quotes.lookup import QuoteSource
from pincite.quotes.reading_flow import find_flow

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


def body(left: int, top: int, *lines: str, size: int = 100) -> list[Row]:
    """Lines of running text below one another."""
    return [(left, size, top - 120 * at, line) for at, line in enumerate(lines)]


def source(*pages: list[Row], short: tuple[str, ...] = ()) -> QuoteSource:
    """A paper whose lines stand where they are said to, drawn in this order."""
    texts, boxes = [], []
    for rows in pages:
        texts.append("\n".join(text for *_, text in rows))
        numbers: list[int] = []
        for left, size, foot, text in rows:
            full = len(text) > 40 and text not in short
            numbers += (left, left + (WIDE if full else 25 * len(text)), foot, size)
        boxes.append(array("h", numbers).tobytes())
    return QuoteSource(tuple(texts), tuple(boxes))


BREAKS_OFF = "The lossy resets were seen in every plant in which the gauge had"
GOES_ON = "been mounted upside down, and in no other. They stopped when all"
QUOTE = "seen in every plant in which the gauge had been mounted upside down"
FIRST = body(LEFT, 7200, *FILLER, *FILLER[::-1], BREAKS_OFF)
CAPTION = "Figure 2: Readings of three gauges over one day, and their mean."


def found(paper: QuoteSource, quote: str = QUOTE) -> tuple[str, tuple[int, int]]:
    look = paper.look(quote)
    return look.kind, (look.passages[0].page, look.passages[0].end_page) if look.passages else (-1, -1)


def test_a_sentence_goes_on_in_the_next_column_whatever_was_drawn_between() -> None:
    second = body(RIGHT, 7200, GOES_ON, *FILLER)
    assert found(source([*FIRST, *second])) == ("verbatim", (0, 0))
    assert found(source([*second, *FIRST])) == ("verbatim", (0, 0))


def test_a_sentence_goes_on_on_the_next_page_behind_its_running_head() -> None:
    pages = [
        [(LEFT, 80, 7600, head), *rows, (2900, 80, 300, str(number))]
        for number, (head, rows) in enumerate(
            [
                ("Of gauges", FIRST),
                ("A. Writer", body(LEFT, 7200, GOES_ON, *FILLER)),
                ("On resets", body(LEFT, 7200, *FILLER)),
            ],
            17,
        )
    ]
    assert found(source(*pages)) == ("verbatim", (0, 1))


def test_a_number_alone_at_the_foot_of_a_page_is_no_text() -> None:
    paper = source([*FIRST, (2900, 100, 4000, "661")], body(LEFT, 7200, GOES_ON, *FILLER))
    assert found(paper) == ("verbatim", (0, 1))


def test_a_sentence_goes_on_behind_a_figure_at_the_top_of_the_next_column() -> None:
    figure = [(RIGHT + 300, 70, 7200, "noon"), (RIGHT + 900, 70, 7000, "night"), (RIGHT, 100, 6700, CAPTION)]
    assert found(source([*FIRST, *figure, *body(RIGHT, 6300, GOES_ON, *FILLER)])) == ("verbatim", (0, 0))


def test_a_sentence_goes_on_behind_a_figure_at_the_foot_of_its_column() -> None:
    figure = [(LEFT + 300, 70, 5450, "noon"), (LEFT, 100, 5100, CAPTION)]
    assert found(source([*FIRST, *figure, *body(RIGHT, 7200, GOES_ON, *FILLER)])) == ("verbatim", (0, 0))


def test_a_sentence_goes_on_behind_a_figure_across_the_page() -> None:
    wide = [(LEFT, 100, 6800, CAPTION), (LEFT, 100, 6680, "The scale is that of the plant.")]
    texts = [*body(LEFT, 6200, GOES_ON, *FILLER), *body(RIGHT, 6200, *FILLER)]
    paper = source([*body(LEFT, 7200, *FILLER), *body(RIGHT, 7200, *FILLER, BREAKS_OFF)], [*wide, *texts])
    paper._boxes = (paper._boxes[0], array("h", [LEFT, 5560, 6800, 100]).tobytes() + paper._boxes[1][8:])
    assert found(paper) == ("verbatim", (0, 1))


def test_a_sentence_goes_on_behind_small_print_at_the_foot_of_its_column() -> None:
    notice = [(LEFT, 70, 5400, "Permission to make copies is granted without fee, provided that")]
    notice += [(LEFT, 70, 5320, "copies are not made for profit.")]
    assert found(source([*FIRST, *notice, *body(RIGHT, 7200, GOES_ON, *FILLER)])) == ("verbatim", (0, 0))


def test_a_sentence_goes_on_behind_a_footnote_in_the_size_of_the_text() -> None:
    note = [
        (LEFT, 100, 5450, "4 For the eight gauges that were left in place, see the appendix."),
        (LEFT, 100, 5330, "There."),
    ]
    assert found(source([*FIRST, *note, *body(RIGHT, 7200, GOES_ON, *FILLER)])) == ("verbatim", (0, 0))


def test_the_sign_of_a_footnote_may_be_a_line_of_its_own() -> None:
    note = [
        (LEFT, 65, 5152, "4"),
        *body(LEFT + 60, 5100, "Obviously, this is not tolerant of malice: any failure of one of"),
    ]
    note += body(LEFT, 4980, "them could lead to a split, as the operators of two plants told us.")
    address = [(LEFT, 100, 4700, "1 someone@plants.example.org")]
    second = body(LEFT, 7200, GOES_ON, *FILLER)
    assert found(source([*FIRST, *note], second)) == ("verbatim", (0, 1))
    assert found(source([*FIRST, *address], second)) == ("verbatim", (0, 1))


def test_the_number_of_a_page_may_stand_beside_its_last_line() -> None:
    def page(at: int, *lines: str) -> list[Row]:
        rows = body(LEFT, 7200, *lines)
        return [*rows, (LEFT + WIDE + 80, 100, rows[-1][2] - 20, str(at))]

    ends = "and one that was never used, as the sheets of the plant show it."
    paper = source(page(7, *FILLER, BREAKS_OFF), page(8, GOES_ON, *FILLER, ends), page(9, *FILLER, *FILLER))
    assert found(paper) == ("verbatim", (0, 1))


def test_a_stamp_of_which_nothing_is_known_is_no_text() -> None:
    stamp = (0, 0, 0, "Authorized licensed use limited to the University of the Valley.")
    pages = [
        [*FIRST, stamp],
        [*body(LEFT, 7200, GOES_ON, *FILLER), stamp],
        [*body(LEFT, 7200, *FILLER, *FILLER), stamp],
    ]
    assert found(source(*pages)) == ("verbatim", (0, 1))


def test_a_word_may_be_parted_by_the_break() -> None:
    first = body(LEFT, 7200, *FILLER, "The lossy resets were seen in every plant in which the gauge was re\u00ad")
    paper = source(
        [*first, (LEFT, 70, 5400, "a note")],
        body(LEFT, 7200, "placed, and in no other. They did not come back later, " + "as told"),
    )
    assert found(paper, "in which the gauge was replaced, and in no other") == ("verbatim", (0, 1))


def test_a_stamp_in_the_margin_is_no_text() -> None:
    stamp = (0, -1, 0, "arXiv:2401.00001v2 [cs.DL] 3 Jan 2024")
    assert found(source([*FIRST, stamp], body(LEFT, 7200, GOES_ON, *FILLER))) == ("verbatim", (0, 1))


def test_words_of_what_stands_between_are_no_part_of_the_sentence() -> None:
    note = [(LEFT, 70, 5400, "Copies are free.")]
    paper = source([*FIRST, *note, *body(RIGHT, 7200, GOES_ON, *FILLER)])
    assert found(paper, "in which the gauge had Copies are free. been mounted upside down")[0] != "verbatim"


def test_a_line_of_the_text_is_not_skipped() -> None:
    second = body(RIGHT, 7200, GOES_ON, *FILLER)
    paper = source([*FIRST, (LEFT, 70, 5400, "a note"), *second])
    skipped = f"in every plant in which the gauge had {FILLER[0]}"
    assert found(paper, skipped)[0] not in ("verbatim", "parted")


def test_a_formula_is_text_and_not_skipped() -> None:
    formula = [(RIGHT + 800, 100, 7200, "g = 3r + 1 (7)")]
    paper = source([*FIRST, *formula, *body(RIGHT, 6900, GOES_ON, *FILLER)])
    assert found(paper) == ("parted", (0, 0))


def test_a_line_that_begins_with_a_figure_and_goes_on_is_text() -> None:
    rows = [
        *FILLER,
        "The three of them that failed at once are those that are shown in",
        "Figure 3. The others went on as if nothing had happened to any of",
        GOES_ON,
    ]
    paper = source(body(LEFT, 7200, *rows), body(LEFT, 7200, *FILLER))
    assert found(paper, "those that are shown in been mounted upside down")[0] != "verbatim"
    assert found(paper, "those that are shown in Figure 3. The others went on as if") == ("verbatim", (0, 0))


def test_a_short_line_of_its_own_behind_a_figure_is_not_skipped() -> None:
    closed = body(LEFT, 7200, *FILLER[:5], "the ledger of the plant, where they stayed until the last visit.")
    second = [
        (RIGHT, 100, 7000, CAPTION),
        (RIGHT, 100, 6600, "Then it was over for them."),
        *body(RIGHT, 6300, *FILLER),
    ]
    paper = source([*closed, *second])
    assert found(paper, f"stayed until the last visit. {FILLER[0]}")[0] != "verbatim"


def test_where_nothing_tells_what_follows_what_the_quote_is_neither_stitched_nor_verbatim() -> None:
    """What stands between looks like text of the paper in every respect."""
    between = body(
        LEFT,
        5450,
        "Those who kept the books of the plant did so on their own account",
        "and were not paid for it. Some of them had asked for a share once.",
    )
    paper = source([*FIRST, *between, *body(RIGHT, 7200, GOES_ON, *FILLER)])
    assert found(paper) == ("parted", (0, 0))


def test_two_sentences_of_their_own_places_are_stitched() -> None:
    paper = source(
        body(LEFT, 7200, *FILLER, GOES_ON), body(LEFT, 7200, *reversed(FILLER)), body(LEFT, 7200, BREAKS_OFF, *FILLER)
    )
    quote = "None of them had been asked about it earlier The lossy resets were seen in every plant"
    assert found(paper, quote)[0] == "stitched"


def test_without_places_the_text_is_searched_as_it_stands() -> None:
    paper = source([*FIRST, (LEFT, 70, 5400, "a note"), *body(RIGHT, 7200, GOES_ON, *FILLER)])
    bare = QuoteSource(paper._pages)
    assert bare.flow == () and found(bare)[0] != "verbatim"
    assert QuoteSource(paper._pages, (b"\0" * 3,)).look(FILLER[0]).kind == "verbatim"


def test_a_quote_that_stands_twice_is_found_across_a_break_when_sought_everywhere() -> None:
    pages = [body(LEFT, 7200, *FILLER, QUOTE), [*FIRST, (LEFT, 70, 5400, "a note")], body(LEFT, 7200, GOES_ON, *FILLER)]
    paper = source(*pages)
    assert [one.page for one in paper.look(QUOTE).passages] == [0]
    assert [(one.page, one.end_page) for one in paper.look(QUOTE, everywhere=True).passages] == [(0, 0), (1, 2)]


@given(
    st.lists(
        st.lists(
            st.tuples(
                *[st.integers(-32768, 32767)] * 4, st.sampled_from([*FILLER, CAPTION, "1", "a b", "*", "\u00ad"])
            ),
            max_size=12,
        ),
        max_size=3,
    )
)
def test_no_place_of_lines_is_too_odd(pages: list[list[tuple[int, int, int, int, str]]]) -> None:
    texts = ["\n".join(row[4] for row in rows) for rows in pages]
    boxes = [array("h", [number for row in rows for number in row[:4]] or [0] * 4).tobytes() for rows in pages]
    flow = find_flow(texts, boxes)
    seen = [row.text for piece in flow.pieces for row in piece.rows]
    assert all(seen.count(text) <= sum(page.split("\n").count(text) for page in texts) for text in set(seen))
    QuoteSource(tuple(texts), tuple(boxes)).look(f"{FILLER[0]} {FILLER[3]}")

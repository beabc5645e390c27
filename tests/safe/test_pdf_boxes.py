"""Where the lines of a page stand, as the reader of PDFs tells; and spaces that its extractor misses."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from pincite.quotes.lookup import QuoteSource
from pincite.safe.pdf import read_pdf
from pincite.safe.pdf_boxes import Vocabulary, join_pairs, split_pairs

LINES = (
    "We report on what was seen in the plants that took part, and on a",
    "few that did not, and on what their operators told about gauges",
    "that they had used before the change. None had been asked before,",
    "and none had kept more than the sheets of the last season at all.",
    "Readings were taken by hand, at noon and at night, and copied to",
    "the ledger of the plant, where they stayed until the next visit.",
)


def drawn(*pages: Callable[[Any], object]) -> bytes:
    target = BytesIO()
    canvas = Canvas(target, invariant=1)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def text_at(canvas: Any, x: float, y: float, lines: tuple[str, ...], width: float = 240, size: float = 9) -> None:
    """Lines below one another, each as wide as the column unless it ends a paragraph."""
    for at, line in enumerate(lines):
        text = canvas.beginText(x, y - at * size * 1.2)
        text.setFont("Times-Roman", size)
        gap = width - canvas.stringWidth(line, "Times-Roman", size)
        text.setWordSpace(gap / line.count(" ") if " " in line and 0 < gap < 60 else 0)
        text.textOut(line)
        canvas.drawText(text)


def places(data: bytes, page: int = 0) -> dict[str, tuple[int, ...]]:
    """The lines of a page with left, right, foot and size in tenths of a point."""
    text = read_pdf(data)
    numbers = array("h", text.boxes[page])
    lines = text.pages[page].split("\n")
    assert len(numbers) == 4 * len(lines)
    return {line.strip(): tuple(numbers[4 * at : 4 * at + 4]) for at, line in enumerate(lines)}


def test_each_line_has_its_edges_its_foot_and_the_size_of_its_type() -> None:
    def page(canvas: Any) -> None:
        canvas.setFont("Times-Roman", 14)
        canvas.drawString(72, 700, "A heading")
        text_at(canvas, 72, 660, LINES[:2])

    found = places(drawn(page))
    assert found["A heading"][0] == 720 and found["A heading"][3] == 140
    left, right, foot, size = found[LINES[0]]
    assert (left, size) == (720, 90) and abs(right - 3120) < 10 and 6550 < foot < 6600
    assert foot - found[LINES[1]][2] in (107, 108, 109)


def test_raised_references_at_the_end_of_a_line_do_not_make_its_type_small() -> None:
    """The letter in the middle of a line decides where its ends differ, and that may be a space that nobody drew."""

    def page(canvas: Any) -> None:
        x = 60.0
        for word in ("every", "plant", "was", "official"):
            canvas.setFont("Times-Roman", 9)
            canvas.drawString(x, 700, word)
            x += canvas.stringWidth(f"{word} ", "Times-Roman", 9)
        canvas.setFont("Times-Roman", 5.4)
        canvas.drawString(x - 2, 703, "35,36,39")

    ((line, place),) = places(drawn(page)).items()
    assert line.startswith("every plant was official") and place[3] == 90


def test_type_that_was_scaled_has_the_size_that_is_seen() -> None:
    def page(canvas: Any) -> None:
        canvas.scale(2, 2)
        text_at(canvas, 36, 350, LINES[:2], size=5)

    assert places(drawn(page))[LINES[0]][3] == 100


def test_a_line_that_does_not_run_level_is_told() -> None:
    def page(canvas: Any) -> None:
        text_at(canvas, 72, 660, LINES)
        canvas.rotate(90)
        canvas.drawString(200, -30, "arXiv:2401.00001v2 3 Jan 2024")

    found = places(drawn(page))
    assert next(place for line, place in found.items() if line.startswith("arXiv"))[3] == -1


def test_a_page_number_behind_the_last_line_is_a_line_of_its_own() -> None:
    """The extractor puts it behind a last line that stands little higher."""

    def page(canvas: Any) -> None:
        text_at(canvas, 320, 130, LINES[:2])
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(300, 114, "13")

    found = places(drawn(page))
    assert LINES[1] in found and "13" in found


@pytest.mark.parametrize("gap", [1.3, 1.6, 2.4])
def test_a_space_that_is_seen_and_not_extracted_is_read(gap: float) -> None:
    def page(canvas: Any) -> None:
        text_at(canvas, 72, 700, ("Of that chunk nothing was left, and that was all.", *LINES))
        text = canvas.beginText(72, 600)
        text.setFont("Times-Roman", 9)
        text.setWordSpace(0)
        text.textOut("We give a chunk")
        text.setTextOrigin(72 + canvas.stringWidth("We give a chunk", "Times-Roman", 9) + gap, 600)
        text.textOut("that was lost a higher priority")
        canvas.drawText(text)

    assert "a chunk that was lost" in read_pdf(drawn(page)).pages[0]


def test_a_word_made_of_two_stays_one() -> None:
    def page(canvas: Any) -> None:
        text_at(canvas, 72, 700, ("The data of the base and the database, with and out and without.", *LINES))

    assert "and the database, with and out and without." in read_pdf(drawn(page)).pages[0]


@given(st.text("ab c.,é\n", max_size=80), st.booleans())
def test_missed_spaces_are_places_of_the_text(text: str, apart: bool) -> None:
    found = Vocabulary().find_missed(text, lambda at: apart)
    assert all(0 <= at < len(text) - 1 and not text[at].isspace() and not text[at + 1].isspace() for at in found)
    assert apart or not found


def test_a_sentence_is_found_over_a_figure_and_a_footnote_in_a_file() -> None:
    def first(canvas: Any) -> None:
        text_at(canvas, 72, 700, (*LINES, *LINES))
        text_at(canvas, 72, 560, ("* Supported by a grant of the plants, and by nobody else.",), size=7)
        text_at(canvas, 330, 700, (*LINES, *LINES, "The resets were seen in every plant in which the gauge had"))

    def second(canvas: Any) -> None:
        text_at(canvas, 110, 690, ("noon", "night"), size=6)
        text_at(canvas, 72, 600, ("Figure 2: Readings of three gauges over one day, and their mean.",))
        text_at(canvas, 72, 560, ("been mounted upside down, and in no other. They ceased when it", *LINES, *LINES))
        text_at(canvas, 330, 700, (*LINES[::-1], *LINES, *LINES, *LINES))

    text = read_pdf(drawn(first, second))
    look = QuoteSource(text.pages, text.boxes).look("in every plant in which the gauge had been mounted upside down")
    assert (look.kind, look.passages[0].page, look.passages[0].end_page) == ("verbatim", 0, 1)
    assert "figure or table" in look.folded
    assert QuoteSource(text.pages).look("the gauge had been mounted upside down").kind != "verbatim"


def test_letters_beyond_the_basic_plane_count_as_the_extractor_counts_them() -> None:
    data = "let 𝑥 be".encode("utf-16-le")
    text = split_pairs(data)
    assert len(text) * 2 == len(data)
    assert text[text.index("b")] == "b" == data.decode("utf-16-le")[6]
    assert join_pairs(text) == "let 𝑥 be"
    assert split_pairs("plain".encode("utf-16-le")) == "plain"
    assert join_pairs("a\ud835b") == "ab"

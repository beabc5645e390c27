"""Raised digits: told from others by where they stand, and never at the cost of a character."""

from __future__ import annotations

from io import BytesIO
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as some

from pincite.safe.pdf import read_pdf
from pincite.safe.pdf_superscripts import mark_raised_digits

Pieces = list[tuple[str, float]]
"""Text and how far above the line it stands; what does is smaller."""


def drawn(lines: list[Pieces], font: str = "Times-Roman", scaled: bool = False) -> str:
    """The text of a page with these lines, the size of the type in the font or, as some programs do, in the matrix."""
    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    canvas = Canvas(target, invariant=1)
    for row, line in enumerate(lines):
        x, y = 60.0, 700.0 - 14 * row
        text = canvas.beginText(x, y)
        for piece, rise in line:
            size = 6 if rise else 10
            text.setFont(font, 1 if scaled else size)
            if scaled:
                text.setTextTransform(size, 0, 0, size, x, y + rise)
                x += canvas.stringWidth(piece, font, size)
            else:
                text.setRise(rise)
            text.textOut(piece)
        canvas.drawText(text)
    canvas.save()
    return read_pdf(target.getvalue()).pages[0]


@pytest.mark.parametrize("scaled", [False, True])
@pytest.mark.parametrize("font", ["Times-Roman", "Helvetica"])
@pytest.mark.parametrize("rise", [3.0, 3.5, 4.5])
def test_references_and_exponents_are_written_as_such(font: str, scaled: bool, rise: float) -> None:
    lines: list[Pieces] = [
        [("Of samples", 0), ("12,13", rise), (" it grew 7.95", 0), ("17", rise), (" per cent.", 0), ("4", rise)],
        [("Then 10", 0), ("3", rise), (" and 10", 0), ("-3", rise), (" and 62 s", 0), ("2", rise), (" of it", 0)],
        [("on 5 m", 0), ("2", rise), (", Ca", 0), ("2+", rise), (" so,", 0), ("1, 2", rise), (" 1,000.", 0)],
        [("All", 0), ("12-14", rise), (" 10", 0), ("18", rise), (" end", 0)],
    ]
    assert drawn(lines, font, scaled).split("\n") == [
        "Of samples¹²,¹³ it grew 7.95¹⁷ per cent.⁴",
        "Then 10³ and 10⁻³ and 62 s² of it",
        "on 5 m², Ca²⁺ so,¹, ² 1,000.",
        "All¹²-¹⁴ 10¹⁸ end",
    ]


def test_other_digits_stay() -> None:
    lines: list[Pieces] = [
        [("H", 0), ("2", -2), ("O and COVID19, 12,345 of [12] at 3.14", 0)],
        [("GPT-4 of 1990-1995, 5m2", 0)],
        [("7 small", 0), (" 12 and x13", -0.1)],
    ]
    assert drawn(lines).split("\n") == [
        "H2O and COVID19, 12,345 of [12] at 3.14",
        "GPT-4 of 1990-1995, 5m2",
        "7 small 12 and x13",
    ]


def test_a_line_that_ends_in_a_raised_digit_ends_there() -> None:
    lines: list[Pieces] = [[("Of samples", 0), ("4", 3.5)], [("the next line", 0)], [("and 5 m", 0), ("2", 3.5)]]
    assert drawn([*lines, [("10 more", 0)]]).split("\n") == ["Of samples⁴", "the next line", "and 5 m²", "10 more"]


numbers = some.floats(width=32) | some.sampled_from([0.0, 6.0, 10.0])


@given(some.text("ab1290,.-– \r\n\x02\ufffe²+", max_size=60), some.data())
def test_no_character_is_lost(text: str, data: some.DataObject) -> None:
    seats = data.draw(
        some.lists(
            some.none() | some.tuples(numbers, numbers, numbers, numbers), min_size=len(text), max_size=len(text)
        )
    )
    feet = data.draw(some.lists(numbers, min_size=len(text), max_size=len(text)))
    done = mark_raised_digits(text, lambda at: seats[at] if at < len(seats) else None, lambda at: feet[at])
    assert len(done) == len(text)
    changed = [(one, other) for one, other in zip(text, done, strict=True) if one != other]
    assert all(other in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻" or (one in " \r\n" and other in "\0 ") for one, other in changed)
    assert mark_raised_digits(text, lambda _: None, lambda _: 0.0) == text


def test_asking_grows_with_the_text() -> None:
    def took(size: int) -> float:
        text = "a" + "1" * size + " 7,7.7 b2\n" * size
        started = process_time()
        mark_raised_digits(
            text, lambda at: (10.0 if at % 3 else 6.0, at, at + 1.0, float(at)), lambda at: 5.0 * (at % 3 == 0)
        )
        return process_time() - started

    took(2000)
    # The best of three: a busy machine makes a run longer and never shorter.
    long, short = (min(took(size) for _ in range(3)) for size in (32_000, 2000))
    assert long < 60 * max(short, 0.002)

"""Pages of PDFs as pictures: words are marked where they stand, and what is hostile ends in a message."""

from __future__ import annotations

import struct
import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest

from pincite.core.limits import Limits
from pincite.safe import pdf_child, pdf_picture
from pincite.safe.pdf import PdfTrouble
from pincite.safe.pdf_picture import PagePicture, draw_page
from support_pdf import make_pdf

HERE = Path(__file__).resolve().parent
SMALL = Limits(picture_width=400, picture_pixels=250_000)


def load_beside(name: str) -> ModuleType:
    """A module of this folder that is no test."""
    spec = spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


bad = load_beside("hostile_pdfs")
CASES = {case.name: case for case in bad.hostile()}


def read_rows(picture: PagePicture) -> list[bytes]:
    """The pixels of a PNG that a picture holds, row by row; every sum of its chunks is right."""
    data, at, body = picture.png, 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        held = data[at + 8 : at + 8 + size]
        assert zlib.crc32(name + held) == int.from_bytes(data[at + 8 + size : at + 12 + size], "big")
        if name == b"IHDR":
            assert struct.unpack(">II", held[:8]) == (picture.width, picture.height)
        body += held if name == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(body)
    length = picture.width * 3 + 1
    assert len(raw) == length * picture.height
    return [raw[start + 1 : start + length] for start in range(0, len(raw), length)]


def count_yellow(picture: PagePicture, box: tuple[int, int, int, int]) -> float:
    """Which part of a place is the colour of the mark, letters aside."""
    rows, (left, top, right, bottom) = read_rows(picture), box
    pixels = [rows[y][3 * x : 3 * x + 3] for y in range(top, bottom) for x in range(left, right)]
    return sum(red > 200 and blue < 120 for red, _, blue in pixels) / len(pixels)


def test_words_are_marked_and_nothing_else_is() -> None:
    picture = draw_page(make_pdf(["Tides rise twice a day.\nThe moon pulls them."]), 0, ["moon pulls"])
    (mark,) = picture.marks
    assert count_yellow(picture, mark) > 0.6
    rows = read_rows(picture)
    yellow = {
        (x, y) for y, row in enumerate(rows) for x in range(picture.width) if row[3 * x] > 200 and row[3 * x + 2] < 120
    }
    left, top, right, bottom = mark
    assert all(left <= x < right and top <= y < bottom for x, y in yellow)


def test_marks_are_underlined_too() -> None:
    picture = draw_page(make_pdf(["The moon pulls them."]), 0, ["moon"])
    ((left, _, _, bottom),) = picture.marks
    assert read_rows(picture)[bottom - 1][3 * left : 3 * left + 3] == bytes((0xA0, 0x50, 0))


def test_hyphens_and_ligatures_do_not_hide_words() -> None:
    text = "About the moon.\nThe \ufb01rst result im-\nproves quality by 15% over\nthe baseline."
    picture = draw_page(make_pdf([text]), 0, ["THE first result  improves quality by 15%"])
    assert len(picture.marks) == 2
    first, second = picture.marks
    assert first[1] < second[1] and first[3] <= second[3]


def test_the_sign_that_words_end_with_is_marked_with_them() -> None:
    data = make_pdf(["It improves by 15% over the baseline."])
    (short,), (long,) = (draw_page(data, 0, [words]).marks for words in ("improves by 15", "improves by 15%"))
    assert short[:2] == long[:2] and short[2] < long[2]


def test_every_place_of_the_same_words_is_marked() -> None:
    assert len(draw_page(make_pdf(["tide one\ntide two\ntide three"]), 0, ["tide"]).marks) == 3


def test_words_across_two_pages_are_marked_on_both() -> None:
    data = make_pdf(["The harbour is fourteen metres", "deep at low water."])
    words = ["The harbour is fourteen metres deep at low water."]
    assert [len(draw_page(data, page, words).marks) for page in (0, 1)] == [1, 1]


def test_columns_that_were_drawn_line_by_line_are_read_one_after_the_other() -> None:
    from reportlab.pdfgen.canvas import Canvas

    target = BytesIO()
    canvas = Canvas(target, invariant=1)
    left = [
        "The moon raises two tides",
        "a day in every harbour of",
        "the coast, and the sun has",
        "a part in it that is not",
    ]
    right = [
        "Salmon climb the weir when",
        "autumn comes to the river",
        "and the water is cold. A",
        "ladder of nine pools was",
    ]
    for at, (one, other) in enumerate(zip(left * 4, right * 4, strict=True)):
        canvas.drawString(60, 740 - 14 * at, f"{one} {at}")
        canvas.drawString(320, 740 - 14 * at, f"{other} {at}")
    canvas.showPage()
    canvas.save()
    picture = draw_page(target.getvalue(), 0, ["a day in every harbour of 1 the coast, and the sun has 2"])
    assert len(picture.marks) == 2
    assert all(mark[2] < picture.width / 2 for mark in picture.marks)


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_marks_follow_a_page_that_is_turned(turned: int) -> None:
    data = bad.one_page(page=b"/Rotate %d" % turned)
    picture = draw_page(data, 0, ["Hello"])
    (mark,) = picture.marks
    assert count_yellow(picture, mark) > 0.4


@pytest.mark.parametrize("words", [[], [""], ["\0\0"], ["…"], ["nothing like it"], ["\ud800"], ["x" * 100_000] * 50])
def test_words_that_are_not_there_mark_nothing(words: list[str]) -> None:
    assert draw_page(make_pdf(["The moon pulls them."]), 0, words, SMALL).marks == []


@pytest.mark.parametrize("page", [1, 7, 10**9])
def test_a_page_that_is_not_there_is_refused(page: int) -> None:
    with pytest.raises(PdfTrouble, match=f"it has no page {page + 1}"):
        draw_page(make_pdf(["One page"]), page)


@pytest.mark.parametrize("box", [b"0 0 1 100000", b"0 0 100000 1", b"0 0 14400 14400", b"0 0 0.001 0.001"])
def test_pages_of_any_size_have_few_pixels(box: bytes) -> None:
    picture = draw_page(bad.one_page(box=box), 0, ["Hello"], SMALL)
    assert 0 < picture.width * picture.height <= SMALL.picture_pixels
    assert len(read_rows(picture)) == picture.height


@pytest.mark.parametrize("name", sorted(CASES))
def test_hostile_files_end_in_a_picture_or_in_a_message(name: str) -> None:
    case = CASES[name]
    limits = Limits(picture_seconds=min(case.seconds, 10), pdf_memory=384 << 20, picture_pixels=200_000)
    try:
        picture = draw_page(case.make(), 0, ["Hello"], limits)
    except PdfTrouble as trouble:
        assert trouble.kind in bad.KINDS and "\n" not in str(trouble)
    else:
        assert picture.width * picture.height <= limits.picture_pixels
        assert len(read_rows(picture)) == picture.height


def test_an_encrypted_file_says_so() -> None:
    with pytest.raises(PdfTrouble, match="is encrypted; save a copy without a password"):
        draw_page(make_pdf(["One page"], encrypted=True), 0)


@pytest.mark.parametrize("data", [b"", b"no PDF at all"])
def test_what_is_no_pdf_starts_no_process(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_picture, "run_reader", lambda *_: pytest.fail("a process was started"))
    with pytest.raises(PdfTrouble, match="is damaged"):
        draw_page(data, 0)


def test_a_file_beyond_the_limit_is_refused() -> None:
    with pytest.raises(PdfTrouble, match="too large"):
        draw_page(make_pdf(["One page"]), 0, limits=Limits(pdf_bytes=100))


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x92\xa0",
        [b"no picture", 1, 1, 1, []],
        [b"\x89PNG", 1, 1, 1, [1, 2, 3]],
        [b"\x89PNG", "1", 1, 1, []],
        ["x"],
    ],
)
def test_a_broken_answer_is_no_picture(answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = answer if isinstance(answer, bytes) else b"".join(pdf_child.pack_msgpack(["", answer]))
    monkeypatch.setattr(pdf_picture, "run_reader", lambda *_: packed)
    with pytest.raises(PdfTrouble, match="answer is broken"):
        draw_page(make_pdf(["One page"]), 0)


def test_an_answer_that_is_too_long_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    def overflow(*_: object) -> bytes:
        raise OverflowError

    monkeypatch.setattr(pdf_picture, "run_reader", overflow)
    with pytest.raises(PdfTrouble, match="answer is broken"):
        draw_page(make_pdf(["One page"]), 0)

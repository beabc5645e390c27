"""Pages whose text is not what a reader sees."""

from __future__ import annotations

from random import Random
from string import ascii_lowercase, ascii_uppercase

import pytest

from pincite.papers.legibility import describe_faults, find_page_fault

PROSE = (
    "The readings of the gauge differ by less than three per cent, and we see no reason to build one without it. " * 6
)
SHIFTED = "".join(chr(ord(sign) - 29) if sign.isalpha() else sign for sign in PROSE)
GERMAN = "Die Messwerte der Anzeige weichen um weniger als drei Prozent ab, und wir sehen keinen Grund zu warten. " * 6
FINNISH = "Mittarin lukemat poikkeavat toisistaan alle kolme prosenttia, eikä ole syytä rakentaa sellaista ilman. " * 6
CODE = "for (int i = 0; i < n; i++) { total += values[i]; if (total > limit) return error_code; }\n" * 8
TABLE = "Boston 12.4 13.5 14.6\nChicago 99.2 83.1 17.4\nDenver 11.0 12.5 14.0\n" * 12


@pytest.mark.parametrize(
    "page", [PROSE, GERMAN, FINNISH, CODE, TABLE, "研究表明三分之一的引文已经不再指向原来的位置。" * 5]
)
def test_what_can_be_read(page: str) -> None:
    assert find_page_fault(page) == ""


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ("", "no-text"),
        (" \n 12 \n", "no-text"),
        ("\ue021\ue003\ue054\ue012 " * 40, "glyphs"),
        ("\ufffd" * 100, "glyphs"),
        ("7KLV SDSHU VKRZV WKDW WKH UHVXOWV RI WKH VWXGB KROG. " * 12, "glyphs"),
        ("Please wait... If this message is not eventually replaced, your PDF viewer may not show it.", "placeholder"),
    ],
)
def test_what_cannot(page: str, fault: str) -> None:
    assert find_page_fault(page) == fault


PARAGRAPH = (
    "We report on what was seen in the plants that took part, and on what their operators told us about the gauges that"
    " they had used before the change. None of them had been asked about it earlier, and none had kept more than the"
    " daily sheets of the last season. Readings were taken by hand, at noon and at night, and copied to the ledger of"
    " the plant, where they stayed until the next visit. Of the eleven plants four had mounted the gauge upside down."
)
POLISH = (
    "Opisujemy to, co zaobserwowano w zakładach, które wzięły udział w badaniu, oraz to, co ich pracownicy mówili o"
    " licznikach używanych przed zmianą. Żaden z nich nie był wcześniej o to pytany, a odczyty były przepisywane"
    " ręcznie do księgi zakładu, gdzie pozostawały aż do następnej wizyty. Przyrządy przesunięto w jedenastu zakładach."
)


def swap_letters(text: str, seed: int) -> str:
    """A text whose letters stand in one another's place, as in a font without a map."""
    letters = list(ascii_lowercase)
    Random(seed).shuffle(letters)
    swapped = "".join(letters)
    return text.translate(str.maketrans(ascii_lowercase + ascii_uppercase, swapped + swapped.upper()))


def test_letters_in_the_place_of_others_are_told_whatever_they_are() -> None:
    missed = [seed for seed in range(200) if find_page_fault(swap_letters(PARAGRAPH, seed)) != "glyphs"]
    shifts = [by for by in (-31, -29, 1, 2, 3, 29, 31) if not find_page_fault(shift_codes(PARAGRAPH, by))]
    assert len(missed) <= 1 and shifts == []
    assert not any(map(find_page_fault, (PARAGRAPH, POLISH, PARAGRAPH.upper())))


def shift_codes(text: str, by: int) -> str:
    return "".join(sign if sign.isspace() else chr(max(33, ord(sign) + by)) for sign in text)


def test_a_page_with_one_font_that_can_be_read_and_one_that_cannot() -> None:
    assert find_page_fault(PARAGRAPH * 2 + swap_letters(PARAGRAPH, 1)) == "glyphs"


def test_a_table_of_contents_is_no_soup() -> None:
    assert find_page_fault("\n".join(f"{n} Gauges of the plant {'. ' * 40}{n}" for n in range(20))) == ""


def test_a_notice_has_a_way_out_of_its_own() -> None:
    notice = "Please wait... If this message is not eventually replaced, your PDF viewer may not show it."
    assert "print it to a PDF" in describe_faults([notice]) and "--ocr" not in describe_faults([notice])


def test_a_few_blank_pages_are_no_fault_of_a_paper() -> None:
    assert describe_faults([PROSE] * 9 + [""]) == ""
    assert describe_faults([PROSE]) == ""


def test_a_scan_and_a_font_without_letters_are_said_with_the_way_out() -> None:
    assert "no page can be read: the PDF holds no text (a scan?)" in describe_faults(["", ""])
    said = describe_faults([PROSE] * 20 + ["7KLV SDSHU VKRZV WKDW WKH UHVXOWV RI WKH VWXGB KROG. " * 12])
    assert said.startswith("1 of 21 pages (the first: 21) cannot be read")
    assert "--ocr" in said

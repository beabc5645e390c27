"""Pages whose text is not what a reader sees."""

from __future__ import annotations

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


def test_a_few_blank_pages_are_no_fault_of_a_paper() -> None:
    assert describe_faults([PROSE] * 9 + [""]) == ""
    assert describe_faults([PROSE]) == ""


def test_a_scan_and_a_font_without_letters_are_said_with_the_way_out() -> None:
    assert "no page can be read: the PDF holds no text (a scan?)" in describe_faults(["", ""])
    said = describe_faults([PROSE] * 20 + ["7KLV SDSHU VKRZV WKDW WKH UHVXOWV RI WKH VWXGB KROG. " * 12])
    assert said.startswith("1 of 21 pages (the first: 21) cannot be read")
    assert "--ocr" in said

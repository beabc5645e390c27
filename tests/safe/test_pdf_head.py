"""The lines of a first page with the size and place of their type."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from pincite.domains.corpus.pdf_metadata import from_pdf
from pincite.safe.pdf import find_extractor, read_pdf

pytestmark = pytest.mark.skipif(find_extractor() is None, reason="no extractor")
spec = spec_from_file_location("support_pdf", Path(__file__).parents[1] / "support_pdf.py")
assert spec is not None and spec.loader is not None
made = module_from_spec(spec)
spec.loader.exec_module(made)
PAGE = [
    (18.0, 100.0, 90.0, "Green tea and sleep"),
    (11.0, 100.0, 120.0, "Ada Lovelace"),
    (7.0, 166.0, 116.0, "1"),
    (11.0, 400.0, 120.0, "Alan Turing"),
    (9.0, 100.0, 140.0, "University of Somewhere"),
    (12.0, 100.0, 200.0, "Abstract"),
    *((10.0, 72.0, 220.0 + 12 * at, "the tea of the north is what we look at in this paper") for at in range(20)),
]


@pytest.mark.parametrize("origin", [0.0, 300.0])
def test_lines_from_the_top_with_their_sizes(origin: float) -> None:
    head = read_pdf(made.typeset_pdf(PAGE, origin)).head
    assert [(line.size, line.text) for line in head[:4]] == [
        (180, "Green tea and sleep"),
        (110, "Ada Lovelace\x1f"),
        (110, "Alan Turing"),
        (90, "University of Somewhere"),
    ]
    assert [line.top for line in head] == sorted(line.top for line in head)
    assert head[1].right < head[2].left


def test_a_paper_is_told_from_its_page_alone() -> None:
    paper, remarks = from_pdf(read_pdf(made.typeset_pdf(PAGE)), "x")
    assert (paper.title, paper.authors) == ("Green tea and sleep", ("Ada Lovelace", "Alan Turing"))
    assert paper.unsure == ()
    assert remarks == ("the year was not found; give --year",)


def test_a_page_without_text_has_no_head() -> None:
    assert read_pdf(made.make_pdf([""])).head == ()


def test_what_is_set_on_its_side_is_left_out() -> None:
    data = made.typeset_pdf([(18.0, 100.0, 90.0, "Green tea")]).replace(
        b"1 0 0 1 100.0 702.0 Tm", b"0 1 -1 0 100 702  Tm "
    )
    assert read_pdf(data).head == ()


def test_a_page_of_very_many_letters_is_cut() -> None:
    lines = [(8.0, 20.0 + (at % 60) * 9, 10.0 + (at // 60) * 5, "a") for at in range(8000)]
    head = read_pdf(made.typeset_pdf(lines)).head
    assert len(head) <= 120
    assert all(len(line.text) <= 400 for line in head)

"""Sections: names that mean the same one, and which of them holds a page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.papers.model import OutlineEntry, Paper, PdfText, Section
from pincite.papers.sections import find_section, same_section, sections_at


@pytest.mark.parametrize(
    ("cited", "name"),
    [
        ("Section 3", "3. Methods"),
        ("Section 3", "3 Methods"),
        ("§3", "3 Methods"),
        ("§3.2", "3.2 Data"),
        ("Sec. 3.2", "Section 3.2: Data"),
        ("Methods", "3 Methods"),
        ("Methods", "METHODS"),
        ("the Methods section", "3 Methods"),
        ("Materials & Methods", "2. Materials and Methods"),
        ("Section III", "3 Methods"),
        ("III. Methods", "3. Methods"),
        ("Appendix A", "Appendix A: Proofs"),
        ("Appendix", "APPENDIX"),
        ("3", "3 Methods"),
    ],
)
def test_names_of_one_section(cited: str, name: str) -> None:
    assert same_section(cited, name)
    assert same_section(name, cited)


@pytest.mark.parametrize(
    ("cited", "name"),
    [
        ("Introduction", "Methods"),
        ("Methods", "Materials and Methods"),
        ("Method", "Methods"),
        ("Section 3", "4 Methods"),
        ("Section 3", "3.2 Data"),
        ("Section 3.2", "3 Methods"),
        ("Section 3", "Methods"),
        ("Section 3", "30 years of work"),
        ("3 Results", "3 Methods"),
        ("3 Methods", "4 Methods"),
        ("Section 3", "Section 13"),
        ("Chapter 3", "Appendix 3"),
        ("Appendix A", "A Study of Pages"),
        ("", ""),
        ("", "Methods"),
        ("Methods", ""),
        ("?", "?"),
        ("§", "§"),
        ("Section", "Methods"),
    ],
)
def test_names_of_two_sections(cited: str, name: str) -> None:
    assert not same_section(cited, name)
    assert not same_section(name, cited)


@given(st.text(max_size=40), st.text(max_size=40))
def test_being_the_same_goes_both_ways(one: str, other: str) -> None:
    assert same_section(one, other) == same_section(other, one)


SECTIONS = (
    Section("Introduction", "1-3"),
    Section("Methods", "3-9"),
    Section("Data", "5-6"),
    Section("Results", "10-15"),
    Section("Notes", ""),
    Section("Odd", "nonsense"),
)


@pytest.mark.parametrize(
    ("page", "held"),
    [
        ("1", ("Introduction",)),
        ("3", ("Introduction", "Methods")),
        ("5", ("Data", "Methods")),
        ("15", ("Results",)),
        ("9-10", ("Results", "Methods")),
        ("16", ()),
        ("0", ()),
        ("iv", ()),
        ("", ()),
        ("x", ()),
    ],
)
def test_declared_sections_hold_pages(page: str, held: tuple[str, ...]) -> None:
    assert sections_at(Paper(id="REF-001", sections=SECTIONS), None, page) == held


OUTLINE = PdfText(
    ("",) * 20,
    (),
    (
        OutlineEntry(0, "1 Introduction", 0),
        OutlineEntry(0, "2  Methods", 4),
        OutlineEntry(1, "2.1 Data", 5),
        OutlineEntry(1, "2.2 Model", 7),
        OutlineEntry(0, "3 Results", 9),
        OutlineEntry(0, "Lost", 99),
        OutlineEntry(0, "Lost too", -1),
        OutlineEntry(0, "  ", 3),
    ),
)


@pytest.mark.parametrize(
    ("page", "held"),
    [
        ("1", ("1 Introduction",)),
        ("5", ("1 Introduction", "2 Methods")),
        ("7", ("2.1 Data", "2 Methods")),
        ("8", ("2.2 Model", "2.1 Data", "2 Methods")),
        ("10", ("2.2 Model", "2 Methods", "3 Results")),
        ("20", ("3 Results",)),
        ("21", ()),
        ("iv", ()),
    ],
)
def test_the_outline_holds_pages(page: str, held: tuple[str, ...]) -> None:
    assert sections_at(Paper(id="REF-001"), OUTLINE, page) == held


def test_declared_pages_come_before_the_outline() -> None:
    paper = Paper(id="REF-001", sections=SECTIONS)
    assert sections_at(paper, OUTLINE, "1") == ("Introduction",)
    assert sections_at(paper, OUTLINE, "18") == ("3 Results",)


def test_where_pages_have_no_names_no_section_holds_them() -> None:
    assert sections_at(Paper(id="REF-001", page_range="81-97"), OUTLINE, "85") == ()


def test_a_section_is_found_when_it_is_the_only_one() -> None:
    paper = Paper(id="REF-001", sections=SECTIONS)
    assert find_section(paper, None, "methods") == Section("Methods", "3-9")
    assert find_section(paper, None, "Section 3") is None
    assert find_section(paper, OUTLINE, "§2.1") == Section("2.1 Data", "6-8")
    assert find_section(Paper(id="REF-001"), OUTLINE, "Results") == Section("3 Results", "10-20")
    assert find_section(Paper(id="REF-001"), OUTLINE, "Discussion") is None
    twice = Paper(id="REF-001", sections=(Section("Results", "1-2"), Section("5 Results", "7-9")))
    assert find_section(twice, None, "Results") is None

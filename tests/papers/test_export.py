"""Bibliographies that are written: what is read from them is what was written."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.papers.bibliography import read_bibliography
from pincite.papers.export import FORMS, render
from pincite.papers.model import Paper
from pincite.papers.people import part_name

NAMES = {"bibtex": "x.bib", "ris": "x.ris", "csl": "x.json"}
UNSEEN = ("Cc", "Cs", "Zs", "Zl", "Zp", "Cn")
texts = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FFF, blacklist_categories=UNSEEN) | st.just(" "), max_size=30
).map(lambda text: " ".join(normalize("NFC", text).split()))
plain = st.from_regex(r"[A-Z][a-zé]{1,8}", fullmatch=True)
names = (
    st.builds(lambda *parts: " ".join(parts), plain, st.sampled_from(["van", "de la", "M.", "and"]), plain)
    | st.builds(lambda family, given: f"{family}, {given}", plain, plain)
    | st.builds(lambda family, given: f"{family} {family}, Jr., {given}", plain, plain)
    | st.sampled_from(["World Health Organization", "Plato", "李明", "Smith & Sons Group", "O'Brien, T. {J}"])
)
papers = st.builds(
    Paper,
    id=st.sampled_from(["REF-043", "REF-1000", "smith2020", "a:b/c"]),
    title=texts.filter(bool),
    authors=st.lists(names, max_size=4).map(tuple),
    year=st.sampled_from(["", "2023", "2023a", "in press", "n.d."]),
    doi=st.sampled_from(["", "10.1000/x_1", "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"]),
    url=st.sampled_from(["", "https://a.example/b_c?d=1&e=%20#f~g"]),
    total_pages=st.none() | st.integers(1, 900),
    page_range=st.sampled_from(["", "81-97", "iv-x", "i-xii, 1-300"]),
    pdf=st.sampled_from(["", "a b/x.pdf"]),
)


def normal(paper: Paper, form: str) -> Paper:
    """A paper as far as a form can hold it, its names in their parts."""
    told = tuple(part_name(name).listed for name in paper.authors)
    lost = {"ris": {"total_pages": None}, "csl": {"pdf": ""}}.get(form, {})
    return replace(paper, path="", authors=told, **lost)


@pytest.mark.parametrize("form", FORMS)
@given(paper=papers)
def test_export_then_import_gives_the_same_entry(form: str, paper: Paper) -> None:
    text = render([paper], form)
    read = read_bibliography(NAMES[form], text.encode())
    assert [normal(one, form) for one in read.entries] == [normal(paper, form)]
    assert read.problems == ()
    assert render(read.entries, form) == text or form == "csl"


@pytest.mark.parametrize("form", FORMS)
def test_unsure_fields_are_not_stated(form: str) -> None:
    paper = Paper(id="REF-001", title="Tea", authors=("Ada Lovelace",), year="2020", unsure=("authors", "year"))
    (read,) = read_bibliography(NAMES[form], render([paper], form).encode()).entries
    assert (read.title, read.authors, read.year) == ("Tea", (), "")


@pytest.mark.parametrize("form", FORMS)
def test_a_title_begins_no_field_of_its_own(form: str) -> None:
    paper = Paper(id="REF-001", title="Tea\nER  - \n},\n@x{y,\n\x1b[31m", authors=("A\nUR  - https://evil.example",))
    read = read_bibliography(NAMES[form], render([paper], form).encode())
    assert len(read.entries) == 1
    assert read.entries[0].url == ""
    assert "\x1b" not in render([paper], form)

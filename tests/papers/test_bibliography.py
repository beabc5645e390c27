"""Bibliographies: entries to papers, everything else to problems with their lines."""

from __future__ import annotations

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.papers import bibliography as entry
from pincite.papers.bibliography import attached_pdf, read_bibliography, read_metadata
from pincite.papers.csl import marked_up_title, plain_title
from pincite.papers.fields import normal_doi
from pincite.papers.latex import to_text

SICI = "10.1002/(sici)1097-4571(199806)49:8<693::aid-asi4>3.0.co;2-o"
BIB = rb"""@string{first = "Smith, J{\"o}rg"}
@article{smith2023,
  title  = {A {B}ig \"Uber-{\'e}tude \& more},
  author = first # { and {Simon and Schuster} and others},
  year   = 2023,
  pages  = {81--97},
  doi    = {https://doi.org/10.1000/ABC\_d},
  url    = {https://example.org/a_b},
  file   = {Full Text:files/1/x.pdf:application/pdf},
}
@book(knuth, editor = "Donald Knuth", date = {1984-05}, pagetotal = 300)
"""
RIS = b"""TY  - JOUR\r
AU  - Smith, John\r
TI  - A title\r
  that goes on\r
PY  - 2023///\r
SP  - 81\r
EP  - 97\r
DO  - 10.1000/X\r
UR  - https://example.org/x\r
L1  - files/x.pdf\r
ER  - \r
\r
TY  - JOUR\r
ID  - doe\r
A1  - Doe, A\r
T1  - Other\r
ER  - \r
"""
CSL = b"""[
  {"id": "doe", "title": "T", "author": [{"family": "Doe", "given": "J"}, {"literal": "WHO"}],
   "issued": {"date-parts": [[2020, 1]]}, "page": "1-9", "DOI": "10.1000/Q", "URL": "https://example.org/q"},
  {"id": 7, "title": "U", "number-of-pages": "300"}
]"""


def problems(name: str, data: bytes) -> list[tuple[int, str]]:
    return [(problem.line, problem.field) for problem in read_bibliography(name, data).problems]


def test_bibtex() -> None:
    found = read_bibliography("refs.bib", BIB)
    assert found.problems == ()
    smith, knuth = found.entries
    assert (smith.id, smith.path, smith.title) == ("smith2023", "refs.bib", "A Big Über-étude & more")
    assert smith.authors == ("Smith, Jörg", "Simon and Schuster")
    assert (smith.year, smith.page_range, smith.doi) == ("2023", "81-97", "10.1000/abc_d")
    assert (smith.url, smith.pdf) == ("https://example.org/a_b", "files/1/x.pdf")
    assert (knuth.authors, knuth.year, knuth.total_pages) == (("Donald Knuth",), "1984", 300)


def test_ris() -> None:
    found = read_bibliography("refs.ris", RIS)
    assert found.problems == ()
    smith, doe = found.entries
    assert (smith.id, smith.title, smith.authors) == ("Smith2023", "A title that goes on", ("Smith, John",))
    assert (smith.year, smith.page_range, smith.doi, smith.pdf) == ("2023", "81-97", "10.1000/x", "files/x.pdf")
    assert (doe.id, doe.title, doe.authors) == ("doe", "Other", ("Doe, A",))


def test_csl() -> None:
    found = read_bibliography("refs.json", CSL)
    assert found.problems == ()
    doe, seven = found.entries
    assert (doe.id, doe.authors, doe.year, doe.page_range) == ("doe", ("J Doe", "WHO"), "2020", "1-9")
    assert (doe.doi, doe.url) == ("10.1000/q", "https://example.org/q")
    assert (seven.id, seven.total_pages) == ("7", 300)
    assert read_bibliography("one.csljson", b'{"id": "a"}').entries[0].id == "a"


@pytest.mark.parametrize(("data", "count"), [(BIB, 2), (RIS, 2), (CSL, 2), (b"nothing", 0), (b"", 0)])
def test_without_a_known_name_the_text_decides(data: bytes, count: int) -> None:
    found = read_bibliography("refs", data)
    assert len(found.entries) == count
    assert bool(found.problems) == (count == 0)


def test_entries_without_a_key_get_one_each() -> None:
    one = b"TY  - JOUR\nAU  - M\xc3\xbcller, A\nPY  - 2020\nER  - \n"
    assert [paper.id for paper in read_bibliography("a.ris", one).entries] == ["Muller2020"]
    assert [paper.id for paper in read_bibliography("a.ris", one * 3).entries] == [f"Muller2020{c}" for c in "abc"]
    assert [paper.id for paper in read_bibliography("a.ris", b"TY  - JOUR\nER  - \n").entries] == ["Anonymous"]


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.bib", b"@a{k, t={x}}\n\n@a{k, t={y}}", [(3, "key")]),
        ("a.bib", b"\n@a{k, t={x\n@a{l, t={y}}", [(2, "entry")]),
        ("a.bib", b"@a{k, t={x", [(1, "entry")]),
        ("a.bib", b"@a{k, t={x}, t={y}}", [(1, "entry")]),
        ("a.bib", b"@a{, t={x}}", [(1, "key")]),
        ("a.bib", b"@a{two words, t={x}}", [(1, "key")]),
        ("a.bib", b"@a{k, pages={97--81}}", [(1, "k.pages")]),
        ("a.bib", b"\xff\xfe@a{k}", [(1, "file")]),
        ("a.bib", b"@a{k t={x}}", [(1, "entry")]),
        ("a.ris", b"AU  - x\nTY  - JOUR\nER  - ", [(1, "record")]),
        ("a.ris", b"TY  - JOUR\nTI  - x\n", [(1, "record")]),
        ("a.ris", b"TY  - JOUR\n\nTY  - BOOK\nER  - \n", [(1, "record")]),
        ("a.ris", b"TY  - JOUR\nID  - a\nER  - \nTY  - JOUR\nID  - a\nER  - \n", [(4, "key")]),
        ("a.ris", b"TY  - JOUR\nID  - a\nSP  - 97\nEP  - 81\nER  - \n", [(1, "a.pages")]),
        ("a.json", b"[", [(1, "file")]),
        ("a.json", b"[1]", [(1, "item")]),
        ("a.json", b'[{"id": "a"},\n {"id": "a"}]', [(2, "key")]),
        ("a.json", b'[\n\n{"title": "x"}]', [(3, "id")]),
        ("a.json", b'{"id": ["a b"]}', [(1, "key")]),
        ("a.json", b'{"id": true}', [(1, "id")]),
        ("a.json", b'{"id": "a"} x', [(1, "file")]),
        ("a.json", b"[" * 100_000, [(1, "file")]),
        ("a.json", b'{"id": "a", "x": ' + b"[" * 100_000, [(1, "file")]),
        ("a.json", b"", [(1, "file")]),
        ("a.json", b"null", [(1, "item")]),
        ("a.json", b"\xff", [(1, "file")]),
        ("a.json", b'{"id": ' + b"9" * 5000 + b"}", [(1, "file")]),
    ],
)
def test_what_cannot_be_read(name: str, data: bytes, expected: list[tuple[int, str]]) -> None:
    assert problems(name, data) == expected


@pytest.mark.parametrize("pages", ["81", "e203", "81+", "1:1--1:24", "Article 12", "", "312", "81ff"])
def test_pages_that_bound_nothing(pages: str) -> None:
    found = read_bibliography("a.bib", f"@a{{k, pages={{{pages}}}}}".encode())
    assert found.problems == ()
    assert found.entries[0].page_range == ""


@pytest.mark.parametrize(
    "field", ["/etc/passwd.pdf", "../x.pdf", "C:\\x.pdf", "https://x.org/y.pdf", "x.txt", "", "a\x00.pdf", "~/x.pdf"]
)
def test_files_that_are_not_beside_the_bibliography(field: str) -> None:
    assert attached_pdf(field) == ""


@pytest.mark.parametrize("field", ["x.pdf", ":x.pdf:PDF", "Full Text:x.pdf:application/pdf", "a.html;x.pdf", "./x.pdf"])
def test_files_that_are(field: str) -> None:
    assert attached_pdf(field) == "x.pdf"


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"{\'E}tude", "Étude"),
        (r"\v{S}koda \c{c}a \H{o}", "Škoda ça ő"),
        (r"Erd\H os", "Erdős"),
        (r"\ss{} \o \AA", "ß øÅ"),
        (r"na\"{\i}ve", "naïve"),
        (r"A~B -- C --- D", "A B – C — D"),
        (r"\emph{x} \& y", "x & y"),
        ("plain  text", "plain text"),
        (r"\input{/etc/passwd}", "/etc/passwd"),
        ("{{{x}}}", "x"),
        ("\\", "\\"),
        (r"The $\mu$-calculus of $\alpha \to \beta$", "The μ-calculus of α → β"),
        (r"{S}orting in $n \log n$", "Sorting in n log n"),
        (r"On $\mathbb{R}^n$ and {$L_1$}", r"On $\mathbb{R}^n$ and $L_1$"),
        (r"\$5 or $6 {and} $7", "$5 or $6 {and} $7"),
    ],
)
def test_latex(latex: str, text: str) -> None:
    assert to_text(latex) == text


@pytest.mark.parametrize(
    ("sent", "title"),
    [
        ("<i>Escherichia</i> &amp; others", "Escherichia & others"),
        ("CO<sub>2</sub> and &lt;b&gt;tea&lt;/b&gt;", "CO2 and <b>tea</b>"),
        ('The <span style="font-variant:small-caps;">tea</span>', "The tea"),
        ("Where a < b & c > d", "Where a < b & c > d"),
        ("A <T> of tea", "A <T> of tea"),
    ],
)
def test_titles_in_csl_lose_their_markup(sent: str, title: str) -> None:
    found = read_bibliography("refs.json", json.dumps([{"id": "a", "title": sent}]).encode())
    assert [entry.title for entry in found.entries] == [title]


def test_strings_that_double_stay_bounded() -> None:
    rows = "@string{a0 = {x}}\n" + "".join(f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(60))
    (paper,) = read_bibliography("a.bib", (rows + "@a{k, title = a60}").encode()).entries
    assert len(paper.title) == entry.VALUE


def test_too_much_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("bibtex", "ris", "csl"):
        monkeypatch.setattr(f"pincite.papers.{module}.ENTRIES", 2)
    assert problems("a.bib", b"@a{a}\n@a{b}\n@a{c}") == [(1, "file")]
    assert problems("a.ris", b"TY  - X\nER  - \n" * 3) == [(6, "file")]
    assert problems("a.json", b'[{"id":1},{"id":2},\n{"id":3}]') == [(2, "file")]
    monkeypatch.setattr("pincite.papers.bibliography.BYTES", 10)
    assert problems("a.bib", b"@a{a, b = {c}}") == [(1, "file")]


def test_the_library_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert problems("a.bib", b"@a{k, t={\x1b[31m") == [(1, "entry")]
    assert capfd.readouterr() == ("", "")
    assert not logging.getLogger("bibtexparser.splitter").disabled


CROSSREF = b"""{"status": "ok", "message": {"DOI": "10.1000/X", "title": ["A title"], "page": "5-9",
  "author": [{"given": "A", "family": "Doe"}], "issued": {"date-parts": [[2019, 3]]}, "URL": "https://doi.org/10.1000/X"}}"""
DATACITE = b"""{"data": {"id": "10.5281/z.1", "attributes": {"doi": "10.5281/Z.1", "titles": [{"title": "A title"}],
  "creators": [{"name": "Doe, A", "givenName": "A", "familyName": "Doe"}], "publicationYear": 2019}}}"""


def test_what_doi_agencies_send() -> None:
    (one,) = read_metadata("x.json", CROSSREF)
    assert (one.id, one.title, one.authors, one.year) == ("Doe2019", "A title", ("A Doe",), "2019")
    assert (one.doi, one.page_range, one.url) == ("10.1000/x", "5-9", "https://doi.org/10.1000/X")
    (two,) = read_metadata("x.json", DATACITE)
    assert (two.title, two.authors, two.year, two.doi) == ("A title", ("A Doe",), "2019", "10.5281/z.1")
    (three,) = read_metadata("x.json", b'{"message": {"items": [{"title": ["T"]}]}}')
    assert three.title == "T"
    assert [paper.id for paper in read_metadata("x.bib", BIB)] == ["smith2023", "knuth"]
    assert [paper.id for paper in read_metadata("x.json", CSL)] == ["doe", "7"]


@pytest.mark.parametrize(
    "data",
    [
        *(
            b"",
            b"{}",
            b"[]",
            b"null",
            b'{"message": {}}',
            b'{"message": {"items": []}}',
            b'{"data": {}}',
            b'{"data": []}',
        ),
        *(
            b'{"data": [1]}',
            b'{"message": {"items": [1, null]}}',
            b'{"data": {"attributes": []}}',
            b'{"titles": [1]}',
            b"\xff",
        ),
        *(b'{"title": {}}', b'{"author": 3}', b'{"issued": {"date-parts": [[]]}}', b'{"message": {"title": [[]]}}'),
    ],
)
def test_metadata_without_a_paper(data: bytes) -> None:
    assert read_metadata("x.json", data) == ()


@pytest.mark.parametrize("name", ["a.bib", "a.ris", "a.json", "a"])
@given(st.one_of(st.binary(max_size=200), st.text('@a{}(),=#"\\\n TYER-id:[]1', max_size=200).map(str.encode)))
def test_any_bytes_are_read(name: str, data: bytes) -> None:
    found = read_bibliography(name, data)
    keys = [paper.id for paper in found.entries]
    assert len(keys) == len(set(keys))
    assert all(problem.line >= 1 and problem.message.startswith(problem.field) for problem in found.problems)
    assert isinstance(read_metadata(name, data), tuple)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        *(
            (lead + "10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O", SICI)
            for lead in ("", "doi:", "https://doi.org/", "http://dx.doi.org/")
        ),
        ("https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-O", SICI),
        ("http://doi.acm.org/10.1145/1234.5678", "10.1145/1234.5678"),
        ("dx.doi.org/10.1145/1234.5678", "10.1145/1234.5678"),
        ("https://dl.acm.org/doi/abs/10.1145/1234.5678", "10.1145/1234.5678"),
        ("https://evil.example/10.1145/1234.5678", ""),
        ("10.1000/a<b>", ""),
    ],
)
def test_dois_however_they_are_written(text: str, doi: str) -> None:
    assert normal_doi(text) == doi


@pytest.mark.parametrize(
    ("person", "name"),
    [
        ({"given": "Ludwig", "dropping-particle": "van", "family": "Beethoven"}, "Ludwig van Beethoven"),
        ({"given": "Jan", "non-dropping-particle": "van der", "family": "Berg"}, "Jan van der Berg"),
        ({"given": "Martin", "family": "King", "suffix": "Jr."}, "Martin King Jr."),
        ({"given": "Simon", "family": "Peyton Jones"}, "Peyton Jones, Simon"),
        ({"literal": "World Health Organization"}, "World Health Organization"),
        ({"family": "Plato"}, "Plato"),
    ],
)
def test_names_of_csl(person: dict[str, str], name: str) -> None:
    item = {"id": "a", "title": "T", "author": [person, {"literal": "others"}]}
    read = read_bibliography("x.json", json.dumps([item]).encode())
    assert read.entries[0].authors == (name,)


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("<i>Gauges</i> &amp; H<sub>2</sub>O", "Gauges & H2O"),
        ('The <span class="nocase">pH</span> of tea', "The pH of tea"),
        ("<jats:italic>E. coli</jats:italic>\n in   tea &#8211; again", "E. coli in tea – again"),
        ("a < b and c > d; R&D", "a < b and c > d; R&D"),
        ("List<String> of A &B;", "List<String> of A &B;"),
        ("where a <b and c> d", "where a <b and c> d"),
    ],
)
def test_titles_without_their_markup(title: str, plain: str) -> None:
    (entry,) = read_metadata("x.json", json.dumps({"message": {"title": [title], "DOI": "10.1000/x"}}).encode())
    assert entry.title == plain


@given(st.text(st.sampled_from("ab <>/&;ampltisub#1 ")))
def test_titles_with_signs_of_markup_come_back_from_csl(title: str) -> None:
    title = " ".join(title.split())
    assert plain_title(marked_up_title(title)) == title

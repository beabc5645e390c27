"""Adding papers: what a PDF or a bibliography tells, ids, duplicates, and nothing half-written."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pincite.core.errors import PinciteError, Refused, UsageError
from pincite.domains.corpus.add import Adder, Draft, Duplicate, metadata_drafts, pdf_draft, with_pdf
from pincite.domains.corpus.pdf_metadata import from_pdf, tidy
from pincite.papers.corpus_file import read_paper
from pincite.papers.model import OutlineEntry, Paper, PdfText, Section
from pincite.project.config import CorpusSettings
from pincite.safe import write
from pincite.safe.files import Root
from pincite.sources import World

FOLDER = ".aiwg/research/corpus"
NEW = Paper(id="", title="Voice consistency", authors=("Ada Lovelace",), year="2024")


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir(parents=True)
    return tmp_path


def adder(top: Path) -> Adder:
    root = Root(str(top))
    corpus = World(root, lambda: None, corpus=CorpusSettings()).any_corpus()
    assert corpus is not None
    return Adder(root, corpus)


def names(top: Path) -> list[str]:
    return sorted(path.name for path in (top / FOLDER).iterdir())


def test_a_paper_gets_the_next_id_and_reads_back(top: Path) -> None:
    (top / FOLDER / "REF-041-old.md").write_text("---\ntitle: Old\n---\n")
    added = adder(top).add(Draft("x", replace(NEW, url="https://example.org/a", relevance="why", doi="10.1000/abc")))
    assert added.files == (f"{FOLDER}/REF-042-voice-consistency.md",)
    read = read_paper(added.files[0], (top / added.files[0]).read_text())
    assert read == added.paper
    assert (read.id, read.title, read.authors, read.year) == ("REF-042", "Voice consistency", ("Ada Lovelace",), "2024")
    assert (read.url, read.doi, read.relevance, read.problems) == ("https://example.org/a", "10.1000/abc", "why", ())


def test_ids_of_pdfs_without_a_file_are_not_given_away(top: Path, make_pdf: Callable[..., bytes]) -> None:
    (top / FOLDER / "REF-050-waiting.pdf").write_bytes(make_pdf(["a"]))
    assert adder(top).add(Draft("x", NEW)).paper.id == "REF-051"


def test_the_folder_is_made_where_it_is_missing(tmp_path: Path) -> None:
    assert adder(tmp_path).add(Draft("x", NEW)).paper.id == "REF-001"
    assert names(tmp_path) == ["REF-001-voice-consistency.md"]


def test_an_id_can_be_chosen_once(top: Path) -> None:
    one = adder(top)
    assert one.add(Draft("x", NEW), "REF-500").paper.id == "REF-500"
    for again in (one, adder(top)):
        with pytest.raises(Duplicate, match="REF-500 already"):
            again.add(Draft("x", NEW), "REF-500")
    assert one.add(Draft("x", NEW)).paper.id == "REF-501"


@pytest.mark.parametrize("identity", ["REF-5", "REF-0500", "ref-500", "500", "REF-50a", "REF-500/../x", "REF-٥٥٥"])
def test_an_id_that_is_none_is_refused(top: Path, identity: str) -> None:
    with pytest.raises(UsageError, match="three digits"):
        adder(top).add(Draft("x", NEW), identity)
    assert names(top) == []


def test_used_up_ids_are_said_to_be(top: Path) -> None:
    (top / FOLDER / "REF-999999-last.md").write_text("x")
    with pytest.raises(UsageError, match="used up"):
        adder(top).add(Draft("x", NEW))
    assert adder(top).add(Draft("x", NEW), "REF-002").paper.id == "REF-002"


def test_chapters_that_share_the_doi_of_a_book_are_no_duplicates(top: Path) -> None:
    one = adder(top)
    first = replace(NEW, doi="10.1000/book", title="First steps", page_range="1-20")
    one.add(Draft("x", first))
    assert one.add(Draft("y", replace(first, title="Last steps", page_range="21-40"))).paper.id == "REF-002"
    for again in (replace(first, title="First Steps!"), replace(first, title="Other", page_range="")):
        with pytest.raises(Duplicate, match="REF-001"):
            adder(top).add(Draft("z", again))


def test_the_same_doi_is_refused_however_it_is_written(top: Path) -> None:
    (top / FOLDER / "REF-007-old.md").write_text("---\ntitle: Old\ndoi: https://doi.org/10.1000/ABC\n---\n")
    with pytest.raises(Duplicate, match=r"REF-007 \(.*REF-007-old.md\)"):
        adder(top).add(Draft("x", replace(NEW, doi="10.1000/abc")))
    one = adder(top)
    one.add(Draft("x", replace(NEW, doi="10.1000/new")))
    with pytest.raises(Duplicate, match="REF-008"):
        one.add(Draft("x", replace(NEW, doi="10.1000/new")))


@pytest.mark.parametrize(
    ("other", "shared"),
    [
        (replace(NEW, title="VOICE  consistency."), "title, authors and year"),
        (replace(NEW, authors=("Lovelace, A.", "Turing, Alan")), "title, authors and year"),
        (replace(NEW, authors=()), "title and year"),
        (replace(NEW, authors=(), year=""), "title"),
        (replace(NEW, authors=("Grace Hopper",)), ""),
        (replace(NEW, year="2023"), ""),
        (replace(NEW, title="Voice inconsistency"), ""),
        (replace(NEW, title=""), ""),
    ],
)
def test_the_same_work_under_another_name_is_added_with_a_warning(top: Path, other: Paper, shared: str) -> None:
    one = adder(top)
    one.add(Draft("x", NEW))
    added = one.add(Draft("y", other))
    assert added.paper.id == "REF-002"
    where = f"REF-001 ({FOLDER}/REF-001-voice-consistency.md)"
    wanted = f"{where} has the same {shared}; if it is the same paper, keep one of the two"
    assert added.warnings == ((wanted,) if shared else ())
    assert len(adder(top).add(Draft("z", other)).warnings) == bool(other.title) + bool(shared)


def test_the_same_address_is_remarked_on(top: Path) -> None:
    (top / FOLDER / "REF-007-old.md").write_text("---\ntitle: Old\nurl: http://www.example.org/paper/\n---\n")
    added = adder(top).add(Draft("x", replace(NEW, url="https://example.org/paper#top")))
    assert any("REF-007" in remark and "same address" in remark for remark in added.remarks)


def test_a_pdf_is_copied_beside_its_file(top: Path, make_pdf: Callable[..., bytes]) -> None:
    data = make_pdf(["Tea"], title="Green tea and sleep")
    added = adder(top).add(pdf_draft("/elsewhere/a.pdf", data))
    assert names(top) == ["REF-001-green-tea-and-sleep.md", "REF-001-green-tea-and-sleep.pdf"]
    assert (top / added.files[1]).read_bytes() == data
    assert added.paper.total_pages == 1


@pytest.mark.parametrize("where", ["REF-003-tea.pdf", "REF-003-other.pdf"])
def test_the_same_pdf_is_refused(top: Path, make_pdf: Callable[..., bytes], where: str) -> None:
    data = make_pdf(["Tea"])
    (top / FOLDER / "REF-003-tea.md").write_text("---\ntitle: Tea\n---\n")
    (top / FOLDER / where).write_bytes(data)
    with pytest.raises(Duplicate, match="REF-003"):
        adder(top).add(pdf_draft("a.pdf", data))
    assert len(names(top)) == 2


def test_the_same_pdf_behind_a_declared_path_is_refused(top: Path, make_pdf: Callable[..., bytes]) -> None:
    (top / "papers").mkdir()
    (top / "papers/tea.pdf").write_bytes(make_pdf(["Tea"]))
    (top / FOLDER / "REF-003-tea.md").write_text("---\ntitle: Tea\npdf: ../../../papers/tea.pdf\n---\n")
    with pytest.raises(Duplicate, match="REF-003"):
        adder(top).add(pdf_draft("a.pdf", make_pdf(["Tea"])))


def test_the_same_pdf_twice_in_one_go_is_refused(top: Path, make_pdf: Callable[..., bytes]) -> None:
    one = adder(top)
    one.add(pdf_draft("a.pdf", make_pdf(["Tea"])))
    with pytest.raises(Duplicate, match="REF-001"):
        one.add(pdf_draft("b.pdf", make_pdf(["Tea"])))


def test_a_pdf_that_waits_in_the_corpus_gets_its_file(top: Path, make_pdf: Callable[..., bytes]) -> None:
    data = make_pdf(["Tea"])
    (top / FOLDER / "REF-012-tea.pdf").write_bytes(data)
    added = adder(top).add(pdf_draft("a.pdf", data))
    assert added.files == (f"{FOLDER}/REF-012-tea.md",)
    assert names(top) == ["REF-012-tea.md", "REF-012-tea.pdf"]
    (top / added.files[0]).unlink()
    with pytest.raises(Duplicate, match="REF-012"):
        adder(top).add(pdf_draft("a.pdf", data), "REF-013")


def test_a_pdf_can_stay_where_it_is(top: Path, make_pdf: Callable[..., bytes]) -> None:
    (top / "papers").mkdir()
    data = make_pdf(["Tea"])
    (top / "papers/tea.pdf").write_bytes(data)
    added = adder(top).add(pdf_draft("papers/tea.pdf", data, link="papers/tea.pdf"))
    assert added.paper.pdf == "../../../papers/tea.pdf"
    root = Root(str(top))
    corpus = World(root, lambda: None, corpus=CorpusSettings()).any_corpus()
    assert corpus is not None
    assert corpus.pdf_key(added.paper) == "papers/tea.pdf"


@pytest.mark.parametrize(
    ("key", "folder", "path"),
    [
        ("a/b.pdf", "a", "b.pdf"),
        ("b.pdf", "a/c", "../../b.pdf"),
        ("a/b/c.pdf", "a/d", "../b/c.pdf"),
    ],
)
def test_pdfs_are_linked_by_paths_from_the_corpus(top: Path, key: str, folder: str, path: str) -> None:
    corpus = World(root := Root(str(top)), lambda: None, corpus=CorpusSettings(path=folder)).any_corpus()
    assert Adder(root, corpus).add(Draft("x", NEW, b"%PDF", key), write=False).paper.pdf == path


def test_both_files_or_none(top: Path, make_pdf: Callable[..., bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    link = os.link

    def failing(*arguments: str, **more: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(28, "No space left on device")
        link(*arguments, **more)

    monkeypatch.setattr(write.os, "link", failing)
    with pytest.raises(Refused, match="No space left"):
        adder(top).add(pdf_draft("a.pdf", make_pdf(["Tea"])))
    assert names(top) == []


def test_a_name_that_is_taken_is_left_alone(top: Path) -> None:
    with Root(str(top)) as root:
        (top / FOLDER / "b.md").write_text("mine")
        with pytest.raises(Refused, match="exists already"):
            write.create_together(root, FOLDER, [("a.pdf", b"a"), ("b.md", b"b")])
    assert names(top) == ["b.md"]
    assert (top / FOLDER / "b.md").read_text() == "mine"


def test_a_link_in_the_way_is_not_followed(top: Path, tmp_path: Path) -> None:
    (top / FOLDER / "b.md").symlink_to(tmp_path / "outside.txt")
    with Root(str(top)) as root, pytest.raises(Refused):
        write.create_together(root, FOLDER, [("b.md", b"b")])
    assert not (tmp_path / "outside.txt").exists()


def test_a_corpus_outside_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    root = Root(str(tmp_path / "in"))
    corpus = World(root, lambda: None, corpus=CorpusSettings(path="../out")).any_corpus()
    assert corpus is not None
    with pytest.raises(PinciteError):
        Adder(root, corpus).add(Draft("x", NEW))
    assert not (tmp_path / "out").exists()


def test_two_at_once_get_different_ids(top: Path) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            one = adder(top)
            for at in range(5):
                one.add(Draft("x", replace(NEW, title=f"Paper {number} {at}")))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len({name[:7] for name in names(top)}) == 20


def test_a_dry_run_writes_nothing(tmp_path: Path, make_pdf: Callable[..., bytes]) -> None:
    added = adder(tmp_path).add(pdf_draft("a.pdf", make_pdf(["Tea"])), write=False)
    assert added.text.startswith("---\nid: REF-001\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "title", ["a\x00b", "x\n---\ny: z", "[a](b)", "\u202eabc", "'\"`$(id)", "# h", "x" * 5000, "\x1b[31m", "日本"]
)
def test_hostile_titles_become_plain_files(top: Path, title: str) -> None:
    added = adder(top).add(Draft("x", replace(NEW, title=title)))
    (name,) = names(top)
    assert name.isascii() and len(name) < 100 and name.startswith("REF-001-")
    read = read_paper(added.files[0], (top / added.files[0]).read_text())
    assert (read.title, read.problems) == (tidy(title), ())


@given(st.text(max_size=200))
def test_tidy_leaves_nothing_invisible(text: str) -> None:
    made = tidy(text)
    assert made == " ".join(made.split())
    assert not any(ord(sign) < 32 or 0x7F <= ord(sign) < 0xA0 for sign in made)


# What a PDF tells.


@pytest.mark.parametrize(
    ("said", "page", "title", "remarked"),
    [
        ("Green tea and sleep", "x", "Green tea and sleep", True),
        ("untitled", "Green tea and sleep\nAda Lovelace, Alan Turing\nAbstract", "Green tea and sleep", True),
        (
            "Microsoft Word - final.docx",
            "Green tea\nand sleep quality\nAda Lovelace\nAbstract",
            "Green tea and sleep quality",
            True,
        ),
        ("paper.tex", "arXiv:2401.01234v1\nGreen tea and sleep\n\nUniversity of X", "Green tea and sleep", True),
        ("", "", "my paper", True),
        ("", "12", "my paper", True),
        ("", "This is a sentence that begins the text.", "my paper", True),
        ("", "Abstract\nWe study tea", "my paper", True),
        ("\x00\x1b", "", "my paper", True),
    ],
)
def test_titles_are_said_read_or_named_after_the_file(said: str, page: str, title: str, remarked: bool) -> None:
    paper, remarks = from_pdf(PdfText((page,), title=said), "my_paper")
    assert paper.title == title
    assert any(remark.startswith("the title") for remark in remarks) == remarked


@pytest.mark.parametrize(
    ("labels", "pages"),
    [
        (("81", "82", "83"), "81-83"),
        (("1", "2", "3"), ""),
        (("i", "ii", "1"), "i-ii, 1"),
        (("a", "a", "a"), ""),
        (("81", "", "83"), ""),
        (("x]", "y]", "z]"), ""),
    ],
)
def test_labels_become_a_page_range_where_they_are_one(labels: tuple[str, ...], pages: str) -> None:
    paper, _ = from_pdf(PdfText(("a", "b", "c"), labels), "x")
    assert (paper.page_range, paper.total_pages) == (pages, 3)


def test_numbers_printed_on_the_pages_become_a_page_range() -> None:
    texts = tuple(f"Some text of this page.\nMore of it {'abcdefgh'[at]}.\n{at + 201}" for at in range(8))
    paper, remarks = from_pdf(PdfText(texts), "x")
    assert paper.page_range == "201-208"
    assert any("printed" in remark for remark in remarks)


def test_an_outline_becomes_sections_with_printed_pages() -> None:
    outline = (
        OutlineEntry(0, "1 Introduction", 0),
        OutlineEntry(1, "1.1 Aims", 1),
        OutlineEntry(0, "2 Results\x00", 2),
        OutlineEntry(0, "3 End", 9),
    )
    paper, _ = from_pdf(PdfText(tuple("abcdefghij"), tuple(str(at) for at in range(81, 91)), outline), "x")
    assert paper.sections == (
        Section("1 Introduction", "81-83"),
        Section("1.1 Aims", "82-83"),
        Section("2 Results", "83-90"),
        Section("3 End", "90"),
    )


def test_a_long_outline_takes_time_in_proportion(in_proportion: Callable[..., bool]) -> None:
    def pdf(count: int) -> PdfText:
        return PdfText(("a",), (), tuple(OutlineEntry(at % 3, f"S{at}", 0) for at in range(count)))

    assert in_proportion(lambda one: from_pdf(one, "x"), pdf(1000), pdf(8000), 8)


def test_a_single_top_heading_is_the_title_and_no_section() -> None:
    outline = (OutlineEntry(0, "Green tea", 0), OutlineEntry(1, "Methods", 1), OutlineEntry(1, "Results", 2))
    paper, _ = from_pdf(PdfText(("a", "b", "c"), (), outline), "x")
    assert [section.name for section in paper.sections] == ["Methods", "Results"]


@pytest.mark.parametrize(
    ("page", "doi"),
    [
        ("doi:10.1000/Tea.1", "10.1000/tea.1"),
        ("https://doi.org/10.1000/tea", "10.1000/tea"),
        ("doi:10.1000/a and doi:10.1000/b", ""),
        ("10.1000/tea", ""),
    ],
)
def test_a_doi_is_taken_only_where_it_is_the_only_one(page: str, doi: str) -> None:
    assert from_pdf(PdfText((page,)), "x")[0].doi == doi


@pytest.mark.parametrize(
    ("said", "authors"),
    [
        ("Ada Lovelace; Alan Turing", ("Ada Lovelace", "Alan Turing")),
        ("root", ()),
        ("Anonymous", ()),
        ("", ()),
        ("\x00", ()),
    ],
)
def test_authors_are_people(said: str, authors: tuple[str, ...]) -> None:
    assert from_pdf(PdfText(("a",), authors=said), "x")[0].authors == authors


def test_a_scan_is_said_to_be_one() -> None:
    assert any("no text" in remark for remark in from_pdf(PdfText(("", " ")), "x")[1])


@given(st.lists(st.text(max_size=80), max_size=4), st.text(max_size=60), st.text(max_size=60))
def test_any_pdf_gives_a_paper_that_can_be_written(pages: list[str], title: str, authors: str) -> None:
    paper, _ = from_pdf(PdfText(tuple(pages), title=title, authors=authors), "stem")
    assert paper.title and paper.title == tidy(paper.title)


@pytest.mark.parametrize("data", [b"", b"rubbish", b"%PDF-1.4 rubbish"])
def test_what_is_no_pdf_is_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(PinciteError, match="PDF"):
        pdf_draft("a.pdf", data)


# What bibliographies tell.

FORMS = {
    "a.bib": "@article{smith2023, title = {Voice {Consistency}}, author = {Smith, Jane and Doe, John}, year = {2023},"
    " doi = {10.1000/xyz}, url = {https://example.org/v}, pages = {81--97}}",
    "a.ris": "TY  - JOUR\nID  - smith2023\nTI  - Voice Consistency\nAU  - Smith, Jane\nAU  - Doe, John\nPY  - 2023\n"
    "DO  - 10.1000/xyz\nUR  - https://example.org/v\nSP  - 81\nEP  - 97\nER  - \n",
    "a.json": '[{"id": "smith2023", "type": "article-journal", "title": "Voice Consistency", "author": [{"family":'
    ' "Smith", "given": "Jane"}, {"family": "Doe", "given": "John"}], "issued": {"date-parts": [[2023]]},'
    ' "DOI": "10.1000/xyz", "URL": "https://example.org/v", "page": "81-97"}]',
    "crossref.json": '{"status": "ok", "message": {"title": ["Voice Consistency"], "author": [{"family": "Smith",'
    ' "given": "Jane"}, {"family": "Doe", "given": "John"}], "issued": {"date-parts": [[2023, 5]]},'
    ' "DOI": "10.1000/XYZ", "URL": "https://example.org/v", "page": "81-97"}}',
}


@pytest.mark.parametrize("name", FORMS)
def test_each_form_of_bibliography_goes_in_and_comes_out(top: Path, name: str) -> None:
    (draft,) = metadata_drafts(name, FORMS[name].encode())
    added = adder(top).add(draft)
    read = read_paper(added.files[0], (top / added.files[0]).read_text())
    assert read.problems == ()
    assert (read.id, read.title, read.year, read.doi) == ("REF-001", "Voice Consistency", "2023", "10.1000/xyz")
    assert (read.url, read.page_range) == ("https://example.org/v", "81-97")
    assert [sorted(author.replace(",", "").split()) for author in read.authors] == [["Jane", "Smith"], ["Doe", "John"]]


def test_every_entry_becomes_a_paper() -> None:
    data = "".join(f"@book{{k{number}, title = {{Book {number}}}}}\n" for number in range(5)).encode()
    assert [draft.paper.title for draft in metadata_drafts("a.bib", data)] == [f"Book {number}" for number in range(5)]


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.bib", b""), ("a.txt", b"hello"), ("a.json", b"{}"), ("a.ris", b"\xff"), ("a.json", b"[" * 9999)],
)
def test_a_bibliography_without_entries_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(UsageError, match="no entry"):
        metadata_drafts(name, data)


def test_a_pdf_completes_what_was_said(make_pdf: Callable[..., bytes]) -> None:
    pdf = pdf_draft("a.pdf", make_pdf(["a", "b"], labels=["81", "82"], title="Another title"))
    whole = with_pdf(Draft("x", NEW), pdf)
    assert (whole.paper.title, whole.paper.total_pages, whole.paper.page_range) == ("Voice consistency", 2, "81-82")
    assert whole.pdf


def test_what_is_taken_from_the_pdf_alone_is_remarked_on() -> None:
    remarks = ("the title is the file's name; correct it", "the DOI stands on its first page", "page_range 3-9 is from")
    pdf = Draft("y.pdf", replace(NEW, doi="10.1000/pdf", page_range="3-9"), b"%PDF", "", (*remarks, "no text"))
    assert with_pdf(Draft("x", NEW), pdf).remarks == (*remarks[1:], "no text")
    said = replace(NEW, doi="10.1000/said", page_range="1-7")
    assert with_pdf(Draft("x", said, remarks=("first",)), pdf).remarks == ("first", "no text")


def test_what_another_process_added_meanwhile_is_not_added_again(top: Path, make_pdf: Callable[..., bytes]) -> None:
    pdf = pdf_draft("a.pdf", make_pdf(["Some words of a paper."], title="A paper"))
    early = adder(top)
    adder(top).add(Draft("x", replace(NEW, doi="10.1000/abc")))
    adder(top).add(pdf)
    with pytest.raises(Duplicate, match=r"has DOI 10\.1000/abc already: REF-001"):
        early.add(Draft("y", replace(NEW, doi="10.1000/abc")))
    with pytest.raises(Duplicate, match="has this PDF already: REF-002"):
        early.add(pdf)
    assert len(names(top)) == 3


def test_entries_that_are_left_out_are_named() -> None:
    drafts = metadata_drafts("x.bib", b"@article{a, title={A}}\n@article{a, title={B}}\n@article{c, title={C}}\n")
    assert [draft.paper.title for draft in drafts] == ["A", "C"]
    assert [draft.remarks for draft in drafts] == [
        (),
        ('left out: x.bib:2: key: expected each key once, got "a" again (first on line 1)',),
    ]


def test_a_corpus_that_is_a_link_to_nothing_is_refused(tmp_path: Path) -> None:
    (tmp_path / FOLDER).parent.mkdir(parents=True)
    (tmp_path / FOLDER).symlink_to("nowhere")
    with pytest.raises(Refused, match="is no folder; nothing was written"):
        adder(tmp_path).add(Draft("x", NEW))

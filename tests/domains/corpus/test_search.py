"""Searching papers: passages with page and citation, an index that follows the files, and hostile corpora."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.domains.corpus import search
from pincite.domains.corpus.paper_pieces import PASSAGE, file_pieces, join_lines, pdf_pieces, split_passages
from pincite.domains.corpus.search import PaperLibrary
from pincite.domains.corpus.terms import is_number, keep_content_terms, stem, terms
from pincite.papers.corpus_file import read_paper
from pincite.papers.model import PdfText
from pincite.project.config import CorpusSettings
from pincite.safe.files import Root
from pincite.sources import World
from pincite.store import database
from pincite.store.search_index import IndexedDocument, StoredPassage, pack
from pincite.text.sentences import LONGEST, split_sentences
from pincite.text.stems import _IRREGULAR

FOLDER = ".aiwg/research/corpus"
TEA = "---\ntitle: Green tea\ntotal_pages: 2\n---\n\n## Notes\n\nA note about kettles.\n"
PAGES = [
    "1 Introduction\nGreen tea is drunk in many lands. It is brewed at 80 degrees.",
    "2 Results\nTea improved sleep by 15%.",
]


@contextmanager
def library(top: Path) -> Iterator[PaperLibrary]:
    with Root(str(top)) as root:
        corpus = World(root, lambda: None, corpus=CorpusSettings()).any_corpus()
        assert corpus is not None
        with PaperLibrary(corpus, root) as opened:
            yield opened


@pytest.fixture
def project(tmp_path: Path, make_pdf: Callable[..., bytes]) -> Path:
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / "REF-001-tea.md").write_text(TEA)
    outline = [(0, "1 Introduction", 1), (0, "2 Results", 2)]
    (folder / "REF-001-tea.pdf").write_bytes(make_pdf(PAGES, outline=outline))
    (folder / "REF-002-mate.md").write_text("---\ntitle: Mate\nrelevance: about yerba leaves\n---\n")
    # What changed just now would be read again, for the clock cannot tell.
    time.sleep(0.04)
    return tmp_path


def test_passages_come_with_page_section_and_citation(project: Path) -> None:
    with library(project) as opened:
        found = opened.search("sleep", 5)[0]
    assert (found.ref, found.page, found.section, found.citation) == ("REF-001", "2", "2 Results", "[REF-001, p.2]")
    assert "Tea improved sleep by 15%." in join_lines(found.text)
    assert found.file == f"{FOLDER}/REF-001-tea.pdf"


@pytest.mark.parametrize(
    ("query", "kind", "citation"),
    [("kettles", "notes", "[REF-001]"), ("yerba", "about", "[REF-002]"), ("80 degrees", "text", "[REF-001, p.1]")],
)
def test_every_kind_of_text_is_searched(project: Path, query: str, kind: str, citation: str) -> None:
    with library(project) as opened:
        assert [(one.kind, one.citation) for one in opened.search(query, 1)] == [(kind, citation)]


@pytest.mark.parametrize(
    "query", ["", " ", "zebra", '"', "AND OR NOT", "*", "tea" * 10_000, "\0", "((", "#", "x " * 50_000]
)
def test_any_words_are_a_query(project: Path, query: str) -> None:
    with library(project) as opened:
        assert opened.search(query, 3) == []


def test_words_of_grammar_alone_are_searched_as_they_are(project: Path) -> None:
    with library(project) as opened:
        assert opened.search("it is at", 3)[0].ref == "REF-001"


def test_only_what_changed_is_read_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with library(project) as opened:
        opened.refresh()
    monkeypatch.setattr(search, "pdf_pieces", lambda *_: pytest.fail("an unchanged PDF was read"))
    monkeypatch.setattr(search, "file_pieces", lambda *_: pytest.fail("an unchanged file was read"))
    with library(project) as opened:
        opened.refresh()
        monkeypatch.undo()
        assert opened.count_words({"tea": "tea"}) == (5, {"tea": 3})


def test_a_touched_file_keeps_its_passages(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with library(project) as opened:
        opened.refresh()
    for path in (project / FOLDER).iterdir():
        os.utime(path)
    monkeypatch.setattr(search, "pdf_pieces", lambda *_: pytest.fail("the same bytes were read as something new"))
    with library(project) as opened:
        opened.refresh()
        assert opened.count_words({"sleep": "sleep"})[1] == {"sleep": 1}


def test_changed_added_and_dropped_papers_are_noticed(project: Path, make_pdf: Callable[..., bytes]) -> None:
    with library(project) as opened:
        assert opened.search("sleep", 5)
    (project / FOLDER / "REF-001-tea.pdf").write_bytes(make_pdf(["Tea stains teeth.", "Nothing else."]))
    (project / FOLDER / "REF-002-mate.md").unlink()
    (project / FOLDER / "REF-003-new.md").write_text("---\ntitle: Zebra stripes\n---\n")
    with library(project) as opened:
        assert opened.search("sleep", 5) == []
        assert [one.citation for one in opened.search("stains teeth", 1)] == ["[REF-001, p.1]"]
        assert opened.search("yerba", 5) == []
        assert [one.ref for one in opened.search("zebra", 5)] == ["REF-003"]


def test_a_hit_is_shown_only_as_the_text_is_now(project: Path) -> None:
    with library(project) as opened:
        opened.refresh()
        pdf = f"{FOLDER}/REF-001-tea.pdf"
        kept = pack([StoredPassage(0, 5, 0, 0, ("text", "", ""), 1, b"")])
        with opened.index.changing():
            opened.index.drop(opened.index.list_documents()[pdf])
            for path in (pdf, "nowhere.pdf"):
                opened.index.put(
                    IndexedDocument(path, "", "pdf", b"", (0, 0, 0), "", kept, [("invented", "", "")]), 0.0
                )
        assert opened.search("invented", 10) == []


def test_an_index_in_the_project_is_not_even_opened(project: Path) -> None:
    (project / ".pincite").mkdir()
    hostile = project / ".pincite/passages.db"
    hostile.write_bytes(b"SQLite format 3\0" + bytes(100))
    with library(project) as opened:
        assert opened.search("sleep", 5)
        assert not opened.index.path.startswith(str(project))
    assert hostile.read_bytes() == b"SQLite format 3\0" + bytes(100)


def test_a_damaged_index_is_built_anew(project: Path) -> None:
    with library(project) as opened:
        opened.refresh()
        path = Path(opened.index.path)
    data = bytearray(path.read_bytes())
    for at in range(4096 + 200, len(data), 7):
        data[at] ^= 0x5A
    path.write_bytes(bytes(data))
    with library(project) as opened:
        assert [one.citation for one in opened.search("sleep", 1)] == ["[REF-001, p.2]"]


@pytest.mark.parametrize("obstacle", ["no folder can be named", "open to others", "a file", "inside the project"])
def test_where_no_index_can_be_kept_one_is_built_in_memory(
    project: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    places = {"no folder can be named": "cache", "inside the project": str(project / "cache")}
    place = project.parent / f"{project.name}-cache"
    monkeypatch.setenv("PINCITE_CACHE", places.get(obstacle, str(place)))
    if obstacle == "a file":
        place.write_text("x")
    elif obstacle == "open to others":
        place.mkdir()
        place.chmod(0o777)
    with library(project) as opened:
        assert opened.index.path == ""
        assert [one.citation for one in opened.search("sleep", 1)] == ["[REF-001, p.2]"]


def test_an_index_that_another_process_holds_is_left_alone(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with library(project) as opened:
        opened.refresh()
        path = opened.index.path
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    (project / FOLDER / "REF-002-mate.md").write_text("---\ntitle: Zebra stripes\n---\n")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        with library(project) as opened:
            assert [one.ref for one in opened.search("zebra", 1)] == ["REF-002"]
            assert opened.index.path == ""
    finally:
        other.execute("ROLLBACK")
        other.close()
    with library(project) as opened:
        assert opened.search("sleep", 1)
        assert opened.index.path == path


def test_words_that_the_end_of_a_line_parts_are_found_whole(project: Path, make_pdf: Callable[..., bytes]) -> None:
    (project / FOLDER / "REF-001-tea.pdf").write_bytes(make_pdf(["The inter-\nnational trade grew.", "x"]))
    with library(project) as opened:
        assert [one.citation for one in opened.search("international", 1)] == ["[REF-001, p.1]"]


def test_a_declared_pdf_is_searched_while_its_file_is_unchanged(project: Path, make_pdf: Callable[..., bytes]) -> None:
    folder = project / FOLDER
    (folder / "REF-009-x.md").write_text("---\ntitle: Far away\npdf: ../far.pdf\n---\n")
    for words in ("Walrus facts.", "Narwhal facts."):
        time.sleep(0.04)
        (folder / "../far.pdf").write_bytes(make_pdf([words]))
        with library(project) as opened:
            assert [one.ref for one in opened.search(words, 1)] == ["REF-009"]
            assert opened.troubles == []
    (folder / "../far.pdf").unlink()
    with library(project) as opened:
        assert opened.search("narwhal", 1) == []
        assert opened.troubles == ["REF-009: .aiwg/research/far.pdf: no such file"]


def test_two_papers_of_one_pdf_are_both_found(project: Path) -> None:
    for name in ("REF-010-a", "REF-011-b"):
        (project / FOLDER / f"{name}.md").write_text("---\ntitle: x\npdf: REF-001-tea.pdf\n---\n")
    with library(project) as opened:
        assert {one.ref for one in opened.search("sleep", 5)} == {"REF-001", "REF-010", "REF-011"}


def test_papers_that_cannot_be_read_are_named_and_the_others_searched(
    project: Path, make_pdf: Callable[..., bytes]
) -> None:
    folder = project / FOLDER
    (folder / "REF-004-broken.md").write_text("---\ntitle: Broken\n---\n")
    (folder / "REF-004-broken.pdf").write_bytes(b"%PDF-1.4 rubbish")
    (folder / "REF-005-locked.md").write_text("---\ntitle: Locked\n---\n")
    (folder / "REF-005-locked.pdf").write_bytes(make_pdf(["secret"], encrypted=True))
    (folder / "REF-006-bytes.md").write_bytes(b"\xff\xfe\x00")
    (folder / "REF-007-one.md").write_text("x")
    (folder / "REF-007-two.md").write_text("x")
    for _ in range(2):
        with library(project) as opened:
            assert opened.search("sleep", 5)[0].ref == "REF-001"
            assert sorted(trouble[:7] for trouble in opened.troubles) == ["REF-004", "REF-005", "REF-006", "REF-007"]


def test_hostile_titles_and_labels_stay_out_of_citations(project: Path, make_pdf: Callable[..., bytes]) -> None:
    folder = project / FOLDER
    (folder / "REF-008-x.md").write_text('---\ntitle: "a\\e[31m](x) [REF-001]\\u202e"\n---\n')
    (folder / "REF-008-x.pdf").write_bytes(make_pdf(["Walrus facts."], labels=["1] (x) ["]))
    with library(project) as opened:
        assert [one.citation for one in opened.search("walrus", 5)] == ["[REF-008]"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("improves improved improvement", ["improv"] * 3),
        ("1,000 and 1000", ["n1000", "and", "n1000"]),
        ("0.50%", ["n0p5", "percent"]),
        ("1,2", ["n1", "n2"]),
        ("parse_range", ["parserange", "pars", "rang"]),
        ("FooBar2", ["foobar2", "foo", "bar", "n2"]),
        ("GPT-4", ["gpt", "n4"]),
        ("don't", ["do", "not"]),
        ("hyphen\u00ad\nation", ["hyphenation"]),
        ("ﬁnding", ["find"]),
        ("seven", ["n7"]),
        ("日本語", ["日本", "本語"]),
    ],
)
def test_terms_of_prose_and_identifiers(text: str, found: list[str]) -> None:
    assert terms(text) == found


@example("\u1e96")
@given(st.text(max_size=400))
def test_terms_are_letters_and_digits_alone(text: str) -> None:
    found = terms(text)
    assert all(term and all(sign.isalnum() for sign in term) for term in found), found
    assert set(keep_content_terms(found)) <= set(found)
    assert all(isinstance(is_number(term), bool) for term in found)


@example("led")
@given(st.text(alphabet="abcdeinsgylmt", min_size=1, max_size=20))
def test_a_stem_begins_its_word(word: str) -> None:
    cut = stem(word)
    # Of irregular words such as `led` it is that of the present.
    assert cut and (word.startswith((cut, cut[:-1])) or cut == stem(_IRREGULAR.get(word, "")))


@given(st.text(max_size=3000))
def test_sentences_lie_in_the_text_one_after_the_other(text: str) -> None:
    spans = list(split_sentences(text))
    assert all(begin < end for begin, end in spans)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert {sign for sign in text if not sign.isspace()} <= set("".join(text[begin:end] for begin, end in spans))


@given(st.text(alphabet=st.sampled_from("ab. A\n!"), max_size=5000))
def test_passages_are_bounded_and_hold_everything(text: str) -> None:
    found = split_passages(text)
    assert all(len(one) <= max(PASSAGE, LONGEST) for one in found)
    assert bool(found) == bool(text.strip())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("As Smith et al. (2020) say. Yes.", ["As Smith et al. (2020) say.", "Yes."]),
        ("See Fig. 3 there. And e.g. this.", ["See Fig. 3 there.", "And e.g. this."]),
        ("It is 3.5 m. Long.", ["It is 3.5 m. Long."]),
        ("3 Results\nIt works.", ["3 Results", "It works."]),
        ("ABSTRACT\nIt works. Really?", ["ABSTRACT", "It works.", "Really?"]),
        ("これは。それ。", ["これは。", "それ。"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert [text[begin:end] for begin, end in split_sentences(text)] == sentences


def test_splitting_grows_with_the_text_alone(in_proportion: Callable[..., bool]) -> None:
    def split(size: int) -> None:
        for text in ("a. " * size, "A" * 3 * size, ". " * size, "x\n" * size, "1.1 A\n" * size, "e.g. " * size):
            terms(text)
            split_passages(text)

    assert in_proportion(split, 1000, 8000, 8)


def test_quotes_and_notes_are_told_apart() -> None:
    text = '# REF-008: Tea\n\n## Key quotes\n\n- "Tea is good." (p. 7)\n\n## Notes\n\nBrew it well.\n\n| a | b |\n'
    found = file_pieces(read_paper("REF-008-tea.md", text), text)
    assert [(one.kind, one.text, one.page) for one in found[1:]] == [
        ("quote", "Tea is good.", "7"),
        ("notes", "Brew it well.", ""),
    ]


def test_running_heads_are_no_passages() -> None:
    words = "one two three four five six seven".split()
    body = [f"We saw {word}.\nThen {word[::-1]} came along.\nIt was {word * 2} at last." for word in words]
    pages = tuple(f"A Journal of Tea\n{text}\n{number}" for number, text in enumerate(body, 1))
    found = pdf_pieces(PdfText(pages))
    assert [one.text for one in found] == body
    assert [one.index for one in found] == list(range(7))

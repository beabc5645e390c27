"""The list of papers, and the search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_topics import IMAGE, SCRIPT, Markup, add_paper
from support_web import Web, open_web

CORPUS = ".aiwg/research/corpus"


def test_without_a_corpus_the_page_says_how_to_begin_one(web: Web) -> None:
    page = web.get("/corpus").text
    assert "There is no corpus" in page and "pincite corpus add paper.pdf" in page
    assert "post /corpus/add" in Markup(page).forms
    record = web.get("/corpus.json").json()
    assert (record["is_there"], record["papers"]) == (False, [])


def test_papers_are_listed_and_found(repository: Path) -> None:
    add_paper(repository)
    with open_web(repository) as web:
        (row,) = web.get("/corpus.json").json()["papers"]
        assert (row["id"], row["title"], row["pages"], row["quotes"]) == ("REF-001", "On gauges", 1, 1)
        assert '<a href="/corpus/REF-001">' in web.get("/corpus").text
        found = web.get("/corpus.json", params={"q": "lossy reset"}).json()["passages"]
        assert found and found[0]["ref"] == "REF-001"
        assert "lossy reset" in web.get("/corpus", params={"q": "lossy reset"}).text


def test_entries_of_bibliographies_are_listed_by_key(repository: Path) -> None:
    add_paper(repository)
    (repository / "pincite.toml").write_text('[corpus]\nbibliography = ["refs.bib"]\n')
    (repository / "refs.bib").write_text("@book{a/b.json, title={Depths}, author={Doe, Jo}, year=2020}\n")
    with open_web(repository) as web:
        rows = web.get("/corpus.json").json()["papers"]
        assert [row["id"] for row in rows] == ["REF-001", "@a/b.json"]
        page = web.get("/corpus").text
        assert "/corpus/%40a/b.json.html" in page
        assert web.get("/corpus/%40a/b.json.html").status_code == 200
        assert web.get("/corpus/%40a/b.json.json").json()["paper"]["title"] == "Depths"


def test_a_long_corpus_is_cut_into_pages(repository: Path) -> None:
    folder = repository / CORPUS
    folder.mkdir(parents=True)
    for number in range(1, 121):
        (folder / f"REF-{number:03}-x.md").write_text(f"---\nid: REF-{number:03}\ntitle: T {number}\n---\n")
    with open_web(repository) as web:
        record = web.get("/corpus.json", params={"page": 2}).json()
        assert (len(record["papers"]), record["papers"][0]["id"], record["paging"]["total"]) == (20, "REF-101", 120)
        assert "page=1" in web.get("/corpus", params={"page": 2}).text


def test_a_paper_that_cannot_be_read_is_listed_with_the_reason(repository: Path) -> None:
    add_paper(repository).write_bytes(b"\xff\xfe\x00\xd8")
    add_paper(repository, 2)
    (repository / CORPUS / "REF-002-other.md").write_text("---\nid: REF-002\ntitle: Twice\n---\n")
    with open_web(repository) as web:
        rows = {row["id"]: row for row in web.get("/corpus.json").json()["papers"]}
        assert rows["REF-001"]["problem"] and rows["REF-002"]["problem"]
        assert web.get("/corpus").status_code == 200


@pytest.mark.parametrize("title", [SCRIPT, IMAGE, '"><b onmouseover=alert(1)>', "{{ 7 * 7 }}", "x\u202ey"])
def test_a_hostile_title_is_only_text(title: str, repository: Path) -> None:
    add_paper(repository, title=title)
    with open_web(repository) as web:
        for path in ("/corpus", "/corpus/REF-001", "/corpus?q=lossy+reset"):
            answer = web.get(path)
            assert answer.status_code == 200 and Markup(answer.text).hostile == []
            assert "<b onmouseover" not in answer.text and "\u202e" not in answer.text
            assert "<td>49</td>" not in answer.text


@pytest.mark.parametrize("query", ["page=x", "q=a&other=1", "page=1x"])
def test_what_cannot_be_asked_is_refused(query: str, web: Web) -> None:
    assert web.get(f"/corpus?{query}").status_code == 422


@pytest.mark.parametrize(
    "sought", ['"', "*", "a AND OR NOT", "NEAR(", "x" * 5000, "' OR 1=1 --", SCRIPT, "\u202e", "🐟"]
)
def test_any_words_are_a_search(sought: str, shared: Web) -> None:
    answer = shared.get("/corpus", params={"q": sought})
    assert answer.status_code == 200 and Markup(answer.text).hostile == []
    assert SCRIPT not in answer.text


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site with one paper, for what only reads."""
    top = tmp_path_factory.mktemp("shared")
    add_paper(top)
    with open_web(top) as web:
        yield web


def test_a_corpus_that_leads_out_of_the_root_is_refused(repository: Path, tmp_path: Path) -> None:
    add_paper(tmp_path / "elsewhere")
    (repository / ".aiwg" / "research").mkdir(parents=True)
    (repository / CORPUS).symlink_to(tmp_path / "elsewhere" / CORPUS)
    with open_web(repository) as web:
        answer = web.get("/corpus.json")
        assert 400 <= answer.status_code < 500 and "On gauges" not in answer.text
        assert "On gauges" not in web.get("/corpus/REF-001").text


def test_a_read_only_server_offers_no_form_to_add(repository: Path) -> None:
    add_paper(repository)
    with open_web(repository, read_only=True) as web:
        page = web.get("/corpus").text
        assert Markup(page).forms == ["get /corpus"] and "drop.js" not in page

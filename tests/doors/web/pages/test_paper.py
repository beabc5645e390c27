"""One paper: its pages, its quotes, who cites it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_topics import IMAGE, PAGE, SCRIPT, Markup, add_paper
from support_web import Web, open_web


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site with a paper of three pages and documents that cite it."""
    top = tmp_path_factory.mktemp("shared")
    add_paper(top, pages=(PAGE, f"Second page. {SCRIPT} stands here.", "Third."))
    (top / "docs").mkdir()
    (top / "docs" / "a.md").write_text(
        '"The lossy reset was seen in every plant" [REF-001, p.1], and [REF-001, p.9].\n'
    )
    (top / "docs" / "b.md").write_text("Nothing of it [REF-002].\n")
    with open_web(top) as web:
        yield web


def test_the_documents_that_cite_it_are_linked(shared: Web) -> None:
    record = shared.get("/corpus/REF-001.json").json()
    assert [(row["document"], row["line"]) for row in record["citations"]] == [("docs/a.md", 1), ("docs/a.md", 1)]
    page = shared.get("/corpus/REF-001").text
    assert f'href="/d/docs/a.md?c={record["citations"][0]["id"]}"' in page


def test_its_key_quotes_are_looked_for_in_the_pdf(shared: Web) -> None:
    (quote,) = shared.get("/corpus/REF-001.json").json()["quotes"]
    assert (quote["is_seen"], quote["state"]) == (True, "valid")


def test_the_text_of_a_page_is_shown(shared: Web) -> None:
    record = shared.get("/corpus/REF-001.json", params={"p": "2"}).json()
    assert "Second page." in record["shown"]["text"]
    assert (record["pages"], record["previous"], record["following"]) == (["1", "2", "3"], "1", "3")
    page = shared.get("/corpus/REF-001", params={"p": "2"}).text
    assert Markup(page).hostile == [] and SCRIPT not in page and "&lt;script&gt;" in page


@pytest.mark.parametrize("page", ["4", "0", "-1", "x", "1-99", SCRIPT, "9" * 400, "\u202e", "../1"])
def test_a_page_that_it_does_not_have_is_not_found(page: str, shared: Web) -> None:
    answer = shared.get("/corpus/REF-001", params={"p": page})
    assert answer.status_code in (200, 404) if page == "1-99" else answer.status_code == 404
    assert Markup(answer.text).hostile == []


@pytest.mark.parametrize(
    "name", ["REF-002", "REF-0001", "none", "@none", "../../etc/passwd", "<b>", "x" * 400, "add", "REF-001/x"]
)
def test_what_is_no_paper_is_not_found(name: str, shared: Web) -> None:
    answer = shared.get(f"/corpus/{name}")
    assert answer.status_code == 404
    assert Markup(answer.text).hostile == []


@pytest.mark.parametrize("query", ["page=x", "other=1"])
def test_what_cannot_be_asked_is_refused(query: str, shared: Web) -> None:
    assert shared.get(f"/corpus/REF-001?{query}").status_code == 422


@pytest.mark.parametrize("data", [b"", b"no pdf", b"%PDF-1.7\n", b"%PDF-1.7\n" + b"\xff" * 4000])
def test_a_pdf_that_cannot_be_read_is_named(data: bytes, repository: Path) -> None:
    file = add_paper(repository)
    file.with_suffix(".pdf").write_bytes(data)
    with open_web(repository) as web:
        record = web.get("/corpus/REF-001.json").json()
        assert record["paper"]["pdf_trouble"] and record["paper"]["pdf_pages"] is None
        assert not record["quotes"][0]["is_seen"]
        assert web.get("/corpus/REF-001").status_code == 200
        assert web.get("/corpus/REF-001", params={"p": "1"}).status_code == 404


def test_hostile_fields_are_only_text(repository: Path) -> None:
    file = add_paper(repository)
    fields = (
        f"authors:\n  - '{SCRIPT}'\nurl: 'javascript:alert(1)'\nrelevance: '{IMAGE}'\nsections:\n  - name: '{IMAGE}'\n"
    )
    file.write_text(file.read_text().replace("total_pages", f"{fields}total_pages"))
    with open_web(repository) as web:
        page = web.get("/corpus/REF-001")
        assert page.status_code == 200 and Markup(page.text).hostile == []


def test_a_quote_that_was_altered_is_not_called_seen(repository: Path) -> None:
    file = add_paper(repository)
    file.write_text(file.read_text().replace("lossy reset was", "lossless reset was"))
    with open_web(repository) as web:
        (quote,) = web.get("/corpus/REF-001.json").json()["quotes"]
        assert not quote["is_seen"] and quote["state"] != "valid" and quote["messages"]

"""Passages that are found, and citations of them."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from pincite.doors.web.pages import search as search_page
from support_web import open_web, wait_until

if TYPE_CHECKING:
    from support_web import Web


def build(web: Web) -> dict[str, Any]:
    """Make the index, and give what came of it."""
    started = web.post("/search/index.json")
    assert started.status_code == 200, started.text
    address = started.json()["location"]
    wait_until(lambda: web.get(f"{address}.json").json()["state"] != "running")
    record: dict[str, Any] = web.get(f"{address}.json").json()
    assert record["state"] == "done", record
    return record


def list_cache() -> set[tuple[str, int]]:
    """Every file of the cache folder with its size."""
    return {
        (os.path.join(folder, name), os.stat(os.path.join(folder, name)).st_size)
        for folder, _, names in os.walk(os.environ["PINCITE_CACHE"])
        for name in names
        if name.startswith(("index", "found", "papers"))
    }


def search(web: Web, **query: object) -> dict[str, Any]:
    answer = web.get("/search.json", params=query)
    assert answer.status_code == 200, answer.text
    record: dict[str, Any] = answer.json()
    return record


def test_without_an_index_nothing_is_found_and_nothing_is_made(web: Web) -> None:
    before = list_cache()
    record = search(web, q="limit")
    assert (record["state"], record["hits"]) == ("none", [])
    page = web.get("/search", params={"q": "limit"}).text
    assert "There is no index yet" in page and 'action="/search/index"' in page
    assert list_cache() == before


def test_the_index_is_made_as_work_and_passages_are_found(web: Web) -> None:
    record = build(web)
    assert record["state"] == "done" and "3 documents" in record["message"]
    hits = search(web, q="limit depth")["hits"]
    best = next(hit for hit in hits if hit["path"] == "src/gauge.py")
    assert best["first"] >= 1 and best["citation"].startswith("【F:src/gauge.py†L")
    marked = {line["text"][a:b].lower() for hit in hits for line in hit["lines"] for a, b in line["marks"]}
    assert marked == {"limit", "depth"}
    page = web.get("/search", params={"q": "limit depth"}).text
    assert "<mark>LIMIT</mark>" in page and "/s/src/gauge.py?from=1#L" in page and "/d/docs/a.md" in page


def test_an_open_page_can_show_that_the_index_is_ready(web: Web) -> None:
    """What a page replaces when the work is done must be there on both pages."""
    ended = Event()
    work = web.site.kept[search_page._WORK] = web.site.works.start("index", lambda work: (str(ended.wait(60)), ""))
    page = web.get("/search").text
    assert f'<div id="search" data-work="{work.id}">' in page and "is being made" in page
    ended.set()
    wait_until(lambda: work.state == "done")
    build(web)
    page = web.get("/search").text
    assert '<div id="search">' in page and '<section id="index-work" aria-label="Index" hidden>' in page


def test_a_search_writes_nothing(web: Web) -> None:
    build(web)
    before = list_cache()
    record = search(web, q="limit")
    hits = record["hits"]
    assert hits, record
    web.get(f"/search/cite/{hits[0]['id']}.json", params={"q": "limit"})
    assert hits and list_cache() == before


def test_a_changed_file_makes_the_index_stale_until_it_is_made_anew(web: Web, repository: Path) -> None:
    build(web)
    (repository / "docs" / "new.md").write_text("# New\n\nA porcupine lives here.\n")
    wait_until(lambda: search(web)["state"] == "stale")
    assert search(web, q="porcupine")["hits"] == []
    assert "Bring the index up to date" in web.get("/search").text
    build(web)
    assert [hit["path"] for hit in search(web, q="porcupine")["hits"]] == ["docs/new.md"]
    # What was written just before counts as changed for a moment.
    wait_until(lambda: build(web)["state"] == "done" and search(web)["state"] == "ready")


def test_passages_of_a_changed_file_are_left_out_and_counted(web: Web, repository: Path) -> None:
    build(web)
    (repository / "src" / "gauge.py").write_text("LIMIT = 99\n")
    record = search(web, q="raise ValueError")
    assert all(hit["path"] != "src/gauge.py" for hit in record["hits"])
    assert any("changed since" in note for note in record["notes"])


def test_a_read_only_server_makes_no_index(repository: Path) -> None:
    with open_web(repository, read_only=True) as web:
        assert web.post("/search/index").status_code == 403
        page = web.get("/search").text
        assert 'action="/search/index"' not in page and "pincite index" in page


def test_the_index_is_made_by_a_post_alone(web: Web) -> None:
    assert web.get("/search/index").status_code in (404, 405)
    refused = web.client.post("/search/index", headers={"sec-fetch-site": "cross-site"})
    assert refused.status_code == 403 and search(web)["state"] == "none"
    assert web.post("/search/index", {"other": "x"}).status_code == 422


def test_a_path_keeps_to_files_below_it(web: Web) -> None:
    build(web)
    assert {hit["path"] for hit in search(web, q="limit", path="docs")["hits"]} == {"docs/a.md"}
    for path in ("../..", "/etc", "nowhere", "["):
        assert search(web, q="limit", path=path)["hits"] == []


def test_any_text_is_a_query(web: Web) -> None:
    build(web)
    for query in (
        '"',
        "'; DROP TABLE passage; --",
        "NEAR(",
        "a" * 1000,
        "*",
        "()[]{}",
        "-limit AND OR",
    ):
        assert web.get("/search", params={"q": query}).status_code == 200, query


@pytest.mark.parametrize(
    "query",
    [{"q": "a" * 1001}, {"q": "x", "path": "p" * 1001}, {"page": "x"}, {"q": "\0"}, {"path": "\0"}, {"limit": "9"}],
)
def test_what_is_no_query_is_refused(web: Web, query: dict[str, str]) -> None:
    build(web)
    assert web.get("/search.json", params=query).status_code == 422


def test_a_passage_is_cited_in_every_style(web: Web) -> None:
    build(web)
    hit = next(hit for hit in search(web, q="limit")["hits"] if hit["path"] == "docs/a.md")
    record = web.get(f"/search/cite/{hit['id']}.json", params={"q": "limit"}).json()
    styles = {one["style"]: one for one in record["styles"]}
    assert styles["bracket"]["text"] == hit["citation"]
    assert styles["colon"]["text"].startswith("docs/a.md:") and styles["link"]["text"].startswith("[docs/a.md:")
    assert {
        "permalink",
        "frontmatter",
        "cite",
        "symbol",
        "inline",
        "footnote",
        "markdown",
        "quote",
        "csl",
    } < styles.keys()
    assert styles["permalink"]["text"] == "" and styles["permalink"]["refusal"]
    assert "Styles that cannot cite it" in web.get(f"/search/cite/{hit['id']}", params={"q": "limit"}).text


def test_a_passage_that_is_not_found_cannot_be_cited(web: Web) -> None:
    other = "00000000-0000-0000-0000-000000000000"
    assert web.get(f"/search/cite/{other}", params={"q": "limit"}).status_code == 404
    build(web)
    for id in (other, "x", "<script>"):
        assert web.get(f"/search/cite/{id}", params={"q": "limit"}).status_code == 404
    assert web.get(f"/search/cite/{other}").status_code == 422


def test_what_a_passage_says_is_only_text(repository: Path) -> None:
    name = "<img src=x onerror=alert(1)>.md"
    text = "# <script>alert(1)</script>\n\nA porcupine <img src=x onerror=alert(2)> \u202e lives here.\n"
    (repository / "docs" / name).write_text(text)
    with open_web(repository) as web:
        build(web)
        query = 'porcupine "><script>alert(3)</script>'
        hits = search(web, q=query)["hits"]
        pages = [web.get("/search", params={"q": query}).text]
        pages += [web.get(f"/search/cite/{hit['id']}", params={"q": query}).text for hit in hits]
        assert len(pages) > 1
        for page in pages:
            assert "<script>alert" not in page and "<img" not in page and "\u202e" not in page


def test_a_damaged_index_says_so_and_can_be_made_anew(web: Web) -> None:
    build(web)
    for path, _ in list_cache():
        if path.endswith("index.db"):
            Path(path).write_bytes(b"not a database" * 1000)
    record = search(web, q="limit")
    assert record["state"] == "unusable" and record["message"] and record["hits"] == []
    assert build(web)["state"] == "done" and search(web, q="limit")["hits"]


def test_the_making_of_the_index_can_be_stopped(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from threading import Event

    from pincite.search import refresh

    for number in range(20):
        (repository / "docs" / f"{number}.md").write_text(f"# {number}\n\nA porcupine.\n")
    going, on = Event(), Event()
    prepare = refresh.prepare

    def wait(*arguments: Any) -> Any:
        going.set()
        assert on.wait(120)
        return prepare(*arguments)

    monkeypatch.setattr(refresh, "prepare", wait)
    with open_web(repository) as web:
        address = web.post("/search/index.json").json()["location"]
        assert going.wait(120)
        assert web.post("/search/index.json").json()["location"] == address
        assert web.get("/search.json").json()["work"]["state"] == "running"
        assert web.post(f"{address}/stop").status_code == 303
        on.set()
        wait_until(lambda: web.get(f"{address}.json").json()["state"] == "stopped")
        assert search(web, q="porcupine")["hits"] == []

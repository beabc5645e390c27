"""Documents and sources, memories and their links: drawn, linked, listed, bounded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support_web import Web, open_web

MEMORY = "---\nid: {id}\nsubject: {subject}\nlinks:\n{links}---\nText\n"


def write_memory(top: Path, id: str, links: dict[str, str], subject: str = "A memory") -> None:
    folder = top / ".serena" / "memories"
    folder.mkdir(parents=True, exist_ok=True)
    written = "".join(f"  - {kind}: {target}\n" for target, kind in links.items())
    (folder / f"{id}.md").write_text(MEMORY.format(id=id, subject=subject, links=written))


def load(web: Web, **query: object) -> Any:
    answer = web.get("/graph.json", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_documents_are_linked_with_their_sources(web: Web) -> None:
    record = load(web)
    links = {(link["source"], link["target"]): (link["count"], link["outcome"]) for link in record["links"]}
    assert links == {
        ("document:docs/a.md", "file:src/gauge.py"): (2, "holds"),
        ("document:docs/a.md", "file:src/gone.py"): (1, "missing"),
    }
    assert record["addresses"] == {
        "document:docs/a.md": "/d/docs/a.md",
        "file:src/gauge.py": "/s/src/gauge.py",
        "file:src/gone.py": "/s/src/gone.py",
    }
    page = web.get("/graph").text
    assert page.count("<rect") == 3 and 'href="/s/src/gauge.py"' in page and "<title" in page and "<desc" in page
    assert [(row["source"]["label"], row["target"]["label"]) for row in record["rows"]] == [
        ("docs/a.md", "src/gauge.py"),
        ("docs/a.md", "src/gone.py"),
    ]


def test_memories_are_linked_as_they_say(repository: Path) -> None:
    write_memory(repository, "one", {"two": "related"})
    write_memory(repository, "two", {"one": "supersedes", "gone": "implements"})
    with open_web(repository) as web:
        record = load(web, of="memories")
        assert {(link["source"], link["kind"], link["target"]) for link in record["links"]} == {
            ("one", "related", "two"),
            ("two", "supersedes", "one"),
            ("two", "implements", "gone"),
        }
        kinds = {node["id"]: node["kind"] for node in record["nodes"]}
        assert kinds == {"one": "memory", "two": "memory", "gone": "missing"}
        page = web.get("/graph?of=memories").text
        assert "no such memory" in page and "superseded by two" in page
        assert {node["id"] for node in load(web, of="memories", start="gone")["nodes"]} == {"gone"}


def test_a_circle_is_named(repository: Path) -> None:
    write_memory(repository, "one", {"two": "implements"})
    write_memory(repository, "two", {"one": "implements"})
    with open_web(repository) as web:
        assert load(web, of="memories")["cycles"] == [["one", "two", "one"]]


def test_without_memories_the_page_says_so(web: Web) -> None:
    assert load(web, of="memories")["nodes"] == []
    assert "There are no memories" in web.get("/graph?of=memories").text


def test_a_memory_that_cannot_be_read_is_named(repository: Path) -> None:
    folder = repository / ".serena" / "memories"
    folder.mkdir(parents=True)
    (folder / "bad.md").write_text("---\nid: [\n---\n")
    with open_web(repository) as web:
        assert "bad.md" in load(web, of="memories")["defects"][0]


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ({"of": "papers"}, 422, "of"),
        ({"zoom": "101"}, 422, "zoom"),
        ({"zoom": "-1"}, 422, "zoom"),
        ({"zoom": "x"}, 422, "zoom"),
        ({"start": "one"}, 422, "start"),
        ({"of": "memories", "start": "nowhere"}, 400, "no memory with this id"),
        ({"around": "x"}, 422, "around"),
    ],
)
def test_what_cannot_be_drawn_is_refused(web: Web, query: dict[str, str], status: int, said: str) -> None:
    answer = web.get("/graph.json", params=query)
    assert answer.status_code == status and said in answer.json()["error"]


def test_hostile_names_are_only_text(repository: Path) -> None:
    hostile = "<svg onload=alert(1)>"
    (repository / "docs" / f"{hostile}.md").write_text("It is 【F:src/<a onclick=x>.py†L1】.\n")
    write_memory(repository, "one", {"'\"<script>x</script>": "related"}, subject="'</title><script>x</script>'")
    with open_web(repository) as web:
        for path in ("/graph", "/graph?of=memories"):
            page = web.get(path).text
            assert "<svg onload" not in page and "<a onclick" not in page and "<script>x" not in page


def test_a_large_graph_is_drawn_in_part_and_listed_whole(repository: Path) -> None:
    for at in range(70):
        (repository / "docs" / f"d{at}.md").write_text(
            "".join(f"See 【F:src/file{(at * 7 + number) % 90}.py†L1】.\n\n" for number in range(1 + at % 5))
        )
    with open_web(repository) as web:
        record = load(web)
        drawn = len(record["nodes"])
        assert drawn <= 80 and record["left_out"] == record["total"] - drawn > 0
        ids = {node["id"] for node in record["nodes"]}
        assert all(link["source"] in ids and link["target"] in ids for link in record["links"])
        assert min(node["links"] for node in record["nodes"] if node["kind"] == "document") >= 3
        rows = [row for page in range(1, record["paging"]["pages"] + 1) for row in load(web, page=page)["rows"]]
        assert len(rows) == record["paging"]["total"] > 200
        assert f"{record['left_out']} are left out" in web.get("/graph").text
        assert web.get("/graph").text == web.get("/graph").text


def test_without_script_links_change_the_size(web: Web) -> None:
    small, large = web.get("/graph").text, web.get("/graph?zoom=400").text
    assert 'href="/graph?of=documents&amp;zoom=400"' in small
    width = int(small.partition('class="drawing"')[2].partition(' width="')[2].partition('"')[0])
    assert f' width="{width * 4}"' in large


def test_a_source_that_is_no_file_leads_to_its_citations(repository: Path) -> None:
    (repository / "docs" / "b.md").write_text("See [REF-001] (p. 3).\n")
    (repository / ".aiwg" / "research" / "corpus").mkdir(parents=True)
    with open_web(repository) as web:
        address = load(web)["addresses"]["ref:REF-001"]
        rows = web.get(address.replace("/?", "/index.json?")).json()["rows"]
        assert [one["citation"]["document"] for one in rows] == ["docs/b.md"]

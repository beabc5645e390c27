"""The list of topics."""

from __future__ import annotations

from pathlib import Path

import pytest

from support_research import Bed
from support_topics import Markup, copy_lanternfish
from support_web import Web, open_web


def test_without_a_topic_the_page_says_how_to_begin_one(web: Web) -> None:
    page = web.get("/research").text
    assert "0 topics" in page and "pincite research new TOPIC" in page
    assert web.get("/research.json").json()["topics"] == []


def test_each_topic_is_listed_with_its_stages(repository: Path) -> None:
    copy_lanternfish(repository)
    with open_web(repository) as web:
        (row,) = web.get("/research.json").json()["topics"]
        states = {stage["stage"]: stage["state"] for stage in row["stages"]}
        assert states == {
            "search-agent": "ready",
            "citation-extractor": "ready",
            "source-validator": "missing",
            "claim-grounding-mapper": "missing",
            "report": "missing",
        }
        assert '<a href="/research/lanternfish">' in web.get("/research").text


@pytest.mark.parametrize("name", ["<b>x", "..", "a b", ".hidden", "x" * 101, "a;rm"])
def test_a_folder_that_cannot_be_a_topic_is_not_listed(name: str, repository: Path) -> None:
    (repository / ".research" / name).mkdir(parents=True, exist_ok=True)
    with open_web(repository) as web:
        assert web.get("/research.json").json()["topics"] == []
        assert Markup(web.get("/research").text).hostile == []


def test_a_topic_whose_files_cannot_be_parsed_is_listed_as_broken(repository: Path) -> None:
    bed = Bed(repository, "odd")
    bed.file("search-agent").write_bytes(b"results: [\x00\xff")
    bed.file("citation-extractor").write_text("extracted_citations: {a: &x 1}\n")
    bed.file("source-validator").write_text("")
    with open_web(repository) as web:
        (row,) = web.get("/research.json").json()["topics"]
        assert [stage["state"] for stage in row["stages"]][:3] == ["broken", "broken", "broken"]
        assert all(stage["message"] for stage in row["stages"])
        assert web.get("/research").status_code == 200


def test_a_topic_that_leads_out_of_the_root_is_not_read(repository: Path, tmp_path: Path) -> None:
    copy_lanternfish(tmp_path / "elsewhere")
    (repository / ".research").mkdir()
    (repository / ".research" / "out").symlink_to(tmp_path / "elsewhere" / ".research" / "lanternfish")
    with open_web(repository) as web:
        assert "segment" not in web.get("/research.json").text
        assert "16 segments" not in web.get("/research/out").text


@pytest.mark.parametrize("query", ["page=x", "page=1&other=2", "topic=a"])
def test_what_cannot_be_asked_is_refused(query: str, web: Web) -> None:
    assert web.get(f"/research?{query}").status_code == 422

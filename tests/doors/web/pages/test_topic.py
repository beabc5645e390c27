"""One topic: what is missing, what was judged, and running the stages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.doors.web.links import ServedLinks
from pincite.doors.web.rendering import render
from pincite.doors.web.routes import PageContext, list_pages
from support_research import TIDES, Bed, html, visit
from support_topics import IMAGE, SCRIPT, Markup, copy_lanternfish, make_hostile_topic, run_stages
from support_web import Web, open_web


@pytest.fixture
def topic(repository: Path) -> Iterator[Web]:
    """A site with the example topic, its stages run."""
    copy_lanternfish(repository)
    run_stages(repository)
    with open_web(repository) as web:
        yield web


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The same for tests that only read, or are refused."""
    top = tmp_path_factory.mktemp("shared")
    copy_lanternfish(top)
    run_stages(top)
    with open_web(top) as web:
        yield web


def finish(web: Web, location: str) -> dict[str, object]:
    """What became of long work."""
    web.wait(lambda: web.get(f"{location}.json").json()["state"] != "running")
    found: dict[str, object] = web.get(f"{location}.json").json()
    return found


def test_claims_carry_their_verdicts_and_the_words_they_rest_on(shared: Web) -> None:
    record = shared.get("/research/lanternfish.json").json()
    assert record["verdicts"] == {"supports": 7, "contradicts": 1, "not shown": 1, "not validated": 2}
    first = record["claims"][0]
    assert first["quote"] == [
        {"text": "Lanternfish keeps its data in 16 segments", "is_marked": True},
        {"text": ".", "is_marked": False},
    ]
    denied = next(one for one in record["claims"] if one["verdict"] == "contradicts")
    assert not denied["needs_reader"] and not denied["can_reject"]
    page = shared.get("/research/lanternfish").text
    assert "<mark>" in page and "contradicts" in page


def test_sources_carry_the_arithmetic_of_their_credibility(shared: Web) -> None:
    sources = {one["url"]: one for one in shared.get("/research/lanternfish.json").json()["sources"]}
    assert sources["https://talk.example/t/118"]["score"] == 1
    assert "−2 no references" in sources["https://talk.example/t/118"]["arithmetic"]
    assert sources["https://bench.example/lanternfish"]["citations"] == [6, 7, 8]


def test_claims_are_listed_by_verdict(shared: Web) -> None:
    record = shared.get("/research/lanternfish.json", params={"verdict": "not shown"}).json()
    assert [one["number"] for one in record["claims"]] == ["R3"]


def test_the_stages_are_run_from_the_snapshots(repository: Path) -> None:
    copy_lanternfish(repository)
    with open_web(repository) as web:
        assert web.get("/research/lanternfish.json").json()["verdicts"] == {"not judged": 11}
        answer = web.post("/research/lanternfish/run")
        assert answer.status_code == 303
        done = finish(web, answer.headers["location"])
        assert (done["state"], done["location"]) == ("done", "/research/lanternfish")
        assert web.get("/research/lanternfish.json").json()["verdicts"]["supports"] == 7
    assert (repository / ".research/lanternfish/report.html").is_file()


@pytest.mark.parametrize(
    "name",
    ["none", "../lanternfish", "lanternfish/agent-outputs", ".research", "x" * 300, "<b>", "lanternfish%2f"],
)
def test_what_is_no_topic_is_not_found(name: str, shared: Web) -> None:
    answer = shared.get(f"/research/{name}")
    assert answer.status_code == 404
    assert Markup(answer.text).hostile == []


@pytest.mark.parametrize("query", ["verdict=true", f"verdict={SCRIPT}", "page=x", "other=1"])
def test_what_cannot_be_asked_is_refused(query: str, shared: Web) -> None:
    answer = shared.get(f"/research/lanternfish?{query}")
    assert answer.status_code == 422
    assert SCRIPT not in answer.text


def test_markup_in_claims_quotes_titles_and_pages_stays_text(repository: Path) -> None:
    make_hostile_topic(repository)
    run_stages(repository, "hostile")
    with open_web(repository) as web:
        for path in ("", "/quotes/1", "/quotes/3", "/report"):
            answer = web.get(f"/research/hostile{path}")
            assert answer.status_code == 200, answer.text
            assert Markup(answer.text).hostile == []
            assert SCRIPT not in answer.text
        assert "&lt;script&gt;" in web.get("/research/hostile").text


def test_an_address_that_is_no_address_is_no_link(repository: Path) -> None:
    bed = Bed(repository, "odd")
    bed.given([("A claim.", "A quote.", "javascript:alert(1)"), ("B.", "B.", f"https://x.example/{IMAGE}")], urls=())
    with open_web(repository) as web:
        page = web.get("/research/odd").text
        assert Markup(page).hostile == [] and 'href="javascript' not in page
        assert "javascript:alert(1)" in page, "it is shown as text"
        assert web.get("/research/odd.json").json()["problems"]


def test_pages_without_a_snapshot_are_left_to_the_command_line(repository: Path) -> None:
    Bed(repository, "tides").given().keep(visit(TIDES, html("On tides", ["x"])))
    with open_web(repository) as web:
        said = web.get("/research/tides.json").json()["run_refusal"]
        assert "2 cited pages have no snapshot" in said and "pincite research run tides" in said
        assert not any("/run" in form for form in Markup(web.get("/research/tides").text).forms)
        answer = web.post("/research/tides/run.json")
        assert answer.status_code == 409 and "pincite research run tides" in answer.json()["error"]


def test_claims_that_a_model_judged_are_not_judged_again_offline(topic: Web, repository: Path) -> None:
    file = repository / ".research/lanternfish/agent-outputs/claim-grounding-mapper.yaml"
    text = file.read_text()
    assert 'judge: "offline"' in text
    file.write_text(text.replace('judge: "offline"', 'judge: "llm:some-model"'))
    record = topic.get("/research/lanternfish.json").json()
    assert "llm:some-model" in record["run_refusal"]
    assert topic.post("/research/lanternfish/run").status_code == 409
    handle = record["claims"][3]["handle"]
    answer = topic.get("/research/lanternfish/attest.json", params={"claim": handle, "by": "Ada"})
    assert answer.status_code == 409 and "pincite research ground lanternfish" in answer.json()["error"]


def test_a_stage_that_gives_up_says_why_and_writes_nothing(repository: Path) -> None:
    bed = Bed(repository, "small").given([("The moon raises tides.", "The moon raises two tides a day.", TIDES)])
    bed.snapshots()
    with open_web(repository) as web:
        answer = web.post("/research/small/run")
        done = finish(web, answer.headers["location"])
        assert done["state"] == "failed" and done["message"]
    assert not bed.file("claim-grounding-mapper").exists()


@pytest.mark.parametrize("path", ["/research/none/run", "/research/.research/run", "/research/%3Cb%3E/run"])
def test_what_is_no_topic_cannot_be_run(path: str, shared: Web) -> None:
    assert shared.post(path).status_code == 404


def test_a_read_only_server_offers_nothing_to_write_and_refuses_it(repository: Path) -> None:
    copy_lanternfish(repository)
    run_stages(repository)
    before = {path: path.read_bytes() for path in (repository / ".research").rglob("*") if path.is_file()}
    with open_web(repository, read_only=True) as web:
        page = web.get("/research/lanternfish").text
        assert Markup(page).forms == [] and "Attest" not in page and "Reject" not in page
        assert web.post("/research/lanternfish/run").status_code == 403
        form = {"claim": "723ccdd1", "by": "Ada", "digest": ""}
        assert web.post("/research/lanternfish/attest", form).status_code == 403
    assert before == {path: path.read_bytes() for path in (repository / ".research").rglob("*") if path.is_file()}


def test_nothing_is_run_by_a_link(shared: Web) -> None:
    assert shared.get("/research/lanternfish/run").status_code == 404
    assert shared.site.works.list() == [] or all("Stages" not in one.title for one in shared.site.works.list())


class StaticLinks(ServedLinks):
    """Links of pages that no server stands behind."""

    is_static = True


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("research", {}),
        ("topic", {"topic": "lanternfish"}),
        ("topic_quote", {"topic": "lanternfish", "number": 4}),
        ("topic_report", {"topic": "lanternfish"}),
        ("audit", {}),
        ("corpus", {}),
        ("corpus_audit", {}),
    ],
)
def test_an_export_has_neither_forms_nor_scripts(name: str, values: dict[str, object], shared: Web) -> None:
    links = StaticLinks()
    page = next(page for page in list_pages() if page.name == name)
    record = page.load(PageContext(shared.site, links), page.query(**values))
    shown = Markup(render(page.template, record, shared.site, links, here=name).decode())
    assert shown.forms == [] and not {"script", "button", "input", "textarea"} & set(shown.tags)

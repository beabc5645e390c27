"""The report of a topic, and the audit of what is pasted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_topics import IMAGE, SCRIPT, Markup, copy_lanternfish, run_stages
from support_web import Web, open_web

CITED = "Lanternfish keeps its data in 16 segments. [1](https://docs.lanternfish.example/storage)"


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


def test_the_report_is_shown_with_what_its_sentences_rest_on(shared: Web) -> None:
    record = shared.get("/research/lanternfish/report.json").json()
    assert record["audit"]["counts"]["grounded"] == 6
    first = next(part for part in record["audit"]["parts"] if part["sentences"])
    assert first["sentences"][0]["url"] == "https://docs.lanternfish.example/storage"
    page = shared.get("/research/lanternfish/report").text
    assert "keeps its data in 16 segments" in page and "<ol" in page


def test_the_whole_text_is_shown_whatever_is_marked(shared: Web) -> None:
    text = (Path(shared.site.root) / ".research/lanternfish/report.md").read_text()
    parts = shared.get("/research/lanternfish/report.json").json()["audit"]["parts"]
    shown = ["".join(piece["text"] for piece in part["pieces"]) for part in parts]
    assert "\n\n".join(shown).split() == text.split()


def test_an_edited_report_is_not_grounded(topic: Web, repository: Path) -> None:
    file = repository / ".research/lanternfish/report.md"
    file.write_text(file.read_text().replace("16 segments", "17 segments"))
    record = topic.get("/research/lanternfish/report.json").json()["audit"]
    assert not record["is_grounded"] and record["counts"]["unsupported"] >= 1


def test_a_hostile_report_is_only_text(topic: Web, repository: Path) -> None:
    file = repository / ".research/lanternfish/report.md"
    file.write_text(f"{SCRIPT}\n\n{IMAGE} is \x1b[31mred\x00.\n\n[x](javascript:alert(1)) says so.\n")
    page = topic.get("/research/lanternfish/report")
    assert page.status_code == 200 and Markup(page.text).hostile == []
    assert "\x1b" not in page.text and "\x00" not in page.text


def test_without_a_report_there_is_none(repository: Path) -> None:
    copy_lanternfish(repository)
    with open_web(repository) as web:
        answer = web.get("/research/lanternfish/report.json")
        assert answer.status_code == 404 and "run the stages" in answer.json()["error"]
        assert web.get("/research/none/report").status_code == 404


def test_a_report_that_is_no_text_is_refused(topic: Web, repository: Path) -> None:
    (repository / ".research/lanternfish/report.md").write_bytes(b"\xff\xfe\x00\xd8")
    assert 400 <= topic.get("/research/lanternfish/report").status_code < 500


def test_a_pasted_report_is_audited_and_not_written(shared: Web) -> None:
    before = sorted(str(path) for path in Path(shared.site.root).rglob("*"))
    form = {"text": f"{CITED}\r\n\r\nWhales sing.\r\n", "topic": "lanternfish"}
    record = shared.post("/audit.json", form).json()
    assert record["audit"]["counts"] == {"uncited": 1, "grounded": 1}
    assert [part["line"] for part in record["audit"]["parts"]] == [1, 3]
    assert "Audit of the report" in shared.post("/audit", form).text
    assert sorted(str(path) for path in Path(shared.site.root).rglob("*")) == before


def test_without_a_topic_nothing_is_grounded(shared: Web) -> None:
    assert shared.post("/audit.json", {"text": CITED}).json()["audit"]["counts"] == {"unsupported": 1}


def test_a_read_only_server_audits_too(repository: Path) -> None:
    copy_lanternfish(repository)
    with open_web(repository, read_only=True) as web:
        assert web.post("/audit.json", {"text": CITED}).status_code == 200


@pytest.mark.parametrize(
    ("form", "status", "said"),
    [
        ({}, 422, "text"),
        ({"text": ""}, 422, "no text"),
        ({"text": " \r\n\t"}, 422, "no text"),
        ({"text": "x.", "least": "low"}, 422, "least"),
        ({"text": "x.", "topic": "none"}, 404, "no such topic"),
        ({"text": "x.", "topic": "../lanternfish"}, 404, "no name of a topic"),
        ({"text": "x.", "topic": "a\x00b"}, 422, "NUL"),
        ({"text": "x\x00.", "topic": ""}, 422, "NUL"),
        ({"text": "x.", "other": "1"}, 422, "other"),
        ({"text": "x" * 300_000}, 413, "send less"),
    ],
)
def test_what_cannot_be_audited_is_refused(form: dict[str, str], status: int, said: str, shared: Web) -> None:
    answer = shared.post("/audit.json", form)
    assert (answer.status_code, said in answer.json()["error"]) == (status, True), answer.text


@pytest.mark.parametrize(
    "text",
    [SCRIPT, f"{IMAGE} sings.", "\x01\x1b[2J", "|" * 500, "> " * 500, "[" * 500, "`" * 300, "# " * 200, "\u202e evil."],
)
def test_hostile_text_is_only_text(text: str, shared: Web) -> None:
    answer = shared.post("/audit", {"text": text, "topic": "lanternfish"})
    assert answer.status_code == 200, answer.text
    assert Markup(answer.text).hostile == [] and "\u202e" not in answer.text


def test_text_that_is_no_text_is_refused(shared: Web) -> None:
    answer = shared.client.post(
        "/audit.json",
        content=b'{"text": "a \\ud800 b"}',
        headers={"content-type": "application/json", "sec-fetch-site": "same-origin"},
    )
    assert answer.status_code in (400, 422)

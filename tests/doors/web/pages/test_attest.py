"""A person signs, after having seen the change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support_topics import SCRIPT, Markup, copy_lanternfish, run_stages
from support_web import Web, open_web

ATTEST = "/research/lanternfish/attest"
IMPLIED, UNSHOWN, STATED, DENIED = "723ccdd1", "7db754cf", "e00ffbc6", "e567f939"
BENCH = "https://bench.example/lanternfish"
FILE = ".research/lanternfish/attestations.yaml"


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


def preview(web: Web, **fields: str) -> Any:
    return web.get(f"{ATTEST}.json", params=fields)


def digest(web: Web) -> str:
    found: str = preview(web, claim=IMPLIED).json()["digest"]
    return found


def test_a_claim_is_attested_as_it_was_shown(topic: Web, repository: Path) -> None:
    shown = preview(topic, claim=UNSHOWN, by="Ada", note="I asked them").json()
    assert shown["digest"] == "" and '+    by: "Ada"' in shown["diff"]
    assert not (repository / FILE).exists(), "looking writes nothing"
    answer = topic.post(ATTEST, {"claim": UNSHOWN, "by": "Ada", "note": "I asked them", "digest": ""})
    assert (answer.status_code, answer.headers["location"]) == (303, "/research/lanternfish")
    added = [line[1:] for line in shown["diff"] if line.startswith("+") and not line.startswith("+++")]
    assert (repository / FILE).read_text().splitlines() == added
    stages = {one["stage"]: one["state"] for one in topic.get("/research/lanternfish.json").json()["stages"]}
    assert stages["claim-grounding-mapper"] == "outdated"
    run_stages(repository)
    claims = topic.get("/research/lanternfish.json").json()["claims"]
    assert next(one for one in claims if one["handle"] == UNSHOWN)["attested"].startswith("attested by Ada on 20")


def test_a_claim_is_rejected_by_name(topic: Web, repository: Path) -> None:
    answer = topic.post(ATTEST, {"claim": STATED, "word": "reject", "by": "Ada", "digest": ""})
    assert answer.status_code == 303
    assert (repository / FILE).read_text().startswith("rejections:")
    run_stages(repository)
    claims = topic.get("/research/lanternfish.json").json()["claims"]
    rejected = next(one for one in claims if one["handle"] == STATED)
    assert rejected["verdict"] == "not shown" and rejected["reasons"][-1]["text"].startswith("rejected by Ada on 20")


def test_an_author_is_attested(topic: Web, repository: Path) -> None:
    form = {"url": BENCH, "author": "Jo Ode", "by": "Ada", "digest": ""}
    assert topic.post(ATTEST, form).status_code == 303
    assert 'author: "Jo Ode"' in (repository / FILE).read_text()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"claim": UNSHOWN, "by": ""}, "a person has to sign"),
        ({"claim": UNSHOWN, "by": "   "}, "a person has to sign"),
        ({"claim": UNSHOWN, "by": "A\nda"}, "cannot be seen"),
        ({"claim": UNSHOWN, "by": "A\x1b[31mda"}, "cannot be seen"),
        ({"claim": UNSHOWN, "by": "A\u202eda"}, "cannot be seen"),
        ({"claim": UNSHOWN, "by": "A\x00da"}, "NUL"),
        ({"claim": UNSHOWN, "by": "A" * 201}, "longer than 200"),
        ({"claim": UNSHOWN, "by": "Ada", "note": "x\x07"}, "control characters"),
        ({"claim": UNSHOWN, "by": "Ada", "note": "x" * 2001}, "longer than 2000"),
        ({"claim": DENIED, "by": "Ada"}, "contradicted"),
        ({"claim": STATED, "by": "Ada"}, "no rejected claim"),
        ({"claim": UNSHOWN, "by": "Ada", "word": "reject"}, "no grounded claim"),
        ({"claim": "ffffffff", "by": "Ada"}, "no rejected claim"),
        ({"claim": SCRIPT, "by": "Ada"}, "no rejected claim"),
        ({"claim": UNSHOWN, "by": "Ada", "word": "maybe"}, "expected accept or reject"),
        ({"claim": UNSHOWN, "url": BENCH, "by": "Ada"}, "one of"),
        ({"by": "Ada"}, "one of"),
        ({"url": BENCH, "by": "Ada"}, "the author is empty"),
        ({"url": BENCH, "by": "Ada", "author": "J\x00o"}, "NUL"),
        ({"url": "https://other.example/", "by": "Ada", "author": "Jo"}, "no citation"),
        ({"url": "javascript:alert(1)", "by": "Ada", "author": "Jo"}, "https://"),
        ({"url": "http://bench.example/lanternfish", "by": "Ada", "author": "Jo"}, "https://"),
    ],
)
def test_what_nobody_may_sign_is_refused(fields: dict[str, str], said: str, shared: Web) -> None:
    answer = shared.post(f"{ATTEST}.json", {**fields, "digest": ""})
    assert 400 <= answer.status_code < 500 and said in answer.json()["error"], answer.text
    assert not (Path(shared.site.root) / FILE).exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"claim": UNSHOWN},
        {"claim": UNSHOWN, "by": "Ada"},
        {"claim": UNSHOWN, "digest": ""},
        {"claim": UNSHOWN, "by": "Ada", "digest": "", "other": "1"},
    ],
)
def test_a_form_that_is_not_complete_is_refused(fields: dict[str, str], shared: Web) -> None:
    assert shared.post(ATTEST, fields).status_code == 422
    assert not (Path(shared.site.root) / FILE).exists()


def test_a_file_that_changed_since_it_was_shown_is_left_alone(topic: Web, repository: Path) -> None:
    seen = digest(topic)
    (repository / FILE).write_text("")
    for stale in (seen, "0" * 64, "x"):
        answer = topic.post(f"{ATTEST}.json", {"claim": UNSHOWN, "by": "Ada", "digest": stale})
        assert answer.status_code == 409 and "changed since it was shown" in answer.json()["error"]
    assert (repository / FILE).read_text() == ""
    assert topic.post(ATTEST, {"claim": UNSHOWN, "by": "Ada", "digest": digest(topic)}).status_code == 303


def test_a_form_that_is_sent_twice_signs_once(topic: Web, repository: Path) -> None:
    form = {"claim": UNSHOWN, "by": "Ada", "digest": ""}
    assert topic.post(ATTEST, form).status_code == 303
    first = (repository / FILE).read_bytes()
    assert topic.post(ATTEST, form).status_code == 409
    assert (repository / FILE).read_bytes() == first


@pytest.mark.parametrize("text", ["claims: [", "claims:\n  - claim: 1\n", "\x00", "odd: 1\n"])
def test_a_file_that_cannot_be_read_is_not_replaced(text: str, topic: Web, repository: Path) -> None:
    (repository / FILE).write_text(text)
    answer = topic.post(f"{ATTEST}.json", {"claim": UNSHOWN, "by": "Ada", "digest": ""})
    assert 400 <= answer.status_code < 500
    assert (repository / FILE).read_text() == text


def test_a_link_out_of_the_root_is_not_written_through(topic: Web, repository: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.yaml"
    outside.write_text("")
    (repository / FILE).symlink_to(outside)
    answer = topic.post(f"{ATTEST}.json", {"claim": UNSHOWN, "by": "Ada", "digest": ""})
    assert 400 <= answer.status_code < 500
    assert outside.read_text() == ""


def test_names_are_only_text(shared: Web) -> None:
    page = shared.get(ATTEST, params={"claim": UNSHOWN, "by": f'"{SCRIPT}', "note": "'>" + SCRIPT}).text
    assert Markup(page).hostile == [] and SCRIPT not in page

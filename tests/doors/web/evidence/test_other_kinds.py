"""Captured output, snapshots of web pages, passages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.domains.research.stages import TopicContext
from pincite.domains.research.topic import topic_named
from pincite.doors.web.evidence.snapshot import show_snapshot
from pincite.project.config import ResearchSettings
from pincite.safe.files import Root
from pincite.store.warc import Snapshots
from support_research import HARBOUR, visit

Show = Callable[..., dict[str, Any]]


def read_facts(evidence: dict[str, Any]) -> dict[str, str]:
    return {fact["name"]: fact["value"] for fact in evidence["facts"]}


def test_output_has_its_command_its_ending_and_its_lines(show: Show) -> None:
    evidence = show("†L3-L4】")
    facts = read_facts(evidence)
    assert evidence["kind"] == "output" and facts["command"] == "pytest -q" and facts["when"].endswith("1.5 s, exit 0")
    lines = [(line["number"], line["text"]) for line in evidence["excerpt"]["lines"] if line["is_cited"]]
    assert lines == [(3, "test_gauge.py ..."), (4, "3 passed in 0.1s")]


def test_output_that_is_hostile_is_text(page: Callable[..., str]) -> None:
    text = page("†L3-L4】")
    assert "<b>done" not in text and "&lt;b&gt;done" in text and "\x1b" not in text


def test_output_that_is_not_at_hand_says_so(show: Show) -> None:
    evidence = show("a1b2c3")
    assert evidence["kind"] == "none" and "No captured output a1b2c3 is at hand" in evidence["statement"]


def test_an_id_of_two_outputs_lists_both(tmp_path: Path, captured: Callable[..., str]) -> None:
    from support_web import open_web

    for text in (b"one\n", b"<i>two</i>\n"):
        captured(tmp_path, text, given="abc123")
    (tmp_path / "a.md").write_text("They pass 【abc123†L1】.\n")
    (tmp_path / "pincite.toml").write_text("")
    with open_web(tmp_path) as web:
        (row,) = web.site.documents.all_rows()
        evidence = web.get(f"/c/{row.id}.json").json()["evidence"]
        assert len(evidence["candidates"]) == 2
        assert all(one["replacement"].endswith("†L1】") for one in evidence["candidates"])
        assert len({one["replacement"] for one in evidence["candidates"]}) == 2
        text = web.get(f"/c/{row.id}").text
        assert "<i>two" not in text and "&lt;i&gt;two" in text


def test_a_passage_has_its_headings(show: Show) -> None:
    evidence = show("]: docs/guide.md")
    assert evidence["kind"] == "passage" and read_facts(evidence)["under"] == "Guide › Resetting"
    assert "A reset sets the value to zero." in [line["text"] for line in evidence["excerpt"]["lines"]]


def test_a_snapshot_has_its_text_and_its_arithmetic(show: Show, page: Callable[..., str]) -> None:
    evidence = show("[@harbour]")
    assert evidence["kind"] == "snapshot" and evidence["address"] == HARBOUR
    quoted = [piece["text"] for piece in evidence["text"] if piece["is_quoted"]]
    assert quoted == ["The harbour is 14 metres deep at low water."]
    assert evidence["arithmetic"][0].startswith("base ") and evidence["arithmetic"][-1].startswith("= ")
    assert read_facts(evidence)["fetched"] == "2026-05-01T08:00:00Z"
    assert 'rel="noreferrer noopener nofollow"' in page("[@harbour]")


@pytest.fixture
def topic(tmp_path: Path) -> Any:
    root = Root(str(tmp_path))
    return TopicContext(root, topic_named("tides"), ResearchSettings(), offline=True)


def keep(topic: TopicContext, body: bytes, **more: Any) -> None:
    Snapshots(topic.root, topic.topic.snapshots).add(visit(HARBOUR, body, **more))


def test_nothing_is_shown_of_an_address_that_was_never_fetched(topic: TopicContext) -> None:
    assert show_snapshot(topic, HARBOUR, "any words") is None


def test_a_page_without_the_quote_says_so(topic: TopicContext) -> None:
    keep(topic, b"<html><body><p>Nothing of the kind stands here.</p></body></html>")
    view = show_snapshot(topic, HARBOUR, "The harbour is 14 metres deep at low water.")
    assert view is not None and view.statement == "nothing on the page comes near it"
    assert not any(piece.is_quoted for piece in view.text)


def test_an_answer_that_was_no_page_says_so(topic: TopicContext) -> None:
    keep(topic, b"gone", status=404)
    view = show_snapshot(topic, HARBOUR, "any words at all")
    assert view is not None and "404" in view.statement and view.text == ()


def test_hostile_pages_become_text_without_anything_invisible(topic: TopicContext) -> None:
    keep(topic, "<html><title>\u202ex</title><body><p>words\u202e here &lt;script&gt; stand</p></body></html>".encode())
    view = show_snapshot(topic, HARBOUR, "here")
    assert view is not None and "\u202e" not in view.title + "".join(piece.text for piece in view.text)


def test_a_long_page_is_cut_around_the_quote(topic: TopicContext) -> None:
    filler = b"<p>Filler words that say nothing of interest.</p>" * 5000
    keep(topic, b"<html><body>" + filler + b"<p>The moon raises two tides a day.</p>" + filler + b"</body></html>")
    view = show_snapshot(topic, HARBOUR, "The moon raises two tides a day.")
    assert view is not None and sum(len(piece.text) for piece in view.text) < 13_000
    assert [piece.text for piece in view.text if piece.is_quoted] == ["The moon raises two tides a day."]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x"])
def test_only_addresses_of_the_web_become_links(address: str) -> None:
    from pincite.doors.web.evidence import EvidenceView
    from pincite.doors.web.links import ServedLinks
    from pincite.doors.web.rendering import _environment

    view = EvidenceView("snapshot", "", "title", address=address)
    text = _environment().get_template("_evidence.html").render(evidence=view, links=ServedLinks())
    assert "href" not in text and address.split(":")[0] in text

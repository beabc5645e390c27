"""A quote with the text of the snapshot around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support_research import HARBOUR, TIDES, WEIR, Bed, html, visit
from support_topics import Markup, copy_lanternfish
from support_web import Web, open_web

ROWS = [
    ("Two tides a day.", "The moon raises two tides a day.", TIDES),
    ("Nine tides.", "The moon raises nine tides a day.", TIDES),
    ("Whales sing.", "Whales sing at night in every ocean.", TIDES),
    ("Deep.", "The harbour is 14 metres deep.", HARBOUR),
]


def test_a_verbatim_quote_is_marked_in_its_text(repository: Path) -> None:
    Bed(repository).given(ROWS).snapshots()
    with open_web(repository) as web:
        record = web.get("/research/tides/quotes/1.json").json()
        assert (record["state"], record["validated"]) == ("verbatim", None)
        assert "It pulls the water" in record["after"]
        page = web.get("/research/tides/quotes/1").text
        assert "<mark>The moon raises two tides a day.</mark>" in page


@pytest.mark.parametrize(("number", "states"), [(2, ("altered", "not found")), (3, ("not found",))])
def test_a_quote_that_does_not_stand_there_is_never_called_verbatim(
    number: int, states: tuple[str, ...], repository: Path
) -> None:
    Bed(repository).given(ROWS).snapshots()
    with open_web(repository) as web:
        record = web.get(f"/research/tides/quotes/{number}.json").json()
        assert record["state"] in states and record["reason"]


def test_what_a_file_says_of_a_quote_does_not_count(repository: Path) -> None:
    """A stage file that came with a clone can claim that the quote was found; the snapshot decides."""
    copy_lanternfish(repository)
    file = repository / ".research/lanternfish/agent-outputs/citation-extractor.yaml"
    file.write_text(file.read_text().replace("in 16 segments", "in 99 segments"))
    with open_web(repository) as web:
        assert web.get("/research/lanternfish/quotes/1.json").json()["state"] != "verbatim"


def test_without_a_snapshot_nothing_is_said_and_nothing_is_fetched(repository: Path) -> None:
    Bed(repository).given(ROWS)
    with open_web(repository) as web:
        record = web.get("/research/tides/quotes/1.json").json()
        assert (record["state"], record["snapshot"]) == ("unknown", "")
        assert "pincite research run tides" in web.get("/research/tides/quotes/1").text


def test_a_damaged_snapshot_is_named(repository: Path) -> None:
    bed = Bed(repository).given(ROWS).keep(visit(TIDES, html("On tides", ["The moon raises two tides a day."])))
    (file,) = (bed.folder / "snapshots").iterdir()
    file.write_bytes(file.read_bytes()[:40])
    with open_web(repository) as web:
        assert web.get("/research/tides/quotes/1.json").json()["state"] == "unknown"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A site with a topic, for what is refused."""
    top = tmp_path_factory.mktemp("shared")
    Bed(top).given(ROWS).snapshots()
    with open_web(top) as web:
        yield web


@pytest.mark.parametrize("number", ["0", "5", "-1", "9" * 30, "1.5", "one", "%00", "%3Cb%3E", "1/../../2"])
def test_a_number_that_no_citation_has_is_refused(number: str, shared: Web) -> None:
    answer = shared.get(f"/research/tides/quotes/{number}")
    assert answer.status_code in (404, 422)
    assert Markup(answer.text).hostile == []


def test_a_page_that_is_no_text_is_refused_with_a_reason(repository: Path) -> None:
    bed = Bed(repository).given(ROWS)
    bed.keep(visit(TIDES, bytes(range(256)) * 8, headers=(("Content-Type", "application/octet-stream"),)))
    bed.keep(visit(WEIR, b"", status=404))
    with open_web(repository) as web:
        record = web.get("/research/tides/quotes/1.json").json()
        assert record["state"] != "verbatim" and record["reason"]

"""A run that was killed goes on where it stopped, and ends as if nobody had killed it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from gzip import compress, decompress
from pathlib import Path
from typing import Any

import pytest

from pincite.core.web import FetchFailure
from pincite.domains.research.model import GROUND, VALIDATE, Aborted
from pincite.domains.research.stage_runner import run

CAMPAIGN = Path(__file__).with_name("kills.py")
STRIDE = 1 if os.environ.get("PINCITE_KILLS") == "all" else 2
SOURCES = Path(__file__).parents[3] / "src"


def test_a_run_that_is_killed_anywhere_ends_the_same(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(CAMPAIGN), str(tmp_path), str(STRIDE)],
        env=os.environ | {"PINCITE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(SOURCES)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    kills = [json.loads(line) for line in done.stdout.splitlines()]
    # Three snapshots, two stages and the report: written, named, tidied up.
    assert len(kills) >= (3 * 3 + 2 * 2 + 2) // STRIDE
    assert [kill for kill in kills if kill["broken"] or kill["differing"]] == []
    assert all(kill["fetched"] == 3 - kill["kept"] for kill in kills)
    assert {kill["kept"] for kill in kills} == {0, 1, 2, 3}
    assert all(kill["again"] == ["given", "given", "kept", "kept", "kept"] for kill in kills)
    assert {tuple(kill["states"][2:]) for kill in kills} >= {
        ("done", "done", "done"),
        ("kept", "done", "done"),
        ("kept", "kept", "done"),
    }


def states(work: Any) -> list[str]:
    return [step.state for step in run(work)][2:]


@pytest.fixture
def run_once(made: Any, bed: Any, foreseeable: Any) -> Any:
    assert states(bed.work(made.Fetching())) == ["done", "done", "done"]
    return bed


def test_nothing_is_done_twice(made: Any, run_once: Any) -> None:
    before = run_once.state()
    judge = made.Literal()
    assert states(run_once.work(judge=judge)) == ["kept", "kept", "kept"]
    assert (run_once.state(), judge.asked) == (before, [])


def test_a_changed_input_is_done_again(made: Any, run_once: Any) -> None:
    run_once.given(made.ROWS[:5])
    assert states(run_once.work()) == ["done", "done", "done"]


def test_a_changed_attestation_is_looked_at(made: Any, run_once: Any) -> None:
    (run_once.folder / "attestations.yaml").write_text("authors: []\n")
    assert states(run_once.work())[:2] == ["done", "done"]


def test_another_judge_judges_again(made: Any, run_once: Any) -> None:
    other = made.Literal()
    other.name = "another"
    assert states(run_once.work(judge=other))[:2] == ["kept", "done"]


def test_a_lost_or_edited_output_is_made_again(made: Any, run_once: Any) -> None:
    before = run_once.state()
    run_once.file(GROUND).unlink()
    assert states(run_once.work()) == ["kept", "done", "kept"]
    text = run_once.file(VALIDATE).read_text()
    run_once.file(VALIDATE).write_text(text.replace("credibility_score: 7", "credibility_score: 11", 1))
    assert states(run_once.work())[0] == "done"
    (run_once.folder / "report.md").write_text("other")
    assert states(run_once.work()) == ["kept", "kept", "done"]
    assert run_once.state() == before | {"report.md.bak": b"other"}


def test_a_snapshot_that_was_altered_is_looked_at_again(made: Any, run_once: Any) -> None:
    for file in (run_once.folder / "snapshots").iterdir():
        file.write_bytes(compress(decompress(file.read_bytes()).replace(b"</article>", b"more</art>")))
    with pytest.raises(Aborted, match="source-validator"):
        states(run_once.work(offline=True))


def test_relaxed_checks_are_kept_too(made: Any, bed: Any, foreseeable: Any) -> None:
    from pincite.project.config import ResearchSettings

    relaxed = ResearchSettings(required_checks=("url_reachable", "quote_found", "quote_verbatim", "author_verified"))
    pages = {url: page.replace(b"<li>", b"<i>") for url, page in made.PAGES.items()}
    assert states(bed.work(made.Fetching(pages), settings=relaxed)) == ["done"] * 3
    assert states(bed.work(settings=relaxed)) == ["kept"] * 3
    assert states(bed.work())[0] == "done"


def test_the_network_is_gone(made: Any, held: Any, foreseeable: Any) -> None:
    expected = states(held.work(made.no_fetcher))
    assert expected == ["done"] * 3
    before = held.state()
    gone = made.Fetching({url: FetchFailure("unreachable", f"{url}: no way there; try later") for url in made.PAGES})
    assert states(held.work(gone, refresh=True)) == ["done", "done", "done"]
    text = held.file(VALIDATE).read_text()
    assert text.count('availability: "archived"') == 6
    held.file(VALIDATE).unlink()
    assert states(held.work(gone)) == ["done", "done", "done"]
    assert held.state() == before and len(gone.asked) == 3


def test_a_page_that_was_out_of_reach_is_asked_for_again(made: Any, bed: Any, foreseeable: Any) -> None:
    away = FetchFailure("timeout", "too slow")
    with pytest.raises(Aborted, match=r"claim-grounding-mapper: 4 claims"):
        states(bed.work(made.Fetching(made.PAGES | {made.WEIR: away})))
    again = made.Fetching()
    bed.file(VALIDATE).unlink()
    assert states(bed.work(again)) == ["done"] * 3
    assert again.asked == [made.WEIR]

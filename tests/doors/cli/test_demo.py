"""The demo, as it looks: its real output is kept, plain and as a terminal shows it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[3] / "examples/demo.py"
SNAPSHOTS = Path(__file__).parent / "snapshots"


@cache
def plain(*arguments: str) -> str:
    quiet = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [sys.executable, str(DEMO), *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=quiet, check=True
    )
    return done.stdout.decode()


def timeless(seen: str) -> str:
    """The same without what depends on the time of day: a duration, a date, the name of a receipt."""
    seen = re.sub(r"(?<=/receipts/REF-001-)[0-9a-f]{12}(?=\.json)", "…", seen)
    return re.sub(r"(?<=  when      )\S+, [0-9.]+ m?s(?=, exit 0\n)", "…", seen)


@pytest.mark.parametrize("name", ["plain", "coloured"])
@pytest.mark.parametrize("tour", ["short", "all"])
def test_the_demo_looks_as_it_did(tour: str, name: str, terminal: Callable[..., str]) -> None:
    words = ["--all"] if tour == "all" else []
    seen = timeless(plain(*words) if name == "plain" else terminal([sys.executable, str(DEMO), *words], DEMO.parent))
    snapshot = SNAPSHOTS / f"demo-{tour}-{name}.txt"
    if os.environ.get("PINCITE_UPDATE_SNAPSHOTS"):
        snapshot.parent.mkdir(exist_ok=True)
        snapshot.write_text(seen)
    assert seen == snapshot.read_text()


def test_the_short_demo_checks_repairs_and_says_the_result_on_one_screen() -> None:
    seen = plain()
    told = ("2 hold", "$ pincite fix --write", "Fixed 1 citation", "$ pincite check\n…", "3 hold", "make demo-all")
    assert [words for words in told if words not in seen] == []
    assert sorted(told, key=seen.find) == list(told)
    assert len(seen.splitlines()) <= 25
    assert max(map(len, seen.splitlines())) <= 120


def test_the_demo_refuses_other_arguments_and_says_how_it_is_called() -> None:
    done = subprocess.run([sys.executable, str(DEMO), "--everything"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "demo.py --all" in done.stderr


def test_the_demo_shows_every_outcome_it_promises() -> None:
    seen = plain("--all")
    for words in ("2 hold", "lines-moved", "lines-edited", "file-not-found", "path-blocked", "malformed", "--write"):
        assert words in seen


def test_the_demo_writes_citations_and_sees_what_a_change_does_to_them() -> None:
    seen = plain("--all").partition("pincite cite src/gauge.py:11-14")[2]
    told = (
        "【F:src/gauge.py†L11-L14】",
        "[src/gauge.py:14](src/gauge.py#L14)",
        "nothing but white space",
        "`LIMIT` is defined there",
        "Added 1 citation to 1 document.",
        "it holds",
        "docs/design.md:3:29  moves  【F:src/gauge.py†L7-L9】",
        "docs/overview.md:1:47  edits  【F:src/gauge.py†L3】",
    )
    assert [words for words in told if words not in seen] == []
    assert sorted(told, key=seen.find) == list(told)


def test_the_demo_records_a_command_and_checks_what_is_said_about_it() -> None:
    seen = plain("--all").partition("pincite run")[2]
    (recorded,) = set(re.findall("【([0-9a-f]{6})†L4】", seen))
    kept, held, doubted, exported = (
        f"【{recorded}†L4】  432 checks passed",
        "it holds",
        "450 is not in the cited lines (L4 holds: 432",
        "Wrote 1 text to evidence.",
    )
    assert sorted((kept, held, doubted, exported), key=seen.find) == [kept, held, doubted, exported]
    assert all(words in seen for words in (kept, held, doubted, exported))


def test_the_demo_adds_a_paper_and_checks_what_is_quoted_from_it() -> None:
    seen = plain("--all").partition("pincite corpus add gauges.pdf")[2]
    told = (
        "Misquoted (page 82): the number 79% is 97% there",
        "The quote is not on page 83: it stands on page 84",
        "Citation not in corpus whitelist: REF-002",
        "4 citations in 1 document: 1 holds",
        "loses no count [REF-001, p.83]",
        "salt water [citation needed]",
    )
    assert [words for words in told if words not in seen] == []
    assert sorted(told, key=seen.find) == list(told)


def test_the_demo_searches_cites_and_sees_what_became_of_it() -> None:
    seen = plain("--all").partition("pincite index")[2]
    told = (
        "docs/guide.md:7  Gauges for operators › Resetting",
        "[^4c9b8e8c]: docs/guide.md:7",
        "No heading 'Peaks' in docs/guide.md",
        "1  stale   docs/guide.md:7  §Resetting",
        "+A reset sets the value to zero. It forgets the peak, so somebody",
        "the number 350 is 250 there",
        "1 mismatch, 1 uncited sentence",
    )
    assert [words for words in told if words not in seen] == []
    assert sorted(told, key=seen.find) == list(told)


def test_the_demo_grounds_a_report_and_sees_what_was_changed_in_it() -> None:
    seen = plain("--all").partition("pincite research check")[2]
    told = (
        "search-agent 4, citation-extractor 11: all rules hold",
        "base 5: signed technical page (bench.example)",
        "the page has “240”, the quote “340”",
        "9 of 11 citations validated",
        "✓ high    The journal supports 4 compression methods.",
        "✗ contradicted  Lanternfish does not lock a segment while it compacts it.",
        "✗ not shown  Lanternfish is widely used.",
        "7 of 11 claims grounded: 6 high, 1 medium (needs a reader)",
        "✗ 85.7 % grounded: 6 grounded, 1 needs a reader, 0 unsupported, 0 uncited",
        "✓ 100 % grounded: 7 grounded, 0 unsupported, 0 uncited",
        "number-conflict  the claim says 2.3 seconds, the quote 3.2 seconds",
        "edited since it was written",
        "✗ 62.5 % grounded: 5 grounded, 1 needs a reader, 2 unsupported, 0 uncited",
    )
    assert [words for words in told if words not in seen] == []
    assert sorted(told, key=seen.find) == list(told)

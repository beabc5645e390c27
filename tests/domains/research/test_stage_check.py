"""Checking a topic, or one file of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.errors import PinciteError, Unreadable, UsageError
from pincite.core.model import Severity
from pincite.domains.research.model import EXTRACT, GROUND, SEARCH, STAGES, VALIDATE
from pincite.domains.research.stage_check import check
from pincite.safe.files import Root

CASE = Path(__file__).resolve().parents[3] / "conformance" / "research" / "ground-holds"
OUTPUTS = ".research/tides/agent-outputs"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Root]:
    shutil.copytree(CASE, tmp_path / OUTPUTS, ignore=shutil.ignore_patterns("expected.yaml"))
    monkeypatch.chdir(tmp_path)
    with Root(str(tmp_path)) as opened:
        yield opened


def change(root: Root, stage: str, old: str, new: str) -> None:
    path = Path(root.path) / OUTPUTS / f"{stage}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_whole_topic(root: Root) -> None:
    found = check(root, "tides")
    assert (found.given, found.stages, found.ok, found.problems) == ("tides", STAGES, True, ())
    assert found.counts == {SEARCH: 3, EXTRACT: 3, VALIDATE: 3, GROUND: 5}
    assert [one.key for one in found.loaded] == [f"{OUTPUTS}/{stage}.yaml" for stage in STAGES]


def test_problems_come_by_stage_and_line(root: Root) -> None:
    change(root, GROUND, "claim_id: 1", "claim_id: 7")
    change(root, SEARCH, "https://harbour", "http://harbour")
    change(root, EXTRACT, "since 1807.", "since 1708.")
    found = check(root, ".research/tides")
    assert [(problem.file.rpartition("/")[2].partition(".")[0], problem.rule) for problem in found.problems] == [
        (SEARCH, "not-https"),
        (EXTRACT, "url-not-in-results"),
        (VALIDATE, "citation-changed"),
        (GROUND, "not-sequential"),
        (GROUND, "not-sequential"),
    ]
    assert not found.ok


def test_stages_that_are_missing_between_are_said(root: Root) -> None:
    (Path(root.path) / OUTPUTS / "citation-extractor.yaml").unlink()
    found = check(root, "tides")
    assert found.ok and found.stages == (SEARCH, VALIDATE, GROUND)
    assert [(problem.rule, problem.severity) for problem in found.problems] == [("not-joined", Severity.WARNING)]
    assert "no citation-extractor beside it" in found.problems[0].message


def test_one_file_leaves_the_defects_of_others_alone(root: Root) -> None:
    change(root, SEARCH, "2026-10-20", "tomorrow")
    change(root, GROUND, "citation_id: 2", "citation_id: 9")
    assert check(root, f"{OUTPUTS}/citation-extractor.yaml").problems == ()
    (problem,) = check(root, f"{root.path}/{OUTPUTS}/source-validator.yaml").problems
    assert (problem.rule, problem.file) == ("no-such-citation", f"{OUTPUTS}/claim-grounding-mapper.yaml")
    assert check(root, f"{OUTPUTS}/search-agent.yaml").counts == {SEARCH: 3}


def test_the_day_comes_from_the_clock_where_none_is_given(root: Root) -> None:
    change(root, SEARCH, "2026-10-20", "9999-12-31")
    assert [problem.rule for problem in check(root, f"{OUTPUTS}/search-agent.yaml").problems] == ["future-date"]
    assert check(root, f"{OUTPUTS}/search-agent.yaml", today="").problems == ()


def test_a_file_anywhere_below_the_root(root: Root) -> None:
    shutil.copy(CASE / "citation-extractor.yaml", Path(root.path) / "mine.yaml")
    found = check(root, "mine.yaml")
    assert (found.given, found.stages, [problem.rule for problem in found.problems]) == (
        "mine.yaml",
        (EXTRACT,),
        ["not-joined"],
    )


def test_what_cannot_be_checked_is_refused(root: Root, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "search-agent.yaml"
    shutil.copy(CASE / "search-agent.yaml", outside)
    (Path(root.path) / ".research/empty").mkdir()
    (Path(root.path) / ".research/tides/report.md").write_text("# Tides\n\nThey come: and go.\n")
    for given, text in (
        ("empty", "no stage has a file yet; write search-agent.yaml, "),
        ("other", "no such topic; there are: empty, tides"),
        (str(outside), "no such topic"),
        (".research/tides/report.md", "report.md"),
    ):
        with pytest.raises(PinciteError) as refused:
            check(root, given)
        assert text in str(refused.value)
        assert refused.value.exit_code == 2


def test_a_topic_with_a_file_that_cannot_be_parsed_is_refused(root: Root) -> None:
    change(root, VALIDATE, "validated_citations:", "validated_citations: [")
    with pytest.raises(Unreadable, match=rf"{OUTPUTS}/source-validator\.yaml:\d+: "):
        check(root, "tides")
    warned = check(root, f"{OUTPUTS}/claim-grounding-mapper.yaml")
    assert [problem.rule for problem in warned.problems] == ["not-joined", "not-joined"]


def test_two_files_of_a_stage_are_refused(root: Root) -> None:
    (Path(root.path) / OUTPUTS / "search-agent.yml").write_text("results: []\n")
    with pytest.raises(UsageError, match="keep one of them"):
        check(root, "tides")

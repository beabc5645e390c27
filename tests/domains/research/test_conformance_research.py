"""Every case of `conformance/research/`: the files of some stages, and exactly what checking them must say.

A case is a folder with files as they lie in `agent-outputs`, and an `expected.yaml`:

    title      what the case shows
    given      one of the files, where it is checked alone; else the topic is
    required   the checks that validated citations need, where they are not all of them
    problems   `rule`, `file`, `path`, the `line` where it matters, and the `severity` where it is no error
    error      a part of why a file could not be read at all
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from pincite.core.errors import PinciteError
from pincite.domains.research.model import CHECKS, STAGES
from pincite.domains.research.schemas import schema
from pincite.domains.research.source_kinds import load_table
from pincite.domains.research.stage_check import StageCheck, check
from pincite.domains.research.stage_file import load_bytes, stage_of
from pincite.domains.research.stage_parser import read_tree
from pincite.project.policy.schema import plain
from pincite.safe.files import Root

CASES = Path(__file__).resolve().parents[3] / "conformance" / "research"
FOLDERS = sorted(path.parent for path in CASES.glob("*/expected.yaml"))
TODAY = "2026-11-16"
# What no schema can decide: it looks at several entries, at words, or at other files.
BEYOND_SCHEMA = {
    *("duplicate-id", "not-sequential", "too-many-sentences", "source-type-changed", "source-type-unlikely"),
}
JOINS = {
    *("url-not-in-results", "source-type-changed", "citation-changed", "citation-lost", "citation-added"),
    *("no-such-citation", "citation-not-validated", "url-changed", "quote-changed"),
}


def expected(folder: Path) -> dict:
    return yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))


def build(folder: Path, top: Path) -> str:
    """The case's files as a topic called `case`; the folder they lie in, from the root."""
    key = ".research/case/agent-outputs"
    (top / key).mkdir(parents=True)
    for path in folder.iterdir():
        if path.name != "expected.yaml":
            shutil.copy(path, top / key / path.name)
    return key


def checked(folder: Path, top: Path, case: dict) -> StageCheck:
    key = build(folder, top)
    given = f"{key}/{case['given']}" if "given" in case else "case"
    with Root(str(top)) as root:
        return check(root, given, case.get("required", CHECKS), TODAY, load_table())


def rows(problems: Sequence[dict]) -> list[tuple[str, str, str, str]]:
    return sorted((row["rule"], row["file"], row["path"], row.get("severity", "error")) for row in problems)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_case(folder: Path, tmp_path: Path) -> None:
    """The files give the expected problems, no more and no less; each says what is wrong and what to do."""
    case = expected(folder)
    if "error" in case:
        with pytest.raises(PinciteError) as refused:
            checked(folder, tmp_path, case)
        assert case["error"] in str(refused.value)
        assert refused.value.exit_code == 2
        return
    found = checked(folder, tmp_path, case)
    got = [
        {
            "rule": problem.rule,
            "file": problem.file.rpartition("/")[2],
            "path": problem.path,
            "line": problem.line,
            "severity": problem.severity.label,
        }
        for problem in found.problems
    ]
    assert rows(got) == rows(case["problems"]), got
    lines = {(row["rule"], row["file"], row["path"]): row["line"] for row in got}
    stated = {(row["rule"], row["file"], row["path"]): row["line"] for row in case["problems"] if "line" in row}
    assert {place: lines[place] for place in stated} == stated
    assert found.ok is all(row.get("severity", "error") != "error" for row in case["problems"])
    assert all(problem.message and problem.remedy for problem in found.problems)


def is_refusal(case: dict) -> bool:
    """Whether something must not pass."""
    return "error" in case or any(row.get("severity", "error") != "note" for row in case["problems"] if row["path"])


def test_there_are_enough_cases_and_most_are_refusals() -> None:
    cases = [expected(folder) for folder in FOLDERS]
    refusals = sum(map(is_refusal, cases))
    assert len(cases) >= 120
    assert refusals >= 0.6 * len(cases), f"{refusals} of {len(cases)}"
    titles = [case["title"] for case in cases]
    assert len(set(zip(titles, (folder.name for folder in FOLDERS), strict=True))) == len(cases)
    named = set(re.findall(r"\bG\d+\b", " ".join(titles)))
    assert {"G1", "G2", "G3", "G5", "G6", "G7", "G8", "G9", "G11", "G16"} <= named


def test_every_stage_has_cases_that_hold_and_that_do_not() -> None:
    for word in ("search", "extract", "validate", "ground"):
        cases = [expected(folder) for folder in FOLDERS if folder.name.startswith(f"{word}-")]
        assert sum(map(is_refusal, cases)) > 10
        assert sum(not is_refusal(case) for case in cases) > 3


@pytest.mark.parametrize("stage", STAGES)
def test_schema_decides_as_loading_does(stage: str) -> None:
    """Whatever a schema can decide, it decides as loading does; what it cannot is named."""
    validator = Draft202012Validator(schema(stage), format_checker=Draft202012Validator.FORMAT_CHECKER)
    seen = 0
    for folder in FOLDERS:
        case = expected(folder)
        if "error" in case:
            continue
        for path in folder.iterdir():
            top = _top(path)
            if path.name == "expected.yaml" or top is None or stage_of(path.name, tuple(top)) != stage:
                continue
            loaded = load_bytes(path.read_bytes(), path.name, stage)
            errors = {problem.rule for problem in loaded.problems if problem.severity.label == "error"}
            fits = validator.is_valid(plain(read_tree(path.read_bytes(), path.name).top))
            # Beside the rules it does not know, the schema refuses exactly where one is broken.
            assert fits is not bool(errors - BEYOND_SCHEMA), (folder.name, path.name, errors)
            seen += 1
    assert seen > 40


def _top(path: Path) -> list | None:
    """What stands at the top of a file; None where it cannot be parsed."""
    try:
        return list(plain(read_tree(path.read_bytes(), path.name).top))
    except PinciteError:
        return None


def test_every_rule_of_a_problem_has_a_case() -> None:
    """Rules named by the documentation are those that the cases show."""
    shown = {row["rule"] for folder in FOLDERS for row in expected(folder).get("problems", ())}
    assert shown >= JOINS | BEYOND_SCHEMA

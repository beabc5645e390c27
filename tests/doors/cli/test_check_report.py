"""How `pincite check` reports: what a baseline does to SARIF."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[int, str, str]]
CODE = "".join(f"line_{number} = measure({number})\n" for number in range(1, 11))


@pytest.fixture(name="tree")
def _tree(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/app.py").write_text(CODE)
    (tmp_path / "good.md").write_text("Said. 【F:src/app.py†L2】\n")
    (tmp_path / "bad.md").write_text("Said. 【F:src/app.py†L20】\n")
    return tmp_path


def sarif_results(run: Run, *options: str) -> list[dict[str, Any]]:
    data = json.loads(run("check", "--format", "sarif", *options)[1])
    found: list[dict[str, Any]] = data["runs"][0]["results"]
    return found


def test_sarif_keeps_baselined_findings_as_suppressed_ones(tree: Path, in_folder: Run) -> None:
    assert in_folder("check", "--baseline", "known", "--update-baseline")[0] == 0
    code, out, _ = in_folder("check", "--baseline", "known", "--format", "sarif")
    (only,) = json.loads(out)["runs"][0]["results"]
    assert (code, only["baselineState"], only["suppressions"][0]["kind"]) == (0, "unchanged", "external")
    assert only["partialFingerprints"]["pincite/v1"] in (tree / "known").read_text()


def test_sarif_has_new_findings_and_those_that_left_the_baseline(tree: Path, in_folder: Run) -> None:
    in_folder("check", "--baseline", "known", "--update-baseline")
    (tree / "bad.md").write_text("Said. 【F:src/app.py†L30】\n")
    found = sarif_results(in_folder, "--baseline", "known")
    assert [(one["baselineState"], len(one["suppressions"])) for one in found] == [("new", 0), ("absent", 1)]
    assert found[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "bad.md"
    (only,) = sarif_results(in_folder, "--baseline", "known", "--no-suppressed")
    assert (only["baselineState"], "suppressions" in only) == ("new", False)
    # A run over some documents cannot say what is gone from others.
    assert [one["baselineState"] for one in sarif_results(in_folder, "--baseline", "known", "bad.md")] == ["new"]


def test_sarif_says_how_a_finding_is_silenced(tree: Path, in_folder: Run) -> None:
    (tree / "bad.md").write_text(
        "Said. 【F:src/app.py†L20】 <!-- pincite: ignore line-out-of-range -->\n"
        "Said. 【F:src/app.py†L9-L2】 <!-- pincite: ignore all -->\n"
    )
    (tree / "other.md").write_text("Said. 【F:src/nope.py†L2】\n")
    found = sarif_results(in_folder, "--ignore", "file-not-found")
    kinds = {one["ruleId"]: one["suppressions"][0]["kind"] for one in found}
    assert kinds == {
        "line-out-of-range": "inSource",
        "malformed-citation": "inSource",
        "file-not-found": "external",
    }
    assert all("baselineState" not in one for one in found)


def test_json_says_what_silences_a_finding(tree: Path, in_folder: Run) -> None:
    (tree / "bad.md").write_text("Said. 【F:src/app.py†L20】 <!-- pincite: ignore line-out-of-range -->\n")
    found = json.loads(in_folder("check", "--format", "json")[1])["citations"]
    assert [one["silenced_by"] for citation in found for one in citation["silenced"]] == ["comment"]

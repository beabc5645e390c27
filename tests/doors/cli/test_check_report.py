"""How `pincite check` reports: statistics, limits, the HTML page, and what a baseline does to SARIF."""

from __future__ import annotations

import json
import sys
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


@pytest.fixture(name="many")
def _many(tree: Path) -> Path:
    """A tree with thirty problems in three documents."""
    (tree / "docs").mkdir()
    for name in ("one", "two", "three"):
        text = "".join(f"Said. 【F:src/app.py†L{line}】\n" for line in range(20, 29))
        (tree / f"docs/{name}.md").write_text(text + "Said. 【F:src/gone.py†L2】\n")
    (tree / "bad.md").unlink()
    return tree


def test_statistics_count_instead_of_listing(many: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("check", "--statistics")
    assert code == 1
    assert "    27         0      0           0  line-out-of-range\n" in out
    assert "    10         0      0           0  docs/one.md\n" in out
    assert "    30         0      0           0  docs\n" in out
    assert "cited" not in out and "What to do first" not in out
    assert out.splitlines()[-2].startswith("✗ 31 citations in 4 documents")


def test_statistics_as_an_object(many: Path, in_folder: Run) -> None:
    code, out, _ = in_folder("check", "--statistics", "--format", "json")
    data = json.loads(out)
    assert (code, data["schema"], data["summary"]["citations"]) == (1, "pincite.statistics/1", 31)
    assert [(row["check"], row["findings"]) for row in data["checks"]] == [
        ("line-out-of-range", 27),
        ("file-not-found", 3),
    ]
    assert [row["folder"] for row in data["folders"]] == ["docs"]


def test_a_limit_changes_neither_totals_nor_exit_code(many: Path, in_folder: Run) -> None:
    whole = in_folder("check")
    code, out, _ = in_folder("check", "--limit", "4")
    assert code == whole[0] == 1
    assert (out.count("  cited  "), whole[1].count("  cited  ")) == (4, 30)
    assert "… and 26 more problems: `--limit 0` shows all\n" in out
    assert out[out.index("✗ 31") :] == whole[1][whole[1].index("✗ 31") :]
    assert in_folder("check", "--limit", "0")[1] == whole[1]


@pytest.mark.parametrize("options", [("--statistics", "--format", "sarif"), ("--limit", "3", "--format", "json")])
def test_what_a_format_cannot_do_is_refused(tree: Path, in_folder: Run, options: tuple[str, ...]) -> None:
    code, out, err = in_folder("check", *options)
    assert (code, out) == (2, "")
    assert "text" in err


def test_a_long_report_ends_in_what_to_do_first_also_in_a_pipe(many: Path, in_folder: Run) -> None:
    out = in_folder("check")[1]
    # To leave out the one folder with problems would be to check nothing.
    assert "`exclude`" not in out
    (many / "bad.md").write_text("Said. 【F:src/app.py†L20】\n")
    out = in_folder("check")[1]
    assert "\n  1. 30 are in docs/: an archive? Then `exclude` it in pincite.toml\n" in out
    assert "`pincite check --baseline FILE --update-baseline`" in out
    in_folder("check", "--baseline", "known", "--update-baseline")
    (many / "docs/one.md").write_text("".join(f"Said. 【F:src/app.py†L{line}】\n" for line in range(40, 70)))
    known = in_folder("check", "--baseline", "known")[1]
    assert "What to do first" in known and "--update-baseline" not in known


def test_the_end_of_a_long_report_on_a_terminal(many: Path, terminal: Any, snapshot: Any) -> None:
    seen = terminal([sys.executable, "-m", "pincite", "check", "--no-cache"], many)
    snapshot("check-many-coloured", "".join(f"{line}\n" for line in seen.splitlines()[-18:]))


def test_the_html_report(many: Path, in_folder: Run) -> None:
    (many / "docs/<img src=x>.md").write_text("Said. 【F:src/<script>alert(1)<&>.py†L2】\n")
    code, out, _ = in_folder("check", "--format", "html", "--output", "report.html")
    page = (many / "report.html").read_text()
    assert (code, out) == (1, "")
    assert page.count("<article") == 31
    assert "<img" not in page and "<script" not in page
    assert "src/&lt;script&gt;alert(1)&lt;&amp;&gt;.py" in page
    assert "docs/&lt;img src=x&gt;.md" in page

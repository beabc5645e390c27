"""What the commands do for someone who types them: where the root is, what a draft is, why lines were not compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[3]


def pincite(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "pincite", *words]
    return subprocess.run(
        command, cwd=folder, env=env, input=given, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example repository."""
    folder = tmp_path_factory.mktemp("example") / "gauge"
    subprocess.run([sys.executable, str(TOP / "examples/demo.py"), "--build", str(folder)], check=True, timeout=60)
    return folder


@pytest.mark.parametrize("name", ["-", "docs/new.md"])
def test_a_draft_is_compared_with_the_files_as_they_are(example: Path, name: str) -> None:
    done = pincite(example, "check", "-", "--stdin-name", name, given="It is 250. 【F:src/gauge.py†L3】\n")
    assert (done.stdout, done.returncode) == ("✓ 1 citation in 1 document: it holds\n", 0)


def test_a_finding_in_a_draft_names_standard_input(example: Path) -> None:
    done = pincite(example, "check", "-", given="It is 250. 【F:src/gauge.py†L300】\n")
    assert done.stdout.startswith("-:1:12  missing  line-out-of-range\n")


def test_committed_lines_of_a_named_draft_keep_their_witness(example: Path) -> None:
    text = (example / "docs/design.md").read_text(encoding="utf-8")
    done = pincite(example, "check", "-", "--stdin-name", "docs/design.md", given=text)
    assert "docs/design.md:4:23  mismatch  lines-edited" in done.stdout


def test_outside_git_paths_are_read_from_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "docs/d.md").write_text("One. 【F:a.py†L1】\n", encoding="utf-8")
    for path in ("docs/d.md", "docs", "."):
        done = pincite(tmp_path, "check", "--no-cache", path)
        assert "it holds" in done.stdout, path
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = pincite(elsewhere, "check", "--no-cache", "../docs/d.md")
    assert f"root: {tmp_path / 'docs'}, around what was named; --root takes another" in done.stderr
    assert "it holds" in pincite(elsewhere, "check", "--no-cache", "--root", "..", "../docs/d.md").stdout


def test_a_shallow_clone_says_why_and_what_to_do(example: Path, tmp_path: Path) -> None:
    clone = ["git", "clone", "--quiet", "--depth", "1", example.as_uri(), str(tmp_path / "clone")]
    subprocess.run(clone, check=True, timeout=60)
    for _ in range(2):  # The second run answers from what the first one kept.
        said = pincite(tmp_path / "clone", "check").stdout
        assert "Not compared with history: all 4 citations, because this clone is shallow (git fetch --unsh" in said
    report = json.loads(pincite(tmp_path / "clone", "check", "--format", "json").stdout)
    assert "shallow" in report["summary"]["drift"]


def test_the_memories_setting_is_the_default_of_dir(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "notes/n.md").write_text("---\ncitations:\n  - {path: a.py, line: 1, snippet: x = 1}\n---\n")
    assert pincite(tmp_path, "memory", "verify", "n").returncode == 2
    (tmp_path / "pincite.toml").write_text('memories = "notes"\n')
    assert pincite(tmp_path, "memory", "verify", "n").returncode == 0
    assert pincite(tmp_path, "memory", "verify", "--dir", "elsewhere", "n").returncode == 2


def test_help_names_the_dialects_there_are(tmp_path: Path) -> None:
    from pincite.dialects import dialects

    # Lines may be broken anywhere, behind a hyphen too.
    said = "".join(pincite(tmp_path, "check", "--help").stdout.split())
    assert ",".join(dialect.NAME for dialect in dialects()) in said

"""Paths outside of the working folder's root bring their own, one for a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.core.errors import UsageError
from pincite.project.other_root import find_other_root

TOP = Path(__file__).resolve().parents[2]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two repositories and a folder; the working folder is in the first."""
    for name in ("one", "two"):
        (tmp_path / name / "docs").mkdir(parents=True)
        (tmp_path / name / ".git").mkdir()
        (tmp_path / name / "a.py").write_text("x = 1\n")
        (tmp_path / name / "docs/d.md").write_text("One. 【F:a.py†L1】\n", encoding="utf-8")
    (tmp_path / "plain/sub").mkdir(parents=True)
    (tmp_path / "plain/n.md").write_text("n\n")
    (tmp_path / "plain/sub/m.md").write_text("m\n")
    monkeypatch.chdir(tmp_path / "one/docs")
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        ((), ""),
        (("-",), ""),
        (("d.md",), ""),
        (("nope.md",), ""),
        (("../docs", "d.md"), ""),
        (("../../two/docs/d.md",), "two"),
        (("../../two",), "two"),
        (("../../two/docs", "../../two/a.py"), "two"),
        (("../../plain/n.md",), "plain"),
        (("../../plain/sub",), "plain/sub"),
        # The outer folder is around the inner one.
        (("../../plain/sub/m.md", "../../plain/n.md"), "plain"),
    ],
)
def test_the_root_is_the_repository_or_folder_around_what_is_named(
    places: Path, paths: tuple[str, ...], root: str
) -> None:
    assert find_other_root(paths) == (str(places / root) if root else "")


@pytest.mark.parametrize(
    ("paths", "root"),
    [
        (("two/docs/d.md",), "two"),
        (("two/docs/d.md", "two/a.py"), "two"),
        (("two/docs/d.md", "one/docs/d.md"), ""),
        (("two",), ""),
        (("plain/n.md",), ""),
    ],
)
def test_above_repositories_the_one_that_all_paths_lie_in_is_meant(
    places: Path, monkeypatch: pytest.MonkeyPatch, paths: tuple[str, ...], root: str
) -> None:
    """A folder is what it is asked to be."""
    monkeypatch.chdir(places)
    assert find_other_root(paths) == (str(places / root) if root else "")


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        (("d.md", "../../two/docs/d.md"), "one after the other, or name a folder around both with --root"),
        (("../../plain/n.md", "../../two/a.py"), "a run has one root"),
        (("../../two/nope.md",), "no such file or folder"),
        (("../../nowhere/x.md",), "no such file or folder"),
        (("../../two/link/n.md",), "a link in"),
        (("a\0b",), "not a path"),
    ],
)
def test_what_has_no_one_root_is_refused(places: Path, paths: tuple[str, ...], said: str) -> None:
    (places / "two/link").symlink_to(places / "plain")
    with pytest.raises(UsageError, match=said):
        find_other_root(paths)


def run(cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "pincite", *words]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False)


def test_check_says_which_root_it_took(places: Path) -> None:
    for name in ("one", "two"):
        (places / name / ".git").rmdir()
        subprocess.run(["git", "init", "-q", str(places / name)], check=True)
    two = str(places / "two")
    done = run(places / "one", "check", "--no-cache", "--format", "json", f"{two}/docs/d.md")
    found = json.loads(done.stdout)
    assert (found["summary"]["root"], found["citations"][0]["document"]) == (two, "docs/d.md")
    assert (done.returncode, done.stderr) == (0, f"root: {two}, around what was named; --root takes another\n")
    done = run(places / "one", "check", "--no-cache", "--format", "json", "docs/d.md")
    assert (json.loads(done.stdout)["summary"]["root"], done.stderr) == ("", "")
    done = run(places / "one", "check", "docs/d.md", f"{two}/docs/d.md")
    assert (done.returncode, "--root" in done.stderr, done.stdout) == (2, True, "")
    done = run(places / "one", "list", f"{two}/docs/d.md")
    assert (done.stdout, two in done.stderr) == ("docs/d.md:1:6\tbracket\ta.py:1\t【F:a.py†L1】\n", True)

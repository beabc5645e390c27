"""Files that git has and the work tree has not are unchecked: neither missing nor no citations at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.doors.cli.main import main
from pincite.safe.git import Git
from pincite.safe.git_tree import LeftOutPaths

TEXT = "See lib/u.py:99 and far/f.py:2. [l](far/f.py#L2) [m](lib/u.py#L9) [n](far/gone.py#L1) localhost:80\n"


def checked(folder: Path, capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[tuple[str, list[str]]]]:
    with pytest.raises(SystemExit) as ended:
        main(["check", "--root", str(folder), "--no-cache", "--format", "json", *args])
    report = json.loads(capsys.readouterr().out)
    code = ended.value.code
    assert isinstance(code, int)
    return code, [
        (row["target"], [found["check"] for found in row["findings"]]) for row in report["citations"] if row["findings"]
    ]


@pytest.fixture
def top(make_repository: Callable[..., Any]) -> Any:
    """A repository with a submodule `lib` that was not fetched."""
    made = make_repository("top")
    made.commit({"d.md": TEXT, "src/a.py": "a\n", "far/f.py": "1\n2\n3\n", ".gitmodules": ""})
    made.git("update-index", "--add", "--cacheinfo", f"160000,{made.git('rev-parse', 'HEAD')},lib")
    made.git("commit", "-qm", "submodule")
    return made


def test_a_submodule_that_was_not_fetched(top: Any, capsys: pytest.CaptureFixture[str]) -> None:
    code, found = checked(top.path, capsys)
    assert found == [
        ("lib/u.py:99", ["not-checked-out"]),
        ("lib/u.py:9", ["not-checked-out"]),
        ("far/gone.py:1", ["file-not-found"]),
    ]
    assert code == 1


def test_a_submodule_that_was_not_fetched_fails_a_strict_run(top: Any, capsys: pytest.CaptureFixture[str]) -> None:
    (top.path / "d.md").write_text("See lib/u.py:99.\n")
    assert checked(top.path, capsys)[0] == 0
    assert checked(top.path, capsys, "--strict")[0] == 1


def test_a_sparse_checkout(top: Any, capsys: pytest.CaptureFixture[str]) -> None:
    top.git("update-index", "--skip-worktree", "far/f.py")
    (top.path / "far/f.py").unlink()
    found = dict(checked(top.path, capsys)[1])
    assert found["far/f.py:2"] == ["not-checked-out"]
    assert found["far/gone.py:1"] == ["file-not-found"]


def test_a_file_that_a_fetched_submodule_has_not_is_missing(top: Any) -> None:
    git = Git.find(str(top.path))
    assert git is not None
    with_reason = LeftOutPaths(git).explain("lib/u.py")
    (top.path / "lib").mkdir(exist_ok=True)
    (top.path / "lib/.git").write_text("gitdir: ../.git/modules/lib\n")
    assert (with_reason != "", LeftOutPaths(git).explain("lib/u.py")) == (True, "")
    assert [LeftOutPaths(git).explain(path) for path in ("lib", "liberty/x.py", "src/a.py", "x")] == [""] * 4

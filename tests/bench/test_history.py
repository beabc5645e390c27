"""The measure of history: ratios of one run, for each repository, and the made cases."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
CODE = "".join(f"step_{at} = prepare({at})\n" for at in range(1, 31))
RATIOS = ("cold ratio", "cold ratio, both", "fix", "after ratio")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.setenv("PINCITE_CACHE", "")
    before = set(sys.modules)
    yield importlib.import_module("history")
    for name in set(sys.modules) - before:
        if str(BENCH) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def measured(bench: Any, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    """The last line of the output, and all of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["history.py", "--quick", "--times", "1", *arguments])
        bench.main()
    out = capsys.readouterr().out
    return json.loads(out.splitlines()[-1]), out


def test_figures_of_a_work_tree_and_of_a_bare_repository(
    bench: Any, make_repository: Callable[..., Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repository("work")
    repo.commit({"src/app.py": CODE, "doc.md": "See `src/app.py:10`.\n"})
    repo.commit({"src/app.py": f"# top\n{CODE}"})
    bare = tmp_path / "owner+name" / "repo"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    head = repo.git("rev-parse", "HEAD")
    result, out = measured(bench, capsys, "--no-made", str(repo.path), str(bare))
    assert list(result) == ["work", "owner+name"]
    for figures in result.values():
        assert figures["citations"]["value"] == 1
        assert all(figures[name]["value"] > 0 for name in RATIOS)
        assert all(figures[name]["bar"] is not None for name in ("cold ratio", "memory", "fix", "after ratio"))
        assert {"log of files", "log of documents", "read", "warm", "after", "affected"} <= set(figures)
    assert "owner+name: after one commit" in out
    assert (repo.git("rev-parse", "HEAD"), repo.git("status", "--porcelain")) == (head, ""), "what is measured changed"


def test_a_repository_without_citations_has_no_ratios(
    bench: Any, make_repository: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repository("work")
    repo.commit({"src/app.py": CODE, "doc.md": "Nothing.\n"})
    result, _ = measured(bench, capsys, "--no-made", str(repo.path))
    assert result == {"work": {"citations": {"value": 0, "unit": "", "bar": None, "met": None}}}


def test_a_repository_that_git_cannot_read_costs_no_other_its_figures(
    bench: Any, make_repository: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_repository("work")
    repo.commit({"src/app.py": CODE, "doc.md": "See `src/app.py:10` there.\n"})
    repo.commit({"src/app.py": f"# top\n{CODE}"})
    blob = repo.git("rev-parse", "HEAD~1:src/app.py")
    other = make_repository("other")
    other.commit({"doc.md": "Nothing.\n"})
    (repo.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    result, _ = measured(bench, capsys, "--no-made", str(repo.path), str(other.path))
    assert set(result["work"]) == {"citations"}
    assert result["other"]["citations"]["value"] == 0


def test_a_program_that_breaks_is_not_taken_for_a_fast_one(bench: Any, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="ValueError: broken"):
        bench.run((sys.executable, "-c", "raise ValueError('broken')"), str(tmp_path))


def test_figures_of_the_made_cases(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    result, out = measured(bench, capsys)
    assert list(result) == ["one hunk", "many commits"]
    assert result["one hunk"]["cold"]["bar"] == bench.HUNK_SECONDS
    assert result["many commits"]["cold ratio"]["bar"] == bench.MANY_COMMITS
    assert "one hunk of 80 lines, 10 citations" in out and "100 commits on one cited file" in out

"""The measure of claims: the engine answers in a checkout of the commit, and the truth is read last."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
CODE = (
    "".join(f"step_{at} = prepare({at})\n" for at in range(1, 31)) + "\n\ndef format_tokens(count):\n    return count\n"
)


def test_figures_of_a_small_repository(
    make_repository: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    repo = make_repository()
    said = "Counts are cut by `format_tokens` (`app.py:10`).\n\n`step_4` comes early (`app.py:4`).\n"
    commit = repo.commit({"src/app.py": CODE, "doc.md": said})
    bare = tmp_path / "repos" / "owner+name" / "repo"
    subprocess.run(["git", "clone", "-q", "--bare", str(repo.path), str(bare)], check=True)
    place = {"repo": "owner/name", "commit": commit, "document": "doc.md", "target": "src/app.py"}
    cases = [
        {**place, "line": 1, "column": 37, "cited": [10, 10], "truth": [33, 33], "right": False},
        {**place, "line": 3, "column": 24, "cited": [4, 4], "truth": [4, 4], "right": True},
        {**place, "line": 3, "column": 24, "cited": [5, 5], "truth": [5, 5], "right": True},
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    monkeypatch.syspath_prepend(str(BENCH))
    claims = importlib.import_module("claims")
    monkeypatch.setattr(sys, "argv", ["claims", str(file), str(tmp_path / "repos")])
    claims.main()
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last == {"seen": 0.6667, "balanced_accuracy": 1.0, "accused": 0.0, "candidate": 1.0, "lies": 0.0, "sites": 3}

"""The measure of re-anchoring: right answers count, wrong ones are lies, and the truth is read last."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
BODY = [
    "import json",
    "",
    "def load(path):",
    "    with open(path) as file:",
    "        return json.load(file)",
    "",
    "def save(path, values):",
    "    text = render_all(values)",
    "    path.write_bytes(text)",
    "",
    "def merge(old, new):",
    "    return {**old, **new}",
]
NOW = ["# top", *(line.replace("json.load(file)", "json.load(file, strict=True)") for line in BODY[:6]), *BODY[10:]]


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCH))
        before = set(sys.modules)
        yield importlib.import_module("anchor")
        for name in set(sys.modules) - before:
            if "." not in name and str(BENCH) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@pytest.fixture
def cases(make_repository: Callable[..., Any], tmp_path: Path) -> list[dict[str, Any]]:
    """A repository in the folder of repositories, and what became of some of its lines."""
    repo = make_repository("work")
    old = repo.commit({"a.py": "\n".join(BODY) + "\n", "b.py": "first = 1\nsecond = 2\n"})
    repo.git("mv", "b.py", "c.py")
    new = repo.commit({"a.py": "\n".join(NOW) + "\n"})
    (tmp_path / "repos/some+thing").mkdir(parents=True)
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "repos/some+thing/repo"))

    def case(line: int, label: str, truth: object, end: int | None = None) -> dict[str, Any]:
        last = end or line
        return {
            "repo": "some/thing",
            "old_commit": old,
            "new_commit": new,
            "path": "a.py",
            "line": line,
            **({"end_line": end} if end else {}),
            "snippet": "\n".join(BODY[line - 1 : last]),
            "before": BODY[max(0, line - 4) : line - 1],
            "after": BODY[last : last + 3],
            "label": label,
            "truth": truth,
        }

    return [
        case(4, "shifted", {"path": "a.py", "line": 5}),
        case(5, "changed", {"path": "a.py", "line": 6}),
        case(8, "deleted", "deleted"),
        case(11, "shifted", {"path": "a.py", "line": 8, "end_line": 9}, 12),
    ]


def measured(
    bench: ModuleType, capsys: pytest.CaptureFixture[str], folder: Path, cases: list[dict[str, Any]], *options: str
) -> tuple[dict[str, dict[str, float]], str]:
    """The last line of the output, and all of it."""
    (folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["anchor.py", str(folder / "cases.jsonl"), str(folder / "repos"), *options])
        bench.main()
    out = capsys.readouterr().out
    return json.loads(out.splitlines()[-1]), out


def test_the_last_line_is_the_result(
    bench: ModuleType, cases: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, out = measured(bench, capsys, tmp_path, cases)
    assert list(result) == ["history", "no_history"]
    for figures in result.values():
        assert list(figures) == ["accuracy", "lies", "ms"]
        assert (figures["accuracy"], figures["lies"]) == (1.0, 0.0)
        assert figures["ms"] > 0
    assert all(label in out for label in ("With history", "Without history", "shifted", "changed", "deleted", "all"))


def test_a_wrong_truth_shows(
    bench: ModuleType, cases: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So the measure can fail: a place that is not the true one is a lie, a place missed or made up is not right."""
    cases[0]["truth"] = {"path": "a.py", "line": 9}
    cases[1]["truth"] = "deleted"
    cases[2]["truth"] = {"path": "a.py", "line": 1}
    cases[3]["truth"] = {"path": "a.py", "line": 8, "end_line": 11}
    result, out = measured(bench, capsys, tmp_path, cases, "--show")
    assert [(row["accuracy"], row["lies"]) for row in result.values()] == [(0.0, 0.75)] * 2
    assert (out.count("lies None"), out.count("abstains None")) == (6, 2)


def test_answers_are_given_without_the_truth(bench: ModuleType, cases: list[dict[str, Any]], tmp_path: Path) -> None:
    asked = [{key: value for key, value in case.items() if key not in ("truth", "label")} for case in cases]
    for history in (True, False):
        answers, _ = bench.measure(asked, tmp_path / "repos", history)
        assert [answer if isinstance(answer, str) else answer[:3] for answer in answers] == [
            ("a.py", 5, 5),
            ("a.py", 6, 6),
            "gone",
            ("a.py", 8, 9),
        ]


def test_texts_that_a_case_leaves_out_are_read_from_the_repository(
    bench: ModuleType, cases: list[dict[str, Any]], tmp_path: Path
) -> None:
    bare = [{key: value for key, value in case.items() if key not in ("snippet", "before", "after")} for case in cases]
    assert bench.measure(bare, tmp_path / "repos", False)[0] == bench.measure(cases, tmp_path / "repos", False)[0]


def test_columns_count_where_a_part_of_a_line_is_meant(
    bench: ModuleType, cases: list[dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`strict=True` was put in behind them: the cited words stand where they stood in their line."""
    part = {**cases[1], "end_line": 5, "range": [5, 16, 5, 24]}
    part["truth"] = {"path": "a.py", "line": 6, "end_line": 6, "range": [6, 16, 6, 24]}
    result, out = measured(bench, capsys, tmp_path, [part])
    assert result["history"]["accuracy"] == 1.0
    assert "columns right too: 1 of 1" in out

"""A commit that is checked from a mirror has the verdicts that `pincite check` gives in a clone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Outcome
from pincite.fleet.shard_process import MIRRORS, ShardChecker
from pincite.fleet.shard_records import (
    MALFORMED,
    ShardBatch,
    ShardHead,
    ShardRefusal,
    ShardRequest,
    ShardResult,
    ShardRow,
    ShardTask,
)
from support_fleet import add_commit, make_repositories

TOP = Path(__file__).resolve().parents[2]
LABELS = [outcome.label for outcome in Outcome]


@pytest.fixture(autouse=True)
def _keep_limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process bounds its own memory; this one goes on."""
    import resource

    monkeypatch.setenv(MIRRORS, "")
    before = resource.getrlimit(resource.RLIMIT_AS)
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def check(task: ShardTask, commit: str = "") -> tuple[list[ShardRow], ShardResult]:
    rows: list[ShardRow] = []
    for reply in ShardChecker().answer(ShardRequest("check", task, commit)):
        if isinstance(reply, ShardBatch):
            if reply.is_first:
                rows.clear()
            rows += reply.rows
        elif isinstance(reply, ShardResult):
            return rows, reply
        else:
            raise AssertionError(reply)
    raise AssertionError


def refuse(task: ShardTask, commit: str = "", kind: str = "check") -> str:
    replies = list(ShardChecker().answer(ShardRequest(kind, task, commit)))
    assert isinstance(replies[-1], ShardRefusal)
    return replies[-1].message


def check_clone(source: Path, clone: Path, *options: str) -> dict[str, Any]:
    """What `pincite check --format json` says in a clone."""
    subprocess.run(["git", "clone", "-q", str(source), str(clone)], check=True)
    command = [sys.executable, "-m", "pincite", "check", "--format", "json", "--no-cache", *options]
    done = subprocess.run(command, cwd=clone, capture_output=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def assert_same(rows: list[ShardRow], result: ShardResult, said: dict[str, Any]) -> None:
    summary = said["summary"]
    counts = Counter(row.outcome for row in rows)
    assert {label: counts[number] for number, label in enumerate(LABELS)} == summary["outcomes"]
    assert counts[MALFORMED] == summary["malformed"]
    assert result.documents == summary["documents"]
    mine = Counter(
        (row.document, row.line, row.written, LABELS[row.outcome]) for row in rows if row.outcome < MALFORMED
    )
    theirs = Counter((one["document"], one["line"], one["raw"], one["outcome"]) for one in said["citations"])
    assert mine == theirs
    assert len({(row.document, row.written, row.occurrence) for row in rows}) == len(rows)


def test_a_generated_repository(tmp_path: Path) -> None:
    (source,) = make_repositories(tmp_path, 1, documents=6, sources=10, citations=120, commits=6)
    rows, result = check(ShardTask("local/a/b", str(source), mirrors=str(tmp_path / "m")))
    said = check_clone(source, tmp_path / "clone")
    assert len(rows) == said["summary"]["citations"] == 120
    assert {"holds", "moved", "missing"} <= {LABELS[row.outcome] for row in rows}
    assert_same(rows, result, said)
    assert result.cpu_seconds > 0 and result.peak_bytes > 1_000_000 and result.trouble == ""
    assert all(row.message and row.finding for row in rows if row.outcome)


def test_settings_silenced_and_malformed_citations(repository: Any, tmp_path: Path) -> None:
    code = "".join(f"line {number}\n" for number in range(1, 30))
    repository.commit({"src/x.py": code, "docs/old.md": "See `src/x.py:3-4` and 【F:src/x.py†L99】.\n"})
    document = (
        "Twice `src/x.py:5`, and again `src/x.py:5`.\n\n"
        "Gone: [x](../src/none.py#L4).\n\n"
        "<!-- pincite: ignore all known -->\nIgnored: [x](../src/other.py#L4).\n\n"
        "Malformed: 【F:src/x.py†L9-L2】 and 【F:src/x.py†Lx】.\n\n"
        "Out: [y](../../../etc/passwd#L1).\n\n" + "Long: [" + "z" * 500 + "](../src/x.py#L1).\n"
    )
    repository.commit({"docs/a.md": document, "docs/left-out.md": "[x](../none.py)\n"})
    repository.commit({"pincite.toml": 'exclude = ["docs/left-out.md"]\nignore = ["line-out-of-range"]\n'})
    repository.commit({"src/x.py": "new first line\n" + code})
    rows, result = check(ShardTask("local/a/b", str(repository.path), mirrors=str(tmp_path / "m")))
    said = check_clone(repository.path, tmp_path / "clone")
    long = [row for row in rows if len(row.written) > 200]
    assert [len(row.written) for row in long] == [300]
    for one in said["citations"]:
        if len(one["raw"]) > 300:
            one["raw"] = long[0].written
    assert_same(rows, result, said)
    assert said["summary"]["malformed"] > 0 and said["summary"]["ignored"] > 0
    assert [row.occurrence for row in rows if row.written == "src/x.py:5"] == [0, 1]
    silenced = [row for row in rows if row.outcome and row.severity < 0]
    assert silenced and not [row for row in rows if row.outcome == MALFORMED and row.severity < 0]


def test_a_baseline_counts_as_in_a_clone(repository: Any, tmp_path: Path) -> None:
    repository.commit({"docs/a.md": "Gone: [x](../src/none.py#L4).\n", "pincite.toml": 'baseline = "known"\n'})
    command = [sys.executable, "-m", "pincite", "check", "--baseline", "known", "--update-baseline", "-q"]
    subprocess.run(command, cwd=repository.path, check=False, capture_output=True)
    assert (repository.path / "known").exists()
    repository.commit()
    rows, result = check(ShardTask("local/a/b", str(repository.path), mirrors=str(tmp_path / "m")))
    said = check_clone(repository.path, tmp_path / "clone")
    assert said["summary"]["known"] == 1
    assert_same(rows, result, said)


def test_the_examples_of_the_project(repository: Any, tmp_path: Path) -> None:
    shutil.copytree(TOP / "examples", repository.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    repository.commit()
    rows, result = check(ShardTask("local/a/b", str(repository.path), mirrors=str(tmp_path / "m")))
    assert rows
    assert_same(rows, result, check_clone(repository.path, tmp_path / "clone"))


@pytest.mark.skipif(not (TOP / ".git").exists(), reason="not a clone")
def test_the_project_itself(tmp_path: Path) -> None:
    source = tmp_path / "source"
    subprocess.run(["git", "clone", "-q", "--no-local", str(TOP), str(source)], check=True)
    rows, result = check(ShardTask("local/a/b", str(source), mirrors=str(tmp_path / "m")))
    assert_same(rows, result, check_clone(source, tmp_path / "clone"))


def test_an_older_commit_and_one_that_comes_later(tmp_path: Path) -> None:
    (source,) = make_repositories(tmp_path, 1, documents=2, sources=4, citations=20, commits=3)
    task = ShardTask("local/a/b", str(source), mirrors=str(tmp_path / "m"))
    _, first = check(task)
    late = add_commit(source)
    # The mirror does not have it yet.
    rows, result = check(task, late)
    assert result.commit == late and result.committed > first.committed
    assert_same(rows, result, check_clone(source, tmp_path / "clone"))
    _, old = check(task, first.commit)
    assert (old.commit, old.committed) == (first.commit, first.committed)
    assert "not in it any more" in refuse(task, "0" * 40)
    assert "not the id of a commit" in refuse(task, "--help")


def test_settings_of_the_fleet_are_for_repositories_without_any(
    make_repository: Callable[..., Any], tmp_path: Path
) -> None:
    plain, settled = make_repository("plain"), make_repository("settled")
    for made in (plain, settled):
        made.commit({"a.md": "[x](none.md#L1)\n", "b.md": "[x](none.md#L1)\n"})
    settled.commit({"pincite.toml": "strict = true\n"})
    found = []
    for made in (plain, settled):
        task = ShardTask(f"local/{made.path.name}", str(made.path), mirrors=str(tmp_path / "m"))
        found.append([len(check(task)[0])])
        found[-1].append(len(check(ShardTask(**{**_fields(task), "settings": 'exclude = ["b.md"]'}))[0]))
    assert found[0][0] > found[0][1] and found[1][0] == found[1][1]
    task = ShardTask("local/plain", str(plain.path), mirrors=str(tmp_path / "m"), settings="nonsense = 1")
    assert "the settings of the fleet" in refuse(task)


def _fields(task: ShardTask) -> dict[str, Any]:
    return {name: getattr(task, name) for name in task.__struct_fields__}


def test_messages_do_not_tell_where_the_files_lay(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "x\n", "pincite.toml": "nonsense = 1\n"})
    message = refuse(ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m")))
    assert message.startswith("pincite.toml: ")


def test_a_mirror_that_lost_objects_of_its_history_is_made_again(repository: Any, tmp_path: Path) -> None:
    repository.commit({"src/x.py": "one\ntwo\nthree\n"})
    repository.commit({"a.md": "See `src/x.py:2`.\n"})
    repository.commit({"src/x.py": "zero\none\ntwo\nthree\n"})
    task = ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m"))
    before, result = check(task)
    assert [LABELS[row.outcome] for row in before] == ["moved"]
    mirror = tmp_path / "m/default/local/a.git"
    for old in ("HEAD~2:src/x.py", "HEAD~1^{tree}"):
        name = repository.git("rev-parse", old)
        os.unlink(mirror / "objects" / name[:2] / name[2:])
    after, again = check(task, result.commit)
    assert after == before and again.trouble == ""


def test_citations_of_other_repositories_find_the_mirrors_of_the_team(
    make_repository: Callable[..., Any], tmp_path: Path
) -> None:
    other = make_repository("other")
    head = other.commit({"src/x.py": "one\ntwo\n"})
    checker = ShardChecker()
    mirrors = str(tmp_path / "m")
    told = list(checker.answer(ShardRequest("update", ShardTask("github.com/o/other", str(other.path), "t", mirrors))))
    assert told == [ShardHead(head, other.clock)]
    citing = make_repository("citing")
    citing.commit({"a.md": "See https://github.com/o/other/blob/main/src/x.py#L2 for it.\n"})
    rows, result = check(ShardTask("github.com/o/citing", str(citing.path), "t", mirrors))
    assert os.environ[MIRRORS] == str(tmp_path / "m/t")
    assert [LABELS[row.outcome] for row in rows] == ["holds"]
    assert result.others == {"github.com/o/other": head}


def test_an_empty_repository_has_an_empty_result(repository: Any, tmp_path: Path) -> None:
    rows, result = check(ShardTask("local/a", str(repository.path), mirrors=str(tmp_path / "m")))
    assert rows == [] and (result.commit, result.documents) == ("", 0)
    assert result.trouble == "it has no commit yet"


def test_bounds_are_refusals(repository: Any, tmp_path: Path) -> None:
    repository.commit({f"{number}.md": "x" * 1000 for number in range(20)})
    fields: dict[str, Any] = {"mirrors": str(tmp_path / "m")}
    task = ShardTask("local/a", str(repository.path), checkout_files=5, **fields)
    assert "more than 5 files" in refuse(task)
    task = ShardTask("local/a", str(repository.path), checkout_bytes=5000, **fields)
    assert "more than 5,000 bytes" in refuse(task)
    task = ShardTask("local/b", str(repository.path), repository_bytes=100, **fields)
    assert "more than 100 bytes" in refuse(task, kind="update")
    assert "not the name of a repository" in refuse(ShardTask("../x", str(repository.path), **fields))
    assert "not a git repository" in refuse(ShardTask("a/x", str(tmp_path / "none"), **fields), kind="update")

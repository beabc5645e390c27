"""Where history is cut off, what it would have said is unchecked, counted, and a failure of strict runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.model import Outcome, Summary
from pincite.engine.run import Request, Run
from pincite.safe.files import Root

CODE = "".join(f"value_{number} = compute({number})\n" for number in range(1, 21))
DEAD = "It was in lib/old.py:3 once, and in `lib/old.py::start`.\n"


def check(path: Path, strict: bool = False, cache: bool = False) -> tuple[Summary, list[tuple[str, str, Outcome]]]:
    """The summary of a run, and every finding."""
    with Root(str(path)) as root:
        run = Run(root, Request(strict=strict, cache=cache))
        found = [
            (one.citation.raw, finding.check, finding.outcome)
            for report in run.reports()
            for one in report.verdicts
            for finding in one.findings
        ]
        return run.summary, found


@pytest.fixture
def cloned(make_repository: Callable[..., Any], tmp_path: Path) -> Callable[..., Path]:
    """A clone of a repository that once had `lib/old.py`, with so many commits."""

    def clone(document: str, depth: int = 0) -> Path:
        repo = make_repository("whole")
        repo.commit({"d.md": document, "lib/old.py": "def start():\n    return 1\n\n\n", "src/a.py": CODE})
        repo.git("rm", "-q", "lib/old.py")
        repo.git("commit", "-qm", "removed")
        repo.commit({"src/b.py": CODE})
        words = ["--depth", str(depth)] if depth else []
        repo.git("clone", "-q", *words, f"file://{repo.path}", str(tmp_path / "clone"))
        return tmp_path / "clone"

    return clone


def test_a_dead_path_does_not_vanish_in_a_shallow_clone(cloned: Callable[..., Path]) -> None:
    clone = cloned(DEAD, depth=1)
    summary, found = check(clone)
    raws = ["lib/old.py:3", "lib/old.py::start"]
    assert found == [(raw, "existence-unknown", Outcome.UNCHECKED) for raw in raws]
    assert (summary.citations, summary.outcomes["unchecked"], summary.exit_code) == (2, 2, 0)
    assert summary.drift.startswith("2 paths that may have been files once, because this clone is shallow")
    assert check(clone, strict=True)[0].exit_code == 1


def test_a_dead_path_is_known_where_history_is_whole(cloned: Callable[..., Path]) -> None:
    summary, found = check(cloned(DEAD), strict=True)
    assert {name for _, name, _ in found} == {"file-not-found"}
    assert (summary.exit_code, summary.drift) == (1, "")


def test_a_clone_that_is_deep_enough_knows_what_was_removed(cloned: Callable[..., Path]) -> None:
    assert {name for _, name, _ in check(cloned(DEAD, depth=3))[1]} == {"file-not-found"}


def test_what_looks_like_no_file_is_not_counted_in_a_shallow_clone(cloned: Callable[..., Path]) -> None:
    clone = cloned("Ask localhost:80 or example.com:443 at 12:30, or see src/a.py:3.\n", depth=1)
    assert "existence-unknown" not in str(check(clone)[1])
    assert "may have been" not in check(clone)[0].drift


def test_a_clone_that_is_deepened_is_asked_anew(
    cloned: Callable[..., Path], make_repository: Callable[..., Any]
) -> None:
    clone = cloned(DEAD + "\nSee 【F:src/a.py†L3】\n", depth=1)
    make_repository("clone").commit({"other.md": "x\n"})
    assert "existence-unknown" in str(check(clone, cache=True)[1])
    make_repository("clone").git("fetch", "-q", "--unshallow")
    warm, cold = check(clone, cache=True)[1], check(clone)[1]
    assert warm == cold
    assert {name for _, name, _ in warm} == {"file-not-found"}


def test_files_that_git_does_not_have_are_not_blamed_on_the_document(make_repository: Callable[..., Any]) -> None:
    repo = make_repository("top")
    nested = make_repository("top/lib")
    nested.commit({"u.py": CODE})
    repo.write("d.md", "See lib/u.py:2 and 【F:lib/u.py†L3】.\n")
    repo.git("add", "d.md")
    repo.git("commit", "-qm", "cites")
    summary, found = check(repo.path)
    assert [one[1] for one in found] == ["drift-unknown"] * 2
    assert summary.drift.endswith("2 citations of files that git did not have when they were cited")


def test_a_document_that_is_a_symbolic_link_is_said_to_be_one(make_repository: Callable[..., Any]) -> None:
    repo = make_repository("top")
    (repo.path / "link.md").symlink_to("d.md")
    repo.commit({"src/a.py": CODE, "d.md": "See src/a.py:3.\n"})
    summary, found = check(repo.path)
    assert found == [("src/a.py:3", "drift-unknown", Outcome.UNCHECKED)]
    assert summary.drift == "1 citation in documents that are symbolic links"
    with Root(str(repo.path)) as root:
        (finding,) = [
            finding
            for report in Run(root, Request(cache=False)).reports()
            for one in report.verdicts
            for finding in one.findings
        ]
    assert finding.message.startswith("The document is a symbolic link: ")

"""`check` and `fix` with a lock: what was locked is what was read, with history or without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.engine.run import Request, Run
from pincite.safe.files import Root
from pincite.store import LOCK

from .test_locking import BODY, CITED, fix, lock, plan, put


def findings(path: Path, **wishes: Any) -> list[tuple[str, str]]:
    """What `check` says of a tree: document and check."""
    with Root(str(path)) as root:
        reports = list(Run(root, Request(**{"cache": False, **wishes})).reports())
    return [
        (report.document, one.check) for report in reports for verdict in report.verdicts for one in verdict.findings
    ]


def test_check_compares_with_the_lock_where_there_is_no_history(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    assert findings(tmp_path) == []
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"))
    assert findings(tmp_path) == [("docs/a.md", "lines-edited")]
    put(tmp_path, app="# one\n" + BODY)
    assert findings(tmp_path) == [("docs/a.md", "lines-moved")] * 3
    (tmp_path / LOCK).unlink()
    assert findings(tmp_path) == []


def test_what_is_kept_of_earlier_runs_does_not_outlive_the_lock(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    put(tmp_path, app=BODY.replace("prepare(7)", "prepare(70)"))
    assert findings(tmp_path, cache=True) == [("docs/a.md", "lines-edited")]
    lock(tmp_path, accept=(plan(tmp_path).changed[0].id,))
    assert findings(tmp_path, cache=True) == []
    (tmp_path / LOCK).write_text('{"pincite_lock":1}\n<<<<<<< ours\n')
    with pytest.raises(UsageError):
        findings(tmp_path, cache=True)


def test_the_lock_survives_a_squash_and_a_shallow_clone(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": CITED})
    lock(repo.path)
    repo.commit({"src/app.py": "# one\n" + BODY.replace("prepare(9)", "prepare(90)")})
    repo.git("checkout", "-q", "--orphan", "squashed")
    repo.commit()
    wanted = [("docs/a.md", "lines-moved")] * 2 + [("docs/a.md", "lines-edited")]
    assert findings(repo.path) == wanted
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "shallow"))
    assert findings(tmp_path / "shallow") == wanted


def test_what_was_accepted_is_believed_over_history(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({"src/app.py": BODY, "docs/a.md": "See src/app.py:7 and src/app.py:9.\n"})
    repo.commit({"src/app.py": BODY.replace("prepare(7)", "prepare(70)").replace("prepare(9)", "prepare(90)")})
    assert findings(repo.path) == [("docs/a.md", "lines-edited")] * 2
    made = plan(repo.path)
    lock(repo.path, accept=(made.changed[0].id,))
    assert findings(repo.path) == [("docs/a.md", "lines-edited")]


def test_a_locked_file_that_is_gone_is_still_cited(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a="See src/app.py:7.\n")
    lock(tmp_path)
    (tmp_path / "src/app.py").unlink()
    assert findings(tmp_path) == [("docs/a.md", "file-not-found")]
    made = lock(tmp_path)
    assert (len(made.broken), made.dropped) == (1, [])


def test_moved_evidence_is_left_to_the_fixer(tmp_path: Path) -> None:
    put(tmp_path, app=BODY, a=CITED)
    lock(tmp_path)
    before = (tmp_path / LOCK).read_bytes()
    put(tmp_path, app="# one\n" + BODY)
    made = lock(tmp_path)
    assert ([item.cites for item in made.moved], made.changed) == ([f"src/app.py:{at}" for at in ("3-4", "7", "9")], [])
    assert (tmp_path / LOCK).read_bytes() == before
    assert fix(tmp_path) == 3
    after = CITED.replace("L3-L4", "L4-L5").replace(":7", ":8").replace("L9", "L10")
    assert (tmp_path / "docs/a.md").read_text() == after
    assert (lock(tmp_path).is_current, findings(tmp_path)) == (True, [])


def test_long_passages_are_followed_too(tmp_path: Path) -> None:
    put(tmp_path, app="".join(f"value_{at} = {at}\n" for at in range(100)), a="See 【F:src/app.py†L11-L80】.\n")
    lock(tmp_path)
    put(tmp_path, app="# one\n" + "".join(f"value_{at} = {at}\n" for at in range(100)))
    assert findings(tmp_path) == [("docs/a.md", "lines-moved")]
    assert (fix(tmp_path), (tmp_path / "docs/a.md").read_text()) == (1, "See 【F:src/app.py†L12-L81】.\n")

"""What was locked is a witness without history: moved, edited and deleted are told from the lines that were kept."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincite
from pincite.core.model import Finding, Safety

from ..locking.test_locking import BODY, lock, put


def found(path: Path) -> Finding:
    (verdict,) = pincite.check(root=path).verdicts
    (finding,) = verdict.findings
    return finding


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A tree without git whose one citation is locked."""
    put(tmp_path, app=BODY, a="See 【F:src/app.py†L7】.\n")
    lock(tmp_path)
    return tmp_path


def test_moved_since_it_was_locked(locked: Path) -> None:
    put(locked, app="# one\n# two\n" + BODY)
    finding = found(locked)
    assert (finding.check, finding.message) == ("lines-moved", "Moved to L9, unchanged since it was locked")
    assert finding.edit is not None
    assert (finding.edit.replacement, finding.edit.safety) == ("【F:src/app.py†L9】", Safety.SAFE)


def test_edited_and_moved_since_it_was_locked(locked: Path) -> None:
    put(locked, app="# one\n" + BODY.replace("prepare(7)", "prepare(70)"))
    finding = found(locked)
    assert finding.check == "lines-edited"
    assert (finding.edit is None) or finding.edit.safety is Safety.UNSAFE
    assert finding.then == (BODY.splitlines()[6],)


def test_gone_since_it_was_locked(locked: Path) -> None:
    put(locked, app="".join(line + "\n" for line in BODY.splitlines() if "(7)" not in line))
    finding = found(locked)
    assert (finding.check, finding.edit) in (("lines-deleted", None), ("lines-edited", None))


def test_all_else_that_changed_is_nothing_to_it(locked: Path) -> None:
    put(locked, app=BODY.replace("prepare(9)", "prepare(90)") + "more = 1\n")
    assert [verdict.findings for verdict in pincite.check(root=locked).verdicts] == [()]


def test_what_stands_at_the_end_of_its_file_follows_all_the_same(tmp_path: Path) -> None:
    """There is nothing below it to come along."""
    last = len(BODY.splitlines())
    put(tmp_path, app=BODY, a=f"See 【F:src/app.py†L{last - 1}-L{last}】.\n")
    lock(tmp_path)
    put(tmp_path, app="# one\n# two\n" + BODY)
    finding = found(tmp_path)
    assert finding.check == "lines-moved" and finding.edit is not None
    assert finding.edit.safety is Safety.SAFE

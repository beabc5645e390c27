"""Of the answers of one root only the newest are kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.core.limits import Limits
from pincite.safe.files import Root
from pincite.store import last_run
from pincite.store.cache_folder import root_cache_path
from pincite.store.last_run import LastRun


def save(top: Path, number: int) -> None:
    with Root(str(top)) as root:
        LastRun(root, f"{number:064x}"[::-1]).save([""], "", "")
        name = f"{number:064x}"[::-1][:16]
        os.utime(os.path.join(root_cache_path(root), f"check-{name}"), (number, number))


def kept(top: Path) -> int:
    with Root(str(top)) as root:
        return len(list(Path(root_cache_path(root)).glob("check-*")))


def test_few_are_kept(tmp_path: Path) -> None:
    for number in range(12):
        save(tmp_path, number)
    assert kept(tmp_path) == 8


def test_large_ones_push_older_ones_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        save(tmp_path, number)
    monkeypatch.setattr(last_run, "LIMITS", Limits(snapshot_bytes=1))
    save(tmp_path, 6)
    assert kept(tmp_path) == 1


def test_one_that_was_moved_to_another_root_is_not_believed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        save(tmp_path / name, 1)
    with Root(str(tmp_path / "one")) as one, Root(str(tmp_path / "two")) as two:
        (source,), (target,) = (list(Path(root_cache_path(root)).glob("check-*")) for root in (one, two))
        target.write_bytes(source.read_bytes())
        key = f"{1:064x}"[::-1]
        assert LastRun(one, key).totals() == (0, 0, 0)
        assert LastRun(one, key)._old is not None
        assert LastRun(two, key)._old is None

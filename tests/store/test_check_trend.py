"""Checks are recorded once for what they say, a bounded number of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store import check_trend
from pincite.store.cache_folder import save_kept
from pincite.store.check_trend import TrendPoint, load_checks, load_commits, record_check, record_commit

NOON = 1_700_000_400


def point(time: int, holds: int, commit: str = "a" * 40) -> TrendPoint:
    return TrendPoint(commit, time, 1, {"holds": holds})


def test_a_check_that_says_nothing_else_is_not_recorded(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        assert record_check(root, point(NOON, 1))
        assert not record_check(root, point(NOON + 5000, 1))
        assert load_checks(root) == [point(NOON, 1)]


def test_of_many_checks_at_one_time_the_last_is_kept(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        for holds in range(5):
            record_check(root, point(NOON + holds, holds))
        assert load_checks(root) == [point(NOON + 4, 4)]
        record_check(root, point(NOON + 5, 5, "b" * 40))
        assert len(load_checks(root)) == 2, "another commit is another point"


def test_the_oldest_checks_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_trend, "_MOST_POINTS", 3)
    with Root(str(tmp_path)) as root:
        for holds in range(5):
            record_check(root, point(NOON + holds * 1000, holds))
        assert [one.outcomes["holds"] for one in load_checks(root)] == [2, 3, 4]


def test_a_commit_that_is_checked_again_replaces_what_was_found(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        record_commit(root, point(NOON, 1, "b" * 40))
        record_commit(root, point(NOON - 50, 1))
        record_commit(root, point(NOON, 2, "b" * 40))
        assert [(one.time, one.outcomes["holds"]) for one in load_commits(root)] == [(NOON - 50, 1), (NOON, 2)]
        assert load_checks(root) == []


def test_what_another_version_found_in_commits_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Root(str(tmp_path)) as root:
        record_commit(root, point(NOON, 1))
        record_check(root, point(NOON, 1))
        monkeypatch.setattr(check_trend, "__version__", "other")
        assert load_commits(root) == []
        assert load_checks(root) == [point(NOON, 1)], "a check was what it was"


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x92\xa1x\x01"])
def test_what_is_damaged_counts_as_nothing(tmp_path: Path, data: bytes) -> None:
    with Root(str(tmp_path)) as root:
        save_kept(root, "trend-checks", data)
        save_kept(root, "trend-commits", data)
        assert (load_checks(root), load_commits(root)) == ([], [])


def test_without_a_cache_folder_nothing_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE", "relative")
    with Root(str(tmp_path)) as root:
        assert not record_check(root, point(NOON, 1))
        assert not record_commit(root, point(NOON, 1))

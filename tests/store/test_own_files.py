"""Which files are our own work."""

from __future__ import annotations

from pathlib import Path

from pincite.safe.files import Root
from pincite.store.cache_folder import is_own, remember_own


def test_what_was_remembered_is_own_below_this_root_only(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with Root(str(tmp_path / "one")) as one, Root(str(tmp_path / "two")) as two:
        assert not is_own(one, "ab" * 32)
        remember_own(one, "ab" * 32)
        assert is_own(one, "ab" * 32)
        assert not is_own(two, "ab" * 32)


def test_only_the_latest_are_kept(tmp_path: Path) -> None:
    with Root(str(tmp_path)) as root:
        for number in range(300):
            remember_own(root, f"{number:064x}")
        assert not is_own(root, f"{0:064x}")
        assert is_own(root, f"{299:064x}")

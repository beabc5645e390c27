"""The paths that are watched for an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store.watched_files import Watcher


def test_a_tree_may_be_deeper_than_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    depth = 1_500
    monkeypatch.setattr("pincite.store.watched_files.os.path.isdir", lambda _: True)
    monkeypatch.setattr("pincite.store.watched_files.os.path.islink", lambda _: False)
    with Root(str(tmp_path)) as root:
        assert len(Watcher(root).paths(["/".join(["d"] * depth) + "/x.md"])) == depth + 1


def test_folders_on_the_way_are_watched(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/x.md").write_text("x\n")
    with Root(str(tmp_path)) as root:
        assert Watcher(root).paths(["a/b/x.md"]) == ("a/", "a/b/", "a/b/x.md")

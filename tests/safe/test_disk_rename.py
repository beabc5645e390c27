"""Renames on disk: made whole, taken back whole, and never onto something else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincite.core.errors import Blocked, Conflict, Missing
from pincite.safe.disk_rename import DiskRename
from pincite.safe.files import Root


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "src/deep").mkdir(parents=True)
    (tmp_path / "src/a.py").write_text("a\n")
    (tmp_path / "src/deep/b.py").write_text("b\n")
    return Root(str(tmp_path))


def list_files(root: Root) -> list[str]:
    top = Path(root.path)
    return sorted(path.relative_to(top).as_posix() for path in top.rglob("*"))


@pytest.mark.parametrize("pair", [("src/a.py", "x/y/c.py"), ("src", "x/lib"), ("src/deep", "deep"), ("src", "SRC")])
def test_a_rename_is_made_and_taken_back(root: Root, pair: tuple[str, str]) -> None:
    before = list_files(root)
    # The root keeps folders open, which must not lead to the old place afterwards.
    assert root.read("src/deep/b.py") == b"b\n"
    move = DiskRename(root, None, *pair)
    move.make()
    assert (root.stat(pair[0]), root.stat(pair[1]) is not None) == (None, True)
    move.undo()
    assert list_files(root) == before
    assert root.read("src/deep/b.py") == b"b\n"


def test_a_link_is_renamed_and_not_what_it_leads_to(root: Root) -> None:
    os.symlink("a.py", Path(root.path) / "src/ln.py")
    DiskRename(root, None, "src/ln.py", "src/other.py").make()
    assert os.readlink(Path(root.path) / "src/other.py") == "a.py"
    assert root.is_file("src/a.py")


def test_what_has_the_new_name_stays(root: Root) -> None:
    before = list_files(root)
    for new in ("src/deep/b.py", "src/deep"):
        with pytest.raises(Conflict):
            DiskRename(root, None, "src/a.py", new).make()
    assert list_files(root) == before
    assert root.read("src/deep/b.py") == b"b\n"


def test_what_is_gone_leaves_no_folders_behind(root: Root) -> None:
    with pytest.raises(Missing):
        DiskRename(root, None, "src/none.py", "x/y/z.py").make()
    assert not (Path(root.path) / "x").exists()


def test_nothing_is_renamed_into_git_or_out_of_the_root(root: Root, tmp_path_factory: pytest.TempPathFactory) -> None:
    (Path(root.path) / "out").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    for new in (".git/x", "out/x"):
        with pytest.raises(Blocked):
            DiskRename(root, None, "src/a.py", new).make()
    assert root.is_file("src/a.py")

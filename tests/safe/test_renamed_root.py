"""A tree as it will be: what is renamed is where it will be, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import Blocked, Missing, Unreadable
from pincite.safe.files import Root
from pincite.safe.renamed_root import PathMoves, RenamedRoot


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "src/deep").mkdir(parents=True)
    (tmp_path / "src/a.py").write_text("a\n")
    (tmp_path / "src/deep/b.py").write_text("b\n")
    (tmp_path / "src/near.py").symlink_to("a.py")
    (tmp_path / "src/out.py").symlink_to("/etc/hostname")
    return Root(str(tmp_path))


def see(root: Root, *pairs: tuple[str, str], **texts: bytes) -> RenamedRoot:
    return RenamedRoot(root, PathMoves(pairs), texts)


def test_a_renamed_file_is_read_by_its_new_name_alone(root: Root) -> None:
    then = see(root, ("src/a.py", "lib/new/c.py"))
    assert (then.read("lib/new/c.py"), then.is_file("lib/new/c.py")) == (b"a\n", True)
    assert (then.stat("src/a.py"), then.is_file("lib/new"), then.names("lib")) == (None, False, ["new"])
    assert then.names("src") == ["deep", "near.py", "out.py"]
    assert then.take("lib/new/c.py")[0] == b"a\n"
    with pytest.raises(Missing):
        then.read("src/a.py")
    with pytest.raises(Missing):
        then.folder("lib")


def test_a_folder_takes_along_what_lies_in_it(root: Root) -> None:
    then = see(root, ("src", "lib/src"))
    assert (then.read("lib/src/deep/b.py"), then.names("lib/src/deep"), then.names("")) == (b"b\n", ["b.py"], ["lib"])
    assert then.locate("lib/./src/../src/deep/b.py") == "lib/src/deep/b.py"


def test_swapped_files_are_swapped(root: Root) -> None:
    then = see(root, ("src/a.py", "src/deep/b.py"), ("src/deep/b.py", "src/a.py"))
    assert (then.read("src/a.py"), then.read("src/deep/b.py")) == (b"b\n", b"a\n")


def test_links_are_followed_from_where_they_will_be(root: Root) -> None:
    assert see(root, ("src", "lib")).read("lib/near.py") == b"a\n"
    with pytest.raises(Missing):
        see(root, ("src/near.py", "near.py")).read("near.py")
    with pytest.raises(Missing):
        see(root, ("src/a.py", "src/c.py")).read("src/near.py")


def test_nothing_outside_the_root_is_read(root: Root) -> None:
    then = see(root, ("src", "lib"))
    for key in ("lib/out.py", "../x", "lib/../../x"):
        with pytest.raises(Blocked):
            then.read(key)
    assert then.stat("lib/out.py") is None


def test_a_text_that_an_editor_holds_goes_by_its_old_name(root: Root) -> None:
    then = RenamedRoot(root, PathMoves([("src", "lib")]), {"src/a.py": b"unsaved\n"})
    assert then.read("lib/a.py") == b"unsaved\n"
    with pytest.raises(Unreadable):
        then.read("lib/a.py", 3)

from __future__ import annotations

import os
from pathlib import Path

from pincite.safe.remove_tree import remove_tree


def test_everything_goes_and_links_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("x")
    top = tmp_path / "top"
    for name in ("a/b/c", "a/d", "0", ".1.0"):
        (top / name).mkdir(parents=True)
        (top / name / "file").write_text("x")
    (top / "a/link").symlink_to(outside)
    (top / "dangling").symlink_to("/nowhere")
    os.mkfifo(top / "a/pipe")
    remove_tree(str(top))
    assert not os.path.lexists(top) and (outside / "kept").exists()


def test_a_link_in_place_of_the_folder_and_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "kept")
    remove_tree(str(tmp_path / "link"))
    remove_tree(str(tmp_path / "none"))
    assert (tmp_path / "kept").exists()


def test_a_folder_deeper_than_any_path_is_long(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    folder = os.open(top, os.O_RDONLY)
    for _ in range(5000):
        os.mkdir("d", dir_fd=folder)
        below = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = below
    os.close(folder)
    remove_tree(str(top))
    assert not top.exists()

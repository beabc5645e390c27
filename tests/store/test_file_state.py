"""Whether a file changed."""

from __future__ import annotations

import os
from errno import ELOOP, ENAMETOOLONG, ENOENT
from pathlib import Path
from time import sleep, time_ns

from pincite.store.watched_files import MARGIN, invalidate_recent_marks, take_marks


def take(top: str, paths: list[str]) -> list[int]:
    return take_marks(top, paths, follow=True)


def test_marks_are_change_time_size_and_inode(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"abc")
    info = place.stat()
    wanted = [info.st_ctime_ns, 3, info.st_ino]
    assert take(str(tmp_path), ["a"]) == take(f"{tmp_path}/", ["a"]) == take("/nowhere", [str(place)]) == wanted


def test_what_is_not_there_has_no_time_and_no_size_but_a_reason(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    marks = take(str(tmp_path), ["gone", "a\0b", "link", "x" * 5000, "\ud800"])
    assert marks[0::3] == marks[1::3] == [0] * 5
    assert marks[2::3] == [ENOENT, 0, ELOOP, ENAMETOOLONG, 0]


def test_the_root_itself_has_a_mark(tmp_path: Path) -> None:
    assert take(str(tmp_path), [""])[2] == tmp_path.stat().st_ino


def test_no_change_goes_unseen(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"abc")
    os.utime(place, ns=(1, 1))
    before = take(str(tmp_path), ["a"])
    sleep(0.02)
    place.write_bytes(b"xyz")
    os.utime(place, ns=(1, 1))
    assert take(str(tmp_path), ["a"]) != before


def test_what_changed_just_now_never_compares_equal(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"abc")
    marks = take(str(tmp_path), ["a"])
    assert invalidate_recent_marks(list(marks), time_ns())[0] == -1 != marks[0]
    assert invalidate_recent_marks(list(marks), marks[0] + MARGIN) == marks
    assert invalidate_recent_marks([0, 0, 0], time_ns()) == [0, 0, 0]

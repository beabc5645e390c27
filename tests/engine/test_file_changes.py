"""Changes of several files: all or none, and only where every file is what it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.core.errors import Blocked, Conflict, Refused, Unreadable
from pincite.engine.file_changes import FileRewrite, digest_bytes, digest_files, read_file, write_changes
from pincite.safe.files import Root


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Root]:
    (tmp_path / "root").mkdir()
    with Root(str(tmp_path / "root")) as root:
        yield root


def put(root: Root, name: str, data: bytes) -> Path:
    place = Path(root.path) / name
    place.write_bytes(data)
    return place


def test_files_are_replaced_created_and_removed(root: Root) -> None:
    one, two = put(root, "one", b"1"), put(root, "two", b"2")
    changes = [FileRewrite("one", b"1", b"11"), FileRewrite("two", b"2", None), FileRewrite("three", None, b"3")]
    write_changes(root, changes)
    assert one.read_bytes() == b"11" and not two.exists() and (Path(root.path) / "three").read_bytes() == b"3"
    write_changes(root, [change.reverse() for change in reversed(changes)])
    assert one.read_bytes() == b"1" and two.read_bytes() == b"2" and not (Path(root.path) / "three").exists()


@pytest.mark.parametrize(
    "change",
    [
        FileRewrite("two", b"another", b"new"),
        FileRewrite("two", None, b"new"),
        FileRewrite("two", b"2 ", None),
        FileRewrite("none", b"2", b"new"),
        FileRewrite("two", b"new", b"2"),
    ],
)
def test_one_file_that_is_not_what_it_was_keeps_all_from_being_written(root: Root, change: FileRewrite) -> None:
    one, two = put(root, "one", b"1"), put(root, "two", b"2")
    with pytest.raises(Conflict, match="changed since it was read"):
        write_changes(root, [FileRewrite("one", b"1", b"11"), change])
    assert one.read_bytes() == b"1" and two.read_bytes() == b"2"


@pytest.mark.parametrize("path", ["../outside", ".git/config", "folder", "link"])
def test_what_is_no_file_of_the_root_is_refused(root: Root, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").write_bytes(b"1")
    folder = Path(root.path)
    (folder / ".git").mkdir()
    (folder / ".git/config").write_bytes(b"1")
    (folder / "folder").mkdir()
    (folder / "link").symlink_to(tmp_path / "outside")
    with pytest.raises((Refused, Conflict)):
        write_changes(root, [FileRewrite(path, b"1", b"2")])
    assert (tmp_path / "outside").read_bytes() == b"1" and (folder / ".git/config").read_bytes() == b"1"


def test_a_later_failure_takes_the_earlier_changes_back(root: Root) -> None:
    one = put(root, "one", b"1")
    with pytest.raises(Refused):
        write_changes(root, [FileRewrite("one", b"1", b"11"), FileRewrite(".git/hooks/x", None, b"3")])
    assert one.read_bytes() == b"1"


def test_what_cannot_be_read_is_not_taken_for_missing(root: Root, tmp_path: Path) -> None:
    assert read_file(root, "none") is None
    (Path(root.path) / "folder").mkdir()
    with pytest.raises(Unreadable, match="no regular file"):
        read_file(root, "folder")
    (tmp_path / "outside").write_bytes(b"1")
    (Path(root.path) / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(Blocked, match="leads outside the root"):
        read_file(root, "link")


def test_digests_tell_missing_from_empty_and_one_file_from_two() -> None:
    assert digest_bytes(None) == "" != digest_bytes(b"")
    states = [[("a", b"")], [("a", None)], [("b", b"")], [("a", b""), ("b", b"")], [], [("a\n", b"")]]
    assert len({digest_files(state) for state in states}) == len(states)


def test_a_diff_of_what_changed_only() -> None:
    old = b"".join(b"line %d\n" % number for number in range(1000))
    rows = FileRewrite("a", old, old.replace(b"line 500\n", b"line 500!\n")).make_diff()
    assert [row for row in rows if row[:1] in "+-"] == ["--- a/a", "+++ b/a", "-line 500", "+line 500!"]
    assert len(rows) == 2 + 1 + 3 + 2 + 3


def test_equal_lines_do_not_make_a_diff_slow_or_long() -> None:
    """All lines are the same few: only what is not the same at both ends is compared."""
    old = b"a\nb\n" * 200_000
    rows = FileRewrite("a", old, old[:400_000] + b"c\n" + old[400_000:]).make_diff()
    assert len(rows) == 2 + 1 + 3 + 1 + 3

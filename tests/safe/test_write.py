"""Writing: the whole new file or the whole old one, whatever fails and whenever; nothing is left behind."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Blocked, Conflict, Missing, PinciteError, Refused
from pincite.safe.files import Root
from pincite.safe.write import create, put, replace

OLD, NEW = b"old text\n", b"new and longer text\n"


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "root/d").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/f").write_bytes(OLD)
    (tmp_path / "root/d/f").write_bytes(OLD)
    return Root(str(tmp_path / "root"))


def content(root: Root, key: str = "d/f") -> bytes:
    return Path(root.path, key).read_bytes()


def names(root: Root) -> list[str]:
    """Every file there is, in and below the root."""
    return sorted(str(path.relative_to(root.path)) for path in Path(root.path).rglob("*") if not path.is_dir())


def failing(monkeypatch: pytest.MonkeyPatch, name: str, nth: int, error: BaseException) -> list[int]:
    """Make the nth call of a function of `os` fail; gives a list that counts the calls."""
    real: Callable[..., Any] = getattr(os, name)
    calls = [0]

    def call(*arguments: Any, **keywords: Any) -> Any:
        calls[0] += 1
        if calls[0] == nth:
            raise error
        return real(*arguments, **keywords)

    monkeypatch.setattr(os, name, call)
    return calls


class HalfWritten(io.FileIO):
    """A file on a disk that is full after a few bytes."""

    def write(self, data: Any) -> int:
        super().write(bytes(data)[:3])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_file_is_replaced(root: Root) -> None:
    replace(root, "d/f", OLD, NEW)
    assert content(root) == NEW
    assert names(root) == ["d/f"]


def test_the_mode_is_kept(root: Root) -> None:
    path = Path(root.path, "d/f")
    path.chmod(0o640)
    replace(root, "d/f", OLD, NEW)
    assert path.stat().st_mode & 0o7777 == 0o640


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(root: Root) -> None:
    path = Path(root.path, "d/f")
    os.chown(path, 12345, 23456)
    replace(root, "d/f", OLD, NEW)
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)
    assert content(root) == NEW


def test_a_link_stays_a_link_and_its_target_is_written(root: Root) -> None:
    link = Path(root.path, "link")
    link.symlink_to("d/f")
    replace(root, "link", OLD, NEW)
    assert link.is_symlink()
    assert content(root) == NEW


@pytest.mark.parametrize("key", ["../outside/f", "out/f", "/etc/hostname"])
def test_nothing_outside_is_written(root: Root, key: str) -> None:
    Path(root.path, "out").symlink_to("../outside")
    with pytest.raises(Blocked):
        replace(root, key, OLD, NEW)
    assert Path(root.path, "../outside/f").read_bytes() == OLD


@pytest.mark.parametrize("key", ["gone", "d", "d/gone"])
def test_what_is_no_file_is_not_replaced(root: Root, key: str) -> None:
    with pytest.raises(Missing):
        replace(root, key, OLD, NEW)
    assert names(root) == ["d/f"]


def test_a_file_that_changed_since_it_was_read(root: Root) -> None:
    with pytest.raises(Conflict, match="changed since it was read"):
        replace(root, "d/f", b"older", NEW)
    assert (content(root), names(root)) == (OLD, ["d/f"])


def test_a_file_that_changes_while_it_is_written(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        Path(root.path, "d/f").write_bytes(b"someone else's\n")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Conflict, match="changed while it was being written"):
        replace(root, "d/f", OLD, NEW)
    assert (content(root), names(root)) == (b"someone else's\n", ["d/f"])


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()], ids=["disk", "interrupt"]
)
@pytest.mark.parametrize("name", ["open", "fdopen", "fstat", "stat", "read", "fchmod", "fsync", "replace", "urandom"])
def test_whatever_fails_the_file_is_old_or_new(root: Root, name: str, error: BaseException) -> None:
    """Every call that can fail is made to fail, one after the other."""
    for nth in range(1, 12):
        with pytest.MonkeyPatch.context() as patched:
            calls = failing(patched, name, nth, error)
            with suppress(PinciteError, KeyboardInterrupt):
                replace(root, "d/f", OLD, NEW)
        assert content(root) in (OLD, NEW)
        assert names(root) == ["d/f"], (name, nth)
        if calls[0] < nth:
            assert content(root) == NEW
            assert nth > 1, f"{name} is never called"
            return
        Path(root.path, "d/f").write_bytes(OLD)
    pytest.fail(f"{name} is called without end")


def test_a_disk_that_is_full_in_the_middle(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fdopen", lambda descriptor, mode: HalfWritten(descriptor, "wb"))
    for write in (
        lambda: replace(root, "d/f", OLD, NEW),
        lambda: put(root, "d/g", NEW),
        lambda: create(root, "d/h", NEW),
    ):
        with pytest.raises(Refused, match="No space left on device"):
            write()
    assert (content(root), names(root)) == (OLD, ["d/f"])


def test_a_folder_that_cannot_be_synced_does_no_harm(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "fsync", 2, OSError(errno.EINVAL, "Invalid argument"))
    replace(root, "d/f", OLD, NEW)
    assert content(root) == NEW


def test_create_refuses_what_exists(root: Root) -> None:
    create(root, "new/folder/f", NEW)
    assert content(root, "new/folder/f") == NEW
    with pytest.raises(Refused, match="exists already"):
        create(root, "new/folder/f", OLD)
    Path(root.path, "dangling").symlink_to("../outside/made")
    with pytest.raises(Refused):
        create(root, "dangling", OLD)
    assert content(root, "new/folder/f") == NEW
    assert not Path(root.path, "../outside/made").exists()


def test_put_replaces_and_makes_folders(root: Root) -> None:
    put(root, "a/b/c", OLD)
    put(root, "a/b/c", NEW)
    assert content(root, "a/b/c") == NEW
    assert names(root) == ["a/b/c", "d/f"]


def test_put_leaves_nothing_behind_when_it_fails(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "replace", 1, OSError(errno.EXDEV, "Invalid cross-device link"))
    with pytest.raises(Refused):
        put(root, "d/f", NEW)
    assert (content(root), names(root)) == (OLD, ["d/f"])


@pytest.mark.parametrize("key", ["out/f", "out/sub/f", "../outside/g"])
def test_folders_are_never_made_through_a_link_that_leads_out(root: Root, key: str) -> None:
    Path(root.path, "out").symlink_to("../outside")
    for write in (put, create):
        with pytest.raises(Refused):
            write(root, key, NEW)
    assert sorted(os.listdir(Path(root.path, "../outside"))) == ["f"]
    assert Path(root.path, "../outside/f").read_bytes() == OLD

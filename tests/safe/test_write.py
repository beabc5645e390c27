"""Writing: the whole new file or the whole old one, whatever fails and whenever; nothing is left behind."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat as st
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from pincite.core.errors import Blocked, Conflict, Missing, PinciteError, Refused
from pincite.safe import write as writing
from pincite.safe.files import Root
from pincite.safe.temp_files import is_temporary, sweep
from pincite.safe.write import create, put, remove, replace


def _loaded() -> ModuleType:
    spec = spec_from_file_location("support_faults", Path(__file__).parents[1] / "support_faults.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


made = _loaded()
fail = made.fail
# They are all treated alike; the whole list is for campaigns.
ERRORS = made.ERRORS if os.environ.get("PINCITE_KILLS") else (errno.ENOSPC, errno.EPERM, errno.ENOENT, errno.EINTR)
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


def attempt(write: Callable[[], None], fault: Callable[[int, str], None]) -> tuple[list[str], BaseException | None]:
    """The system calls of a write with a fault among them, and what it raised."""
    raised: BaseException | None = None
    with made.faults(fault) as watch:
        try:
            write()
        except (PinciteError, KeyboardInterrupt) as error:
            raised = error
    return watch.seen, raised


@pytest.mark.parametrize(
    "fault", [*map(fail, ERRORS), made.interrupt], ids=[*(errno.errorcode[e] for e in ERRORS), "interrupt"]
)
@pytest.mark.parametrize("way", ["replace", "put", "create"])
def test_whatever_fails_the_file_is_old_or_new(root: Root, way: str, fault: Callable[[], None]) -> None:
    """Every single system call is made to fail, one after the other; none is ever retried without end."""
    key, before = ("d/new", None) if way == "create" else ("d/f", OLD)
    write = {
        "replace": lambda: replace(root, key, OLD, NEW),
        "put": lambda: put(root, key, NEW),
        "create": lambda: create(root, key, NEW),
    }[way]
    here = Path(root.path, key)
    for number in range(1, 100):
        seen, raised = attempt(write, made.at(number, fault))
        found = here.read_bytes() if here.exists() else None
        assert found in (before, NEW), (number, seen[-1])
        # A failure is told, and names the file; what went wrong after the file got its name does no harm.
        assert found == NEW or isinstance(raised, KeyboardInterrupt) or str(raised).startswith((f"{key}: ", "d: "))
        left = [name for name in os.listdir(here.parent) if is_temporary(name)]
        assert not left or seen[number - 1] == "unlink", (number, seen)
        assert sweep(root, ["d"]) == len(left)
        assert set(os.listdir(here.parent)) <= {"f", "new"}
        assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()
        if len(seen) < number:
            assert (found, raised) == (NEW, None)
            assert {"open", "write", "fsync", "flock"} <= set(seen)
            return
        here.unlink(missing_ok=True)
        if before is not None:
            here.write_bytes(before)
    pytest.fail(f"more than {number} system calls: {seen}")


def test_a_disk_that_is_full_in_the_middle(root: Root) -> None:
    really = os.write

    def write(file: int, data: bytes) -> int:
        if not os.fstat(file).st_size:
            return really(file, bytes(data)[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    for attempt in (
        lambda: replace(root, "d/f", OLD, NEW),
        lambda: put(root, "d/g", NEW),
        lambda: create(root, "d/h", NEW),
    ):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(os, "write", write)
            with pytest.raises(Refused, match="No space left on device"):
                attempt()
    assert (content(root), names(root)) == (OLD, ["d/f"])


def test_a_disk_that_takes_little_at_a_time(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.write
    monkeypatch.setattr(os, "write", lambda file, data: really(file, bytes(data)[:3]))
    replace(root, "d/f", OLD, NEW)
    assert content(root) == NEW


def test_a_folder_that_cannot_be_synced_does_no_harm(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.fsync

    def fsync(file: int) -> None:
        if st.S_ISDIR(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        really(file)

    monkeypatch.setattr(os, "fsync", fsync)
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


@pytest.mark.parametrize("key", ["out/f", "out/sub/f", "../outside/g"])
def test_folders_are_never_made_through_a_link_that_leads_out(root: Root, key: str) -> None:
    Path(root.path, "out").symlink_to("../outside")
    for write in (put, create):
        with pytest.raises(Refused):
            write(root, key, NEW)
    assert sorted(os.listdir(Path(root.path, "../outside"))) == ["f"]
    assert Path(root.path, "../outside/f").read_bytes() == OLD


def test_what_is_new_already_stays_as_it_is(root: Root) -> None:
    """Two processes that make the same change do not stand in each other's way."""
    replace(root, "d/f", OLD, NEW)
    before = Path(root.path, "d/f").stat()
    replace(root, "d/f", OLD, NEW)
    assert Path(root.path, "d/f").stat().st_ino == before.st_ino


def test_other_names_of_a_file_keep_the_old_content(root: Root) -> None:
    os.link(Path(root.path, "d/f"), Path(root.path, "backup"))
    replace(root, "d/f", OLD, NEW)
    assert (content(root), content(root, "backup")) == (NEW, OLD)


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o755, 0o2640, 0o4755, 0o1644])
def test_every_bit_of_the_mode_is_kept(root: Root, mode: int) -> None:
    path = Path(root.path, "d/f")
    path.chmod(mode)
    if os.access(path, os.W_OK):
        replace(root, "d/f", OLD, NEW)
        assert content(root) == NEW
    else:
        with pytest.raises(Refused, match=r"d/f: cannot be written \(Permission denied\)"):
            replace(root, "d/f", OLD, NEW)
    assert path.stat().st_mode & 0o7777 == mode


def test_the_group_of_a_folder_that_gives_its_own_is_not_taken_over(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where new files belong to the folder's group, the file's own group is given to the new one."""
    given: list[tuple[int, int]] = []
    really, like = os.fstat, os.stat(Path(root.path, "d/f"))

    def fstat(file: int) -> os.stat_result:
        info = really(file)
        return info if info.st_ino == like.st_ino else os.stat_result([*info[:5], info.st_gid + 1, *info[6:]])

    monkeypatch.setattr(os, "fstat", fstat)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    replace(root, "d/f", OLD, NEW)
    assert given == [(like.st_uid, like.st_gid)]


def test_a_file_whose_owner_cannot_be_kept_is_not_written(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    really, like = os.fstat, os.stat(Path(root.path, "d/f"))

    def fstat(file: int) -> os.stat_result:
        info = really(file)
        return info if info.st_ino == like.st_ino else os.stat_result([*info[:4], info.st_uid + 1, *info[5:]])

    monkeypatch.setattr(os, "fstat", fstat)
    monkeypatch.setattr(os, "fchown", lambda *_: fail(errno.EPERM)())
    with pytest.raises(Refused, match=r"d/f: cannot be written \(Operation not permitted\)"):
        replace(root, "d/f", OLD, NEW)
    assert (content(root), names(root)) == (OLD, ["d/f"])


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Python knows them on Linux only")
def test_attributes_are_kept(root: Root) -> None:
    path = Path(root.path, "d/f")
    try:
        os.setxattr(path, "user.pincite", b"kept")
    except OSError:
        pytest.skip("the file system has none")
    replace(root, "d/f", OLD, NEW)
    assert os.getxattr(path, "user.pincite") == b"kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_folder_that_cannot_be_written(root: Root) -> None:
    os.chmod(Path(root.path, "d"), 0o555)
    try:
        for write in (lambda: replace(root, "d/f", OLD, NEW), lambda: put(root, "d/g", NEW)):
            with pytest.raises(Refused, match=r"d/[fg]: cannot be written \(Permission denied\)"):
                write()
    finally:
        os.chmod(Path(root.path, "d"), 0o755)
    assert (content(root), names(root)) == (OLD, ["d/f"])


def test_the_longest_name_there_can_be(root: Root) -> None:
    name = "n" * 255
    create(root, f"d/{name}", OLD)
    replace(root, f"d/{name}", OLD, NEW)
    put(root, f"d/{name}", OLD)
    assert content(root, f"d/{name}") == OLD
    with pytest.raises(Refused, match="File name too long"):
        create(root, f"d/{name}n", NEW)
    assert names(root) == ["d/f", f"d/{name}"]


def test_a_file_that_another_program_holds(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_TRIES", 3)
    with Path(root.path, "d/f").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(Conflict, match="d/f: another program holds it; nothing was written"):
            replace(root, "d/f", OLD, NEW)
    assert (content(root), names(root)) == (OLD, ["d/f"])
    replace(root, "d/f", OLD, NEW)
    assert content(root) == NEW


def test_create_where_files_have_one_name_only(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", lambda *_, **__: fail(errno.EPERM)())
    create(root, "d/new", NEW, 0o640)
    assert content(root, "d/new") == NEW
    with pytest.raises(Refused, match="exists already"):
        create(root, "d/new", OLD)
    assert (content(root, "d/new"), names(root)) == (NEW, ["d/f", "d/new"])


def test_what_is_created_has_the_mode_that_was_asked_for(root: Root) -> None:
    before = os.umask(0o027)
    try:
        create(root, "d/new", NEW, 0o755)
        put(root, "d/put", NEW)
    finally:
        os.umask(before)
    assert [Path(root.path, key).stat().st_mode & 0o7777 for key in ("d/new", "d/put")] == [0o750, 0o640]


SIGNALLED = """
import os, signal, sys
from pincite.safe.files import Root
from pincite.safe.write import create, put, remove, replace
really = os.fsync
def fsync(file):
    os.kill(os.getpid(), int(sys.argv[2]))
    really(file)
os.fsync = fsync
with Root(sys.argv[1]) as root:
    {"replace": lambda: replace(root, "d/f", b"old text\\n", b"new and longer text\\n"),
     "put": lambda: put(root, "d/f", b"new and longer text\\n")}[sys.argv[3]]()
print("not reached")
"""


@pytest.mark.parametrize("way", ["replace", "put"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_waits_until_the_file_is_in_place(root: Root, number: int, way: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SIGNALLED, root.path, str(int(number)), way],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (-number, b"")
    assert (content(root), names(root)) == (NEW, ["d/f"])


def test_a_file_is_removed_only_while_it_is_what_it_was(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"old")
    with Root(str(tmp_path)) as root:
        with pytest.raises(Conflict, match="changed since it was read"):
            remove(root, "a", b"other")
        assert place.read_bytes() == b"old"
        remove(root, "a", b"old")
        assert not place.exists()
        with pytest.raises(Missing):
            remove(root, "a", b"old")


@pytest.mark.parametrize("target", ["kept", "../outside"])
def test_a_link_is_never_removed_nor_what_it_leads_to(tmp_path: Path, target: str) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root/kept").write_bytes(b"old")
    (tmp_path / "outside").write_bytes(b"old")
    (tmp_path / "root/a").symlink_to(target)
    with Root(str(tmp_path / "root")) as root, pytest.raises((Conflict, Blocked)):
        remove(root, "a", b"old")
    assert (tmp_path / "root/kept").exists() and (tmp_path / "outside").exists() and (tmp_path / "root/a").is_symlink()


def test_nothing_of_git_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_bytes(b"old")
    with Root(str(tmp_path)) as root, pytest.raises(Refused):
        remove(root, ".git/HEAD", b"old")
    assert (tmp_path / ".git/HEAD").exists()

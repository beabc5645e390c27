"""Reading below a root: never a byte from outside, whatever the tree looks like and whatever happens to it."""

from __future__ import annotations

import gc
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.errors import Blocked, Missing, Refused, Unreadable
from pincite.core.limits import Limits
from pincite.safe.files import Root, list_open_roots, read_path, stat_path, take_path, walk

SECRET = b"secret"
INSIDE = b"inside"


@pytest.fixture
def top(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/f").write_bytes(SECRET)
    (tmp_path / "root/d/e").mkdir(parents=True)
    for name in ("f", "d/f", "d/e/f"):
        (tmp_path / "root" / name).write_bytes(INSIDE)
    return tmp_path


def read(top: Path, key: str, **limits: int) -> bytes:
    with Root(str(top / "root"), Limits(**limits)) as root:
        return root.read(key)


@pytest.mark.parametrize("key", ["f", "d/f", "./f", "d/./f", "d//f", "d/../f", "d/e/../../f", "d/e/f"])
def test_files_inside_are_read(top: Path, key: str) -> None:
    assert read(top, key) == INSIDE


@pytest.mark.parametrize(
    "key",
    [
        *(
            "../outside/f",
            "d/../../outside/f",
            "..",
            "/etc/passwd",
            "/",
            "",
            "C:/x",
            "c:",
            "C:\\x",
            "\\x",
            "..\\outside\\f",
        ),
        *("d/..\\..\\f", "~", "~/f", "f\0", "a\0/f", "x/" * 1000, "\ud800"),
    ],
)
def test_what_could_lead_out_is_blocked(top: Path, key: str) -> None:
    with pytest.raises(Blocked):
        read(top, key)


@pytest.mark.parametrize(
    "key", ["g", "d", "d/", ".", "d/.", "d/..", "f/g", "f/..", "g/../f", "n" * 300, "~f", "ab:c", "c:x", "a\\b"]
)
def test_what_is_no_file_is_missing(top: Path, key: str) -> None:
    with pytest.raises(Missing):
        read(top, key)


def test_a_warm_root_refuses_what_a_cold_one_refuses(top: Path) -> None:
    """Knowing the folder already is a short cut, not a way around the rules."""
    for key in ("C:\\x", "..", "~", ".", "d/..", "d/.", "f\0", "\\x"):
        with Root(str(top / "root")) as root:
            with pytest.raises(Refused) as cold:
                root.read(key)
            root.read("f")
            root.read("d/f")
            with pytest.raises(Refused) as warm:
                root.read(key)
        assert type(cold.value) is type(warm.value), key


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="descriptors are counted in /proc")
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "forgotten"])
def test_a_root_leaves_no_descriptor(top: Path, closed: bool) -> None:
    """A long-lived process opens roots again and again: one that is dropped without `close` is closed too."""
    before = os.listdir("/proc/self/fd")
    root = Root(str(top / "root"))
    root.read("d/f")
    assert len(os.listdir("/proc/self/fd")) > len(before)
    if closed:
        root.close()
    del root
    assert len(os.listdir("/proc/self/fd")) == len(before)


def link(top: Path, name: str, target: str) -> None:
    (top / "root" / name).symlink_to(target.replace("{top}", str(top)))


@pytest.mark.parametrize("target", ["f", "./d/../f", "d/f", "{top}/root/f", "{top}/root/d/e/f", "second"])
def test_links_that_stay_inside_are_followed(top: Path, target: str) -> None:
    link(top, "a", target)
    link(top, "second", "d/e/f")
    assert read(top, "a") == INSIDE


@pytest.mark.parametrize(
    "target", ["../outside/f", "{top}/outside/f", "/dev/zero", "d/../../outside/f", "out/f", "{top}/root2/f", "{top}"]
)
def test_links_that_lead_out_are_blocked(top: Path, target: str) -> None:
    link(top, "a", target)
    link(top, "out", "../outside")
    with pytest.raises(Blocked):
        read(top, "a")


def test_a_link_that_leads_out_and_back_is_blocked(top: Path) -> None:
    link(top, "a", "../root")
    with pytest.raises(Blocked):
        read(top, "a/f")


def test_links_in_a_circle_end(top: Path) -> None:
    link(top, "a", "b")
    link(top, "b", "a")
    with pytest.raises(Unreadable, match="too many levels"):
        read(top, "a")


def test_a_pipe_does_not_hang(top: Path) -> None:
    os.mkfifo(top / "root/pipe")
    with pytest.raises(Missing):
        read(top, "pipe")


def test_a_socket_is_no_file(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(top / "root")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s")
        with pytest.raises(Missing):
            read(top, "s")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_no_file(top: Path) -> None:
    try:
        os.mknod(top / "root/zero", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")
    with pytest.raises(Refused):
        read(top, "zero")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_unreadable(top: Path) -> None:
    (top / "root/f").chmod(0)
    with pytest.raises(Unreadable, match="Permission denied"):
        read(top, "f")


def test_a_huge_file_is_refused_before_it_is_read(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open(top / "root/huge", "wb") as stream:
        try:
            stream.truncate(100 << 30)
        except OSError:
            pytest.skip("the file system holds no such file")
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it was read"))
    with pytest.raises(Unreadable, match="107374182400 bytes exceed the limit"):
        read(top, "huge")


def test_the_limit_is_the_largest_size_that_is_read(top: Path) -> None:
    assert read(top, "f", source_bytes=len(INSIDE)) == INSIDE
    with pytest.raises(Unreadable):
        read(top, "f", source_bytes=len(INSIDE) - 1)


def test_a_file_that_grows_while_it_is_read_is_bounded(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "read", lambda _, size: b"x" * size)
    with pytest.raises(Unreadable, match="more than 100 bytes"):
        read(top, "f", source_bytes=100)


def test_a_read_that_fails_is_unreadable_and_closes_the_file(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    with monkeypatch.context() as patched:
        patched.setattr(os, "read", fail)
        with pytest.raises(Unreadable, match="Input/output error"):
            read(top, "f")
    assert (len(os.listdir("/proc/self/fd")) if before else 0) == before


def test_few_folders_are_kept_open(top: Path) -> None:
    for number in range(60):
        folder = top / f"root/many/{number}"
        folder.mkdir(parents=True)
        (folder / "f").write_bytes(INSIDE)
    with Root(str(top / "root"), Limits(open_folders=8)) as root:
        for number in (*range(60), *range(60)):
            assert root.read(f"many/{number}/f") == INSIDE
        assert len(root._folders) <= 8


def test_a_root_that_is_no_folder(top: Path) -> None:
    for name in ("root/f", "gone"):
        with pytest.raises(Missing):
            Root(str(top / name))


NAMES = st.sampled_from(("a", "b", "c", "d", " ", "é", "a\\b", "-", "x\n"))
KEYS = st.lists(st.one_of(NAMES, st.sampled_from(("..", ".", ""))), min_size=1, max_size=5).map("/".join)
TARGETS = st.one_of(
    KEYS,
    KEYS.map(lambda key: f"{{root}}/{key}"),
    KEYS.map(lambda key: f"{{outside}}/{key}"),
    st.sampled_from(
        ("../outside", "../outside/f", "../../outside/f", "{outside}", "{root}", "/", "..", ".", "/dev/zero")
    ),
)
ENTRIES = st.lists(st.tuples(st.sampled_from(("file", "folder", "link")), KEYS, TARGETS), max_size=12)


def plant(root: str, outside: str, entries: list[tuple[str, str, str]]) -> None:
    """Make what can be made of the entries; a place that leads out of the root is left alone."""
    for kind, key, target in entries:
        place = os.path.join(root, key.strip("/"))
        parent = os.path.realpath(os.path.dirname(place))
        if parent != root and not parent.startswith(root + "/"):
            continue
        try:
            if kind == "link":
                os.symlink(target.replace("{root}", root).replace("{outside}", outside), place)
            elif kind == "folder":
                os.mkdir(place)
            elif not os.path.lexists(place):
                with open(place, "xb") as stream:
                    stream.write(INSIDE)
        except OSError:
            continue


@given(entries=ENTRIES, keys=st.lists(KEYS, min_size=1, max_size=8))
@settings(max_examples=250, deadline=None)
def test_no_tree_leads_out(entries: list[tuple[str, str, str]], keys: list[str]) -> None:
    """What is read is the file that the path leads to, and it is inside; all else is refused, also by a warm root."""
    top = os.path.realpath(tempfile.mkdtemp())
    try:
        root, outside = f"{top}/root", f"{top}/outside"
        os.mkdir(root)
        os.mkdir(outside)
        for name in ("f", "a", "b"):
            with open(f"{outside}/{name}", "xb") as stream:
                stream.write(SECRET)
        plant(root, outside, entries)
        with Root(root) as opened:
            for key in [*keys, *(key for _, key, _ in entries), *keys]:
                info = opened.stat(key)
                try:
                    data = opened.read(key)
                except Refused:
                    continue
                assert data == INSIDE
                assert info is not None
                assert os.path.realpath(f"{root}/{key}") == f"{root}/{opened.locate(key)}"
                assert opened.is_file(key)
    finally:
        shutil.rmtree(top)


_SWAPPER = """
import os, sys
os.chdir(sys.argv[1])
print("ready", flush=True)
while True:
    os.rename("d", "real")
    os.symlink(sys.argv[2], "d")
    os.rename("d", "gone")
    os.rename("real", "d")
    os.unlink("gone")
"""


def test_a_folder_that_is_swapped_for_a_link_while_reading(top: Path) -> None:
    """Twenty thousand reads beside a process that keeps swapping the folder: never a byte from outside."""
    swapper = subprocess.Popen(
        [sys.executable, "-c", _SWAPPER, str(top / "root"), "../outside"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert swapper.stdout is not None and swapper.stdout.readline() == b"ready\n"
        seen = {"inside": 0, "refused": 0}
        for _ in range(2000):
            with Root(str(top / "root")) as root:
                for key in ("d/f", "d/../d/f", "d/e/../f", "d/f", "d/e/f") * 2:
                    try:
                        data = root.read(key)
                    except Refused:
                        seen["refused"] += 1
                        continue
                    assert data == INSIDE
                    seen["inside"] += 1
        assert seen["inside"] + seen["refused"] == 20_000
        assert seen["inside"]
        assert swapper.poll() is None
    finally:
        swapper.kill()
        swapper.wait()
        swapper.stdout.close()  # type: ignore[union-attr]


def test_walking_beside_a_swapped_folder_lists_nothing_from_outside(top: Path) -> None:
    (top / "outside/only-outside").write_bytes(SECRET)
    swapper = subprocess.Popen(
        [sys.executable, "-c", _SWAPPER, str(top / "root"), "../outside"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert swapper.stdout is not None and swapper.stdout.readline() == b"ready\n"
        listed = [key for _ in range(2000) for key in walk(str(top / "root"), lambda _: False)[0]]
        assert "f" in listed
        assert not [key for key in listed if key.endswith("only-outside")]
    finally:
        swapper.kill()
        swapper.wait()
        swapper.stdout.close()  # type: ignore[union-attr]


def test_walk_lists_everything_sorted_and_enters_no_link(top: Path) -> None:
    link(top, "out", "../outside")
    link(top, "z", "d")
    files, folders = walk(str(top / "root"), lambda folder: folder == "d/e/")
    assert files == ["d/f", "f", "out", "z"]
    assert folders == ["", "d"]


def test_walk_ends_in_a_deep_tree(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree deeper than any path that can be read is not followed to its end, and everything is closed again."""
    monkeypatch.chdir(top / "root/d/e")
    for _ in range(300):
        os.mkdir("deep")
        os.chdir("deep")
    files, folders = walk(str(top / "root"), lambda _: False)
    assert files == ["d/e/f", "d/f", "f"]
    assert 100 < len(folders) < 300
    assert max(map(len, folders)) < Limits().path_chars


def test_walk_of_nothing(top: Path) -> None:
    assert walk(str(top / "gone"), lambda _: False) == ([], [""])


# Paths that the caller vouches for


def test_a_given_path_is_read_with_its_status(top: Path) -> None:
    data, info = take_path(str(top / "root/f"))
    assert (data, info.st_size) == (INSIDE, len(INSIDE))
    assert read_path(str(top / "root/f")) == INSIDE
    (top / "link").symlink_to(top / "root/f")
    assert read_path(str(top / "link")) == INSIDE
    status = stat_path(str(top / "link"))
    assert status is not None and status.st_ino == info.st_ino
    with Root(str(top / "root")) as root:
        assert root.take("f")[0] == INSIDE


def test_what_is_no_regular_file_is_not_read_from_a_given_path(top: Path) -> None:
    os.mkfifo(top / "pipe")
    for path in (str(top), str(top / "pipe"), "/dev/zero", str(top / "none"), "\0", "\ud800", "", "x" * 5000):
        with pytest.raises(Missing):
            read_path(path)
    assert stat_path(str(top / "none")) is None
    assert stat_path("\0") is None
    with pytest.raises(Unreadable, match="exceed the limit of 3"):
        read_path(str(top / "root/f"), 3)


@pytest.mark.parametrize("name", ["a:4.txt", "a:b", "Z:.md"])
def test_a_name_with_a_colon_is_a_name(top: Path, name: str) -> None:
    (top / "root" / name).write_bytes(INSIDE)
    assert read(top, name) == INSIDE
    assert read(top, f"./{name}") == INSIDE


def test_roots_are_listed_while_the_collector_closes_one(tmp_path: Path) -> None:
    """A generator that nobody finished is closed inside of whatever the thread was doing, and so is its root."""

    def keep_open() -> Iterator[Root]:
        with Root(str(tmp_path)) as root:
            yield root

    class Collecting(Root):
        def __getattribute__(self, name: str) -> Any:
            if name == "identity":
                gc.collect()
            return super().__getattribute__(name)

    abandoned: list[Any] = [keep_open()]
    left = next(abandoned[0])
    descriptor, identity = left._top, left.identity
    abandoned.append(abandoned)
    listed: list[set[tuple[int, int]]] = []
    with Collecting(str(tmp_path)):
        del abandoned, left
        worker = Thread(target=lambda: listed.append(list_open_roots()), daemon=True)
        worker.start()
        worker.join(60)
    assert listed == [{identity}]
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)

"""Leftovers of killed writers: swept where nobody writes them any more, and nothing else ever is."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.project.documents import find_documents
from pincite.safe import temp_files
from pincite.safe.files import Root
from pincite.safe.report_output import output_to
from pincite.safe.temp_files import is_temporary, open_temporary, sweep
from pincite.safe.write import create, create_together, put, replace

LEFT = ".pincite-4194303-0123abcd~"


@pytest.fixture
def root(tmp_path: Path) -> Root:
    (tmp_path / "d").mkdir()
    return Root(str(tmp_path))


def names(root: Root, folder: str = "d") -> list[str]:
    return sorted(os.listdir(Path(root.path, folder)))


def test_a_leftover_is_swept(root: Root) -> None:
    Path(root.path, "d", LEFT).write_bytes(b"half of a docu")
    Path(root.path, "d/kept.md").write_bytes(b"whole")
    assert sweep(root, ["d", "d", "", "gone", "d/kept.md", "../d"]) == 1
    assert names(root) == ["kept.md"]


def test_only_the_folders_that_were_asked_for_are_swept(root: Root) -> None:
    Path(root.path, "d/below").mkdir()
    for folder in ("", "d", "d/below"):
        Path(root.path, folder, LEFT).write_bytes(b"")
    assert sweep(root, ["d"]) == 1
    assert (names(root), names(root, "d/below")) == (["below"], [LEFT])


@pytest.mark.parametrize(
    "name",
    [
        *(".pincite-12-0123abcd", "pincite-12-0123abcd~", ".pincite-12-0123abc~", ".pincite-12-0123abcde~"),
        *(".pincite-12-0123ABCD~", ".pincite--0123abcd~", ".pincite-1x-0123abcd~", ".pincite-12-0123abcd~~"),
        *(
            ".pincite-12345678901-0123abcd~",
            ".pincite-１２-0123abcd~",
            ".pincite-12-0123abcd~\n",
            "x.pincite-12-0123abcd~",
        ),
        *(".pincite-12-0123abcd~.md", "notes.md~", ".pincite"),
    ],
)
def test_other_names_are_left_alone(root: Root, name: str) -> None:
    Path(root.path, "d", name).write_bytes(b"somebody's")
    assert not is_temporary(name)
    assert (sweep(root, ["d"]), names(root)) == (0, [name])


def test_what_is_no_file_is_left_alone(root: Root, tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"precious")
    here = Path(root.path, "d")
    (here / ".pincite-1-00000001~").mkdir()
    (here / ".pincite-1-00000002~").symlink_to("../precious")
    (here / ".pincite-1-00000003~").symlink_to("nowhere")
    os.mkfifo(here / ".pincite-1-00000004~")
    before = names(root)
    assert (sweep(root, ["d"]), names(root)) == (0, before)
    assert (tmp_path / "precious").read_bytes() == b"precious"


def test_a_folder_behind_a_link_that_leads_out_is_not_swept(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / LEFT).write_bytes(b"")
    (tmp_path / "root/out").symlink_to("../outside")
    with Root(str(tmp_path / "root")) as root:
        assert sweep(root, ["out", "../outside", str(tmp_path / "outside")]) == 0
    assert os.listdir(tmp_path / "outside") == [LEFT]


def test_another_name_of_a_leftover_keeps_its_content(root: Root) -> None:
    """A kill after a new file got its name, and before it lost the temporary one."""
    whole, left = Path(root.path, "d/new.md"), Path(root.path, "d", LEFT)
    whole.write_bytes(b"whole")
    os.link(whole, left)
    assert (sweep(root, ["d"]), names(root), whole.read_bytes()) == (1, ["new.md"], b"whole")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes in everybody's name")
def test_what_belongs_to_others_is_left_alone(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    Path(root.path, "d", LEFT).write_bytes(b"")
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    assert (sweep(root, ["d"]), names(root)) == (0, [LEFT])


def test_a_file_that_is_being_written_is_left_alone(root: Root) -> None:
    folder = root.folder("d")
    name, file = open_temporary(folder, 0o600)
    assert (sweep(root, ["d"]), names(root)) == (0, [name])
    os.close(file)
    assert (sweep(root, ["d"]), names(root)) == (1, [])


WRITER = """
import sys, time
from pincite.safe.files import Root
from pincite.safe.temp_files import open_temporary
with Root(sys.argv[1]) as root:
    open_temporary(root.folder("d"), 0o600)
    print("there", flush=True)
    time.sleep(600)
"""


def test_a_file_is_swept_as_soon_as_its_process_is_gone(root: Root) -> None:
    with subprocess.Popen([sys.executable, "-c", WRITER, root.path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        try:
            assert writer.stdout.readline() == b"there\n"
            assert (sweep(root, ["d"]), len(names(root))) == (0, 1)
        finally:
            writer.send_signal(signal.SIGKILL)
    assert (sweep(root, ["d"]), names(root)) == (1, [])


def test_a_file_swept_before_it_was_locked_is_made_again(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    really, taken = fcntl.flock, []

    def flock(file: int, operation: int) -> None:
        if not taken:
            (name,) = names(root)
            taken.append(name)
            os.unlink(Path(root.path, "d", name))
        really(file, operation)

    monkeypatch.setattr(fcntl, "flock", flock)
    put(root, "d/f", b"whole")
    assert taken
    assert (names(root), Path(root.path, "d/f").read_bytes()) == (["f"], b"whole")


def test_a_name_that_leads_elsewhere_by_now_is_left_alone(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    here = Path(root.path, "d", LEFT)
    here.write_bytes(b"left")
    really = fcntl.flock

    def flock(file: int, operation: int) -> None:
        really(file, operation)
        here.unlink()
        here.write_bytes(b"another")

    monkeypatch.setattr(fcntl, "flock", flock)
    assert sweep(root, ["d"]) == 0
    assert here.read_bytes() == b"another"


def test_where_there_are_no_locks_only_old_files_of_ended_processes_go(
    root: Root, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(file: int, operation: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    put(root, "d/f", b"written all the same")
    replace(root, "d/f", b"written all the same", b"and again")
    mine = f".pincite-{os.getpid()}-00000000~"
    fresh, old = LEFT, LEFT.replace("abcd", "beef")
    for name in (mine, fresh, old):
        Path(root.path, "d", name).write_bytes(b"")
    for name in (mine, old):
        os.utime(Path(root.path, "d", name), (0, 0))
    monkeypatch.setattr(os, "kill", lambda pid, _: None if pid == os.getpid() else _gone())
    assert sweep(root, ["d"]) == 1
    assert names(root) == sorted((mine, fresh, "f"))


def _gone() -> None:
    raise ProcessLookupError


def test_leftovers_are_no_documents(root: Root) -> None:
    for name in ("a.md", "notes~", LEFT):
        Path(root.path, "d", name).write_bytes(b"see src/app.py:1\n")
    assert find_documents(root, None, (), ("",), ()).documents == ["d/a.md", "d/notes~"]


def test_all_writers_hold_what_they_write(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody sweeps at the worst of moments: just before a file gets its name."""
    swept: list[int] = []
    really = {name: getattr(os, name) for name in ("replace", "link")}

    def sweeping(name: str) -> object:
        def call(*arguments: object, **keywords: object) -> None:
            assert any(is_temporary(found) for found in names(root))
            swept.append(sweep(root, ["d"]))
            really[name](*arguments, **keywords)

        return call

    for name in really:
        monkeypatch.setattr(os, name, sweeping(name))
    create(root, "d/created", b"1")
    put(root, "d/put", b"2")
    replace(root, "d/put", b"2", b"3")
    create_together(root, "d", [("one", b"4"), ("two", b"5")])
    with output_to(str(Path(root.path, "d/output"))) as out:
        out("6")
    assert swept == [0] * 6
    assert {name: Path(root.path, "d", name).read_bytes() for name in names(root)} == {
        "created": b"1",
        "put": b"3",
        "one": b"4",
        "two": b"5",
        "output": b"6",
    }


def test_sweeping_costs_one_listing_per_folder(root: Root, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        Path(root.path, "d", f"{number}.md").write_bytes(b"")
    root.folder("d")
    listed: list[int] = []
    really = os.listdir
    monkeypatch.setattr(os, "listdir", lambda folder: listed.append(folder) or really(folder))
    monkeypatch.setattr(temp_files, "_remove", None)
    assert sweep(root, ["d"] * 50) == 0
    assert len(listed) == 1


def test_whoever_writes_into_a_folder_sweeps_it_first(root: Root) -> None:
    Path(root.path, "d/f").write_bytes(b"old")
    for write in (
        lambda root: replace(root, "d/f", b"old", b"new"),
        lambda root: put(root, "d/f", b"old"),
        lambda root: create(root, "d/g", b""),
        lambda root: create_together(root, "d", [("h", b"")]),
    ):
        Path(root.path, "d", LEFT).write_bytes(b"")
        with Root(root.path) as another:
            write(another)
        assert LEFT not in names(root)
    assert names(root) == ["f", "g", "h"]


def test_a_leftover_behind_a_link_is_swept_when_the_document_is_written_again(root: Root) -> None:
    Path(root.path, "d/f").write_bytes(b"old")
    Path(root.path, "d", LEFT).write_bytes(b"ne")
    Path(root.path, "link.md").symlink_to("d/f")
    replace(root, "link.md", b"old", b"new")
    assert (names(root), Path(root.path, "d/f").read_bytes()) == (["f"], b"new")

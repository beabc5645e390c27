"""Where the command meets the system: closed streams, full disks, devices, interrupts, names that are no text."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

TOP = Path(__file__).resolve().parents[3]
PINCITE = [sys.executable, "-m", "pincite"]
ENV = {**os.environ, "PYTHONPATH": str(TOP / "src"), "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


def pincite(
    folder: Path, *words: str, stdout: int = subprocess.PIPE, before: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*PINCITE, *words], cwd=folder, env=ENV, stdout=stdout, stderr=subprocess.PIPE, preexec_fn=before, timeout=60
    )


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder with one citation that holds and one that does not."""
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "d.md").write_text("One. 【F:a.py†L1】 Two. 【F:no.py†L1】\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("descriptor", [0, 1, 2])
def test_a_closed_stream_changes_no_verdict(tree: Path, descriptor: int) -> None:
    done = pincite(tree, "check", "--no-cache", before=lambda: os.close(descriptor))
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"no.py" in done.stdout or descriptor == 1


def test_standard_input_that_is_closed_is_said_to_be(tree: Path) -> None:
    done = pincite(tree, "check", "-", before=lambda: os.close(0))
    assert (done.returncode, done.stderr) == (2, b"pincite: standard input is closed; '-' needs something to read\n")


@FULL
@pytest.mark.parametrize("words", [["check"], ["list"], ["show", "a.py:1"], ["explain"], ["--help"]])
def test_a_full_disk_is_a_message(tree: Path, words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = pincite(tree, *words, stdout=full.fileno())
    assert (done.returncode, done.stderr) == (2, b"pincite: No space left on device\n")


def test_a_report_is_written_into_a_pipe_and_does_not_take_its_place(tree: Path) -> None:
    os.mkfifo(tree / "pipe")
    read: list[str] = []
    reader = Thread(target=lambda: read.append((tree / "pipe").read_text(encoding="utf-8")), daemon=True)
    reader.start()
    assert pincite(tree, "check", "--no-cache", "--output", "pipe").returncode == 1
    reader.join(30)
    assert "no.py" in read[0]
    assert stat.S_ISFIFO((tree / "pipe").stat().st_mode)


def test_a_report_takes_the_place_of_a_link(tree: Path) -> None:
    (tree / "there").mkdir()
    (tree / "there/report").write_text("untouched")
    (tree / "report").symlink_to("there/report")
    assert pincite(tree, "check", "--no-cache", "--output", "report").returncode == 1
    assert not (tree / "report").is_symlink()
    assert "no.py" in (tree / "report").read_text(encoding="utf-8")
    assert (tree / "there/report").read_text() == "untouched"


def test_a_working_folder_that_is_gone_is_a_message(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = pincite(gone, "check", before=gone.rmdir)
    assert (done.returncode, done.stderr) == (2, b"pincite: the working folder is gone\n")


def test_an_interrupt_is_no_verdict(tree: Path) -> None:
    (tree / "d.md").write_text("Two. 【F:no.py†L1】\n" * 5000, encoding="utf-8")
    os.mkfifo(tree / "pipe")
    command = [*PINCITE, "check", "--no-cache", "--output", "pipe"]
    with subprocess.Popen(command, cwd=tree, env=ENV, stderr=subprocess.PIPE) as child:
        with open(tree / "pipe", "rb") as pipe:
            # The report is longer than a pipe takes unread, so the run cannot have ended.
            child.send_signal(signal.SIGINT)
            pipe.read()
        _, said = child.communicate(timeout=30)
    assert (child.returncode, said) == (130, b"\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_names_that_are_no_text_are_reported(tmp_path: Path, jobs: str) -> None:
    names = [os.fsencode(tmp_path) + b"/d%d-\xff.md" % number for number in range(70)]
    try:
        for name in names:
            with open(name, "w", encoding="utf-8") as stream:
                stream.write("Two. 【F:no.py†L1】\n")
    except OSError:
        pytest.skip("this file system takes only text for names")
    for _ in range(2):
        done = pincite(tmp_path, "check", "--format", "json", "--jobs", jobs)
        assert (done.returncode, done.stderr) == (1, b"")
        report = json.loads(done.stdout)
        assert report["summary"]["outcomes"]["missing"] == 70
        assert report["citations"][0]["document"] == r"d0-\u{dcff}.md"


def test_a_baseline_of_the_settings_stays_below_the_root(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "file"
    outside.write_text("untouched")
    (tree / "known").symlink_to(outside)
    (tree / "pincite.toml").write_text('baseline = "known"\n')
    for words in (["check"], ["check", "--update-baseline"]):
        done = pincite(tree, *words)
        assert done.returncode == 2
        assert b"outside the root" in done.stderr
    assert outside.read_text() == "untouched"


def test_checking_leaves_nothing_in_the_tree(tree: Path) -> None:
    before = sorted(tree.rglob("*"))
    assert pincite(tree, "check").returncode == 1
    assert sorted(tree.rglob("*")) == before

"""`pincite report --html`: what it prints, which folders it takes, and that nothing half is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.doors.web.exported_links import MARKER


def report(root: Path, folder: Path | str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", "report", "--html", str(folder), *words],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_it_says_what_was_written_and_ends_with_0_whatever_holds(repository: Path, tmp_path: Path) -> None:
    done = report(repository, tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert "pages about 3 citations, 2 of which hold" in done.stdout
    assert (tmp_path / "out" / "index.html").is_file() and (tmp_path / "out" / MARKER).is_file()
    assert sorted(os.listdir(tmp_path)) == ["out", "repository"], "nothing is left beside it"


def test_an_earlier_report_is_replaced_and_an_empty_folder_taken(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert report(repository, tmp_path / "out").returncode == 0
    (repository / "docs" / "a.md").rename(repository / "docs" / "b.md")
    assert report(repository, tmp_path / "out").returncode == 0
    assert (tmp_path / "out/d/docs/b.md.html").is_file() and not (tmp_path / "out/d/docs/a.md.html").exists()


def test_it_can_lie_below_the_root_in_folders_that_are_made(repository: Path) -> None:
    for _ in range(2):
        assert report(repository, "build/pages/citations").returncode == 0
    assert (repository / "build/pages/citations/index.html").is_file()


@pytest.mark.parametrize("name", ["keep.txt", ".hidden", "index.html", "d/x.html", MARKER])
def test_a_folder_with_files_of_others_is_refused_and_kept(repository: Path, tmp_path: Path, name: str) -> None:
    kept = tmp_path / "out" / name
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    done = report(repository, tmp_path / "out")
    assert done.returncode == 2 and "holds files already" in done.stderr and done.stdout == ""
    assert kept.read_text() == "mine" and sorted(os.listdir(tmp_path)) == ["out", "repository"]


@pytest.mark.parametrize("name", ["CNAME", "d/own.html", "assets/own.css"])
def test_a_file_that_was_put_into_a_report_is_not_removed(repository: Path, tmp_path: Path, name: str) -> None:
    assert report(repository, tmp_path / "out").returncode == 0
    (tmp_path / "out" / name).write_text("mine")
    done = report(repository, tmp_path / "out")
    assert done.returncode == 2 and name in done.stderr and "move them" in done.stderr
    assert (tmp_path / "out" / name).read_text() == "mine" and (tmp_path / "out/index.html").is_file()


def test_a_list_of_files_that_lies_is_no_reason_to_remove_them(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MARKER).write_text('{"written_by": "x", "files": "all"}')
    done = report(repository, tmp_path / "out")
    assert done.returncode == 2 and "holds files already" in done.stderr


def test_a_file_and_links_are_refused(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    (repository / "out").symlink_to(tmp_path / "elsewhere")
    for place in (tmp_path / "file", tmp_path / "link", "out", "out/deep", ".git/pages", "."):
        done = report(repository, place)
        assert done.returncode == 2 and done.stderr.startswith("pincite: "), place
    assert os.listdir(tmp_path / "elsewhere") == []


@pytest.mark.parametrize("words", [("--root", "none"), ("--jobs", "-1"), ("extra",), ("--html",)])
def test_what_cannot_be_meant_is_refused(repository: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    done = report(repository, tmp_path / "out", *words)
    assert done.returncode == 2 and done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_broken_settings_leave_the_earlier_report(repository: Path, tmp_path: Path) -> None:
    assert report(repository, tmp_path / "out").returncode == 0
    before = (tmp_path / "out/index.html").read_bytes()
    (repository / "pincite.toml").write_text("strict = 3\n")
    done = report(repository, tmp_path / "out")
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert (tmp_path / "out/index.html").read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["out", "repository"]


SLOW = """
import sys, time
from pincite.doors.web import static_export
real = static_export.render
def render(*words, **more):
    print("begun", flush=True)
    time.sleep(600)
static_export.render = render
from pincite.doors.cli.main import main
main(["report", "--html", sys.argv[1]])
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_report_leaves_the_earlier_one(repository: Path, tmp_path: Path, number: signal.Signals) -> None:
    assert report(repository, tmp_path / "out").returncode == 0
    before = (tmp_path / "out/index.html").read_bytes()
    (repository / "docs" / "a.md").write_text("【F:src/gauge.py†L1】\n")
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(tmp_path / "out")],
        cwd=repository,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert child.stdout is not None and child.stdout.readline() == b"begun\n"
    other = report(repository, tmp_path / "out")
    assert other.returncode == 2 and "is being written by another run" in other.stderr
    child.send_signal(number)
    child.communicate(timeout=60)
    assert child.returncode != 0
    assert (tmp_path / "out/index.html").read_bytes() == before
    assert report(repository, tmp_path / "out").returncode == 0, "what the killed run left is no hindrance"
    assert (tmp_path / "out/index.html").read_bytes() != before
    assert sorted(os.listdir(tmp_path)) == ["out", "repository"]

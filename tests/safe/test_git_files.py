"""What stands in the place of git's files is looked at before git waits for it."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.core.limits import LIMITS
from pincite.safe import child
from pincite.safe.child import ChildFailed, stream
from pincite.safe.git import Git
from pincite.safe.git_files import check_git_files

NAMES = [
    *("HEAD", "config", "config.worktree", "commondir", "gitdir", "index", "packed-refs", "shallow", "FETCH_HEAD"),
    *("MERGE_HEAD", "ORIG_HEAD", "info/attributes", "info/exclude", "info/grafts", "info/sparse-checkout"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/info/packs", "objects/pack/pack-1.idx"),
    *("objects/pack/multi-pack-index", "refs/heads/main", "refs/heads/deep/er", "refs/tags/t", "refs/replace/x"),
    *("logs/HEAD", "logs/refs/heads/main", "reftable/tables.list"),
]


def put_special(place: Path, what: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.unlink(missing_ok=True)
    if what == "pipe":
        os.mkfifo(place)
    elif what == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            here = os.getcwd()
            os.chdir(place.parent)
            try:
                server.bind(place.name)
            finally:
                os.chdir(here)
    else:
        place.symlink_to("/dev/zero")


@pytest.fixture
def committed(repository: Any) -> Path:
    repository.commit({"a.md": "text\n"})
    subprocess.run(["git", "branch", "-M", "main"], cwd=repository.path, check=True)
    path: Path = repository.path
    return path


@pytest.mark.parametrize("what", ["pipe", "socket", "device"])
@pytest.mark.parametrize("name", NAMES)
def test_a_file_of_git_that_is_none_is_refused_before_git_starts(
    committed: Path, name: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_special(committed / ".git" / name, what)
    monkeypatch.setattr(subprocess, "Popen", None)
    with pytest.raises(UsageError, match=f"{name}: not a regular file, and git would wait for it; remove or restore"):
        Git.find(str(committed))


@pytest.mark.parametrize("name", [".gitignore", ".gitattributes", ".gitmodules", ".mailmap"])
def test_a_pipe_beside_git_is_refused(committed: Path, name: str) -> None:
    put_special(committed / name, "pipe")
    with pytest.raises(UsageError, match=f"{name}: not a regular file"):
        Git.find(str(committed))


@pytest.mark.parametrize(
    "name", ["info/exclude", "config", "objects/info/alternates", "refs/heads/main", "refs/tags/t"]
)
def test_a_giant_among_the_small_files_is_refused(committed: Path, name: str) -> None:
    place = committed / ".git" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as stream:
        stream.truncate(LIMITS.git_file_bytes + 1)
    with pytest.raises(UsageError, match=rf"{name}: .* bytes, the limit"):
        Git.find(str(committed))


def test_linked_work_trees_are_looked_at_where_their_files_are(committed: Path, tmp_path: Path) -> None:
    subprocess.run(["git", "worktree", "add", "-q", str(tmp_path / "other")], cwd=committed, check=True)
    check_git_files(str(tmp_path / "other"))
    put_special(committed / ".git/packed-refs", "pipe")
    with pytest.raises(UsageError, match="packed-refs: not a regular file"):
        check_git_files(str(tmp_path / "other"))


def test_links_to_files_and_loops_of_links_are_no_obstacle(committed: Path) -> None:
    (committed / ".git/refs/heads/loop").symlink_to("loop")
    (committed / ".git/refs/heads/up").symlink_to("..")
    (committed / ".git/exclude").write_text("x\n")
    (committed / ".git/info/exclude").unlink(missing_ok=True)
    (committed / ".git/info/exclude").symlink_to("../exclude")
    check_git_files(str(committed))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the kernel does not say what processes do")
@pytest.mark.parametrize("name", ["docs/.gitignore", "docs/.gitattributes", "object", "include"])
def test_a_git_that_waits_for_a_pipe_is_ended(committed: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_IDLE_SECONDS", 0.3)
    monkeypatch.setattr(child, "_LOOK_SECONDS", 0.05)
    (committed / "docs").mkdir()
    (committed / "docs/b.md").write_text("b\n")
    if name == "object":
        for place in (committed / ".git/objects").glob("??/*"):
            put_special(place, "pipe")
    elif name == "include":
        put_special(committed / "pipe", "pipe")
        with (committed / ".git/config").open("a") as file:
            file.write("[include]\n\tpath = ../pipe\n")
    else:
        put_special(committed / name, "pipe")
    with pytest.raises(UsageError, match="waits for something that does not come"):
        ask_everything(committed)


def ask_everything(path: Path) -> None:
    git = Git.find(str(path))
    assert git is not None
    git.list_documents((".md",))
    git.run("check-attr", "-a", "docs/b.md")
    git.tree(git.head() or "")


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the kernel does not say what processes do")
def test_a_program_at_work_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_IDLE_SECONDS", 0.2)
    monkeypatch.setattr(child, "_LOOK_SECONDS", 0.05)
    busy = "n=0; while [ $n -lt 300000 ]; do n=$((n+1)); done; echo done"
    assert b"".join(stream(["/bin/sh", "-c", busy], str(tmp_path), {}, 60)) == b"done\n"
    # What waits for its own child is at work as long as the child is.
    assert b"".join(stream(["/bin/sh", "-c", f"sh -c '{busy}'; echo all"], str(tmp_path), {}, 60)) == b"done\nall\n"


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="the kernel does not say what processes do")
def test_a_program_whose_child_waits_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "_IDLE_SECONDS", 0.3)
    monkeypatch.setattr(child, "_LOOK_SECONDS", 0.05)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ChildFailed, match="does not come"):
        b"".join(stream(["/bin/sh", "-c", "cat pipe; echo all"], str(tmp_path), dict(os.environ), 60))
    # Nobody else is left waiting.
    os.close(os.open(tmp_path / "pipe", os.O_RDWR))


def test_a_submodule_runs_nothing(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    """Its own settings may name a filter, and `ignore = none` has git look into it."""
    repository = make_repository()
    sub = repository.path / "sub"
    sub.mkdir()
    for command in (
        ["git", "init", "-q"],
        ["git", "config", "filter.evil.clean", f"touch {tmp_path}/ran; cat"],
        ["git", "config", "user.name", "a"],
        ["git", "config", "user.email", "a@b.example"],
    ):
        subprocess.run(command, cwd=sub, check=True)
    (sub / "f.txt").write_text("hi\n")
    subprocess.run(["git", "add", "-A"], cwd=sub, check=True)
    subprocess.run(["git", "commit", "-qm", "s"], cwd=sub, check=True)
    (sub / ".gitattributes").write_text("*.txt filter=evil\n")
    (sub / "f.txt").write_text("ho\n")
    (repository.path / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tignore = none\n')
    repository.commit({"d.md": "x\n"})
    git = Git.find(str(repository.path))
    assert git is not None
    git.dirty(30.0)
    git.close()
    assert not (tmp_path / "ran").exists()

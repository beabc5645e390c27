"""A repository is read from its files: as git reads it, and without starting anything."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.local_repository import LocalRepository, read_head


@pytest.fixture
def source(repository: Any) -> Any:
    """A repository with branches and tags, packed and loose."""
    repository.commit({"a.md": "one\n"})
    repository.git("branch", "topic/one")
    repository.git("tag", "v1")
    repository.git("tag", "-a", "-m", "note", "v2")
    repository.git("pack-refs", "--all")
    repository.commit({"a.md": "two\n"})
    repository.git("branch", "late")
    repository.git("remote", "add", "origin", "https://user:secret@example.org/owner/name.git")
    return repository


def list_with_git(repository: Any) -> dict[str, str]:
    listed = repository.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags")
    return dict(line.split(" ") for line in listed.split("\n"))


def test_head_branches_and_tags_are_those_of_git(source: Any) -> None:
    local = LocalRepository(str(source.path))
    assert local.head() == source.git("rev-parse", "HEAD") == read_head(str(source.path))
    assert local.branch() == "refs/heads/main"
    assert local.references() == list_with_git(source)
    assert local.remotes() == {"origin": "https://user:secret@example.org/owner/name.git"}
    assert local.shallow() == b""


def test_a_detached_head_and_a_bare_repository(source: Any, tmp_path: Path) -> None:
    source.git("checkout", "-q", "--detach", "HEAD~1")
    local = LocalRepository(str(source.path))
    assert (local.head(), local.branch()) == (source.git("rev-parse", "HEAD"), "")
    subprocess.run(["git", "clone", "-q", "--bare", str(source.path), str(tmp_path / "bare")], check=True)
    assert read_head(str(tmp_path / "bare")) == source.git("rev-parse", "HEAD")


def test_an_unborn_head_has_no_commit(repository: Any) -> None:
    assert LocalRepository(str(repository.path)).head() == "" == read_head(str(repository.path))


def test_linked_work_trees_and_submodules_lead_to_their_repository(source: Any, make_repository: Any) -> None:
    linked = source.path.parent / "linked"
    source.git("worktree", "add", "-q", "-b", "other", str(linked), "HEAD~1")
    assert LocalRepository(str(linked)).head() == source.git("rev-parse", "HEAD~1")
    outer = make_repository("outer")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(source.path), "inner")
    inner = LocalRepository(str(outer.path / "inner"))
    assert inner.head() == source.git("rev-parse", "HEAD")
    assert inner.common_dir == str(outer.path / ".git/modules/inner")


def test_a_git_file_that_borrows_another_repository_is_refused(source: Any, tmp_path: Path) -> None:
    thief = tmp_path / "thief"
    thief.mkdir()
    (thief / ".git").write_text(f"gitdir: {source.path}/.git\n")
    with pytest.raises(UsageError, match="does not name"):
        LocalRepository(str(thief))
    (thief / ".git").unlink()
    (thief / ".git").symlink_to(source.path / ".git")
    with pytest.raises(UsageError, match="a link in place"):
        LocalRepository(str(thief))
    assert read_head(str(thief)) == ""


@pytest.mark.parametrize("way", ["nothing", "text", "no-head", "long"])
def test_what_is_no_repository_is_refused(tmp_path: Path, way: str) -> None:
    if way == "text":
        (tmp_path / ".git").write_text("not a link\n")
    elif way == "no-head":
        (tmp_path / ".git/objects").mkdir(parents=True)
        (tmp_path / ".git/refs").mkdir()
    elif way == "long":
        (tmp_path / ".git").write_text("gitdir: " + "x" * 100_000 + "\n")
    with pytest.raises(UsageError):
        LocalRepository(str(tmp_path))


def test_names_and_files_that_git_does_not_allow_are_left_out(source: Any) -> None:
    wanted = list_with_git(source)
    head = source.git("rev-parse", "HEAD")
    heads = source.path / ".git/refs/heads"
    for name in ("line\nend", "dots..name", "x.lock", ".hidden", "a b", "tilde~"):
        (heads / name).write_text(f"{head}\n")
    (heads / "no-id").write_text("../../etc/passwd\n")
    (heads / "link").symlink_to("/etc/passwd")
    # git would wait for it.
    os.mkfifo(heads / "pipe")
    (heads / "up").symlink_to("..")
    assert LocalRepository(str(source.path)).references() == wanted


def test_objects_of_another_repository_are_refused(source: Any, make_repository: Callable[..., Any]) -> None:
    other = make_repository("other")
    other.commit({"secret.md": "secret\n"})
    store = source.path / ".git/objects"
    assert LocalRepository(str(source.path)).stores() == [str(store)]
    (store / "info/alternates").write_text(f"{other.path}/.git/objects\n")
    with pytest.raises(UsageError, match="outside this repository"):
        LocalRepository(str(source.path)).stores()
    (store / "info/alternates").unlink()
    shutil.move(store, source.path / "elsewhere")
    store.symlink_to(other.path / ".git/objects")
    with pytest.raises(UsageError, match="outside this repository"):
        LocalRepository(str(source.path)).stores()


def test_objects_that_the_user_trusts_count(
    source: Any, make_repository: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository("other")
    store = str(other.path / ".git/objects")
    (source.path / ".git/objects/info/alternates").write_text(f"{store}\n")
    monkeypatch.setenv("PINCITE_GIT_OBJECTS", store)
    assert LocalRepository(str(source.path)).stores() == [str(source.path / ".git/objects"), store]


def test_references_in_another_format_are_told(source: Any) -> None:
    with open(source.path / ".git/config", "a") as file:
        file.write("[extensions]\n\trefStorage = reftable\n")
    with pytest.raises(UsageError, match="git refs migrate"):
        LocalRepository(str(source.path))

"""No writer touches what belongs to git, whatever it is called and wherever it lies."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import Refused
from pincite.safe.files import Root
from pincite.safe.git_names import is_git_folder
from pincite.safe.write import alone_in, append, create, create_together, make_folders, put, replace

SPELLED = [
    *(
        ".git",
        ".GIT",
        ".Git",
        ".gIt",
        "git~1",
        "GIT~1",
        "GiT~2",
        ".git.",
        ".git ",
        ".git . ",
        ".git::$INDEX_ALLOCATION",
    ),
    *(".git::$INDEX_ALLOCATION", ".g\u200cit", "\ufeff.git", ".git\u206f", ".G\u202eIT", ".git:x"),
]
KEYS = ["config", "hooks/post-checkout", "deep/er/still"]


def _replace(root: Root, key: str) -> None:
    replace(root, key, b"old", b"new")


def _create(root: Root, key: str) -> None:
    create(root, key, b"new")


def _put(root: Root, key: str) -> None:
    put(root, key, b"new")


def _append(root: Root, key: str) -> None:
    append(root, key, b"new")


def _folders(root: Root, key: str) -> None:
    make_folders(root, key)


def _together(root: Root, key: str) -> None:
    head, _, name = key.rpartition("/")
    create_together(root, head, [(name, b"new")])


def _alone(root: Root, key: str) -> None:
    with alone_in(root, key):
        pass


WRITERS = [_replace, _create, _put, _append, _folders, _together, _alone]


def state(top: Path) -> dict[str, bytes]:
    """Every name below a folder, with what is in the files."""
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in top.rglob("*")}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("name", SPELLED)
@pytest.mark.parametrize("there", [True, False])
def test_a_name_that_is_git_on_some_disk(
    tmp_path: Path, write: Callable[[Root, str], None], name: str, there: bool
) -> None:
    if there:
        for key in KEYS[:2]:
            (tmp_path / name / key).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name / key).write_bytes(b"old")
    (tmp_path / "docs").mkdir()
    before = state(tmp_path)
    with Root(str(tmp_path)) as root:
        for key in (*(f"{name}/{key}" for key in KEYS), name, f"docs/{name}/x", f"docs/../{name}/config"):
            with pytest.raises(Refused, match="belongs to git"):
                write(root, key)
    assert state(tmp_path) == before


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("layout", ["separate", "bare", "worktree", "submodule", "linked"])
def test_a_git_folder_of_any_name(
    make_repository: Callable[..., Any], tmp_path: Path, write: Callable[[Root, str], None], layout: str
) -> None:
    top = tmp_path / "top"
    repository = make_repository("top", *(["--separate-git-dir", str(top / "meta")] if layout == "separate" else []))
    repository.commit({"a.md": "x\n"})
    if layout == "bare":
        repository.git("clone", "-q", "--bare", ".", "meta")
    elif layout == "worktree":
        repository.git("worktree", "add", "-q", "other")
        (top / ".git").rename(top / "meta")
        (top / ".git").write_text("gitdir: meta\n")
    elif layout == "submodule":
        repository.git("clone", "-q", "--separate-git-dir", str(top / "meta"), ".", "sub")
    elif layout == "linked":
        (top / ".git").rename(top / "meta")
        (top / ".git").symlink_to("meta")
    assert (top / "meta/config").is_file()
    (top / "link").symlink_to("meta")
    before = state(top)
    with Root(str(top)) as root:
        for name in ("meta", "link", "meta/worktrees/other"):
            for key in ("config", "hooks/post-checkout", "new/folder/x"):
                with pytest.raises(Refused, match=r"belongs to git|no such file"):
                    write(root, f"{name}/{key}")
        put(root, "docs/b.md", b"fine")
        assert not is_git_folder(root.folder(""))
    (top / "docs/b.md").unlink()
    (top / "docs").rmdir()
    assert state(top) == before


def test_a_root_that_is_a_bare_repository(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    repository = make_repository("bare", "--bare")
    before = state(repository.path)
    with Root(str(repository.path)) as root, pytest.raises(Refused, match="belongs to git"):
        put(root, "a.md", b"x")
    assert state(repository.path) == before


@pytest.mark.parametrize(
    "name", [".github/a.md", ".gitignore", "git/a.md", "legit.md", ".gitmodules", "digit~1", "git~x", "HEAD", "refs/a"]
)
def test_names_that_only_look_like_it(tmp_path: Path, name: str) -> None:
    with Root(str(tmp_path)) as root:
        put(root, name, b"old")
        replace(root, name, b"old", b"new")
    assert (tmp_path / name).read_bytes() == b"new"


def test_a_link_into_git(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    config = (repository.path / ".git/config").read_bytes()
    os.symlink(".git/config", repository.path / "a.md")
    os.symlink(".git", repository.path / "docs")
    with Root(str(repository.path)) as root:
        for key in ("a.md", "docs/config"):
            with pytest.raises(Refused, match="into what belongs to git"):
                replace(root, key, config, config + b"evil")
        with pytest.raises(Refused):
            put(root, "docs/config", b"evil")
        with pytest.raises(Refused):
            put(root, "a.md", b"evil")
    assert (repository.path / ".git/config").read_bytes() == config


def test_a_hook_that_was_asked_for(make_repository: Callable[..., Any]) -> None:
    repository = make_repository()
    with Root(str(repository.path / ".git")) as root:
        with pytest.raises(Refused, match="belongs to git"):
            create(root, "hooks/pre-commit", b"x")
        create(root, "hooks/pre-commit", b"x", 0o755, hook=True)
        with pytest.raises(Refused, match="exists already"):
            create(root, "hooks/pre-commit", b"y", 0o755, hook=True)
    assert (repository.path / ".git/hooks/pre-commit").read_bytes() == b"x"

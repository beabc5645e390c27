"""Names that are `.git` on some disk are `.git` on every disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.core.errors import Blocked
from pincite.safe.files import Root, walk
from pincite.safe.git_names import has_git_name, is_git_name

GIT = [
    ".git",
    ".GIT",
    ".Git",
    ".gIt",
    "git~1",
    "GIT~1",
    "Git~12",
    ".git.",
    ".git ",
    ".git. . ",
    ".GIT...",
    ".git::$INDEX_ALLOCATION",
    ".git:stream",
    "git~1::$DATA",
    ".g\u200cit",
    "\ufeff.git",
    ".gi\u200dt",
    ".\u202egit",
    ".git\u206f",
    ".G\u200eI\u200fT",
    ".git\\config",
    "a\\.GIT\\config",
]
OTHER = [
    ".github",
    ".gitignore",
    ".gitmodules",
    "git",
    "git1",
    "x.git",
    ".gitx",
    "a.git.md",
    "gitt~1",
    "git~",
    "git~x",
    "",
]


@pytest.mark.parametrize("name", GIT)
def test_a_name_that_is_git_on_some_disk(name: str) -> None:
    assert is_git_name(name)
    assert has_git_name(f"a/{name}/config")
    assert has_git_name(name)


@pytest.mark.parametrize("name", OTHER)
def test_a_name_that_only_looks_like_it(name: str) -> None:
    assert not is_git_name(name)
    assert not has_git_name(f"a/{name}/config")


@pytest.mark.parametrize("name", [name for name in GIT if "\\" not in name])
def test_such_a_folder_is_neither_read_nor_searched(tmp_path: Path, name: str) -> None:
    for top in ("", "sub/"):
        folder = tmp_path / f"{top}{name}"
        folder.mkdir(parents=True)
        (folder / "config").write_text("token = secret\n")
        (folder / "a.md").write_text("x\n")
    (tmp_path / "link").symlink_to(f"{name}/config")
    (tmp_path / "folder").symlink_to(name)
    with Root(str(tmp_path)) as root:
        for key in (f"{name}/config", f"sub/{name}/config", f"./{name}/config", "link", "folder/config"):
            with pytest.raises(Blocked):
                root.read(key)
            assert root.stat(key) is None
            assert not root.is_file(key)
        with pytest.raises(Blocked):
            root.folder(name)
    assert walk(str(tmp_path), lambda _: False)[0] == ["folder", "link"]


def test_a_root_inside_git_reads_its_own_files(tmp_path: Path) -> None:
    (tmp_path / ".git" / "hooks").mkdir(parents=True)
    (tmp_path / ".git" / "hooks" / "pre-commit").write_text("x\n")
    with Root(str(tmp_path / ".git")) as root:
        assert root.read("hooks/pre-commit") == b"x\n"

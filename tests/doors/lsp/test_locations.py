from __future__ import annotations

from pathlib import Path

import pytest
from support_lsp import make_repository

from pincite.doors.lsp.locations import FilePlace, WorkspaceFolders, find_key, path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b.md", "/a/b.md"),
        ("file:///a/%E3%80%90%20b.md", "/a/【 b.md"),
        ("file://localhost/a", "/a"),
        ("file:///a/../b", "/b"),
        ("file://elsewhere/a", ""),
        ("untitled:Untitled-1", ""),
        ("file:///a%00b", ""),
        ("http://x/y", ""),
        ("file://[", ""),
        ("", ""),
    ],
)
def test_addresses_of_files_are_paths(uri: str, path: str) -> None:
    assert path_of(uri) == path


@pytest.mark.parametrize("key", ["a.md", "docs/a b#c?.md", "【x】/é.md", "a%20b.md"])
def test_addresses_lead_back(key: str) -> None:
    assert path_of(uri_of("/top", key)) == f"/top/{key}"


def test_the_root_is_the_repository_around_the_open_folder(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"docs/a.md": "x"}).resolve()
    folders = WorkspaceFolders([(root / "docs").as_uri()])
    assert folders.locate((root / "docs/a.md").as_uri()) == FilePlace(str(root), "docs/a.md")
    assert folders.roots() == [str(root)]


def test_without_a_repository_the_open_folder_is_the_root(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    folders = WorkspaceFolders([tmp_path.resolve().as_uri()])
    place = folders.locate((tmp_path.resolve() / "docs/a.md").as_uri())
    assert place == FilePlace(str(tmp_path.resolve()), "docs/a.md")


def test_drafts_belong_to_the_first_folder(tmp_path: Path) -> None:
    folders = WorkspaceFolders([tmp_path.resolve().as_uri()])
    assert folders.locate("untitled:x", "markdown") == FilePlace(str(tmp_path.resolve()), "-")
    assert folders.locate("untitled:x", "python") is None
    folders.change((), [tmp_path.resolve().as_uri()])
    assert folders.locate("untitled:x", "markdown") is None


def test_a_new_name_has_a_key_before_there_is_a_file(tmp_path: Path) -> None:
    root = str(tmp_path.resolve())
    assert find_key(root, (tmp_path.resolve() / "new/a.py").as_uri()) == "new/a.py"
    assert find_key(root, "file:///elsewhere/a.py") == ""


def test_a_new_file_in_a_new_folder_belongs_to_the_open_folder(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").touch()
    folders = WorkspaceFolders([f"file://{tmp_path}"])
    assert folders.locate(f"file://{tmp_path}/new/deep/a.md") == FilePlace(str(tmp_path), "new/deep/a.md")
    assert folders.locate(f"file://{tmp_path}-elsewhere/new/a.md") is None

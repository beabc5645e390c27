"""Which files are documents."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.project.documents import excluder, find_documents, root_key
from pincite.safe.files import Root
from pincite.safe.git import Git


def listed(path: Path, *keys: str, exclude: tuple[str, ...] = (), git: Git | None = None) -> list[str]:
    with Root(str(path)) as root:
        return find_documents(root, git, keys, (".md", ".txt"), exclude).documents


def plant(path: Path, *names: str) -> None:
    for name in names:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text("text\n")


def test_every_document_below_the_root_sorted(tmp_path: Path) -> None:
    plant(tmp_path, "b.md", "a/z.txt", "a/code.py", ".serena/memories/m.md", "node_modules/x/README.md", "a/.git/x.md")
    assert listed(tmp_path) == [".serena/memories/m.md", "a/z.txt", "b.md"]


def test_what_is_asked_for_by_name_counts_whatever_its_ending(tmp_path: Path) -> None:
    plant(tmp_path, "notes", "a/b.md", "a/c.md", "d.md")
    assert listed(tmp_path, "notes", "a", "a/b.md") == ["a/b.md", "a/c.md", "notes"]


def test_excluded_documents_are_left_out_but_not_those_asked_for(tmp_path: Path) -> None:
    plant(tmp_path, "a/b.md", "a/c/d.md", "e.md", "CHANGELOG.md")
    assert listed(tmp_path, exclude=("a/c", "CHANGELOG.md")) == ["a/b.md", "e.md"]
    assert listed(tmp_path, "CHANGELOG.md", exclude=("CHANGELOG.md",)) == ["CHANGELOG.md"]


def test_linked_folders_are_not_entered(tmp_path: Path) -> None:
    plant(tmp_path / "out", "secret.md")
    plant(tmp_path / "in", "a.md")
    (tmp_path / "in/link").symlink_to(tmp_path / "out")
    (tmp_path / "in/self").symlink_to(".")
    assert listed(tmp_path / "in") == ["a.md"]


def test_what_is_deleted_but_still_tracked_is_no_document(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({".gitignore": "out/\n", "a.md": "", "b/gone.md": "", "out/forced.md": ""})
    repo.git("add", "-f", "out/forced.md")
    (repo.path / "b/gone.md").unlink()
    git = Git.find(str(repo.path))
    assert listed(repo.path, git=git) == ["a.md", "out/forced.md"]
    assert listed(repo.path, "b", git=git) == []


def test_git_decides_what_is_ignored(make_repository: Callable[..., Any]) -> None:
    repo = make_repository()
    repo.commit({".gitignore": "out/\n*.txt\n", "a.md": "", "keep.txt": ""})
    repo.git("add", "-f", "keep.txt")
    plant(repo.path, "out/x.md", "new.md", "other.txt")
    assert listed(repo.path, git=Git.find(str(repo.path))) == ["a.md", "keep.txt", "new.md"]


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.md: no such file"):
        listed(tmp_path, "nothing.md")


def test_typed_paths_become_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, "a/b.md")
    monkeypatch.chdir(tmp_path / "a")
    with Root(str(tmp_path)) as root:
        assert [root_key(root, path) for path in ("b.md", "..", ".", "../a/b.md", str(tmp_path / "a/b.md"))] == [
            "a/b.md",
            "",
            "a",
            "a/b.md",
            "a/b.md",
        ]
        for outside in ("../..", "/", "/etc/passwd", os.path.expanduser("~")):
            with pytest.raises(UsageError, match="outside the root"):
                root_key(root, outside)


def test_patterns_take_in_what_is_below_a_folder() -> None:
    excluded = excluder(("vendor", "*.gen.md", "a/[bc]/"))
    assert [name for name in ("vendor/x.md", "vendored.md", "x.gen.md", "a/b/c.md", "a/d/c.md") if excluded(name)] == [
        "vendor/x.md",
        "x.gen.md",
        "a/b/c.md",
    ]

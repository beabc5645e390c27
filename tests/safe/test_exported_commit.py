"""The files of a commit in a temporary folder: what is hostile stays out, and nothing is left behind."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.exported_commit import export_commit
from pincite.safe.files import Root
from pincite.safe.git import Git


def step() -> None:
    """Go on."""


def list_files(root: Root) -> dict[str, bytes]:
    top = Path(root.path)
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if not path.is_dir()}


def commit_tree(repository: Any, *entries: str) -> str:
    """A commit with entries that git's own commands would not add."""
    listing = repository.path / "listing"
    listing.write_text("".join(f"{entry}\n" for entry in entries))
    tree = repository.git("-c", "alias.make=!git mktree < listing", "make")
    return repository.git("commit-tree", "-m", "hostile", tree)


def blob(repository: Any, text: str) -> str:
    repository.write("given", text)
    return repository.git("hash-object", "-w", "given")


def test_a_commit_is_written_as_it_was_and_removed(repository: Any) -> None:
    first = repository.commit({"a.md": "old", "src/deep/b.py": "x = 1\n"})
    repository.commit({"a.md": "new", "c.md": "later"})
    git = Git.find(str(repository.path))
    assert git is not None
    with export_commit(git, first, step) as root:
        place = root.path
        assert list_files(root) == {"a.md": b"old", "src/deep/b.py": b"x = 1\n"}
    git.close()
    assert not os.path.exists(place)
    assert (repository.path / "a.md").read_text() == "new"


def test_a_root_inside_the_repository_sees_its_own_part(repository: Any) -> None:
    commit = repository.commit({"part/a.md": "inside", "b.md": "outside"})
    git = Git.find(str(repository.path / "part"))
    assert git is not None
    with export_commit(git, commit, step) as root:
        assert list_files(root) == {"a.md": b"inside"}
    git.close()


def test_links_are_left_out(repository: Any) -> None:
    os.symlink("/etc/passwd", repository.path / "link.md")
    commit = repository.commit({"a.md": "text"})
    git = Git.find(str(repository.path))
    assert git is not None
    with export_commit(git, commit, step) as root:
        assert list_files(root) == {"a.md": b"text"}
    git.close()


def test_names_that_lead_out_or_into_git_are_left_out(repository: Any) -> None:
    repository.commit({"a.md": "text"})
    one = blob(repository, "hostile")
    up = commit_tree(repository, f"100644 blob {one}\tescaped.md")
    tree = repository.git("rev-parse", f"{up}^{{tree}}")
    commit = commit_tree(
        repository, f"040000 tree {tree}\t..", f"040000 tree {tree}\t.git", f"100644 blob {one}\tgood.md"
    )
    git = Git.find(str(repository.path))
    assert git is not None
    with export_commit(git, commit, step) as root:
        assert list_files(root) == {"good.md": b"hostile"}
        assert not (Path(root.path).parent / "escaped.md").exists()
    git.close()


@pytest.mark.parametrize("limits", [{"most_files": 1}, {"most_bytes": 5}])
def test_a_commit_that_is_too_large_is_refused(repository: Any, limits: dict[str, int]) -> None:
    commit = repository.commit({"a.md": "text", "b.md": "text"})
    git = Git.find(str(repository.path))
    assert git is not None
    with pytest.raises(UsageError, match="more than"), export_commit(git, commit, step, **limits):
        pass
    git.close()


def test_what_a_step_raises_ends_it_and_leaves_nothing(repository: Any, monkeypatch: Any, tmp_path: Path) -> None:
    commit = repository.commit({"a.md": "text"})
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))

    def stop() -> None:
        raise KeyError("stopped")

    git = Git.find(str(repository.path))
    assert git is not None
    with pytest.raises(KeyError), export_commit(git, commit, stop):
        pass
    git.close()
    assert list(place.iterdir()) == []

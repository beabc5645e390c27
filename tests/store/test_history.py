"""What is kept between runs is only believed where it was written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pincite.history.authorship import History
from pincite.safe.files import Root
from pincite.safe.git import Git
from pincite.store import history as store
from pincite.store.cache_folder import root_cache_path


def kept(top: Path) -> Path:
    """Where pincite keeps what it knows of a root."""
    with Root(str(top)) as root:
        return Path(root_cache_path(root))


def opened(path: Path) -> tuple[Root, Git]:
    git = Git.find(str(path))
    assert git is not None
    return Root(str(path)), git


def keep(repository: Any) -> store.HistoryState:
    root, git = opened(repository.path)
    history = History(git)
    history.prepare()
    history.has_existed("x")
    state = history.state()
    assert state is not None
    assert store.save(root, git, state)
    return state


def test_what_was_saved_is_loaded(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    state = keep(repository)
    loaded = store.load(*opened(repository.path))
    assert loaded == state
    assert store.unpack_lines(state.documents["a.md"]).keys()
    assert oct(os.stat(kept(repository.path) / store.NAME).st_mode & 0o022) == "0o0"


def test_git_does_not_see_it(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    keep(repository)
    assert repository.git("status", "--porcelain", "--ignored") == ""


def test_nothing_kept(repository: Any) -> None:
    assert store.load(*opened(repository.path)) is None


def test_a_copy_of_the_tree_is_not_believed(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    keep(repository)
    shutil.copytree(repository.path, tmp_path / "copy")
    assert store.load(*opened(tmp_path / "copy")) is None


def test_another_depth_is_not_believed(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    first = make_repository("first")
    first.commit({"a.md": "see x.py:1\n"})
    first.commit({"a.md": "see x.py:1\nmore\n"})
    first.git("clone", "-q", "--depth=1", f"file://{first.path}", str(tmp_path / "second"))
    second = make_repository("second")
    keep(second)
    assert store.load(*opened(second.path)) is not None
    second.git("fetch", "-q", "--unshallow")
    assert store.load(*opened(second.path)) is None


@pytest.mark.parametrize(
    "change", [{"version": 0}, {"binding": ""}, {"binding": "0" * 64}, {"commits": 3}, {"documents": {"a.md": 1}}]
)
def test_other_shapes_are_not_believed(repository: Any, change: dict[str, Any]) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    state = keep(repository)
    for name, value in change.items():
        setattr(state, name, value)
    (kept(repository.path) / store.NAME).write_bytes(msgspec.msgpack.encode(state))
    assert store.load(*opened(repository.path)) is None


@pytest.mark.parametrize("data", [b"", b"\x91" * 100_000, b"\xdd\xff\xff\xff\xff", b"\xc1", b"{}", b"\x98"])
def test_nonsense_is_not_believed(repository: Any, data: bytes) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    keep(repository)
    (kept(repository.path) / store.NAME).write_bytes(data)
    assert store.load(*opened(repository.path)) is None


def test_a_file_too_large_is_not_read(repository: Any) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    keep(repository)
    os.truncate(kept(repository.path) / store.NAME, store.LARGEST + 1)
    assert store.load(*opened(repository.path)) is None


def test_nothing_is_written_outside(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.md": "see x.py:1\n"})
    (tmp_path / "outside").mkdir()
    place = kept(repository.path)
    place.parent.mkdir(0o700, parents=True, exist_ok=True)
    place.symlink_to(tmp_path / "outside")
    root, git = opened(repository.path)
    history = History(git)
    history.prepare()
    state = history.state()
    assert state is not None
    assert not store.save(root, git, state)
    assert list((tmp_path / "outside").iterdir()) == []
    assert store.load(root, git) is None


def test_names_that_are_no_unicode_are_left_out(repository: Any) -> None:
    repository.commit({os.fsdecode(b"\xff.md"): "see x.py:1\n", "a.md": "see x.py:1\n", os.fsdecode(b"\xfe.py"): "x\n"})
    (repository.path / os.fsdecode(b"\xfe.py")).unlink()
    repository.commit()
    state = keep(repository)
    assert list(state.documents) == ["a.md"]
    loaded = store.load(*opened(repository.path))
    assert loaded is not None
    assert store.unpack_past(loaded.past) == []

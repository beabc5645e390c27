"""Captured output in another folder with the files of its project."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.safe.files import Root
from pincite.store.captures import Captures
from pincite.store.captures_copy import copy_captures


@pytest.fixture
def source(tmp_path: Path, captured: Callable[..., str]) -> tuple[Path, str]:
    """A folder with captured output, and its digest."""
    folder = tmp_path / "source"
    folder.mkdir()
    return folder, captured(folder, b"3 passed\n")


def copy(source: Path, target: Path) -> bool:
    target.mkdir(exist_ok=True)
    with Root(str(source)) as one, Root(str(target)) as other:
        return copy_captures(one, other)


def test_output_is_the_same_in_the_copy(source: tuple[Path, str], tmp_path: Path) -> None:
    assert copy(source[0], tmp_path / "target")
    with Root(str(tmp_path / "target")) as root:
        captures = Captures.open(root)
        assert captures is not None
        with captures:
            assert captures.text(source[1]) == b"3 passed\n"
    for place, _, names in os.walk(tmp_path / "target/.pincite"):
        assert os.stat(place).st_mode & 0o077 == 0
        assert all(os.stat(os.path.join(place, name)).st_mode & 0o077 == 0 for name in names)


@pytest.mark.parametrize("kind", ["log", "link", "file", "folder"])
def test_what_is_in_the_place_stays(source: tuple[Path, str], tmp_path: Path, kind: str) -> None:
    target, elsewhere = tmp_path / "target", tmp_path / "elsewhere"
    place = target / ".pincite"
    target.mkdir()
    elsewhere.mkdir()
    if kind == "link":
        place.symlink_to(elsewhere)
    elif kind == "file":
        place.write_text("x")
    else:
        place.mkdir()
        if kind == "log":
            (place / "store.db-wal").write_bytes(b"hostile")
    before = sorted(map(str, target.rglob("*")))
    assert not copy(source[0], target)
    assert sorted(map(str, target.rglob("*"))) == before
    assert list(elsewhere.iterdir()) == []

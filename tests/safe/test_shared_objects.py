from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe import shared_objects
from pincite.safe.shared_objects import drop_unshared, share_objects

BOUND = 10_000_000


def list_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def store(repository: Any) -> Path:
    for number in range(3):
        repository.commit({"a.md": f"line {number}\n"})
    repository.git("repack", "-a", "-d", "-q")
    repository.commit({"a.md": "loose\n"})
    place: Path = repository.path / ".git/objects"
    return place


def test_loose_objects_and_packs_are_shared_not_copied(store: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    assert share_objects([str(store)], str(target), BOUND) > 0
    wanted = {name for name in list_files(store) if not name.startswith("info")}
    assert list_files(target) == wanted
    assert all(os.path.samefile(store / name, target / name) for name in wanted)
    # The second time there is nothing left to do.
    assert share_objects([str(store)], str(target), BOUND) == 0


def test_another_file_system_gets_copies(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)
    target = tmp_path / "target"
    share_objects([str(store)], str(target), BOUND)
    name = next(name for name in list_files(target) if name.endswith(".pack"))
    assert (target / name).read_bytes() == (store / name).read_bytes()
    assert not os.path.samefile(store / name, target / name)
    assert not [name for name in list_files(target) if "tmp" in name]


def test_links_pipes_and_other_names_are_left_out(store: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    fan = next(path for path in store.iterdir() if len(path.name) == 2)
    (fan / ("0" * 38)).symlink_to(secret)
    os.mkfifo(fan / ("1" * 38))
    (fan / "tmp_obj_x").write_text("unfinished")
    (store / "pack/pack-x.pack").write_text("no pack")
    (store / "pack" / f"pack-{'0' * 40}.idx").symlink_to(secret)
    (store / "ff").symlink_to(tmp_path) if not (store / "ff").exists() else None
    target = tmp_path / "target"
    share_objects([str(store)], str(target), BOUND)
    assert not [path for path in target.rglob("*") if path.is_symlink() or path.is_fifo()]
    assert not list_files(target) & {"pack/pack-x.pack", f"{fan.name}/tmp_obj_x"}


def test_a_folder_of_packs_that_is_a_link_is_not_followed(store: Path, tmp_path: Path) -> None:
    os.rename(store / "pack", tmp_path / "elsewhere")
    (store / "pack").symlink_to(tmp_path / "elsewhere")
    target = tmp_path / "target"
    share_objects([str(store)], str(target), BOUND)
    assert not [name for name in list_files(target) if name.startswith("pack")]


def test_too_many_bytes_are_refused(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="more than 100 bytes, the limit"):
        share_objects([str(store)], str(tmp_path / "target"), 100)


def test_what_is_packed_meanwhile_is_found_again(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = [True]
    real = os.link

    def lose(*given: Any, **named: Any) -> None:
        if lost:
            lost.pop()
            raise FileNotFoundError
        real(*given, **named)

    monkeypatch.setattr(shared_objects.os, "link", lose)
    target = tmp_path / "target"
    share_objects([str(store)], str(target), BOUND)
    assert list_files(target) == {name for name in list_files(store) if not name.startswith("info")}


def test_objects_that_were_packed_anew_are_dropped(repository: Any, store: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    share_objects([str(store)], str(target), BOUND)
    before = list_files(target)
    repository.git("repack", "-a", "-d", "-q")
    repository.git("prune-packed")
    share_objects([str(store)], str(target), BOUND)
    drop_unshared([str(store)], str(target))
    wanted = {name for name in list_files(store) if not name.startswith("info")}
    assert list_files(target) == wanted != before

"""The mirrors of a fleet: bounded, locked, and made again where they are damaged."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.mirrors import Mirrors
from pincite.safe.folder_lock import use_folder
from pincite.safe.git_mirror import MirrorDamaged
from support_git_http import GitServer


def update(mirrors: Mirrors, source: Any, name: str = "", **named: Any) -> Any:
    return mirrors.update(name or f"local/{source.path.name}", str(source.path), **named)


def test_a_mirror_is_in_the_folder_of_its_team(repository: Any, tmp_path: Path) -> None:
    head = repository.commit({"a.md": "one\n"})
    mirrors = Mirrors(str(tmp_path / "m"))
    assert update(mirrors, repository, team="docs").head == head
    place = mirrors.place("local/repo", "docs")
    assert place == str(tmp_path / "m/docs/local/repo.git") and os.path.isdir(place)
    assert mirrors.place("a/b") == str(tmp_path / "m/default/a/b.git")
    assert mirrors.has("local/repo", "docs", head) and not mirrors.has("local/repo", "", head)
    with mirrors.check_out("local/repo", "docs", head, 60.0, 100, 100_000) as folder:
        assert sorted(os.listdir(folder)) == [".git", "a.md"]
    assert mirrors.find_time("local/repo", "docs", head) == repository.clock


@pytest.mark.parametrize("damage", ["object", "config", "state", "no-config"])
def test_a_damaged_mirror_is_made_again(repository: Any, tmp_path: Path, damage: str) -> None:
    first = repository.commit({"a.md": "one\n"})
    mirrors = Mirrors(str(tmp_path / "m"))
    update(mirrors, repository)
    place = Path(mirrors.place("local/repo"))
    if damage == "object":
        blob = repository.git("rev-parse", "HEAD:a.md")
        (place / "objects" / blob[:2] / blob[2:]).unlink()
        with pytest.raises(MirrorDamaged), mirrors.check_out("local/repo", "", first, 60.0, 100, 100_000):
            pass
    elif damage == "config":
        (place / "config").write_text("[core\n")
    elif damage == "no-config":
        (place / "config").unlink()
    else:
        (place / "pincite-mirror.json").write_text("{")
    head = repository.commit({"b.md": "two\n"})
    assert update(mirrors, repository, afresh=damage == "object").head == head
    for commit in (first, head):
        with mirrors.check_out("local/repo", "", commit, 60.0, 100, 100_000) as folder:
            assert Path(folder, "a.md").read_text() == "one\n"


def test_a_damaged_mirror_of_a_server_is_fetched_again(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    source = make_repository("source")
    source.commit({"a.md": "one\n"})
    mirrors = Mirrors(str(tmp_path / "m"))
    with GitServer(tmp_path).run() as server:
        address = f"{server.address}/source/.git"
        mirrors.update("host/source", address)
        place = Path(mirrors.place("host/source"))
        # A fetch that was killed leaves locks; the references are gone with the pack.
        (place / "refs/heads/main.lock").write_bytes(b"")
        for path in (place / "objects/pack").glob("*"):
            path.unlink()
        head = source.commit({"a.md": "two\n"})
        assert mirrors.update("host/source", address).head == head
        with mirrors.check_out("host/source", "", head, 60.0, 100, 100_000) as folder:
            assert Path(folder, "a.md").read_text() == "two\n"


def test_the_oldest_mirrors_go_when_there_are_too_many(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    with GitServer(tmp_path).run() as server:
        mirrors = Mirrors(str(tmp_path / "m"), 1 << 40)
        for number in range(5):
            made = make_repository(f"r{number}")
            made.commit({"a.bin": os.urandom(100_000)})
            mirrors.update(f"host/r{number}", f"{server.address}/r{number}/.git")
            os.utime(mirrors.place(f"host/r{number}"), (number, number))

        def list_here() -> list[int]:
            return [number for number in range(5) if os.path.isdir(mirrors.place(f"host/r{number}"))]

        assert Mirrors(mirrors.folder, 1 << 40).make_room() == 0
        with use_folder(mirrors.place("host/r0")):
            # The oldest is in use: it stays, whatever its age.
            assert Mirrors(mirrors.folder, 400_000).make_room() == 2
            assert list_here() == [0, 3, 4]
        # A new one makes room for itself.
        bounded = Mirrors(mirrors.folder, 400_000)
        bounded.update("host/r1", f"{server.address}/r1/.git")
        assert list_here() == [1, 3, 4]
        assert not list(tmp_path.rglob("*.old"))


def test_mirrors_of_local_repositories_share_and_take_no_room(repository: Any, tmp_path: Path) -> None:
    repository.commit({"a.bin": os.urandom(200_000)})
    mirrors = Mirrors(str(tmp_path / "m"), 100_000)
    update(mirrors, repository)
    assert mirrors.make_room() == 0 and os.path.isdir(mirrors.place("local/repo"))
    repository.git("gc", "-q", "--prune=now")
    repository.commit({"b.md": "x\n"})
    update(mirrors, repository)
    assert mirrors.make_room() == 0 and os.path.isdir(mirrors.place("local/repo"))


def test_names_and_teams_that_lead_elsewhere_are_refused(tmp_path: Path) -> None:
    mirrors = Mirrors(str(tmp_path))
    for name, team in (("../x", ""), ("a/b", "../x"), ("a/.git/x", ""), ("/etc", "")):
        with pytest.raises(UsageError):
            mirrors.place(name, team)


def test_a_source_that_is_gone_leaves_the_mirror(repository: Any, tmp_path: Path) -> None:
    head = repository.commit({"a.md": "one\n"})
    mirrors = Mirrors(str(tmp_path / "m"))
    update(mirrors, repository)
    os.rename(repository.path, tmp_path / "moved")
    with pytest.raises(UsageError, match="not a git repository"):
        update(mirrors, repository)
    assert mirrors.has("local/repo", "", head)

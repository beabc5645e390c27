"""Mirrors of local repositories: equal to their source, shared with it, and made again where they are damaged."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.git_mirror import (
    HEAD,
    MirrorDamaged,
    MirrorState,
    drop_stale_objects,
    has_commit,
    hide_credentials,
    hide_secrets,
    list_mirrors,
    make_mirror,
    measure,
    mirror_place,
    note_use,
    read_commit_time,
    read_state,
    remove_mirror,
    run_in_mirror,
    take_local,
)
from pincite.safe.local_repository import LocalRepository

BOUND = 100_000_000


def take(source: Any, place: Path, most: int = BOUND) -> MirrorState:
    return take_local(str(place), LocalRepository(str(source.path)), most)


def list_references(place: Path) -> dict[str, str]:
    listed = run_in_mirror(str(place), "for-each-ref", "--format=%(refname) %(objectname)").decode()
    return dict(line.split(" ") for line in listed.split("\n") if line)


@pytest.fixture
def source(repository: Any) -> Any:
    repository.commit({"a.md": "one\n"})
    repository.commit({"a.md": "two\n"})
    repository.git("tag", "v1")
    repository.git("branch", "topic")
    repository.git("remote", "add", "origin", "https://user:secret@github.com/owner/name.git")
    return repository


def test_a_mirror_has_what_its_source_has(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    state = take(source, place)
    head = source.git("rev-parse", "HEAD")
    assert (state.head, state.committed, state.is_new) == (head, source.clock, True)
    names = ("refs/heads/main", "refs/heads/topic", HEAD, "refs/tags/v1")
    assert list_references(place) == dict.fromkeys(names, head)
    assert subprocess.run(["git", "fsck", "--full"], cwd=place, capture_output=True, check=True)
    assert (place / "HEAD").read_text() == "ref: refs/heads/main\n"
    assert "secret" not in (place / "config").read_text()
    assert "https://github.com/owner/name.git" in (place / "config").read_text()
    assert read_state(str(place)) == state
    assert has_commit(str(place), head) and not has_commit(str(place), "0" * 40)
    assert read_commit_time(str(place), head) == source.clock


def test_nothing_is_written_where_nothing_is_new(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    first = take(source, place)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    again = take(source, place)
    assert again == MirrorState(first.head, first.committed, first.own_bytes)
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


def test_what_is_new_comes_and_what_is_gone_goes(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    take(source, place)
    new = source.commit({"b.md": "new\n"})
    source.git("branch", "-D", "topic")
    source.git("branch", "topic/below")
    state = take(source, place)
    assert state.head == new and state.is_new
    assert set(list_references(place)) == {"refs/heads/main", "refs/heads/topic/below", HEAD, "refs/tags/v1"}
    assert run_in_mirror(str(place), "show", f"{new}:b.md") == b"new\n"


def test_a_changed_remote_is_taken_over(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    take(source, place)
    source.git("remote", "set-url", "origin", "https://github.com/owner/renamed.git")
    take(source, place)
    assert "renamed" in (place / "config").read_text()


def test_a_mirror_takes_little_room_until_its_source_is_packed_anew(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    source.commit({"big.bin": os.urandom(300_000)})
    assert take(source, place).own_bytes < 10_000
    source.git("gc", "-q", "--prune=now")
    assert measure(str(place)) > 300_000
    source.commit({"c.md": "x\n"})
    take(source, place)
    drop_stale_objects(str(place), LocalRepository(str(source.path)))
    assert measure(str(place)) < 10_000
    assert subprocess.run(["git", "fsck", "--full"], cwd=place, capture_output=True, check=True)


def test_a_killed_update_is_noticed(source: Any, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    take(source, place)
    # What a process leaves that was killed while it wrote.
    (place / "pincite-updating").write_bytes(b"")
    (place / "packed-refs.lock").write_bytes(b"half")
    (place / "objects/pack/tmp_pack_x").write_bytes(b"half")
    (place / "packed-refs").write_bytes(b"")
    state = take(source, place)
    assert state.is_new and list_references(place)[HEAD] == state.head
    assert not [path for path in place.rglob("*") if path.name.endswith(".lock") or "tmp" in path.name]
    assert not (place / "pincite-updating").exists()


def test_a_missing_head_is_damage(source: Any, tmp_path: Path) -> None:
    head = source.git("rev-parse", "HEAD")
    os.unlink(source.path / ".git/objects" / head[:2] / head[2:])
    with pytest.raises(MirrorDamaged):
        take(source, tmp_path / "mirror.git")
    assert read_state(str(tmp_path / "mirror.git")) is None


def test_an_empty_repository_has_no_head(repository: Any, tmp_path: Path) -> None:
    assert take(repository, tmp_path / "mirror.git").head == ""


def test_sha256_and_shallow_repositories(make_repository: Callable[..., Any], source: Any, tmp_path: Path) -> None:
    longer = make_repository("longer", "--object-format=sha256")
    head = longer.commit({"a.md": "one\n"})
    assert len(head) == 64 and take(longer, tmp_path / "longer.git").head == head
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{source.path}", str(shallow)], check=True)
    place = tmp_path / "shallow.git"
    take_local(str(place), LocalRepository(str(shallow)), BOUND)
    assert run_in_mirror(str(place), "rev-list", "--count", HEAD) == b"1\n"


def test_a_source_that_is_too_large_is_refused(source: Any, tmp_path: Path) -> None:
    source.commit({"big.bin": os.urandom(300_000)})
    with pytest.raises(UsageError, match="more than 100,000 bytes, the limit"):
        take(source, tmp_path / "mirror.git", 100_000)


@pytest.mark.parametrize(
    "name", ["", "..", "a/../b", "a//b", "/a", "a/.b", "a.git/b", "a/b.lock", "a\nb", "a\0b", "x" * 500]
)
def test_names_that_could_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        mirror_place("/mirrors", name)


def test_places_are_below_the_folder_of_the_team() -> None:
    assert mirror_place("/m/t", "github.com/owner/name") == "/m/t/github.com/owner/name.git"


def test_mirrors_are_listed_by_their_last_use(source: Any, tmp_path: Path) -> None:
    first, second = tmp_path / "t/host/a.git", tmp_path / "t/host/b.git"
    for place in (first, second):
        take(source, place)
    os.utime(first, (1, 1))
    os.utime(second, (2, 2))
    assert [path for _, _, path in list_mirrors(str(tmp_path / "t"))] == [str(first), str(second)]
    note_use(str(first))
    assert [path for _, _, path in list_mirrors(str(tmp_path / "t"))] == [str(second), str(first)]
    remove_mirror(str(second))
    assert [path for _, _, path in list_mirrors(str(tmp_path / "t"))] == [str(first)]


def test_odd_remotes_cannot_add_settings(tmp_path: Path) -> None:
    remotes = {
        'x"]\n[core]\n\tfsmonitor = touch pwned\n[remote "y': "https://example.org",
        "z": 'a"\n[core]\n\tpager = x',
    }
    make_mirror(str(tmp_path / "m.git"), {**remotes, 'quote"\\': 'https://example.org/"#;'})
    listed = subprocess.run(
        ["git", "config", "--file", str(tmp_path / "m.git/config"), "--list"], capture_output=True, check=True
    ).stdout.decode()
    assert "fsmonitor" not in listed and "pager" not in listed
    assert 'remote.quote"\\.url=https://example.org/"#;' in listed


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://user:pass@host/x and https://token@other/y", "https://host/x and https://other/y"),
        ("ssh://git@host/x", "ssh://host/x"),
        ("https://user:pa@ss@host/x", "https://host/x"),
        ("https://host/a@b", "https://host/a@b"),
        ("https://host?a@b", "https://host?a@b"),
    ],
)
def test_credentials_are_hidden(text: str, shown: str) -> None:
    assert hide_credentials(text) == shown


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://user:pass@host/x?token=a\nb?c#d", "https://host/x?…"),
        ("https://host/x?", "https://host/x?"),
        ("folder/what?/x", "folder/what?/x"),
    ],
)
def test_what_a_query_says_is_hidden(address: str, shown: str) -> None:
    assert hide_secrets(address) == shown

"""Fetching into mirrors, from a git server on the loopback interface."""

from __future__ import annotations

import os
import subprocess
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.safe.child import ChildLate
from pincite.safe.git_fetch import fetch_mirror
from pincite.safe.git_mirror import HEAD, MirrorDamaged, MirrorState, has_commit, run_in_mirror
from support_git_http import GitServer

BOUND = 100_000_000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GitServer]:
    with GitServer(tmp_path).run() as running:
        yield running


@pytest.fixture
def source(make_repository: Callable[..., Any], server: GitServer) -> Any:
    made = make_repository("source")
    made.commit({"a.md": "one\n"})
    made.git("branch", "topic")
    made.git("tag", "-a", "-m", "note", "v1")
    return made


def fetch(
    server: GitServer, place: Path, name: str = "source", most: int = BOUND, seconds: float = 120.0
) -> MirrorState:
    return fetch_mirror(str(place), f"{server.address}/{name}/.git", seconds, most)


def list_references(place: Path) -> set[str]:
    return set(run_in_mirror(str(place), "for-each-ref", "--format=%(refname)").decode().split())


def test_a_mirror_is_made_and_follows_its_source(source: Any, server: GitServer, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    state = fetch(server, place)
    assert (state.head, state.committed) == (source.git("rev-parse", "HEAD"), source.clock)
    assert list_references(place) == {"refs/heads/main", "refs/heads/topic", HEAD, "refs/tags/v1"}
    assert (place / "HEAD").read_text() == "ref: refs/heads/main\n"
    assert not (place / "FETCH_HEAD").exists()
    source.git("branch", "-D", "topic")
    source.git("branch", "topic/below")
    source.git("tag", "-d", "v1")
    new = source.commit({"b.md": "new\n"})
    assert fetch(server, place).head == new
    assert list_references(place) == {"refs/heads/main", "refs/heads/topic/below", HEAD}
    # History that was rewritten is followed, too.
    source.git("reset", "-q", "--hard", "HEAD~1")
    other = source.commit({"c.md": "other\n"})
    assert fetch(server, place).head == other


def test_an_empty_repository_and_one_whose_branch_is_gone(
    source: Any, make_repository: Callable[..., Any], server: GitServer, tmp_path: Path
) -> None:
    make_repository("empty")
    assert fetch(server, tmp_path / "empty.git", "empty").head == ""
    place = tmp_path / "mirror.git"
    assert fetch(server, place).head
    source.git("symbolic-ref", "HEAD", "refs/heads/gone")
    assert fetch(server, place).head == ""


def test_the_format_of_the_source_is_taken_over(
    make_repository: Callable[..., Any], server: GitServer, tmp_path: Path
) -> None:
    head = make_repository("longer", "--object-format=sha256").commit({"a.md": "one\n"})
    assert fetch(server, tmp_path / "mirror.git", "longer").head == head


def test_credentials_reach_the_server_and_nothing_else(
    source: Any, server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.authorization = "Basic " + b64encode(b"me:s3cret!").decode()
    place = tmp_path / "mirror.git"
    arguments: list[list[str]] = []
    real = subprocess.Popen.__init__

    def note(self: Any, command: Any, *given: Any, **named: Any) -> None:
        arguments.append([os.fsdecode(word) for word in command])
        real(self, command, *given, **named)

    monkeypatch.setattr(subprocess.Popen, "__init__", note)
    address = server.address.replace("://", "://me:s3cret%21@")
    assert fetch_mirror(str(place), f"{address}/source/.git", 120.0, BOUND).head
    assert any(given == server.authorization for _, given in server.seen)
    assert not any("s3cret" in word for command in arguments for word in command)
    assert not any(b"s3cret" in path.read_bytes() for path in place.rglob("*") if path.is_file())
    with pytest.raises(UsageError) as caught:
        fetch_mirror(str(place), f"{server.address.replace('://', '://me:wrong@')}/source/.git", 120.0, BOUND)
    assert "wrong" not in str(caught.value) and "cannot be fetched" in str(caught.value)


def test_a_server_that_never_answers_is_given_up(source: Any, server: GitServer, tmp_path: Path) -> None:
    server.silent.set()
    with pytest.raises(ChildLate, match=r"took longer than 1\.1 s"):
        fetch(server, tmp_path / "mirror.git", seconds=1.0783)


def test_what_is_too_large_is_refused_and_leaves_the_mirror_as_it_was(
    source: Any, server: GitServer, tmp_path: Path
) -> None:
    place = tmp_path / "mirror.git"
    before = fetch(server, place)
    big = source.commit({"big.bin": os.urandom(2_000_000)})
    with pytest.raises(UsageError, match="more than 500,000 bytes, the limit") as caught:
        fetch(server, place, most=500_000)
    assert not isinstance(caught.value, MirrorDamaged)
    assert not has_commit(str(place), big) and has_commit(str(place), before.head)
    # With room for it, the next fetch clears away what the first one left.
    assert fetch(server, place).head == big
    assert not [path for path in place.rglob("*") if path.name.startswith("tmp_")]


def test_a_connection_that_breaks_is_no_damage_of_the_mirror(source: Any, server: GitServer, tmp_path: Path) -> None:
    place = tmp_path / "mirror.git"
    before = fetch(server, place)
    head = source.commit({"big.bin": os.urandom(200_000)})
    server.most_bytes = 50_000
    with pytest.raises(UsageError, match="cannot be fetched") as caught:
        fetch(server, place)
    assert not isinstance(caught.value, MirrorDamaged)
    assert has_commit(str(place), before.head) and not has_commit(str(place), head)
    server.most_bytes = -1
    assert fetch(server, place).head == head


def test_no_such_repository_and_no_such_server(server: GitServer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be fetched"):
        fetch(server, tmp_path / "a.git", "none")
    with pytest.raises(UsageError, match="cannot be fetched"):
        fetch_mirror(str(tmp_path / "b.git"), "http://127.0.0.1:1/x.git", 120.0, BOUND)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "ssh: connect to host 127.0.0.1 port 1: Connection refused\r",
            "ssh: connect to host 127.0.0.1 port 1: Connection refused",
        ),
        ("@@@@@@@@\n@ WARNING @\n@@@@@@@@\nHost key verification failed.", "Host key verification failed."),
        (
            "Warning: Permanently added '127.0.0.1' to the list.\nme@127.0.0.1: Permission denied (publickey).",
            "127.0.0.1: Permission denied (publickey).",
        ),
        ("remote: \nremote: ====\nremote: ERROR: no such project\nremote: ====\nremote: ", "ERROR: no such project"),
        ("debug1: Exit status 255", "Could not read from remote repository."),
    ],
)
def test_ssh_says_itself_why_it_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, reason: str) -> None:
    (tmp_path / "said").write_text(f"{said}\n")
    monkeypatch.setenv("GIT_SSH_VARIANT", "ssh")
    monkeypatch.setenv("GIT_SSH_COMMAND", f"cat {tmp_path}/said >&2; exit 255; ssh")
    with pytest.raises(UsageError) as caught:
        fetch_mirror(str(tmp_path / "m.git"), "ssh://me@127.0.0.1:1/o/n", 120.0, BOUND)
    assert str(caught.value) == f"ssh://127.0.0.1:1/o/n: cannot be fetched: {reason}"


@pytest.mark.parametrize("address", ["ext::sh -c touch% pwned", "file:///tmp", "git://127.0.0.1:1/x"])
def test_other_transports_do_not_run(tmp_path: Path, address: str) -> None:
    with pytest.raises(UsageError, match="not allowed"):
        fetch_mirror(str(tmp_path / "m.git"), address, 120.0, BOUND)
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("damage", ["pack", "lock", "config", "reference"])
def test_a_damaged_mirror_is_told_from_a_server_that_is_gone(
    source: Any, server: GitServer, tmp_path: Path, damage: str
) -> None:
    place = tmp_path / "mirror.git"
    fetch(server, place)
    source.commit({"a.md": "two\n"})
    if damage == "pack":
        for path in (place / "objects/pack").glob("*.pack"):
            os.chmod(path, 0o600)
            path.write_bytes(b"PACK" + bytes(60))
    elif damage == "lock":
        (place / "refs/heads/main.lock").write_bytes(b"")
    elif damage == "config":
        (place / "config").write_text("[core\n")
    else:
        (place / "refs/heads/main").write_text("0" * 39 + "1\n")
    with pytest.raises(MirrorDamaged):
        fetch(server, place)


def test_hooks_and_settings_of_the_mirror_or_the_user_run_nothing(
    source: Any, server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    hooks = home / "hooks"
    hooks.mkdir(parents=True)
    for name in ("reference-transaction", "post-checkout", "post-merge", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {home}/pwned\n")
        (hooks / name).chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {hooks}\n\tfsmonitor = touch {home}/pwned\n"
        f"\talternateRefsCommand = touch {home}/pwned\n"
        "[fetch]\n\twriteCommitGraph = true\n\trecurseSubmodules = true\n[init]\n\ttemplateDir = /nowhere\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    place = tmp_path / "mirror.git"
    assert fetch(server, place).head
    source.commit({"a.md": "two\n"})
    fetch(server, place)
    assert not (home / "pwned").exists()
    assert not (place / "objects/info/commit-graphs").exists()


def test_packs_become_one_from_time_to_time(
    source: Any, server: GitServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.safe.git_fetch._MOST_PACKS", 2)
    place = tmp_path / "mirror.git"
    for number in range(4):
        head = source.commit({"a.md": f"{number}\n"})
        assert fetch(server, place).head == head
        assert len(list((place / "objects/pack").glob("*.pack"))) <= 2
    assert run_in_mirror(str(place), "rev-list", "--count", HEAD) == b"5\n"

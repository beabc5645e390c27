"""Which repositories arguments name, and what is refused."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.fleet.repository_list import FleetRepository, check_team, make_repository, read_repositories
from pincite.safe.git_mirror import mirror_place


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://github.com/Owner/Name.git", "github.com/owner/name"),
        ("https://github.com/owner/name/", "github.com/owner/name"),
        ("https://user:token@github.com/owner/name", "github.com/owner/name"),
        ("https://gitlab.example.org:8443/group/sub/name.git", "gitlab.example.org%3a8443/group/sub/name"),
        ("ssh://git@example.org/owner/name.git", "example.org/owner/name"),
        ("ssh://git@example.org:22/owner/name.git", "example.org/owner/name"),
        ("git@github.com:owner/name.git", "github.com/owner/name"),
        ("example.org:name", "example.org/name"),
        ("http://127.0.0.1:8080/owner/name", "127.0.0.1%3a8080/owner/name"),
        ("http://localhost/owner/name", "localhost/owner/name"),
        ("https://example.org/~user/name", "example.org/~user/name"),
    ],
)
def test_the_name_of_an_address(address: str, name: str) -> None:
    (found,) = read_repositories([address])
    assert (found.name, found.location) == (name, address)
    assert "token" not in found.shown and "token" not in repr(found)
    assert mirror_place("/m", name).startswith("/m/")


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://example.org/owner/name", "not encrypted"),
        ("git://example.org/owner/name", "is not used here"),
        ("ftp://example.org/owner/name", "is not used here"),
        ("ext::sh -c touch% /tmp/pwned", "could run programs"),
        ("fd::17", "could run programs"),
        ("::x", "could run programs"),
        ("file://otherhost/path", "another machine"),
        ("--upload-pack=touch /tmp/pwned", "not a repository"),
        ("-oProxyCommand=x@host:path", "not a repository"),
        ("ssh://-oProxyCommand=x/path", "not the address"),
        ("ssh://-x@host/path", "not the address"),
        ("https://host/a b/c", "not the address"),
        ("https://host/owner/name?x=1", "not the address"),
        ("https://host/", "names no repository"),
        ("https://host/a/../../b", "names no repository"),
        ("https://[::1/x", "not an address"),
        ("https://host:99999999/x", "not an address"),
        ("no/such/folder", "no such folder"),
        ("", "not a repository"),
        ("a\nb", "not a repository"),
    ],
)
def test_what_git_must_not_be_given_is_refused(address: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        read_repositories([address])


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ftp://user:s3cret@example.org/x", "ftp://example.org/x: "),
        ("https://user:s3@s3cret@example.org/x y", "https://example.org/x y: "),
        ("https://example.org/x?token=s3cret&y=s3cret", "https://example.org/x?…: "),
        ("https://example.org/x\ny?token=s3cret", r"'https://example.org/x\\u{a}y?\u2026': "),
    ],
)
def test_secrets_are_not_in_refusals(address: str, shown: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_repositories([address])
    assert str(caught.value).startswith(shown) and "s3" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_repository_with_a_place_or_refused(text: str) -> None:
    try:
        found = make_repository(text, base="/nowhere")
    except UsageError:
        return
    place = mirror_place("/m", found.name)
    assert place.startswith("/m/") and os.path.normpath(place) == place


def test_local_repositories_have_the_name_of_their_origin(make_repository: Callable[..., Any]) -> None:
    published = make_repository("one")
    published.git("remote", "add", "origin", "git@github.com:Owner/One.git")
    copied = make_repository("two")
    copied.git("remote", "add", "origin", str(published.path))
    odd = make_repository("odd näme.git")
    found = read_repositories([str(published.path), f"file://{copied.path}", str(odd.path / ".git")])
    parent = copied.path.parent.name
    assert [one.name for one in found] == [
        "github.com/owner/one",
        f"local/{parent}/two",
        f"local/{parent}/odd%20n%C3%A4me",
    ]
    assert found[1].location == str(copied.path)


def test_a_folder_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not a git repository"):
        read_repositories([str(tmp_path)])


def test_a_list_of_lines(make_repository: Callable[..., Any], tmp_path: Path) -> None:
    make_repository("here")
    (tmp_path / "list.txt").write_text(
        "# ours\n\nhttps://example.org/a/b   # a comment\nhttps://example.org/a/c team=docs\n  here\n"
        "https://example.org/a/b\n"
    )
    found = read_repositories([str(tmp_path / "list.txt"), "https://example.org/a/d"], "core")
    assert [(one.name.rpartition("/")[2], one.team) for one in found] == [
        ("b", "core"),
        ("c", "docs"),
        ("here", "core"),
        ("d", "core"),
    ]
    assert found[2].location == str(tmp_path / "here")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ext::x", r"list.txt:1: ext::x"),
        ("list.txt", "not a folder"),
        ("https://h/a/b team=../x", r"list.txt:1: '../x': not the name of a team"),
        ("https://h/a/b team=Sea", r"list.txt:1: 'Sea': not the name of a team; use lower-case letters"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    (tmp_path / "list.txt").write_text(line)
    with pytest.raises(UsageError, match=reason):
        read_repositories([str(tmp_path / "list.txt")])


def test_listings_of_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    github = [
        {"full_name": "o/a", "clone_url": "https://github.com/o/a.git", "ssh_url": "git@github.com:o/a.git"},
        {"full_name": "o/old", "clone_url": "https://github.com/o/old.git", "archived": True},
        {"full_name": "o/off", "clone_url": "https://github.com/o/off.git", "disabled": True},
    ]
    gitlab = {"items": [{"path_with_namespace": "g/s/b", "http_url_to_repo": "https://gitlab.com/g/s/b.git"}]}
    insecure = {"http_url_to_repo": "http://git.example.org/x/y.git", "ssh_url_to_repo": "git@git.example.org:x/y.git"}
    text = json.dumps(github) + "\n" + json.dumps(gitlab) + json.dumps(["https://github.com/o/c", insecure])
    (tmp_path / "repos.json").write_text(text)
    names = ["github.com/o/a", "gitlab.com/g/s/b", "github.com/o/c", "git.example.org/x/y"]
    assert [one.name for one in read_repositories([str(tmp_path / "repos.json")])] == names
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert [one.name for one in read_repositories(["-"], "t")] == names


@pytest.mark.parametrize(
    "text",
    ["[", '[{"full_name": "o/a"}]', "[1]", "[" * 100_000, '[{"clone_url": "ext::x"}]', '{"message": "Not Found"}'],
)
def test_a_listing_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "repos.json").write_text(text)
    with pytest.raises(UsageError, match=r"repos\.json"):
        read_repositories([str(tmp_path / "repos.json")])


def test_two_places_with_one_name_are_refused_and_one_place_counts_once(make_repository: Callable[..., Any]) -> None:
    one, two = make_repository("one"), make_repository("two")
    for made in (one, two):
        made.git("remote", "add", "origin", "https://github.com/owner/name")
    with pytest.raises(UsageError, match="two repositories have this name") as caught:
        read_repositories([str(one.path), str(two.path)])
    assert str(one.path) in str(caught.value) and str(two.path) in str(caught.value)
    assert len(read_repositories([str(one.path), str(one.path) + "/", str(one.path)])) == 1


def test_teams_are_names_of_folders() -> None:
    assert check_team("docs-2.x") == "docs-2.x"
    for name in ("..", "a/b", "-x", ".x", "a\n", "x.git", "Sea", "é", "a" * 64):
        with pytest.raises(UsageError):
            check_team(name)
    assert FleetRepository("n", "https://u:p@h/x").shown == "https://h/x"

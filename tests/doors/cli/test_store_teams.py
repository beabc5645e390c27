"""`pincite store team`, `grant` and `revoke`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support_store import make_login, make_store

Store = Callable[..., tuple[int, str, str]]


@pytest.fixture
def store(in_folder: Callable[..., tuple[int, str, str]]) -> Store:
    return partial(in_folder, "store")


def test_limits_that_are_not_given_stay(store: Store, store_address: str) -> None:
    make_store(store_address).close()
    where = ("--database", store_address)
    assert store("team", "blue", *where)[:2] == (0, "team blue: no limits\n")
    store("team", "blue", "--repositories", "2000", "--mirror-bytes", "2M", *where)
    code, out, _ = store("team", "blue", "--citations", "10", "--sources", "5", *where)
    assert (code, out) == (
        0,
        "team blue: at most 2,000 repositories, 10 citations, 2,097,152 bytes of mirrors, 5 sources\n",
    )
    found = json.loads(store("team", "blue", "--repositories", "0", *where, "--format", "json")[1])
    assert found == {
        "schema": "pincite.store-team/1",
        "team": "blue",
        "limits": {"repositories": 0, "citations": 10, "mirror_bytes": 2_097_152, "sources": 5},
    }
    assert "blue: 0 repositories, 0 of 10 citations, 0 of 5 sources" in store("status", *where)[1]


@pytest.mark.parametrize(
    "arguments", [("Blue",), ("a b",), ("blue", "--citations", "-1"), ("blue", "--mirror-bytes", "x"), ()]
)
def test_wrong_teams(store: Store, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    make_store(f"sqlite://{tmp_path}/x.db").close()
    code, out, error = store("team", *arguments, "--database", "x.db")
    assert (code, out) == (2, "") and error


def test_logins(store: Store, postgres_server: Any) -> None:
    address = postgres_server.new_database()
    make_store(address).close()
    login = make_login(postgres_server, address, "cli_login")
    where = ("--database", address)
    assert store("status", "--database", login)[0] == 2
    code, out, _ = store("grant", "cli_login", "--team", "default", "--as", "reader", *where)
    assert (code, out) == (0, "cli_login is a reader of team default\n")
    assert store("status", "--database", login)[0] == 0
    assert "cli_login (reader)" in store("status", *where)[1]
    code, _, error = store("team", "mine", "--database", login)
    assert (code, "no rights" in error) == (2, True)
    assert store("revoke", "cli_login", "--team", "default", *where)[:2] == (
        0,
        "cli_login no longer sees team default\n",
    )
    code, _, error = store("revoke", "cli_login", "--team", "default", *where)
    assert (code, error) == (1, "cli_login was no member of team default\n")
    code, _, error = store("status", "--database", login)
    assert (code, "ask the owner to run `pincite store grant`" in error) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("grant", "nobody_at_all", "--team", "default", "--as", "reader"), "the server has no such login"),
        (("grant", "owner", "--team", "nowhere", "--as", "reader"), "there is none that you may see"),
        (("grant", "owner", "--team", "default"), "Missing option '--as'"),
        (("grant", "owner", "--team", "default", "--as", "king"), "is not one of"),
        (("grant", "o'w", "--team", "default", "--as", "reader"), "not the name of a login"),
        (("revoke", "owner", "--team", "nowhere"), "there is none that you may see"),
    ],
)
def test_wrong_logins(store: Store, postgres_address: str, arguments: tuple[str, ...], said: str) -> None:
    make_store(postgres_address).close()
    code, _, error = store(*arguments, "--database", postgres_address)
    assert (code, said in error) == (2, True)

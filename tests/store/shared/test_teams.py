"""Teams, their limits, and the logins that belong to them."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.store.database import StoreTrouble
from pincite.store.shared import SharedStore
from pincite.store.shared.records import TeamLimits
from support_store import make_login, make_store


def test_a_team_is_made_once_and_keeps_its_limits(store: SharedStore) -> None:
    made = store.teams.set("blue", TeamLimits(repositories=3))
    assert store.teams.set("blue") == made == store.teams.get("blue")
    assert [team.name for team in store.teams.list()] == ["blue", "default"]


@pytest.mark.parametrize("name", ["", "A", "a b", "-a", "a/b", "x" * 64, "a\n", "ä", "'; DROP TABLE team; --"])
def test_names_that_no_team_has(store: SharedStore, name: str) -> None:
    with pytest.raises(UsageError, match="use lower-case letters"):
        store.teams.set(name)
    with pytest.raises(UsageError, match="there is none that you may see"):
        store.teams.get(name)


def test_sqlite_has_no_logins(tmp_path: Any) -> None:
    with make_store(f"sqlite://{tmp_path}/x.db") as store:
        for work in (store.teams.revoke, lambda *one: store.teams.grant(*one, "reader")):
            with pytest.raises(UsageError, match="SQLite has no logins"):
                work("ada", "default")


@pytest.mark.parametrize("role", ["", 'a"b', "a b", "A", "x" * 64, "pincite_worker", "1a", "a;b"])
def test_names_that_no_login_has(postgres_address: str, role: str) -> None:
    with make_store(postgres_address) as store, pytest.raises(UsageError, match="not the name of a login"):
        store.teams.grant(role, "default", "reader")


def test_a_login_must_exist(postgres_address: str) -> None:
    with make_store(postgres_address) as store:
        with pytest.raises(StoreTrouble, match="the server has no such login; create it with `createuser`"):
            store.teams.grant("not_there", "default", "reader")
        with pytest.raises(UsageError, match="a login is a reader or a worker"):
            store.teams.grant("owner", "default", "owner")
        with pytest.raises(UsageError, match="there is none that you may see"):
            store.teams.grant("owner", "nowhere", "reader")


def roles_of(store: SharedStore, role: str) -> set[str]:
    rows = store.backend.query(
        "SELECT roleid::regrole::text FROM pg_auth_members WHERE member = CAST(? AS regrole)", (role,)
    )
    return {name for (name,) in rows}


def test_a_login_has_the_roles_that_its_teams_need(postgres_server: Any) -> None:
    address = postgres_server.new_database()
    make_login(postgres_server, address, "ada_7")
    with make_store(address) as store:
        store.teams.set("blue")
        store.teams.grant("ada_7", "default", "worker")
        assert roles_of(store, "ada_7") == {"pincite_reader", "pincite_worker"}
        store.teams.grant("ada_7", "blue", "reader")
        assert store.teams.list_members() == {"default": (("ada_7", "worker"),), "blue": (("ada_7", "reader"),)}
        store.teams.grant("ada_7", "default", "reader")
        assert roles_of(store, "ada_7") == {"pincite_reader"}
        assert store.teams.revoke("ada_7", "default")
        assert roles_of(store, "ada_7") == {"pincite_reader"}
        assert store.teams.revoke("ada_7", "blue")
        assert roles_of(store, "ada_7") == set()
        assert store.teams.list_members() == {}


def test_a_login_of_two_stores_keeps_what_the_other_one_needs(postgres_server: Any) -> None:
    one, other = postgres_server.new_database(), postgres_server.new_database()
    make_login(postgres_server, one, "ada_8")
    with make_store(one) as first, make_store(other) as second:
        first.teams.grant("ada_8", "default", "worker")
        second.teams.grant("ada_8", "default", "reader")
        assert roles_of(first, "ada_8") == {"pincite_reader", "pincite_worker"}


def test_a_login_that_was_dropped_can_be_taken_away(postgres_server: Any) -> None:
    address = postgres_server.new_database()
    make_login(postgres_server, address, "ada_9")
    with make_store(address) as store:
        store.teams.grant("ada_9", "default", "worker")
        postgres_server.execute("DROP ROLE ada_9")
        assert store.teams.revoke("ada_9", "default")

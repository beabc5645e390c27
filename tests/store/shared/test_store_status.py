"""The store in numbers."""

from __future__ import annotations

from typing import Any

from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import StoredEvidence, TeamLimits
from pincite.store.shared.schema import load_migrations
from pincite.store.shared.store_status import read_status
from support_store import fill_store, make_login, make_store, make_verdicts, write_check


def test_an_empty_store(store_address: str) -> None:
    with make_store(store_address) as store:
        found = read_status(store)
    assert found.version == found.wanted == load_migrations(found.kind)[-1].version
    assert (found.last, found.failed, found.discrepancies, found.bytes_a_verdict) == (None, 0, (), 0.0)
    assert [one.team.name for one in found.teams] == ["default"]
    assert store_address.startswith(found.kind) and found.address == store_address


def test_a_store_with_something_in_it(store_address: str) -> None:
    with make_store(store_address) as store:
        team = store.teams.set("default", TeamLimits(repositories=5, citations=5_000))
        for ticket in (1, 2):
            write_check(store, "a", f"{ticket}", make_verdicts(1_000, ticket), ticket)
        write_check(store, "b", "3", make_verdicts(10), 3)
        store.evidence.put(team, [StoredEvidence("text", "p", "k", 1, b"x"), StoredEvidence("run", "p", "k", 1, b"y")])
        (failed,) = store.verdicts.add_repositories(team, [("c", "/c")])
        store.verdicts.record_failure(team, failed.id, "gone", "")
        found = read_status(store)
    (use,) = found.teams
    assert (use.repositories, use.citations, use.sources) == (3, 1_010, 0)
    assert use.team.limits == TeamLimits(repositories=5, citations=5_000)
    rows = {one.name: one.rows for one in found.tables}
    assert (rows["shard"], rows["repository"], rows["evidence"]) == (3, 3, 2)
    assert found.evidence == {"run": 1, "text": 1}
    assert found.last is not None and (found.last.repository, found.last.commit) == ("b", "3")
    assert found.failed == 1
    assert [(one.repository, one.tries, one.trouble) for one in found.failures] == [("c", 1, "gone")]
    assert 30 < found.bytes_a_verdict < 1_000


def test_a_reader_sees_the_numbers_of_its_team(postgres_server: Any) -> None:
    address = postgres_server.new_database()
    with make_store(address) as store:
        fill_store(store)
        login = make_login(postgres_server, address, "status_1")
        store.teams.grant("status_1", "blue", "reader")
        assert [one.members for one in read_status(store).teams] == [(("status_1", "reader"),), ()]
    with open_store(parse_address(login), write=False) as store:
        found = read_status(store)
        assert not found.sees_everything
        assert [one.team.name for one in found.teams] == ["blue"]
        assert found.discrepancies == ()

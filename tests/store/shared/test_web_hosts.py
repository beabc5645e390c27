"""Hosts in the shared store: one worker at a time, never before the delay is over, whatever clocks do."""

from __future__ import annotations

import pytest

from pincite.store.shared import SharedStore
from pincite.store.shared.web_hosts import ALL_HOSTS, WebHosts
from pincite.store.shared.web_records import HostTurn, NewSource

HOST = "a.example"
YEAR = 365 * 86_400.0


@pytest.fixture
def hosts(store: SharedStore) -> WebHosts:
    """The hosts, with two workers."""
    store.sources.hosts.register("one")
    store.sources.hosts.register("two")
    return store.sources.hosts


def set_host(store: SharedStore, **columns: float) -> None:
    """Change the row of the host, as a clock that jumped would have."""
    for name, value in columns.items():
        store.backend.run(f"UPDATE web_host SET {name} = ? WHERE name = ?", (value, HOST))


def test_one_worker_at_a_time(hosts: WebHosts) -> None:
    assert hosts.take("one", HOST, 5).state == "taken"
    assert hosts.take("one", HOST, 5).state == "taken"
    assert hosts.take("two", HOST, 5).state == "held"
    hosts.release("one", HOST, 5)
    turn = hosts.take("two", HOST, 1)
    assert turn.state == "waiting"
    # The longer of both delays counts.
    assert 4 < turn.seconds <= 5
    hosts.release("one", HOST, 0)
    assert hosts.take("two", HOST, 1).state == "waiting"


def test_the_delay_ends(hosts: WebHosts, store: SharedStore) -> None:
    hosts.take("one", HOST, 5)
    hosts.release("one", HOST, 5)
    set_host(store, asked=hosts.now() - 6)
    assert hosts.take("two", HOST, 7).state == "waiting"
    assert hosts.take("two", HOST, 5).state == "taken"


def test_a_host_rests(hosts: WebHosts, store: SharedStore) -> None:
    hosts.take("one", HOST, 0)
    hosts.release("one", HOST, 0, rest=100, strikes=2)
    turn = hosts.take("two", HOST, 0)
    assert (turn.state, turn.strikes) == ("resting", 2)
    assert 90 < turn.seconds <= 100
    set_host(store, rests_until=hosts.now() - 1)
    assert hosts.take("two", HOST, 0) == HostTurn("taken", strikes=2)


def test_a_clock_that_was_set_back_stops_no_host(hosts: WebHosts, store: SharedStore) -> None:
    hosts.take("one", HOST, 5)
    hosts.release("one", HOST, 5)
    set_host(store, asked=hosts.now() + YEAR, rests_until=hosts.now() + YEAR)
    # It counts as asked just now, so that it is not asked too early either.
    assert hosts.take("two", HOST, 5) == HostTurn("waiting", 5)
    turn = hosts.take("two", HOST, 5)
    assert turn.state == "waiting"
    assert turn.seconds <= 5


def test_a_clock_that_jumps_ahead_takes_no_host_away(hosts: WebHosts, store: SharedStore) -> None:
    hosts.take("one", HOST, 5)
    set_host(store, asked=-YEAR)
    assert hosts.take("two", HOST, 5).state == "held"


def test_the_hosts_of_a_dead_worker_are_freed(hosts: WebHosts) -> None:
    hosts.take("one", HOST, 5)
    beat = hosts.list_beats()["one"]
    assert hosts.beat("one")
    # It lived after all.
    assert not hosts.unregister("one", beat)
    assert hosts.take("two", HOST, 5).state == "held"
    assert hosts.unregister("one", beat + 1)
    assert hosts.take("two", HOST, 5).state == "waiting"
    assert not hosts.beat("one")
    assert hosts.list_beats() == {"two": 1}


def test_hosts_of_unknown_workers_are_freed(hosts: WebHosts, store: SharedStore) -> None:
    hosts.take("one", HOST, 5)
    hosts.take("two", "b.example", 5)
    assert hosts.free_orphans() == 0
    store.backend.run("DELETE FROM web_worker WHERE name = 'one'")
    assert hosts.free_orphans() == 1
    assert hosts.take("two", HOST, 5).state == "waiting"
    assert hosts.take("one", "b.example", 5).state == "held"


def test_pause_and_resume(hosts: WebHosts, store: SharedStore) -> None:
    team = store.teams.get("default")
    store.sources.add(team, [NewSource(f"https://{HOST}/"), NewSource("https://b.example/")], now=100)
    assert hosts.find_due(team, 100, 9) == [HOST, "b.example"]
    assert hosts.take("one", HOST, 0).state == "taken"
    assert hosts.find_paused("one") == []
    hosts.pause(HOST)
    assert hosts.find_paused("one") == [HOST]
    assert hosts.take("two", HOST, 0).state == "paused"
    assert hosts.find_due(team, 100, 9) == ["b.example"]
    assert hosts.count_left(team, 100) == 1
    assert [one.name for one in hosts.list_unusual(9)] == [HOST]
    assert hosts.resume(HOST) == 1
    hosts.release("one", HOST, 0, rest=1000)
    assert hosts.take("two", HOST, 0).state == "resting"
    hosts.resume(HOST)
    assert hosts.find_due(team, 100, 9) == [HOST, "b.example"]


def test_pause_and_resume_everything(hosts: WebHosts, store: SharedStore) -> None:
    team = store.teams.get("default")
    store.sources.add(team, [NewSource(f"https://{HOST}/"), NewSource("https://b.example/")], now=100)
    hosts.take("one", HOST, 0)
    hosts.pause("b.example")
    hosts.pause(ALL_HOSTS)
    assert hosts.find_paused("one") == [HOST]
    assert hosts.take("two", "c.example", 0).state == "paused"
    assert hosts.find_due(team, 100, 9) == []
    assert hosts.count_left(team, 100) == 0
    assert hosts.resume(ALL_HOSTS) == 2
    assert hosts.find_due(team, 100, 9) == ["b.example"]
    assert hosts.count_left(team, 100) == 2

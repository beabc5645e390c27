"""Turns at hosts: one request at a time, the delay between them, and workers that die."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from time import monotonic

import pytest

from pincite.core.web import FetchFailure
from pincite.fleet import host_turns
from pincite.fleet.host_turns import HostNotFree, HostTurns
from pincite.safe.fetch.time_budget import Clock, StopSignal
from pincite.store.shared import SharedStore

HOST, OTHER = "a.example", "b.example"


def make_clock(seconds: float = 30.0) -> Clock:
    """The time for one page."""
    return Clock(seconds, StopSignal(), "page")


def wait_for(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until something is true."""
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, "it never came"
        threading.Event().wait(0.01)


def test_requests_keep_their_distance(web_store: SharedStore) -> None:
    times: list[tuple[float, float]] = []

    def ask() -> None:
        for _ in range(3):
            turns.enter(HOST, make_clock())
            begun = monotonic()
            threading.Event().wait(0.02)
            times.append((begun, monotonic()))
            turns.leave(HOST)

    with HostTurns(web_store.sources.hosts, 0.1) as turns:
        assert turns.hold(HOST).state == "taken"
        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        turns.let_go(HOST)
    times.sort()
    assert len(times) == 9
    assert min(later[0] - earlier[1] for earlier, later in pairwise(times)) >= 0.1


def test_what_robots_ask_for_counts_from_the_last_request(sqlite_store: SharedStore) -> None:
    with HostTurns(sqlite_store.sources.hosts, 0.1) as turns:
        turns.enter(HOST, make_clock())
        turns.leave(HOST)
        turns.note_delay(HOST, 50)
        assert 49 < turns.wait_of(HOST) <= 50
        turns.note_delay(HOST, 100)
        with pytest.raises(HostNotFree) as caught:
            turns.enter(HOST, make_clock())
        assert caught.value.is_delay or caught.value.seconds > 60
        # Nobody else asks it earlier either.
        turn = sqlite_store.sources.hosts.take("another", HOST, 0.0)
        assert turn.state == "waiting"


def test_a_host_that_is_only_passed_is_free_again(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    with HostTurns(hosts, 0.05) as turns:
        turns.enter(OTHER, make_clock())
        assert hosts.take("another", OTHER, 0.0).state == "held"
        turns.leave(OTHER)
        assert hosts.take("another", OTHER, 0.0).state == "waiting"
        # After its delay it can be asked again, here or elsewhere.
        turns.enter(OTHER, make_clock())
        turns.leave(OTHER)


def test_a_host_that_a_visit_needs_is_not_given_away_by_another_request(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    with HostTurns(hosts, 0.01) as turns:
        turns.enter(HOST, make_clock())
        entered = threading.Event()

        def hold() -> None:
            while turns.hold(HOST).state != "taken":
                pass
            entered.set()

        thread = threading.Thread(target=hold)
        thread.start()
        thread.join()
        turns.leave(HOST)
        assert entered.is_set()
        assert hosts.take("another", HOST, 0.0).state == "held"
        turns.let_go(HOST)
        wait_for(lambda: hosts.take("another", HOST, 0.0).state == "taken")


def test_a_host_of_another_worker_is_not_asked(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    hosts.register("another")
    hosts.take("another", HOST, 0.0)
    with HostTurns(hosts, 0.01) as turns:
        assert turns.hold(HOST).state == "held"
        with pytest.raises(HostNotFree, match="another worker asks it"):
            turns.enter(HOST, make_clock())
        hosts.pause(OTHER)
        with pytest.raises(HostNotFree, match="paused"):
            turns.enter(OTHER, make_clock())


def test_a_host_that_is_paused_is_not_asked_any_more(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    with HostTurns(hosts, 0.01, beat=0.05) as turns:
        assert turns.hold(HOST).state == "taken"
        turns.enter(HOST, make_clock())
        turns.leave(HOST)
        hosts.pause(HOST)
        wait_for(lambda: HOST in turns._paused)
        with pytest.raises(HostNotFree, match="paused"):
            turns.enter(HOST, make_clock())
        turns.let_go(HOST)


def test_a_worker_that_died_loses_its_hosts(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    hosts.register("dead")
    hosts.take("dead", HOST, 0.0)
    with HostTurns(hosts, 0.01, lease=0.3, beat=0.05) as turns:
        assert turns.hold(HOST).state == "held"
        wait_for(lambda: "dead" not in hosts.list_beats())
        wait_for(lambda: turns.hold(HOST).state == "taken")
        turns.let_go(HOST)


def test_a_worker_that_lives_keeps_its_hosts(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    with HostTurns(hosts, 0.01, lease=1.0, beat=0.05) as one, HostTurns(hosts, 0.01, lease=1.0, beat=0.05) as other:
        assert one.hold(HOST).state == "taken"
        before = hosts.list_beats()[one.worker]
        wait_for(lambda: hosts.list_beats()[one.worker] > before + 21)
        assert other.hold(HOST).state == "held"
        one.let_go(HOST)


def test_one_that_others_took_for_dead_begins_again(web_store: SharedStore) -> None:
    hosts = web_store.sources.hosts
    with HostTurns(hosts, 0.01, beat=0.05) as turns:
        name = turns.worker
        assert turns.hold(HOST).state == "taken"
        hosts.unregister(name)
        hosts.register("another")
        wait_for(lambda: hosts.take("another", HOST, 0.0).state == "taken")
        wait_for(lambda: turns.worker != name)
        with pytest.raises(HostNotFree, match="another worker"):
            turns.enter(HOST, make_clock())
        turns.let_go(HOST)
        assert hosts.take("third", HOST, 0.0).state == "held"
        assert turns.worker in hosts.list_beats()


def test_without_signs_of_life_nothing_is_asked(sqlite_store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    with HostTurns(sqlite_store.sources.hosts, 0.01, lease=1000, beat=1000) as turns:
        assert turns.hold(HOST).state == "taken"
        turns._last_beat -= 501
        with pytest.raises(HostNotFree, match="the store does not answer"):
            turns.enter(HOST, make_clock())
        turns._last_beat += 2
        turns.enter(HOST, make_clock())
        turns.leave(HOST)


def test_waiting_does_not_count_as_time_for_the_page(sqlite_store: SharedStore) -> None:
    with HostTurns(sqlite_store.sources.hosts, 0.2) as turns:
        turns.enter(HOST, make_clock())
        turns.leave(HOST)
        clock = make_clock(0.1)
        turns.enter(HOST, clock)
        assert clock.left() > 0
        # Who waits for a thread that asks too long gives up.
        with pytest.raises(FetchFailure) as caught:
            turns.enter(HOST, make_clock(0.05))
        assert caught.value.kind == "busy"
        turns.leave(HOST)


def test_hosts_of_long_ago_are_forgotten(sqlite_store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_turns, "_MOST_PACES", 3)
    monkeypatch.setattr(host_turns, "LONGEST_INSIDE", -1.0)
    with HostTurns(sqlite_store.sources.hosts, 0.0) as turns:
        for number in range(10):
            turns.enter(f"h{number}.example", make_clock())
            turns.leave(f"h{number}.example")
        assert len(turns._paces) <= 4

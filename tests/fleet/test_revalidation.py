"""Runs over many hosts: politeness as the servers see it, ends, stops, and several workers on one store."""

from __future__ import annotations

import os
import signal
import socket
import threading
from pathlib import Path
from time import monotonic, time

import pytest

from pincite.core.errors import UsageError
from pincite.fleet.host_visits import VisitOptions
from pincite.fleet.revalidation import (
    FOR_EVER,
    ONCE,
    UNTIL_DONE,
    Revalidation,
    RevalidationSummary,
    stop_by_signals,
    wait_until_done,
)
from pincite.store.shared import SharedStore
from pincite.store.shared.records import Team
from pincite.store.shared.web_records import NewSource
from support_sites import Sites, reply
from support_visits import VisitorProcess

DELAY = 0.15
KILLS = int(os.environ.get("PINCITE_FLEET_KILLS", "1"))
QUICK = VisitOptions(delay=DELAY, beat=0.05)
MORTAL = VisitOptions(delay=DELAY, beat=0.05, lease=1.5)
"""For workers that are killed: others notice soon."""


def fill(store: SharedStore, hosts: int, pages: int) -> Team:
    """Sources that are due, on so many hosts."""
    team = store.teams.get("default")
    listed = [NewSource(f"https://s{host}.site.example/{page}") for host in range(hosts) for page in range(pages)]
    assert store.sources.add(team, listed).added == hosts * pages
    return team


def run(store: SharedStore, team: Team, mode: str = ONCE, options: VisitOptions = QUICK) -> RevalidationSummary:
    """A run to its end."""
    one = Revalidation(store, team, options, mode)
    one.run(threading.Event())
    return one.summary


def test_many_hosts_at_once_each_in_its_own_time(web_store: SharedStore, sites: Sites) -> None:
    team = fill(web_store, 20, 4)
    summary = run(web_store, team)
    assert (summary.due, summary.visited, summary.states, summary.hosts) == (80, 80, {"same": 80}, 0)
    assert sorted(sites.paths()) == sorted([str(f"/{page}") for page in range(4)] * 20)
    gaps = sites.smallest_gaps()
    assert len(gaps) == 20
    assert min(gaps.values()) >= DELAY
    # All of them at once: one after the other would take twenty times as long.
    assert summary.seconds < 20 * 4 * DELAY / 2
    assert run(web_store, team).visited == 0


def test_clocks_that_jump_make_nothing_faster_and_stop_nothing(sqlite_store: SharedStore, sites: Sites) -> None:
    def jump() -> float:
        return time() + (0, 86_400, -86_400)[len(sites.requests) // 3 % 3]

    team = fill(sqlite_store, 4, 5)
    sqlite_store.backend.run("UPDATE web_source SET due = 1")
    sqlite_store.backend.run("UPDATE web_visit SET due = 1")
    sqlite_store.sources.hosts._clock = jump
    one = Revalidation(sqlite_store, team, VisitOptions(delay=DELAY, beat=0.05, hosts=2), ONCE, jump)
    one.run(threading.Event())
    assert one.summary.visited == 20
    assert min(sites.smallest_gaps().values()) >= DELAY


def test_fewer_at_once_than_hosts(sqlite_store: SharedStore, sites: Sites) -> None:
    team = fill(sqlite_store, 6, 2)
    summary = run(sqlite_store, team, options=VisitOptions(delay=0.02, hosts=2))
    assert summary.visited == 12
    assert min(sites.smallest_gaps().values()) >= 0.02


def test_one_slow_host_keeps_no_other_waiting(sqlite_store: SharedStore, sites: Sites) -> None:
    seen: list[int] = []

    def drip(sock: socket.socket) -> None:
        end = monotonic() + 20
        while len(seen) < 9 and monotonic() < end:
            seen[:] = [len(sites.paths(f"s{number}.site.example")) for number in range(1, 4)]
            seen[:] = [1] * sum(seen)
            sock.sendall(b"H")
            threading.Event().wait(0.02)

    team = fill(sqlite_store, 4, 3)
    sites.pages["s0.site.example/0"] = drip
    summary = run(sqlite_store, team)
    assert len(seen) == 9
    assert summary.states == {"same": 11, "unchecked": 1}


def test_two_workers_on_one_store(web_store: SharedStore, sites: Sites) -> None:
    team = fill(web_store, 6, 5)
    reach = sites.test_only
    process = VisitorProcess(web_store.address.target, reach.hosts, reach.ca_pem, QUICK)
    workers = [process.start() for _ in range(2)]
    run(web_store, team)
    assert [worker.wait(30) for worker in workers] == [0, 0]
    assert web_store.sources.count_due(team, int(time())) == 0
    # Nothing was asked twice, and no host too early, whoever asked.
    assert len(sites.paths()) == 30
    assert min(sites.smallest_gaps().values()) >= DELAY


def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(web_store: SharedStore, sites: Sites) -> None:
    team = fill(web_store, 3, 4 + 4 * KILLS)
    reach = sites.test_only
    process = VisitorProcess(web_store.address.target, reach.hosts, reach.ca_pem, MORTAL)
    for kill in range(KILLS):
        worker = process.start()
        asked = len(sites.requests)
        while len(sites.requests) < asked + 5 and worker.poll() is None:
            threading.Event().wait(0.01)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        assert web_store.sources.count_due(team, int(time())) > 0 or kill
    summary = run(web_store, team, options=MORTAL)
    total = 12 + 12 * KILLS
    assert web_store.sources.count() == {"same": total}
    assert web_store.backend.query("SELECT count(*) FROM web_event")[0][0] == total
    assert web_store.sources.hosts.list_beats() == {}
    assert web_store.backend.query("SELECT count(*) FROM web_host WHERE holder <> ''")[0][0] == 0
    assert 0 < summary.visited <= total
    # Also when a worker takes over from a dead one, the host has its delay.
    assert min(sites.smallest_gaps().values()) >= DELAY


def test_it_can_be_stopped_and_goes_on(web_store: SharedStore, sites: Sites) -> None:
    team = fill(web_store, 4, 6)
    stop = threading.Event()
    one = Revalidation(web_store, team, QUICK, FOR_EVER)
    one.run(stop, lambda summary: stop.set() if summary.visited >= 5 else None)
    left = web_store.sources.count_due(team, int(time()))
    assert 0 < left <= 19
    assert one.summary.visited == 24 - left
    assert run(web_store, team).visited == left


def test_signals_end_it_gently() -> None:
    before = signal.getsignal(signal.SIGTERM)
    stop = threading.Event()
    with stop_by_signals(stop):
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop.wait(10)
        # The next one ends the process.
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) is before


def test_until_every_source_was_seen(sqlite_store: SharedStore, sites: Sites) -> None:
    team = fill(sqlite_store, 2, 1)
    sites.pages["s0.site.example/0"] = reply("", "500 Broken")
    steps: list[int] = []

    def mend(summary: RevalidationSummary) -> None:
        if summary.visited == 2 and not steps:
            steps.append(1)
            sites.pages.clear()
            sqlite_store.backend.run("UPDATE web_source SET due = 1 WHERE state = 'unchecked'")
            sqlite_store.sources.schedule_host(team, "s0.site.example")

    one = Revalidation(sqlite_store, team, QUICK, UNTIL_DONE)
    one.run(threading.Event(), mend)
    assert one.summary.states == {"same": 2, "unchecked": 1}
    assert sqlite_store.sources.count() == {"same": 2}


def test_paused_and_resting_hosts_keep_no_run_waiting(sqlite_store: SharedStore, sites: Sites) -> None:
    team = fill(sqlite_store, 3, 2)
    sqlite_store.sources.hosts.pause("s0.site.example")
    sites.pages["s1.site.example/0"] = reply("", "503 Busy", retry_after="3000")
    assert run(sqlite_store, team).visited == 3
    assert sites.paths("s0.site.example") == []
    sqlite_store.sources.hosts.resume("*")
    assert run(sqlite_store, team).visited == 3
    assert sqlite_store.sources.count() == {"same": 5, "unchecked": 1}


def test_waiting_for_others(sqlite_store: SharedStore, sites: Sites) -> None:
    team = fill(sqlite_store, 2, 2)
    done: list[RevalidationSummary] = []
    waiter = threading.Thread(target=lambda: done.append(wait_until_done(sqlite_store, team, ONCE, threading.Event())))
    waiter.start()
    run(sqlite_store, team)
    waiter.join(30)
    assert (done[0].due, done[0].visited) == (4, 4)


def test_a_folder_that_cannot_be_written_ends_it(sqlite_store: SharedStore, sites: Sites, tmp_path: Path) -> None:
    team = fill(sqlite_store, 2, 2)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(UsageError, match="cannot be made"):
        run(sqlite_store, team, options=VisitOptions(snapshots=str(tmp_path / "file" / "below")))
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in range(256):
        (folder / f"{name:02x}").write_text("in the way")
    with pytest.raises(UsageError, match="a snapshot cannot be written"):
        run(sqlite_store, team, options=VisitOptions(delay=0.02, snapshots=str(folder)))
    # What was not recorded is still due.
    assert sqlite_store.sources.count_due(team, int(time())) == 4
    assert sqlite_store.sources.hosts.list_beats() == {}

"""The queue of web sources: real workers as processes, killed and replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from time import monotonic, time
from typing import Any

import pytest

from pincite.core.errors import UsageError
from pincite.fleet import web_queue
from pincite.fleet.host_visits import VisitOptions
from pincite.fleet.web_queue import QueueWorker, WebQueue, ensure_queue, queue_hosts
from pincite.store.database import StoreTrouble
from pincite.store.shared import SharedStore
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import Team
from pincite.store.shared.web_records import NewSource
from support_sites import Sites, reply
from support_visits import VisitorProcess

DELAY = 0.15
KILLS = int(os.environ.get("PINCITE_FLEET_KILLS", "1"))
QUICK = VisitOptions(delay=DELAY, beat=0.05)
MORTAL = VisitOptions(delay=DELAY, beat=0.05, lease=1.5)
"""For workers that are killed: others notice soon."""
HOST = "s0.site.example"


@pytest.fixture
def store(postgres_store: SharedStore) -> SharedStore:
    """A store with a queue."""
    assert ensure_queue(postgres_store.address)
    return postgres_store


def fill(store: SharedStore, hosts: int, pages: int, team: str = "default") -> Team:
    """Sources that are due, on so many hosts."""
    found = store.teams.set(team)
    listed = [NewSource(f"https://s{host}.site.example/{page}") for host in range(hosts) for page in range(pages)]
    store.sources.add(found, listed)
    return found


def start(store: SharedStore, sites: Sites, options: VisitOptions = QUICK, **more: Any) -> Any:
    """A worker as a process of its own."""
    reach = sites.test_only
    return VisitorProcess(store.address.target, reach.hosts, reach.ca_pem, options, queue=True, **more).start()


def wait_for(condition: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something is true."""
    end = monotonic() + seconds
    while not condition():
        assert monotonic() < end, "it never came"
        threading.Event().wait(0.02)


def jobs(store: SharedStore) -> list[tuple[str, str, str, dict[str, Any]]]:
    """The jobs in the queue: status, queue, lock and arguments."""
    return [
        (row[0], row[1], row[2], row[3])
        for row in store.backend.query(
            "SELECT CAST(status AS text), queue_name, lock, args FROM procrastinate_jobs ORDER BY id"
        )
    ]


def test_one_job_a_host_and_names_only(store: SharedStore) -> None:
    team = fill(store, 3, 2)
    assert asyncio.run(queue_hosts(store, team, int(time()))) == 3
    assert asyncio.run(queue_hosts(store, team, int(time()))) == 0
    assert jobs(store) == [
        ("todo", "web-default", f"default/s{number}.site.example", {"host": f"s{number}.site.example"})
        for number in range(3)
    ]
    # Another team that cites the same hosts has jobs of its own.
    assert asyncio.run(queue_hosts(store, fill(store, 1, 1, "others"), int(time()))) == 1


def test_workers_share_the_hosts(store: SharedStore, sites: Sites) -> None:
    team = fill(store, 8, 4)
    workers = [start(store, sites, slice_seconds=0.3) for _ in range(2)]
    try:
        wait_for(lambda: not store.sources.count_due(team, int(time())))
    finally:
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        ends = [worker.wait(30) for worker in workers]
    assert ends == [0, 0]
    assert len(sites.paths()) == 32
    assert min(sites.smallest_gaps().values()) >= DELAY
    assert store.sources.count() == {"same": 32}
    # They leave nothing behind.
    assert store.sources.hosts.list_beats() == {}
    assert store.backend.query("SELECT count(*) FROM procrastinate_workers") == [(0,)]
    assert [job for job in jobs(store) if job[0] == "doing"] == []


def test_what_a_killed_worker_left_is_done_by_another(store: SharedStore, sites: Sites) -> None:
    pages = 4 + 4 * KILLS
    team = fill(store, 3, pages)
    for _ in range(KILLS):
        worker = start(store, sites, MORTAL)
        asked = len(sites.requests)
        wait_for(lambda before=asked: len(sites.requests) >= before + 5)
        worker.kill()
        worker.wait()
    assert {job[0] for job in jobs(store)} == {"doing"}
    assert store.sources.count_due(team, int(time())) > 0
    worker = start(store, sites, MORTAL, stalled_seconds=1.0)
    try:
        wait_for(lambda: not store.sources.count_due(team, int(time())), 60)
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert store.sources.count() == {"same": 3 * pages}
    assert store.backend.query("SELECT count(*) FROM web_event") == [(3 * pages,)]
    assert min(sites.smallest_gaps().values()) >= DELAY
    assert [job for job in jobs(store) if job[0] == "doing"] == []


def test_a_host_that_rests_comes_back_by_itself(store: SharedStore, sites: Sites) -> None:
    team = fill(store, 1, 2)
    sites.pages["/0"] = reply("", "429 Busy", retry_after="2")
    worker = start(store, sites)
    try:
        # The job of a host that rests is put into the queue for the time when it is awake.
        wait_for(lambda: store.sources.count().get("unchecked") == 1)
        wait_for(lambda: [job[0] for job in jobs(store)] == ["todo"])
        ((seconds,),) = store.backend.query("SELECT extract(epoch FROM scheduled_at - now()) FROM procrastinate_jobs")
        assert 30 < seconds <= 61
        assert len(sites.paths()) == 1
        # Paused and resumed, it is asked again at the next sweep.
        store.backend.run("DELETE FROM procrastinate_jobs")
        store.sources.hosts.resume(HOST)
        wait_for(lambda: store.sources.count() == {"same": 1, "unchecked": 1})
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert store.sources.count_due(team, int(time())) == 0


def test_a_job_that_a_wrong_clock_put_off_is_brought_back(store: SharedStore) -> None:
    team = fill(store, 1, 1)

    async def sweep() -> tuple[bool, bool, int]:
        queue = WebQueue(store, team)
        async with queue.app.open_async():
            return await queue.put(HOST, 10**7), await queue.put(HOST), await queue.sweep(int(time()))

    assert asyncio.run(sweep()) == (True, False, 0)
    assert store.backend.query("SELECT scheduled_at <= now() FROM procrastinate_jobs") == [(True,)]


def test_a_worker_outlives_its_connections(store: SharedStore, sites: Sites) -> None:
    team = fill(store, 2, 12)
    worker = start(store, sites)
    try:
        wait_for(lambda: len(sites.requests) >= 6)
        store.backend.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        wait_for(lambda: not store.sources.count_due(team, int(time())), 60)
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0
    assert store.sources.count() == {"same": 24}
    assert min(sites.smallest_gaps().values()) >= DELAY


def test_trouble_with_snapshots_ends_a_worker(store: SharedStore, sites: Sites, tmp_path: Any) -> None:
    team = fill(store, 1, 1)
    for name in range(256):
        (tmp_path / f"{name:02x}").write_text("in the way")
    worker = QueueWorker(store, team, VisitOptions(delay=0.02, snapshots=str(tmp_path)), sweep_seconds=0.1)
    with pytest.raises(UsageError, match="a snapshot cannot be written"):
        asyncio.run(worker.run())
    assert store.sources.hosts.list_beats() == {}


def test_the_queue_is_made_once(postgres_store: SharedStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ensure_queue(postgres_store.address)
    assert not ensure_queue(postgres_store.address)
    # A later Procrastinate brings changes: those after the version that made the tables are applied, and no other.
    postgres_store.backend.run("COMMENT ON TABLE procrastinate_jobs IS 'procrastinate 3.9.0'")
    assert ensure_queue(postgres_store.address)
    assert not ensure_queue(postgres_store.address)


@pytest.mark.parametrize(
    ("name", "known", "mine", "is_applied"),
    [
        ("03.04.00_01_pre_add.sql", "3.3.0", "3.10.0", True),
        ("03.04.00_01_pre_add.sql", "3.4.0", "3.10.0", False),
        ("03.11.00_50_post_add.sql", "3.4.0", "3.10.0", False),
        ("__init__.py", "3.4.0", "3.10.0", False),
    ],
)
def test_which_changes_are_applied(name: str, known: str, mine: str, is_applied: bool) -> None:
    assert web_queue._is_between(name, known, mine) is is_applied


def test_who_may_make_and_use_the_queue(postgres_server: Any, postgres_store: SharedStore, sites: Sites) -> None:
    name = f"queuer_{postgres_store.address.target.rpartition('/')[2]}"
    postgres_server.execute(f"CREATE ROLE {name} LOGIN")
    postgres_store.teams.grant(name, "default", "worker")
    fill(postgres_store, 1, 2)
    address = parse_address(postgres_store.address.target.replace("owner@", f"{name}@"))
    with pytest.raises(StoreTrouble, match="the owner of the store makes the queue: pincite store migrate"):
        ensure_queue(address)
    assert ensure_queue(postgres_store.address)
    assert not ensure_queue(address)
    reach = sites.test_only
    worker = VisitorProcess(address.target, reach.hosts, reach.ca_pem, QUICK, queue=True).start()
    try:
        wait_for(lambda: postgres_store.sources.count() == {"same": 2})
    finally:
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(30) == 0


def test_sqlite_has_no_queue(sqlite_store: SharedStore) -> None:
    with pytest.raises(UsageError, match="the queue needs PostgreSQL"):
        ensure_queue(sqlite_store.address)

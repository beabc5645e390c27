"""A fleet that is killed, cut off and poisoned: nothing is lost, nothing is counted twice, and everything else goes on.

The short form is part of every test run; PINCITE_LONG_FLEET asks for fifty kills and more repositories.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pincite.store.shared import open_store
from pincite.store.shared.backend import parse_address
from support_campaign import LONG, Fleet, find_children, finish, is_like, kill_some, read_lines, start, wait_until
from support_fleet import add_commit, make_repositories
from support_postgres import PostgresServer, find_binaries, free_port, running_server

KILLS = 50 if LONG else 4
COUNT = 100 if LONG else 10
STORES = ["postgresql"] if os.environ.get("CI") and not LONG and find_binaries() else ["sqlite", "postgresql"]
"""The kinds of store that a fleet is tried with: at the gate only the one that several machines use."""
SHAPE = {"documents": 20, "sources": 50, "citations": 1000, "commits": 10}

needs_postgres = pytest.mark.skipif(not find_binaries(), reason="no PostgreSQL: run `make postgres`")


@pytest.fixture(params=STORES)
def store_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store."""
    if request.param == "sqlite":
        return f"sqlite://{tmp_path}/store/fleet.db"
    return str(request.getfixturevalue("postgres_address"))


@pytest.fixture
def fleet(tmp_path: Path, store_address: str) -> Fleet:
    """Repositories that are not checked yet."""
    return Fleet(tmp_path, store_address, COUNT, **SHAPE)


@pytest.fixture
def shared(tmp_path: Path, postgres_address: str) -> Fleet:
    """The same with PostgreSQL alone."""
    return Fleet(tmp_path, postgres_address, COUNT, **SHAPE)


def test_children_are_killed(fleet: Fleet) -> None:
    process = fleet.check("--jobs", "2")
    killed = kill_some(lambda: find_children(process.pid), lambda: process.poll() is not None, KILLS, 1)
    code, said, complaint = finish(process)
    # A shard whose process is killed three times counts as failed; the next run does it again.
    if said["failed"]:
        code, said, complaint = finish(fleet.check())
    assert killed >= (KILLS if LONG else 1)
    assert code == 1 and not said["failed"], complaint
    fleet.expect_all()


def test_the_whole_command_is_killed_again_and_again(fleet: Fleet) -> None:
    choose = random.Random(2)
    for _ in range(KILLS):
        process = fleet.check("--jobs", "2")
        try:
            process.wait(choose.uniform(0.3, 3.0))
            process.communicate()
            break
        except subprocess.TimeoutExpired:
            below = find_children(process.pid, "")
            process.kill()
            process.communicate()
            # What it started notices and ends by itself.
            wait_until(
                lambda below=below: not any(one.is_running() and one.status() != "zombie" for one in below), "orphans"
            )
    code, said, _ = finish(fleet.check("--jobs", "2"))
    assert code == 1 and said["checked"] + said["unchanged"] == COUNT
    fleet.expect_all()
    code, said, _ = finish(fleet.check())
    assert (code, said["checked"], said["unchanged"]) == (1, 0, COUNT)
    fleet.expect_all()


def test_two_fleets_on_one_store(fleet: Fleet) -> None:
    both = [fleet.check("--jobs", "1") for _ in range(2)]
    said = [finish(process) for process in both]
    assert [code for code, _, _ in said] == [1, 1], said
    assert sum(one["checked"] for _, one, _ in said) == COUNT
    fleet.expect_all()


def test_the_database_restarts(tmp_path: Path) -> None:
    if not find_binaries():
        pytest.skip("no PostgreSQL: run `make postgres`")
    # A crash must not take what was committed.
    with running_server("fsync=on", "synchronous_commit=on", "full_page_writes=on") as server:
        fleet = Fleet(tmp_path, server.new_database(), COUNT, **SHAPE)
        process = fleet.check("--jobs", "2")
        for _ in range(5 if LONG else 2):
            wait_until(lambda: bool(find_children(process.pid)) or process.poll() is not None, "no children")
            server.stop("immediate")
            sleep(0.3)
            server.start()
        code, said, complaint = finish(process)
        assert code == 1 and said["checked"] + said["unchanged"] == COUNT, (said.get("troubles"), complaint)
        fleet.expect_all()


@needs_postgres
def test_the_database_stays_away(tmp_path: Path) -> None:
    server = PostgresServer()
    try:
        server.start()
        fleet = Fleet(tmp_path, server.new_database(), 1, **SHAPE)
        server.stop()
        code, _, complaint = finish(start(tmp_path, "fleet", "report", "--database", fleet.address))
        assert code == 2 and "cannot be reached" in complaint and "is the server running?" in complaint
    finally:
        server.remove()


@contextmanager
def cluster(tmp_path: Path, address: str, workers: int = 2) -> Iterator[dict[str, Any]]:
    """A scheduler and workers as an operator starts them; `replace` starts what was killed."""
    folder = tmp_path / "certificates"
    made = start(tmp_path, "fleet", "certificates", str(folder))
    assert made.wait() == 0
    made.communicate()
    names = {"PINCITE_TLS_CA": "ca.pem", "PINCITE_TLS_CERT": "cert.pem", "PINCITE_TLS_KEY": "key.pem"}
    tls = {name: str(folder / file) for name, file in names.items()}
    port = free_port()
    where = f"tls://127.0.0.1:{port}"
    running: list[subprocess.Popen[str]] = []

    def start_scheduler() -> subprocess.Popen[str]:
        process = start(tmp_path, "fleet", "scheduler", "--port", str(port), **tls)
        running.append(process)
        assert next(read_lines(process)).startswith("scheduler at tls://")
        return process

    def start_worker() -> subprocess.Popen[str]:
        own = {**tls, "PINCITE_DATABASE": address, "PINCITE_FLEET_MIRRORS": str(tmp_path / "mirrors")}
        process = start(tmp_path, "fleet", "worker", "--scheduler", where, **own)
        running.append(process)
        return process

    try:
        scheduler = start_scheduler()
        given = [start_worker() for _ in range(workers)]
        for worker in given:
            assert "worker" in next(read_lines(worker))
        yield {
            "address": where,
            "tls": tls,
            "scheduler": scheduler,
            "workers": given,
            "start_worker": start_worker,
            "start_scheduler": start_scheduler,
        }
    finally:
        for process in running:
            process.kill()
            process.communicate()


def check_on(fleet: Fleet, place: dict[str, Any]) -> subprocess.Popen[str]:
    """A run of the fleet on a cluster."""
    words = ("--database", fleet.address, "--scheduler", place["address"], "--format", "json")
    return start(fleet.tmp_path, "fleet", "check", str(fleet.listed), *words, **place["tls"])


def test_workers_of_a_cluster_are_killed(shared: Fleet, tmp_path: Path) -> None:
    with cluster(tmp_path, shared.address) as place:
        process = check_on(shared, place)
        choose, killed = random.Random(3), 0
        while killed < KILLS and process.poll() is None:
            sleep(choose.uniform(0.3, 1.5))
            at = choose.randrange(len(place["workers"]))
            place["workers"][at].kill()
            place["workers"][at].communicate()
            place["workers"][at] = place["start_worker"]()
            killed += 1
        code, said, complaint = finish(process)
        if said.get("failed") or code == 2:
            code, said, complaint = finish(check_on(shared, place))
        assert killed >= (KILLS if LONG else 1)
        assert code == 1, (said, complaint)
    shared.expect_all()


def test_the_scheduler_is_killed(shared: Fleet, tmp_path: Path) -> None:
    with cluster(tmp_path, shared.address) as place:
        process = check_on(shared, place)

        def is_begun() -> bool:
            return shared.counts()[2] > 0 or process.poll() is not None

        wait_until(is_begun, "no shard was finished")
        place["scheduler"].kill()
        place["scheduler"].communicate()
        code, _, complaint = finish(process)
        if code != 1:
            assert code == 2 and "run the command again" in complaint
        place["scheduler"] = place["start_scheduler"]()
        code, said, complaint = finish(check_on(shared, place))
        assert code == 1 and said["checked"] + said["unchanged"] == COUNT, (said.get("troubles"), complaint)
    shared.expect_all()


def test_a_cluster_that_dask_starts_for_the_run(shared: Fleet) -> None:
    process = shared.check("--engine", "dask", "--jobs", "2")
    kill_some(
        lambda: [one for one in find_children(process.pid, "") if is_like(one, "spawn_main")],
        lambda: process.poll() is not None,
        KILLS // 2,
        4,
    )
    code, said, complaint = finish(process)
    if said.get("failed") or code == 2:
        code, said, complaint = finish(shared.check("--engine", "dask", "--jobs", "2"))
    assert code == 1, (said, complaint)
    shared.expect_all()


def test_only_the_repositories_that_changed_are_checked_again(fleet: Fleet) -> None:
    assert finish(fleet.check())[0] == 1
    add_commit(fleet.repositories[0], 1)
    code, said, _ = finish(fleet.check())
    assert (code, said["checked"], said["unchanged"]) == (1, 1, COUNT - 1)
    found, troubles, shards = fleet.counts()
    assert (len(found), troubles, shards) == (COUNT, [], COUNT + 1)


def test_poisoned_repositories_do_not_stop_the_others(fleet: Fleet, tmp_path: Path) -> None:
    hostile, empty, corrupt = (tmp_path / name for name in ("hostile", "empty", "corrupt"))
    make_repositories(tmp_path / "made", 2, **SHAPE)
    os.rename(tmp_path / "made" / "repository-00000", hostile)
    os.rename(tmp_path / "made" / "repository-00001", corrupt)
    mark = tmp_path / "it-ran"
    (hostile / ".git" / "hooks").mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"):
        hook = hostile / ".git" / "hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
        hook.chmod(0o755)
    with open(hostile / ".git" / "config", "a") as config:
        config.write(f"[core]\n\tfsmonitor = touch {mark}\n\tsshCommand = touch {mark}\n[uploadpack]\n")
        config.write(f'\tpackObjectsHook = touch {mark}\n[filter "x"]\n\tsmudge = touch {mark}\n')
    subprocess.run(["git", "init", "-q", str(empty)], check=True)
    for pack in (corrupt / ".git" / "objects" / "pack").glob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:100])
    gone = f"http://127.0.0.1:{free_port()}/owner/gone.git"
    fleet.write_list(*map(str, fleet.repositories), str(hostile), str(empty), str(corrupt), gone)
    code, said, complaint = finish(fleet.check("--timeout", "60"))
    assert code == 2, (said, complaint)
    assert said["checked"] == COUNT + 2, said
    assert len(said["troubles"]) == 2 and not mark.exists()
    assert not [trouble for trouble in said["troubles"].values() if "Traceback" in trouble]
    found, troubles, _ = fleet.counts()
    assert (len(found), troubles) == (COUNT + 1, []), "an empty repository has no commit"


def test_no_room_for_mirrors(fleet: Fleet, tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(place)], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("a small disk cannot be made here")
    try:
        fleet.mirrors = place
        code, said, complaint = finish(fleet.check())
        assert code == 2 and said["failed"], (said, complaint)
        assert all("\n" not in trouble for trouble in said["troubles"].values())
    finally:
        subprocess.run(["umount", str(place)], check=False)
    fleet.mirrors = tmp_path / "mirrors"
    code, said, _ = finish(fleet.check())
    assert code == 1 and said["checked"] + said["unchanged"] == COUNT
    fleet.expect_all()


def test_clocks_that_jump_do_not_decide(fleet: Fleet) -> None:
    assert finish(fleet.check())[0] == 1
    with open_store(parse_address(fleet.address)) as store:
        # As if the first run had been done on a machine whose clock is ten years ahead.
        store.backend.run("UPDATE shard SET finished = finished + 315360000, committed = committed + 315360000")
    add_commit(fleet.repositories[0], 1)
    code, said, _ = finish(fleet.check())
    assert (code, said["checked"]) == (1, 1)
    with open_store(parse_address(fleet.address), write=False) as store:
        commit = subprocess.run(
            ["git", "-C", str(fleet.repositories[0]), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        assert commit in {one.commit for one in store.overview.summarize()}
        assert store.verdicts.reconcile() == []


def test_an_interrupt_ends_everything(fleet: Fleet) -> None:
    process = fleet.check("--jobs", "2")
    wait_until(lambda: bool(find_children(process.pid)) or process.poll() is not None, "no children")
    below = find_children(process.pid, "")
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode in (130, 1) and "Traceback" not in complaint
    wait_until(lambda: not any(one.is_running() and one.status() != "zombie" for one in below), "orphans")

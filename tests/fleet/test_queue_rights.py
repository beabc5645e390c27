"""The queue under row security: a worker puts, takes and ends the jobs of its teams, and touches no other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from pincite.fleet.web_queue import WebQueue, ensure_queue
from pincite.store.shared import SharedStore, open_store
from pincite.store.shared.backend import parse_address
from support_store import make_login, make_store

psycopg = pytest.importorskip("psycopg")
pytest.importorskip("procrastinate")

JOB = (
    "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock) "
    "VALUES ('web-{0}', 'visit_host', '{1}/x', '{1}/x')"
)


class QueueLogins(NamedTuple):
    owner: SharedStore
    default: str
    blue: str
    reader: str


@pytest.fixture(scope="module")
def logins(postgres_server: Any) -> Iterator[QueueLogins]:
    address = postgres_server.new_database()
    with make_store(address) as owner:
        assert ensure_queue(owner.address)
        owner.teams.set("blue")
        names = ("queue_default", "queue_blue", "queue_reader")
        roles = [make_login(postgres_server, address, name) for name in names]
        owner.teams.grant("queue_default", "default", "worker")
        owner.teams.grant("queue_blue", "blue", "worker")
        owner.teams.grant("queue_reader", "blue", "reader")
        for team, login in (("default", roles[0]), ("blue", roles[1])):
            put(login, team, "example.org")
        yield QueueLogins(owner, *roles)


def put(address: str, team: str, host: str) -> None:
    """Put a job into the queue of a team, as a login."""
    with open_store(parse_address(address)) as store:
        queue = WebQueue(store, store.teams.get(team))

        async def defer() -> bool:
            async with queue.app.open_async():
                return await queue.put(host)

        assert asyncio.run(defer())


def ask(address: str, statement: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address, options="-c search_path=pincite,pg_temp") as connection:
        cursor = connection.execute(statement)
        found = cursor.fetchall() if cursor.description else [(cursor.rowcount,)]
        connection.rollback()
        return list(found)


def test_a_worker_sees_and_ends_the_jobs_of_its_team(logins: QueueLogins) -> None:
    for login, team in ((logins.default, "default"), (logins.blue, "blue")):
        assert ask(login, "SELECT DISTINCT queue_name FROM procrastinate_jobs") == [(f"web-{team}",)]
        assert ask(login, "SELECT count(*) > 0 FROM procrastinate_events") == [(True,)]
        (row,) = ask(login, "SELECT queue_name FROM procrastinate_fetch_job_v2(ARRAY['web-default', 'web-blue'], NULL)")
        assert row == (f"web-{team}",)


def test_a_worker_takes_and_finishes_a_job(logins: QueueLogins) -> None:
    put(logins.default, "default", "finished.example")
    with open_store(parse_address(logins.default)) as store:
        queue = WebQueue(store, store.teams.get("default"))
        seen: list[str] = []

        @queue.app.task(name="visit_host", queue=queue.name)
        async def visit_host(host: str) -> None:
            seen.append(host)

        async def work() -> None:
            async with queue.app.open_async():
                await queue.app.run_worker_async(
                    queues=[queue.name], wait=False, install_signal_handlers=False, delete_jobs="always"
                )

        asyncio.run(work())
    assert "finished.example" in seen
    assert ask(logins.blue, "SELECT count(*) FROM procrastinate_jobs") == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        JOB.format("blue", "blue"),
        JOB.format("default", "blue"),
        JOB.format("other", "default"),
        "UPDATE procrastinate_jobs SET queue_name = 'web-blue'",
        "UPDATE procrastinate_jobs SET queueing_lock = 'blue/x'",
        "INSERT INTO procrastinate_jobs (id, queue_name, task_name) VALUES (9999, 'web-default', 'x')",
        "TRUNCATE procrastinate_jobs CASCADE",
        "SELECT setval('procrastinate_jobs_id_seq', 1)",
        "SELECT nextval('repository_id_seq')",
    ],
)
def test_what_a_worker_may_not_do(logins: QueueLogins, statement: str) -> None:
    put(logins.default, "default", f"host-{abs(hash(statement))}.example")
    with pytest.raises(psycopg.Error, match=r"row-level security|permission denied"):
        ask(logins.default, statement)


def test_jobs_of_others_cannot_be_changed(logins: QueueLogins) -> None:
    for statement in ("DELETE FROM procrastinate_jobs", "UPDATE procrastinate_jobs SET priority = 1"):
        assert ask(logins.default, f"{statement} WHERE queue_name = 'web-blue'") == [(0,)]


def test_a_reader_has_no_queue(logins: QueueLogins) -> None:
    for table in ("jobs", "events", "periodic_defers", "workers"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask(logins.reader, f"SELECT 1 FROM procrastinate_{table}")


def test_every_table_of_the_queue_has_row_security(logins: QueueLogins) -> None:
    rows = logins.owner.backend.query(
        "SELECT relname, relrowsecurity FROM pg_class WHERE relnamespace = 'pincite'::regnamespace AND relkind = 'r' "
        "AND relname <> 'schema_version'"
    )
    assert [name for name, is_secured in rows if not is_secured] == []
    assert len([name for name, _ in rows if name.startswith("procrastinate_")]) == 4

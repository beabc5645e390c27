"""Limits of teams in PostgreSQL, tried by a worker's login that writes SQL; and rows that every reader can take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pincite.core.errors import UsageError
from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewShard, ShardKey, TeamLimits
from pincite.store.shared.transfer import export_store, import_store
from pincite.store.shared.web_records import NewSource
from support_store import fill_web, make_login, make_store, make_verdicts, write_check

psycopg = pytest.importorskip("psycopg")

REPOSITORY = "INSERT INTO repository (team, name, location, added) SELECT 1, 'r' || n, '', 1 FROM generate_series({}) n"
SHARD = """INSERT INTO shard (team, repository, commit_id, settings, version, committed, ticket, finished, seconds,
documents, citations, trace) VALUES (1, {repository}, 'c', 's', 'v', 1, {ticket}, 1, {seconds}, 1, {citations}, '')
RETURNING id"""
VERDICT = """INSERT INTO verdict (citation, repository, since, until, document, line, team, outcome, finding, written,
message) SELECT n, {repository}, {shard}, {until}, 1, 1, 1, 0, '', {written}, '' FROM generate_series({numbers}) n"""
SOURCE = """INSERT INTO web_source (team, url, host, final, period, due, state, status, etag, modified, digest, unread,
seen, failing_since, failures, failed, absent_days, absent_day, trouble) SELECT 1, 'u' || n, 'h', '', 1, 1, 'new', 0,
'', '', '', false, 0, 0, 0, 0, 0, 0, '' FROM generate_series({}) n"""


class Tenant(NamedTuple):
    """A team with limits, and a login that writes for it."""

    owner: SharedStore
    worker: str
    repository: int
    other: int


@pytest.fixture
def tenant(postgres_server: Any, postgres_address: str) -> Iterator[Tenant]:
    worker = make_login(postgres_server, postgres_address, "tenant_1")
    with make_store(postgres_address) as owner:
        team = owner.teams.set("default", TeamLimits(repositories=3, citations=5, sources=4))
        owner.teams.grant("tenant_1", "default", "worker")
        one, other = owner.verdicts.add_repositories(team, [("a", "/a"), ("b", "/b")])
        yield Tenant(owner, worker, one.id, other.id)


def connect(address: str) -> Any:
    return psycopg.connect(address, options="-c search_path=pincite,pg_temp")


def conclude(connection: Any, repository: int, citations: int, ticket: int = 1) -> int:
    """A shard that says that it has so many citations, and stands."""
    shard: int = connection.execute(
        SHARD.format(repository=repository, ticket=ticket, seconds=1, citations=citations)
    ).fetchone()[0]
    connection.execute("UPDATE repository SET current = %s WHERE id = %s", (shard, repository))
    return shard


def add_verdicts(connection: Any, repository: int, shard: int, numbers: str) -> None:
    connection.execute(VERDICT.format(repository=repository, shard=shard, until="NULL", written="''", numbers=numbers))


def test_sql_adds_no_more_repositories_than_the_limit(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        connection.execute(REPOSITORY.format("1, 1"))
        with pytest.raises(psycopg.Error, match=r"team default: 5 repositories are more than its limit of 3; nothing"):
            connection.execute(REPOSITORY.format("2, 3"))
    assert len(tenant.owner.verdicts.list_repositories()) == 2


def test_sql_adds_no_more_sources_than_the_limit(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        connection.execute(SOURCE.format("1, 4"))
        connection.commit()
        with pytest.raises(psycopg.Error, match=r"team default: 5 web sources are more than its limit of 4; nothing"):
            connection.execute(SOURCE.format("5, 5"))
    assert sum(tenant.owner.sources.count().values()) == 4


def test_sql_stores_no_more_citations_than_the_limit(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        add_verdicts(connection, tenant.repository, conclude(connection, tenant.repository, 5), "1, 5")
        connection.commit()
        with pytest.raises(psycopg.Error, match=r"team default: 6 citations are more than its limit of 5; nothing"):
            conclude(connection, tenant.other, 1)


def test_a_team_over_a_lowered_limit_may_shrink(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        add_verdicts(connection, tenant.repository, conclude(connection, tenant.repository, 5), "1, 5")
        connection.commit()
        tenant.owner.teams.set("default", TeamLimits(citations=1))
        conclude(connection, tenant.other, 0, 2)
        with pytest.raises(psycopg.Error, match=r"team default: 6 citations are more than its limit of 1; nothing"):
            conclude(connection, tenant.other, 1, 3)


@pytest.mark.parametrize("claimed", [0, 2])
def test_a_shard_that_counts_too_few_citations_gets_no_more_verdicts(tenant: Tenant, claimed: int) -> None:
    with connect(tenant.worker) as connection:
        shard = conclude(connection, tenant.repository, claimed)
        with pytest.raises(psycopg.Error, match=rf"a: 3 verdicts are more than the {claimed} citations of the check"):
            add_verdicts(connection, tenant.repository, shard, "1, 3")
    with connect(tenant.worker) as connection, pytest.raises(psycopg.Error, match="more than the 0 citations"):
        add_verdicts(connection, tenant.repository, 1, "1, 1")


@pytest.mark.parametrize("then", ["a smaller shard", "none", "one that counts below zero"])
def test_the_count_cannot_be_lowered_while_verdicts_stand(tenant: Tenant, then: str) -> None:
    with connect(tenant.worker) as connection:
        add_verdicts(connection, tenant.repository, conclude(connection, tenant.repository, 5), "1, 5")
        connection.commit()
        with pytest.raises(psycopg.Error, match=r"5 verdicts are more than the 0 citations|row-level security"):
            if then == "none":
                connection.execute("UPDATE repository SET current = NULL WHERE id = %s", (tenant.repository,))
            else:
                conclude(connection, tenant.repository, 0 if "smaller" in then else -5, 2)


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
def test_an_older_view_of_the_store_finds_no_room_twice(tenant: Tenant, level: str) -> None:
    with connect(tenant.worker) as one, connect(tenant.worker) as other:
        other.execute(f"SET TRANSACTION ISOLATION LEVEL {level}")
        other.execute("SELECT count(*) FROM repository")
        one.execute(REPOSITORY.format("1, 1"))
        one.commit()
        with pytest.raises(psycopg.Error, match="read committed"):
            other.execute(REPOSITORY.format("2, 2"))


def test_two_that_add_at_once_do_not_both_find_room(tenant: Tenant) -> None:
    with connect(tenant.worker) as one, connect(tenant.worker) as other:
        one.execute(REPOSITORY.format("1, 1"))
        other.execute("SET lock_timeout = '200ms'")
        with pytest.raises(psycopg.errors.LockNotAvailable):
            other.execute(REPOSITORY.format("2, 2"))


def test_the_program_says_the_same_when_the_database_refuses(tenant: Tenant) -> None:
    """The program's login may have read the limits before they were lowered."""
    with open_store(parse_address(tenant.worker)) as store:
        team = store.teams.get("default")
        shard = NewShard(ShardKey(tenant.repository, "1", "s", "1"), 1, 1, 0.1, 1)
        with pytest.raises(UsageError, match=r"^team default: 6 citations are more than its limit of 5; nothing was"):
            store.verdicts.write(team, shard, make_verdicts(6))
        assert store.verdicts.write(team, shard, make_verdicts(5))
        assert store.verdicts.write(team, NewShard(ShardKey(tenant.repository, "2", "s", "1"), 1, 2, 0.1, 1), [])
        pages = [NewSource(f"https://example.org/{number}", "", "place") for number in range(5)]
        with pytest.raises(UsageError, match=r"^team default: 5 web sources are more than its limit of 4; nothing"):
            store.sources.add(team, pages)
        assert store.sources.add(team, pages[:4]).added == 4
        tenant.owner.teams.set("default", TeamLimits(repositories=2))
        with pytest.raises(UsageError, match=r"^team default: 3 repositories are more than its limit of 2; nothing"):
            store.verdicts.add_repositories(team, [("c", "/c")])
        assert store.verdicts.reconcile() == []


def test_a_store_over_its_limits_is_restored_whole(tenant: Tenant, postgres_server: Any, tmp_path: Path) -> None:
    fill_web(tenant.owner)
    write_check(tenant.owner, "a", "1", make_verdicts(5), 1)
    tenant.owner.teams.set("default", TeamLimits(repositories=1, citations=1, sources=1))
    file = str(tmp_path / "store.gz")
    before = export_store(tenant.owner.backend, file)
    with closing(open_backend(parse_address(postgres_server.new_database()))) as backend:
        assert import_store(backend, file).rows == before.rows
        enabled = backend.query("SELECT DISTINCT tgenabled::text FROM pg_trigger WHERE starts_with(tgname, 'limits')")
        assert enabled == [("O",)]


def test_no_login_puts_the_functions_of_the_limits_on_a_table_of_its_own(tenant: Tenant) -> None:
    """They see all teams: on a table of the login they would count, and lock, what belongs to another one."""
    functions = [
        name
        for (name,) in tenant.owner.backend.query(
            "SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'pincite'::regnamespace AND prosecdef"
        )
    ]
    assert len(functions) == 5
    for function in functions:
        with connect(tenant.worker) as connection:
            connection.execute("CREATE TEMPORARY TABLE mine (id int, team smallint, repository int, current int)")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                if "smallint[]" in function:
                    connection.execute(f"SELECT {function.partition('(')[0]}('{{1}}')")
                else:
                    connection.execute(
                        "CREATE TRIGGER mine AFTER INSERT ON mine REFERENCING NEW TABLE AS added "
                        f"FOR EACH STATEMENT EXECUTE FUNCTION {function}"
                    )


# Rows that an export, an import and every reader can take


def test_old_verdicts_are_not_invented(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        shard = conclude(connection, tenant.repository, 5)
        with pytest.raises(psycopg.Error, match="row-level security"):
            connection.execute(
                VERDICT.format(repository=tenant.repository, shard=shard, until=shard, written="''", numbers="1, 1")
            )


def test_a_repository_stands_for_a_shard_of_its_own(tenant: Tenant) -> None:
    with connect(tenant.worker) as connection:
        shard = conclude(connection, tenant.repository, 0)
        connection.execute("UPDATE repository SET visited = 5")
        with pytest.raises(psycopg.Error, match="row-level security"):
            connection.execute("UPDATE repository SET current = %s WHERE id = %s", (shard, tenant.other))


@pytest.mark.parametrize("seconds", ["'NaN'", "'Infinity'", "'-Infinity'", "-1"])
def test_what_has_no_json_is_refused(tenant: Tenant, seconds: str) -> None:
    """An export would write `null`, and no import would take it."""
    with connect(tenant.worker) as connection:
        with pytest.raises(psycopg.Error, match="row-level security"):
            connection.execute(SHARD.format(repository=tenant.repository, ticket=1, seconds=seconds, citations=0))
        connection.rollback()
        with pytest.raises(psycopg.Error, match="row-level security"):
            connection.execute(f"INSERT INTO web_host (name, delay) VALUES ('x', {seconds})")
        connection.rollback()
        connection.execute("INSERT INTO web_host (name) VALUES ('x')")
        with pytest.raises(psycopg.Error, match="row-level security"):
            connection.execute(f"UPDATE web_host SET rests_until = {seconds}")


def test_a_ticket_never_is_the_last_one(tenant: Tenant) -> None:
    """After an import the next ticket is larger than all there are; then every team needs one."""
    with connect(tenant.worker) as connection, pytest.raises(psycopg.Error, match="row-level security"):
        conclude(connection, tenant.repository, 0, 2**63 - 1)
    with connect(tenant.worker) as connection:
        conclude(connection, tenant.repository, 0, 2**62 - 1)
        connection.commit()
    tenant.owner.verdicts.follow_tickets()
    assert tenant.owner.verdicts.take_ticket() == 2**62


@pytest.mark.parametrize(
    "statement",
    [
        VERDICT.format(repository=1, shard=1, until="NULL", written="repeat('x', 2000000)", numbers="1, 1"),
        "INSERT INTO evidence VALUES (1, 'text', '', 'k', 1, decode(repeat('00', 64 * 1024 * 1024 + 1), 'hex'))",
        "INSERT INTO web_worker VALUES (repeat(md5(''), 40000), 1, 1)",
        "UPDATE repository SET location = repeat('x', 2000000)",
    ],
)
def test_a_row_fits_into_a_line_of_an_export(tenant: Tenant, statement: str) -> None:
    with connect(tenant.worker) as connection, pytest.raises(psycopg.Error, match="row-level security"):
        connection.execute(statement)


def test_checks_use_up_no_numbers_of_documents(tenant: Tenant) -> None:
    """They have 31 bits for all teams together."""
    tenant.owner.teams.set("default", TeamLimits())
    for ticket in (1, 2, 3):
        assert write_check(tenant.owner, "a", f"{ticket:040x}", make_verdicts(30, ticket), ticket)
    assert tenant.owner.backend.query("SELECT max(id), count(*) FROM document") == [(5, 5)]
    assert tenant.owner.backend.query("SELECT last_value FROM document_id_seq") == [(5,)]

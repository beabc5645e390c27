"""Who may do what in PostgreSQL, tried with real logins: a team sees, writes and disturbs no other team."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pytest

from pincite.core.errors import UsageError
from pincite.store.database import StoreTrouble
from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewShard, ShardKey, StoredEvidence, TeamLimits
from pincite.store.shared.schema import list_tables, migrate
from support_store import fill_everything, make_login, make_store, make_verdicts, name_of, write_check

psycopg = pytest.importorskip("psycopg")

WITHOUT_TEAM = {
    "schema_version": "says which program may use the store",
    "web_host": "hosts have one pace for all teams",
    "web_worker": "workers that ask hosts serve all teams",
}
"""Tables whose rows belong to no team, with the reason."""
NO_ROW_SECURITY = {"schema_version": "everyone who uses the store reads it, and only its owner writes it"}


class Logins(NamedTuple):
    """A store with two teams, and who may see them."""

    owner: SharedStore
    server: Any
    database: str
    reader: str
    """Reads team default."""
    worker: str
    """Writes for team default, and reads none else."""
    both: str
    """Writes for team default, and reads blue."""
    stranger: str
    """Has a login and no team."""


@pytest.fixture(scope="module")
def logins(postgres_server: Any) -> Iterator[Logins]:
    address = postgres_server.new_database()
    with make_store(address) as owner:
        fill_everything(owner)
        roles = [make_login(postgres_server, address, f"{name}_1") for name in ("reader", "worker", "both", "stranger")]
        owner.teams.grant("reader_1", "default", "reader")
        owner.teams.grant("worker_1", "default", "worker")
        owner.teams.grant("both_1", "default", "worker")
        owner.teams.grant("both_1", "blue", "reader")
        yield Logins(owner, postgres_server, name_of(address), *roles)


def ask(address: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
    """What a statement gives to a login, in a transaction that is rolled back."""
    with psycopg.connect(address, options="-c search_path=pincite,pg_temp") as connection:
        cursor = connection.execute(statement, values or None)
        found = cursor.fetchall() if cursor.description else [(cursor.rowcount,)]
        connection.rollback()
        return list(found)


def refusal(address: str, statement: str, *values: object) -> str:
    """Why a statement is refused; fails where it is not."""
    with pytest.raises(psycopg.Error) as error:
        ask(address, statement, *values)
    return str(error.value)


def is_harmless(address: str, statement: str) -> bool:
    """Whether a statement is refused, or finds nothing to change."""
    try:
        return ask(address, statement)[0][0] == 0
    except psycopg.Error:
        return True


def tables_with_team(store: SharedStore) -> list[str]:
    return [
        table
        for table in list_tables(store.backend)
        if table == "team" or any(column.name == "team" for column in store.backend.list_columns(table))
    ]


def test_every_table_belongs_to_teams_or_says_why_not(logins: Logins) -> None:
    tables = set(list_tables(logins.owner.backend)) | {"schema_version"}
    assert tables - set(tables_with_team(logins.owner)) <= set(WITHOUT_TEAM)
    secured = logins.owner.backend.query(
        "SELECT relname FROM pg_class WHERE relnamespace = 'pincite'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') "
        "AND NOT relrowsecurity"
    )
    assert {name for (name,) in secured if not name.startswith("procrastinate_")} == set(NO_ROW_SECURITY)


def test_every_table_has_rows_of_both_teams(logins: Logins) -> None:
    for table in tables_with_team(logins.owner):
        column = "id" if table == "team" else "team"
        assert len(logins.owner.backend.query(f"SELECT DISTINCT {column} FROM {table}")) >= 2, table


def test_a_reader_sees_its_team_alone(logins: Logins) -> None:
    for table in tables_with_team(logins.owner):
        column = "id" if table == "team" else "team"
        seen = {team for (team,) in ask(logins.reader, f"SELECT DISTINCT {column} FROM {table}")}
        assert seen == {1}, table
        own = logins.owner.backend.query(f"SELECT count(*) FROM {table} WHERE {column} = 1")
        if table != "member":
            assert ask(logins.reader, f"SELECT count(*) FROM {table}") == own, table
    assert ask(logins.reader, "SELECT role_name FROM member") == [("reader_1",)]


def test_a_login_without_a_team_sees_nothing(logins: Logins) -> None:
    for table in tables_with_team(logins.owner):
        assert "permission denied" in refusal(logins.stranger, f"SELECT 1 FROM pincite.{table}"), table


def test_a_reader_writes_nothing(logins: Logins) -> None:
    for table in list_tables(logins.owner.backend):
        name = logins.owner.backend.list_columns(table)[-1].name
        for statement in (
            f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1",
            f"UPDATE {table} SET {name} = {name}",
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
        ):
            assert "permission denied" in refusal(logins.reader, statement), statement


@pytest.mark.parametrize("login", ["worker", "both"])
def test_a_worker_changes_nothing_of_another_team(logins: Logins, login: str) -> None:
    address = getattr(logins, login)
    for table in tables_with_team(logins.owner):
        column = "id" if table == "team" else "team"
        for target in (one.name for one in logins.owner.backend.list_columns(table)):
            assert is_harmless(address, f"UPDATE {table} SET {target} = {target} WHERE {column} <> 1"), (table, target)
        assert is_harmless(address, f"DELETE FROM {table} WHERE {column} <> 1"), table
        assert is_harmless(address, f"TRUNCATE {table} CASCADE"), table


def test_a_worker_that_reads_another_team_does_not_write_for_it(logins: Logins) -> None:
    with open_store(parse_address(logins.both)) as store:
        blue = store.teams.get("blue")
        for work in (
            lambda: store.verdicts.add_repositories(blue, [("new", "/new")]),
            lambda: store.evidence.put(blue, [StoredEvidence("text", "p", "k", 1, b"")]),
            lambda: write_check(store, "github.com/blue/0", "f" * 40, make_verdicts(3), 99, "blue"),
            lambda: store.teams.set("blue", TeamLimits(citations=1)),
            lambda: store.teams.set("green"),
            lambda: store.teams.grant("both_1", "blue", "worker"),
        ):
            with pytest.raises((StoreTrouble, UsageError), match=r"no rights|none that you may write to"):
                work()
    assert logins.owner.teams.get("blue").limits.citations != 1


def test_a_worker_does_its_work(logins: Logins) -> None:
    with open_store(parse_address(logins.worker)) as store:
        for ticket, size in ((101, 40), (102, 41)):
            assert write_check(store, "github.com/default/work", f"{ticket:040x}", make_verdicts(size, ticket), ticket)
        team = store.teams.get("default")
        (known,) = store.verdicts.add_repositories(team, [("github.com/default/work", "/elsewhere")])
        store.verdicts.record_failure(team, known.id, "gone", "")
        store.verdicts.record_failure(team, known.id, "gone again", "")
        assert store.evidence.put(team, [StoredEvidence("text", "p", "work", 1, b"a")]) == 1
        assert store.evidence.put(team, [StoredEvidence("text", "p", "work", 2, b"b")]) == 1
        assert store.verdicts.take_ticket() < store.verdicts.take_ticket()
        assert store.verdicts.reconcile() == []
        assert len(store.overview.history(known.id, make_verdicts(1)[0].citation)) >= 1
    assert logins.owner.verdicts.reconcile() == []


def foreign_shard(logins: Logins) -> tuple[int, int]:
    """A repository and a shard of team blue."""
    ((repository, shard),) = logins.owner.backend.query(
        "SELECT repository.id, repository.current FROM repository JOIN team ON team.id = repository.team "
        "WHERE team.name = 'blue' AND current IS NOT NULL ORDER BY repository.id LIMIT 1"
    )
    return repository, shard


def test_a_worker_does_not_take_the_place_of_rows_of_another_team(logins: Logins) -> None:
    """Unique keys see all teams: a row of the own team with a repository of another one would block that one."""
    repository, shard = foreign_shard(logins)
    shard_row = "'c', 's', 'v', '{}', 1, 1, 1, 0.1, 1, 0, ''"
    columns = "commit_id, settings, version, others, committed, ticket, finished, seconds, documents, citations, trace"
    for statement in (
        f"INSERT INTO shard (team, repository, {columns}) VALUES (1, {repository}, {shard_row})",
        f"INSERT INTO document (team, repository, path) VALUES (1, {repository}, 'README.md')",
        f"INSERT INTO failure VALUES ({repository}, 1, 1, 1, '', '')",
        f"INSERT INTO tally VALUES ({shard}, 6, 1, 1, 0)",
        "INSERT INTO verdict (citation, repository, since, document, line, team, outcome, finding, written, message) "
        f"VALUES (1, {repository}, {shard}, 1, 1, 1, 0, '', '', '')",
    ):
        assert "row-level security" in refusal(logins.worker, statement), statement


def test_a_worker_gives_no_row_its_number(logins: Logins) -> None:
    for table in list_tables(logins.owner.backend):
        if any(column.name == "id" for column in logins.owner.backend.list_columns(table)):
            assert "permission denied" in refusal(logins.worker, f"INSERT INTO {table} (id) VALUES (20000)"), table
            assert is_harmless(logins.worker, f"UPDATE {table} SET id = 20000"), table
    assert "permission denied" in refusal(logins.worker, "SELECT setval('ticket', 1)")


def test_old_verdicts_stay_as_they_were(logins: Logins) -> None:
    with open_store(parse_address(logins.worker)) as store:
        for ticket in (201, 202):
            write_check(store, "github.com/default/old", f"{ticket:040x}", make_verdicts(30, ticket), ticket)
    for column in ("citation", "repository", "since", "document", "team", "outcome", "finding", "written", "message"):
        assert "permission denied" in refusal(logins.worker, f"UPDATE verdict SET {column} = {column}"), column
    ended = "WHERE until IS NOT NULL"
    assert logins.owner.backend.query(f"SELECT count(*) > 0 FROM verdict {ended} AND team = 1") == [(True,)]
    assert ask(logins.worker, f"UPDATE verdict SET until = NULL, line = 1 {ended}") == [(0,)]
    assert ask(logins.worker, "UPDATE verdict SET line = line WHERE until IS NULL")[0][0] > 0
    assert "permission denied" in refusal(logins.worker, "DELETE FROM verdict")


def test_nobody_but_the_owner_gives_rights(logins: Logins) -> None:
    for address in (logins.reader, logins.worker, logins.both):
        for statement in (
            "INSERT INTO member VALUES ('worker_1', 2, true)",
            "UPDATE member SET is_worker = true",
            "UPDATE member SET team = 2",
            "GRANT pincite_worker TO reader_1",
            "ALTER TABLE verdict DISABLE ROW LEVEL SECURITY",
            "DROP POLICY see ON verdict",
            "CREATE POLICY mine ON verdict USING (true)",
            "ALTER TABLE verdict OWNER TO worker_1",
            "CREATE TABLE pincite.mine (a int)",
            "CREATE TABLE public.mine (a int)",
            "CREATE SCHEMA mine",
            "CREATE ROLE mine",
            "CREATE FUNCTION pincite.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
            "CREATE EXTENSION dblink",
            "SET ROLE owner",
            "SET ROLE both_1" if "both" not in address else "SET ROLE worker_1",
            "SET SESSION AUTHORIZATION owner",
            "COPY verdict TO PROGRAM 'cat'",
            "COPY verdict TO '/tmp/x'",
            "SELECT pg_read_file('postgresql.conf')",
            "SELECT rolpassword FROM pg_authid",
            "SELECT passwd FROM pg_shadow",
            "SELECT * FROM pg_hba_file_rules",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'owner'",
        ):
            said = refusal(address, statement)
            assert any(word in said for word in ("denied", "must be", "must have", "extension")), statement


def test_a_group_role_has_no_team(logins: Logins) -> None:
    for role in ("pincite_reader", "pincite_worker"):
        with psycopg.connect(logins.worker, options="-c search_path=pincite") as connection:
            connection.execute(f"SET ROLE {role}")
            assert connection.execute("SELECT count(*) FROM verdict").fetchone() == (0,)


def test_row_security_cannot_be_switched_off(logins: Logins) -> None:
    with psycopg.connect(logins.worker, options="-c search_path=pincite") as connection:
        connection.execute("SET row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT 1 FROM verdict")


def test_shadows_on_the_search_path_change_no_policy(logins: Logins) -> None:
    """A table or function of the login's own is not taken for that of a policy or of the store."""
    shadows = (
        "CREATE TEMPORARY TABLE member (role_name text, team smallint, is_worker boolean)",
        "INSERT INTO pg_temp.member VALUES ('worker_1', 2, true)",
        "CREATE TEMPORARY TABLE repository AS SELECT id, 2::smallint AS team FROM pincite.repository",
        "CREATE FUNCTION pg_temp.current_user() RETURNS name LANGUAGE sql AS $$ SELECT 'both_1'::name $$",
        "CREATE FUNCTION pg_temp.\"current_user\"(int) RETURNS name LANGUAGE sql AS $$ SELECT 'both_1'::name $$",
        "CREATE OPERATOR pg_temp.= (LEFTARG = text, RIGHTARG = name, PROCEDURE = textnename)",
    )
    with psycopg.connect(logins.worker, options="-c search_path=pg_temp,pincite", autocommit=True) as connection:
        for statement in shadows:
            try:
                connection.execute(statement)
            except psycopg.Error:
                assert "OPERATOR" in statement or "FUNCTION" in statement
        assert connection.execute("SELECT DISTINCT team FROM pincite.verdict").fetchall() == [(1,)]
        with pytest.raises(psycopg.Error):
            connection.execute("INSERT INTO pincite.repository (team, name, location, added) VALUES (2, 'x', '', 1)")


def test_the_store_uses_its_own_tables_whatever_the_login_prefers(logins: Logins) -> None:
    """A login with a search path of its own, and tables of the same names there."""
    logins.server.execute(
        "CREATE SCHEMA IF NOT EXISTS lure",
        "CREATE TABLE IF NOT EXISTS lure.repository (id int)",
        "CREATE TABLE IF NOT EXISTS lure.incoming (id int)",
        "GRANT USAGE, CREATE ON SCHEMA lure TO worker_1",
        f"ALTER ROLE worker_1 IN DATABASE {logins.database} SET search_path = lure, public",
        database=logins.database,
    )
    try:
        with open_store(parse_address(logins.worker)) as store:
            assert write_check(store, "github.com/default/lured", "9" * 40, make_verdicts(5), 301)
            assert store.overview.summarize()
    finally:
        logins.server.execute(
            f"ALTER ROLE worker_1 IN DATABASE {logins.database} RESET search_path",
            "DROP SCHEMA lure CASCADE",
            database=logins.database,
        )


def test_public_has_nothing(logins: Logins) -> None:
    query = logins.owner.backend.query
    tables = query(
        "SELECT relname FROM pg_class, aclexplode(relacl) WHERE relnamespace = 'pincite'::regnamespace AND grantee = 0"
    )
    assert tables == []
    assert query("SELECT 1 FROM pg_namespace, aclexplode(nspacl) WHERE nspname = 'pincite' AND grantee = 0") == []
    rights = query(
        "SELECT privilege_type FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) "
        "WHERE datname = current_database() AND grantee = 0"
    )
    assert rights == []
    create = query(
        "SELECT 1 FROM pg_namespace, aclexplode(nspacl) WHERE nspname = 'public' AND grantee = 0 "
        "AND privilege_type = 'CREATE'"
    )
    assert create == []
    assert "permission denied for database" in refusal(logins.stranger, "SELECT 1")


def test_roles_have_the_rights_that_are_listed_and_no_others(logins: Logins) -> None:
    found: dict[str, set[str]] = {}
    for role, table, right in logins.owner.backend.query(
        "SELECT grantee::regrole::text, relname, privilege_type FROM pg_class, aclexplode(relacl) "
        "WHERE relnamespace = 'pincite'::regnamespace AND grantee <> relowner"
    ):
        found.setdefault(f"{role} {right}", set()).add(table)
    tables = set(list_tables(logins.owner.backend)) | {"schema_version"}
    assert found.pop("pincite_reader SELECT") == tables
    assert found.pop("pincite_worker SELECT") == tables
    assert {name for name in found.pop("pincite_worker DELETE") if not name.startswith("web_")} == {"failure"}
    assert found.pop("pincite_worker USAGE") == {"ticket"}
    for right in ("INSERT", "UPDATE"):
        # On whole tables; elsewhere rights are given by column.
        assert found.pop(f"pincite_worker {right}", set()) <= {"evidence", "web_host", "web_worker", "web_visit"}
    assert found == {}


def test_what_is_taken_away_is_gone(logins: Logins) -> None:
    address = make_login(logins.server, logins.worker, "passing_1")
    logins.owner.teams.grant("passing_1", "default", "worker")
    with open_store(parse_address(address)) as store:
        assert store.overview.summarize()
        logins.owner.teams.grant("passing_1", "default", "reader")
        team = store.teams.get("default")
        with pytest.raises(StoreTrouble, match="no rights"):
            store.evidence.put(team, [StoredEvidence("text", "p", "k", 1, b"")])
        assert logins.owner.teams.revoke("passing_1", "default")
        with pytest.raises(StoreTrouble, match="no rights"):
            store.overview.summarize()
    assert not logins.owner.teams.revoke("passing_1", "default")
    with pytest.raises(StoreTrouble, match=r"no rights"):
        open_store(parse_address(address), patience=0.0)


def test_statistics_give_no_values_of_others_away(logins: Logins) -> None:
    logins.owner.backend.run("ANALYZE")
    seen = "SELECT count(*) FROM pg_stats WHERE schemaname = 'pincite' AND tablename <> 'schema_version'"
    assert ask(logins.worker, seen) == [(0,)]
    assert "permission denied" in refusal(logins.worker, "SELECT stavalues1 FROM pg_statistic")


def test_a_database_that_others_use_keeps_its_rights(postgres_server: Any) -> None:
    address = postgres_server.new_database()
    postgres_server.execute("CREATE TABLE public.theirs (a int)", database=name_of(address))
    with make_store(address) as store:
        rights = store.backend.query(
            "SELECT privilege_type FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba))) "
            "WHERE datname = current_database() AND grantee = 0 ORDER BY 1"
        )
    assert rights == [("CONNECT",), ("TEMPORARY",)]


def test_who_does_not_own_the_schema_migrates_nothing(logins: Logins) -> None:
    for address in (logins.worker, logins.both):
        with closing(open_backend(parse_address(address), 0.0)) as backend, pytest.raises(StoreTrouble) as error:
            migrate(backend)
        assert "belongs to another login" in str(error.value)


def test_a_schema_that_another_login_planted_is_not_used(postgres_server: Any) -> None:
    address = postgres_server.new_database()
    make_login(postgres_server, address, "planter_1")
    postgres_server.execute("CREATE SCHEMA pincite AUTHORIZATION planter_1", database=name_of(address))
    postgres_server.execute(
        f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plain_1') THEN CREATE ROLE plain_1 LOGIN; "
        f"END IF; END $$; ALTER DATABASE {name_of(address)} OWNER TO plain_1"
    )
    plain = postgres_server.address(name_of(address), "plain_1")
    with closing(open_backend(parse_address(plain), 0.0)) as backend, pytest.raises(StoreTrouble) as error:
        migrate(backend)
    assert "belongs to another login" in str(error.value)


def test_an_owner_without_power_over_roles_is_told_what_to_do(postgres_server: Any) -> None:
    """Where the roles exist already, owning the database is enough."""
    address = postgres_server.new_database()
    plain = make_login(postgres_server, address, "plain_2")
    postgres_server.execute(f"ALTER DATABASE {name_of(address)} OWNER TO plain_2")
    with closing(open_backend(parse_address(plain), 0.0)) as backend:
        assert migrate(backend)
    with open_store(parse_address(plain)) as store:
        assert write_check(store, "a", "1" * 40, make_verdicts(4), store.verdicts.take_ticket())


def test_a_shard_of_a_repository_that_the_team_does_not_have(logins: Logins) -> None:
    repository, _ = foreign_shard(logins)
    team = logins.owner.teams.get("default")
    shard = NewShard(ShardKey(repository, "c", "s", "v"), 1, 999, 0.1, 1)
    with pytest.raises(UsageError, match="none that you may write to"):
        logins.owner.verdicts.write(team, shard, [])

"""Stores with something in them, and logins of PostgreSQL, for the tests of the shared store."""

from __future__ import annotations

import random
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewShard, NewVerdict, ShardKey, StoredEvidence, TeamLimits
from pincite.store.shared.schema import migrate

WORDS = ("a", "", "b c", "ä", "\u202e", "漢字", "'", '"', "\\", "\t", "\n", "%s", "?", "\U0001f600", "[", "{")
"""What columns of text must give back as it is."""


def make_store(address: str) -> SharedStore:
    """The store at an address, with its schema."""
    with closing(open_backend(parse_address(address))) as backend:
        migrate(backend)
    return open_store(parse_address(address))


def write_check(
    store: SharedStore, name: str, commit: str, verdicts: list[NewVerdict], ticket: int, team: str = "default"
) -> bool:
    """Store a check of a repository, which is made where it is missing."""
    chosen = store.teams.get(team)
    (repository,) = store.verdicts.add_repositories(chosen, [(name, f"https://{name}")])
    key = ShardKey(repository.id, commit, "settings", "1.0")
    return store.verdicts.write(chosen, NewShard(key, 1_700_000_000 + ticket, ticket, 0.25, 3), verdicts)


def make_verdicts(number: int, seed: int = 0, word: str = "") -> list[NewVerdict]:
    """So many verdicts, a third of them problems."""
    draw = random.Random(seed)
    outcomes = [0 if at % 3 else draw.choice((1, 2, 5, 7)) for at in range(number)]
    return [
        NewVerdict(
            at * 7_919 - 2**40, f"docs/{at % 5}{word}.md", at + 1, outcome, "lines-moved" if outcome else "", word, "s"
        )
        for at, outcome in enumerate(outcomes)
    ]


def fill_store(store: SharedStore, seed: int = 0, size: int = 20) -> None:
    """Put something into every table that has an interface of its own; the same for the same seed."""
    draw = random.Random(seed)
    for name in ("default", "blue"):
        team = store.teams.set(name, TeamLimits(citations=draw.choice((0, 10**12))))
        for number in range(draw.randrange(1, 4)):
            repository = f"github.com/{name}/{number}"
            for commit in range(draw.randrange(1, 4)):
                verdicts = make_verdicts(draw.randrange(size), draw.randrange(4), draw.choice(WORDS))
                write_check(store, repository, f"{commit:040x}", verdicts, store.verdicts.take_ticket(), name)
        (failed,) = store.verdicts.add_repositories(team, [(f"{name}/failed", "/x")])
        store.verdicts.record_failure(team, failed.id, draw.choice(WORDS), "trace")
        store.evidence.put(
            team,
            [
                StoredEvidence(kind, draw.choice(WORDS), f"key {number}", draw.randrange(2**40), draw.randbytes(number))
                for kind in ("text", "run", "receipt", "judgement", "acceptance", "snapshot")
                for number in range(draw.randrange(4))
            ],
        )


def fill_everything(store: SharedStore, seed: int = 0) -> None:
    """As `fill_store`, and a row of every other table, made by its columns: of the team `default`, and of `blue`."""
    fill_store(store, seed)
    fill_web(store)


def fill_web(store: SharedStore) -> None:
    """Rows of the tables of web sources, by their columns."""
    backend, draw = store.backend, random.Random(1)
    teams = [team.id for team in store.teams.list()]
    for table in ("web_host", "web_worker", "web_source", "web_visit", "web_quote", "web_snapshot", "web_event"):
        if not backend.has_table(table):
            continue
        columns = backend.list_columns(table)
        names = [column.name for column in columns]
        for number, team in enumerate(teams if "team" in names else [0], 1):
            known: dict[str, object] = {"id": number, "team": team, "source": number}
            values = [known.get(column.name, _draw_value(draw, column.kind, number)) for column in columns]
            marks = ", ".join("?" * len(values))
            backend.run(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", values)
        if "id" in names:
            backend.follow_ids(table, "id")


def _draw_value(draw: random.Random, kind: type, number: int) -> object:
    if kind is str:
        return f"{draw.choice(WORDS)}{number}"
    if kind is bytes:
        return draw.randbytes(8)
    if kind is bool:
        return bool(number % 2)
    return draw.random() if kind is float else draw.randrange(2)


def name_of(address: str) -> str:
    """The name of the database in an address."""
    return urlsplit(address).path.strip("/")


def make_login(server: Any, address: str, role: str, password: str = "") -> str:
    """The address of a database for a login, which is made where it is missing."""
    database = name_of(address)
    secret = f" PASSWORD '{password}'" if password else ""
    server.execute(
        f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{role}') THEN "
        f"CREATE ROLE {role} LOGIN{secret}; END IF; END $$",
        database=database,
    )
    return str(server.address(database, role))

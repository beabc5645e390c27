"""What a store holds, in numbers: for `pincite store status`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .reconciliation import find_discrepancies
from .schema import list_tables, load_migrations, read_state

if TYPE_CHECKING:
    from . import SharedStore
    from .records import Team

_MOST_FAILURES = 20
_USE = """SELECT repository.team, count(*), coalesce(sum(shard.citations), 0) FROM repository
LEFT JOIN shard ON shard.id = repository.current GROUP BY repository.team"""
_LAST = """SELECT repository.name, shard.commit_id, shard.finished FROM shard
JOIN repository ON repository.id = shard.repository ORDER BY shard.finished DESC, shard.id DESC LIMIT 1"""
_FAILURES = """SELECT repository.name, failure.failed, failure.tries, failure.trouble FROM failure
JOIN repository ON repository.id = failure.repository ORDER BY failure.failed DESC, repository.name"""


class TableUse(Struct, frozen=True):
    """How much one table holds."""

    name: str
    rows: int
    size: int
    """Bytes with indexes; 0 where that is not known."""


class TeamUse(Struct, frozen=True):
    """How much a team uses, and how much it may."""

    team: Team
    repositories: int
    citations: int
    sources: int
    members: tuple[tuple[str, str], ...]
    """The logins that this login may know of, each with its right."""


class LastShard(Struct, frozen=True):
    """The check that finished last."""

    repository: str
    commit: str
    finished: int


class FailedRepository(Struct, frozen=True):
    """A repository that could not be checked."""

    repository: str
    failed: int
    tries: int
    trouble: str


class StoreStatus(Struct, frozen=True):
    """A store in numbers."""

    kind: str
    address: str
    """Without secrets."""
    version: int
    wanted: int
    """The version that this program has."""
    sees_everything: bool
    tables: tuple[TableUse, ...]
    evidence: dict[str, int]
    """Kind to number of records."""
    teams: tuple[TeamUse, ...]
    last: LastShard | None
    failed: int
    """How many repositories could not be checked."""
    failures: tuple[FailedRepository, ...]
    """The latest of them."""
    discrepancies: tuple[str, ...]
    """What does not add up; see `find_discrepancies`."""

    @property
    def bytes_a_verdict(self) -> float:
        """Bytes that one row of a verdict takes, with indexes; 0 where there is none, or that is not known."""
        found = next((one for one in self.tables if one.name == "verdict"), None)
        return found.size / found.rows if found is not None and found.rows else 0.0


def read_status(store: SharedStore) -> StoreStatus:
    """The store in numbers, as this login sees it."""
    backend = store.backend
    state = read_state(backend)
    tables = tuple(
        TableUse(name, backend.query(f"SELECT count(*) FROM {name}")[0][0], backend.measure_table(name))  # noqa: S608
        for name in list_tables(backend)
    )
    last = backend.query(_LAST)
    failures = backend.query(f"{_FAILURES} LIMIT {_MOST_FAILURES}")
    return StoreStatus(
        kind=backend.address.kind,
        address=backend.address.shown,
        version=state.version,
        wanted=load_migrations(backend.address.kind)[-1].version,
        sees_everything=backend.sees_everything(),
        tables=tables,
        evidence=store.evidence.count(),
        teams=_list_use(store),
        last=LastShard(*last[0]) if last else None,
        failed=backend.query("SELECT count(*) FROM failure")[0][0],
        failures=tuple(FailedRepository(*row) for row in failures),
        discrepancies=tuple(find_discrepancies(backend)),
    )


def _list_use(store: SharedStore) -> tuple[TeamUse, ...]:
    checked = {team: (number, int(citations)) for team, number, citations in store.backend.query(_USE)}
    sources: dict[int, int] = dict(store.backend.query("SELECT team, count(*) FROM web_source GROUP BY team"))
    members = store.teams.list_members()
    return tuple(
        TeamUse(team, *checked.get(team.id, (0, 0)), sources.get(team.id, 0), members.get(team.name, ()))
        for team in store.teams.list()
    )

"""Repositories and their verdicts over time.

A verdict is a row that says from which shard until which other one it was true: a citation that always held is one
row, however often it was checked. Where it stands in its document is kept up to date in that row.
"""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from msgspec.json import decode, encode

from ...core.errors import UsageError
from .backend import POSTGRESQL, SQLITE, clean_text
from .reconciliation import find_discrepancies
from .records import FIRST_PROBLEM, FinishedShard, NewVerdict, ShardKey, StoredRepository
from .schema import require_writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .backend import Backend, Row
    from .records import NewShard, Team

_LONGEST_TEXT = 300
_INCOMING = ("citation", "document", "line", "outcome", "finding", "message", "written")
_TEMPORARY = {
    POSTGRESQL: """CREATE TEMPORARY TABLE IF NOT EXISTS pg_temp.incoming (citation bigint, document text, line integer,
    outcome smallint, finding text, message text, written text) ON COMMIT DELETE ROWS""",
    SQLITE: """CREATE TEMPORARY TABLE IF NOT EXISTS temp.incoming (citation INTEGER PRIMARY KEY, document TEXT,
    line INTEGER, outcome INTEGER, finding TEXT, message TEXT, written TEXT)""",
}
_NEW_DOCUMENTS = """INSERT INTO document (team, repository, path)
SELECT DISTINCT CAST(? AS INTEGER), CAST(? AS INTEGER), incoming.document FROM incoming WHERE NOT EXISTS (
    SELECT 1 FROM document WHERE document.repository = ? AND document.path = incoming.document)
ON CONFLICT (repository, path) DO NOTHING"""
_END_OTHERS = """UPDATE verdict SET until = ? WHERE repository = ? AND until IS NULL AND NOT EXISTS (
    SELECT 1 FROM incoming WHERE incoming.citation = verdict.citation AND incoming.outcome = verdict.outcome
    AND incoming.finding = verdict.finding AND incoming.message = verdict.message)"""
_MOVE_LINES = """UPDATE verdict SET line = incoming.line FROM incoming
WHERE verdict.repository = ? AND verdict.until IS NULL AND incoming.citation = verdict.citation
AND incoming.line <> verdict.line"""
_ADD_NEW = """INSERT INTO verdict (citation, repository, since, until, document, line, team, outcome, finding, written,
    message)
SELECT incoming.citation, CAST(? AS INTEGER), CAST(? AS INTEGER), NULL, document.id, incoming.line,
    CAST(? AS INTEGER), incoming.outcome, incoming.finding, incoming.written, incoming.message
FROM incoming JOIN document ON document.repository = ? AND document.path = incoming.document"""
_NOT_THERE = """ WHERE NOT EXISTS (SELECT 1 FROM verdict WHERE verdict.repository = ?
    AND verdict.citation = incoming.citation AND verdict.until IS NULL)"""
_COUNT = """INSERT INTO tally (shard, outcome, team, number, appeared)
SELECT CAST(? AS INTEGER), counted.outcome, CAST(? AS INTEGER), counted.number, coalesce(fresh.number, 0)
FROM (SELECT outcome, count(*) AS number FROM incoming GROUP BY outcome) AS counted
LEFT JOIN (SELECT outcome, count(*) AS number FROM verdict WHERE repository = ? AND since = ? GROUP BY outcome) AS fresh
    ON fresh.outcome = counted.outcome"""
_SHARD = "id, repository, commit_id, settings, version, others, committed, finished, documents, citations"


class Verdicts:
    """What checks of repositories found."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def add_repositories(self, team: Team, places: Iterable[tuple[str, str]]) -> list[StoredRepository]:
        """Make repositories known, each a name and a location; raises UsageError over the team's limit."""
        asked = [(clean_text(name), clean_text(place)) for name, place in places]

        def write() -> None:
            known = {one.name: one.location for one in self.list_repositories(team)}
            fresh = [(name, place) for name, place in asked if name not in known]
            if team.limits.repositories and len(known) + len(fresh) > team.limits.repositories:
                raise UsageError(
                    f"team {team.name}: {len(known) + len(fresh)} repositories are more than its limit of "
                    f"{team.limits.repositories}; nothing was added. Name fewer, or raise it with `pincite store team`"
                )
            now = int(time())
            self._backend.run_many(
                "INSERT INTO repository (team, name, location, added) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (team, name) DO NOTHING",
                [(team.id, name, place, now) for name, place in fresh],
            )
            self._backend.run_many(
                "UPDATE repository SET location = ? WHERE team = ? AND name = ?",
                [(place, team.id, name) for name, place in asked if known.get(name, place) != place],
            )

        self._backend.perform(write)
        names = {name for name, _ in asked}
        return [one for one in self.list_repositories(team) if one.name in names]

    def forget(self, team: Team, names: Sequence[str]) -> list[str]:
        """Forget repositories with everything that checks found in them; the names of those that there were.

        In PostgreSQL only the owner of the store may.
        """

        def write() -> list[str]:
            known = [one for one in self.list_repositories(team) if one.name in names]
            for one in known:
                shards = "SELECT id FROM shard WHERE repository = ?"
                self._backend.run(f"DELETE FROM tally WHERE shard IN ({shards})", (one.id,))  # noqa: S608
                for table in ("verdict", "document", "failure", "shard"):
                    self._backend.run(f"DELETE FROM {table} WHERE repository = ?", (one.id,))  # noqa: S608
                self._backend.run("DELETE FROM repository WHERE id = ?", (one.id,))
            return [one.name for one in known]

        return self._backend.perform(write)

    def list_repositories(self, team: Team | None = None) -> list[StoredRepository]:
        """The repositories of a team, or of all teams that this login sees, by name."""
        where, values = ("WHERE team = ?", (team.id,)) if team is not None else ("", ())
        rows = self._backend.query(
            f"SELECT id, team, name, location, coalesce(current, 0) FROM repository {where} ORDER BY name, team",  # noqa: S608
            values,
        )
        return [StoredRepository(*row) for row in rows]

    def find_repository(self, number: int) -> StoredRepository | None:
        """A repository by its number; None where there is none that this login sees."""
        rows = self._backend.query(
            "SELECT id, team, name, location, coalesce(current, 0) FROM repository WHERE id = ?", (number,)
        )
        return StoredRepository(*rows[0]) if rows else None

    def load_current(self, team: Team | None = None) -> dict[int, FinishedShard]:
        """The shard that stands for each repository, by the number of the repository."""
        where, values = ("WHERE repository.team = ?", (team.id,)) if team is not None else ("", ())
        columns = ", ".join(f"shard.{name.strip()}" for name in _SHARD.split(","))
        rows = self._backend.query(
            f"SELECT {columns} FROM repository JOIN shard ON shard.id = repository.current {where}",  # noqa: S608
            values,
        )
        return {row[1]: _make_shard(row) for row in rows}

    def take_ticket(self) -> int:
        """A number larger than all that were given before: who looks at a repository after taking it sees no less."""
        is_sequence = self._backend.address.kind == POSTGRESQL
        rows = self._backend.query(
            "SELECT nextval('ticket')" if is_sequence else "UPDATE ticket SET value = value + 1 RETURNING value"
        )
        return int(rows[0][0])

    def follow_tickets(self) -> None:
        """See that the next ticket is larger than all that shards have."""
        if self._backend.address.kind == POSTGRESQL:
            self._backend.query("SELECT setval('ticket', max(ticket)) FROM shard HAVING max(ticket) > 0")
        else:
            self._backend.run("UPDATE ticket SET value = (SELECT coalesce(max(ticket), 0) FROM shard)")

    def write(self, team: Team, shard: NewShard, verdicts: Sequence[NewVerdict], *, again: bool = False) -> bool:
        """Store a check with all its verdicts, whole or not at all; False where the same check is stored already.

        A commit that was found at the head before the one that stands is counted and does not replace what stands:
        another fleet was faster. `again` lets a later check stand in place of the same one, whose verdicts may be
        damaged. Raises UsageError over the team's limit.
        """
        return self._backend.perform(lambda: self._write(team, shard, verdicts, again))

    def _write(self, team: Team, shard: NewShard, verdicts: Sequence[NewVerdict], again: bool) -> bool:
        backend, number = self._backend, shard.key.repository
        require_writable(backend)
        lock = " FOR UPDATE" if backend.address.kind == POSTGRESQL else ""
        rows = backend.query(
            f"SELECT coalesce(current, 0) FROM repository WHERE id = ? AND team = ?{lock}",  # noqa: S608
            (number, team.id),
        )
        if not rows:
            raise UsageError(f"repository {number}: the store has none that you may write to")
        before: int = rows[0][0]
        is_later, is_stored = self._compare(before, shard)
        if is_stored and not (again and is_later):
            return False
        self._refuse_surplus(team, number, len(verdicts))
        added = backend.query(
            "INSERT INTO shard (team, repository, commit_id, settings, version, others, committed, ticket, finished, "
            "seconds, documents, citations, trace) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                *(team.id, number, shard.key.commit, shard.key.settings, shard.key.version),
                *(_encode_others(shard.others), shard.committed, shard.ticket, int(time()), shard.seconds),
                *(shard.documents, len(verdicts), shard.trace),
            ),
        )
        this: int = added[0][0]
        # Nothing is known yet of how many rows came, and a loop over all pairs is the one plan that is never good.
        is_postgresql = backend.address.kind == POSTGRESQL
        prepare = "SET LOCAL enable_nestloop = off" if is_postgresql else "DELETE FROM incoming"
        backend.run_all([(_TEMPORARY[backend.address.kind], ()), (prepare, ())])
        backend.load("incoming", _INCOMING, map(_make_row, verdicts))
        statements = _replace(team, number, this, bool(before)) if is_later else []
        # What the first check finds did not come with a change; it was only not known.
        statements.append((_COUNT, (this, team.id, number, this if before else 0)))
        statements.append(("DELETE FROM failure WHERE repository = ?", (number,)))
        backend.run_all(statements)
        return True

    def _refuse_surplus(self, team: Team, number: int, citations: int) -> None:
        if not team.limits.citations or self._backend.address.kind == POSTGRESQL:
            # PostgreSQL sees to it itself, for every login.
            return
        query = """SELECT repository.id = ?, coalesce(sum(shard.citations), 0) FROM repository
        JOIN shard ON shard.id = repository.current WHERE repository.team = ? GROUP BY repository.id = ?"""
        counts: dict[int, int] = dict(self._backend.query(query, (number, team.id, number)))
        before, others = counts.get(1, 0), counts.get(0, 0)
        # A team over a limit that was lowered keeps what it has: only what grows is refused.
        if citations > before and others + citations > team.limits.citations:
            raise UsageError(
                f"team {team.name}: {others + citations} citations are more than its limit of {team.limits.citations}; "
                "nothing was stored. Check fewer repositories, or raise it with `pincite store team`"
            )

    def _compare(self, before: int, shard: NewShard) -> tuple[bool, bool]:
        """Whether a commit was found later than the one that stands, and whether its check is stored already."""
        key, others = shard.key, _encode_others(shard.others)
        rows = self._backend.query(
            "SELECT id, ticket, settings = ? AND version = ? AND others = ? AND commit_id = ? FROM shard "
            "WHERE id = ? OR (repository = ? AND commit_id = ?)",
            (key.settings, key.version, others, key.commit, before, key.repository, key.commit),
        )
        standing = next((row for row in rows if row[0] == before), None)
        is_later = standing is None or shard.ticket > standing[1]
        # A branch may go back to a commit that was checked before: then its verdicts stand again.
        is_stored = bool(standing and standing[2]) if is_later else any(row[2] for row in rows)
        return is_later, is_stored

    def record_failure(self, team: Team, repository: int, trouble: str, trace: str) -> None:
        """Note why a repository could not be checked; what stands of it stays."""
        values = (repository, team.id, int(time()), clean_text(trouble, _LONGEST_TEXT), trace)
        self._backend.run(
            "INSERT INTO failure (repository, team, failed, tries, trouble, trace) VALUES (?, ?, ?, 1, ?, ?) "
            "ON CONFLICT (repository) DO UPDATE SET failed = excluded.failed, tries = failure.tries + 1, "
            "trouble = excluded.trouble, trace = excluded.trace",
            values,
        )

    def note_visits(self, repositories: Sequence[int]) -> None:
        """Note that repositories were looked at now, and are as what stands of them says; a failure before is over."""
        now = int(time())

        def write() -> None:
            self._backend.run_many(
                "UPDATE repository SET visited = ? WHERE id = ?", [(now, one) for one in repositories]
            )
            self._backend.run_many("DELETE FROM failure WHERE repository = ?", [(one,) for one in repositories])

        if repositories:
            self._backend.perform(write)

    def reconcile(self) -> list[str]:
        """What does not add up, one line each: nothing may be lost, and nothing counted twice."""
        return find_discrepancies(self._backend)


def _replace(team: Team, number: int, this: int, is_known: bool) -> list[tuple[str, Sequence[object]]]:
    """What lets the verdicts that came stand, and ends those that are not true any more."""
    statements: list[tuple[str, Sequence[object]]] = [(_NEW_DOCUMENTS, (team.id, number, number))]
    if is_known:
        statements.append((_END_OTHERS, (this, number)))
        statements.append((_MOVE_LINES, (number,)))
    # PostgreSQL lets no repository of a team with a limit have more verdicts than its check counted.
    statements.append(("UPDATE repository SET current = ? WHERE id = ?", (this, number)))
    if is_known:
        statements.append((_ADD_NEW + _NOT_THERE, (number, this, team.id, number, number)))
    else:
        statements.append((_ADD_NEW, (number, this, team.id, number)))
    return statements


def _encode_others(others: dict[str, str]) -> str:
    return encode(others, order="sorted").decode()


def _make_row(one: NewVerdict) -> Row:
    return (
        *(one.citation, clean_text(one.document), one.line, one.outcome, one.finding),
        *(clean_text(one.message, _LONGEST_TEXT), clean_text(one.written, _LONGEST_TEXT)),
    )


def _make_shard(row: Row) -> FinishedShard:
    number, repository, commit, settings, version, others, *rest = row
    key = ShardKey(repository, commit, settings, version)
    return FinishedShard(number, key, decode(others, type=dict[str, str]), *rest)


def is_problem(outcome: int) -> bool:
    """Whether a number of an outcome is a problem."""
    return outcome >= FIRST_PROBLEM

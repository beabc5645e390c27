"""Questions about all repositories: how they fare, which are worst, what is new, and the history of one citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.model import Outcome
from .records import FIRST_PROBLEM, MALFORMED, RepositorySummary, StoredVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .backend import Backend, Row
    from .records import Team

_CURRENT = """SELECT repository.id, repository.name, team.name, coalesce(shard.commit_id, ''),
    CASE WHEN repository.visited > shard.finished THEN repository.visited ELSE coalesce(shard.finished, 0) END,
    coalesce(shard.documents, 0), coalesce(failure.trouble, ''), tally.outcome, tally.number
FROM repository JOIN team ON team.id = repository.team
LEFT JOIN shard ON shard.id = repository.current
LEFT JOIN failure ON failure.repository = repository.id
LEFT JOIN tally ON tally.shard = shard.id"""
_APPEARED = """SELECT shard.repository, sum(tally.appeared) FROM shard JOIN tally ON tally.shard = shard.id
WHERE shard.finished >= ? AND tally.outcome >= ? GROUP BY shard.repository"""
_VERDICT = """SELECT verdict.citation, document.path, verdict.line, verdict.outcome, verdict.finding, verdict.message,
    verdict.written, began.finished, coalesce(ended.finished, 0), began.commit_id, coalesce(ended.commit_id, '')
FROM verdict JOIN document ON document.id = verdict.document
LEFT JOIN shard AS ended ON ended.id = verdict.until JOIN shard AS began ON began.id = verdict.since"""
# What stood from which day until which other one: a repository that was not checked on a day counts with its last
# check before.
_TREND = """WITH recent AS (SELECT repository, finished / 86400 AS day, max(id) AS id FROM shard
    WHERE finished >= ?{where} GROUP BY repository, finished / 86400),
earlier AS (SELECT repository, max(id) AS id FROM shard
    WHERE finished < ?{where} AND repository IN (SELECT repository FROM recent) GROUP BY repository
    UNION ALL SELECT shard.repository, shard.id FROM repository JOIN shard ON shard.id = repository.current
    WHERE shard.finished < ?{where_shard} AND shard.repository NOT IN (SELECT repository FROM recent)),
point AS (SELECT repository, CAST(? AS INTEGER) AS day, id FROM earlier UNION ALL SELECT * FROM recent),
span AS (SELECT id, day, lead(day) OVER (PARTITION BY repository ORDER BY day) AS until FROM point)
SELECT span.day, span.until, tally.outcome, sum(tally.number) FROM span JOIN tally ON tally.shard = span.id
GROUP BY span.day, span.until, tally.outcome"""
_FAILURE = """SELECT failure.repository, repository.name, team.name, failure.failed, failure.tries, failure.trouble
FROM failure JOIN repository ON repository.id = failure.repository JOIN team ON team.id = repository.team"""
_SHARD = """SELECT shard.id, shard.commit_id, shard.version, shard.committed, shard.finished, shard.seconds,
    shard.documents, tally.outcome, tally.number FROM shard LEFT JOIN tally ON tally.shard = shard.id
WHERE shard.id IN (SELECT id FROM shard WHERE repository = ? ORDER BY id DESC LIMIT ?)
ORDER BY shard.id DESC, tally.outcome"""
_STANDING = "verdict.repository = ? AND verdict.until IS NULL AND verdict.outcome > 1"
_DAY = 86_400
_SHARDS_AT_ONCE = 100
"""Shards that one statement looks into."""
MOST_LISTED = 1_000
"""Verdicts of one repository that are listed at once."""


class ProblemFilter(Struct, frozen=True):
    """Which problems of a repository are wanted; an empty field wants all."""

    outcome: int = 0
    finding: str = ""
    document: str = ""
    text: str = ""
    """Words in the path, the citation or the message; case does not count."""


class ShardSummary(Struct, frozen=True):
    """One finished check in numbers."""

    id: int
    commit: str
    version: str
    """Of pincite."""
    committed: int
    finished: int
    seconds: float
    documents: int
    outcomes: dict[str, int]


class StoredFailure(Struct, frozen=True):
    """Why the last try to check a repository failed."""

    repository: int
    name: str
    team: str
    failed: int
    """When, in seconds since 1970."""
    tries: int
    """Tries since the last that succeeded."""
    trouble: str


class DocumentSummary(Struct, frozen=True):
    """One document of a repository in numbers."""

    path: str
    citations: int
    problems: int


class Overview:
    """Questions about what checks found; all of them read only."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def summarize(self, since: int = 0, team: Team | None = None, repository: int = 0) -> list[RepositorySummary]:
        """Every repository in numbers, or one of them, by name, with the problems that came since a time."""
        where, values = _narrow(" WHERE", ("repository.team", _number(team)), ("repository.id", repository))
        appeared: dict[int, int] = dict(self._backend.query(_APPEARED, (since, FIRST_PROBLEM))) if since else {}
        found: dict[int, RepositorySummary] = {}
        for number, name, of_team, commit, checked, documents, trouble, outcome, count in self._backend.query(
            f"{_CURRENT}{where} ORDER BY repository.name, repository.id, tally.outcome", values
        ):
            one = found.get(number)
            if one is None:
                came = int(appeared.get(number, 0))
                one = RepositorySummary(number, name, of_team, commit, checked, documents, {}, came, trouble)
                found[number] = one
            if outcome is not None:
                one.outcomes[label_of(outcome)] = count
        return list(found.values())

    def list_problems(
        self, repository: int, most: int = MOST_LISTED, after: int = 0, wanted: ProblemFilter | None = None
    ) -> list[StoredVerdict]:
        """The problems of a repository that stand, the gravest first; `after` skips as many."""
        where, values = _choose(wanted)
        rows = self._backend.query(
            f"{_VERDICT} WHERE {_STANDING}{where} "
            "ORDER BY verdict.outcome DESC, document.path, verdict.line, verdict.citation LIMIT ? OFFSET ?",
            (repository, *values, most, after),
        )
        return [StoredVerdict(*row) for row in rows]

    def count_problems(self, repository: int, wanted: ProblemFilter | None = None) -> dict[tuple[str, str], int]:
        """How many problems of a repository stand, by outcome and by the check that decided."""
        where, values = _choose(wanted)
        rows = self._backend.query(
            "SELECT verdict.outcome, verdict.finding, count(*) FROM verdict JOIN document "  # noqa: S608
            f"ON document.id = verdict.document WHERE {_STANDING}{where} GROUP BY verdict.outcome, verdict.finding "
            "ORDER BY verdict.outcome DESC, verdict.finding",
            (repository, *values),
        )
        return {(label_of(outcome), finding): number for outcome, finding, number in rows}

    def list_documents(self, repository: int, most: int = MOST_LISTED) -> list[DocumentSummary]:
        """The documents of a repository, those with most problems first."""
        rows = self._backend.query(
            "SELECT document.path, count(*), sum(CASE WHEN verdict.outcome > 1 THEN 1 ELSE 0 END) FROM verdict "
            "JOIN document ON document.id = verdict.document WHERE verdict.repository = ? AND verdict.until IS NULL "
            "GROUP BY document.path ORDER BY 3 DESC, document.path LIMIT ?",
            (repository, most),
        )
        return [DocumentSummary(*row) for row in rows]

    def list_shards(self, repository: int, most: int = 20) -> list[ShardSummary]:
        """The last checks of a repository, the newest first."""
        found: dict[int, ShardSummary] = {}
        for id_, commit, version, committed, finished, seconds, documents, outcome, number in self._backend.query(
            _SHARD, (repository, most)
        ):
            new = ShardSummary(id_, commit, version, committed, finished, seconds, documents, {})
            one = found.setdefault(id_, new)
            if outcome is not None:
                one.outcomes[label_of(outcome)] = number
        return list(found.values())

    def count_shards(self) -> int:
        """How many finished checks there are."""
        return int(self._backend.query("SELECT count(*) FROM shard")[0][0])

    def list_failures(self, team: Team | None = None, repository: int = 0) -> list[StoredFailure]:
        """The repositories whose last try failed, by name."""
        where, values = _narrow(" WHERE", ("repository.team", _number(team)), ("repository.id", repository))
        rows = self._backend.query(f"{_FAILURE}{where} ORDER BY repository.name, repository.id", values)
        return [StoredFailure(*row) for row in rows]

    def list_appeared(
        self, since: int, team: Team | None = None, most: int = MOST_LISTED
    ) -> list[tuple[int, StoredVerdict]]:
        """The problems that came since a time and stand, each with its repository; the newest first."""
        where, values = _narrow(" AND", ("shard.team", _number(team)))
        # Only shards in which something came are looked into: the first check of a repository says nothing new.
        shards = self._backend.query(
            "SELECT DISTINCT shard.id FROM shard JOIN tally ON tally.shard = shard.id "  # noqa: S608
            f"WHERE shard.finished >= ? AND tally.outcome >= ? AND tally.appeared > 0{where} ORDER BY shard.id DESC",
            (since, FIRST_PROBLEM, *values),
        )
        found: list[tuple[int, StoredVerdict]] = []
        for at in range(0, len(shards), _SHARDS_AT_ONCE):
            some = [row[0] for row in shards[at : at + _SHARDS_AT_ONCE]]
            marks = ", ".join("?" * len(some))
            rows = self._backend.query(
                f"SELECT began.repository, {_VERDICT.removeprefix('SELECT ')} "
                f"WHERE began.repository = verdict.repository AND began.id IN ({marks}) "
                "AND verdict.until IS NULL AND verdict.outcome > 1 "
                "ORDER BY began.id DESC, verdict.outcome DESC, document.path, verdict.line, verdict.citation LIMIT ?",
                (*some, most - len(found)),
            )
            found += ((repository, StoredVerdict(*row)) for repository, *row in rows)
            if len(found) >= most:
                break
        return found

    def history(self, repository: int, citation: int) -> list[StoredVerdict]:
        """What was true of one citation, the oldest first."""
        rows = self._backend.query(
            f"{_VERDICT} WHERE verdict.repository = ? AND verdict.citation = ? ORDER BY verdict.since",
            (repository, citation),
        )
        return [StoredVerdict(*row) for row in rows]

    def trend(
        self, days: int, now: int, team: Team | None = None, repository: int = 0
    ) -> list[tuple[int, dict[str, int]]]:
        """What stood at the end of each of the last days (in seconds since 1970), the oldest first.

        A repository that was not checked on a day counts with its last check before. Days before the first check of all
        are left out.
        """
        first, last = now // _DAY - days + 1, now // _DAY
        chosen = (("team", _number(team)), ("repository", repository))
        where, values = _narrow(" AND", *chosen)
        where_shard, _ = _narrow(" AND", *((f"shard.{name}", value) for name, value in chosen))
        start = first * _DAY
        rows = self._backend.query(
            _TREND.format(where=where, where_shard=where_shard),
            (start, *values, start, *values, start, *values, first - 1),
        )
        return _add_up(rows, first, last)


def _add_up(rows: Iterable[Row], first: int, last: int) -> list[tuple[int, dict[str, int]]]:
    """What stood from one day until another as what stood at the end of each day."""
    changes: dict[int, list[tuple[str, int]]] = {}
    for day, until, outcome, number in rows:
        changes.setdefault(day, []).append((label_of(outcome), int(number)))
        if until is not None:
            changes.setdefault(until, []).append((label_of(outcome), -int(number)))
    found: list[tuple[int, dict[str, int]]] = []
    stood: dict[str, int] = {}
    for day in range(min(changes, default=last + 1), last + 1):
        for label, number in changes.get(day, ()):
            stood[label] = stood.get(label, 0) + number
        if day >= first:
            found.append((day * _DAY, {label: number for label, number in sorted(stood.items()) if number}))
    return found


def _number(team: Team | None) -> int:
    return team.id if team is not None else 0


def _narrow(word: str, *chosen: tuple[str, int]) -> tuple[str, tuple[int, ...]]:
    """The condition for those of some columns that must have a value, and the values."""
    given = [(column, value) for column, value in chosen if value]
    condition = " AND ".join(f"{column} = ?" for column, _ in given)
    return (f"{word} {condition}" if given else ""), tuple(value for _, value in given)


def _choose(wanted: ProblemFilter | None) -> tuple[str, tuple[object, ...]]:
    """The condition for the problems that are wanted, and its values."""
    if wanted is None:
        return "", ()
    parts: list[tuple[str, tuple[object, ...]]] = []
    if wanted.outcome:
        parts.append(("verdict.outcome = ?", (wanted.outcome,)))
    if wanted.finding:
        parts.append(("verdict.finding = ?", (wanted.finding,)))
    if wanted.document:
        parts.append(("document.path = ?", (wanted.document,)))
    if wanted.text:
        columns = ("document.path", "verdict.written", "verdict.message")
        words = wanted.text.lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
        like = " OR ".join(f"lower({column}) LIKE ? ESCAPE '!'" for column in columns)
        parts.append((f"({like})", (f"%{words}%",) * len(columns)))
    return "".join(f" AND {part}" for part, _ in parts), tuple(value for _, values in parts for value in values)


def label_of(outcome: int) -> str:
    """An outcome by its number, as reports spell it."""
    return "malformed" if outcome == MALFORMED else Outcome(outcome).label

"""Questions about all repositories: how they fare, which are worst, what is new, and the history of one citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.model import Outcome
from .records import FIRST_PROBLEM, MALFORMED, RepositorySummary, StoredVerdict

if TYPE_CHECKING:
    from .backend import Backend
    from .records import Team

_CURRENT = """SELECT repository.id, repository.name, team.name, coalesce(shard.commit_id, ''),
    coalesce(shard.finished, 0), coalesce(shard.documents, 0), coalesce(failure.trouble, ''), tally.outcome,
    tally.number
FROM repository JOIN team ON team.id = repository.team
LEFT JOIN shard ON shard.id = repository.current
LEFT JOIN failure ON failure.repository = repository.id
LEFT JOIN tally ON tally.shard = shard.id"""
_APPEARED = """SELECT shard.repository, sum(tally.appeared) FROM shard JOIN tally ON tally.shard = shard.id
WHERE shard.finished >= ? AND tally.outcome >= ? GROUP BY shard.repository"""
_VERDICT = """SELECT verdict.citation, document.path, verdict.line, verdict.outcome, verdict.finding, verdict.message,
    verdict.written, began.finished, coalesce(ended.finished, 0), began.commit_id, coalesce(ended.commit_id, '')
FROM verdict JOIN document ON document.id = verdict.document
JOIN shard AS began ON began.id = verdict.since LEFT JOIN shard AS ended ON ended.id = verdict.until"""
_TREND = """SELECT shard.finished / 86400, tally.outcome, sum(tally.number) FROM shard
JOIN (SELECT repository, max(id) AS id FROM shard GROUP BY repository, finished / 86400) AS last ON last.id = shard.id
JOIN tally ON tally.shard = shard.id"""
MOST_LISTED = 1_000
"""Verdicts of one repository that are listed at once."""


class Overview:
    """Questions about what checks found; all of them read only."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def summarize(self, since: int = 0, team: Team | None = None) -> list[RepositorySummary]:
        """Every repository in numbers, by name, with the problems that came since a time."""
        where, values = (" WHERE repository.team = ?", (team.id,)) if team is not None else ("", ())
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

    def list_problems(self, repository: int, most: int = MOST_LISTED, after: int = 0) -> list[StoredVerdict]:
        """The problems of a repository that stand, the gravest first; `after` skips as many."""
        rows = self._backend.query(
            f"{_VERDICT} WHERE verdict.repository = ? AND verdict.until IS NULL AND verdict.outcome > 1 "
            "ORDER BY verdict.outcome DESC, document.path, verdict.line, verdict.citation LIMIT ? OFFSET ?",
            (repository, most, after),
        )
        return [StoredVerdict(*row) for row in rows]

    def list_appeared(
        self, since: int, team: Team | None = None, most: int = MOST_LISTED
    ) -> list[tuple[int, StoredVerdict]]:
        """The problems that came since a time and stand, each with its repository; the newest first."""
        where, values = (" AND verdict.team = ?", (team.id,)) if team is not None else ("", ())
        # Only shards in which something came are looked into: the first check of a repository says nothing new.
        shards = self._backend.query(
            "SELECT DISTINCT shard.id, shard.repository FROM shard JOIN tally ON tally.shard = shard.id "
            "WHERE shard.finished >= ? AND tally.outcome >= ? AND tally.appeared > 0 ORDER BY shard.id DESC",
            (since, FIRST_PROBLEM),
        )
        found: list[tuple[int, StoredVerdict]] = []
        for shard, repository in shards:
            rows = self._backend.query(
                f"{_VERDICT} WHERE verdict.repository = ? AND verdict.until IS NULL AND verdict.outcome > 1 "
                f"AND verdict.since = ?{where} ORDER BY verdict.outcome DESC, document.path, verdict.line LIMIT ?",
                (repository, shard, *values, most - len(found)),
            )
            found += ((repository, StoredVerdict(*row)) for row in rows)
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

    def trend(self, days: int, now: int, team: Team | None = None) -> list[tuple[int, dict[str, int]]]:
        """Outcomes by day (in seconds since 1970), the oldest first; the last shard of a repository on a day counts."""
        where, values = (" AND shard.team = ?", (team.id,)) if team is not None else ("", ())
        found: dict[int, dict[str, int]] = {}
        for day, outcome, number in self._backend.query(
            f"{_TREND} WHERE shard.finished >= ?{where} GROUP BY 1, 2 ORDER BY 1, 2", (now - days * 86_400, *values)
        ):
            found.setdefault(day * 86_400, {})[label_of(outcome)] = int(number)
        return list(found.items())


def label_of(outcome: int) -> str:
    """An outcome by its number, as reports spell it."""
    return "malformed" if outcome == MALFORMED else Outcome(outcome).label

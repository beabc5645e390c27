"""Whether the store adds up: nothing may be lost, and nothing counted twice."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from .overview import label_of

if TYPE_CHECKING:
    from .backend import Backend

MOST_LINES = 100
"""Of each kind of trouble."""
# With the tallies below, so are the numbers of citations.
_STANDING = """SELECT repository.name, coalesce(repository.current, 0), found.outcome, found.counted, found.standing
FROM repository JOIN (
    SELECT repository, outcome, sum(counted) AS counted, sum(standing) AS standing FROM (
        SELECT repository.id AS repository, tally.outcome AS outcome, tally.number AS counted, 0 AS standing
        FROM repository JOIN tally ON tally.shard = repository.current
        UNION ALL SELECT repository, outcome, 0, count(*) FROM verdict WHERE until IS NULL GROUP BY repository, outcome
    ) AS numbers GROUP BY repository, outcome
) AS found ON found.repository = repository.id WHERE found.counted <> found.standing"""
_TALLIES = """SELECT repository.name, 'the tally of shard ' || shard.id || ' is not its number of citations'
FROM shard JOIN repository ON repository.id = shard.repository
LEFT JOIN (SELECT shard, sum(number) AS number FROM tally GROUP BY shard) AS counted ON counted.shard = shard.id
WHERE shard.citations <> coalesce(counted.number, 0)"""
_CURRENT = """SELECT repository.name, 'no shard ' || repository.current FROM repository
WHERE current IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM shard WHERE shard.id = repository.current AND shard.repository = repository.id)"""
_TEAMS = """SELECT repository.name, 'shard ' || shard.id || ' belongs to another team' FROM shard
JOIN repository ON repository.id = shard.repository WHERE shard.team <> repository.team"""
# One pass in the order of the key: a verdict ends before the next one of its citation begins.
_OVERLAPS = """SELECT repository.name, found.overlaps, found.standing FROM repository JOIN (
    SELECT repository, count(*) AS overlaps, sum(CASE WHEN until IS NULL AND following_stands THEN 1 ELSE 0 END)
        AS standing FROM (
        SELECT repository, until, lead(since) OVER by_citation AS following,
            lead(until IS NULL) OVER by_citation AS following_stands
        FROM verdict WINDOW by_citation AS (PARTITION BY repository, citation ORDER BY since)
    ) AS paired WHERE following IS NOT NULL AND (until IS NULL OR until > following) GROUP BY repository
) AS found ON found.repository = repository.id"""
_LOOSE = """SELECT repository.name, count(*) || ' verdicts have no document, no shard or another team'
FROM verdict LEFT JOIN repository ON repository.id = verdict.repository
LEFT JOIN document ON document.id = verdict.document AND document.repository = verdict.repository
LEFT JOIN shard AS began ON began.id = verdict.since AND began.repository = verdict.repository
LEFT JOIN shard AS ended ON ended.id = verdict.until AND ended.repository = verdict.repository
WHERE document.id IS NULL OR began.id IS NULL OR (verdict.until IS NOT NULL AND ended.id IS NULL)
    OR repository.id IS NULL OR verdict.team <> repository.team
GROUP BY repository.name"""


def find_discrepancies(backend: Backend) -> list[str]:
    """What does not add up, one line each."""
    with backend.snapshot():
        found = [
            f"{name}: shard {shard} counted {counted} {_name_outcome(outcome)}, {standing} stand"
            for name, shard, outcome, counted, standing in backend.query(f"{_STANDING} LIMIT {MOST_LINES}")
        ]
        found += [
            f"{name}: {what}"
            for query in (_TALLIES, _CURRENT, _TEAMS, _LOOSE)
            for name, what in backend.query(f"{query} LIMIT {MOST_LINES}")
        ]
        for name, overlaps, standing in backend.query(f"{_OVERLAPS} LIMIT {MOST_LINES}"):
            if standing:
                found.append(f"{name}: {standing} citations have several verdicts that stand")
            found.append(f"{name}: {overlaps} verdicts of one citation overlap")
    return found


def _name_outcome(outcome: int) -> str:
    with suppress(ValueError):
        return label_of(outcome)
    return f"of outcome {outcome}"

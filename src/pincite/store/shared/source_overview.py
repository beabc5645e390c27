"""Questions about web sources: which there are, how each fares, and what became of it over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from .backend import clean_text
from .web_records import KeptSnapshot, SourceEvent, StoredQuote, WatchedSource

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .backend import Backend

_WATCHED = """SELECT web_source.id, team.name, web_source.url, web_source.host, web_source.final, web_source.state,
    web_source.status, web_source.period, web_source.due, web_source.seen, web_source.failing_since,
    web_source.failures, web_source.failed, web_source.absent_days, web_source.trouble, web_source.digest
FROM web_source JOIN team ON team.id = web_source.team"""
# What is wrong comes first: a page that a thousand documents quote is looked at because of one of them.
_QUOTES = """SELECT exact, cited_in, state, nearest, checked FROM web_quote WHERE source = ?
ORDER BY CASE state WHEN 'missing' THEN 0 WHEN 'unchecked' THEN 1 WHEN 'new' THEN 2 WHEN 'holds' THEN 3 ELSE 4 END,
    cited_in, id LIMIT ? OFFSET ?"""


class SourceFilter(Struct, frozen=True):
    """Which sources are wanted; an empty field wants all."""

    team: str = ""
    host: str = ""
    state: str = ""
    text: str = ""
    """Text in the address; case does not count."""


class SourceOverview:
    """Questions about the web sources that a login sees; all of them read only."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def count_sources(self, text: str = "") -> dict[tuple[str, str, str], int]:
        """How many sources there are by team, host and state; `text` leaves only addresses that have it."""
        where, values = _choose(SourceFilter(text=text))
        rows = self._backend.query(
            "SELECT team.name, web_source.host, web_source.state, count(*) FROM web_source "  # noqa: S608
            f"JOIN team ON team.id = web_source.team{where} GROUP BY team.name, web_source.host, web_source.state",
            values,
        )
        return {(team, host, state): number for team, host, state, number in rows}

    def list_sources(self, wanted: SourceFilter, most: int, after: int = 0) -> list[WatchedSource]:
        """Sources in the order in which they came; `after` skips as many."""
        where, values = _choose(wanted)
        rows = self._backend.query(f"{_WATCHED}{where} ORDER BY web_source.id LIMIT ? OFFSET ?", (*values, most, after))
        return [WatchedSource(*row) for row in rows]

    def find(self, source: int) -> WatchedSource | None:
        """A source by its number; None where there is none that this login sees."""
        rows = self._backend.query(f"{_WATCHED} WHERE web_source.id = ?", (source,))
        return WatchedSource(*rows[0]) if rows else None

    def count_quotes(self, source: int) -> dict[str, int]:
        """How many citations of a source are in each state; those without a quote are `none`."""
        return dict(
            self._backend.query(
                "SELECT state, count(*) FROM web_quote WHERE source = ? GROUP BY state ORDER BY state", (source,)
            )
        )

    def list_quotes(self, source: int, most: int, after: int = 0) -> list[StoredQuote]:
        """What is quoted from a source and where, what is missing first; `after` skips as many."""
        return [StoredQuote(*row) for row in self._backend.query(_QUOTES, (source, most, after))]

    def list_events(self, source: int, most: int) -> list[SourceEvent]:
        """When a source changed its state, the newest first."""
        rows = self._backend.query(
            "SELECT time, state, status, trouble FROM web_event WHERE source = ? ORDER BY time DESC LIMIT ?",
            (source, most),
        )
        return [SourceEvent(*row) for row in rows]

    def list_snapshots(self, source: int, most: int) -> list[KeptSnapshot]:
        """The snapshots of a source, the newest first."""
        rows = self._backend.query(
            "SELECT retrieved, digest, file FROM web_snapshot WHERE source = ? ORDER BY retrieved DESC LIMIT ?",
            (source, most),
        )
        return [KeptSnapshot(*row) for row in rows]

    def find_repositories(self, team: str, names: Iterable[str]) -> dict[str, int]:
        """The numbers of those repositories of a team that have one of some names."""
        wanted = sorted(set(names))
        if not wanted:
            return {}
        marks = ", ".join("?" * len(wanted))
        return dict(
            self._backend.query(
                "SELECT repository.name, repository.id FROM repository JOIN team ON team.id = repository.team "  # noqa: S608
                f"WHERE team.name = ? AND repository.name IN ({marks})",
                (team, *wanted),
            )
        )


def _choose(wanted: SourceFilter) -> tuple[str, tuple[object, ...]]:
    """The condition for the sources that are wanted, and its values."""
    columns = (("team.name", wanted.team), ("web_source.host", wanted.host), ("web_source.state", wanted.state))
    # As the store keeps text: what is asked for may have bytes that are none.
    parts = [(f"{column} = ?", clean_text(value)) for column, value in columns if value]
    if wanted.text:
        words = clean_text(wanted.text).lower().replace("!", "!!").replace("%", "!%").replace("_", "!_")
        parts.append(("lower(web_source.url) LIKE ? ESCAPE '!'", f"%{words}%"))
    where = " AND ".join(part for part, _ in parts)
    return (f" WHERE {where}" if parts else ""), tuple(value for _, value in parts)

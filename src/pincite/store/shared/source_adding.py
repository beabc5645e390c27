"""Adds web sources, many at a time, and forgets those that are cited no more."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ...core.web import FetchFailure
from ...safe.escape import escape_text
from ...safe.fetch.target import target_of
from .backend import POSTGRESQL, clean_text
from .web_records import NEW, NO_QUOTE, AddedSources

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .backend import Backend, Row
    from .records import Team
    from .web_records import NewSource

LONGEST_URL = 2_000
LONGEST_QUOTE = 10_000
"""Characters; a longer quote is no quote any more."""
DEFAULT_PERIOD = 7 * 86_400
_SHOWN = 200
_DIGEST_LETTERS = 32
_USER = re.compile(r"//[^/?#]*@")
"""A name and a password in an address: they are never shown."""
_AT_ONCE = 10_000
_INCOMING = ("url", "host", "exact", "digest", "cited_in", "state")
_TEMPORARY = {
    POSTGRESQL: """CREATE TEMPORARY TABLE IF NOT EXISTS incoming_source (url text, host text, exact text, digest text,
    cited_in text COLLATE "C", state text) ON COMMIT DELETE ROWS""",
    "sqlite": """CREATE TEMPORARY TABLE IF NOT EXISTS incoming_source (url TEXT, host TEXT, exact TEXT, digest TEXT,
    cited_in TEXT, state TEXT)""",
}
_FRESH = """SELECT count(*) FROM (SELECT DISTINCT url FROM incoming_source WHERE NOT EXISTS (
    SELECT 1 FROM web_source WHERE web_source.team = ? AND web_source.url = incoming_source.url)) AS fresh"""
_ADD_HOSTS = "INSERT INTO web_host (name) SELECT DISTINCT host FROM incoming_source WHERE true ON CONFLICT DO NOTHING"
_ADD_SOURCES = """INSERT INTO web_source (team, url, host, final, period, due, state, status, etag, modified, digest,
    unread, seen, failing_since, failures, failed, absent_days, absent_day, trouble)
SELECT DISTINCT CAST(? AS INTEGER), url, host, '', CAST(? AS INTEGER), CAST(? AS BIGINT), 'new', 0, '', '', '',
    CAST(? AS {boolean}), 0, 0, 0, 0, 0, 0, '' FROM incoming_source WHERE true ON CONFLICT DO NOTHING"""
_SET_PERIOD = """UPDATE web_source SET period = ?, due = CASE WHEN seen > 0 AND failures = 0 AND seen + ? < due
    THEN seen + ? ELSE due END WHERE team = ? AND url IN (SELECT url FROM incoming_source)"""
_ADD_QUOTES = """INSERT INTO web_quote (team, source, exact, digest, cited_in, state, nearest, checked)
SELECT DISTINCT CAST(? AS INTEGER), web_source.id, incoming_source.exact, incoming_source.digest,
    incoming_source.cited_in, incoming_source.state, '', 0 FROM incoming_source
JOIN web_source ON web_source.team = ? AND web_source.url = incoming_source.url
WHERE incoming_source.state = ? ON CONFLICT DO NOTHING"""
_HAS_NEW_QUOTE = (
    """EXISTS (SELECT 1 FROM web_quote WHERE web_quote.source = web_source.id AND web_quote.state = 'new')"""
)
_MARK_UNREAD = f"""UPDATE web_source SET unread = ?, due = CASE WHEN due > ? THEN ? ELSE due END
WHERE team = ? AND NOT unread AND url IN (SELECT url FROM incoming_source) AND {_HAS_NEW_QUOTE}"""  # noqa: S608
_SCHEDULE = """INSERT INTO web_visit (team, host, due) SELECT web_source.team, web_source.host, min(web_source.due)
FROM web_source WHERE web_source.team = ? AND web_source.host IN (SELECT host FROM incoming_source)
GROUP BY web_source.team, web_source.host
ON CONFLICT (team, host) DO UPDATE SET due = excluded.due WHERE excluded.due < web_visit.due"""
_FORGET = """DELETE FROM web_quote WHERE team = ? AND (cited_in = ? OR (cited_in >= ? AND cited_in < ?))
AND NOT EXISTS (SELECT 1 FROM incoming_source JOIN web_source ON web_source.url = incoming_source.url
    AND web_source.team = web_quote.team WHERE web_source.id = web_quote.source
    AND incoming_source.cited_in = web_quote.cited_in AND incoming_source.digest = web_quote.digest)
RETURNING source"""


class SourceAdding:
    """Adds sources to one store."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def add(self, team: Team, sources: Iterable[NewSource], period: int | None, now: int, place: str) -> AddedSources:
        """Add what can be added, in one transaction; raises UsageError over the team's limit."""
        rows: list[Row] = []
        refused: list[tuple[str, str]] = []
        for one in sources:
            row = _make_row(one, refused)
            if row is not None:
                rows.append(row)

        def write() -> AddedSources:
            self._load(rows)
            named = int(self._backend.query("SELECT count(DISTINCT url) FROM incoming_source")[0][0])
            fresh = self._refuse_surplus(team)
            quotes = self._insert(team, period, now)
            if place:
                self._forget(team, place)
            return AddedSources(fresh, named - fresh, quotes, tuple(refused))

        return self._backend.perform(write)

    def forget(self, team: Team, place: str) -> int:
        """Forget what is cited in a place; how many citations there were."""

        def write() -> int:
            self._load(())
            return self._forget(team, place)

        return self._backend.perform(write)

    def _load(self, rows: Iterable[Row]) -> None:
        backend = self._backend
        backend.run(_TEMPORARY[backend.address.kind])
        if backend.address.kind != POSTGRESQL:
            backend.run("DELETE FROM incoming_source")
        backend.load("incoming_source", _INCOMING, rows)
        if backend.address.kind == POSTGRESQL:
            backend.run("ANALYZE incoming_source")

    def _refuse_surplus(self, team: Team) -> int:
        """How many sources are new; raises UsageError where these are too many, which PostgreSQL finds by itself."""
        fresh = int(self._backend.query(_FRESH, (team.id,))[0][0])
        if team.limits.sources and fresh and self._backend.address.kind != POSTGRESQL:
            known = int(self._backend.query("SELECT count(*) FROM web_source WHERE team = ?", (team.id,))[0][0])
            if known + fresh > team.limits.sources:
                raise UsageError(
                    f"team {team.name}: {known + fresh:,} web sources are more than its limit of "
                    f"{team.limits.sources:,}; nothing was added. Name fewer, or raise it with `pincite store team`"
                )
        return fresh

    def _insert(self, team: Team, period: int | None, now: int) -> int:
        """How many quotes are new."""
        run = self._backend.run
        boolean = "boolean" if self._backend.address.kind == POSTGRESQL else "INTEGER"
        run(_ADD_HOSTS)
        run(_ADD_SOURCES.format(boolean=boolean), (team.id, period or DEFAULT_PERIOD, now, False))
        if period is not None:
            run(_SET_PERIOD, (period, period, period, team.id))
        quotes = run(_ADD_QUOTES, (team.id, team.id, NEW))
        run(_ADD_QUOTES, (team.id, team.id, NO_QUOTE))
        run(_MARK_UNREAD, (True, now, now, team.id))
        run(_SCHEDULE, (team.id,))
        return quotes

    def _forget(self, team: Team, place: str) -> int:
        """Forget the citations of a place that are not among those that come in."""
        # `:` is followed by `;`, so this is every name that begins with the place and a colon.
        found = self._backend.query(_FORGET, (team.id, place, f"{place}:", f"{place};"))
        for start in range(0, len(sources := sorted({row[0] for row in found})), _AT_ONCE):
            some = sources[start : start + _AT_ONCE]
            self._drop_uncited([number for number in some if not self._is_cited(number)])
        return len(found)

    def _is_cited(self, source: int) -> bool:
        return bool(self._backend.query("SELECT 1 FROM web_quote WHERE source = ? LIMIT 1", (source,)))

    def _drop_uncited(self, sources: list[int]) -> None:
        for table, column in (("web_event", "source"), ("web_snapshot", "source"), ("web_source", "id")):
            self._backend.run_many(f"DELETE FROM {table} WHERE {column} = ?", [(one,) for one in sources])  # noqa: S608


def _make_row(one: NewSource, refused: list[tuple[str, str]]) -> Row | None:
    """A source as it is stored; None where it is refused, with the reason in the list."""
    try:
        if len(one.url) > LONGEST_URL:
            raise FetchFailure("bad-url", f"it is longer than {LONGEST_URL:,} characters; use a shorter one")
        target = target_of(one.url)
        if len(target.url) > LONGEST_URL:
            raise FetchFailure("bad-url", f"it becomes longer than {LONGEST_URL:,} characters; use a shorter one")
        quote = _clean_quote(one.quote)
    except FetchFailure as failure:
        # The message of the fetcher begins with the address, which stands beside it already.
        reason = str(failure).removeprefix(f"{escape_text(one.url, _SHOWN)}: ")
        refused.append((escape_text(_USER.sub("//", one.url[:LONGEST_URL], count=1), _SHOWN), reason))
        return None
    digest = sha256(quote.encode()).hexdigest()[:_DIGEST_LETTERS]
    return target.url, target.host, quote, digest, clean_text(one.cited_in), NEW if quote else NO_QUOTE


def _clean_quote(quote: str) -> str:
    """A quote that every database takes as it is."""
    quote = quote.strip()
    if len(quote) > LONGEST_QUOTE:
        raise FetchFailure("bad-url", f"its quote has more than {LONGEST_QUOTE:,} characters; quote less")
    try:
        quote.encode()
    except UnicodeEncodeError:
        raise FetchFailure("bad-url", "its quote has half a character in it; copy it again") from None
    if "\0" in quote:
        raise FetchFailure("bad-url", "its quote has a NUL character in it; copy it again")
    return quote

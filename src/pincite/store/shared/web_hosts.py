"""Which worker asks which host: one at a time, never before the host's delay is over.

A worker holds a host while it asks it, and keeps the delay inside by its own steady clock; so no clock of a machine or
of the database decides how fast requests follow one another. The clock of the database counts where a host goes from
one worker to the next. A worker that was killed holds its hosts until others have seen for a while that its beat stays
the same.
"""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from .backend import POSTGRESQL
from .web_records import HostState, HostTurn

if TYPE_CHECKING:
    from collections.abc import Callable

    from .backend import Backend
    from .records import Team

TAKEN, HELD, PAUSED, RESTING, WAITING = "taken", "held", "paused", "resting", "waiting"
LONGEST_REST = 30 * 86_400.0
"""Seconds. A host that seems to rest for longer does so because a clock was set back."""
ALL_HOSTS = "*"
_CLOCK = "SELECT CAST(extract(epoch FROM clock_timestamp()) AS double precision)"
_DUE = """SELECT web_visit.host FROM web_visit JOIN web_host ON web_host.name = web_visit.host
WHERE web_visit.team = ? AND web_visit.due <= ? AND NOT web_host.paused AND web_host.holder = ''
AND (web_host.rests_until <= ? OR web_host.rests_until > ?) ORDER BY web_visit.due, web_visit.host LIMIT ?"""
_LEFT = """SELECT count(*) FROM web_visit JOIN web_host ON web_host.name = web_visit.host
WHERE web_visit.team = ? AND web_visit.due <= ? AND NOT web_host.paused
AND (web_host.rests_until <= ? OR web_host.rests_until > ?)"""


class WebHosts:
    """The hosts of one store."""

    def __init__(self, backend: Backend, clock: Callable[[], float] = time) -> None:
        """`clock` counts for SQLite; PostgreSQL has its own."""
        self._backend = backend
        self._clock = clock
        self._lock = " FOR UPDATE" if backend.address.kind == POSTGRESQL else ""

    def now(self) -> float:
        """The clock that all workers of the store share."""
        if self._backend.address.kind == POSTGRESQL:
            return float(self._backend.query(_CLOCK)[0][0])
        return self._clock()

    def register(self, worker: str) -> None:
        """Make a worker known; only then it may take hosts."""
        self._backend.run(
            "INSERT INTO web_worker (name, beat, started) VALUES (?, 1, ?) ON CONFLICT DO NOTHING",
            (worker, int(time())),
        )

    def beat(self, worker: str) -> bool:
        """Show that a worker is alive; False where others think that it is dead: then it holds nothing any more."""
        return self._backend.run("UPDATE web_worker SET beat = beat + 1 WHERE name = ?", (worker,)) == 1

    def list_beats(self) -> dict[str, int]:
        """How often each worker showed that it is alive."""
        return dict(self._backend.query("SELECT name, beat FROM web_worker"))

    def unregister(self, worker: str, beat: int | None = None) -> bool:
        """Let a worker end: its hosts are free after their delay. False where its beat is another one by now."""

        def write() -> bool:
            same, values = (" AND beat = ?", (worker, beat)) if beat is not None else ("", (worker,))
            if not self._backend.run(f"DELETE FROM web_worker WHERE name = ?{same}", values):  # noqa: S608
                return False
            self._backend.run("UPDATE web_host SET holder = '', asked = ? WHERE holder = ?", (self.now(), worker))
            return True

        return self._backend.perform(write)

    def free_orphans(self) -> int:
        """Free the hosts whose worker is not known, as after a restored backup; how many there were."""
        return self._backend.run(
            "UPDATE web_host SET holder = '', asked = ? WHERE holder <> '' "
            "AND NOT EXISTS (SELECT 1 FROM web_worker WHERE web_worker.name = web_host.holder)",
            (self.now(),),
        )

    def take(self, worker: str, host: str, delay: float) -> HostTurn:
        """Let a worker hold a host, where no other one does, it is not paused, and its delay is over."""
        return self._backend.perform(lambda: self._take(worker, host, delay))

    def _take(self, worker: str, host: str, delay: float) -> HostTurn:
        backend = self._backend
        backend.run("INSERT INTO web_host (name) VALUES (?) ON CONFLICT DO NOTHING", (host,))
        ((kept, asked, rests_until, strikes, holder, paused),) = backend.query(
            f"SELECT delay, asked, rests_until, strikes, holder, paused FROM web_host WHERE name = ?{self._lock}",  # noqa: S608
            (host,),
        )
        if paused or self.is_paused():
            return HostTurn(PAUSED)
        if holder not in ("", worker):
            return HostTurn(HELD)
        now, pause = self.now(), max(kept, delay)
        if now < rests_until <= now + LONGEST_REST:
            return HostTurn(RESTING, rests_until - now, strikes)
        if asked > now:
            # A clock was set back: when the host was asked is not known, but for that it was before now.
            backend.run("UPDATE web_host SET asked = ? WHERE name = ?", (now, host))
            return HostTurn(WAITING, pause)
        if asked + pause > now:
            return HostTurn(WAITING, asked + pause - now)
        backend.run("UPDATE web_host SET holder = ?, rests_until = 0 WHERE name = ?", (worker, host))
        return HostTurn(TAKEN, strikes=strikes)

    def release(self, worker: str, host: str, delay: float, rest: float = 0.0, strikes: int = 0) -> None:
        """Let go of a host, which nobody asks before its delay, or a longer rest, is over."""
        now = self.now()
        self._backend.run(
            "UPDATE web_host SET holder = '', asked = ?, delay = ?, rests_until = ?, strikes = ? "
            "WHERE name = ? AND holder = ?",
            (now, delay, now + min(rest, LONGEST_REST) if rest > 0 else 0.0, strikes, host, worker),
        )

    def rest(self, host: str, seconds: float) -> None:
        """Leave a host alone for a while, unless a worker holds it, which then hears of it by itself."""
        self._backend.run(
            "UPDATE web_host SET rests_until = ? WHERE name = ? AND holder = ''",
            (self.now() + min(seconds, LONGEST_REST), host),
        )

    def find_due(self, team: Team, until: int, most: int) -> list[str]:
        """Free hosts on which a team has sources that are due, those that wait longest first."""
        if self.is_paused():
            return []
        now = self.now()
        rows = self._backend.query(_DUE, (team.id, until, now, now + LONGEST_REST, most))
        return [name for (name,) in rows]

    def count_left(self, team: Team, until: int) -> int:
        """Hosts with sources that are due, free or held; those that are paused or rest do not count."""
        if self.is_paused():
            return 0
        now = self.now()
        return int(self._backend.query(_LEFT, (team.id, until, now, now + LONGEST_REST))[0][0])

    def find_paused(self, worker: str) -> list[str]:
        """The hosts that a worker holds and that were paused meanwhile."""
        what = "" if self.is_paused() else " AND paused"
        return [name for (name,) in self._backend.query(f"SELECT name FROM web_host WHERE holder = ?{what}", (worker,))]  # noqa: S608

    def is_paused(self) -> bool:
        """Whether no host at all is asked."""
        return bool(self._backend.query("SELECT 1 FROM web_host WHERE name = ? AND paused", (ALL_HOSTS,)))

    def pause(self, host: str) -> None:
        """Ask a host no more, for all teams; `*` is all hosts."""
        self._backend.run(
            "INSERT INTO web_host (name, paused) VALUES (?, ?) "
            "ON CONFLICT (name) DO UPDATE SET paused = excluded.paused",
            (host, True),
        )

    def resume(self, host: str) -> int:
        """Ask a host again, also where it rested; `*` is all hosts. How many were paused."""

        def write() -> int:
            chosen, values = ("", ()) if host == ALL_HOSTS else (" AND name = ?", (host,))
            self._backend.run(
                f"UPDATE web_host SET rests_until = 0, strikes = 0 WHERE rests_until > 0{chosen}",  # noqa: S608
                values,
            )
            return self._backend.run(f"UPDATE web_host SET paused = ? WHERE paused{chosen}", (False, *values))  # noqa: S608

        return self._backend.perform(write)

    def find(self, host: str) -> HostState | None:
        """A host; None where it is not known."""
        rows = self._backend.query(
            "SELECT name, delay, asked, rests_until, holder, paused FROM web_host WHERE name = ?", (host,)
        )
        return HostState(*rows[0]) if rows else None

    def list_unusual(self, most: int) -> list[HostState]:
        """The hosts that are paused, rest, or are held by a worker."""
        rows = self._backend.query(
            "SELECT name, delay, asked, rests_until, holder, paused FROM web_host "
            "WHERE paused OR holder <> '' OR rests_until > ? ORDER BY paused DESC, name LIMIT ?",
            (self.now(), most),
        )
        return [HostState(*row) for row in rows]

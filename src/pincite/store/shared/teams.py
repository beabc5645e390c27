"""Teams: who shares the store, who sees what, and how much each may use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from ..database import StoreTrouble
from .backend import POSTGRESQL
from .records import Team, TeamLimits

if TYPE_CHECKING:
    from .backend import Backend, Row

DEFAULT_TEAM = "default"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_ROLE = re.compile(r"[a-z_][a-z0-9_$-]{0,62}")
_COLUMNS = "id, name, most_repositories, most_citations, most_mirror_bytes, most_sources"
RIGHTS = ("reader", "worker")
"""What a login may be granted."""


class Teams:
    """The teams of a store."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def list(self) -> list[Team]:
        """The teams that this login sees, by name."""
        return [_make_team(row) for row in self._backend.query(f"SELECT {_COLUMNS} FROM team ORDER BY name")]  # noqa: S608

    def find(self, name: str) -> Team | None:
        """A team by its name; None where there is none that this login sees."""
        rows = self._backend.query(f"SELECT {_COLUMNS} FROM team WHERE name = ?", (name,))  # noqa: S608
        return _make_team(rows[0]) if rows else None

    def get(self, name: str) -> Team:
        """A team by its name; raises UsageError."""
        found = self.find(name)
        if found is None:
            raise UsageError(
                f"team {name!r}: there is none that you may see; the owner adds it: pincite store team {name}"
            )
        return found

    def set(self, name: str, limits: TeamLimits | None = None) -> Team:
        """Make a team where it is missing, and set its limits where they are given."""
        if _NAME.fullmatch(name) is None:
            raise UsageError(f"team {name!r}: use lower-case letters, digits, dots, dashes and underscores, at most 63")

        def write() -> None:
            if self.find(name) is None:
                self._backend.run("INSERT INTO team (name) VALUES (?) ON CONFLICT DO NOTHING", (name,))
            if limits is not None:
                self._backend.run(
                    "UPDATE team SET most_repositories = ?, most_citations = ?, most_mirror_bytes = ?, "
                    "most_sources = ? WHERE name = ?",
                    (limits.repositories, limits.citations, limits.mirror_bytes, limits.sources, name),
                )

        self._backend.perform(write)
        return self.get(name)

    def grant(self, role: str, name: str, right: str) -> None:
        """Let an existing login of PostgreSQL see a team, as a reader or as a worker."""
        if self._backend.address.kind != POSTGRESQL:
            raise UsageError(
                f"{self._backend.address.shown}: SQLite has no logins; who may read the file sees everything"
            )
        if _ROLE.fullmatch(role) is None or right not in RIGHTS:
            raise UsageError(f"{role!r}: not the name of a login; create it with `createuser` first")
        team = self.get(name)

        def write() -> None:
            if not self._backend.query("SELECT 1 FROM pg_roles WHERE rolname = ?", (role,)):
                raise StoreTrouble(f"{role}: the server has no such login; create it with `createuser`")
            self._backend.run(f'GRANT pincite_{right} TO "{role}"')
            self._backend.run(
                "INSERT INTO member (role_name, team) VALUES (?, ?) ON CONFLICT DO NOTHING", (role, team.id)
            )

        self._backend.perform(write)

    def revoke(self, role: str, name: str) -> None:
        """Take a team away from a login."""
        team = self.get(name)
        self._backend.run("DELETE FROM member WHERE role_name = ? AND team = ?", (role, team.id))


def _make_team(row: Row) -> Team:
    return Team(row[0], row[1], TeamLimits(*row[2:]))

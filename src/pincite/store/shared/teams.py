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
READER, WORKER = "reader", "worker"
RIGHTS = (READER, WORKER)
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
                self._backend.run("INSERT INTO team (name) VALUES (?) ON CONFLICT (name) DO NOTHING", (name,))
            if limits is not None:
                self._backend.run(
                    "UPDATE team SET most_repositories = ?, most_citations = ?, most_mirror_bytes = ?, "
                    "most_sources = ? WHERE name = ?",
                    (limits.repositories, limits.citations, limits.mirror_bytes, limits.sources, name),
                )

        self._backend.perform(write)
        return self.get(name)

    def grant(self, role: str, name: str, right: str) -> None:
        """Let an existing login of PostgreSQL see a team, as a reader or as a worker; a later call changes which."""
        team = self._require_login(role, name)
        if right not in RIGHTS:
            raise UsageError(f"{right!r}: no right; a login is a reader or a worker")

        def write() -> None:
            if not self._backend.query("SELECT 1 FROM pg_roles WHERE rolname = ?", (role,)):
                raise StoreTrouble(f"{role}: the server has no such login; create it with `createuser`")
            before = self._list_rights(role)
            self._backend.run(
                "INSERT INTO member (role_name, team, is_worker) VALUES (?, ?, ?) "
                "ON CONFLICT (role_name, team) DO UPDATE SET is_worker = excluded.is_worker",
                (role, team.id, right == WORKER),
            )
            self._set_roles(role, before)

        self._backend.perform(write)

    def revoke(self, role: str, name: str) -> bool:
        """Take a team away from a login; False where it did not have it."""
        team = self._require_login(role, name)

        def write() -> bool:
            before = self._list_rights(role)
            had = self._backend.run("DELETE FROM member WHERE role_name = ? AND team = ?", (role, team.id)) > 0
            if had and self._backend.query("SELECT 1 FROM pg_roles WHERE rolname = ?", (role,)):
                self._set_roles(role, before)
            return had

        return self._backend.perform(write)

    def list_members(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """The logins of each team that this login sees, each with its right."""
        found: dict[str, tuple[tuple[str, str], ...]] = {}
        for name, role, is_worker in self._backend.query(
            "SELECT team.name, role_name, is_worker FROM member JOIN team ON team.id = member.team ORDER BY 1, 2"
        ):
            found[name] = (*found.get(name, ()), (role, WORKER if is_worker else READER))
        return found

    def _require_login(self, role: str, name: str) -> Team:
        if self._backend.address.kind != POSTGRESQL:
            raise UsageError(
                f"{self._backend.address.shown}: SQLite has no logins; who may read the file sees everything"
            )
        if _ROLE.fullmatch(role) is None or role.startswith("pincite_"):
            raise UsageError(f"{role!r}: not the name of a login; create it with `createuser` first")
        return self.get(name)

    def _list_rights(self, role: str) -> frozenset[str]:
        """The rights that a login needs for its teams: who works also reads."""
        rows = self._backend.query("SELECT is_worker FROM member WHERE role_name = ?", (role,))
        return frozenset(right for (is_worker,) in rows for right in (READER, WORKER if is_worker else READER))

    def _set_roles(self, role: str, before: frozenset[str]) -> None:
        """Give a login the roles that its teams need, and take away those that it needs no more.

        Roles belong to the whole server: what it never needed here may come from another store.
        """
        needed = self._list_rights(role)
        for right in sorted(needed):
            self._backend.run(f'GRANT pincite_{right} TO "{role}"')
        for right in sorted(before - needed):
            self._backend.run(f'REVOKE pincite_{right} FROM "{role}"')


def _make_team(row: Row) -> Team:
    return Team(row[0], row[1], TeamLimits(*row[2:]))

"""Evidence that a team shares: captured output, receipts, judgements, accepted findings, the index of snapshots."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from ...core.errors import UsageError
from .records import StoredEvidence
from .schema import require_writable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from .backend import Backend
    from .records import Team

KINDS = ("text", "run", "receipt", "judgement", "acceptance", "snapshot")
"""`text` and `run` are captured output."""
LARGEST = 64 * 1024 * 1024
_BATCH_BYTES = 8 * 1024 * 1024
_BATCH_RECORDS = 1_000
_LISTED_AT_ONCE = 100
_COLUMNS = "kind, project, key, recorded, data"


class SharedEvidence:
    """The evidence of one store."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend

    def put(self, team: Team, records: Iterable[StoredEvidence]) -> int:
        """Keep records; one that is there under the same key is replaced by a newer one. How many were new or newer."""
        changed, batch, size = 0, list[StoredEvidence](), 0
        for record in records:
            if record.kind not in KINDS or len(record.data) > LARGEST:
                raise UsageError(f"{record.kind} {record.key[:80]}: cannot be kept ({len(record.data)} bytes)")
            batch.append(record)
            size += len(record.data)
            if size > _BATCH_BYTES or len(batch) >= _BATCH_RECORDS:
                changed += self._put(team, batch)
                batch, size = [], 0
        return changed + (self._put(team, batch) if batch else 0)

    def _put(self, team: Team, batch: list[StoredEvidence]) -> int:
        def write() -> int:
            require_writable(self._backend)
            return sum(
                self._backend.run(
                    "INSERT INTO evidence (team, kind, project, key, recorded, data) VALUES (?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT (team, kind, project, key) DO UPDATE SET recorded = excluded.recorded, "
                    "data = excluded.data "
                    "WHERE excluded.recorded >= evidence.recorded AND excluded.data <> evidence.data",
                    (team.id, one.kind, one.project, one.key, one.recorded, one.data),
                )
                for one in batch
            )

        return self._backend.perform(write)

    def find(self, team: Team, kind: str, project: str, key: str) -> StoredEvidence | None:
        """One record; None where there is none."""
        rows = self._backend.query(
            f"SELECT {_COLUMNS} FROM evidence WHERE team = ? AND kind = ? AND project = ? AND key = ?",  # noqa: S608
            (team.id, kind, project, key),
        )
        return _make(rows[0]) if rows else None

    def read_all(self, team: Team, kind: str, project: str, most: int = LARGEST) -> Iterator[StoredEvidence]:
        """All records of a kind in a project, by key; a few are held at a time.

        One of more than `most` bytes comes without its data.
        """
        after = ""
        while sizes := self._backend.query(
            "SELECT key, length(data) FROM evidence WHERE team = ? AND kind = ? AND project = ? AND key > ? "
            "ORDER BY key LIMIT ?",
            (team.id, kind, project, after, _LISTED_AT_ONCE),
        ):
            after = sizes[-1][0]
            for some in _divide(sizes, most):
                marks = ", ".join("?" * len(some))
                yield from map(
                    _make,
                    self._backend.query(
                        "SELECT kind, project, key, recorded, CASE WHEN length(data) <= ? THEN data END FROM evidence "  # noqa: S608
                        f"WHERE team = ? AND kind = ? AND project = ? AND key IN ({marks}) ORDER BY key",
                        (most, team.id, kind, project, *some),
                    ),
                )

    def measure(self, team: Team, kind: str, project: str, keys: Sequence[str]) -> dict[str, int]:
        """How many bytes those of the records have that there are."""
        found: dict[str, int] = {}
        for at in range(0, len(keys), _LISTED_AT_ONCE):
            some = keys[at : at + _LISTED_AT_ONCE]
            marks = ", ".join("?" * len(some))
            found.update(
                self._backend.query(
                    "SELECT key, length(data) FROM evidence "  # noqa: S608
                    f"WHERE team = ? AND kind = ? AND project = ? AND key IN ({marks})",
                    (team.id, kind, project, *some),
                )
            )
        return found

    def digest_output(self) -> dict[tuple[int, str], str]:
        """What stands for the captured output of each project, by the number of its team and its name.

        It changes with every record that comes, and with a run that gets more texts: no data is read for it.
        """
        rows = self._backend.query(
            "SELECT team, project, kind, count(*), max(recorded), sum(length(data)) FROM evidence "
            "WHERE kind IN ('run', 'text') GROUP BY team, project, kind ORDER BY team, project, kind"
        )
        facts: dict[tuple[int, str], str] = {}
        for team, project, *counted in rows:
            facts[team, project] = " ".join((facts.get((team, project), ""), *map(str, counted)))
        return {place: sha256(words.encode()).hexdigest()[:16] for place, words in facts.items()}

    def keys(self, team: Team, kind: str, project: str) -> dict[str, int]:
        """The keys of all records of a kind in a project, each with the time it was recorded."""
        return dict(
            self._backend.query(
                "SELECT key, recorded FROM evidence WHERE team = ? AND kind = ? AND project = ? ORDER BY key",
                (team.id, kind, project),
            )
        )

    def count(self) -> dict[str, int]:
        """How many records there are of each kind."""
        return dict(self._backend.query("SELECT kind, count(*) FROM evidence GROUP BY kind ORDER BY kind"))


def _divide(sizes: Sequence[tuple[str, int]], most: int) -> Iterator[list[str]]:
    """Keys in groups of records that are held at a time; those of more than `most` bytes are not held."""
    some: list[str] = []
    held = 0
    for key, size in sizes:
        held += size if size <= most else 0
        if some and held > _BATCH_BYTES:
            yield some
            some, held = [], size if size <= most else 0
        some.append(key)
    yield some


def _make(row: tuple[str, str, str, int, object]) -> StoredEvidence:
    # SQLite takes a number or a text, too, where bytes are meant.
    return StoredEvidence(*row[:4], bytes(row[4]) if isinstance(row[4], bytes | memoryview) else b"")

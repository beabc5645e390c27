"""A shared store with a small fleet in it, checked at times of the test's choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import time

from pincite.store.shared import SharedStore, open_backend, open_store
from pincite.store.shared.backend import parse_address
from pincite.store.shared.records import NewShard, NewVerdict, ShardKey
from pincite.store.shared.schema import migrate

HOLDS, UNCHECKED, MOVED, MISMATCH, MISSING, MALFORMED = 0, 1, 2, 4, 5, 7
DAY = 86_400
_CHECKS = {0: "", 1: "url-unchecked", 2: "lines-moved", 4: "lines-edited", 5: "file-missing", 7: "malformed"}


@contextmanager
def open_filled(address: str) -> Iterator[SharedStore]:
    """A store at an address, with its schema."""
    backend = open_backend(parse_address(address))
    migrate(backend)
    backend.close()
    with open_store(parse_address(address)) as store:
        yield store


def make_verdict(
    citation: int,
    outcome: int = HOLDS,
    document: str = "docs/a.md",
    line: int = 0,
    message: str = "",
    written: str = "",
) -> NewVerdict:
    """A verdict on a citation."""
    said = message or (f"citation {citation} is a problem" if outcome > 1 else "")
    line = line or citation
    return NewVerdict(citation, document, line, outcome, _CHECKS[outcome], said, written or f"src/x.py:{line}")


def add_repository(store: SharedStore, name: str, team: str = "default", location: str = "") -> int:
    """A repository of a team; its number."""
    found = store.teams.find(team) or store.teams.set(team)
    return store.verdicts.add_repositories(found, [(name, location or f"https://{name}")])[0].id


def add_check(
    store: SharedStore, repository: int, commit: str, verdicts: Sequence[NewVerdict], finished: int = 0
) -> None:
    """A check of a repository that ended at a time, by default now."""
    stored = store.verdicts.find_repository(repository)
    assert stored is not None
    team = next(one for one in store.teams.list() if one.id == stored.team)
    documents = len({one.document for one in verdicts})
    key = ShardKey(repository, commit, "s", "1")
    shard = NewShard(key, 1_700_000_000, store.verdicts.take_ticket(), 0.5, documents)
    assert store.verdicts.write(team, shard, verdicts)
    if finished:
        store.backend.run("UPDATE shard SET finished = ? WHERE id = (SELECT max(id) FROM shard)", (finished,))


def fill_fleet(store: SharedStore, now: int = 0) -> dict[str, int]:
    """Five repositories of two teams; their numbers by their last names.

    `alpha` has 30 citations of which 2 became problems within the last hours, `beta` is small and bad, `gamma` was not
    checked for ten days, `delta` cannot be checked, `epsilon` never was.
    """
    now = now or int(time())
    alpha = add_repository(store, "github.com/acme/alpha")
    beta = add_repository(store, "github.com/acme/beta", "docs", "/srv/git/beta")
    gamma = add_repository(store, "github.com/acme/gamma", "docs")
    delta = add_repository(store, "github.com/acme/delta")
    epsilon = add_repository(store, "github.com/acme/epsilon", "docs")
    first = [make_verdict(one, HOLDS, f"docs/{one % 3}.md") for one in range(1, 31)]
    add_check(store, alpha, "a" * 40, first, now - 3 * DAY)
    later = [
        make_verdict(1, MOVED, "docs/1.md", message="src/x.py: moved to line 9"),
        make_verdict(2, MISSING, "docs/2.md", message="src/gone.py: no such file"),
        *first[2:],
    ]
    add_check(store, alpha, "b" * 40, later, now - 3_600)
    add_check(store, beta, "c" * 40, [make_verdict(1), *(make_verdict(one, MISMATCH) for one in (2, 3, 4))], now - DAY)
    add_check(store, gamma, "d" * 40, [make_verdict(one, UNCHECKED) for one in (1, 2)], now - 10 * DAY)
    add_check(store, delta, "e" * 40, [make_verdict(1)], now - 2 * DAY)
    team = store.teams.get("default")
    for _ in range(2):
        store.verdicts.record_failure(team, delta, "the server is gone", "t" * 32)
    return {"alpha": alpha, "beta": beta, "gamma": gamma, "delta": delta, "epsilon": epsilon}

"""What the shared store costs: writing verdicts, asking about ten million of them, and what they take on the disk.

    python bench/fleet_store.py [--rows N] [--quick]

PostgreSQL is started for it with its default settings, so that every commit waits for the disk. Repositories have 9,500
citations each; a twentieth of the rows is history. Times pass on a machine that may be busy; a question is asked many
times, and the median counts. Prints a table; the last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter, time

TOP = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TOP / "src"), str(TOP / "tests")]

from figures import Figure  # noqa: E402

from pincite.store.shared import SharedStore, open_backend, open_store  # noqa: E402
from pincite.store.shared.backend import parse_address  # noqa: E402
from pincite.store.shared.records import NewShard, NewVerdict, ShardKey, StoredRepository  # noqa: E402
from pincite.store.shared.transfer import export_store, import_store  # noqa: E402
from run import table  # noqa: E402
from support_postgres import PostgresServer  # noqa: E402
from support_store import make_login, make_store  # noqa: E402

ROWS, QUICK_ROWS = 10_000_000, 300_000
LEAST_RATE = 50_000.0
MOST_BYTES = 250.0
OVERVIEW, HISTORY = 100.0, 10.0
DEFAULTS = (
    *("fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_buffers=128MB", "autovacuum=on"),
    "max_connections=100",
)
"""What PostgreSQL has where nothing is set; the tests' own server has other settings."""
CITATIONS = 9_500
CHANGED = 100
"""One in so many verdicts is another one in the second write."""
HISTORY_CHANGED = 19
TIMES = 25


def make_verdicts(repository: int, number: int, changed: int = 0) -> list[NewVerdict]:
    """So many verdicts of a repository, one in seven a problem, as `fleet check` finds them; 20 in a document."""
    found = []
    for at in range(number):
        is_problem = at % 7 == 3
        outcome = (5 if at % 2 else 2) if is_problem else 0
        if changed and at % changed == 0:
            outcome = 4
        cited = f"src/package/module_{at % 50:03}.py:{at}-{at + 8}"
        found.append(
            NewVerdict(
                (repository * 1_000_003 + at) * 0x9E3779B97F4A7C15 % 2**64 - 2**63,
                f"docs/guide/page-{at // 20:04}.md",
                10 + at % 20 * 3,
                outcome,
                "lines-moved" if outcome else "",
                f"the cited lines are now src/package/module_{at % 50:03}.py:{at + 12}-{at + 20}" if outcome else "",
                cited,
            )
        )
    return found


def write(store: SharedStore, repository: StoredRepository, commit: str, ticket: int, found: list[NewVerdict]) -> None:
    """Store one shard."""
    key = ShardKey(repository.id, commit * 40, "settings", "1.0")
    shard = NewShard(key, 1_700_000_000 + ticket, ticket, 1.0, len(found) // 20)
    assert store.verdicts.write(store.teams.get("default"), shard, found)


def measure_writes(store: SharedStore, name: str, total: int) -> Iterator[Figure]:
    """Rows a second for small and large shards, first and with a hundredth changed."""
    for size in (1_000, 10_000):
        places = [(f"{name}-{size}-{at}", f"/{at}") for at in range(max(3, total // size))]
        repositories = store.verdicts.add_repositories(store.teams.get("default"), places)
        for commit, changed, words in (("a", 0, "first"), ("b", CHANGED, "second, 1 % changed")):
            sets = [make_verdicts(one.id, size, changed) for one in repositories]
            taken = []
            for one, found in zip(repositories, sets, strict=True):
                began = perf_counter()
                write(store, one, commit, 2 if changed else 1, found)
                taken.append(perf_counter() - began)
            yield Figure(f"{name}: shards of {size:,}, {words}", size / median(taken), "rows/s", LEAST_RATE, least=True)


def fill(store: SharedStore, rows: int) -> None:
    """Bring the table of verdicts to so many rows; says how far it is."""
    (known,) = store.backend.query("SELECT count(*) FROM verdict")[0]
    number = max(1, (rows - known) * 19 // 20 // CITATIONS)
    team = store.teams.get("default")
    repositories = store.verdicts.add_repositories(team, [(f"filled-{at:05}", "/x") for at in range(number)])
    for at, one in enumerate(repositories):
        write(store, one, "c", 1, make_verdicts(one.id, CITATIONS))
        write(store, one, "d", 2, make_verdicts(one.id, CITATIONS, HISTORY_CHANGED))
        if sys.stderr.isatty():
            print(f"\rfilling: {at + 1} of {number} repositories", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)


def ask(question: Callable[[], object]) -> float:
    """Milliseconds of a question, the median of many."""
    taken = []
    for _ in range(TIMES):
        began = perf_counter()
        assert question()
        taken.append((perf_counter() - began) * 1000)
    return median(taken)


def measure_questions(store: SharedStore, name: str) -> Iterator[Figure]:
    """The overview of all repositories, and the history of citations picked at random."""
    draw = random.Random(1)
    day = int(time()) - 86_400
    repositories = [one for one in store.verdicts.list_repositories() if one.name.startswith("filled-")]

    def look_up() -> object:
        one = draw.choice(repositories)
        at = draw.randrange(CITATIONS)
        return store.overview.history(one.id, (one.id * 1_000_003 + at) * 0x9E3779B97F4A7C15 % 2**64 - 2**63)

    yield Figure(
        f"{name}: overview of {len(repositories):,} repositories", ask(store.overview.summarize), "ms", OVERVIEW
    )
    yield Figure(f"{name}: overview, new since yesterday", ask(lambda: store.overview.summarize(day)), "ms", OVERVIEW)
    yield Figure(f"{name}: history of one citation", ask(look_up), "ms", HISTORY)
    worst = repositories[0].id
    yield Figure(f"{name}: problems of one repository", ask(lambda: store.overview.list_problems(worst, 100)), "ms")


def measure_size(store: SharedStore, name: str) -> Iterator[Figure]:
    """Bytes a row with indexes."""
    (rows,) = store.backend.query("SELECT count(*) FROM verdict")[0]
    yield Figure(f"{name}: rows of verdicts", rows, "rows")
    yield Figure(f"{name}: bytes a row", store.backend.measure_table("verdict") / rows, "bytes", MOST_BYTES)


def measure_reconciliation(store: SharedStore, name: str) -> Iterator[Figure]:
    """Whether all of it adds up, and how long that takes to find out."""
    began = perf_counter()
    wrong = store.verdicts.reconcile()
    yield Figure(f"{name}: reconciliation", perf_counter() - began, "s")
    yield Figure(f"{name}: what does not add up", len(wrong), "lines", 0.0)


def measure_transfer(store: SharedStore, name: str, folder: str) -> Iterator[Figure]:
    """An export, and its import into SQLite."""
    path = os.path.join(folder, "store.jsonl.gz")
    began = perf_counter()
    done = export_store(store.backend, path)
    rows = sum(done.rows.values())
    yield Figure(f"{name}: export", rows / (perf_counter() - began), "rows/s")
    yield Figure(f"{name}: export", done.size / rows, "bytes/row")
    with closing(open_backend(parse_address(f"sqlite://{folder}/imported.db"))) as backend:
        began = perf_counter()
        import_store(backend, path)
        yield Figure("import into SQLite", rows / (perf_counter() - began), "rows/s")


def measure_postgresql(rows: int, folder: str) -> Iterator[Figure]:
    """All figures of PostgreSQL: writing as a worker under row security and as the owner, asking as a reader."""
    server = PostgresServer(*DEFAULTS)
    try:
        server.start()
        address = server.new_database()
        with make_store(address) as owner:
            worker, reader = (make_login(server, address, name) for name in ("bench_worker", "bench_reader"))
            owner.teams.grant("bench_worker", "default", "worker")
            owner.teams.grant("bench_reader", "default", "reader")
            yield from measure_writes(owner, "PostgreSQL, owner", 60_000)
            with open_store(parse_address(worker)) as store:
                yield from measure_writes(store, "PostgreSQL, worker", 60_000)
            fill(owner, rows)
            owner.backend.run("ANALYZE")
            yield from measure_size(owner, "PostgreSQL")
            yield from measure_questions(owner, "PostgreSQL, owner")
            with open_store(parse_address(reader), write=False) as store:
                yield from measure_questions(store, "PostgreSQL, reader")
            with open_store(parse_address(worker)) as store:
                yield from measure_writes(store, "PostgreSQL, worker, full", 30_000)
            yield from measure_reconciliation(owner, "PostgreSQL")
            yield from measure_transfer(owner, "PostgreSQL", folder)
    finally:
        server.remove()


def measure_sqlite(rows: int, folder: str) -> Iterator[Figure]:
    """The same of a file of SQLite."""
    with make_store(f"sqlite://{folder}/fleet.db") as store:
        yield from measure_writes(store, "SQLite", 60_000)
        fill(store, rows)
        yield from measure_size(store, "SQLite")
        yield from measure_questions(store, "SQLite")
        yield from measure_reconciliation(store, "SQLite")


def main() -> int:
    """Measure, print, and end with 1 where a bar is not kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows of verdicts (default: {ROWS:,})")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROWS:,} rows")
    parser.add_argument("--kind", choices=["postgresql", "sqlite", "both"], default="both")
    given = parser.parse_args()
    rows = QUICK_ROWS if given.quick else given.rows
    figures = []
    with tempfile.TemporaryDirectory(prefix="pincite-bench-store-") as folder:
        for kind, measure in (("postgresql", measure_postgresql), ("sqlite", measure_sqlite)):
            if given.kind in (kind, "both"):
                for figure in measure(rows, folder):
                    figures.append(figure)
                    if sys.stderr.isatty():
                        print(f"measured: {figure.what}", file=sys.stderr)
    print(table(figures))
    print(json.dumps({"figures": [{**one._asdict(), "met": one.met} for one in figures], "rows": rows}))
    return 0 if all(figure.met is not False for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())

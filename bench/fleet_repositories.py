"""What checking many repositories costs: processes and Dask against one worker, and against checking one by one.

    python bench/fleet_repositories.py [--repositories N] [--sample N] [--rounds N]

Makes its own repositories and its own PostgreSQL in a temporary folder. CPU is that of the command and its children,
without the database. One by one is `pincite check` in the work tree of a sample of the repositories, which are all of
one kind. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import rmtree
from statistics import median
from time import monotonic
from typing import Any

from figures import Figure
from measure import Cost, pincite, run

from run import table

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support_fleet import add_commit, make_repositories
from support_postgres import PostgresServer

BARS = {"two": 1.7, "cpu": 1.15, "again": 5.0, "memory": 400.0, "growth": 10.5}


class Bench:
    """A folder with repositories, and the stores that runs of them write to."""

    def __init__(self, top: Path, server: PostgresServer, repositories: list[Path]) -> None:
        self.top = top
        self.server = server
        self.repositories = repositories
        self._number = 0

    def store(self) -> str:
        """A new store with its schema."""
        address = self.server.new_database()
        cost = run(pincite("store", "migrate", "--database", address), str(self.top))
        if cost.code:
            raise SystemExit("the store cannot be made")
        return address

    def check(self, address: str, some: list[Path], *options: str) -> tuple[Cost, dict[str, Any]]:
        """One run of the fleet over repositories: what it cost, and what it says."""
        self._number += 1
        listed = self.top / f"list-{self._number}.txt"
        listed.write_text("".join(f"{path}\n" for path in some))
        output = self.top / f"out-{self._number}.json"
        mirrors = str(self.top / "mirrors")
        command = pincite(
            *("fleet", "check", str(listed), "--database", address, "--mirrors", mirrors, "--format", "json", *options)
        )
        cost = run(command, str(self.top), str(output))
        if cost.code == 2:
            raise SystemExit(f"{' '.join(command)} ended with 2: {output.read_text()[-2000:]}")
        return cost, json.loads(output.read_text())

    def forget_mirrors(self) -> None:
        """Remove all mirrors: the next run makes them again."""
        rmtree(self.top / "mirrors", ignore_errors=True)


def measure_one_by_one(bench: Bench, sample: int) -> tuple[float, int]:
    """CPU a repository of `pincite check`, and how many citations one has."""
    every = max(1, len(bench.repositories) // sample)
    costs, citations = [], 0
    for path in bench.repositories[::every][:sample]:
        output = bench.top / "one.json"
        cost = run(pincite("check", "--no-cache", "--format", "json", "--root", str(path)), str(path), str(output))
        costs.append(cost.cpu)
        citations = json.loads(output.read_text())["summary"]["citations"]
    return sum(costs) / len(costs), citations


def measure_workers(bench: Bench, rounds: int) -> tuple[list[Figure], Cost, Cost, str]:
    """One worker and two, taking turns, each with new mirrors and a new store."""
    ones, twos = [], []
    address = ""
    for _ in range(rounds):
        for jobs, kept in ((1, ones), (2, twos)):
            bench.forget_mirrors()
            address = bench.store()
            cost, said = bench.check(address, bench.repositories, "--jobs", str(jobs))
            if said["checked"] != len(bench.repositories) or said["failed"]:
                raise SystemExit(f"only {said['checked']} were checked: {said['troubles']}")
            kept.append((cost, said))
    one = min((cost for cost, _ in ones), key=lambda cost: cost.seconds)
    two = min((cost for cost, _ in twos), key=lambda cost: cost.seconds)
    peak = max(said["peak_bytes"] for _, said in (*ones, *twos)) / 2**20
    ratio = median(a.seconds / b.seconds for (a, _), (b, _) in zip(ones, twos, strict=True))
    figures = [
        Figure("one worker", one.seconds, "s"),
        Figure("two workers", two.seconds, "s"),
        Figure("two workers to one, times as fast", ratio, "×", BARS["two"], least=True),
        Figure("memory of a worker's child, most", peak, "MB", BARS["memory"]),
        Figure("memory of the command, most", max(one.megabytes, two.megabytes), "MB", BARS["memory"]),
    ]
    return figures, one, two, address


def measure_dask(bench: Bench) -> list[Figure]:
    """Two workers of Dask, started for the run."""
    bench.forget_mirrors()
    address = bench.store()
    with WorkerMemory() as memory:
        cost, said = bench.check(address, bench.repositories, "--engine", "dask", "--jobs", "2")
    if said["checked"] != len(bench.repositories):
        raise SystemExit(f"only {said['checked']} were checked with Dask: {said['troubles']}")
    return [
        Figure("two workers of Dask", cost.seconds, "s"),
        Figure("memory of a worker of Dask with its child, most", memory.most, "MB", BARS["memory"]),
    ]


class WorkerMemory:
    """Watches the processes of Dask's workers from outside, twice a second."""

    def __init__(self) -> None:
        self.most = 0.0
        self._program = (
            "import psutil,sys,time\nmost=0\n"
            "while True:\n"
            " for p in psutil.process_iter(['cmdline']):\n"
            "  try:\n"
            "   words=' '.join(p.info['cmdline'] or ())\n"
            "   if 'multiprocessing' in words and 'spawn_main' in words:\n"
            "    size=p.memory_info().rss+sum(c.memory_info().rss for c in p.children(recursive=True))\n"
            "    if size>most: most=size; print(most,flush=True)\n"
            "  except psutil.Error: pass\n"
            " time.sleep(.5)\n"
        )

    def __enter__(self) -> WorkerMemory:
        self._process = subprocess.Popen([sys.executable, "-c", self._program], stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        said = self._process.communicate()[0].split()
        self.most = int(said[-1]) / 2**20 if said else 0.0


def measure_again(bench: Bench, address: str, first: Cost) -> list[Figure]:
    """A second run of which one in a hundred repositories has a new commit."""
    changed = bench.repositories[:: max(1, min(100, len(bench.repositories)))]
    for number, path in enumerate(changed):
        add_commit(path, number)
    cost, said = bench.check(address, bench.repositories, "--jobs", "2")
    if said["checked"] != len(changed):
        raise SystemExit(f"{said['checked']} were checked instead of {len(changed)}")
    return [
        Figure(f"second run, {len(changed)} changed: CPU to the first", 100 * cost.cpu / first.cpu, "%", BARS["again"]),
        Figure("the same, time", 100 * cost.seconds / first.seconds, "%", BARS["again"]),
    ]


def measure_growth(bench: Bench, whole: Cost) -> list[Figure]:
    """A tenth of the repositories against all."""
    bench.forget_mirrors()
    few = bench.repositories[: max(1, len(bench.repositories) // 10)]
    cost, _ = bench.check(bench.store(), few, "--jobs", "2")
    times = len(bench.repositories) / len(few)
    scale = 10 / times
    return [
        Figure(
            f"from {len(few)} to {len(bench.repositories)} repositories, CPU",
            scale * whole.cpu / cost.cpu,
            "×",
            BARS["growth"],
        )
    ]


def measure(top: Path, number: int, sample: int, rounds: int) -> list[Figure]:
    """Every figure."""
    began = monotonic()
    repositories = make_repositories(top / "repositories", number)
    made = monotonic() - began
    (top / "postgres").mkdir()
    server = PostgresServer(place=str(top / "postgres"))
    server.start()
    try:
        bench = Bench(top, server, repositories)
        alone, citations = measure_one_by_one(bench, sample)
        figures, one, two, address = measure_workers(bench, rounds)
        found = [
            Figure("repositories checked", number, ""),
            Figure("citations in all", citations * number, ""),
            Figure("making the repositories", made, "s"),
            Figure("one by one, CPU of a repository", 1000 * alone, "ms"),
            Figure("two workers, CPU of a repository", 1000 * two.cpu / number, "ms"),
            *figures,
            Figure("CPU of two workers to one by one", two.cpu / (alone * number), "×", BARS["cpu"]),
            Figure("CPU of one worker to one by one", one.cpu / (alone * number), "×", BARS["cpu"]),
        ]
        found += measure_again(bench, address, two)
        found += measure_growth(bench, two)
        found += measure_dask(bench)
    finally:
        server.remove()
    return found


def print_table(figures: list[Figure]) -> None:
    """The table and, as its last line, the same as JSON."""
    print(f"load {os.getloadavg()[0]:.1f}\n")
    print(table(figures))
    print(json.dumps({"figures": [{**one._asdict(), "met": one.met} for one in figures]}))


def main() -> int:
    """Measure, print the table; 1 while a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repositories", type=int, default=1000)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as name:
        os.chmod(name, 0o755)
        figures = measure(Path(name).resolve(), options.repositories, options.sample, options.rounds)
    print_table(figures)
    return 0 if all(one.met is not False for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())

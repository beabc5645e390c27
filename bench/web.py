"""What a browser waits for: `pincite serve` in a repository of many documents, measured from the clients' side.

    python bench/web.py [--documents N] [--clients N]

Times pass on a machine that may be busy, and the clients share its cores with the server. Memory is the resident set of
the server's process, and of it and its child process. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from urllib.parse import quote
from urllib.request import Request, urlopen

from figures import Figure
from lsp import make_repository
from measure import PINCITE, PYTHON, SOURCE
from web_clients import BadClients, EventStreams, ask_by_many, read_address

BARS = {
    "start": 800.0,
    "overview": 300.0,
    "document": 200.0,
    "memory": 250.0,
    "clients p99": 1000.0,
    "change": 1000.0,
}
_PATIENCE = 600.0
_STARTS = 7
_TRIED = 20
"""Pages of a kind that are timed."""
_BESIDE = 200
"""Clients that go on while others misbehave, and how many of these there are of each kind."""
_BAD = 50
_QUIET = 6.0
"""Seconds before a change: the server rests a while after one."""


class ServerProcess:
    """`pincite serve` of a folder; `started` is how long its address took to be printed, in milliseconds."""

    def __init__(self, folder: Path, cache: str) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
        environment = {**kept, "PYTHONPATH": SOURCE, "PINCITE_CACHE": cache}
        began = perf_counter()
        self._process = subprocess.Popen(
            [*PINCITE, "serve", "--root", str(folder)], stdout=subprocess.PIPE, env=environment, text=True
        )
        assert self._process.stdout is not None
        printed = self._process.stdout.readline()
        self.started = (perf_counter() - began) * 1000
        if "http" not in printed:
            raise SystemExit("the server did not start")
        self.address = read_address(printed.partition(": ")[2].strip())

    def get(self, path: str) -> tuple[float, bytes]:
        """Milliseconds and bytes of one answer."""
        address = f"http://{self.address.host}:{self.address.port}{path}"
        request = Request(address, headers={"Authorization": f"Bearer {self.address.token}"})
        began = perf_counter()
        with urlopen(request, timeout=_PATIENCE) as answer:
            body: bytes = answer.read()
        return (perf_counter() - began) * 1000, body

    def wait_for_check(self) -> float:
        """Milliseconds until every document is checked."""
        began = perf_counter()
        while any(work["state"] == "running" for work in json.loads(self.get("/work.json")[1])["work"]):
            sleep(0.02)
        return (perf_counter() - began) * 1000

    def megabytes(self) -> tuple[float, float]:
        """The memory of the server, and of it with its child processes."""
        own = _read_resident(self._process.pid)
        return own, own + sum(map(_read_resident, self._list_children()))

    def end(self) -> None:
        """End it, and wait for its child processes: they write into the cache until they notice."""
        children = self._list_children()
        self._process.kill()
        self._process.communicate()
        while any(Path(f"/proc/{child}").exists() for child in children):
            sleep(0.02)

    def _list_children(self) -> list[int]:
        return [
            int(child)
            for child in Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
        ]


@contextmanager
def serve(folder: Path, cache: str) -> Iterator[ServerProcess]:
    """A server that is ended afterwards."""
    server = ServerProcess(folder, cache)
    try:
        yield server
    finally:
        server.end()


def _read_resident(pid: int) -> float:
    rows = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(row.split()[1]) / 1024 for row in rows if row.startswith("VmRSS:"))


def measure_start(folder: Path, cache: str) -> list[Figure]:
    """How long the address takes to be printed, against a bare interpreter; the two take turns."""
    starts, bare = [], []
    for _ in range(_STARTS):
        with serve(folder, cache) as server:
            starts.append(server.started)
        began = perf_counter()
        subprocess.run([PYTHON, "-c", "pass"], check=True)
        bare.append((perf_counter() - began) * 1000)
    return [
        Figure("start until the address is printed", median(starts), "ms", BARS["start"]),
        Figure("the same, to a bare interpreter", median(starts) / median(bare), "×"),
    ]


def measure_pages(server: ServerProcess) -> list[Figure]:
    """The overview and documents, made for the first time and from memory."""
    first = server.get("/")[0]
    others = [server.get(f"/?page={number}")[0] for number in range(2, 12)]
    kept = [server.get("/")[0] for _ in range(_TRIED)]
    names = [row["document"] for row in json.loads(server.get("/index.json")[1])["documents"]][:_TRIED]
    paths = [f"/d/{quote(name)}" for name in names]
    made = [server.get(path)[0] for path in paths]
    warm = [server.get(path)[0] for path in paths]
    return [
        Figure("overview, first request", first, "ms", BARS["overview"]),
        Figure("overview, another part of the list, median", median(others), "ms", BARS["overview"]),
        Figure("overview, from memory, median", median(kept), "ms"),
        Figure("document, made, median", median(made), "ms", BARS["document"]),
        Figure("document, made, slowest", max(made), "ms"),
        Figure("document, from memory, median", median(warm), "ms", BARS["document"]),
    ]


def measure_clients(server: ServerProcess, clients: int) -> list[Figure]:
    """Many clients at once on pages in memory; fewer beside others that misbehave."""
    names = [row["document"] for row in json.loads(server.get("/index.json")[1])["documents"]][:_TRIED]
    paths = ["/", "/index.json", *(f"/d/{quote(name)}" for name in names)]
    for path in paths:
        server.get(path)
    many = asyncio.run(ask_by_many(server.address, paths, clients, 5))

    async def ask_beside() -> tuple[list[float], list[str]]:
        async with BadClients(server.address, _BAD):
            answered = await ask_by_many(server.address, paths, _BESIDE, 20)
        return answered

    beside = asyncio.run(ask_beside())
    for what in (*many.errors[:3], *beside[1][:3]):
        print(f"error: {what}", file=sys.stderr)
    slowest = sorted(beside[0])
    return [
        Figure(f"{clients:,} clients at once: errors", len(many.errors), "", 0),
        Figure("the same: median of a request", many.percentile(0.5), "ms"),
        Figure("the same: 99 of 100 requests within", many.percentile(0.99), "ms", BARS["clients p99"]),
        Figure(f"{_BESIDE} clients beside {4 * _BAD} that misbehave: errors", len(beside[1]), "", 0),
        Figure("the same: median of a request", median(slowest), "ms"),
        Figure("the same: 99 of 100 requests within", slowest[int(len(slowest) * 0.99)], "ms", BARS["clients p99"]),
    ]


def measure_change(server: ServerProcess, folder: Path, pages: int) -> list[Figure]:
    """How long open pages take to hear that a source file changed."""
    source = folder / "src/module_1.py"
    text = source.read_text(encoding="utf-8")

    async def change(streams: EventStreams, turn: int) -> float:
        await asyncio.sleep(_QUIET)
        await streams.read_what_waits()
        source.write_text("# changed\n" * (turn % 2) + text, encoding="utf-8")
        began = perf_counter()
        return (await streams.wait_for_change() - began) * 1000

    async def measure() -> tuple[list[float], float, float, list[float]]:
        async with EventStreams(server.address, 1) as streams:
            one = [await change(streams, turn) for turn in range(1, 6)]
        before = server.megabytes()[0]
        async with EventStreams(server.address, pages) as streams:
            many = [await change(streams, turn) for turn in range(3)]
            grown = server.megabytes()[0] - before
        return one, grown, server.megabytes()[0], many

    one, grown, _, many = asyncio.run(measure())
    return [
        Figure("a source changes until an open page hears of it, median", median(one), "ms", BARS["change"]),
        Figure(f"the same, until all of {pages:,} open pages have", median(many), "ms", BARS["change"]),
        Figure(f"memory of {pages:,} open pages", grown, "MB"),
    ]


def measure_size(top: Path, documents: int, clients: int) -> list[Figure]:
    """The figures of a repository with so many documents."""
    folder, cache = top / f"repository-{documents}", str(top / f"cache-{documents}")
    make_repository(folder, documents)
    found: list[Figure] = []
    with serve(folder, cache) as server:
        found.append(Figure("first check, nothing in the cache", server.wait_for_check(), "ms"))
    found += measure_start(folder, cache)
    with serve(folder, cache) as server:
        found.append(Figure("first check of the next start", server.wait_for_check(), "ms"))
        found += measure_pages(server)
        own, all_of_it = server.megabytes()
        found.append(Figure("memory of the server", own, "MB", BARS["memory"]))
        found.append(Figure("memory with its child process", all_of_it, "MB", BARS["memory"]))
        if clients:
            found += measure_clients(server, clients)
        found += measure_change(server, folder, clients or 1)
        own, all_of_it = server.megabytes()
        found.append(Figure("memory of the server in the end", own, "MB", BARS["memory"]))
        found.append(Figure("the same with its child process", all_of_it, "MB", BARS["memory"]))
    return found


def main() -> int:
    """Measure, print the table; 1 while a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--clients", type=int, default=1000)
    options = parser.parse_args()
    few = max(1, options.documents // 5)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as name:
        top = Path(name).resolve()
        small = {figure.what: figure for figure in measure_size(top, few, 0)}
        large = measure_size(top, options.documents, options.clients)
    print(f"load {os.getloadavg()[0]:.1f}\n")
    print(f"| what | {few:,} documents | {options.documents:,} documents | bar | met? |")
    print("| --- | ---: | ---: | ---: | --- |")
    for figure in large:
        beside = f"{small[figure.what].value:.1f} {figure.unit}" if figure.what in small else ""
        limit = f"≤ {figure.bar:g} {figure.unit}" if figure.bar is not None else ""
        said = "" if figure.met is None else "yes" if figure.met else "no"
        print(f"| {figure.what} | {beside} | {figure.value:.1f} {figure.unit} | {limit} | {said} |")
    rows = [{"what": one.what, "value": one.value, "unit": one.unit, "bar": one.bar, "met": one.met} for one in large]
    fewer = {what: figure.value for what, figure in small.items()}
    print(json.dumps({"documents": options.documents, "clients": options.clients, "figures": rows, "fewer": fewer}))
    return 0 if all(figure.met is not False for figure in large) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Measure visits to many web sources on many hosts, each with a delay of a second; prints a table.

    python bench/fleet_sources.py [--quick] [--sources N] [--hosts N] [--delay SECONDS] [--store postgresql|sqlite]

100,000 sources on 200 hosts of loopback (2,000 on 50 with --quick), every tenth with a quote, every page new: each is
kept as a snapshot. The server is a process of its own and notes when each host was asked, robots.txt included. What the
delays allow is one request for each host and delay. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic, process_time
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure

from run import table

_WORDS = "<p>Some words that nobody quotes, and then some more of them, so that a page has a size." * 40
_PAGE = "<!doctype html><title>Page</title><p>This is page {path} of {host}, and it says so.{words}"
_QUOTE = "This is page {path} of {host}, and it says so."
_NONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
_THROUGHPUT = 80.0
_MEGABYTE = 1024 * 1024


def main() -> int:
    """Measure; 1 if a bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="2,000 sources on 50 hosts")
    parser.add_argument("--sources", type=int, default=0, help="sources in all (100,000)")
    parser.add_argument("--hosts", type=int, default=0, help="hosts (200)")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds between two requests to a host (1)")
    parser.add_argument("--store", choices=("postgresql", "sqlite"), default="postgresql")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    options.hosts = options.hosts or (50 if options.quick else 200)
    options.sources = options.sources or (2_000 if options.quick else 100_000)
    import trustme

    authority = trustme.CA()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        certificate = os.path.join(folder, "server.pem")
        authority.issue_cert("*.bench.example").private_key_and_cert_chain_pem.write_to_path(certificate)
        command = [sys.executable, os.path.abspath(__file__), "--serve", certificate]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline())
            found = measure(options, folder, port, authority.cert_pem.bytes().decode())
            server.stdin.close()
            asked: dict[str, tuple[int, float]] = json.loads(server.stdout.readline())
        finally:
            server.terminate()
            server.wait()
    return report(options, found, asked)


def measure(options: argparse.Namespace, folder: str, port: int, pem: str) -> dict[str, Any]:
    """Visit everything once; what it took."""
    with contextlib.ExitStack() as stack:
        if options.store == "sqlite":
            address = f"sqlite://{folder}/fleet.db"
        else:
            sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
            from support_postgres import running_server

            # As it comes, but for its place: commits wait for the disk.
            address = stack.enter_context(running_server("fsync=on", "synchronous_commit=on")).new_database()
        return visit(options, address, folder, port, pem)


def visit(options: argparse.Namespace, address: str, folder: str, port: int, pem: str) -> dict[str, Any]:
    """Add the sources, and visit them."""
    from pincite.fleet.host_visits import VisitOptions
    from pincite.fleet.revalidation import ONCE, Revalidation
    from pincite.safe import fetch
    from pincite.safe.fetch import Fetcher, TestOnly
    from pincite.store.shared import open_backend, open_store
    from pincite.store.shared.backend import parse_address
    from pincite.store.shared.schema import migrate

    names = [f"h{number}.bench.example" for number in range(options.hosts)]
    reach = TestOnly(dict.fromkeys(names, ("127.0.0.1", port)), pem)
    fetch.new_fetcher = lambda policy, gate=None: Fetcher(policy, test_only=reach, gate=gate)
    backend = open_backend(parse_address(address))
    migrate(backend)
    backend.close()
    with open_store(parse_address(address)) as store:
        team = store.teams.get("default")
        begun = monotonic()
        assert store.sources.add(team, make_sources(options, names)).added == options.sources
        added = monotonic() - begun
        wishes = VisitOptions(delay=options.delay, hosts=options.hosts, snapshots=f"{folder}/snapshots", processes=1)
        run = Revalidation(store, team, wishes, ONCE)
        before, cpu = resource.getrusage(resource.RUSAGE_CHILDREN), process_time()
        run.run(threading.Event())
        cpu = process_time() - cpu
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert store.sources.count() == {"same": options.sources}, store.sources.count()
        return {
            "added": added,
            "seconds": run.summary.seconds,
            "visited": run.summary.visited,
            "quotes": run.summary.quotes,
            "cpu": cpu + after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        }


def make_sources(options: argparse.Namespace, names: list[str]) -> Any:
    """The sources, host by host in turn."""
    from pincite.store.shared.web_records import NewSource

    for number in range(options.sources):
        host, path = names[number % len(names)], f"/{number // len(names)}"
        quote = _QUOTE.format(host=host, path=path) if number % 10 == 0 else ""
        yield NewSource(f"https://{host}{path}", quote, "bench")


def report(options: argparse.Namespace, found: dict[str, Any], asked: dict[str, tuple[int, float]]) -> int:
    """Print what was measured."""
    gaps = [gap for _, gap in asked.values()]
    requests = max(count for count, _ in asked.values())
    # The first request of a host waits for nothing, so the most that can be asked takes one delay less.
    ideal = (requests - 1) * options.delay
    figures = [
        Figure("sources", options.sources, ""),
        Figure("hosts", options.hosts, ""),
        Figure(
            "smallest gap between two requests to a host, of its delay", 100 * min(gaps) / options.delay, "%", 100, True
        ),
        Figure("throughput, of what the delays allow", 100 * ideal / found["seconds"], "%", _THROUGHPUT, True),
        Figure("pages a second", found["visited"] / found["seconds"], "/s"),
        Figure("CPU a page", 1000 * found["cpu"] / found["visited"], "ms"),
        Figure("CPU, of one core", 100 * found["cpu"] / found["seconds"], "%"),
        Figure("memory", found["memory"] / _MEGABYTE, "MB"),
        Figure("sources added a second", options.sources / found["added"], "/s"),
    ]
    print(table(figures))
    rows = [{**one._asdict(), "met": one.met} for one in figures]
    summary = {"store": options.store, "requests": sum(count for count, _ in asked.values()), **found}
    print(json.dumps({"figures": rows, "sources": summary}))
    return int(any(figure.met is False for figure in figures) or set(found["quotes"]) != {"holds"})


def serve(certificate: str) -> None:
    """Answer until standard input ends; the first line tells the port, the last one when each host was asked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    print(listener.getsockname()[1], flush=True)
    hosts: dict[str, tuple[int, float, float]] = {}

    def accept() -> None:
        while True:
            plain, _ = listener.accept()
            threading.Thread(target=work, args=(plain,), daemon=True).start()

    def work(plain: socket.socket) -> None:
        with contextlib.suppress(OSError, ValueError), plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with context.wrap_socket(plain, server_side=True) as sock:
                answer(sock, hosts)

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.read()
    print(json.dumps({name: (count, gap) for name, (count, _, gap) in hosts.items()}), flush=True)


def answer(sock: ssl.SSLSocket, hosts: dict[str, tuple[int, float, float]]) -> None:
    """Every request on a connection; a host is asked by one connection at a time."""
    while head := sock.recv(65536):
        now = monotonic()
        lines = head.decode("latin-1").split("\r\n")
        path = lines[0].split(" ")[1]
        host = next(line[6:] for line in lines if line[:6].lower() == "host: ")
        count, last, gap = hosts.get(host, (0, float("-inf"), float("inf")))
        hosts[host] = count + 1, now, min(gap, now - last)
        if path == "/robots.txt":
            sock.sendall(_NONE)
            continue
        body = _PAGE.format(host=host, path=path, words=_WORDS).encode()
        kind = f'Content-Type: text/html\r\nETag: "{path}"\r\nContent-Length: {len(body)}\r\n\r\n'
        sock.sendall(b"HTTP/1.1 200 OK\r\n" + kind.encode() + body)


if __name__ == "__main__":
    sys.exit(main())

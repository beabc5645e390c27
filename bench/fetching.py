"""Measure fetching a hundred pages of a hundred hosts over TLS on loopback, against the ideal; prints a table.

    python bench/fetching.py [--times N] [--pages N] [--connections N] [--latency MS]

The server is a process of its own and waits before each answer. The ideal is that wait alone: as many rounds as the
connections need for all pages, and with robots.txt two questions for each page. Handshakes, threads and reading come
on top; a bare client, which checks nothing and reads whatever comes, shows how much of that this machine takes anyway.
Both take turns. The bar is held against the median and shown for the best run as well: what else the machine does only
ever adds. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
from collections import deque
from time import monotonic, process_time, sleep

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from figures import Figure

from run import table

BAR = 1.3
Cost = tuple[list[float], list[float], list[float]]
_BODY = b"<!doctype html><title>A page</title>" + b"<p>Some words that nobody quotes." * 200
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n"
_NONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def main() -> int:
    """Measure with and without robots.txt; 1 if a bar was passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=7, help="runs of each (7)")
    parser.add_argument("--pages", type=int, default=100, help="pages, each on a host of its own (100)")
    parser.add_argument("--connections", type=int, default=8, help="hosts at once (8)")
    parser.add_argument("--latency", type=float, default=50.0, help="milliseconds before each answer (50)")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.latency / 1000)
        return 0
    import trustme

    authority = trustme.CA()
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        certificate = os.path.join(folder, "server.pem")
        authority.issue_cert("*.bench.example").private_key_and_cert_chain_pem.write_to_path(certificate)
        command = [sys.executable, os.path.abspath(__file__), "--serve", certificate, "--latency", str(options.latency)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            pem = authority.cert_pem.bytes().decode()
            return report(options, {robots: measured(options, port, pem, robots) for robots in (False, True)})
        finally:
            server.terminate()
            server.wait()


def report(options: argparse.Namespace, cost: dict[bool, Cost]) -> int:
    """Print what was measured."""
    rounds = math.ceil(options.pages / options.connections)
    figures, summary = [], {}
    for robots, (ours, bare, cpu) in cost.items():
        ideal = rounds * options.latency / 1000 * (2 if robots else 1)
        name = f"{options.pages} pages {'with' if robots else 'without'} robots.txt"
        median = statistics.median(ours)
        figures.append(Figure(f"{name}: to the ideal", median / ideal, "×", BAR))
        figures.append(Figure(f"{name}: to the ideal, best run", min(ours) / ideal, "×"))
        figures.append(Figure(f"{name}: a bare client to the ideal", statistics.median(bare) / ideal, "×"))
        figures.append(Figure(f"{name}: to a bare client", median / statistics.median(bare), "×"))
        figures.append(Figure(f"{name}: CPU of the fetcher", statistics.median(cpu), "s"))
        key = "robots" if robots else "plain"
        summary |= {f"{key}_ideal_s": round(ideal, 3), f"{key}_s": round(median, 3)}
        summary |= {f"{key}_ratio": round(median / ideal, 3), f"{key}_best_ratio": round(min(ours) / ideal, 3)}
        summary |= {f"{key}_bare_ratio": round(statistics.median(bare) / ideal, 3)}
    print(table(figures))
    print(json.dumps({"fetching": summary}))
    return int(any(figure.met is False for figure in figures))


def measured(options: argparse.Namespace, port: int, pem: str, robots: bool) -> Cost:
    """Seconds of the fetcher and of a bare client, run after run, and the fetcher's CPU."""
    from pincite.core.web import Visit
    from pincite.safe.fetch import Fetcher, FetchPolicy, TestOnly

    names = [f"h{number}.bench.example" for number in range(options.pages)]
    allowed = TestOnly(dict.fromkeys(names, ("127.0.0.1", port)), pem)
    ours, bare, spent = [], [], []
    for _ in range(options.times + 1):
        begun, cpu = monotonic(), process_time()
        with Fetcher(FetchPolicy(connections=options.connections, robots=robots), test_only=allowed) as fetcher:
            got = [one for _, one in fetcher.fetch_all(f"https://{name}/" for name in names)]
        ours.append(monotonic() - begun)
        spent.append(process_time() - cpu)
        assert len(got) == options.pages
        assert all(isinstance(one, Visit) and one.answer.body == _BODY for one in got)
        begun = monotonic()
        fetch_bare(names, port, pem, options.connections, ["/robots.txt", "/"] if robots else ["/"])
        bare.append(monotonic() - begun)
    # The first run also imports and warms up.
    return ours[1:], bare[1:], spent[1:]


def fetch_bare(names: list[str], port: int, pem: str, connections: int, paths: list[str]) -> None:
    """The same questions over the same handshakes, and nothing else."""
    context = ssl.create_default_context(cadata=pem)
    waiting = deque(names)

    def work() -> None:
        while waiting:
            try:
                name = waiting.popleft()
            except IndexError:
                return
            with socket.create_connection(("127.0.0.1", port)) as plain:
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with context.wrap_socket(plain, server_hostname=name) as sock:
                    for path in paths:
                        sock.sendall(f"GET {path} HTTP/1.1\r\nHost: {name}\r\n\r\n".encode())
                        size = len(_NONE) if path == "/robots.txt" else len(_HEAD % len(_BODY) + _BODY)
                        while size > 0:
                            size -= len(sock.recv(65536))

    threads = [threading.Thread(target=work) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def serve(certificate: str, latency: float) -> None:
    """Answer until the process is ended; the first line tells the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listener.getsockname()[1], flush=True)

    def work() -> None:
        while True:
            plain, _ = listener.accept()
            with contextlib.suppress(OSError), plain:
                plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with context.wrap_socket(plain, server_side=True) as sock:
                    answer(sock, latency)

    # As many as wait for the next question on a connection that is kept open, and some more.
    for _ in range(64):
        threading.Thread(target=work, daemon=True).start()
    threading.Event().wait()


def answer(sock: ssl.SSLSocket, latency: float) -> None:
    """Every question on a connection, each after a wait."""
    while head := sock.recv(65536):
        sleep(latency)
        sock.sendall(_NONE if head.startswith(b"GET /robots.txt") else _HEAD % len(_BODY) + _BODY)


if __name__ == "__main__":
    sys.exit(main())

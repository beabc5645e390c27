"""Workers that visit loopback sites, as processes of their own: they can be killed.

    python tests/support_visits.py JSON

JSON names the store, the sites and how to visit them; with `queue` it is a worker of the queue, else one run.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode, encode

from pincite.fleet.host_visits import VisitOptions
from pincite.safe import fetch
from pincite.safe.fetch import TestOnly


class VisitorProcess(Struct, frozen=True):
    """What such a process does."""

    database: str
    hosts: dict[str, tuple[str, int]]
    ca_pem: str
    options: VisitOptions
    queue: bool = False
    sweep_seconds: float = 0.3
    stalled_seconds: float = 2.0
    slice_seconds: float = 60.0

    def start(self) -> subprocess.Popen[str]:
        """Start it; it prints `ready` when it works."""
        command = [sys.executable, str(Path(__file__)), encode(self).decode()]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        with process.stdout:
            assert process.stdout.readline() == "ready\n"
        return process


def main() -> None:
    """Visit until it is ended."""
    from pincite.fleet.revalidation import ONCE, Revalidation
    from pincite.fleet.web_queue import QueueWorker, prepare_queue
    from pincite.store.shared import open_store
    from pincite.store.shared.backend import parse_address

    given = decode(sys.argv[1], type=VisitorProcess)
    reach = TestOnly(given.hosts, given.ca_pem)
    fetch.new_fetcher = lambda policy, gate=None: fetch.Fetcher(policy, test_only=reach, gate=gate)
    with open_store(parse_address(given.database)) as store:
        team = store.teams.get("default")
        print("ready", flush=True)
        if not given.queue:
            Revalidation(store, team, given.options, ONCE).run(threading.Event())
            return
        prepare_queue()
        worker = QueueWorker(
            store,
            team,
            given.options,
            sweep_seconds=given.sweep_seconds,
            stalled_seconds=given.stalled_seconds,
            slice_seconds=given.slice_seconds,
        )
        asyncio.run(worker.run())


if __name__ == "__main__":
    main()

"""Servers of `pincite serve` for tests: in this process by Starlette's client, or as a process of their own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import msgspec
from starlette.testclient import TestClient

from pincite.doors.web.access import AccessRules
from pincite.doors.web.app import make_app
from pincite.doors.web.check_worker import CheckRequest, RememberingChecker, encode_any
from pincite.doors.web.site import Site

PORT = 8123
TOKEN = "t" * 32
PATIENCE = 120.0
"""Seconds before a condition that does not come true fails the test; a busy machine needs some."""
OWN = {"sec-fetch-site": "same-origin"}
"""What a browser sends with a form of our own pages."""


class Web:
    """A site and a client that has its cookie."""

    def __init__(self, site: Site, client: TestClient) -> None:
        self.site = site
        self.client = client

    def get(self, path: str, **options: Any) -> Any:
        return self.client.get(path, **options)

    def post(self, path: str, data: dict[str, Any] | None = None, **options: Any) -> Any:
        return self.client.post(path, data=data, headers=OWN, follow_redirects=False, **options)

    def wait(self, condition: Any) -> None:
        """Wait until a condition is true."""
        wait_until(condition)

    def id_of(self, raw: str) -> str:
        """The id of the citation that is written so."""
        return next(row.id for row in self.site.documents.all_rows() if row.raw == raw)


class ThreadWorker:
    """Answers as the child process that checks does, in a thread: starting a process for every test takes minutes."""

    def __init__(self) -> None:
        self._checker = RememberingChecker()
        self._turn = asyncio.Lock()

    async def ask(self, request: bytes) -> AsyncIterator[bytes]:
        async with self._turn:
            answers = self._checker.answer(msgspec.msgpack.decode(request, type=CheckRequest))
            step: asyncio.Future[Any] | None = None
            try:
                while True:
                    step = asyncio.ensure_future(asyncio.to_thread(next, answers, None))
                    answer = await asyncio.shield(step)
                    if answer is None:
                        break
                    yield encode_any(answer)
            finally:
                # A child process would be killed; what runs in a thread has to end before its git can be closed.
                if step is not None and not step.done():
                    await asyncio.wait({step})
                answers.close()

    async def stop(self) -> None:
        pass


@contextmanager
def open_web(root: Path, read_only: bool = False, by_child: bool = False) -> Iterator[Web]:
    """A site of a folder whose first check is done, with a client of it; `by_child` for a real child process."""
    site = Site(str(root), read_only)
    if not by_child:
        site.keeper._worker = ThreadWorker()
    app = make_app(site, AccessRules(TOKEN, ("127.0.0.1",), PORT))
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False) as client:
        assert client.get("/", params={"token": TOKEN}).status_code == 200
        wait_until(lambda: site.documents.is_complete or site.keeper.error)
        # The edits are tried after the verdicts are told, and may change them once more.
        wait_until(lambda: site.keeper._look is None or site.keeper._look.done())
        yield Web(site, client)


class WebServer:
    """`pincite serve` as a process, of a folder or, with `is_fleet`, of what the options name."""

    def __init__(self, root: Path, *options: str, is_fleet: bool = False, **environment: str) -> None:
        shown = () if is_fleet else ("--root", str(root))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pincite", "serve", *shown, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
            cwd=root,
        )
        assert self.process.stdout is not None and self.process.stderr is not None
        line = self.process.stdout.readline().decode()
        if "http" not in line:
            raise AssertionError(self.process.stderr.read().decode())
        self.address = line.partition(": ")[2].strip()
        """The address with the token."""
        self.base, _, self.token = self.address.partition("/?token=")
        self.bearer = {"authorization": f"Bearer {self.token}"}

    def stop(self) -> None:
        """End it at once."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def wait_until(condition: Any) -> None:
    """Wait until a condition is true; fails the test where it never becomes so."""
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end, "the condition did not become true"
        sleep(0.02)


@contextmanager
def open_fleet_web(address: str) -> Iterator[TestClient]:
    """A client of a server that shows the fleet of a store."""
    from pincite.doors.web.fleet_app import make_fleet_app
    from pincite.doors.web.fleet_site import FleetSite
    from pincite.store.shared.backend import parse_address

    site = FleetSite(parse_address(address))
    app = make_fleet_app(site, AccessRules(TOKEN, ("127.0.0.1",), PORT, "/healthz"))
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}", raise_server_exceptions=False) as client:
        # The session begins also where the store cannot be read.
        client.get("/", params={"token": TOKEN})
        yield client

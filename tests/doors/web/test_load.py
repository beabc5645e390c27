"""Many clients at once, clients that misbehave, and an end in the middle of a write: nothing fails, nothing is lost."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from types import ModuleType

import httpx
import pytest

from pincite.doors.web.links import ServedLinks
from support_browser import wait_for_work
from support_web import PATIENCE, WebServer, open_web, wait_until

TOP = Path(__file__).resolve().parents[3]
CLIENTS = 1000
PATHS = ("/", "/index.json", "/d/docs/a.md", "/sources")


@pytest.fixture(scope="module")
def clients() -> Iterator[ModuleType]:
    """The clients that the benchmark uses, too."""
    sys.path.insert(0, str(TOP / "bench"))
    import web_clients

    yield web_clients
    sys.path.remove(str(TOP / "bench"))


@pytest.fixture
def server(repository: Path) -> Iterator[WebServer]:
    """A server of the small repository."""
    server = WebServer(repository)
    wait_for_work(server)
    yield server
    server.stop()


def test_a_thousand_clients_at_once_are_all_answered(server: WebServer, clients: ModuleType) -> None:
    address = clients.read_address(server.address)
    answered = asyncio.run(clients.ask_by_many(address, PATHS, CLIENTS, 2))
    assert answered.errors == [] and len(answered.times) == 2 * CLIENTS


def test_clients_that_misbehave_do_not_keep_others_from_their_pages(server: WebServer, clients: ModuleType) -> None:
    address = clients.read_address(server.address)

    async def ask() -> list[str]:
        async with clients.BadClients(address, 25):
            answered = await clients.ask_by_many(address, PATHS, 200, 5)
        assert len(answered.times) == 1000
        errors: list[str] = answered.errors
        return errors

    assert asyncio.run(ask()) == []
    assert httpx.get(server.base, headers=server.bearer, timeout=PATIENCE).status_code == 200


def test_a_change_reaches_many_open_pages(server: WebServer, repository: Path, clients: ModuleType) -> None:
    address = clients.read_address(server.address)

    async def change() -> None:
        async with clients.EventStreams(address, 300) as streams:
            await streams.read_what_waits()
            (repository / "src" / "gone.py").write_text("a = 1\nb = 2\nc = 3\n")
            await streams.wait_for_change()

    asyncio.run(change())
    outcomes = httpx.get(f"{server.base}/index.json", headers=server.bearer, timeout=PATIENCE).json()["outcomes"]
    assert outcomes == {"holds": 3}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_connection_that_is_dropped_within_a_request_leaves_nothing_behind(
    server: WebServer, clients: ModuleType, method: str
) -> None:
    address = clients.read_address(server.address)
    half = clients.make_request(address, "/check").replace(b"GET", method.encode(), 1)

    async def drop() -> None:
        for end in range(1, len(half) + 1, 7):
            _, writer = await asyncio.open_connection(address.host, address.port)
            writer.write(half[:end] + (b"content-length: 99\r\n\r\nx" if end + 7 > len(half) else b""))
            await writer.drain()
            writer.transport.abort()

    asyncio.run(drop())
    assert httpx.get(server.base, headers=server.bearer, timeout=PATIENCE).status_code == 200
    descriptors = Path(f"/proc/{server.process.pid}/fd")
    if descriptors.exists():
        wait_until(lambda: len(list(descriptors.iterdir())) < 60)


MOVED = "".join(f"The limit is 40 【F:src/gauge.py†L1】, number {number}.\n\n" for number in range(40))


@pytest.fixture
def moved(repository: Path) -> Path:
    """A document in git whose citations all moved."""
    (repository / "docs" / "a.md").write_text(MOVED)
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one")):
        names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *names, *words], cwd=repository, check=True)
    code = repository / "src" / "gauge.py"
    code.write_text("# one line more\n" + code.read_text())
    return repository / "docs" / "a.md"


def test_a_server_that_is_killed_while_it_writes_loses_nothing(moved: Path, repository: Path, tmp_path: Path) -> None:
    outcomes = set()
    for turn in range(6):
        shutil.copytree(repository, tmp_path / f"copy-{turn}")
        text = _kill_while_writing(tmp_path / f"copy-{turn}", at_once=turn % 2 == 0)
        outcomes.add(text)
        assert text in (MOVED, MOVED.replace("†L1】", "†L2】")), "half of the edits were written"
    assert outcomes


def _kill_while_writing(folder: Path, at_once: bool) -> str:
    """What is in the document after the server was killed with a write under way, and started again."""
    with open_web(folder) as web:
        id = web.id_of("【F:src/gauge.py†L1】")
    links = ServedLinks()
    server = WebServer(folder)
    wait_for_work(server)
    page = httpx.get(server.base + links.page("fix", id=id, all=1), headers=server.bearer, timeout=PATIENCE).text
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', page))
    before = (folder / "docs" / "a.md").stat().st_mtime_ns

    def send() -> None:
        with pytest.raises(httpx.HTTPError):
            httpx.post(server.base + links.action("fix", id=id), data=fields, headers=server.bearer, timeout=PATIENCE)
            raise httpx.HTTPError("it was faster")

    sending = Thread(target=send)
    sending.start()
    if not at_once:
        wait_until(lambda: (folder / "docs" / "a.md").stat().st_mtime_ns != before)
    server.stop()
    sending.join()
    text = (folder / "docs" / "a.md").read_text()
    again = WebServer(folder)
    wait_for_work(again)
    assert httpx.get(f"{again.base}/d/docs/a.md", headers=again.bearer, timeout=PATIENCE).status_code == 200
    again.stop()
    assert (folder / "docs" / "a.md").read_text() == text
    assert not list((folder / "docs").glob("*tmp*")), "something half-written is left beside the document"
    return text

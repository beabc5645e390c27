"""`pincite serve` as a process: how it starts, whom it lets in, and how it ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from support_web import WebServer, wait_until


@pytest.fixture
def start(repository: Path) -> Iterator[Callable[..., WebServer]]:
    running: list[WebServer] = []

    def begin(*options: str) -> WebServer:
        running.append(WebServer(repository, *options))
        return running[-1]

    yield begin
    for server in running:
        server.stop()


def _refuse(repository: Path, *options: str) -> str:
    command = [sys.executable, "-m", "pincite", "serve", *options]
    ended = subprocess.run(command, cwd=repository, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 2 and "Traceback" not in ended.stderr
    return ended.stderr


def test_the_printed_address_opens_the_page(start: Callable[..., WebServer]) -> None:
    server = start()
    assert server.base.startswith("http://127.0.0.1:")
    with httpx.Client(follow_redirects=True) as client:
        answer = client.get(server.address)
    assert answer.status_code == 200 and server.token not in str(answer.url)
    assert httpx.get(server.base).status_code == 403


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_at_once_also_with_a_page_open(
    start: Callable[..., WebServer], number: signal.Signals, code: int
) -> None:
    server = start()
    with httpx.stream("GET", f"{server.base}/events", headers=server.bearer) as events:
        assert next(events.iter_bytes())
        server.process.send_signal(number)
        assert server.process.wait(60) == code


def test_its_child_process_ends_with_it(start: Callable[..., WebServer]) -> None:
    server = start()
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("this system does not list child processes")
    wait_until(lambda: children.read_text().split())
    child = children.read_text().split()[0]
    server.process.kill()
    server.process.wait(60)
    wait_until(lambda: not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text())


def test_two_servers_of_one_machine_do_not_share_their_cookies(start: Callable[..., WebServer]) -> None:
    one, other = start(), start()
    with httpx.Client(follow_redirects=True) as client:
        assert client.get(one.address).status_code == 200
        assert client.get(other.base).status_code == 403
        assert client.get(other.address).status_code == 200
        assert client.get(one.base).status_code == 200


def test_a_read_only_server_refuses_what_writes(start: Callable[..., WebServer]) -> None:
    from pincite.doors.web.routes import list_actions

    server = start("--read-only")
    for action in list_actions():
        path = action.path.replace("{", "").replace("}", "").replace(":path", "")
        answer = httpx.post(f"{server.base}{path}.json", headers=server.bearer)
        if action.writes:
            assert answer.status_code == 403 and "--read-only" in answer.json()["error"]


def test_other_machines_need_a_token_of_the_users_own(repository: Path, tmp_path: Path) -> None:
    assert "--token-file" in _refuse(repository, "--host", "0.0.0.0")
    assert "cannot be read" in _refuse(repository, "--host", "0.0.0.0", "--token-file", str(tmp_path / "none"))


def test_a_port_that_is_taken_is_named(start: Callable[..., WebServer], repository: Path) -> None:
    port = start().base.rpartition(":")[2]
    assert f"port {port}" in _refuse(repository, "--port", port)


def test_a_root_that_is_none_is_named(repository: Path) -> None:
    assert "none: no such folder" in _refuse(repository, "--root", "none")


def test_a_token_of_the_user_is_used(start: Callable[..., WebServer], tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("s" * 40 + "\n")
    secret.chmod(0o600)
    assert start("--token-file", str(secret)).token == "s" * 40

"""Real servers: both protocols over standard input and output, HTTP on loopback, and everything that can go wrong."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from support_mcp import ServerProcess, make_environment, text_of

Start = Callable[..., ServerProcess]
OLD = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


def message(number: int, method: str, **params: Any) -> bytes:
    """A request as a line."""
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


def greet(server: ServerProcess) -> None:
    """Begin as older clients do."""
    server.send(message(0, "initialize", **OLD))
    assert json.loads(server.read_line())["result"]["serverInfo"]["name"] == "pincite"
    server.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')


def ask(server: ServerProcess, number: int, tool: str, **arguments: Any) -> Any:
    """The result of a call."""
    server.send(message(number, "tools/call", name=tool, arguments=arguments))
    answer = json.loads(server.read_line())
    assert answer["id"] == number
    return answer["result"]


@pytest.mark.parametrize(("mode", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_both_protocols_are_spoken(repository: Path, mode: Any, version: str) -> None:
    words = ["-m", "pincite", "mcp", "--root", str(repository)]
    parameters = StdioServerParameters(command=sys.executable, args=words, env=make_environment())

    async def meet() -> tuple[Any, Any]:
        async with Client(stdio_client(parameters), mode=mode) as client:
            return client.protocol_version, await client.call_tool("check", {"paths": ["docs"]})

    spoken, result = asyncio.run(meet())
    assert spoken == version and "1 holds, 1 missing" in text_of(result)


def test_the_root_is_that_of_claude_code_or_the_repository(start: Start, repository: Path, tmp_path: Path) -> None:
    server = start(CLAUDE_PROJECT_DIR=str(tmp_path))
    greet(server)
    # --root is given and wins.
    assert "1 holds" in ask(server, 1, "check")["content"][0]["text"]


@pytest.mark.parametrize("ci", ["", "1"])
def test_standard_output_holds_nothing_but_the_protocol(start: Start, ci: str) -> None:
    server = start(CI=ci)
    greet(server)
    ask(server, 1, "search", query="limit")
    ask(server, 2, "check", text="::error:: ##[group] 【F:src/gauge.py†L77】")
    code, rest, errors = server.end()
    assert (code, rest, errors) == (0, b"", b"")


def test_two_servers_serve_one_repository(start: Start) -> None:
    one, other = start(), start()
    for server in (one, other):
        greet(server)
    for number in range(1, 4):
        for server in (one, other):
            assert "content" in ask(server, number, "search", query="limit")


def test_a_root_that_is_removed_is_an_error_and_no_end(start: Start, repository: Path) -> None:
    server = start()
    greet(server)
    rmtree(repository)
    for number, (tool, arguments) in enumerate(
        [("check", {}), ("show", {"citation": "src/gauge.py:1"}), ("search", {"query": "x"}), ("fix", {})], 1
    ):
        result = ask(server, number, tool, **arguments)
        assert result["isError"] and "the root is gone" in result["content"][0]["text"]
        assert str(repository) not in result["content"][0]["text"]


@pytest.mark.parametrize(
    "noise",
    [
        b'{"jsonrpc": "2.0", "id": 7, "meth\n',
        b"\xff\xfe\x00garbage\n",
        b"[]\n",
        b"\n",
        b"null\n",
        b"{" * 20_000 + b"\n",
    ],
)
def test_noise_is_survived(start: Start, noise: bytes) -> None:
    server = start()
    greet(server)
    server.send(noise + message(9, "tools/list"))
    answers = [json.loads(server.read_line())]
    while answers[-1].get("id") != 9:
        answers.append(json.loads(server.read_line()))
    assert answers[-1]["result"]["tools"]
    code, rest, errors = server.end()
    assert (code, rest) == (0, b"") and b"Traceback" not in errors


def test_half_a_message_at_the_end_is_a_clean_end(start: Start) -> None:
    server = start()
    greet(server)
    server.send(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/ca')
    code, _, errors = server.end()
    assert code == 0 and b"Traceback" not in errors


def test_a_large_message_is_answered(start: Start) -> None:
    server = start()
    greet(server)
    result = ask(server, 1, "check", text="It is capped. 【F:src/gauge.py†L6】\n" + "word " * 2_000_000)
    assert "it holds" in result["content"][0]["text"]


def test_many_requests_at_once_are_all_answered(start: Start) -> None:
    server = start()
    greet(server)
    for number in range(1, 201):
        server.send(message(number, "tools/call", name="cite", arguments={"target": "src/gauge.py:6"}))
    answered = {json.loads(server.read_line())["id"] for _ in range(200)}
    assert answered == set(range(1, 201))


@pytest.mark.parametrize("options", [(), ("--http",)])
def test_signals_end_it_without_a_word(start: Start, options: tuple[str, ...]) -> None:
    server = start(*options)
    if options:
        read_address(server)
    else:
        greet(server)
    server.child.send_signal(signal.SIGINT)
    try:
        server.child.wait(timeout=0.1)
    except Exception:
        server.child.send_signal(signal.SIGTERM)
    assert server.child.stderr is not None
    assert server.child.wait(timeout=60) in (130, 143)
    assert server.child.stderr.read() == b""


def test_a_client_that_dies_ends_the_server(start: Start) -> None:
    server = start()
    greet(server)
    server.send(message(1, "tools/call", name="search", arguments={"query": "limit"}))
    assert server.child.stdin is not None and server.child.stdout is not None and server.child.stderr is not None
    server.child.stdout.close()
    server.child.stdin.close()
    assert server.child.wait(timeout=60) == 0
    assert server.child.stderr.read() == b""


def read_address(server: ServerProcess) -> int:
    """The port of a server over HTTP, once it listens."""
    assert server.child.stderr is not None
    line = server.child.stderr.readline().decode()
    found = re.fullmatch(r"pincite mcp: http://127\.0\.0\.1:(\d+)/mcp\n", line)
    assert found, line
    return int(found[1])


def test_http_is_spoken_on_loopback(start: Start) -> None:
    port = read_address(start("--http"))

    async def meet() -> tuple[Any, Any]:
        async with Client(f"http://127.0.0.1:{port}/mcp") as client:
            return client.protocol_version, await client.call_tool("check", {"paths": ["docs"]})

    spoken, result = asyncio.run(meet())
    assert spoken == "2026-07-28" and "1 holds, 1 missing" in text_of(result)


def post(port: int, body: bytes, **headers: str) -> int:
    """The status of a request with these headers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    try:
        connection.request("POST", "/mcp", body, sent)
        return connection.getresponse().status
    except BrokenPipeError:
        return 413
    finally:
        connection.close()


def test_foreign_hosts_and_origins_are_refused(start: Start) -> None:
    port = read_address(start("--http"))
    body = message(1, "initialize", **OLD)
    assert post(port, body) == 200
    assert post(port, body, Host="evil.example") == 421
    assert post(port, body, Host=f"evil.example:{port}") == 421
    assert post(port, body, Origin="http://evil.example") == 403
    assert post(port, b"{" * 100) == 400
    assert post(port, b"\xff\xfe") == 400
    assert post(port, b'"' + b"x" * 10_000_000 + b'"') == 413
    assert post(port, body) == 200


def test_a_port_that_is_taken_is_said(start: Start) -> None:
    port = read_address(start("--http"))
    second = start("--http", "--port", str(port))
    code, _, errors = second.end()
    assert code == 2 and b"cannot be used" in errors and b"Traceback" not in errors


def test_wrong_options_are_said(start: Start, repository: Path) -> None:
    code, rest, errors = start("--port", "1").end()
    assert (code, rest) == (2, b"") and b"--port goes with --http" in errors

"""Clients that misbehave, die, or pull the ground away: the server answers, goes on, or ends without a traceback."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest
from support_lsp import COMMAND, TIMEOUT, make_repository, server_environment

from pincite.doors.lsp.framing import MessageDecoder

INITIALIZE = {"processId": None, "rootUri": None, "capabilities": {}}


class RawServer:
    """A server that is spoken to in bytes."""

    def __init__(self, *command: str) -> None:
        pipe = subprocess.PIPE
        words = command or COMMAND
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=server_environment())
        self.messages: list[dict[str, Any]] = []
        self.said = b""
        self._threads = [Thread(target=work, daemon=True) for work in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the process if it still runs, and let go of its pipes."""
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(TIMEOUT)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while header := stream.readline():
            size = int(header.split(b":")[1])
            while stream.readline().strip():
                pass
            self.messages.append(json.loads(stream.read(size)))

    def _listen(self) -> None:
        stream = self.process.stderr
        assert stream is not None
        for line in stream:
            self.said += line

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method: str, params: Any = None, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.send_body(json.dumps(message if number is None else {**message, "id": number}).encode())

    def send_body(self, body: bytes) -> None:
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def wait(self, condition: Callable[[], Any]) -> Any:
        end = monotonic() + TIMEOUT
        while not (found := condition()):
            assert monotonic() < end, (self.messages[-3:], self.said)
            sleep(0.01)
        return found

    def answer(self, number: int) -> dict[str, Any]:
        found: dict[str, Any] = self.wait(lambda: next((one for one in self.messages if one.get("id") == number), None))
        return found

    def begin(self, root: Path | None = None) -> None:
        self.send("initialize", {**INITIALIZE, "rootUri": root.as_uri() if root is not None else None}, 1)
        assert "result" in self.answer(1)
        self.send("initialized", {})

    def open(self, uri: str, text: str) -> None:
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": item})

    def shown(self, uri: str) -> list[str] | None:
        found = [one["params"] for one in self.messages if one.get("method") == "textDocument/publishDiagnostics"]
        last = [one for one in found if one["uri"] == uri][-1:]
        return [problem["code"] for problem in last[0]["diagnostics"]] if last else None

    def end(self) -> int:
        """Say goodbye; the exit code. Nothing may have been printed."""
        self.send("shutdown", None, 9999)
        self.answer(9999)
        self.send("exit")
        code = self.process.wait(TIMEOUT)
        assert self.said == b""
        return code


@pytest.fixture
def server() -> Iterator[RawServer]:
    found = RawServer()
    yield found
    found.close()


def test_exit_without_shutdown_is_an_error(server: RawServer) -> None:
    server.begin()
    server.send("exit")
    assert server.process.wait(TIMEOUT) == 1
    assert server.said == b""


@pytest.mark.parametrize("begun", [True, False])
def test_the_server_ends_with_its_client(server: RawServer, begun: bool) -> None:
    if begun:
        server.begin()
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.wait(TIMEOUT) == 1
    assert server.said == b""


def test_the_server_ends_with_the_process_that_it_was_told_of(server: RawServer, tmp_path: Path) -> None:
    client = subprocess.Popen(["sleep", "600"])
    server.send("initialize", {**INITIALIZE, "processId": client.pid}, 1)
    server.answer(1)
    client.kill()
    client.wait()
    assert server.process.wait(TIMEOUT) == 1


@pytest.mark.parametrize("signals", [[signal.SIGINT], [signal.SIGTERM], [signal.SIGINT, signal.SIGTERM]])
def test_signals_end_it_without_a_traceback(server: RawServer, signals: list[int], tmp_path: Path) -> None:
    server.begin(make_repository(tmp_path / "r", {"d.md": "x"}))
    server.open((tmp_path / "r/d.md").as_uri(), "【F:no.py†L1】\n")
    server.wait(lambda: server.shown((tmp_path / "r/d.md").as_uri()))
    for number in signals:
        server.process.send_signal(number)
    assert server.process.wait(TIMEOUT) in {128 + number for number in signals}
    assert server.said == b""


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"\xff\xfe\x00",
        b'{"jsonrpc": "1.0", "method": "x"}',
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 4}',
        b'{"jsonrpc": "2.0", "id": {"a": 1}, "method": "textDocument/hover", "params": 3}',
        b'{"jsonrpc": "2.0", "method": 7, "params": {}}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": 3}}',
        b'{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": null}',
        b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 12345}}',
        b'{"jsonrpc": "2.0", "method": "no/such", "params": {"type_name": "a b", "class": [1]}}',
        '{"jsonrpc": "2.0", "method": "x"}'.encode("utf-16"),
        b"[" * 100_000,
        b"9" * 10_000,
    ],
)
def test_a_wrong_message_is_dropped(server: RawServer, body: bytes) -> None:
    server.begin()
    server.send_body(body)
    server.send(
        "textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}, 5
    )
    assert server.answer(5)["result"] is None
    assert server.end() == 0


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", None),
        ("textDocument/hover", {"textDocument": {"uri": 3}, "position": {"line": "x", "character": 0}}),
        ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": -1, "character": -1}}),
        ("workspace/executeCommand", {"command": "rm", "arguments": []}),
        ("workspace/executeCommand", {"command": "pincite.accept", "arguments": [{"uri": 3}]}),
        ("workspace/willRenameFiles", {"files": [{"oldUri": "x"}]}),
        ("no/such/method", {}),
        ("initialize", INITIALIZE),
    ],
)
def test_every_wrong_request_is_answered(server: RawServer, method: str, params: Any) -> None:
    server.begin()
    server.send(method, params, 5)
    assert "error" in server.answer(5)
    assert "Traceback" not in json.dumps(server.answer(5))
    assert server.end() == 0


def test_requests_at_the_wrong_time_are_refused(server: RawServer) -> None:
    asked = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}
    server.send("textDocument/hover", asked, 1)
    assert server.answer(1)["error"]["code"] == -32002
    server.send("initialize", INITIALIZE, 2)
    server.answer(2)
    server.send("shutdown", None, 3)
    server.answer(3)
    server.send("textDocument/hover", asked, 4)
    assert server.answer(4)["error"]["code"] == -32600
    server.send("exit")
    assert server.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize(
    "data", [b"x" * 10_000, b"Content-Length: nonsense\r\n\r\n", b"Content-Length: 999999999999\r\n\r\n"]
)
def test_bytes_that_are_no_messages_end_it(server: RawServer, data: bytes) -> None:
    server.begin()
    server.send_bytes(data)
    assert server.process.wait(TIMEOUT) == 1
    assert server.said == b""


def test_half_a_message_ends_cleanly(server: RawServer) -> None:
    server.begin()
    server.send_bytes(b'Content-Length: 100\r\n\r\n{"jsonrpc"')
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.wait(TIMEOUT) == 1
    assert server.said == b""


def test_a_message_of_ten_megabytes_is_read(server: RawServer, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"d.md": "x"})
    server.begin(root)
    uri = (root / "d.md").as_uri()
    server.open(uri, "【F:no.py†L1】\n" + "words and more words\n" * 500_000)
    assert server.wait(lambda: server.shown(uri)) == ["file-not-found"]
    assert server.end() == 0


def test_two_hundred_requests_at_once_are_answered(server: RawServer, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x = 1\n", "d.md": "See 【F:a.py†L1】.\n"})
    server.begin(root)
    uri = (root / "d.md").as_uri()
    server.open(uri, "See 【F:a.py†L1】.\n")
    asked = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
    for number in range(100, 300):
        server.send("textDocument/hover", asked, number)
    server.send("$/cancelRequest", {"id": 299})
    answers = [server.answer(number) for number in range(100, 299)]
    assert all("holds" in one["result"]["contents"]["value"] for one in answers)
    assert "result" in server.answer(299) or server.answer(299)["error"]["code"] == -32800
    assert server.end() == 0


def test_a_client_that_reads_late_blocks_nothing(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x = 1\n" * 40, "d.md": "See 【F:a.py†L1-L30】.\n"})
    uri = (root / "d.md").as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "See 【F:a.py†L1-L30】.\n"}
    asked = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 8}}
    last = 1000
    rows: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {**INITIALIZE, "rootUri": root.as_uri()}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": item}},
        *({"id": number, "method": "textDocument/hover", "params": asked} for number in range(2, last + 1)),
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **row}).encode() for row in rows]
    pipe = subprocess.PIPE
    with subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, env=server_environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        # More than a pipe holds is written, and more is answered, before anything is read.
        process.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies))
        process.stdin.flush()
        decoder, answered = MessageDecoder(), 0
        while answered < last:
            data = process.stdout.read1()
            assert data
            answered += sum("result" in json.loads(body) for body in decoder.feed(data))
        process.stdin.close()
        assert process.wait(TIMEOUT) == 1


def test_the_root_may_vanish_and_come_back(server: RawServer, tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x = 1\n", "d.md": "x\n"})
    server.begin(root)
    uri = (root / "d.md").as_uri()
    server.open(uri, "See 【F:a.py†L1】.\n")
    assert server.wait(lambda: server.shown(uri) is not None)
    shutil.rmtree(root)

    def change(version: int, text: str) -> None:
        identity = {"uri": uri, "version": version}
        server.send("textDocument/didChange", {"textDocument": identity, "contentChanges": [{"text": text}]})

    change(2, "See 【F:a.py†L2】.\n")
    server.wait(lambda: server.shown(uri) == ["unreadable-document"])
    make_repository(root, {"a.py": "x = 1\n"})
    change(3, "See 【F:a.py†L3】.\n")
    server.wait(lambda: server.shown(uri) == ["line-out-of-range"])
    assert server.end() == 0

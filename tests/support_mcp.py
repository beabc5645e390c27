"""What the tests of `pincite mcp` share: a client in memory, and servers as real processes."""

from __future__ import annotations

import asyncio
import os
import select
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mcp import Client, MCPError

from pincite.doors.mcp.server import make_server
from pincite.doors.mcp.workspace import Workspace

CODE = 'LIMIT = 250\n\n\ndef read(value):\n    """Never above the limit."""\n    return min(value, LIMIT)\n'
DOCUMENT = "It is capped. 【F:src/gauge.py†L6】\n\nIt is counted. 【F:src/gauge.py†L66】\n"
SOURCE = Path(__file__).resolve().parents[1] / "src"
Calls = Callable[[Client], Awaitable[Any]]


def talk(workspace: Workspace | Path, calls: Calls) -> Any:
    """Let a client in memory talk to the server of a workspace; gives what the calls give."""
    served = workspace if isinstance(workspace, Workspace) else Workspace(str(workspace))

    async def meet() -> Any:
        async with Client(make_server(served)) as client:
            return await calls(client)

    return asyncio.run(meet())


def call(workspace: Workspace | Path, tool: str, **arguments: Any) -> Any:
    """The result of one call of a tool."""
    return talk(workspace, lambda client: client.call_tool(tool, arguments))


def read_evidence(workspace: Workspace | Path, name: str) -> str:
    """The text of a piece of evidence, or what the server says instead."""

    async def read(client: Client) -> str:
        try:
            return str((await client.read_resource(f"pincite://evidence/{name}")).contents[0].text)
        except MCPError as error:
            return f"refused: {error}"

    return str(talk(workspace, read))


def text_of(result: Any) -> str:
    """What the model reads of a result."""
    return "\n".join(item.text for item in result.content if item.type == "text")


def make_environment(**more: str) -> dict[str, str]:
    """The environment of a server as a process of its own."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PINCITE_CACHE", "TMPDIR") if name in os.environ}
    return {**kept, "PYTHONPATH": str(SOURCE), **more}


class ServerProcess:
    """A server over standard input and output, spoken to in lines."""

    def __init__(self, root: Path, *options: str, **environment: str) -> None:
        words = [sys.executable, "-m", "pincite", "mcp", "--root", str(root), *options]
        self._read = b""
        pipe = subprocess.PIPE
        self.child = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, env=make_environment(**environment), cwd=root
        )

    def send(self, data: bytes) -> None:
        """Bytes to the server."""
        assert self.child.stdin is not None
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def read_line(self) -> bytes:
        """The next line of the server, waited for as long as it lives; a minute without one is a failure."""
        assert self.child.stdout is not None
        while b"\n" not in self._read:
            ready, _, _ = select.select([self.child.stdout], [], [], 60)
            assert ready, "the server says nothing"
            piece = os.read(self.child.stdout.fileno(), 1 << 16)
            assert piece, "the server is gone"
            self._read += piece
        line, _, self._read = self._read.partition(b"\n")
        return line

    def end(self) -> tuple[int, bytes, bytes]:
        """Close its input and wait: the exit code, and what else it said on both streams."""
        assert self.child.stdin is not None and self.child.stdout is not None and self.child.stderr is not None
        with suppress(BrokenPipeError):
            self.child.stdin.close()
        rest, errors = self._read + self.child.stdout.read(), self.child.stderr.read()
        return self.child.wait(timeout=60), rest, errors

    def kill(self) -> None:
        """Make sure that it is gone."""
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        for stream in (self.child.stdin, self.child.stdout, self.child.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

"""Requests of agents in any shape: an answer with nothing invisible and no path of the machine in it; no write."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile

import engine

os.environ.setdefault("PINCITE_CACHE", tempfile.mkdtemp(prefix="pincite-fuzz-cache-"))

with engine.instrumented():
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import CallToolResult, TextContent

    from pincite.doors.mcp.server import make_server
    from pincite.doors.mcp.workspace import Workspace

FILES = {
    "pincite.toml": "",
    "src/gauge.py": "LIMIT = 250\n\n\ndef read(value):\n    return min(value, LIMIT)\n",
    "docs/a.md": "It is capped. 【F:src/gauge.py†L5】\n",
}
ARGUMENTS = {
    "check": ("text", "name", "cursor"),
    "show": ("citation", "cursor"),
    "cite": ("target", "style", "within"),
    "search": ("query", "path"),
    "fix": ("cursor",),
    "verify_answer": ("response",),
}
_INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")

root = tempfile.mkdtemp(prefix="pincite-fuzz-")
for path, content in FILES.items():
    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(content)
server = make_server(Workspace(root))
loop = asyncio.new_event_loop()


def read_request(data: bytes) -> tuple[str, dict[str, object]]:
    """A tool and its arguments: the first byte chooses, the rest is JSON, or lines that are values."""
    name = list(ARGUMENTS)[data[0] % len(ARGUMENTS)] if data else "check"
    text = engine.text_of(data[1:])
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if isinstance(given, dict):
        return name, {str(key): value for key, value in given.items()}
    return name, dict(zip(ARGUMENTS[name], text.split("\x1e"), strict=False))


def law(data: bytes) -> None:
    """Every request is answered in words."""
    name, arguments = read_request(data)
    arguments.pop("write", None)
    try:
        result = loop.run_until_complete(server.call_tool(name, arguments))
    except ToolError as error:
        assert str(error)
        return
    assert isinstance(result, CallToolResult)
    said = "\n".join(item.text for item in result.content if isinstance(item, TextContent))
    assert said and root not in said
    assert _INVISIBLE.search(said) is None, said
    assert root not in json.dumps(result.structured_content)
    for path, content in FILES.items():
        with open(os.path.join(root, path), encoding="utf-8") as kept:
            assert kept.read() == content


if __name__ == "__main__":
    engine.main(
        law,
        seeds=[
            '\x00{"text": "a 【F:src/gauge.py†L9】", "name": "docs/b.md", "receipts": []}'.encode(),
            b'\x00{"paths": ["docs", "../x"]}',
            b"\x01src/gauge.py:1-3",
            b"\x02LIMIT\x1ebracket\x1esrc",
            b"\x03limit value",
            b'\x05{"response": {"content": [{"type": "text", "text": "a", "citations": []}]}, "texts": {"a": "b"}}',
        ],
        tokens=[
            "src/gauge.py",
            ":1",
            "::read",
            "#L",
            "【F:",
            "】",
            "r_",
            "pincite://evidence/",
            '"paths": [',
            '"docs": [',
        ],
    )

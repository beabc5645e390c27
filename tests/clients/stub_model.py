"""A model on loopback that says what a script tells it to, in the wire formats of Claude Code, Codex and Gemini CLI."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = tuple[str, Any]
"""`("say", text)`, or `("call", (tool, input))`."""


class StubModel:
    """Answers one step of a script per request; what it was asked is kept."""

    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps
        self.requests: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def next_step(self, request: dict[str, Any]) -> Step:
        """The step for the next request; after the last one it says that it is done."""
        with self._lock:
            self.requests.append(request)
            number = len(self.requests) - 1
        return self.steps[number] if number < len(self.steps) else ("say", "Done.")

    def asked(self, number: int) -> str:
        """The text of a request, as JSON without escapes."""
        return json.dumps(self.requests[number], ensure_ascii=False)


def make_messages(step: Step, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The events of a streamed answer to `/v1/messages`."""
    kind, given = step
    head = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "stub", "content": []}
    usage = {"input_tokens": 1, "output_tokens": 1}
    if kind == "say":
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": given}
    else:
        tool, words = given
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(words)}
    reason = "end_turn" if kind == "say" else "tool_use"
    start = {**head, "stop_reason": None, "stop_sequence": None, "usage": usage}
    return [
        ("message_start", {"type": "message_start", "message": start}),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        (
            "message_delta",
            {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        ),
        ("message_stop", {"type": "message_stop"}),
    ]


def make_responses(step: Step, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The events of a streamed answer to `/v1/responses`."""
    kind, given = step
    if kind == "say":
        content = [{"type": "output_text", "text": given, "annotations": []}]
        item = {"type": "message", "id": f"m{number}", "role": "assistant", "status": "completed", "content": content}
    elif isinstance(given[1], str):
        item = {"type": "custom_tool_call", "id": f"c{number}", "call_id": f"call{number}", "name": given[0]}
        item |= {"input": given[1], "status": "completed"}
    else:
        item = {"type": "function_call", "id": f"f{number}", "call_id": f"call{number}", "name": given[0]}
        item |= {"arguments": json.dumps(given[1]), "status": "completed"}
    whole: dict[str, Any] = {"id": f"resp{number}", "object": "response", "status": "completed", "output": [item]}
    whole["usage"] = {
        "input_tokens": 1,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 1,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 2,
    }
    return [
        (
            "response.created",
            {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        ),
        ("response.output_item.added", {"type": "response.output_item.added", "output_index": 0, "item": item}),
        ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
        ("response.completed", {"type": "response.completed", "response": whole}),
    ]


def make_generated(step: Step, number: int) -> list[tuple[str, dict[str, Any]]]:
    """The events of a streamed answer to `:streamGenerateContent`."""
    kind, given = step
    part = {"text": given} if kind == "say" else {"functionCall": {"name": given[0], "args": given[1]}}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [("", {"candidates": [candidate], "usageMetadata": usage, "responseId": f"r{number}"})]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: StubModel

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        self._send(b'{"data": [], "models": []}', "application/json")

    do_HEAD = do_GET

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        data = self.rfile.read(length)
        path = self.path.partition("?")[0]
        make = {"/v1/messages": make_messages, "/v1/responses": make_responses}.get(path)
        if path.endswith(":streamGenerateContent"):
            make = make_generated
        request = json.loads(data) if data[:1] == b"{" else {}
        if make is None or self._is_aside(path, request):
            self._send(b'{"input_tokens": 1}' if path.endswith("count_tokens") else b"{}", "application/json")
            return
        events = make(self.model.next_step(request), len(self.model.requests))
        body = "".join(
            (f"event: {name}\n" if name else "") + f"data: {json.dumps(event)}\n\n" for name, event in events
        )
        self._send(body.encode(), "text/event-stream")

    def _is_aside(self, path: str, request: dict[str, Any]) -> bool:
        """Whether a request is none of the agent's turns: Claude Code also asks for a title, without tools."""
        return path == "/v1/messages" and not request.get("tools")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def serve_model(steps: list[Step]) -> Iterator[tuple[StubModel, str]]:
    """A stub that is listening, and its address."""
    model = StubModel(steps)
    handler = type("Handler", (_Handler,), {"model": model})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""Messages of any kind to the language server: each request gets one answer, and nothing ends the conversation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import engine

with engine.instrumented():
    from pincite.doors.lsp.framing import BrokenFraming, MessageDecoder
    from pincite.doors.lsp.protocol import CitationProtocol, silence_library

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

if TYPE_CHECKING:
    from collections.abc import Iterator

silence_library()
CONVERTER = default_converter()  # type: ignore[no-untyped-call]
"""Made once: that takes longer than a hundred messages."""


class _Answers:
    """Takes what the server sends."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        """Keep a message; it must be a whole one."""
        header, _, body = data.partition(b"\r\n\r\n")
        assert b"Content-Length: %d\r\n" % len(body) in header + b"\r\n"
        self.sent.append(json.loads(body))

    def close(self) -> None:
        """Nothing is open."""


def _make_server() -> tuple[CitationProtocol, _Answers]:
    server = LanguageServer("fuzz", "0", protocol_cls=CitationProtocol, converter_factory=lambda: CONVERTER)
    protocol, answers = server.protocol, _Answers()
    assert isinstance(protocol, CitationProtocol)

    def fail(params: object) -> None:
        raise ValueError("as a handler may")

    for method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE):
        server.feature(method)(lambda params: None)
    server.feature(types.TEXT_DOCUMENT_HOVER)(lambda params: None)
    server.feature(types.TEXT_DOCUMENT_DEFINITION)(fail)
    protocol.stop = lambda code: None
    protocol.set_writer(answers)
    return protocol, answers


def _list_requests(body: bytes) -> Iterator[tuple[str, int | str]]:
    """The methods and ids of requests."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return
    if isinstance(data, dict) and data.get("jsonrpc") == "2.0" and data.get("method") is not None:
        number = data.get("id")
        if isinstance(number, int | str):
            yield data["method"], number


def law(data: bytes) -> None:
    """Every message is taken in without an exception, and every request with an id is answered once."""
    protocol, answers = _make_server()
    asked: list[tuple[str, int | str]] = []
    decoder = MessageDecoder()
    try:
        for at in range(0, len(data), 7):
            for body in decoder.feed(data[at : at + 7]):
                asked += _list_requests(body)
                protocol.receive(body)
    except BrokenFraming:
        pass
    protocol.receive(data)
    asked += _list_requests(data)
    # `exit` ends the server: as a request, which it is not, it may go without an answer.
    ending = {str(number) for method, number in asked if method == types.EXIT}
    given = [str(one["id"]) for one in answers.sent if "id" in one and "method" not in one]
    wanted = [str(number) for _, number in asked]
    given, wanted = (sorted(number for number in some if number not in ending) for some in (given, wanted))
    assert given == wanted, (given, wanted)


def _frame(*bodies: bytes) -> bytes:
    return b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)


if __name__ == "__main__":
    BEGIN = (
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"processId":null,"rootUri":null}}'
    )
    HOVER = (
        b'{"jsonrpc":"2.0","id":2,"method":"textDocument/hover",'
        b'"params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}'
    )
    OPEN = (
        b'{"jsonrpc":"2.0","method":"textDocument/didOpen",'
        b'"params":{"textDocument":{"uri":"file:///a","languageId":"md","version":1,"text":"x"}}}'
    )
    engine.main(
        law,
        seeds=[
            _frame(BEGIN, OPEN, HOVER),
            _frame(BEGIN, b"[]", b"{", b'{"jsonrpc":"2.0","id":3}'),
            _frame(BEGIN, b'{"jsonrpc":"2.0","id":4,"method":"shutdown"}', HOVER, b'{"jsonrpc":"2.0","method":"exit"}'),
            HOVER,
            b'{"jsonrpc":"2.0","id":"x","method":"textDocument/definition","params":{}}',
            b"Content-Length: 99999999999\r\n\r\n",
        ],
        tokens=[
            *('"jsonrpc":"2.0"', '"id":', '"method":', '"params":', "initialize", "shutdown", "textDocument/hover"),
            *("Content-Length: ", "\r\n\r\n", "{}", "[]", "null", "-1", "1e999", "textDocument/didChange", '"error":'),
            *("workspace/executeCommand", "$/cancelRequest", '"result":'),
        ],
    )

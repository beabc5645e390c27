"""Messages to handlers. Every request gets an answer, whatever is wrong with it, and no message ends the server."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_BEFORE = (types.INITIALIZE, types.EXIT)
"""What a client may send before it has introduced itself."""
_NOT_INITIALIZED = -32002
_INVALID_REQUEST = -32600
_PARSE_ERROR = -32700


class CitationProtocol(LanguageServerProtocol):
    """The language server protocol as this server speaks it. It keeps the texts of open files itself."""

    stop: Callable[[int], object]
    """Called with the exit code when the client says that the server shall end."""

    def receive(self, body: bytes) -> None:
        """Take one message in."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, _PARSE_ERROR, f"not JSON: {type(error).__name__}")
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != "2.0":
            self._refuse(None, _INVALID_REQUEST, "not a message of JSON-RPC 2.0")
            return
        method, number = data.get("method"), data.get("id")
        wrong = self._find_fault(method)
        if wrong:
            if number is not None and method is not None:
                self._refuse(number, *wrong)
            return
        try:
            self.handle_message(self.structure_message(data))
        except JsonRpcException as error:
            self._refuse(number if method is not None else None, error.code, error.message)
        except Exception as error:
            self._refuse(number if method is not None else None, _INVALID_REQUEST, f"{type(error).__name__}: {error}")

    def _find_fault(self, method: object) -> tuple[int, str] | None:
        """Why a message comes at the wrong time."""
        if self._shutdown and method != types.EXIT:
            return _INVALID_REQUEST, "the server is shutting down"
        known = self._workspace is not None
        if method is not None and not known and method not in _BEFORE:
            return _NOT_INITIALIZED, "the first request must be initialize"
        if known and method == types.INITIALIZE:
            return _INVALID_REQUEST, "the server is initialized already"
        return None

    def _refuse(self, number: object, code: int, message: str) -> None:
        """Answer a request with an error; say it in the log where no request can be named."""
        if isinstance(number, int | str):
            self._send_response(number, None, types.ResponseError(code, message))
        elif self._workspace is not None:
            self.log(f"a message was dropped: {message}")

    def log(self, message: str, kind: types.MessageType = types.MessageType.Warning) -> None:
        """Write a line into the client's log."""
        self.notify(types.WINDOW_LOG_MESSAGE, types.LogMessageParams(kind, message))

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """End the server; without a shutdown before, that is an error."""
        self.stop(0 if self._shutdown else 1)
        yield from ()

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Hand the notification on; the library keeps no second copy of the text."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Likewise."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Likewise."""
        yield self.fm.features[types.TEXT_DOCUMENT_DID_CLOSE], (params,), None


def silence_library() -> None:
    """Keep the library from printing tracebacks; what matters goes to the client's log."""
    logger = logging.getLogger("pygls")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    # Even where nothing is printed, messages of many megabytes would be formatted.
    logger.setLevel(logging.CRITICAL + 1)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)

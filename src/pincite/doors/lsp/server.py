"""The server: what it knows, how it starts, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from ..._version import __version__
from ...project.project import open_project
from .checking import BufferChecker
from .citing import CitingIndexes
from .diagnostics import DiagnosticSupport, make_diagnostics, make_result_id, read_support
from .framing import BrokenFraming, MessageDecoder
from .locations import WorkspaceFolders
from .open_files import OpenFiles
from .protocol import CitationProtocol, silence_library
from .work_lane import WorkLane

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...project.project import Project
    from ...safe.protocol_streams import ProtocolStreams
    from .open_files import OpenFile

_LOOK_SECONDS = 5.0
"""How often the server looks whether the client's process is still there."""
_SIGNALLED = 128
"""What shells add to the number of a signal for an exit code."""


class CitationServer(LanguageServer):
    """One client's server: its open files, what is known of them, and two threads that find out more."""

    protocol: CitationProtocol

    def __init__(self) -> None:
        super().__init__("pincite", __version__, protocol_cls=CitationProtocol)
        self.files = OpenFiles()
        self.folders = WorkspaceFolders(())
        self.support = DiagnosticSupport()
        self.versioned = False
        """Whether the client takes edits together with the version that they are made for."""
        self.encoding = "utf-16"
        self._noted = ""
        self._lookups = WorkLane("lookups")
        checks = WorkLane("checks")
        self.checker = BufferChecker(self.files, checks, self.show, self.note)
        self.citing = CitingIndexes(self.files, checks, self.refresh_lenses, self.note)

    async def look(self, root: str, work: Callable[[Project], Any]) -> Any:
        """What some work on a project gives, done in a thread for quick questions."""

        def open_and_work() -> Any:
            # Opened for each question: settings that change count at once, and a root may come back.
            with open_project(root, option="") as project:
                return work(project)

        return await self._lookups.submit(open_and_work)

    def introduce(self, params: types.InitializeParams) -> None:
        """Take in what the client says of itself."""
        folders = [folder.uri for folder in params.workspace_folders or ()]
        self.folders = WorkspaceFolders(folders or [params.root_uri or ""])
        self.support = read_support(params.capabilities)
        workspace = params.capabilities.workspace
        edits = workspace.workspace_edit if workspace is not None else None
        self.versioned = edits is not None and bool(edits.document_changes)
        self.encoding = str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        if params.process_id is not None and _is_running(params.process_id):
            # Of a process in another container nothing is known.
            asyncio.get_running_loop().create_task(self._watch_client(params.process_id))

    async def _watch_client(self, process: int) -> None:
        while _is_running(process):
            await asyncio.sleep(_LOOK_SECONDS)
        self.protocol.stop(1)

    def list_diagnostics(self, file: OpenFile) -> list[types.Diagnostic]:
        """What a client is to show for a file."""
        if file.report is None or file.checked_text is None or file.place is None:
            return []
        return make_diagnostics(file.report, file.checked_text, file.place.root, self.support)

    def show(self, file: OpenFile) -> None:
        """Let the client know what is new of a file: it is sent, or the client is asked to ask."""
        self.citing.update(file)
        if self.files.get(file.uri) is not file:
            return
        if not self.support.pulls:
            found = self.list_diagnostics(file)
            version = file.version if file.checked_text is file.text else None
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(file.uri, found, version))
        elif not file.awaits_request and self._is_news(file):
            self._ask_client(types.WORKSPACE_DIAGNOSTIC_REFRESH)

    def _is_news(self, file: OpenFile) -> bool:
        return make_result_id(self.list_diagnostics(file)) != file.answered

    def refresh_lenses(self) -> None:
        """Ask the client to ask for code lenses again."""
        workspace = self.client_capabilities.workspace
        lenses = workspace.code_lens if workspace is not None else None
        if lenses is not None and lenses.refresh_support:
            self._ask_client(types.WORKSPACE_CODE_LENS_REFRESH)

    def _ask_client(self, method: str) -> None:
        future = self.protocol.send_request(method)
        # A client that refuses need not be argued with.
        future.add_done_callback(lambda done: done.cancelled() or done.exception())

    def note(self, message: str) -> None:
        """Write what went wrong into the client's log; what is true of every keystroke is written once."""
        if message != self._noted:
            self._noted = message
            self.protocol.log(message)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Write what the library could not do into the client's log."""
        self.note(f"{type(error).__name__}: {str(error).partition(chr(10))[0]}")


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


class _Output:
    """Where messages go. Once the client is gone there is nobody to tell."""

    def __init__(self, streams: ProtocolStreams, stop: Callable[[int], object]) -> None:
        self._streams = streams
        self._stop = stop

    def write(self, data: bytes) -> None:
        """Send a message."""
        try:
            self._streams.write(data)
        except OSError:
            self._stop(1)

    def close(self) -> None:
        """Nothing: the process ends soon."""


def run_server(streams: ProtocolStreams) -> int:
    """Serve one client until it says goodbye or is gone; the exit code."""
    silence_library()
    return asyncio.run(_serve(streams))


async def _serve(streams: ProtocolStreams) -> int:
    from .handlers import register_features

    loop = asyncio.get_running_loop()
    arrived: asyncio.Queue[bytes] = asyncio.Queue()
    stopped: asyncio.Future[int] = loop.create_future()

    def stop(code: int) -> None:
        if not stopped.done():
            stopped.set_result(code)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, _SIGNALLED + number)
    server = CitationServer()
    register_features(server)
    server.protocol.stop = stop
    server.protocol.set_writer(_Output(streams, stop))
    streams.read_in_background(lambda data: loop.call_soon_threadsafe(arrived.put_nowait, data))
    reading = loop.create_task(_read_messages(server, arrived, stop))
    code = await stopped
    await _end_tasks(reading)
    return code


async def _read_messages(server: CitationServer, arrived: asyncio.Queue[bytes], stop: Callable[[int], object]) -> None:
    """Hand messages over until there are no more; the client should have said goodbye before."""
    decoder = MessageDecoder()
    try:
        while data := await arrived.get():
            for body in decoder.feed(data):
                server.protocol.receive(body)
            # A queue that is never empty must not keep the answers waiting.
            await asyncio.sleep(0)
    except BrokenFraming as error:
        server.note(f"the connection was given up: {error}")
    stop(1)


async def _end_tasks(*first: asyncio.Task[None]) -> None:
    """Cancel what is under way, which kills the child processes, and wait for that."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in {*first, *others}:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait(others, timeout=_LOOK_SECONDS) if others else None

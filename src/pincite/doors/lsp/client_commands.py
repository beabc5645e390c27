"""Commands that a client runs: accept a citation, copy one, show who cites a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from msgspec import Struct, ValidationError, convert
from msgspec.msgpack import decode, encode

from ...core.errors import Refused, UsageError
from ...safe.worker_process import ask_worker
from ...text.lines import decode as decode_text
from ...write.cite.model import STYLES
from ...write.cite.permalinks import pin_commit
from ...write.cite.proof import Proof
from ...write.cite.target import find_symbol_target, find_target
from .actions import ACCEPT, REASON
from .background_work import MODULE, AcceptRequest
from .handlers import guard_request
from .lookups import find_references
from .references import SHOW

if TYPE_CHECKING:
    from ...project.project import Project
    from .open_files import OpenFile
    from .server import CitationServer

COPY = "pincite.copyCitation"
_MOST_ANSWER = 1 << 20


class ClientPosition(Struct, frozen=True):
    """A position as a client gives it."""

    line: int
    character: int = 0


class ClientRange(Struct, frozen=True):
    """A range as a client gives it."""

    start: ClientPosition
    end: ClientPosition


class AcceptArguments(Struct, frozen=True):
    """Which citation of a document is accepted, and why."""

    uri: str
    line: int
    column: int
    raw: str
    reason: str = REASON


class CopyArguments(Struct, frozen=True):
    """Which lines of a file are cited, and how."""

    uri: str
    range: ClientRange | None = None
    lines: tuple[int, int] | None = None
    style: str = next(iter(STYLES))
    into: str = ""
    """The address of the document that the citation is for: links are relative to its folder."""


class ShowArguments(Struct, frozen=True):
    """A line of a file whose citations are shown."""

    uri: str
    position: ClientPosition


def register_commands(server: CitationServer) -> None:
    """Tell the library which commands there are."""
    commands = Commands(server)
    for name, handler in ((ACCEPT, commands.accept), (COPY, commands.copy), (SHOW, commands.show)):
        server.command(name)(guard_request(server, name, handler, is_command=True))


def _read_arguments(given: tuple[Any, ...], kind: type[Any]) -> Any:
    try:
        return convert(given[0] if given else {}, type=kind)
    except ValidationError as error:
        raise UsageError(f"wrong arguments: {error}") from None


class Commands:
    """The commands of one server."""

    def __init__(self, server: CitationServer) -> None:
        self._server = server

    async def accept(self, *given: Any) -> str:
        """Record that a citation is still true, as `pincite accept` does; what was done, in words."""
        wanted: AcceptArguments = _read_arguments(given, AcceptArguments)
        file = self._find(wanted.uri)
        place = file.place
        if place is None or not await self._server.look(place.root, lambda project: _is_saved(project, file)):
            raise UsageError("save the document first: what is accepted is recorded for the text on disk")
        at = (wanted.line, wanted.column, wanted.raw, wanted.reason)
        answer = await ask_worker(MODULE, encode(AcceptRequest(place.root, place.key, *at)), _MOST_ANSWER)
        said = decode(answer, type=str)
        self._server.checker.schedule(file)
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, f"pincite: {said}"))
        return said

    async def copy(self, *given: Any) -> str:
        """A citation of lines of a file that holds, for the clipboard."""
        wanted: CopyArguments = _read_arguments(given, CopyArguments)
        file = self._find(wanted.uri)
        place = file.place
        if place is None:
            raise UsageError("the file lies in no project")
        first, last = _find_lines(wanted)
        into = self._server.folders.locate(wanted.into) if wanted.into else None

        def write(project: Project) -> str:
            if not _is_saved(project, file):
                raise UsageError("save the file first: its lines on disk are what can be cited")
            target = find_target(project.root, f"{place.key}#L{first}-L{last}", project.git)
            if wanted.style == "symbol":
                target = find_symbol_target(project.root, target)
            elif wanted.style == "permalink":
                target = pin_commit(project.root, project.git(), target, project.config.repository)
            proof = Proof(project.root, project.config, project.git)
            try:
                return proof.write(target, wanted.style, into.key if into is not None else "document.md")
            finally:
                proof.close()

        text: str = await self._server.look(place.root, write)
        return text

    async def show(self, *given: Any) -> list[types.Location]:
        """Where a line is cited; a client that can is shown the first of these places."""
        wanted: ShowArguments = _read_arguments(given, ShowArguments)
        file = self._find(wanted.uri)
        position = types.Position(wanted.position.line, wanted.position.character)
        found = await find_references(self._server, file, position) or []
        window = self._server.client_capabilities.window
        if found and window is not None and window.show_document is not None and window.show_document.support:
            first = types.ShowDocumentParams(found[0].uri, take_focus=True, selection=found[0].range)
            self._server.protocol.send_request(types.WINDOW_SHOW_DOCUMENT, first)
        return found

    def _find(self, uri: str) -> OpenFile:
        file = self._server.files.get(uri)
        if file is None:
            raise UsageError("the file is not open")
        return file


def _find_lines(wanted: CopyArguments) -> tuple[int, int]:
    """The first and last line that are cited; a selection that ends before the first character of a line leaves it."""
    if wanted.lines is not None:
        return wanted.lines
    if wanted.range is None:
        raise UsageError("say which lines: give a range or lines")
    start, end = wanted.range.start, wanted.range.end
    last = end.line if end.character == 0 and end.line > start.line else end.line + 1
    return start.line + 1, last


def _is_saved(project: Project, file: OpenFile) -> bool:
    """Whether a file on disk is what the editor has."""
    if file.place is None:
        return False
    try:
        return decode_text(project.root.read(file.place.key)) == file.text.text
    except Refused:
        return False

"""What is done about each message of a client. An error in a handler becomes a line in the client's log."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from ...core.errors import PinciteError
from .actions import FIX_ALL, ActionMaker, wants_kind
from .checking import DEBOUNCE
from .completion import TRIGGERS, complete
from .diagnostics import make_result_id
from .lookups import find_definition, find_references, list_lenses, list_links, make_hover
from .open_files import OpenFile, apply_changes
from .positions import TextIndex
from .renames import plan_client_renames

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .server import CitationServer

_SETTINGS = ("pincite.toml", "pyproject.toml", ".pincite-accepted", "pincite.lock")
"""Files that decide what is true of every document."""
_COMMITS = (".git/HEAD", ".git/logs/HEAD")
"""Files of git that change with a commit: history then says something else."""
_MANY = 500
"""Changed files that are looked at one by one; where there are more, everything may have changed."""
_PATIENCE = 2.0
"""Seconds that a request for repairs waits for history."""
_EVERYTHING = types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")


def register_features(server: CitationServer) -> None:
    """Tell the library what the server can do."""
    from .client_commands import register_commands

    handlers = Handlers(server)
    for method, handler in (
        (types.INITIALIZE, handlers.initialize),
        (types.INITIALIZED, handlers.initialized),
        (types.TEXT_DOCUMENT_DID_OPEN, handlers.open),
        (types.TEXT_DOCUMENT_DID_CHANGE, handlers.change),
        (types.TEXT_DOCUMENT_DID_SAVE, handlers.save),
        (types.TEXT_DOCUMENT_DID_CLOSE, handlers.close),
        (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, handlers.watch),
        (types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, handlers.change_folders),
    ):
        server.feature(method)(_guard_notification(server, method, handler))
    actions = types.CodeActionOptions([types.CodeActionKind.QuickFix, FIX_ALL])
    renames = types.FileOperationRegistrationOptions([_EVERYTHING])
    for request, answer, options in (
        (types.TEXT_DOCUMENT_HOVER, handlers.hover, None),
        (types.TEXT_DOCUMENT_DEFINITION, handlers.define, None),
        (types.TEXT_DOCUMENT_REFERENCES, handlers.refer, None),
        (types.TEXT_DOCUMENT_DOCUMENT_LINK, handlers.link, None),
        (types.TEXT_DOCUMENT_CODE_LENS, handlers.list_lenses, None),
        (types.TEXT_DOCUMENT_CODE_ACTION, handlers.act, actions),
        (types.TEXT_DOCUMENT_COMPLETION, handlers.complete, types.CompletionOptions(trigger_characters=TRIGGERS)),
        (types.WORKSPACE_WILL_RENAME_FILES, handlers.rename, renames),
    ):
        server.feature(request, options)(guard_request(server, request, answer))
    register_commands(server)


def _guard_notification(server: CitationServer, method: str, handler: Callable[[Any], None]) -> Callable[[Any], None]:
    def handle(params: Any) -> None:
        try:
            handler(params)
        except Exception as error:
            server.note(f"{method}: {type(error).__name__}: {error}")

    return handle


def guard_request(
    server: CitationServer, method: str, handler: Callable[..., Awaitable[Any]], is_command: bool = False
) -> Callable[..., Awaitable[Any]]:
    """A handler that answers nothing where it fails, and says so in the log; a command answers with the reason."""

    async def handle(*arguments: Any) -> Any:
        try:
            return await handler(*arguments)
        except JsonRpcException:
            raise
        except Exception as error:
            said = str(error) if isinstance(error, PinciteError) else f"{type(error).__name__}: {error}"
            if is_command:
                raise JsonRpcException(said, int(types.LSPErrorCodes.RequestFailed)) from None
            server.note(f"{method}: {said}")
            return None

    return handle


class Handlers:
    """The handlers of one server."""

    def __init__(self, server: CitationServer) -> None:
        self._server = server

    def initialize(self, params: types.InitializeParams) -> None:
        """Take in what the client can do; diagnostics are either asked for or sent, never both."""
        server = self._server
        server.introduce(params)
        if server.support.pulls:
            method = types.TEXT_DOCUMENT_DIAGNOSTIC
            options = types.DiagnosticOptions(True, False, identifier="pincite")
            server.feature(method, options)(guard_request(server, method, self.diagnose))

    def initialized(self, params: types.InitializedParams) -> None:
        """Ask to hear of files that change outside of the editor."""
        workspace = self._server.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace is not None else None
        if watching is None or not watching.dynamic_registration:
            return
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher("**/*")])
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        asked = types.RegistrationParams([types.Registration("pincite-files", method, options)])
        self._server.protocol.send_request(types.CLIENT_REGISTER_CAPABILITY, asked).add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )

    def open(self, params: types.DidOpenTextDocumentParams) -> None:
        """Take a buffer in, and check it at once."""
        server, item = self._server, params.text_document
        place = server.folders.locate(item.uri, item.language_id)
        old = server.files.remove(item.uri)
        if old is not None:
            server.checker.forget(old)
        file = OpenFile(item.uri, place, item.version, TextIndex(item.text, server.encoding))
        server.files.put(file)
        if place is not None:
            server.checker.schedule(file, is_edit=True)
            server.citing.begin(place.root)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take an edit in, and check the text when the typing pauses."""
        file = self._server.files.get(params.text_document.uri)
        if file is None:
            return
        file.text = apply_changes(file.text, params.content_changes)
        file.version = params.text_document.version
        file.is_edited = True
        if file.place is not None:
            self._server.checker.schedule(file, DEBOUNCE, is_edit=True)

    def save(self, params: types.DidSaveTextDocumentParams) -> None:
        """Check a saved document at once, and those that cite the saved file."""
        server, file = self._server, self._server.files.get(params.text_document.uri)
        if file is None or file.place is None:
            return
        file.is_edited = False
        server.checker.schedule(file)
        self._take_changes(file.place.root, {file.place.key})

    def close(self, params: types.DidCloseTextDocumentParams) -> None:
        """Let go of a buffer; its problems are no longer shown, and its unsaved edits count no more."""
        server, uri = self._server, params.text_document.uri
        file = server.files.remove(uri)
        if file is None:
            return
        server.checker.forget(file)
        if not server.support.pulls:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        if file.place is not None and file.is_edited:
            server.citing.renew(file.place.root)

    def watch(self, params: types.DidChangeWatchedFilesParams) -> None:
        """Files changed on disk: look again at what rests on them."""
        changed: dict[str, set[str]] = {}
        if len(params.changes) > _MANY:
            changed = {file.place.root: set(_COMMITS) for file in self._server.files if file.place is not None}
        else:
            for event in params.changes:
                place = self._server.folders.locate(event.uri)
                if place is not None and (place.key in _COMMITS or not place.key.startswith(".git/")):
                    changed.setdefault(place.root, set()).add(place.key)
        for root, keys in changed.items():
            self._take_changes(root, keys)

    def _take_changes(self, root: str, keys: set[str]) -> None:
        ruling = any(os.path.basename(key) in _SETTINGS or key in _COMMITS for key in keys)
        self._server.checker.recheck_citing(root, set() if ruling else keys)
        self._server.citing.renew(root)

    def change_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """The client works in other folders."""
        added, removed = ([folder.uri for folder in some] for some in (params.event.added, params.event.removed))
        self._server.folders.change(added, removed)

    async def diagnose(
        self, params: types.DocumentDiagnosticParams
    ) -> types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport:
        """The diagnostics of a file, for a client that asks."""
        file = self._server.files.get(params.text_document.uri)
        if file is None:
            return types.RelatedFullDocumentDiagnosticReport([])
        if file.place is not None:
            await file.settle()
        found = self._server.list_diagnostics(file)
        file.answered, file.awaits_request = make_result_id(found), False
        if params.previous_result_id == file.answered:
            return types.RelatedUnchangedDocumentDiagnosticReport(file.answered)
        return types.RelatedFullDocumentDiagnosticReport(found, result_id=file.answered)

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """The verdict on the citation under the cursor."""
        file = await self._settle(params.text_document.uri)
        return await make_hover(self._server, file, params.position) if file is not None else None

    async def define(self, params: types.DefinitionParams) -> list[types.Location] | None:
        """Where the evidence stands."""
        file = await self._settle(params.text_document.uri)
        return await find_definition(self._server, file, params.position) if file is not None else None

    async def refer(self, params: types.ReferenceParams) -> list[types.Location] | None:
        """Who cites what is cited here, or these lines."""
        file = await self._settle(params.text_document.uri)
        return await find_references(self._server, file, params.position) if file is not None else None

    async def link(self, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        """The citations of files, as links."""
        file = await self._settle(params.text_document.uri)
        return list_links(self._server, file) if file is not None else None

    async def list_lenses(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        """Which lines of a file are cited, and by how many documents."""
        file = self._server.files.get(params.text_document.uri)
        return await list_lenses(self._server, file) if file is not None else None

    async def act(self, params: types.CodeActionParams) -> list[types.CodeAction] | None:
        """What can be done about the problems in a range."""
        file = await self._settle(params.text_document.uri)
        if file is None or file.report is None or file.place is None:
            return None
        only = [str(getattr(kind, "value", kind)) for kind in params.context.only or ()]
        wants_repair = any(finding.edit for one in file.report.verdicts for finding in one.findings)
        if not file.is_tried and (wants_repair or (only and wants_kind(only, FIX_ALL))):
            await wait_for(file.history_done, _PATIENCE)
        if file.report is None or not file.is_current:
            return None
        maker = ActionMaker(file.uri, file.version, file.text, file.report, file.is_tried)
        versioned = self._server.versioned
        found: list[types.CodeAction] = await self._server.look(
            file.place.root, lambda project: maker.list_actions(project, params.range, only, versioned)
        )
        return found

    async def complete(self, params: types.CompletionParams) -> types.CompletionList | None:
        """What can be written at the cursor."""
        file = self._server.files.get(params.text_document.uri)
        if file is None or file.place is None:
            return None
        place, text = file.place, file.text
        found: types.CompletionList | None = await self._server.look(
            place.root, lambda project: complete(project, place.key, text, params.position)
        )
        return found

    async def rename(self, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        """The edits that keep citations of files right that are about to be renamed."""
        return await plan_client_renames(self._server, params.files)

    async def _settle(self, uri: str) -> OpenFile | None:
        """The file at an address, once its text was checked; None where none is open."""
        file = self._server.files.get(uri)
        if file is not None and file.place is not None:
            await file.settle()
        return file


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but not longer than that."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return

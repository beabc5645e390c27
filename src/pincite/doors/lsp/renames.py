"""Files that a client is about to rename: the edits that keep their citations right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...core.errors import Refused
from ...text.lines import decode
from .actions import make_workspace_edit
from .locations import find_key, uri_of
from .positions import TextIndex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lsprotocol import types

    from ...core.model import Edit
    from ...project.project import Project
    from .server import CitationServer

    OpenTexts = Mapping[str, tuple[str, int | None, TextIndex]]
    """The documents that are open, by key: their addresses, versions and texts."""
    FileEdits = dict[str, tuple[int | None, TextIndex, list[Edit]]]


async def plan_client_renames(server: CitationServer, files: Sequence[types.FileRename]) -> types.WorkspaceEdit | None:
    """The edits that a rename of files or folders calls for; None where there are none.

    What cannot be rewritten without guessing is named in the client's log.
    """
    pairs: dict[str, list[tuple[str, str]]] = {}
    for one in files:
        place = server.folders.locate(one.old_uri.rstrip("/"))
        new = find_key(place.root, one.new_uri.rstrip("/")) if place is not None else ""
        if place is not None and new:
            pairs.setdefault(place.root, []).append((place.key, new))
    edits: FileEdits = {}
    for root, renames in pairs.items():
        some, left = await _plan_in_root(server, root, renames)
        edits |= some
        for line in left:
            server.note(f"a citation is left for a reader: {line}")
    return make_workspace_edit(edits, server.versioned) if edits else None


async def _plan_in_root(
    server: CitationServer, root: str, renames: list[tuple[str, str]]
) -> tuple[FileEdits, list[str]]:
    for file in server.files:
        if file.place is not None and file.place.root == root:
            await file.settle()
    opened = {
        file.place.key: (file.uri, file.version, file.text)
        for file in server.files
        if file.place is not None and file.place.root == root and file.report is not None
    }
    encoding = server.encoding
    found: tuple[FileEdits, list[str]] = await server.look(
        root, lambda project: plan_edits(project, renames, opened, encoding)
    )
    return found


def plan_edits(
    project: Project, renames: Sequence[tuple[str, str]], opened: OpenTexts, encoding: str
) -> tuple[FileEdits, list[str]]:
    """The edits of documents, by address, and the citations that are left for a reader.

    Documents that are open are read as the editor has them.
    """
    from ...engine.renaming import plan_rename

    plan = plan_rename(project, renames, {key: text.text for key, (_, _, text) in opened.items()})
    edits: FileEdits = {}
    for key, some in plan.edits.items():
        if key in opened:
            uri, version, text = opened[key]
        else:
            uri, version = uri_of(project.root.path, key), None
            try:
                text = TextIndex(decode(project.root.read(key, project.root.limits.document_bytes)), encoding)
            except Refused:
                continue
        edits[uri] = (version, text, list(some))
    return edits, [f"{one.document}:{one.line}: {one.raw}: {one.reason}" for one in plan.left]

"""What this server wrote, the newest first; each can be taken back while its files are as it left them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from ....core.errors import Conflict, Refused
from ....engine.file_changes import write_changes
from ..document_writes import PlannedWrite, WriteDone, describe_changes, refuse_stale, refuse_unseen
from ..records import Paging, cut_page
from ..routes import ActionRoute, NotFound, PageRoute
from ..write_journal import get_journal

if TYPE_CHECKING:
    from ..routes import PageContext
    from ..write_journal import KeptWrite

_PER_PAGE = 50


class WriteListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of the list."""

    page: int = 1


class WriteRow(Struct, frozen=True):
    """One write."""

    id: str
    time: str
    """When it was made, UTC."""
    title: str
    files: tuple[str, ...]
    is_taken_back: bool


class WriteList(Struct, frozen=True):
    """What this server wrote since it was started, the newest first."""

    writes: tuple[WriteRow, ...]
    paging: Paging


class TakeBackQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which write."""

    id: str


class TakeBackForm(TakeBackQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A write whose reverse was shown."""

    before: str
    """Digest of the files as they were shown."""
    after: str
    """Digest of what would be written, as it was shown."""


class TakeBackRecord(Struct, frozen=True):
    """What taking a write back would change."""

    write: WriteRow
    plan: PlannedWrite | None
    refused: str = ""
    """Why it cannot be taken back."""


def list_writes(context: PageContext, query: WriteListQuery) -> WriteList:
    """The writes of a server."""
    rows, paging = cut_page(get_journal(context.site).newest_first(), query.page, _PER_PAGE)
    return WriteList(tuple(_describe(one) for one in rows), paging)


def load_take_back(context: PageContext, query: TakeBackQuery) -> TakeBackRecord:
    """The reverse of a write."""
    write = _find(context, query.id)
    try:
        with context.site.open() as project:
            changes = get_journal(context.site).plan_taking_back(project.root, write)
    except (Conflict, Refused) as error:
        return TakeBackRecord(_describe(write), None, context.site.describe_error(error))
    return TakeBackRecord(_describe(write), describe_changes(changes))


def take_back(context: PageContext, form: TakeBackForm) -> WriteDone:
    """Put back what a write changed, if its files are as it left them."""
    site = context.site
    write = _find(context, form.id)
    try:
        with site.writing, site.open() as project:
            changes = get_journal(site).plan_taking_back(project.root, write)
            refuse_unseen(changes, (form.before, form.after))
            write_changes(project.root, changes)
            write.is_taken_back = True
    except (Conflict, Refused) as error:
        raise refuse_stale(error, lambda: load_take_back(context, form), "take_back.html") from None
    site.look_again()
    return WriteDone(context.links.page("writes"), write.id, tuple(file.path for file in write.files))


def _find(context: PageContext, id: str) -> KeptWrite:
    write = get_journal(context.site).find(id)
    if write is None:
        raise NotFound("no such write: it is one of many and was forgotten, or the server was started again since")
    return write


def _describe(write: KeptWrite) -> WriteRow:
    time = datetime.fromtimestamp(write.time, UTC).isoformat(" ", "seconds").removesuffix("+00:00")
    return WriteRow(write.id, time, write.title, tuple(file.path for file in write.files), write.is_taken_back)


PAGES = (
    PageRoute(
        "writes",
        "/writes",
        "What this server wrote, the newest first",
        WriteListQuery,
        WriteList,
        list_writes,
        "writes.html",
        is_static=False,
    ),
    PageRoute(
        "take-back",
        "/writes/{id}/take-back",
        "What taking a write back would change",
        TakeBackQuery,
        TakeBackRecord,
        load_take_back,
        "take_back.html",
        is_static=False,
    ),
)
ACTIONS = (ActionRoute("take-back", "/writes/{id}/take-back", "Take a write back", TakeBackForm, WriteDone, take_back),)

"""Long work: how far it is, and the button that stops it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..long_work import WorkRecord
from ..records import Redirect
from ..routes import ActionRoute, NotFound, PageRoute

if TYPE_CHECKING:
    from ..long_work import LongWork
    from ..routes import PageContext


class WorkListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to choose."""


class WorkQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which work."""

    id: str


class WorkList(Struct, frozen=True):
    """All work, the newest first."""

    work: tuple[WorkRecord, ...]


def list_work(context: PageContext, query: WorkListQuery) -> WorkList:
    """The work of a server."""
    return WorkList(tuple(one.record() for one in context.site.works.list()))


def show_work(context: PageContext, query: WorkQuery) -> WorkRecord:
    """One piece of work."""
    return _find(context, query.id).record()


def stop_work(context: PageContext, query: WorkQuery) -> Redirect:
    """Stop it; what it has done stays."""
    _find(context, query.id).stop()
    return Redirect(context.links.page("work", id=query.id))


def check_again(context: PageContext, query: WorkListQuery) -> Redirect:
    """Check the documents after the first check was stopped."""
    context.site.check_again()
    return Redirect(context.links.page("works"))


def _find(context: PageContext, id: str) -> LongWork:
    work = context.site.works.find(id)
    if work is None:
        raise NotFound("no such work; the server may have been started again since")
    return work


PAGES = (
    PageRoute(
        "works",
        "/work",
        "Long work, the newest first",
        WorkListQuery,
        WorkList,
        list_work,
        "works.html",
        is_static=False,
    ),
    PageRoute(
        "work",
        "/work/{id}",
        "How far one piece of work is",
        WorkQuery,
        WorkRecord,
        show_work,
        "work.html",
        is_static=False,
    ),
)
ACTIONS = (
    ActionRoute("stop", "/work/{id}/stop", "Stop long work", WorkQuery, Redirect, stop_work, writes=False),
    ActionRoute("check", "/check", "Check the documents again", WorkListQuery, Redirect, check_again, writes=False),
)

"""What a page is, and what an action is: a module of `pages/` lists its own in `PAGES` and `ACTIONS`.

A page has one address for people and, with `.json` behind it, one for programs. Its `load` runs in a thread and
returns a record; the JSON is the record, the HTML is the template filled with it. An action is a POST.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Callable

    from .links import Links
    from .site import Site

_MODULES = (
    "overview",
    "trend",
    "graph",
    "document",
    "citation",
    "review",
    "fix",
    "accept",
    "writes",
    "source",
    "research",
    "topic_quote",
    "topic_report",
    "attest",
    "topic",
    "corpus",
    "corpus_audit",
    "corpus_add",
    "paper",
    "answers",
    "search",
    "work",
    "api",
)
"""The modules of `pages/`, in the order of the navigation and of the API's description."""
_FLEET_MODULES = (
    "fleet",
    "fleet_new",
    "fleet_teams",
    "fleet_sources",
    "fleet_repository",
    "fleet_citation",
    "fleet_source_history",
    "api",
)
"""The same for a server that shows a fleet; they are imported by no other."""

KILOBYTE = 1024
MEGABYTE = 1024 * 1024


class NotFound(Exception):
    """There is nothing at the address; the message says what was looked for."""


class Refusal(Exception):
    """The request is understood and not done; `status` says why in HTTP's terms."""

    def __init__(self, status: int, message: str, record: Struct | None = None, template: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.record = record
        """What is true now, where that helps: shown by the template, and in JSON beside the message."""
        self.template = template


class PageContext(NamedTuple):
    """What a page is made with."""

    site: Site
    links: Links


class PageRoute(Struct, frozen=True):
    """A page."""

    name: str
    """What links call it: `links.page(name, …)`."""
    path: str
    """Its address, with the fields of its query that are part of it: `/d/{document:path}`."""
    summary: str
    """What it shows, in one line; the API's description has it."""
    query: type[Struct]
    """The fields of its address and its query. Give the struct `forbid_unknown_fields=True`."""
    record: type[Struct]
    """What its JSON is."""
    load: Callable[[Any, Any], Any]
    """Makes the record of a PageContext, or of a FleetContext for a page of the fleet, and the query; raises NotFound,
    Refusal or PinciteError."""
    template: str
    title: str = ""
    """Its entry in the navigation; empty where it has none."""
    depends: Callable[[Any, Any], object] | None = None
    """What the page depends on, of a site and a query: while that is equal, the page is served from memory. The page is
    made for every request where this is None, or returns None."""
    json_path: str = ""
    """The address of its JSON where that is not `path` and `.json`."""
    is_static: bool = True
    """Whether it makes sense without a server: then it is part of a static export."""


class FileRoute(Struct, frozen=True):
    """Something that is neither a page nor a record: a picture, a download."""

    name: str
    path: str
    summary: str
    query: type[Struct]
    media_type: str
    load: Callable[[Any, Any], bytes]
    depends: Callable[[Any, Any], object] | None = None


class ActionRoute(Struct, frozen=True):
    """Something that a POST does."""

    name: str
    path: str
    summary: str
    form: type[Struct]
    """The fields of its address and its body, as a form or as JSON. Give the struct `forbid_unknown_fields=True`."""
    record: type[Struct]
    """What its JSON is; `Redirect` where a page shows the outcome."""
    perform: Callable[[PageContext, Any], Any]
    template: str = ""
    """What shows the record; empty where the record is a `Redirect`."""
    writes: bool = True
    """Whether it changes anything that lasts: a read-only server refuses it then."""
    most_bytes: int = 256 * KILOBYTE
    """The largest body."""


@cache
def list_pages() -> tuple[PageRoute, ...]:
    """Every page."""
    return tuple(page for module in _load_modules() for page in getattr(module, "PAGES", ()))


@cache
def list_files() -> tuple[FileRoute, ...]:
    """Everything that is neither a page nor an action."""
    return tuple(file for module in _load_modules() for file in getattr(module, "FILES", ()))


@cache
def list_actions() -> tuple[ActionRoute, ...]:
    """Every action."""
    return tuple(action for module in _load_modules() for action in getattr(module, "ACTIONS", ()))


@cache
def list_fleet_pages() -> tuple[PageRoute, ...]:
    """Every page of a server that shows a fleet."""
    return tuple(page for module in _load_modules(_FLEET_MODULES) for page in getattr(module, "PAGES", ()))


@cache
def list_fleet_files() -> tuple[FileRoute, ...]:
    """Everything of such a server that is no page."""
    return tuple(file for module in _load_modules(_FLEET_MODULES) for file in getattr(module, "FILES", ()))


def _load_modules(names: tuple[str, ...] = _MODULES) -> list[Any]:
    return [import_module(f".pages.{name}", __package__) for name in names]

"""Records into HTML: one environment in which everything is escaped that is not a template's own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..._version import __version__
from ...safe.escape import escape_text
from ...text.lines import format_count
from .colouring import colour_lines
from .evidence.excerpts import pair_changes
from .routes import list_fleet_pages, list_pages

if TYPE_CHECKING:
    from msgspec import Struct

    from .links import Links
    from .served_site import ServedSite

OUTCOMES = ("malformed", "blocked", "missing", "mismatch", "ambiguous", "moved", "unchecked", "holds")
"""Every outcome, the gravest first, as pages list them."""


def render(template: str, record: Struct, site: ServedSite, links: Links, **more: Any) -> bytes:
    """A page as bytes."""
    pages = list_fleet_pages() if site.is_fleet else list_pages()
    shown = [page for page in pages if page.is_static or not links.is_static]
    navigation = [(page.name, page.title) for page in shown if page.title and site.has_page(page.name)]
    text = (
        _environment()
        .get_template(template)
        .render(
            record=record, site=site, links=links, navigation=navigation, outcomes=OUTCOMES, version=__version__, **more
        )
    )
    # Names of files may hold bytes that are no text.
    return text.encode("utf-8", "replace")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        # A new version that is installed while the server runs changes nothing about the pages that were shown.
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # Text of documents on one line, with everything invisible made visible; its HTML is escaped as all text is.
    environment.filters["plain"] = escape_text
    environment.filters["count"] = format_count
    environment.filters["colour"] = lambda lines, name: colour_lines(name, lines)
    environment.filters["pair_changes"] = pair_changes
    return environment

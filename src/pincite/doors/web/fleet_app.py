"""The application that shows a fleet: its pages and their JSON, its health, and its numbers for Prometheus."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ...store.database import StoreTrouble
from .fleet_links import FleetLinks
from .fleet_site import FleetContext
from .links import name_json_path
from .page_app import PageApp, assemble_app, serve_asset
from .routes import NotFound, list_fleet_files, list_fleet_pages

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

    from .access import AccessRules
    from .fleet_site import FleetSite
    from .page_app import Handler

_RETRY = "5"
"""Seconds after which a reader may ask a store that was gone again."""
_HEALTH_SECONDS = 5.0
_PLAIN = "text/plain; charset=utf-8"


class FleetApp(PageApp):
    """Answers requests for a fleet. Every request is a GET, and nothing is written."""

    _site: FleetSite

    def __init__(self, site: FleetSite) -> None:
        super().__init__(site, FleetContext(site, FleetLinks()))

    def routes(self) -> list[Route]:
        """Every address; that of JSON before that of the page."""
        found: list[tuple[str, str, Handler]] = [
            ("health", "/healthz", self.serve_health),
            ("metrics", "/metrics", self.serve_metrics),
            ("start", "/", self.redirect),
            ("asset", "/assets/{name}", serve_asset),
        ]
        found += ((file.name, file.path, self._serve_file(file)) for file in list_fleet_files())
        for page in list_fleet_pages():
            found.append((page.name, name_json_path(page.path, page.json_path), self._serve_page(page, True)))
            found.append((page.name, page.path, self._serve_page(page, False)))
        return [
            Route(path, self._measure(name, self._catch(handler)), methods=["GET"]) for name, path, handler in found
        ]

    async def redirect(self, request: Request) -> Response:
        """The address that is printed leads to the overview."""
        return RedirectResponse(self._context.links.page("fleet"), 303)

    async def serve_health(self, request: Request) -> Response:
        """`ok`, or in one word what is down: for programs that start and stop servers."""
        try:
            trouble = await asyncio.wait_for(self._site.run("health", self._site.find_trouble), _HEALTH_SECONDS)
        except TimeoutError:
            trouble = "store"
        headers = {"cache-control": "no-store"} | ({"retry-after": _RETRY} if trouble else {})
        return Response(f"{trouble or 'ok'}\n", 503 if trouble else 200, headers, _PLAIN)

    async def serve_metrics(self, request: Request) -> Response:
        """The numbers that Prometheus reads."""
        metrics = self._site.metrics
        if metrics is None:
            raise NotFound("metrics need an extra: install 'pincite[fleet]'")
        kind, body = await self._site.run("metrics", metrics.render)
        return Response(body, headers={"content-type": kind, "cache-control": "no-store"})

    async def show_error(self, request: Request, error: Exception) -> Response:
        """An error as a page or as JSON; one of the store says when to ask again."""
        answer = await super().show_error(request, error)
        if answer.status_code == 503:
            answer.headers["retry-after"] = _RETRY
        return answer

    def _explain(self, error: Exception) -> tuple[int, str, int]:
        if isinstance(error, StoreTrouble):
            return 503, self._site.describe_error(error), error.exit_code
        return super()._explain(error)

    def _measure(self, name: str, handler: Handler) -> Handler:
        """The handler, with the time that it takes counted."""

        async def handle(request: Request) -> Response:
            started = perf_counter()
            answer = await handler(request)
            if self._site.metrics is not None:
                self._site.metrics.count_request(name, answer.status_code, perf_counter() - started)
            return answer

        return handle


def make_fleet_app(site: FleetSite, rules: AccessRules) -> Starlette:
    """The application of a fleet."""
    return assemble_app(FleetApp(site), rules)

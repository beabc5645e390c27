"""The application: every page, its JSON, every action, behind the guard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ...safe.escape import json_text
from .links import ServedLinks, name_json_path
from .mcp_mount import PATH, McpMount
from .page_app import HTML, JSON, PageApp, assemble_app, serve_asset
from .records import Redirect
from .requests import read_form
from .routes import PageContext, Refusal, list_actions, list_files, list_pages

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

    from .access import AccessRules
    from .page_app import Handler
    from .routes import ActionRoute
    from .site import Site


class WebApp(PageApp):
    """Answers requests for the site of one repository."""

    _site: Site

    def __init__(self, site: Site) -> None:
        super().__init__(site, PageContext(site, ServedLinks()))
        self.agents = McpMount(site.root)

    async def close(self) -> None:
        """End the server for agents."""
        await self.agents.close()

    def routes(self) -> list[Route]:
        """Every address; that of JSON before that of the page, whose path may end in anything."""
        found: list[tuple[str, Handler, str]] = [
            ("/events", self.serve_events, "GET"),
            ("/assets/{name}", serve_asset, "GET"),
        ]
        for file in list_files():
            found.append((file.path, self._serve_file(file), "GET"))
        for action in list_actions():
            found.append((f"{action.path}.json", self._perform(action, True), "POST"))
            found.append((action.path, self._perform(action, False), "POST"))
        for page in list_pages():
            found.append((name_json_path(page.path, page.json_path), self._serve_page(page, True), "GET"))
        for page in list_pages():
            if page.path.endswith(":path}"):
                found.append((f"{page.path}.html", self._serve_page(page, False), "GET"))
            found.append((page.path, self._serve_page(page, False), "GET"))
        served = [Route(path, self._catch(handler), methods=[method]) for path, handler, method in found]
        return [Route(PATH, self.agents), *served]

    async def serve_events(self, request: Request) -> Response:
        """What happens, to a page that is open."""
        return StreamingResponse(
            self._site.events.listen(self._site.documents.version),
            media_type="text/event-stream",
            headers={"cache-control": "no-store"},
        )

    def _perform(self, action: ActionRoute, as_json: bool) -> Handler:
        async def perform(request: Request) -> Response:
            if action.writes and self._site.read_only:
                raise Refusal(403, "this server was started with --read-only: it writes nothing")
            form = await read_form(request, action)
            record = await self._site.run(action.path, action.perform, self._context, form)
            if as_json:
                return Response(json_text(record), media_type=JSON)
            if isinstance(record, Redirect):
                return RedirectResponse(record.location, 303)
            return Response(await self._render(action.template, record), media_type=HTML)

        return perform


def make_app(site: Site, rules: AccessRules) -> Starlette:
    """The application of a site."""
    return assemble_app(WebApp(site), rules)

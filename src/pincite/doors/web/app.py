"""The application: every page, its JSON, every action, behind the guard."""

from __future__ import annotations

from contextlib import asynccontextmanager
from hashlib import blake2b
from mimetypes import guess_type
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ...core.errors import Blocked, Conflict, Missing, PinciteError, Refused
from ...safe.escape import json_text
from .access import AccessGuard
from .links import ServedLinks, name_json_path, read_asset
from .mcp_mount import PATH, McpMount
from .page_cache import PageCache
from .records import ErrorRecord, Redirect
from .rendering import render
from .requests import read_form, read_query
from .routes import NotFound, PageContext, Refusal, list_actions, list_files, list_pages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request

    from .access import AccessRules
    from .routes import ActionRoute, FileRoute, PageRoute
    from .site import Site

    Handler = Callable[[Request], Awaitable[Response]]

_HTML, _JSON = "text/html; charset=utf-8", "application/json"
_YEAR = "public, max-age=31536000, immutable"


class WebApp:
    """Answers requests for one site."""

    def __init__(self, site: Site) -> None:
        self._context = PageContext(site, ServedLinks())
        self._site = site
        self._cache = PageCache()
        self.agents = McpMount(site.root)

    def routes(self) -> list[Route]:
        """Every address; that of JSON before that of the page, whose path may end in anything."""
        found = [Route("/events", self.serve_events), Route("/assets/{name}", serve_asset)]
        found.append(Route(PATH, self.agents))
        for file in list_files():
            found.append(Route(file.path, self._serve_file(file)))
        for action in list_actions():
            found.append(Route(f"{action.path}.json", self._perform(action, True), methods=["POST"]))
            found.append(Route(action.path, self._perform(action, False), methods=["POST"]))
        for page in list_pages():
            found.append(Route(name_json_path(page.path, page.json_path), self._serve_page(page, True)))
        for page in list_pages():
            if page.path.endswith(":path}"):
                found.append(Route(f"{page.path}.html", self._serve_page(page, False)))
            found.append(Route(page.path, self._serve_page(page, False)))
        return found

    async def serve_events(self, request: Request) -> Response:
        """What happens, to a page that is open."""
        return StreamingResponse(
            self._site.events.listen(), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    async def show_error(self, request: Request, error: Exception) -> Response:
        """An error as a page or as JSON, with the message that the command line prints."""
        status, message, code = self._explain(error)
        record = ErrorRecord(status, message, code)
        if request.url.path.endswith(".json"):
            return Response(json_text(record), status, media_type=_JSON)
        return Response(await self._render("error.html", record), status, media_type=_HTML)

    def _serve_page(self, page: PageRoute, as_json: bool) -> Handler:
        async def serve(request: Request) -> Response:
            query = read_query(request, page.query)
            await self._site.keeper.freshen()

            def make() -> bytes:
                record = page.load(self._context, query)
                if as_json:
                    return json_text(record).encode()
                return render(page.template, record, self._site, self._context.links, here=page.name)

            return await self._answer(request, page, make, _JSON if as_json else _HTML)

        return serve

    def _serve_file(self, file: FileRoute) -> Handler:
        async def serve(request: Request) -> Response:
            query = read_query(request, file.query)
            return await self._answer(request, file, lambda: file.load(self._context, query), file.media_type)

        return serve

    async def _answer(
        self, request: Request, route: PageRoute | FileRoute, make: Callable[[], bytes], media_type: str
    ) -> Response:
        """The body from memory where nothing changed that it depends on; not at all where the client has it."""
        if route.depends is None:
            body, tag = await self._site.run(_with_tag, make)
        else:
            key = (request.url.path, request.url.query)
            body, tag = await self._cache.get(key, route.depends(self._site), lambda: self._site.run(_with_tag, make))
        if tag in request.headers.get("if-none-match", "").replace(",", " ").split():
            return Response(status_code=304, headers={"etag": tag})
        return Response(body, media_type=media_type, headers={"etag": tag})

    def _perform(self, action: ActionRoute, as_json: bool) -> Handler:
        async def perform(request: Request) -> Response:
            if action.writes and self._site.read_only:
                raise Refusal(403, "this server was started with --read-only: it writes nothing")
            form = await read_form(request, action)
            record = await self._site.run(action.perform, self._context, form)
            if as_json:
                return Response(json_text(record), media_type=_JSON)
            if isinstance(record, Redirect):
                return RedirectResponse(record.location, 303)
            return Response(await self._render(action.template, record), media_type=_HTML)

        return perform

    async def _render(self, template: str, record: Any) -> bytes:
        site, links = self._site, self._context.links
        return await site.run(lambda: render(template, record, site, links, here=""))

    def _explain(self, error: Exception) -> tuple[int, str, int]:
        """A status, the message, and the exit code of the command line."""
        if isinstance(error, NotFound):
            return 404, str(error), 2
        if isinstance(error, Refusal):
            return error.status, str(error), 2
        if isinstance(error, HTTPException):
            return error.status_code, error.detail, 2
        if isinstance(error, PinciteError):
            kinds = ((Missing, 404), (Blocked, 403), (Conflict, 409))
            status = next((status for kind, status in kinds if isinstance(error, kind)), 400)
            return status, self._site.describe_error(error), error.exit_code
        return 500, self._site.describe_error(error), 2


def make_app(site: Site, rules: AccessRules) -> Starlette:
    """The application of a site."""
    web = WebApp(site)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await site.start()
        try:
            yield
        finally:
            await web.agents.close()
            await site.close()

    return Starlette(
        routes=web.routes(),
        middleware=[Middleware(AccessGuard, rules=rules)],
        exception_handlers=dict.fromkeys((HTTPException, NotFound, Refusal, PinciteError, Exception), web.show_error),
        lifespan=lifespan,
    )


async def serve_asset(request: Request) -> Response:
    """A script or a style sheet."""
    name = request.path_params["name"]
    try:
        body = read_asset(name)
    except Refused:
        raise NotFound(f"{name}: no such file") from None
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(body, media_type=kind, headers={"cache-control": _YEAR})


def _with_tag(make: Callable[[], bytes]) -> tuple[bytes, str]:
    body = make()
    return body, f'"{blake2b(body, digest_size=12).hexdigest()}"'

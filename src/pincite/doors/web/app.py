"""The application: every page, its JSON, every action, behind the guard."""

from __future__ import annotations

from contextlib import asynccontextmanager
from hashlib import blake2b
from mimetypes import guess_type
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from msgspec import UNSET
from msgspec.structs import asdict, fields
from starlette.applications import Starlette
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ...core.errors import Blocked, Conflict, Missing, PinciteError, Refused
from ...safe.escape import json_text
from .access import OPEN_PATH, AccessGuard
from .links import ServedLinks, name_json_path, read_asset
from .mcp_mount import PATH, McpMount
from .page_cache import PageCache
from .records import ErrorRecord, Paging, Redirect
from .rendering import render
from .requests import read_form, read_query
from .routes import NotFound, PageContext, Refusal, list_actions, list_files, list_pages

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from msgspec import Struct
    from starlette.requests import Request
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .access import AccessRules
    from .page_cache import Body
    from .routes import ActionRoute, FileRoute, PageRoute
    from .site import Site

    Handler = Callable[[Request], Awaitable[Response]]

_HTML, _JSON = "text/html; charset=utf-8", "application/json"
_YEAR = "public, max-age=31536000, immutable"


class NamePathConvertor(PathConvertor):
    """A path in an address; a name of a file may hold a line break, which Starlette's own leaves out."""

    regex = r"[\s\S]*"


register_url_convertor("path", NamePathConvertor())


class WebApp:
    """Answers requests for one site."""

    def __init__(self, site: Site) -> None:
        self._context = PageContext(site, ServedLinks())
        self._site = site
        self._cache = PageCache()
        self.agents = McpMount(site.root)

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

    def _catch(self, handler: Handler) -> Handler:
        """The handler, with every error shown. Starlette would answer unforeseen ones outside of the guard, without the
        headers that keep pages to themselves."""

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except Exception as error:
                return await self.show_error(request, error)

        return handle

    async def serve_events(self, request: Request) -> Response:
        """What happens, to a page that is open."""
        return StreamingResponse(
            self._site.events.listen(self._site.documents.version),
            media_type="text/event-stream",
            headers={"cache-control": "no-store"},
        )

    async def show_error(self, request: Request, error: Exception) -> Response:
        """An error as a page or as JSON, with the message that the command line prints."""
        status, message, code = self._explain(error)
        record = ErrorRecord(status, message, code)
        # Such as the methods that an address takes.
        headers = dict(error.headers or {}) if isinstance(error, HTTPException) else None
        if request.url.path.startswith(OPEN_PATH):
            # Everyone may ask for these; a page would tell everyone which folder is served.
            return Response(f"{message}\n", status, headers, "text/plain")
        now = error.record if isinstance(error, Refusal) else None
        if request.url.path.endswith(".json"):
            body = json_text(record if now is None else {**asdict(record), "now": now})
            return Response(body, status, headers, _JSON)
        if isinstance(error, Refusal) and now is not None:
            return Response(await self._render(error.template, now, problem=message), status, media_type=_HTML)
        return Response(await self._render("error.html", record), status, headers, _HTML)

    def _serve_page(self, page: PageRoute, as_json: bool) -> Handler:
        async def serve(request: Request) -> Response:
            query = read_query(request, page.query)
            await self._site.keeper.freshen()

            def make() -> tuple[bytes, str]:
                record = page.load(self._context, query)
                link = self._link_neighbours(page, query, record, as_json)
                if as_json:
                    return json_text(record).encode(), link
                return render(page.template, record, self._site, self._context.links, here=page.name), link

            return await self._answer(request, page, query, make, _JSON if as_json else _HTML)

        return serve

    def _serve_file(self, file: FileRoute) -> Handler:
        async def serve(request: Request) -> Response:
            query = read_query(request, file.query)

            def make() -> tuple[bytes, str]:
                return file.load(self._context, query), ""

            return await self._answer(request, file, query, make, file.media_type)

        return serve

    async def _answer(
        self,
        request: Request,
        route: PageRoute | FileRoute,
        query: Struct,
        make: Callable[[], tuple[bytes, str]],
        media_type: str,
    ) -> Response:
        """The body from memory where nothing changed that it depends on; not at all where the client has it."""
        state = route.depends(self._site, query) if route.depends is not None else None
        if state is None:
            body, tag, link = await self._site.run(route.path, _add_tag, make)
        else:
            key = (request.url.path, request.url.query)
            body, tag, link = await self._cache.get(key, state, lambda: self._site.run(route.path, _add_tag, make))
        headers = {"etag": tag} | ({"link": link} if link else {})
        if _has_tag(request.headers.getlist("if-none-match"), tag):
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=media_type, headers=headers)

    def _link_neighbours(self, page: PageRoute, query: Struct, record: Any, as_json: bool) -> str:
        """The header that names the pages before and after one of a list; empty where there is no list."""
        paging = getattr(record, "paging", UNSET)
        if not isinstance(paging, Paging) or "page" not in query.__struct_fields__:
            return ""
        make = self._context.links.json if as_json else self._context.links.page
        values = {
            one.name: getattr(query, one.name) for one in fields(query) if getattr(query, one.name) != one.default
        }
        found = (("prev", paging.previous), ("next", paging.next))
        return ", ".join(
            f'<{make(page.name, **{**values, "page": number})}>; rel="{name}"' for name, number in found if number
        )

    def _perform(self, action: ActionRoute, as_json: bool) -> Handler:
        async def perform(request: Request) -> Response:
            if action.writes and self._site.read_only:
                raise Refusal(403, "this server was started with --read-only: it writes nothing")
            form = await read_form(request, action)
            record = await self._site.run(action.path, action.perform, self._context, form)
            if as_json:
                return Response(json_text(record), media_type=_JSON)
            if isinstance(record, Redirect):
                return RedirectResponse(record.location, 303)
            return Response(await self._render(action.template, record), media_type=_HTML)

        return perform

    async def _render(self, template: str, record: Any, **more: str) -> bytes:
        site, links = self._site, self._context.links
        return await site.run(template, lambda: render(template, record, site, links, here="", **more))

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

    app = Starlette(
        routes=web.routes(),
        middleware=[Middleware(AccessGuard, rules=rules), Middleware(PathDecoder)],
        exception_handlers=dict.fromkeys((HTTPException, NotFound, Refusal, PinciteError, Exception), web.show_error),
        lifespan=lifespan,
    )
    # It cannot redirect to names of files that are no text.
    app.router.redirect_slashes = False
    return app


class PathDecoder:
    """Decodes paths so that names of files which are no text keep their bytes; servers put U+FFFD there."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        raw = scope.get("raw_path") if scope["type"] == "http" else None
        if raw and b"%" in raw:
            path = raw.partition(b"?")[0].decode("latin-1")
            scope = {**scope, "path": unquote(path, "utf-8", "surrogateescape")}
        await self._app(scope, receive, send)


async def serve_asset(request: Request) -> Response:
    """A script or a style sheet."""
    name = request.path_params["name"]
    try:
        body = read_asset(name)
    except Refused:
        raise NotFound(f"{name}: no such file") from None
    kind = guess_type(name)[0] or "application/octet-stream"
    return Response(body, media_type=kind, headers={"cache-control": _YEAR})


def _add_tag(make: Callable[[], tuple[bytes, str]]) -> Body:
    body, link = make()
    return body, f'"{blake2b(body, digest_size=12).hexdigest()}"', link


def _has_tag(headers: list[str], tag: str) -> bool:
    """Whether a client has what a tag stands for: any of a list, a weak one as well as a strong one."""
    given = [one.strip() for header in headers for one in header.split(",")]
    return "*" in given or tag in (one.removeprefix("W/") for one in given)

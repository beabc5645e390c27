"""Answers requests for pages and their JSON, whatever is served: behind the guard, with every error shown."""

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
from starlette.responses import Response

from ...core.errors import Blocked, Conflict, Missing, PinciteError, Refused
from ...safe.escape import json_text
from .access import OPEN_PATH, AccessGuard
from .links import read_asset
from .page_cache import PageCache
from .records import ErrorRecord, Paging
from .rendering import render
from .requests import read_query
from .routes import NotFound, Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from msgspec import Struct
    from starlette.requests import Request
    from starlette.routing import Route
    from starlette.types import ASGIApp, Receive, Scope, Send

    from .access import AccessRules
    from .page_cache import Body
    from .routes import FileRoute, PageRoute
    from .served_site import ServedSite

    Handler = Callable[[Request], Awaitable[Response]]

HTML, JSON = "text/html; charset=utf-8", "application/json"
_YEAR = "public, max-age=31536000, immutable"


class NamePathConvertor(PathConvertor):
    """A path in an address; a name of a file may hold a line break, which Starlette's own leaves out."""

    regex = r"[\s\S]*"


register_url_convertor("path", NamePathConvertor())


class PageApp:
    """Answers requests for pages of one site; `routes` says which addresses there are."""

    def __init__(self, site: ServedSite, context: Any) -> None:
        """`context` is what pages are loaded with: the site, and `links`."""
        self._site = site
        self._context = context
        self._cache = PageCache()

    @property
    def site(self) -> ServedSite:
        """What is served."""
        return self._site

    def routes(self) -> list[Route]:
        """Every address."""
        raise AssertionError

    async def close(self) -> None:
        """End what runs beside the site."""

    def _catch(self, handler: Handler) -> Handler:
        """The handler, with every error shown. Starlette would answer unforeseen ones outside of the guard, without the
        headers that keep pages to themselves."""

        async def handle(request: Request) -> Response:
            try:
                return await handler(request)
            except Exception as error:
                return await self.show_error(request, error)

        return handle

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
            return Response(body, status, headers, JSON)
        if isinstance(error, Refusal) and now is not None:
            return Response(await self._render(error.template, now, problem=message), status, media_type=HTML)
        return Response(await self._render("error.html", record), status, headers, HTML)

    def _serve_page(self, page: PageRoute, as_json: bool) -> Handler:
        async def serve(request: Request) -> Response:
            query = read_query(request, page.query)
            await self._site.freshen()

            def make() -> tuple[bytes, str]:
                record = page.load(self._context, query)
                link = self._link_neighbours(page, query, record, as_json)
                if as_json:
                    return json_text(record).encode(), link
                return render(page.template, record, self._site, self._context.links, here=page.name), link

            return await self._answer(request, page, query, make, JSON if as_json else HTML)

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


def assemble_app(web: PageApp, rules: AccessRules) -> Starlette:
    """The application that answers at the addresses of a site, behind the guard."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await web.site.start()
        try:
            yield
        finally:
            await web.close()
            await web.site.close()

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

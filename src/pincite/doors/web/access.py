"""Who may ask for what: the only way to every page, the API and the tools of agents.

A web page of somewhere else runs in the same browser, and can make it send requests here: by a name that it points at
this machine (so the Host is compared), by a form or a script (so where a request comes from is looked at), in a frame.
"""

from __future__ import annotations

from hashlib import sha256
from secrets import compare_digest, token_urlsafe
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from msgspec.json import encode
from starlette.requests import cookie_parser

from .records import ErrorRecord

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
_OWN = ("same-origin", "none")
"""What a browser says of requests that our own pages, or the user by the address bar, make."""
OPEN_PATH = "/assets/"
"""What needs no token: scripts and style sheets, which are the same for everyone."""
HEADERS = (
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), browsing-topics=()"),
)


class AccessRules:
    """Which names the server goes by, and the token that opens it."""

    def __init__(self, token: str, hosts: tuple[str, ...], port: int, health: str = "") -> None:
        """`health` is an address that everyone may ask by any name: it answers with one word."""
        self.token = token
        self.health = health
        self.hosts = frozenset(f"{host}:{port}".lower() for host in hosts)
        if port == 80:
            self.hosts |= {host.lower() for host in hosts}
        self.cookie = f"pincite-{port}"
        """Browsers send cookies to every port of a host: two servers need two names."""
        self.session = sha256(f"session {token}".encode()).hexdigest()
        """What the cookie holds: it opens the pages, and does not tell the token."""
        self._single: set[str] = set()

    def make_single_token(self) -> str:
        """A token that begins one session and counts no more then."""
        token = token_urlsafe(24)
        self._single.add(token)
        return token

    def takes(self, token: str) -> bool:
        """Whether a token begins a session."""
        if token in self._single:
            self._single.remove(token)
            return True
        return _is_same(token, self.token)


class AccessGuard:
    """Lets only requests through that the user made, and adds the headers that keep pages to themselves."""

    def __init__(self, app: ASGIApp, rules: AccessRules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(pair for pair in HEADERS if pair[0] not in given),
                    *(() if b"cache-control" in given else ((b"cache-control", b"private, no-cache"),)),
                ]
            await send(message)

        if scope["path"] == self._rules.health and scope["method"] in ("GET", "HEAD"):
            await self._app(scope, receive, send_guarded)
            return
        names = [value for name, value in scope["headers"] if name == b"host"]
        if len(names) != 1 or headers[b"host"].lower() not in self._rules.hosts:
            await _refuse(scope, send_guarded, 421, "this server does not go by that name")
            return
        if scope["path"].startswith(OPEN_PATH):
            await self._app(scope, receive, send_guarded)
            return
        token = _find_token(scope)
        if token is not None and scope["method"] == "GET":
            await self._begin_session(scope, token, send_guarded)
            return
        refusal = self._find_refusal(scope, headers)
        if refusal:
            await _refuse(scope, send_guarded, 403, refusal)
            return
        await self._app(scope, receive, send_guarded)

    def _find_refusal(self, scope: Scope, headers: dict[bytes, str]) -> str:
        """Why a request is refused; empty where it is not."""
        scheme, _, given = headers.get(b"authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return "" if _is_same(given.strip(), self._rules.token) else "wrong token"
        if not self._has_session(headers):
            return "open the address that `pincite serve` printed: it has the token in it"
        site, origin = headers.get(b"sec-fetch-site", ""), headers.get(b"origin", "")
        if scope["method"] in SAFE_METHODS:
            is_navigation = headers.get(b"sec-fetch-mode", "navigate") == "navigate"
            return "" if not site or site in _OWN or is_navigation else "requests from other sites are refused"
        own = (f"http://{headers[b'host']}".lower(), f"https://{headers[b'host']}".lower())
        # Pages that send no referrer send the origin `null` with their forms; the browser still says whose page it is.
        if site == "same-origin" and origin == "null":
            return ""
        if (site or origin) and site in ("", *_OWN) and (not origin or origin.lower() in own):
            return ""
        return "requests from other sites are refused; programs send the header Authorization: Bearer TOKEN"

    def _has_session(self, headers: dict[bytes, str]) -> bool:
        return _is_same(cookie_parser(headers.get(b"cookie", "")).get(self._rules.cookie, ""), self._rules.session)

    async def _begin_session(self, scope: Scope, token: str, send: Send) -> None:
        """Take the token out of the address, into a cookie that scripts and other sites never see."""
        if not self._rules.takes(token):
            await _refuse(scope, send, 403, "wrong token: open the address that `pincite serve` printed last")
            return
        rest = [(key, value) for key, value in parse_qsl(scope["query_string"].decode("latin-1")) if key != "token"]
        # Two slashes at the beginning would name another host.
        path = "/" + scope.get("raw_path", b"/").partition(b"?")[0].decode("latin-1").lstrip("/\\")
        location = path + (f"?{urlencode(rest)}" if rest else "")
        cookie = f"{self._rules.cookie}={self._rules.session}; Path=/; HttpOnly; SameSite=Strict"
        head = [
            (b"location", location.encode("latin-1")),
            (b"set-cookie", cookie.encode()),
            (b"cache-control", b"no-store"),
            (b"content-length", b"0"),
        ]
        await send({"type": "http.response.start", "status": 303, "headers": head})
        await send({"type": "http.response.body", "body": b""})


def _find_token(scope: Scope) -> str | None:
    query: str = scope["query_string"].decode("latin-1")
    return dict(parse_qsl(query)).get("token")


def _is_same(given: str, expected: str) -> bool:
    return compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


async def _refuse(scope: Scope, send: Send, status: int, message: str) -> None:
    is_json = scope["path"].endswith(".json")
    body = encode(ErrorRecord(status, message)) if is_json else f"{message}\n".encode()
    kind = b"application/json" if is_json else b"text/plain; charset=utf-8"
    head = [(b"content-type", kind), (b"cache-control", b"no-store")]
    head.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})

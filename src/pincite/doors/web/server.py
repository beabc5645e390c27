"""The server: it listens, prints its address, and ends at once when it is told to.

The address is printed before anything is imported that only pages need: a browser that is faster waits to be accepted.
"""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ...safe.listening import listen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.applications import Starlette

    from ...store.shared.backend import StoreAddress
    from .access import AccessRules
    from .served_site import ServedSite

LOOPBACK = "127.0.0.1"
_LOOPBACK_NAMES = (LOOPBACK, "localhost", "[::1]")
_HEALTH = "/healthz"
"""Where a server that shows a fleet says whether it can, to everyone."""
_LAST_WRITES = 5.0
"""Seconds that files which are being written have left when the server ends."""
_MOST_CLIENTS = 4000
"""Connections at once; one more is told to come back."""
_BACKLOG = 2048
_FILES = 8192


class ServerPlan:
    """What the user asked for."""

    def __init__(
        self,
        root: str,
        host: str,
        port: int,
        token: str,
        names: tuple[str, ...],
        read_only: bool,
        opens: bool,
        store: StoreAddress | None = None,
    ) -> None:
        """`store` is that of the fleet to show; then there is no root."""
        self.root = root
        self.store = store
        self.host = f"[{host}]" if ":" in host and host[0] != "[" else host
        self.port = port
        self.token = token or token_urlsafe(24)
        self.names = names
        self.read_only = read_only
        self.opens = opens


def serve(plan: ServerPlan) -> NoReturn:
    """Serve until a signal ends it; the address goes to standard output."""
    _end_on_signals(None)
    _allow_many_files()
    listening = listen(plan.host.strip("[]"), plan.port, _BACKLOG)
    port = listening.getsockname()[1]
    address = f"http://{plan.host}:{port}/"
    click.echo(f"pincite serve: {address}?token={plan.token}")
    from ...safe.browser import open_in_browser
    from .access import AccessRules

    own = _LOOPBACK_NAMES if plan.host in _LOOPBACK_NAMES else (plan.host,)
    rules = AccessRules(plan.token, (*own, *plan.names), port, _HEALTH if plan.store is not None else "")
    if plan.opens:
        # Others see how a browser is started: it gets a token that counts once.
        open_in_browser(f"{address}?token={rules.make_single_token()}")
    site, make = _make_site(plan)
    _end_on_signals(site)
    _run(make(rules), listening)
    _end(site, 0)


def _make_site(plan: ServerPlan) -> tuple[ServedSite, Callable[[AccessRules], Starlette]]:
    """What is served, and what makes the application of it; the libraries of the application are imported later."""
    if plan.store is not None:
        from .fleet_site import FleetSite

        fleet = FleetSite(plan.store)

        def make_fleet(rules: AccessRules) -> Starlette:
            from .fleet_app import make_fleet_app

            return make_fleet_app(fleet, rules)

        return fleet, make_fleet
    from .site import Site

    site = Site(plan.root, plan.read_only)

    def make(rules: AccessRules) -> Starlette:
        from .app import make_app

        return make_app(site, rules)

    return site, make


def _run(app: Starlette, listening: Any) -> None:
    import uvicorn

    from .client_connection import ClientConnection

    config = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        backlog=_BACKLOG,
        limit_concurrency=_MOST_CLIENTS,
        http=ClientConnection,
        ws="none",
    )

    class _PlainServer(uvicorn.Server):
        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            # It would keep the signals until every connection has ended, and pages stay connected while they are open.
            yield

    _PlainServer(config).run(sockets=[listening])


def _allow_many_files() -> None:
    """Every client takes a descriptor; the limit that shells set is often 1,024."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    wanted = _FILES if hard < 0 else min(_FILES, hard)
    if 0 <= soft < wanted:
        with suppress(OSError, ValueError):
            setrlimit(RLIMIT_NOFILE, (wanted, hard))


def _end_on_signals(site: ServedSite | None) -> None:
    def end(number: int, frame: object) -> None:
        _end(site, 0 if number == signal.SIGINT else 128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)


def _end(site: ServedSite | None, code: int) -> NoReturn:
    """End now: pages that are open would keep the server. The child processes end when their input does."""
    if site is not None:
        site.finish(_LAST_WRITES)
    os._exit(code)

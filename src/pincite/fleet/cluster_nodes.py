"""The two kinds of machines of a cluster, as programs that run until they are told to end."""

from __future__ import annotations

import asyncio
import signal
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from ..core.errors import UsageError
from .cluster import HTTP_ADDRESS, TlsFiles, configure, is_loopback_host, make_security, require_safe_address
from .cluster_worker import stop_runner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PAUSE = 2.0
"""Seconds before a worker looks again for a scheduler that is gone."""
_PATIENCE = 10
"""Seconds for which a worker waits for its scheduler before it says so."""


async def run_scheduler(host: str, port: int, tls: TlsFiles, announce: Callable[[str], None]) -> None:
    """Run a scheduler until SIGTERM or SIGINT; `announce` is given its address."""
    configure()
    if not tls.are_complete and not is_loopback_host(host):
        raise UsageError(
            f"--host {host}: other machines may only connect with TLS; name --tls-ca, --tls-cert and --tls-key"
        )
    from distributed import Scheduler

    security = make_security(tls)
    protocol = "tls" if tls.are_complete else "tcp"
    try:
        scheduler = Scheduler(
            host=host,
            port=port,
            protocol=protocol,
            security=security,
            dashboard=False,
            dashboard_address=HTTP_ADDRESS,
        )
        with _catch_signals() as stop:
            async with scheduler:
                announce(scheduler.address)
                await stop.wait()
    except (OSError, RuntimeError) as error:
        # Dask wraps what went wrong while it started.
        reason = error if isinstance(error, OSError) else error.__cause__
        if not isinstance(reason, OSError):
            raise
        raise UsageError(
            f"{host}:{port}: cannot listen there ({reason.strerror or reason}); choose another --host or --port"
        ) from None


async def run_cluster_worker(
    scheduler: str,
    tls: TlsFiles,
    name: str,
    announce: Callable[[str], None],
    complain: Callable[[str], None] = lambda _: None,
) -> None:
    """Run a worker until SIGTERM or SIGINT. It looks for its scheduler again whenever that is gone.

    `announce` is given its address whenever it has a scheduler, `complain` once why it has none.
    """
    configure()
    require_safe_address(scheduler, tls)
    from distributed import Worker

    security = make_security(tls)
    is_told = False
    with _catch_signals() as stop:
        ended = asyncio.create_task(stop.wait())
        try:
            while not stop.is_set():
                options: dict[str, Any] = {"host": "127.0.0.1"} if not tls.are_complete else {}
                worker = Worker(
                    scheduler,
                    nthreads=1,
                    name=name or None,
                    security=security,
                    dashboard=False,
                    dashboard_address=HTTP_ADDRESS,
                    death_timeout=_PATIENCE,
                    lifetime_restart=False,
                    **options,
                )
                try:
                    async with worker:
                        # A worker whose output no one reads any more works on.
                        with suppress(OSError):
                            announce(worker.address)
                        is_told = False
                        over = asyncio.create_task(worker.finished())
                        await asyncio.wait({over, ended}, return_when=asyncio.FIRST_COMPLETED)
                except (OSError, RuntimeError):
                    # Dask tries for so long whatever the reason is, and does not say which.
                    if not is_told and not stop.is_set():
                        complain(
                            f"{scheduler}: no answer within {_PATIENCE} s; no scheduler runs there, or its "
                            "certificates are of another authority; trying again"
                        )
                        is_told = True
                await asyncio.wait({ended}, timeout=_PAUSE)
        finally:
            ended.cancel()
            await stop_runner()


@contextmanager
def _catch_signals() -> Iterator[asyncio.Event]:
    """An event that is set by SIGTERM and SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

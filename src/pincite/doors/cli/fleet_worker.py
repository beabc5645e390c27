"""`pincite fleet worker`."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from .fleet_kit import Size, log_options, store_option, tls_options
from .fleet_revalidate import make_options, visit_options
from .kit import complain

if TYPE_CHECKING:
    from ...fleet.host_visits import VisitEnd
    from ...fleet.structured_log import FleetLog
    from .fleet_kit import LogWishes
    from .fleet_revalidate import VisitWishes


@click.command("worker")
@click.option("--scheduler", metavar="ADDRESS", help="Check repositories for this Dask scheduler: tls://host:8786.")
@click.option("--queue", is_flag=True, help="Visit web sources from the queue in PostgreSQL.")
@store_option
@tls_options
@click.option(
    "--mirrors", metavar="DIR", help="Folder for mirrors (default: PINCITE_FLEET_MIRRORS, or your data folder)."
)
@click.option(
    "--mirror-bytes", type=Size(), default="50G", metavar="SIZE", help="Most disk for mirrors (default: 50G)."
)
@click.option("--team", default="default", metavar="NAME", help="With --queue: the team whose sources are visited.")
@visit_options
@log_options
def command(
    scheduler: str | None,
    queue: bool,
    database: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    mirrors: str | None,
    mirror_bytes: int,
    team: str,
    visits: VisitWishes,
    log_wishes: LogWishes,
) -> None:
    """Run a worker until it is interrupted: of a Dask cluster (--scheduler), or of the queue of web sources (--queue).

    Any number of workers may run, on any number of machines; one that is killed is replaced by the others. A worker of
    the queue asks a host only while no other one does. SIGTERM ends it when the pages that it is about to record are
    recorded. Exit code: 0 when it was interrupted, 2 where it cannot be started, or the store is gone for a minute.
    """
    if queue == (scheduler is not None):
        raise click.UsageError("choose --scheduler ADDRESS for repositories, or --queue for web sources")
    log = log_wishes.make()
    if queue:
        _run_queue(database, team, visits, log)
        return
    from ...fleet.cluster import find_tls_files
    from ...fleet.cluster_nodes import run_cluster_worker
    from ...fleet.cluster_worker import LOG_FORMAT, MIRROR_BYTES, MIRRORS
    from ...store.shared import default_address, open_store
    from ...store.shared.backend import VARIABLE

    if not database and not os.environ.get(VARIABLE):
        raise UsageError(f"a worker needs the store of the run; name it with --database, or set {VARIABLE}")
    # What is wrong with it is said here and not with each shard.
    open_store(default_address(database)).close()
    os.environ[MIRROR_BYTES] = str(mirror_bytes)
    for name, value in ((VARIABLE, database), (MIRRORS, mirrors), (LOG_FORMAT, log_wishes.format_)):
        if value:
            os.environ[name] = value
    tls = find_tls_files(tls_ca, tls_cert, tls_key)
    asyncio.run(
        run_cluster_worker(
            scheduler or "",
            tls,
            visits.name,
            lambda address: click.echo(f"worker at {address}"),
            lambda reason: complain(reason, "warning"),
        )
    )


def _run_queue(database: str | None, team: str, visits: VisitWishes, log: FleetLog) -> None:
    from ...fleet.metrics import make_metrics
    from ...fleet.web_queue import QueueWorker, ensure_queue
    from ...store.shared import default_address, open_store

    address = default_address(database)
    if address.kind != "postgresql":
        raise UsageError(f"{address.shown}: the queue needs PostgreSQL; name one with --database")
    with open_store(address) as store:
        found = store.teams.get(team)
        ensure_queue(address)
        count = make_metrics().count_page

        def tell(host: str, end: VisitEnd) -> None:
            log.info("host visited", host=host, pages=end.pages, end=end.state, again_in=round(end.seconds, 1))

        worker = QueueWorker(
            store,
            found,
            make_options(visits),
            visited=tell,
            recorded=lambda result: count(result.status),
            ready=lambda: click.echo(f"worker of the queue web-{found.name}"),
        )
        asyncio.run(worker.run())

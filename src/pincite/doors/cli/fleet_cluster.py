"""`pincite fleet scheduler`."""

from __future__ import annotations

import asyncio

import click

from .fleet_kit import tls_options


@click.command("scheduler")
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="Address to listen on; other than loopback needs TLS."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8786, metavar="N", help="Port (default: 8786).")
@tls_options
def scheduler(host: str, port: int, tls_ca: str | None, tls_cert: str | None, tls_key: str | None) -> None:
    """Run the scheduler of a Dask cluster until it is interrupted.

    Workers connect with `pincite fleet worker --scheduler ADDRESS`, runs with `pincite fleet check --scheduler
    ADDRESS`. Exit code: 0 when it was interrupted, 2 where it cannot be started.
    """
    from ...fleet.cluster import find_tls_files
    from ...fleet.cluster_nodes import run_scheduler

    tls = find_tls_files(tls_ca, tls_cert, tls_key)
    asyncio.run(run_scheduler(host, port, tls, lambda address: click.echo(f"scheduler at {address}")))


@click.command("certificates")
@click.argument("folder")
@click.option("--days", type=click.IntRange(1, 36_500), default=3650, metavar="N", help="How long they are valid.")
def certificates(folder: str, days: int) -> None:
    """Make ca.pem, cert.pem and key.pem for the machines of a new cluster, in FOLDER.

    Who has key.pem can run code on every machine of the cluster: copy it to those alone. Nothing is overwritten.
    Exit code: 0 made, 2 where a file is there already or cannot be written.
    """
    from ...core.errors import UsageError
    from ...fleet.certificates import make_certificates
    from ...safe.private_files import create_private_files

    made = make_certificates(days)
    try:
        taken = create_private_files(folder, made)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written ({error.strerror}); name another folder") from None
    if taken:
        raise UsageError(f"{taken}: is there already; name another folder, or move it away")
    click.echo(f"{folder}: {', '.join(made)}")
    click.echo(f"Use them with --tls-ca {folder}/ca.pem --tls-cert {folder}/cert.pem --tls-key {folder}/key.pem")

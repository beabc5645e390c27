"""Dask clusters: who may talk to whom, and a scheduler and workers that talk to no one else.

Whoever can send a message to a scheduler or a worker can run code there, because Dask pickles functions. So they listen
and connect with TLS that asks for certificates of both sides, or on loopback.
"""

from __future__ import annotations

import os
import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..core.errors import UsageError

if TYPE_CHECKING:
    from distributed.security import Security

_ADDRESS = re.compile(r"(tls|tcp)://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
TLS_VARIABLES = ("PINCITE_TLS_CA", "PINCITE_TLS_CERT", "PINCITE_TLS_KEY")
"""Where the certificates are, where no option says so."""
_MESSAGES = {
    "distributed.scheduler.allowed-failures": 10,
    "distributed.comm.timeouts.connect": "20s",
    "distributed.admin.tick.limit": "60s",
    "distributed.worker.daemon": False,
    # Shards hold no data; the child process has a bound of its own.
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": 0.9,
    "distributed.worker.memory.terminate": 0.95,
    "distributed.worker.profile.enabled": False,
    # Scheduler and workers always start a server of HTTP, which asks for no certificate: it has nothing to tell.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    # What goes wrong with a shard is told to the run.
    "logging": {"distributed": "critical", "distributed.client": "critical", "distributed.gc": "critical"},
}
HTTP_ADDRESS = "127.0.0.1:0"
"""Where that server listens: a port of loopback that no one is told."""


class TlsFiles(Struct, frozen=True):
    """The authority of a cluster, and this machine's certificate and key."""

    authority: str = ""
    certificate: str = ""
    key: str = ""

    @property
    def are_complete(self) -> bool:
        """Whether all three are named."""
        return all((self.authority, self.certificate, self.key))


def find_tls_files(authority: str | None, certificate: str | None, key: str | None) -> TlsFiles:
    """The files that options name, or else the environment; raises UsageError where only some are named."""
    named = [
        given or os.environ.get(name, "")
        for given, name in zip((authority, certificate, key), TLS_VARIABLES, strict=True)
    ]
    if any(named) and not all(named):
        raise UsageError("TLS needs three files: --tls-ca, --tls-cert and --tls-key")
    for path in filter(None, named):
        if not os.path.isfile(path):
            raise UsageError(f"{path}: no such file; name the certificates with --tls-ca, --tls-cert and --tls-key")
    return TlsFiles(*named)


def require_safe_address(address: str, tls: TlsFiles) -> None:
    """Raise UsageError for an address that others could listen to or pretend to be."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise UsageError(f"{address}: not the address of a scheduler; write tls://host:8786")
    if match[1] == "tls":
        if not tls.are_complete:
            raise UsageError(f"{address}: TLS needs certificates; name them with --tls-ca, --tls-cert and --tls-key")
    elif not is_loopback_host(match[2].strip("[]")):
        raise UsageError(f"{address}: a scheduler on another machine must speak TLS; write tls://…, with certificates")


def is_loopback_host(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def configure() -> None:
    """Set what Dask must do here; raises UsageError where it is not installed."""
    try:
        import dask

        # Before the next line: it sets its loggers while it is imported.
        dask.config.set(_MESSAGES)
        import distributed  # noqa: F401
    except ImportError:
        raise UsageError("a Dask cluster needs an extra: install 'pincite[fleet]'") from None


def make_security(tls: TlsFiles) -> Security | None:
    """What encrypts the messages of a cluster; None on loopback without certificates. Raises UsageError."""
    if not tls.are_complete:
        return None
    from distributed.security import Security

    files: dict[str, Any] = {"tls_ca_file": tls.authority}
    for role in ("scheduler", "worker", "client"):
        files |= {f"tls_{role}_cert": tls.certificate, f"tls_{role}_key": tls.key}
    security = Security(require_encryption=True, **files)
    try:
        security.get_connection_args("client")
    except OSError as error:
        reason = getattr(error, "reason", "") or error.strerror or error
        raise UsageError(
            f"{tls.authority}, {tls.certificate}, {tls.key}: not an authority, a certificate and its key ({reason}); "
            "make them with `pincite fleet certificates`"
        ) from None
    return security

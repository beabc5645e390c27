"""The socket that a server listens on."""

from __future__ import annotations

import socket

from ..core.errors import UsageError


def listen(host: str, port: int, backlog: int) -> socket.socket:
    """A socket to which clients can connect from now on, also before anyone accepts them.

    Raises UsageError where the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(backlog)
    except (OSError, UnicodeError):
        listening.close()
        raise UsageError(f"port {port} of {host} cannot be used; choose another with --port") from None
    listening.set_inheritable(False)
    return listening

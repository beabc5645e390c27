"""What the system does with the bytes of a connection."""

from __future__ import annotations

from contextlib import suppress
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any


def send_at_once(connection: Any) -> None:
    """Let a socket send small pieces without waiting until the earlier ones are acknowledged."""
    with suppress(OSError, AttributeError):
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)

"""Standard input and output of a server: they belong to its protocol, and nothing else may read or print there."""

from __future__ import annotations

import os
import sys
from threading import Thread
from typing import TYPE_CHECKING

from .write import write_all

if TYPE_CHECKING:
    from collections.abc import Callable

_CHUNK = 1 << 16


class ProtocolStreams:
    """The two ends of a conversation. From here on, what this process and its children print goes to standard error."""

    def __init__(self) -> None:
        sys.stdout = sys.stderr
        self._input = os.dup(0)
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)

    def read_in_background(self, take: Callable[[bytes], object]) -> None:
        """Hand over what arrives, piece by piece, and an empty piece at the end; `take` is called in another thread.

        A client that writes much before it reads does not block: its messages are taken while answers wait.
        """

        def read() -> None:
            while True:
                try:
                    data = os.read(self._input, _CHUNK)
                except OSError:
                    data = b""
                try:
                    take(data)
                except RuntimeError:
                    # The loop that takes it has ended.
                    return
                if not data:
                    return

        # It may wait for ever, and must not keep the process alive.
        Thread(target=read, name="input", daemon=True).start()

    def write(self, data: bytes) -> None:
        """Send all of it; raises OSError where the client is gone."""
        write_all(self._output, data)

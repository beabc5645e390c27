"""How much memory this process took at most, since a moment of one's choice where the system can tell."""

from __future__ import annotations

import sys
from contextlib import suppress
from resource import RUSAGE_SELF, getrusage

_PEAK = b"VmHWM:"


def forget_peak() -> None:
    """Let the peak be what is taken now; nothing happens where the system knows no such thing."""
    with suppress(OSError), open("/proc/self/clear_refs", "wb", buffering=0) as file:
        file.write(b"5")


def read_peak() -> int:
    """The most bytes of memory that this process had at once."""
    # Linux counts in its usage what the parent had when it started this process; its status does not.
    with suppress(OSError, ValueError, IndexError), open("/proc/self/status", "rb") as file:
        for line in file:
            if line.startswith(_PEAK):
                return int(line.split()[1]) * 1024
    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

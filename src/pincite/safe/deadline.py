"""An end to work that may never end by itself."""

from __future__ import annotations

import signal
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise TimeoutError inside once it has taken this long; only the main thread can be interrupted."""
    try:
        before = signal.signal(signal.SIGALRM, _expire)
    except ValueError:
        yield
        return
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before if before is not None else signal.SIG_DFL)


def _expire(_: int, __: FrameType | None) -> None:
    raise TimeoutError

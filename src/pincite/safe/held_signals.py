"""Signals that would end the process wait while something is done that must not be left half done."""

from __future__ import annotations

from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def hold_signals() -> Iterator[Callable[[], bool]]:
    """Let signals that would end the process wait until several steps are done, or undone; gives whether one waits."""
    from signal import SIGHUP, SIGINT, SIGTERM, sigpending

    held = block_signals()
    try:
        yield lambda: not sigpending().isdisjoint((SIGHUP, SIGINT, SIGTERM))
    finally:
        restore_signals(held)


def block_signals() -> set[int]:
    """Let signals that would end the process wait; gives those that waited already."""
    from signal import SIG_BLOCK, SIGHUP, SIGINT, SIGTERM, pthread_sigmask

    held: set[int] = set(pthread_sigmask(SIG_BLOCK, ()))
    try:
        pthread_sigmask(SIG_BLOCK, (SIGHUP, SIGINT, SIGTERM))
    except BaseException:
        # An interrupt that came just before is raised by this very call, which has its effect nevertheless.
        restore_signals(held)
        raise
    return held


def restore_signals(held: set[int]) -> None:
    """Let signals come again, but for those that waited before."""
    from signal import SIG_SETMASK, pthread_sigmask

    pthread_sigmask(SIG_SETMASK, held)

"""Passes pieces of a stream from one thread to the next."""

from __future__ import annotations

from threading import Condition
from typing import Generic, TypeVar

T = TypeVar("T")


class HandOver(Generic[T]):
    """Pieces that one thread gives and another takes, in order; the giver waits while too much is waiting."""

    def __init__(self, most: int) -> None:
        self._most = most
        """How many bytes may wait."""
        self._pieces: list[T] = []
        self._bytes = 0
        self._over = self._stopped = False
        self._changed = Condition()

    def give(self, piece: T, size: int) -> None:
        """Hand over a piece of so many bytes; it is dropped where the other thread takes no more."""
        with self._changed:
            if self._stopped:
                return
            self._pieces.append(piece)
            self._bytes += size
            self._changed.notify_all()
            while self._bytes > self._most and not self._stopped:
                self._changed.wait()

    def take(self, seconds: float) -> list[T] | None:
        """All that is waiting, after so many seconds even if that is nothing; None at the end."""
        with self._changed:
            if not self._pieces and not self._over:
                self._changed.wait(seconds)
            pieces, self._pieces, self._bytes = self._pieces, [], 0
            self._changed.notify_all()
            return None if self._over and not pieces else pieces

    def close(self) -> None:
        """Nothing more will come."""
        with self._changed:
            self._over = True
            self._changed.notify_all()

    def stop(self) -> None:
        """Nothing more is taken: what is waiting is dropped, and so is what is still to come."""
        with self._changed:
            self._stopped = True
            self._pieces, self._bytes = [], 0
            self._changed.notify_all()

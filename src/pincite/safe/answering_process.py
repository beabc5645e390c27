"""A Python process that answers requests one after another, and is killed where one takes too long.

What reads hostile input works there: it has little memory, and nothing that it does lasts. Both directions carry
frames: four bytes of length, then so many bytes.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from .child import ChildFailed, ChildLate
from .sandbox import confine
from .write import write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from subprocess import Popen

_PIECE = 1 << 16
_SIZE = 4
_PASSED_ON = (
    *("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "PYTHONHOME", "PYTHONPATH", "TMPDIR", "VIRTUAL_ENV"),
    *("PINCITE_CACHE", "XDG_CACHE_HOME"),
)


class AnsweringProcess:
    """One such process, started when it is first asked and again after it died; one thread at a time asks it."""

    def __init__(self, module: str, most: int, passed_on: Sequence[str] = _PASSED_ON) -> None:
        """`module` calls `answer_requests`; an answer of more than `most` bytes counts as a failure.

        `passed_on` are the environment variables that it gets: no password is among them.
        """
        self._module = module
        self._environment = {name: os.environ[name] for name in passed_on if name in os.environ}
        self._most = most
        self._process: Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._asking = threading.Lock()
        self._closed = False

    def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer to a request; raises ChildFailed where the process dies, ChildLate where it takes too long."""
        with self._asking:
            return self._ask(request, monotonic() + seconds)

    def _ask(self, request: bytes, end: float) -> bytes:
        is_complete = False
        try:
            process = self._start()
            if process.stdin is None or process.stdout is None:
                raise ChildFailed("the process has no streams")
            self._send(process.stdin.fileno(), len(request).to_bytes(_SIZE, "big") + request, end)
            size = int.from_bytes(self._receive(process.stdout.fileno(), _SIZE, end), "big")
            if size > self._most:
                raise ChildFailed(f"an answer of {size} bytes was dropped")
            answer = self._receive(process.stdout.fileno(), size, end)
            is_complete = True
        except OSError:
            raise ChildFailed("the process ended before its answer was complete") from None
        finally:
            if not is_complete:
                self._kill()
        return answer

    def close(self) -> None:
        """End the process, whatever it does; who waits for an answer gets ChildFailed."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                with suppress(OSError):
                    self._process.kill()
        # The streams are closed by the thread that uses them.
        with self._asking:
            self._kill()

    def _start(self) -> Popen[bytes]:
        from subprocess import DEVNULL, PIPE, Popen

        with self._lock:
            if self._closed:
                raise ChildFailed("the process was ended")
            if self._process is None or self._process.poll() is not None:
                # Neither the working folder nor the folder of a script may offer modules. A session of its own keeps
                # an interrupt at the terminal away from it: it ends when its input does.
                self._process = Popen(
                    [sys.executable, "-P", "-m", self._module],
                    cwd="/",
                    env=self._environment,
                    bufsize=0,
                    stdin=PIPE,
                    stdout=PIPE,
                    stderr=DEVNULL,
                    start_new_session=True,
                )
                for stream in (self._process.stdin, self._process.stdout):
                    if stream is not None:
                        os.set_blocking(stream.fileno(), False)
            return self._process

    def _kill(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            with suppress(OSError):
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    stream.close()

    @staticmethod
    def _send(descriptor: int, data: bytes, end: float) -> None:
        from select import POLLOUT

        view = memoryview(data)
        while view:
            _wait(descriptor, POLLOUT, end)
            with suppress(BlockingIOError):
                view = view[os.write(descriptor, view[:_PIECE]) :]

    @staticmethod
    def _receive(descriptor: int, size: int, end: float) -> bytes:
        from select import POLLIN

        found = bytearray()
        while len(found) < size:
            _wait(descriptor, POLLIN, end)
            with suppress(BlockingIOError):
                piece = os.read(descriptor, size - len(found))
                if not piece:
                    raise ConnectionError
                found += piece
        return bytes(found)


def _wait(descriptor: int, event: int, end: float) -> None:
    from select import poll

    left = end - monotonic()
    poller = poll()
    poller.register(descriptor, event)
    if left <= 0 or not poller.poll(left * 1000):
        raise ChildLate("no answer in time")


def answer_requests(answer: Callable[[bytes], bytes], memory: int) -> None:
    """What such a process does: answer until there are no more requests; `memory` bytes come on top of what it has."""
    confine(memory)
    # What a library prints must not get between the frames.
    output = os.dup(1)
    os.dup2(2, 1)
    while len(head := _read_exactly(_SIZE)) == _SIZE:
        answered = answer(_read_exactly(int.from_bytes(head, "big")))
        write_all(output, len(answered).to_bytes(_SIZE, "big") + answered)


def _read_exactly(size: int) -> bytes:
    found = bytearray()
    while len(found) < size:
        piece = os.read(0, min(size - len(found), 1 << 20))
        if not piece:
            return b""
        found += piece
    return bytes(found)

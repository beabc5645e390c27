"""A program that may wait for the network: bounded in time, in what it writes to disk and in what it says."""

from __future__ import annotations

import os
import resource
import signal
from contextlib import contextmanager, suppress
from select import POLLIN, poll
from time import monotonic
from typing import TYPE_CHECKING

from msgspec import Struct

from .child import ChildFailed, ChildLate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_RUNNING: set[int] = set()
"""The groups of programs that run now."""
_ROUNDS = 20
"""How often the members of a session are looked for: a process may start another while it is killed."""
_KEPT = 16 * 1024
"""Bytes of error output that are kept, of its beginning and of its end."""


class ChildEnd(Struct, frozen=True):
    """How a program ended."""

    code: int
    complaint: str
    """What it wrote to standard error, the middle left out where that is long."""
    is_too_large: bool
    """Whether it was ended because a file grew beyond the bound."""


def run_bounded(
    command: Sequence[str], folder: str, environment: Mapping[str, str], seconds: float, most_file_bytes: int
) -> ChildEnd:
    """Run a program without input, in a process group of its own.

    Raises ChildLate where it takes too long; the whole group is killed then. No file that it, or a program that it
    starts, writes can be larger than `most_file_bytes`.
    """
    from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired

    name = os.path.basename(command[0])
    try:
        with _bounded_files(most_file_bytes):
            process = Popen(
                command, cwd=folder, env=environment, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE, process_group=0
            )
    except (OSError, ValueError) as error:
        raise ChildFailed(f"cannot run {name}: {getattr(error, 'strerror', None) or error}") from None
    is_complete = False
    _RUNNING.add(process.pid)
    try:
        first, last = b"", b""
        if process.stderr is not None:
            first, last = _listen(process.stderr.fileno(), monotonic() + seconds, name, seconds)
        # It may have closed its error output and go on.
        code = process.wait(max(0.1, seconds))
        is_complete = True
    except TimeoutExpired:
        raise ChildLate(f"{name} took longer than {round(seconds, 1):g} s") from None
    finally:
        if process.stderr is not None:
            process.stderr.close()
        if not is_complete:
            kill_group(process.pid)
            process.wait()
        _RUNNING.discard(process.pid)
    complaint = (first + (b"\n" + last if last else b"")).decode("utf-8", "replace")
    is_too_large = code == -signal.SIGXFSZ or f"signal {int(signal.SIGXFSZ)}" in complaint
    return ChildEnd(code, complaint, is_too_large or "File too large" in complaint)


def kill_group(group: int) -> None:
    """Kill every process of a group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def kill_session(session: int, is_leader_gone: bool) -> None:
    """Kill every process of a session that a process of ours leads, or led until now."""
    for _ in range(_ROUNDS):
        members = _list_session(session)
        if is_leader_gone and session in members:
            # The number belongs to another process by now, and so do the others.
            return
        if not members:
            break
        for pid in members:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
    if not is_leader_gone:
        kill_group(session)


def _list_session(session: int) -> list[int]:
    """The processes of a session that are not dead yet, as far as the system shows them."""
    found = []
    try:
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    for pid in numbers:
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/stat", "rb") as file:
            # The name of the program comes before, in brackets, and may hold anything.
            fields = file.read(4096).rpartition(b")")[2].split()
            if int(fields[3]) == session and fields[0] not in (b"Z", b"X"):
                found.append(pid)
    return found


def kill_all_at_end_of_input(descriptor: int) -> None:
    """Watch an input in the background: when its writer is gone, kill this process's group and all that it started.

    Only a process that leads a group is killed this way: any other was not started by a worker.
    """
    from threading import Thread

    if os.getpgrp() == os.getpid():
        Thread(target=_watch, args=(descriptor,), daemon=True).start()


def _watch(descriptor: int) -> None:
    asked = poll()
    # Without a wish it tells of the end alone.
    asked.register(descriptor, 0)
    while not asked.poll():
        continue
    for group in list(_RUNNING):
        kill_group(group)
    kill_group(os.getpgrp())


def _listen(errors: int, until: float, name: str, seconds: float) -> tuple[bytes, bytes]:
    """The beginning and the end of what a program says; raises ChildLate."""
    asked = poll()
    asked.register(errors, POLLIN)
    first, last = b"", b""
    while True:
        left = until - monotonic()
        if left <= 0:
            raise ChildLate(f"{name} took longer than {round(seconds, 1):g} s")
        if not asked.poll(left * 1000):
            continue
        piece = os.read(errors, 1 << 16)
        if not piece:
            return first, last
        room = _KEPT - len(first)
        first += piece[:room]
        last = (last + piece[room:])[-_KEPT:]


@contextmanager
def _bounded_files(most: int) -> Iterator[None]:
    """While a program is started: it inherits the bound, which does not outlast its start here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY:
        bound = min(bound, soft)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bound, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

"""Child processes: found by absolute path, read under a deadline, ended by their id."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from time import monotonic, sleep

from ..core.errors import UsageError
from .write import write_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from subprocess import Popen

_CHUNK = 1 << 20
_LITTLE = 16 * 1024
_PATIENCE = 16
_REST = 0.002
_COMPLAINT_BYTES = 16 * 1024
_LOOK_SECONDS = 1.0
"""How often a program that says nothing is looked at."""
_MOST_PROCESSES = 64
_NAMES_OBJECT = re.compile(r"\b[0-9a-f]{40}").search
_IDLE_SECONDS = 8.0
"""So long may a program neither work nor wait for a disk; only an input without a writer keeps it waiting longer."""


class ChildFailed(UsageError):
    """A program ended badly or too late; the message is its own complaint."""


class ChildLate(ChildFailed):
    """A program was ended because it did not answer in time."""


def find_program(name: str) -> str | None:
    """The absolute path of a program. Relative entries of PATH are skipped: they could lead into the checked tree."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if os.path.isabs(folder):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
    return None


class Child:
    """One running program. Only the time spent waiting for it counts against `seconds`."""

    def __init__(
        self,
        command: Sequence[str],
        folder: str,
        environment: Mapping[str, str],
        seconds: float,
        talk: bool = False,
        given: bytes = b"",
    ) -> None:
        """With `talk` it is written to while it runs; else `given` is all its input."""
        import fcntl
        from select import POLLIN, poll
        from subprocess import DEVNULL, PIPE, Popen

        self.name = os.path.basename(command[0])
        self._left = seconds
        self._limit = seconds
        self._complaint = b""
        self._work: float | None = None
        self._idle_since = 0.0
        held = -1
        try:
            held = _hold(given) if given else -1
            process: Popen[bytes] = Popen(
                command,
                bufsize=0,
                cwd=folder,
                env=environment,
                stdin=PIPE if talk else DEVNULL if held < 0 else held,
                stdout=PIPE,
                stderr=DEVNULL if talk else PIPE,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ChildFailed(f"cannot run {self.name}: {reason}") from None
        finally:
            if held >= 0:
                os.close(held)
        self._process = process
        self._input = process.stdin
        self._output = process.stdout.fileno() if process.stdout is not None else -1
        self._errors = process.stderr.fileno() if process.stderr is not None else -1
        self._open = {descriptor for descriptor in (self._output, self._errors) if descriptor >= 0}
        self._poll = poll()
        for descriptor in self._open:
            self._poll.register(descriptor, POLLIN)
        # A wider pipe means fewer switches between writer and reader; not every system can, or lets us.
        with suppress(AttributeError, OSError):
            fcntl.fcntl(self._output, fcntl.F_SETPIPE_SZ, _CHUNK)

    def read(self) -> bytes:
        """The next piece of output, empty at its end; raises ChildFailed when time is up."""
        while self._open:
            started = monotonic()
            ready = self._poll.poll(max(0.0, min(self._left, _LOOK_SECONDS)) * 1000)
            self._left -= monotonic() - started
            if not ready:
                self._give_up_if_hopeless()
                continue
            for descriptor, _ in sorted(ready, key=lambda pair: pair[0] != self._errors):
                data = os.read(descriptor, _CHUNK)
                if not data:
                    self._poll.unregister(descriptor)
                    self._open.discard(descriptor)
                elif descriptor == self._output:
                    return data
                elif len(self._complaint) < _COMPLAINT_BYTES:
                    self._complaint += data
        return b""

    def _give_up_if_hopeless(self) -> None:
        """End the program and raise ChildFailed where its time is up, or where it has long been waiting in vain."""
        reason = ""
        if self._left <= 0:
            reason = f"{self.name} did not answer within {self._limit:g} seconds"
        else:
            work = _count_work(self._process.pid)
            if work is None or work != self._work:
                self._work, self._idle_since = work, monotonic()
            elif monotonic() - self._idle_since >= _IDLE_SECONDS:
                reason = (
                    f"{self.name} waits for something that does not come; remove pipes, sockets and devices "
                    "that stand in the place of files"
                )
        if reason:
            self._process.kill()
            raise ChildLate(reason)

    def write(self, data: bytes) -> None:
        """Send `data` whole; raises ChildFailed if the program does not read it."""
        if self._input is None:
            raise ChildFailed(f"{self.name} takes no input")
        try:
            view = memoryview(data)
            while view:
                view = view[self._input.write(view) :]
        except (OSError, ValueError):
            raise ChildFailed(f"{self.name} ended unexpectedly") from None

    def close(self, patience: float | None = None) -> int:
        """End the program if it still runs, at once or after `patience` seconds, and give its exit code."""
        process = self._process
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
        if self._open:
            process.kill()
        if patience is not None:
            from subprocess import TimeoutExpired

            try:
                return process.wait(patience)
            except TimeoutExpired:
                process.kill()
        return process.wait()

    def complaint(self) -> str:
        """The line of its error output that says what went wrong."""
        lines = [line.strip() for line in self._complaint.decode("utf-8", "replace").splitlines() if line.strip()]
        said = [line.partition(": ")[2] for line in lines if line.startswith(("fatal: ", "error: "))]
        # Of a damaged object git says first that it is damaged, then which one it is.
        return next(filter(_NAMES_OBJECT, said), "") or next(iter(said or lines), "")


def _hold(data: bytes) -> int:
    """A nameless open file with this content. As an input it never blocks, as a full pipe does."""
    if hasattr(os, "memfd_create"):
        held = os.memfd_create("input")
    else:
        from tempfile import TemporaryFile

        with TemporaryFile() as file:
            held = os.dup(file.fileno())
    try:
        write_all(held, data)
        os.lseek(held, 0, os.SEEK_SET)
    except OSError:
        os.close(held)
        raise
    return held


def stream(
    command: Sequence[str],
    folder: str,
    environment: Mapping[str, str],
    seconds: float,
    codes: tuple[int, ...] = (0,),
    given: bytes = b"",
) -> Iterator[bytes]:
    """The output of a program, piece by piece; leaving early ends it, an exit code not in `codes` is ChildFailed."""
    child = Child(command, folder, environment, seconds, given=given)
    try:
        small = 0
        while data := child.read():
            yield data
            # Who wakes for every line makes both sides pay for the switch; a while later there is more to read.
            small = small + 1 if len(data) < _LITTLE else 0
            if small > _PATIENCE:
                sleep(_REST)
    finally:
        code = child.close()
    if code not in codes:
        raise ChildFailed(child.complaint() or f"{child.name} ended with code {code}")


def collect(
    command: Sequence[str], environment: Mapping[str, str], seconds: float, given: bytes, most: int
) -> tuple[bytes, int, str]:
    """The whole output of a program that runs in `/`, its exit code and its complaint.

    Raises ChildFailed, and OverflowError where there are more than `most` bytes.
    """
    child = Child(command, "/", environment, seconds, given=given)
    pieces: list[bytes] = []
    size = 0
    try:
        while piece := child.read():
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise OverflowError
    finally:
        code = child.close(patience=1.0)
    return b"".join(pieces), code, child.complaint()


# A program that opens a pipe without a writer sleeps for ever. It uses no processor and waits for no disk, which tells
# it from one that takes its time.
def _count_work(pid: int) -> float | None:
    """The ticks of processor time that a process and its descendants have used; None while one works, or if unknown."""
    total = 0.0
    todo, seen = [pid], 0
    while todo:
        process = todo.pop()
        seen += 1
        if seen > _MOST_PROCESSES:
            return None
        try:
            threads = os.listdir(f"/proc/{process}/task")
            for thread in threads:
                state, ticks = _read_state(f"/proc/{process}/task/{thread}")
                if state != "S":
                    # Running, waiting for a disk, stopped or gone: not what is looked for.
                    return None
                total += ticks
                todo += _read_children(f"/proc/{process}/task/{thread}/children")
        except (OSError, ValueError, IndexError):
            return None
    return total


def _read_state(folder: str) -> tuple[str, float]:
    with open(f"{folder}/stat", "rb") as stream:
        # The name of the program comes before, in brackets, and may hold anything.
        fields = stream.read(4096).rpartition(b")")[2].split()
    return fields[0].decode("ascii", "replace"), float(fields[11]) + float(fields[12])


def _read_children(path: str) -> list[int]:
    try:
        with open(path, "rb") as stream:
            return [int(number) for number in stream.read(4096).split()]
    except OSError:
        return []

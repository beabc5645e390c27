"""What processes cost, measured side by side: medians of runs that take turns, so that a busy minute hits all alike."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import monotonic
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(HERE), "src")
PYTHON = sys.executable
PINCITE = (PYTHON, "-m", "pincite")
_COMPLAINT = 64 * 1024


class Cost(NamedTuple):
    """What one command took: user and system time of it and all its children, its largest resident set, its time."""

    cpu: float
    megabytes: float
    code: int
    seconds: float


def run(command: Sequence[str], cwd: str, output: str = os.devnull, stdin: str = os.devnull) -> Cost:
    """Run a command to its end; `stdin` and `output` are files. A traceback ends the measurement: it costs little."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GIT_"))}
    environment |= {"PYTHONPATH": SOURCE, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    started = monotonic()
    errors = tempfile.TemporaryFile()
    pid = os.fork()
    if pid == 0:
        try:
            os.chdir(cwd)
            os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
            os.dup2(os.open(stdin, os.O_RDONLY), 0)
            os.dup2(errors.fileno(), 2)
            os.execvpe(command[0], list(command), environment)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    seconds = monotonic() - started
    with errors:
        errors.seek(0)
        said = errors.read(_COMPLAINT)
    if b"Traceback (most recent call last)" in said:
        raise SystemExit(f"{' '.join(command)} failed: {said.decode(errors='replace').splitlines()[-1]}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), seconds)


def pincite(*arguments: str) -> tuple[str, ...]:
    """A pincite command."""
    return (*PINCITE, *arguments)


def script(name: str, *arguments: str) -> tuple[str, ...]:
    """One of the programs beside this file."""
    return (PYTHON, os.path.join(HERE, name), *arguments)


class Contest:
    """Commands that take turns; `before` runs ahead of a command each time and is not measured."""

    def __init__(self, cwd: str, times: int) -> None:
        self.cwd = cwd
        self.times = times
        self._commands: dict[str, tuple[Sequence[str], Callable[[], object] | None, str]] = {}

    def add(
        self,
        name: str,
        command: Sequence[str],
        before: Callable[[], object] | None = None,
        stdin: str = os.devnull,
    ) -> None:
        """Enter a command."""
        self._commands[name] = (command, before, stdin)

    def medians(self, codes: Sequence[int] = (0, 1), skip_first: bool = True) -> Mapping[str, Cost]:
        """The median cost of each, by default after one round that only warms the disk cache."""
        costs: dict[str, list[Cost]] = {name: [] for name in self._commands}
        for turn in range(not skip_first, self.times + 1):
            for name, (command, before, stdin) in self._commands.items():
                if before is not None:
                    before()
                cost = run(command, self.cwd, stdin=stdin)
                if cost.code not in codes:
                    raise SystemExit(f"{name} ended with {cost.code}: {' '.join(command)}")
                if turn:
                    costs[name].append(cost)
        return {
            name: Cost(
                median(c.cpu for c in runs),
                max(c.megabytes for c in runs),
                runs[-1].code,
                median(c.seconds for c in runs),
            )
            for name, runs in costs.items()
        }

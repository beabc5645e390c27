"""Whether a program is at work: what the kernel says about it and all it started, where the kernel says anything.

A program that opens a pipe without a writer sleeps for ever. It uses no processor and waits for no disk, which
tells it from one that takes its time.
"""

from __future__ import annotations

import os

_MOST_PROCESSES = 64


def count_work(pid: int) -> float | None:
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

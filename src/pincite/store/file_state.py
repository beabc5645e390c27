"""Whether a file changed, by what the kernel keeps of it: neither `touch` nor a shipped file can fake that."""

from __future__ import annotations

import os

MARGIN = 20_000_000
"""Nanoseconds: what changed so shortly before a look that the clock could not tell is never trusted."""


def take(top: str, paths: list[str]) -> list[int]:
    """Change time, size and inode of each path, zeros where there is nothing."""
    marks: list[int] = []
    add = marks.extend
    stat = os.stat
    prefix = top.rstrip("/") + "/"
    for path in paths:
        try:
            info = stat(path if path[:1] == "/" else prefix + path)
        except (OSError, ValueError):
            add((0, 0, 0))
        else:
            add((info.st_ctime_ns, info.st_size, info.st_ino))
    return marks


def invalidate_recent_marks(marks: list[int], started: int) -> list[int]:
    """The same marks, those of what changed since about `started` made such that they never compare equal."""
    for at in range(0, len(marks), 3):
        if marks[at] > started - MARGIN:
            marks[at] = -1
    return marks

"""Where one chunk ends and the next begins: at a size that is good to cite, and always at the end of a line."""

from __future__ import annotations


def chunk_end(data: bytes, start: int, most_lines: int, most_bytes: int) -> int:
    """Where the chunk that begins at `start` ends; -1 while more of the stream is needed to tell.

    It holds as many whole lines as both bounds allow, and at least one, however long that is.
    """
    stop = start + most_bytes
    if data.count(b"\n", start, stop) >= most_lines:
        return _after_lines(data, start, most_lines, stop)
    if len(data) < stop:
        return -1
    end = data.rfind(b"\n", start, stop) + 1
    return end if end > 0 else data.find(b"\n", stop) + 1 or -1


def _after_lines(data: bytes, start: int, lines: int, stop: int) -> int:
    """The place behind the given number of lines, which are known to be there."""
    window = data[start:stop]
    return start + len(window) - len(window.split(b"\n", lines)[-1])

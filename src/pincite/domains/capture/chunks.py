"""Where one chunk ends and the next begins: at a size that is good to cite, and always at the end of a line."""

from __future__ import annotations


def chunk_end(data: bytes, start: int, size: int) -> int:
    """Where the chunk that begins at `start` ends; -1 while more of the stream is needed to tell.

    It holds as many whole lines as fit into `size` bytes, and at least one, however long that is.
    """
    stop = start + size
    if len(data) < stop:
        return -1
    end = data.rfind(b"\n", start, stop) + 1
    return end if end > 0 else data.find(b"\n", stop) + 1 or -1

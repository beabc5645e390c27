"""What stood in commits: files of a repository by commit and path, many in one round trip."""

from __future__ import annotations

import os

from .child import Child, ChildFailed
from .git import Git, is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PIPE = 32 * 1024
"""Half of what a pipe holds."""


class Objects:
    """The contents of commits, through two long-lived `git cat-file` processes that start when first needed."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._children: dict[str, tuple[Child, bytearray]] = {}
        self._inherited: list[object] = []
        self._process = os.getpid()

    def close(self) -> None:
        """End both processes."""
        for child, _ in self._children.values() if self._process == os.getpid() else ():
            child.close()
        self._children = {}

    def __enter__(self) -> Objects:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def blob_ids(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """For each (commit, path) the id of the file there; None where there is none. One round trip for many."""
        return [found and found[0] for found in self.stat(pairs)]

    def stat(self, names: Sequence[str | tuple[str, str]]) -> list[tuple[str, int] | None]:
        """For each name, as `blob` takes it, the id and size of the blob it leads to."""
        found: list[tuple[str, int] | None] = []
        for batch in _batches([_spec(name) if isinstance(name, str) else self._name(*name) for name in names]):
            self._send("--batch-check", batch)
            for name in batch:
                header = self._header("--batch-check") if name is not None else None
                found.append((header[0], header[2]) if header is not None and header[1] == "blob" else None)
        return found

    def blob(self, name: str | tuple[str, str], limit: int) -> bytes | None:
        """The bytes of a blob; None where there is none or it is larger than `limit`.

        A pair is a commit and a path below our root; a text is an id, or `id:path` from the top of the work tree.
        """
        return self.blobs([name], limit)[0]

    def blobs(self, names: Sequence[str | tuple[str, str]], limit: int) -> list[bytes | None]:
        """Like `blob`, for many in two round trips."""
        wanted = [found[0] if found and found[1] <= limit else None for found in self.stat(names)]
        read: list[bytes | None] = []
        for batch in _batches(wanted):
            self._send("--batch", batch)
            for name in batch:
                header = self._header("--batch") if name is not None else None
                data = self._take("--batch", header[2]) if header is not None else None
                read.append(data if header is not None and header[1] == "blob" else None)
        return read

    def _name(self, commit: str, path: str) -> str | None:
        return _spec(f"{commit}:{self._git.prefix}{path}")

    def _send(self, mode: str, names: Sequence[str | None]) -> None:
        if self._process != os.getpid():
            # A forked worker must not share its parent's pipes; it starts its own, and leaves the others alone.
            self._inherited.append(self._children)
            self._children, self._process = {}, os.getpid()
        if mode not in self._children:
            self._children[mode] = self._git.talk("cat-file", mode, "--follow-symlinks"), bytearray()
        asked = b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in names if name is not None)
        if asked:
            self._children[mode][0].write(asked)

    def _header(self, mode: str) -> tuple[str, str, int] | None:
        """One answer's id, type and size; None where there is no such object."""
        line = self._line(mode)
        about = line.decode("utf-8", "replace").split(" ")
        if len(about) == 3 and is_id(about[0]) and about[2].isdigit():
            return about[0], about[1], int(about[2])
        if len(about) == 2 and about[0] in ("symlink", "dangling", "loop", "notdir") and about[1].isdigit():
            self._take(mode, int(about[1]))
        return None

    def _line(self, mode: str) -> bytes:
        buffer = self._children[mode][1]
        while (end := buffer.find(b"\n")) < 0:
            self._more(mode)
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        return line

    def _take(self, mode: str, size: int) -> bytes:
        """The next `size` bytes; the line end after them is swallowed."""
        buffer = self._children[mode][1]
        while len(buffer) <= size:
            self._more(mode)
        data = bytes(memoryview(buffer)[:size])
        del buffer[: size + 1]
        return data

    def _more(self, mode: str) -> None:
        child, buffer = self._children[mode]
        data = child.read()
        if not data:
            raise ChildFailed("git cat-file ended unexpectedly")
        buffer += data


def _spec(name: str) -> str | None:
    """A name git can be asked for; None for what its line protocol would misread or resolve in its own way."""
    commit, colon, path = name.partition(":")
    if not is_id(commit.removesuffix("^")):
        return None
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return None
    parts = path.split("/")
    odd = "\n" in path or "\0" in path or path.endswith("\r") or "" in parts or "." in parts or ".." in parts
    return None if colon and odd else name


def _batches(names: Sequence[str | None]) -> Iterator[Sequence[str | None]]:
    """Slices whose requests and short answers fit into a pipe, so that neither side waits for the other."""
    start = size = 0
    for at, name in enumerate(names):
        size += 128 + (4 * len(name) if name is not None else 0)
        if size > _PIPE and at > start:
            yield names[start:at]
            start, size = at, 128 + (4 * len(name) if name is not None else 0)
    yield names[start:]

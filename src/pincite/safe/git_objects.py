"""What stood in commits: files of a repository by commit and path, many in one round trip."""

from __future__ import annotations

import os
import re

from .child import Child, ChildFailed
from .git import Git, is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Header = tuple[str, str, int]

_PIPE = 32 * 1024
"""Half of what a pipe holds."""
_MANY = 200
"""From so many on, a process of their own costs less than the switches between two that talk to each other."""
_LARGEST_COMMIT = 1024 * 1024
_PLAIN = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?:(?:[A-Za-z0-9_][\w.+@-]*/)*[A-Za-z0-9_][\w.+@-]*\Z", re.ASCII).match
"""The names that are plainly in order, which most are."""
_HEADER = re.compile(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) ([a-z]+) ([0-9]+)\n").match
_TIME = re.compile(rb"(author|committer) .*> (-?[0-9]{1,12}) [+-][0-9]{4}\Z", re.DOTALL).match
_ASIDE = re.compile(rb"(?:symlink|dangling|loop|notdir) ([0-9]+)\n").match


class Objects:
    """The contents of commits, through two long-lived `git cat-file` processes that start when first needed."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._children: dict[str, tuple[Child, Answers]] = {}
        self._inherited: list[object] = []
        self._process = os.getpid()

    def close(self) -> None:
        """End both processes."""
        for child, _ in self._children.values() if self._process == os.getpid() else ():
            child.close()
        self._children = {}

    def blob_ids(self, pairs: Sequence[tuple[str, str]]) -> list[str | None]:
        """For each (commit, path) the id of the file there; None where there is none. One round trip for many."""
        return [found and found[0] for found in self.stat(pairs)]

    def stat(self, names: Sequence[str | tuple[str, str]]) -> list[tuple[str, int] | None]:
        """For each name, as `blob` takes it, the id and size of the blob it leads to."""
        found: list[tuple[str, int] | None] = []
        specs = [_spec(name if isinstance(name, str) else f"{name[0]}:{self._git.prefix}{name[1]}") for name in names]
        for spec, answers in self._ask("--batch-check", specs):
            header = answers.header() if spec is not None else None
            found.append((header[0], header[2]) if header is not None and header[1] == "blob" else None)
        return found

    def blob(self, name: str | tuple[str, str], limit: int) -> bytes | None:
        """The bytes of a blob; None where there is none or it is larger than `limit`.

        A pair is a commit and a path below our root; a text is an id, or `id:path` from the top of the work tree.
        """
        return self.blobs([name], limit)[0]

    def blobs(self, names: Sequence[str | tuple[str, str]], limit: int) -> list[bytes | None]:
        """Like `blob`, for many in two round trips."""
        return self.read([found[0] if found and found[1] <= limit else None for found in self.stat(names)])

    def read(self, ids: Sequence[str | None], limit: int = 0) -> list[bytes | None]:
        """The bytes of blobs in one round trip; None where there is none, or it is larger than a limit."""
        return list(self._read(ids, limit))

    def read_each(self, ids: Sequence[str | None], limit: int) -> Iterator[bytes | None]:
        """The same one by one, with one of them in memory where they are many; others can be asked for in between."""
        return self._read(ids, limit) if len(ids) >= _MANY else iter(self.read(ids, limit))

    def _read(self, ids: Sequence[str | None], limit: int) -> Iterator[bytes | None]:
        for spec, answers in self._ask("--batch", [name and _spec(name) for name in ids]):
            header = answers.header() if spec is not None else None
            if header is not None and limit and header[2] > limit:
                answers.skip(header[2])
                header = None
            data = answers.take(header[2]) if header is not None else None
            yield data if header is not None and header[1] == "blob" else None

    def parents(self, commits: Sequence[str]) -> list[list[str]]:
        """The parents that each commit names, whether they are here or not; none for what is no commit."""
        return [
            [row[7:].decode("ascii", "replace") for row in rows if row.startswith(b"parent ")]
            for rows in self._commit_heads(commits)
        ]

    def times(self, commits: Sequence[str]) -> list[tuple[int, int] | None]:
        """When each commit was written, and when it was committed, in seconds since the epoch; None for no commit."""
        found: list[tuple[int, int] | None] = []
        for rows in self._commit_heads(commits):
            told = {match[1]: int(match[2]) for match in map(_TIME, rows) if match is not None}
            committed = told.get(b"committer")
            found.append(None if committed is None else (told.get(b"author", committed), committed))
        return found

    def _commit_heads(self, commits: Sequence[str]) -> Iterator[list[bytes]]:
        """The rows of each commit above its message; none for what is no commit."""
        for spec, answers in self._ask("--batch", [_spec(name) for name in commits]):
            header = answers.header() if spec is not None else None
            data = b""
            if header is not None and header[2] > _LARGEST_COMMIT:
                answers.skip(header[2])
            elif header is not None:
                data = answers.take(header[2])
            is_commit = header is not None and header[1] == "commit"
            yield data.partition(b"\n\n")[0].split(b"\n") if is_commit else []

    def are_here(self, names: Sequence[str]) -> list[bool]:
        """Whether each object can be found."""
        asked = self._ask("--batch-check", [_spec(name) for name in names])
        return [spec is not None and answers.header() is not None for spec, answers in asked]

    def _ask(self, mode: str, specs: Sequence[str | None]) -> Iterator[tuple[str | None, Answers]]:
        """Each name with the place its answer is to be taken from, once it has been asked for."""
        if len(specs) >= _MANY:
            asked = b"".join([spec.encode("utf-8", "surrogateescape") + b"\n" for spec in specs if spec is not None])
            answers = Answers(self._git.stream("cat-file", mode, "--follow-symlinks", "--buffer", given=asked))
            for spec in specs:
                yield spec, answers
            answers.close()
            return
        for batch in _batches(specs):
            answers = self._send(mode, batch)
            for spec in batch:
                yield spec, answers

    def _send(self, mode: str, names: Sequence[str | None]) -> Answers:
        if self._process != os.getpid():
            # A forked worker must not share its parent's pipes; it starts its own, and leaves the others alone.
            self._inherited.append(self._children)
            self._children, self._process = {}, os.getpid()
        if mode not in self._children:
            child = self._git.talk("cat-file", mode, "--follow-symlinks")
            self._children[mode] = child, Answers(iter(child.read, b""))
        child, answers = self._children[mode]
        asked = b"".join(name.encode("utf-8", "surrogateescape") + b"\n" for name in names if name is not None)
        if asked:
            child.write(asked)
        return answers


class Answers:
    """The parsed output of `git cat-file`."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._data = b""
        self._at = 0

    def header(self) -> Header | None:
        """The next answer's id, type and size; None where there is no such object."""
        while (end := self._data.find(b"\n", self._at)) < 0:
            self._gather(len(self._data) - self._at)
        match = _HEADER(self._data, self._at)
        aside = _ASIDE(self._data, self._at) if match is None else None
        self._at = end + 1
        if match is not None:
            return match[1].decode("ascii"), match[2].decode("ascii"), int(match[3])
        if aside is not None:
            self.take(int(aside[1]))
        return None

    def take(self, size: int) -> bytes:
        """The next `size` bytes; the line end after them is swallowed."""
        if len(self._data) - self._at <= size:
            self._gather(size)
        start = self._at
        self._at = start + size + 1
        return self._data[start : start + size]

    def skip(self, size: int) -> None:
        """Pass over the next `size` bytes and the line end after them, without keeping them."""
        left = size + 1 - (len(self._data) - self._at)
        while left > 0:
            data = next(self._chunks, b"")
            if not data:
                raise ChildFailed("git cat-file ended unexpectedly")
            self._data, self._at = data, 0
            left -= len(data)
        self._at = len(self._data) + left

    def close(self) -> None:
        """Read to the end, which tells whether the process ended well."""
        for _ in self._chunks:
            continue

    def _gather(self, size: int) -> None:
        """Have more than `size` bytes at hand."""
        parts = [self._data[self._at :]]
        have = len(parts[0])
        while have <= size:
            data = next(self._chunks, b"")
            if not data:
                raise ChildFailed("git cat-file ended unexpectedly")
            parts.append(data)
            have += len(data)
        self._data, self._at = b"".join(parts), 0


def _spec(name: str) -> str | None:
    """A name git can be asked for; None for what its line protocol would misread or resolve in its own way."""
    if _PLAIN(name):
        return name
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

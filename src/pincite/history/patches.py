"""One pass over the history of all documents: which commit wrote each line that could cite."""

import re
from collections.abc import Callable, Container

from xxhash import xxh3_64_intdigest

# Patterns that begin with a literal run ten times faster than one alternation of them.
_CITES = tuple(
    re.compile(pattern).search
    for pattern in (rb": ?[0-9]", rb"#L", rb"L[0-9]", rb"ine [0-9]", rb"ines [0-9]", rb"\xe3\x80\x90")
)
"""What a line that cites may hold. A line that none of them finds is blamed where it is asked about."""
_HUNK = re.compile(rb"@@ -[0-9]+(?:,([0-9]+))? \+[0-9]+(?:,([0-9]+))? @@").match
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}
_TELLING = frozenset((b"+", b"d", b"n", b"r", b"\0"))
"""What the headers that matter begin with."""
_BOM = b"\xef\xbb\xbf"
_LONGEST_LINE = 32 * 1024 * 1024
_MOST_NAMES = 8


def citing(lines: list[bytes]) -> set[bytes]:
    """Those of the lines that may hold a citation of lines."""
    text = b"\n".join(lines) + b"\n"
    found: set[bytes] = set()
    for find in _CITES:
        match = find(text)
        while match is not None:
            at = match.start()
            end = text.index(b"\n", at)
            found.add(text[text.rfind(b"\n", 0, at) + 1 : end])
            match = find(text, end)
    return found


def pieces(line: bytes) -> list[bytes]:
    """A line of git as documents see it: without its end, without a BOM, and cut at lone carriage returns."""
    line = line.removesuffix(b"\r").removeprefix(_BOM)
    return line.split(b"\r") if b"\r" in line else [line]


digest = xxh3_64_intdigest
"""The 64-bit name under which a line is recorded."""


class Patches:
    """Reads `git log -p -U0` from the newest commit to the oldest; the first commit to add a line is its witness.

    A hunk's header says how many lines follow, so no added line can pass for a header.
    """

    def __init__(self, inside: Callable[[bytes], str | None], alive: Container[str]) -> None:
        self.commits: list[str] = []
        self.found: dict[str, dict[int, int]] = {}
        """Document as it is called now -> digest of a line -> number of the commit."""
        self.names: dict[str, tuple[str, ...]] = {}
        """Name in older commits -> what is called so now; a name that was never born or renamed stands for itself."""
        self._inside = inside
        self._alive = alive
        self._tail = b""
        self._minus = self._plus = 0
        self._into: list[dict[int, int]] = []
        self._born = False
        self._source = b""
        self._births: list[str] = []
        self._renames: list[tuple[str, str]] = []

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of output."""
        lines = (self._tail + chunk).split(b"\n")
        self._tail = lines.pop()
        if len(self._tail) > _LONGEST_LINE:
            raise ValueError("a line in the history of the documents is too long")
        at, end = 0, len(lines)
        while at < end:
            if self._minus:
                skipped = min(self._minus, end - at)
                self._minus -= skipped
                at += skipped
            elif self._plus:
                if lines[at][:1] == b"\\":
                    at += 1
                    continue
                taken = min(self._plus, end - at)
                self._plus -= taken
                if self._into:
                    self._record(lines[at : at + taken])
                at += taken
            else:
                line = lines[at]
                at += 1
                first = line[:1]
                if first == b"@":
                    self._hunk(line)
                elif first in _TELLING:
                    self._header(first, line)

    def finish(self) -> None:
        """Say that the output has ended."""
        self.feed(b"\n")
        self._close_commit()

    def break_off(self) -> None:
        """Say that the output has ended in the middle of a commit."""
        self._tail = b""
        self._minus = self._plus = 0
        self._close_commit()

    def current(self, name: str) -> tuple[str, ...]:
        """The documents of today that a name in the commits read last stands for."""
        known = self.names.get(name)
        if known is not None:
            return known
        return (name,) if name in self._alive else ()

    def _record(self, lines: list[bytes]) -> None:
        number = len(self.commits) - 1
        for line in citing(lines):
            for piece in pieces(line[1:]):
                key = digest(piece)
                for into in self._into:
                    into.setdefault(key, number)

    def _hunk(self, line: bytes) -> None:
        match = _HUNK(line)
        if match:
            minus, plus = match.groups()
            self._minus = 1 if minus is None else int(minus)
            self._plus = 1 if plus is None else int(plus)

    def _header(self, first: bytes, line: bytes) -> None:
        if first == b"+":
            self._open_file(line[4:])
        elif first == b"d":
            self._into = []
            self._born = False
        elif first == b"n":
            self._born = self._born or line.startswith(b"new file mode ")
        elif first == b"r":
            if line.startswith(b"rename from "):
                self._source = line[12:]
            elif line.startswith(b"rename to "):
                self._rename(self._source, line[10:])
        elif first == b"\0":
            self._close_commit()
            self.commits.append(line[1:].decode("ascii", "replace"))

    def _open_file(self, shown: bytes) -> None:
        name = unquote(shown.removesuffix(b"\t"))
        path = self._inside(name[2:]) if name.startswith(b"b/") else None
        if path is None:
            return
        if self._born:
            self._births.append(path)
        self._into = [self.found.setdefault(document, {}) for document in self.current(path)]

    def _rename(self, source: bytes, target: bytes) -> None:
        new = self._inside(unquote(target))
        old = self._inside(unquote(source))
        if new is not None:
            # Before this commit the new name was free: what older commits call so is another file.
            self._births.append(new)
            if old is not None:
                self._renames.append((old, new))

    def _close_commit(self) -> None:
        """Carry names over to older commits, all at once: files may have swapped them."""
        moved = [(old, self.current(new)) for old, new in self._renames]
        for path in self._births:
            self.names[path] = ()
        for old, documents in moved:
            self.names[old] = tuple(dict.fromkeys((*self.names.get(old, ()), *documents)))[:_MOST_NAMES]
        self._births, self._renames = [], []
        self._into = []


def unquote(name: bytes) -> bytes:
    """A path as git prints it in headers: quoted only if it holds quotes, backslashes or control characters."""
    if len(name) < 2 or name[:1] != b'"' or name[-1:] != b'"':
        return name
    return _ESCAPE.sub(_unescape, name[1:-1])


def _unescape(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes((int(code, 8) & 255,)) if len(code) == 3 else _ESCAPED.get(code, code)

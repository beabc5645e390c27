"""Hides credentials in a stream before it is stored, whole lines at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .environment import forms
from .following import Following
from .pem import PrivateKeys
from .search import Search, Span, disjoint
from .words import secret_words

LONG_LINE = 1024 * 1024
"""A line longer than this is let go in pieces."""
KEPT = 64 * 1024
"""How much of such a line waits for what comes next: more than any secret is long."""
_BEFORE = 1024
_NOTHING: Mapping[str, str] = {}


class Masker:
    """Hides credentials in a stream before it is stored."""

    def __init__(self, environment: Mapping[str, str] = _NOTHING) -> None:
        self.count = 0
        """How many were hidden in the stream so far."""
        self._search = Search(forms(environment))
        self._keys = PrivateKeys()
        self._following = Following()
        self._held: list[bytes] = []
        self._size = 0
        self._before = b""
        """The end of what was let go of the line that is held: what begins there can be told only with it."""

    def feed(self, data: bytes) -> tuple[bytes, list[int]]:
        """What can be stored now: whole lines, with the offsets (into the returned bytes) of each mask."""
        end = data.rfind(b"\n") + 1
        done: tuple[bytes, list[int]] = b"", []
        if end:
            whole = end == len(data) and not self._held
            done = self._whole(data if whole else b"".join((*self._held, memoryview(data)[:end])))
            data = data[end:]
            self._held, self._size = [], 0
        if data:
            self._held.append(data)
            self._size += len(data)
            if self._size > LONG_LINE:
                more, offsets = self._piece()
                return done[0] + more, done[1] + [len(done[0]) + offset for offset in offsets]
        return done

    def close(self) -> tuple[bytes, list[int]]:
        """What was held back."""
        rest = b"".join(self._held)
        self._held, self._size = [], 0
        return self._whole(rest) if rest else (b"", [])

    def words(self, command: Sequence[str]) -> tuple[str, ...]:
        """A command line with its secrets hidden."""
        return secret_words(command, self._clean)

    def _clean(self, text: str) -> str:
        """One argument, masked by itself."""
        block = text.encode("utf-8", "surrogateescape")
        found = self._search.find(block)
        spans = found.spans + Following().spans(block, 0, found.opened)
        spans += [(*span, "private-key") for span in PrivateKeys().spans(block, 0, sorted(found.keys))]
        return _hidden(block, 0, len(block), disjoint(spans))[0].decode("utf-8", "surrogateescape")

    def _whole(self, block: bytes) -> tuple[bytes, list[int]]:
        """Whole lines, after what was let go of the first one."""
        begin = len(self._before)
        if begin:
            block = self._before + block
            self._before = b""
        found = self._search.find(block)
        spans = found.spans
        if found.keys or self._keys.open:
            spans += [(*span, "private-key") for span in self._keys.spans(block, begin, sorted(found.keys))]
        if found.opened or self._following.open:
            spans += self._following.spans(block, begin, found.opened)
        if not spans:
            return (block[begin:] if begin else block), []
        return self._counted(block, begin, len(block), disjoint(spans))

    def _piece(self) -> tuple[bytes, list[int]]:
        """All but the end of a line that grew too long, never cut inside a secret or a character."""
        begin = len(self._before)
        block = b"".join((self._before, *self._held))
        found = self._search.find(block)
        spans = found.spans
        if found.keys or self._keys.open:
            spans += [(*span, "private-key") for span in self._keys.piece(block, begin, sorted(found.keys))]
        self._following.forget()
        merged = disjoint(spans)
        cut = len(block) - KEPT
        for _ in range(3):
            if block[cut] & 0xC0 == 0x80:
                cut -= 1
        for start, end, _ in merged:
            if max(begin, cut - KEPT) < start < cut < end:
                cut = start
        done = self._counted(block, begin, cut, merged)
        self._before = block[max(0, cut - _BEFORE) : cut]
        self._held = [block[cut:]]
        self._size = len(block) - cut
        return done

    def _counted(self, block: bytes, begin: int, end: int, spans: list[Span]) -> tuple[bytes, list[int]]:
        done = _hidden(block, begin, end, spans)
        self.count += len(done[1])
        return done


def _hidden(block: bytes, begin: int, end: int, spans: list[Span]) -> tuple[bytes, list[int]]:
    """The bytes from `begin` to `end` with each span replaced, as far as it lies between; and where the masks are."""
    parts: list[bytes] = []
    offsets: list[int] = []
    at, size = begin, 0
    for start, stop, name in spans:
        start, stop = max(start, begin), min(stop, end)
        if start < stop:
            mask = b"[masked:" + name.encode("utf-8", "surrogateescape") + b"]"
            parts += (block[at:start], mask)
            offsets.append(size + start - at)
            size += start - at + len(mask)
            at = stop
    parts.append(block[at:end])
    return b"".join(parts), offsets

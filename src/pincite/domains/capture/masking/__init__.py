"""Hides credentials in a stream before it is stored, whole lines at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .command_line import mask_command_words
from .environment import find_secret_forms, find_secret_values
from .readings import make_readings
from .rewrites import MaskingOutcome, Span
from .search import SecretSearch, disjoint

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
        self._search = SecretSearch(find_secret_forms(environment), find_secret_values(environment))
        self._reading = make_readings(self._search)
        self._alone = make_readings(self._search)
        """For what is not whole lines of the stream: it is put back to its beginning after each use."""
        self._fresh = self._alone.memories()
        self._held: list[bytes] = []
        self._size = 0
        self._before = b""
        """The end of what was let go of the line that is held: what begins there is known only with it."""

    def feed(self, data: bytes) -> tuple[bytes, list[int]]:
        """What can be stored now: whole lines, with the offsets (into the returned bytes) of each mask."""
        end = data.rfind(b"\n") + 1
        done: tuple[bytes, list[int]] = b"", []
        if end:
            whole = end == len(data) and not self._held
            block = data if whole else b"".join((*self._held, memoryview(data)[:end]))
            data = data[end:]
            self._held, self._size = [], 0
            done = self._whole(block, False)
        if data:
            self._held.append(data)
            self._size += len(data)
            if self._size > LONG_LINE:
                done = _join_masked(done, self._long())
        return done

    def close(self) -> tuple[bytes, list[int]]:
        """What was held back."""
        rest = b"".join(self._held)
        self._held, self._size = [], 0
        return self._whole(rest, True) if rest else (b"", [])

    def words(self, command: Sequence[str]) -> tuple[str, ...]:
        """A command line with its secrets hidden."""
        return mask_command_words(command, self._clean)

    def _clean(self, text: str) -> str:
        """One argument, masked by itself."""
        block = text.encode("utf-8", "surrogateescape")
        spans = _split_at_line_ends(block, disjoint(self._read_alone(block)))
        return _mask_spans(block, 0, len(block), spans)[0].decode("utf-8", "surrogateescape")

    def _read_alone(self, block: bytes) -> list[Span]:
        """The secrets in a text that nothing stands before or after."""
        out = MaskingOutcome()
        self._alone.read(block, 0, out, True)
        self._alone.restore([*self._fresh])
        return out.spans

    def _whole(self, block: bytes, last: bool) -> tuple[bytes, list[int]]:
        """Whole lines, after what was let go of the first one; those at the end wait where a secret may go on."""
        begin = len(self._before)
        if begin:
            block = self._before + block
            self._before = b""
        memories = self._reading.memories()
        out = MaskingOutcome()
        self._reading.read(block, begin, out, last)
        if out.open >= 0:
            cut = out.line_before(block, begin)
            self._held, self._size = [block[cut:]], len(block) - cut
            self._reading.restore(memories)
            if begin and cut == begin:
                self._before = block[:begin]
                return b"", []
            block = block[:cut]
            out = MaskingOutcome()
            self._reading.read(block, begin, out, True)
        if not out.spans:
            return (block[begin:] if begin else block), []
        return self._count_matches(block, begin, len(block), _split_at_line_ends(block, disjoint(out.spans)))

    def _long(self) -> tuple[bytes, list[int]]:
        """A part of a line that grew too long, after the lines that waited with it."""
        block = b"".join(self._held)
        end = block.rfind(b"\n") + 1
        done: tuple[bytes, list[int]] = b"", []
        if end:
            done = self._whole(block[:end], True)
        self._held, self._size = [block[end:]], len(block) - end
        return _join_masked(done, self._piece()) if self._size > LONG_LINE else done

    def _piece(self) -> tuple[bytes, list[int]]:
        """All but the end of a line that grew too long, never cut inside a secret or a character."""
        begin = len(self._before)
        block = b"".join((self._before, *self._held))
        spans = self._read_alone(block)
        spans += self._reading.read_piece(block, begin)
        merged = _split_at_line_ends(block, disjoint(spans))
        cut = len(block) - KEPT
        for _ in range(3):
            if block[cut] & 0xC0 == 0x80:
                cut -= 1
        for start, end, _ in merged:
            if max(begin, cut - KEPT) < start < cut < end:
                cut = start
        done = self._count_matches(block, begin, cut, merged)
        self._before = block[max(0, cut - _BEFORE) : cut]
        self._held = [block[cut:]]
        self._size = len(block) - cut
        return done

    def _count_matches(self, block: bytes, begin: int, end: int, spans: list[Span]) -> tuple[bytes, list[int]]:
        done = _mask_spans(block, begin, end, spans)
        self.count += len(done[1])
        return done


def _mask_spans(block: bytes, begin: int, end: int, spans: list[Span]) -> tuple[bytes, list[int]]:
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


def _join_masked(first: tuple[bytes, list[int]], second: tuple[bytes, list[int]]) -> tuple[bytes, list[int]]:
    size = len(first[0])
    return first[0] + second[0], first[1] + [size + offset for offset in second[1]]


def _split_at_line_ends(block: bytes, spans: list[Span]) -> list[Span]:
    """The spans, cut at line ends: lines stay lines, so that they can be cited."""
    found: list[Span] = []
    for start, end, name in spans:
        if b"\n" not in block[start:end]:
            found.append((start, end, name))
            continue
        at = start
        for line in block[start:end].splitlines(keepends=True):
            text = line.strip(b" \t\r\n")
            if text:
                first = at + line.index(text)
                found.append((first, first + len(text), name))
            at += len(line)
    return found

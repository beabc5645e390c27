"""A WARC file without its compression: all of its bytes in a row, and which of them are known to be wrong.

Usually each record is a gzip member of its own, sometimes the whole file is one. Members are unpacked by hand, because
`gzip` gives nothing of a member whose checksum is wrong, and a damaged snapshot is to be named, not overlooked.
"""

from __future__ import annotations

import zlib
from bisect import bisect_right

from msgspec import Struct

MOST_UNPACKED = 128 * 1024 * 1024
"""Bytes that are unpacked from one file."""
MOST_MEMBERS = 200_000
_STEP = 16 * 1024
_SMALL = 64
_MAGIC = b"\x1f\x8b\x08"
_HEADER_SUM, _EXTRA, _NAME, _COMMENT, _RESERVED = 2, 4, 8, 16, 0xE0
_LONGEST_HEADER = 64 * 1024


class UnpackedWarc(Struct, frozen=True):
    """The bytes of a file, where its members begin in them, and what is wrong."""

    data: bytes
    starts: list[int]
    """Where each member begins; one for a file that is not compressed."""
    bad_starts: list[int]
    bad_ends: list[int]
    """The stretches whose checksum does not fit, in order."""
    trouble: str = ""
    """Why not all of the file could be unpacked."""

    def is_bad(self, start: int, end: int) -> bool:
        """Whether a byte between two places is known to be wrong."""
        at = bisect_right(self.bad_ends, start)
        return at < len(self.bad_starts) and self.bad_starts[at] < end

    def next_start(self, place: int) -> int:
        """Where the first member after a place begins; -1 where there is none."""
        at = bisect_right(self.starts, place)
        return self.starts[at] if at < len(self.starts) else -1


def unpack(data: bytes) -> UnpackedWarc:
    """The bytes of a file, compressed or not; never raises, and never gives more than MOST_UNPACKED."""
    if data[:2] != _MAGIC[:2]:
        if len(data) > MOST_UNPACKED:
            return UnpackedWarc(data[:MOST_UNPACKED], [0], [], [], f"more than {MOST_UNPACKED} bytes: the limit")
        return UnpackedWarc(data, [0], [], [])
    pieces: list[bytes] = []
    starts: list[int] = []
    bad: list[tuple[int, int]] = []
    at = total = 0
    trouble = ""
    while at < len(data) and not trouble:
        body = _member_body(data, at)
        if body < 0:
            # Some tools fill up the last block of a tape or a disk with zeros.
            if data.count(b"\0", at) != len(data) - at:
                trouble = f"byte {at}: no gzip member; the rest is not read"
            break
        if len(starts) >= MOST_MEMBERS:
            trouble = f"more than {MOST_MEMBERS} gzip members: the limit"
            break
        member, at, fits, trouble = _inflate(data, body, MOST_UNPACKED - total)
        starts.append(total)
        if member and not fits:
            bad.append((total, total + len(member)))
        total += len(member)
        pieces.append(member)
    return UnpackedWarc(b"".join(pieces), starts, [start for start, _ in bad], [end for _, end in bad], trouble)


def _inflate(data: bytes, at: int, room: int, step: int = _STEP) -> tuple[bytes, int, bool, str]:
    """A member from where its header ends: its bytes, where it ends, whether they fit its checksum, and what stops.

    A damaged one gives what comes before the damage shows, so that the record in it can be named.
    """
    view = memoryview(data)
    begin = at
    inflater = zlib.decompressobj(-15)
    pieces: list[bytes] = []
    size = checksum = 0
    while not inflater.eof:
        if at >= len(data):
            return b"".join(pieces), at, False, f"byte {at}: the file ends inside a gzip member"
        try:
            piece = inflater.decompress(view[at : at + step], room - size + 1)
        except zlib.error:
            known = b"".join(pieces) if step == _SMALL else _inflate(data, begin, room, _SMALL)[0]
            return known, at, False, f"byte {at}: damaged gzip data; the rest is not read"
        at = min(at + step, len(data))
        size += len(piece)
        if size > room:
            return b"".join(pieces), at, False, f"more than {MOST_UNPACKED} bytes unpacked: the limit"
        checksum = zlib.crc32(piece, checksum)
        pieces.append(piece)
    at -= len(inflater.unused_data)
    trailer = data[at : at + 8]
    if len(trailer) < 8:
        return b"".join(pieces), at, False, f"byte {at}: the file ends inside a gzip member"
    fits = trailer == checksum.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little")
    return b"".join(pieces), at + 8, fits, ""


def _member_body(data: bytes, at: int) -> int:
    """Where the compressed data of the member at a place begins; -1 where no member is."""
    if not data.startswith(_MAGIC, at) or len(data) < at + 10:
        return -1
    flags = data[at + 3]
    if flags & _RESERVED:
        return -1
    at += 10
    if flags & _EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for flag in (_NAME, _COMMENT):
        if flags & flag:
            at = data.find(b"\0", at, at + _LONGEST_HEADER) + 1
            if at == 0:
                return -1
    if flags & _HEADER_SUM:
        at += 2
    return at if at <= len(data) else -1

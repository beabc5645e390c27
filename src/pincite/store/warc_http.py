"""What a WARC record holds of an HTTP exchange: the answer's head and body, or the request's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from .warc_records import as_text, head_end, read_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_CHUNKS = 1_000_000
"""Chunks of one body."""
LONGEST_HEAD = 256 * 1024
ORIGINAL = "X-Orig-"
"""Before the name of a header that no longer describes the body, as other writers do it."""
_CHUNKED = "transfer-encoding"
_status_line = re.compile(rb"HTTP/[0-9.]{1,8} +([1-9][0-9]{2})(?: ([^\r\n]*))?(?:\r?\n|\Z)").match
_request_line = re.compile(rb"([A-Za-z]{1,20}) ").match
_chunk = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]{0,64}(?:;[^\n]{0,4096})?\r?\n").match
_is_number = re.compile(r"[0-9]{1,15}\Z").match


class RecordedResponse(Struct, frozen=True):
    """An answer as the record holds it."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    """With its chunks joined."""
    start: int
    """Where the body begins in the file's bytes, chunks and all."""
    damaged: str = ""


def read_answer(data: bytes, start: int, end: int) -> RecordedResponse | None:
    """The answer between two places; None where no HTTP answer stands there."""
    line = _status_line(data, start, end)
    if line is None:
        return None
    # The search begins before the line's end, so that a head without headers has an end as well.
    stop, first = head_end(data, line.end() - 1, min(end, start + LONGEST_HEAD))
    if stop < 0:
        if end - start > LONGEST_HEAD:
            return None
        stop = first = end
    headers = read_fields(data[line.end() : stop])
    known = {name.lower(): value for name, value in reversed(headers)}
    body = data[first:end]
    if "chunked" in known.get(_CHUNKED, "").lower():
        body, damaged = joined_chunks(body)
    else:
        damaged = _cut_short(known, body)
    if any(_CHUNKED in name for name in known):
        headers = [*map(_restore_header_name, headers)]
    return RecordedResponse(int(line[1]), as_text((line[2] or b"").strip(b" \t")), tuple(headers), body, first, damaged)


def read_request(data: bytes, start: int, end: int) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Method and headers of the request between two places; an empty method where none stands there."""
    line = _request_line(data, start, end)
    if line is None:
        return "", ()
    first = data.find(b"\n", start, min(end, start + LONGEST_HEAD)) + 1
    if not first:
        return as_text(line[1]).upper(), ()
    stop, _ = head_end(data, first - 1, min(end, start + LONGEST_HEAD))
    return as_text(line[1]).upper(), tuple(read_fields(data[first : stop if stop >= 0 else end]))


def head_bytes(line: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """The head of a request or an answer."""
    lines = [line, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode()


def kept_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """An answer's headers for a body whose chunks are joined; reading gives the ones that were sent."""
    return [(ORIGINAL + name, value) if _is_about_chunks(name.lower()) else (name, value) for name, value in headers]


def joined_chunks(body: bytes) -> tuple[bytes, str]:
    """A body without its chunk sizes, and what is wrong with it; one that was joined before stays as it is."""
    found = _chunk(body)
    if found is None:
        return body, ""
    pieces: list[bytes] = []
    while found is not None:
        size = int(found[1], 16)
        at = found.end()
        if size == 0:
            return b"".join(pieces), ""
        piece = body[at : at + size]
        pieces.append(piece)
        if len(piece) < size or len(pieces) > MOST_CHUNKS:
            break
        at += size
        at += 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
        found = _chunk(body, at)
    why = f"more than {MOST_CHUNKS} chunks: the limit" if len(pieces) > MOST_CHUNKS else "its last chunk is missing"
    return b"".join(pieces), why


def _cut_short(headers: dict[str, str], body: bytes) -> str:
    """What is missing of a body that is shorter than its server said."""
    length = headers.get("content-length", "")
    if not body or not _is_number(length) or int(length) <= len(body):
        return ""
    if any(f"{ORIGINAL}{name}".lower() in headers for name in ("content-encoding", _CHUNKED)):
        # The length is that of other bytes than those that were kept.
        return ""
    return f"cut off: {len(body)} of the {length} bytes that its server announced"


def _restore_header_name(header: tuple[str, str]) -> tuple[str, str]:
    """A header under the name it was sent with."""
    name = header[0]
    if name[: len(ORIGINAL)].lower() == ORIGINAL.lower() and _is_about_chunks(name.lower()):
        return name[len(ORIGINAL) :], header[1]
    return header


def _is_about_chunks(name: str) -> bool:
    """Whether a header says how its body was cut into chunks, under its own name or as an original one."""
    return name.endswith(_CHUNKED) and name.replace(ORIGINAL.lower(), "") == _CHUNKED

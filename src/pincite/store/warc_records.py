"""The records of a WARC file, one after the other, each with its fields and the place of its block.

A length that cannot be right is never guessed around inside a record, for what stands there was written by the page
that was kept and could pose as a record. Only where a gzip member begins is the reader on firm ground again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .warc_unpack import UnpackedWarc

MOST_RECORDS = 50_000
"""Records of one file."""
LONGEST_HEAD = 64 * 1024
_SIGN = b"WARC/"
_NAMED = 200
_blank = re.compile(rb"[\r\n]*").match
_version = re.compile(rb"WARC/(?:0\.1[0-9]|1\.[01])[ \t]{0,8}\r?\n").match
_folded = re.compile(rb"\r?\n[ \t]+")
_is_length = re.compile(r"[0-9]{1,15}\Z").match


class WarcRecord(Struct, frozen=True):
    """One record; its block stands between two places of the file's bytes."""

    kind: str
    fields: dict[str, str]
    """By name in small letters; the first of several."""
    concurrent: tuple[str, ...]
    """The records that were made together with this one."""
    at: int
    start: int
    end: int
    damaged: str = ""

    def get(self, name: str) -> str:
        """A field, empty where it is missing."""
        return self.fields.get(name, "")

    @property
    def id(self) -> str:
        """What other records name it by."""
        return self.fields.get("warc-record-id", "")

    @property
    def uri(self) -> str:
        """What it is about; some writers put it between angle brackets."""
        return self.fields.get("warc-target-uri", "").removeprefix("<").removesuffix(">")


def read_records(unpacked: UnpackedWarc, problems: list[str]) -> Iterator[WarcRecord]:
    """Every record with known boundaries; what cannot be is named in `problems`."""
    data = unpacked.data
    at = count = 0
    while True:
        found = _blank(data, at)
        at = found.end() if found else at
        if at >= len(data):
            break
        if count >= MOST_RECORDS:
            problems.append(f"more than {MOST_RECORDS} records: the limit")
            break
        count += 1
        record, why = _record(unpacked, at)
        if record is not None:
            yield record
        if not why:
            at = record.end if record is not None else len(data)
            continue
        again = unpacked.next_start(at)
        while again >= 0 and not data.startswith(_SIGN, again):
            again = unpacked.next_start(again)
        problems.append(f"byte {at}: {why}" + ("; the rest is not read" if again < 0 and record is None else ""))
        if again < 0:
            break
        at = again
    if unpacked.trouble:
        problems.append(unpacked.trouble)


def _record(unpacked: UnpackedWarc, at: int) -> tuple[WarcRecord | None, str]:
    """The record at a place, as far as there is one, and why nothing after it can be trusted."""
    data = unpacked.data
    if not _version(data, at):
        return None, "not a record of a WARC version that is known" if data.startswith(_SIGN, at) else "not a record"
    stop, start = head_end(data, at, at + LONGEST_HEAD)
    if stop < 0:
        return None, "a record without an end of its header"
    fields: dict[str, str] = {}
    concurrent = []
    for name, value in read_fields(data[at:stop]):
        name = name.lower()
        fields.setdefault(name, value)
        if name == "warc-concurrent-to":
            concurrent.append(value)
    kind = fields.get("warc-type", "").lower()
    length = fields.get("content-length", "")
    if not _is_length(length):
        return None, f"a record without a length that can be believed ({length[:_NAMED]!r})"
    end = start + int(length)
    why = ""
    border = unpacked.next_start(at)
    while 0 <= border < end and not data.startswith(_SIGN, border):
        border = unpacked.next_start(border)
    border = border if 0 <= border < end else len(data)
    if end > border:
        why = f"a record of {length} bytes, of which there are {border - start}"
        end = border
    damaged = why and f"cut off: {border - start} of {length} bytes"
    if unpacked.is_bad(at, end):
        damaged = "its compressed data does not fit its checksum"
    return WarcRecord(kind, fields, tuple(concurrent), at, start, end, damaged), why


def read_fields(head: bytes) -> list[tuple[str, str]]:
    """Names and values of the lines `name: value`; a line that begins with a blank goes on with the one before."""
    if b"\n " in head or b"\n\t" in head:
        head = _folded.sub(b" ", head)
    try:
        lines = head.decode().split("\n")
    except UnicodeDecodeError:
        lines = [as_text(line) for line in head.split(b"\n")]
    pairs = [line.partition(":") for line in lines]
    return [(name.strip(" \t"), value.strip(" \t\r")) for name, colon, value in pairs if colon]


def head_end(data: bytes, at: int, limit: int) -> tuple[int, int]:
    """Where the last line of a head ends, and where what follows its blank line begins; -1 twice without one."""
    crlf = data.find(b"\n\r\n", at, limit)
    lf = data.find(b"\n\n", at, limit if crlf < 0 else crlf)
    return (lf, lf + 2) if lf >= 0 else (crlf, crlf + 3) if crlf >= 0 else (-1, -1)


def as_text(data: bytes) -> str:
    """The text of a header, which is UTF-8 nowadays and Latin-1 where it is not."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")

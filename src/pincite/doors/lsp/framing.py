"""Bytes to messages: a header with a length, an empty line, and so many bytes of JSON."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...core.errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_MESSAGE = 128 * 1024 * 1024
"""Bytes of one message: four times the largest document that is checked, because JSON may escape what it holds."""
_MOST_HEADER = 8 * 1024
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_LENGTH = re.compile(rb"^content-length[ \t]*:[ \t]*([0-9]{1,12})[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


class BrokenFraming(PinciteError):
    """Bytes of which nothing says where the next message begins."""


class MessageDecoder:
    """Takes bytes as they come, in any pieces, and gives the messages that are complete."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._size = -1
        """The length of the message whose header was read; negative where none was."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The messages that these bytes complete; raises BrokenFraming where the stream cannot be followed."""
        self._held += data
        while True:
            if self._size < 0:
                match = _HEADER_END.search(self._held, 0, _MOST_HEADER)
                if match is None:
                    if len(self._held) >= _MOST_HEADER:
                        raise BrokenFraming(f"no message header within {_MOST_HEADER} bytes")
                    return
                self._size = _read_length(bytes(self._held[: match.start()]))
                del self._held[: match.end()]
            if len(self._held) < self._size:
                return
            body = bytes(self._held[: self._size])
            del self._held[: self._size]
            self._size = -1
            yield body


def _read_length(header: bytes) -> int:
    match = _LENGTH.search(header)
    if match is None:
        raise BrokenFraming("a message header without Content-Length")
    size = int(match[1])
    if size > MOST_MESSAGE:
        raise BrokenFraming(f"a message of {size} bytes; the most is {MOST_MESSAGE}")
    return size

"""What the screen showed: captured output as lines, after carriage returns, cursor movement and erasing."""

from __future__ import annotations

import re

_TEXT_BYTES = bytes(set(range(256)) - set(range(32)) - {0x7F} | {0x09, 0x0A})
_LONE_CR = re.compile(rb"\r(?![\r\n])")
_C1 = re.compile(rb"\xc2[\x80-\x9f]")


def screen_lines(data: bytes) -> list[str]:
    """The lines of captured output as the screen ended up showing them; a pure function of the bytes."""
    if not is_plain(data):
        from .emulator import emulated_lines

        return emulated_lines(data)
    lines = data.decode(errors="backslashreplace").replace("\r", "").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_plain(data: bytes) -> bool:
    """Whether the bytes show as they are: no control but line ends and tabs."""
    controls = data.translate(None, _TEXT_BYTES)
    if controls and (controls.strip(b"\r") or _LONE_CR.search(data)):
        return False
    return b"\xc2" not in data or not _C1.search(data)

"""What happens in a fleet, one line each: for people, or as JSON for programs that collect logs.

A trace is one run of a fleet, on all its machines; a span is one shard of it. Both have the form of the W3C's trace
context. No line holds a secret or a control character, and none is longer than 16 kB. The loggers of the process are
left alone.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from math import isfinite
from secrets import token_hex
from threading import Lock
from typing import TYPE_CHECKING

from ..core.errors import UsageError
from ..safe.escape import escape_text, json_text
from ..store.shared.backend import hide_secrets

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    Field = str | int | float | bool | None

FORMATS = ("none", "text", "json")
LEVELS = ("debug", "info", "warning", "error")
LONGEST_LINE = 16 * 1024
_LONGEST_TEXT = 2_000
_SHORTENED_TEXT = 200
_MOST_FIELDS = 40
_OWN = ("time", "level", "event")
_USER_OF_URL = re.compile(r"(?P<scheme>\b[a-z][a-z0-9+.-]*://)[^/@\s]+@", re.IGNORECASE)
"""`https://token@host/`: a user without a password may be the secret itself."""
_NAMED_SECRET = re.compile(
    # Example: `Authorization: Bearer eyJhbGci`, `?access_token=abc`, `api_key: abc`.
    r"""(?P<name>\b(?:authorization\s*[:=]\s*(?:bearer|basic|token)|bearer
        |(?:[a-z0-9]+[_-])*(?:token|secret|passwd|passphrase|api[_-]?key)\s*[:=])\s*)
        (?P<value>"[^"]*"|'[^']*'|[^\s&,;]+)""",
    re.IGNORECASE | re.VERBOSE,
)
_BARE = re.compile(r"[\w./:@+%-]+")
"""A value that needs no quotation marks in a line for people."""


def new_trace() -> str:
    """The name of a run: 32 hexadecimal digits."""
    return token_hex(16)


def new_span() -> str:
    """The name of a shard within a run: 16 hexadecimal digits."""
    return token_hex(8)


def hide_log_secrets(text: str) -> str:
    """A text without the passwords, tokens and users of addresses that stand in it."""
    if "://" in text:
        text = _USER_OF_URL.sub(lambda match: f"{match['scheme']}***@", text)
    return _NAMED_SECRET.sub(lambda match: f"{match['name']}***", hide_secrets(text))


class FleetLog:
    """Writes lines to standard error, or to a stream; `bind` gives a log whose lines have more fields.

    It never raises: what cannot be written is lost, and the fleet goes on.
    """

    def __init__(self, format_: str = "none", level: str = "info", stream: TextIO | None = None) -> None:
        if format_ not in FORMATS or level not in LEVELS:
            raise UsageError(f"no such log: choose one of {', '.join(FORMATS)}, and of {', '.join(LEVELS)}")
        self._format = format_
        self._least = LEVELS.index(level)
        self._stream = stream
        self._lock = Lock()
        self._fields: dict[str, Field] = {}

    def bind(self, **fields: object) -> FleetLog:
        """A log that writes to the same place; its lines have these fields, too."""
        other = object.__new__(FleetLog)
        other.__dict__.update(self.__dict__)
        other._fields = {**self._fields, **_clean(fields)} if self._format != "none" else {}
        return other

    def debug(self, event: str, /, **fields: object) -> None:
        """Write what is of use while an error is looked for."""
        self._write(0, event, fields)

    def info(self, event: str, /, **fields: object) -> None:
        """Write that something happened as it should."""
        self._write(1, event, fields)

    def warning(self, event: str, /, **fields: object) -> None:
        """Write that something went wrong and the run goes on."""
        self._write(2, event, fields)

    def error(self, event: str, /, **fields: object) -> None:
        """Write that something went wrong."""
        self._write(3, event, fields)

    def _write(self, level: int, event: str, fields: dict[str, object]) -> None:
        if self._format == "none" or level < self._least:
            return
        time = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        record: dict[str, Field] = {"time": time, "level": LEVELS[level], "event": _clean_text(event)}
        record.update(self._fields)
        record.update(_clean(fields))
        line = _fit(record, json_text if self._format == "json" else _format_text)
        stream = self._stream or sys.stderr
        if stream is None:
            return
        with self._lock:
            try:
                # Lines of several processes may go to one pipe: each is written at once.
                stream.write(f"{line}\n")
                stream.flush()
            except (OSError, ValueError):
                return


def _clean(fields: dict[str, object]) -> dict[str, Field]:
    """Fields as values that a line can hold; what a line always has is not replaced."""
    found: dict[str, Field] = {}
    for name, value in list(fields.items())[:_MOST_FIELDS]:
        found[f"{name}_" if name in _OWN else name] = _clean_value(value)
    return found


def _clean_value(value: object) -> Field:
    if value is None or isinstance(value, bool | int):
        # Some programs that read JSON take no longer ones.
        return value if value is None or -(2**63) <= value < 2**64 else str(value)[:_SHORTENED_TEXT]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return _clean_text(value if isinstance(value, str) else f"{type(value).__name__}: {value}")


def _clean_text(text: str) -> str:
    # Cut first: what a hostile name or message costs is bounded. A secret at the cut is cut off or hidden.
    return escape_text(hide_log_secrets(text[: 2 * _LONGEST_TEXT]), _LONGEST_TEXT)


def _fit(record: dict[str, Field], make: Callable[[dict[str, Field]], str]) -> str:
    """The line of a record; where it is too long, first its texts are cut, then fields are left out."""
    line = make(record)
    if len(line.encode()) <= LONGEST_LINE:
        return line
    record = {
        name: escape_text(value, _SHORTENED_TEXT) if isinstance(value, str) else value for name, value in record.items()
    }
    while len((line := make(record)).encode()) > LONGEST_LINE:
        record.popitem()
    return line


def _format_text(record: dict[str, Field]) -> str:
    first = f"{record['time']} {str(record['level']).upper():7} {record['event']}"
    rest = [f"{name}={_format_value(value)}" for name, value in record.items() if name not in _OWN]
    return " ".join((first, *rest))


def _format_value(value: Field) -> str:
    if isinstance(value, str) and _BARE.fullmatch(value) is None:
        return json_text(value)
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
